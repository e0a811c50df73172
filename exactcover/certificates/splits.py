"""The steps of a proof that stand for splits by symmetries; they name items and options of the problem."""

from __future__ import annotations

from exactcover.certificates.writer import CertificateWriter
from exactcover.symmetry.remainders import Remainder, Symmetries
from exactcover.symmetry.splitting import Branch, ChainSplit, ItemSplit, Split

__all__ = ["add_branch", "add_split"]


def add_split(writer: CertificateWriter, remainder: Remainder, split: Split, symmetries: Symmetries) -> None:
    """Add the step for a split; those of its branches follow."""
    items, options = remainder.item_origins, remainder.option_origins
    if isinstance(split, ItemSplit) and split.bounds[0] < split.bounds[1]:
        writer.add_step("cases", item=items[split.item])
        return
    maps = [
        [(options[k], options[image]) for k, image in enumerate(images) if k != image]
        for images, _ in symmetries.generators()
    ]
    maps = [pairs for pairs in maps if pairs]
    if isinstance(split, ItemSplit):
        writer.add_step("symmetry", item=items[split.item], maps=maps)
        return
    item = items[split.item] if isinstance(split, ChainSplit) else None
    links = split.links if isinstance(split, ChainSplit) else ((split.first,),)
    writer.add_step("orbits", item=item, first=[options[first] for first, *_ in links], maps=maps)


def add_branch(writer: CertificateWriter, branch: Branch) -> None:
    """Add the step that comes before those of a branch, if there is one; without a remainder there are no others."""
    if branch.forces:
        writer.add_step("force")
