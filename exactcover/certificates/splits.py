"""The steps of a proof that stand for splits by symmetries; they name items and options of the problem."""

from __future__ import annotations

from typing import Any

from exactcover.symmetry.branches import ChainSplit, ItemSplit, Split
from exactcover.symmetry.remainders import Remainder, Symmetries

__all__ = ["FORCE", "describe_split"]

FORCE = {"by": "force"}
"""The step that comes before those of a branch that forces choices; without a remainder there are no others."""


def describe_split(remainder: Remainder, split: Split, symmetries: Symmetries) -> dict[str, Any]:
    """Return the step for a split; those of its branches follow."""
    items, options = remainder.item_origins, remainder.option_origins
    if isinstance(split, ItemSplit) and split.bounds[0] < split.bounds[1]:
        return {"by": "cases", "item": items[split.item]}
    maps = [
        [(options[k], options[image]) for k, image in enumerate(images) if k != image]
        for images, _ in symmetries.generators()
    ]
    maps = [pairs for pairs in maps if pairs]
    if isinstance(split, ItemSplit):
        joined = {"joined": [options[first] for first in split.joined]} if split.joined else {}
        return {"by": "symmetry", "item": items[split.item], "maps": maps, **joined}
    item = items[split.item] if isinstance(split, ChainSplit) else None
    links = split.links if isinstance(split, ChainSplit) else ((split.first,),)
    return {"by": "orbits", "item": item, "first": [options[first] for first, *_ in links], "maps": maps}
