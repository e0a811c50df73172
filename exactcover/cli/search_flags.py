"""How to search: flags, or else what the file says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from exactcover.cli.messages import print_profile
from exactcover.cli.output import open_output
from exactcover.cli.target import Request
from exactcover.config.configuration import Configuration
from exactcover.control.options import Distinct, SearchOptions
from exactcover.control.profile import Profile

__all__ = ["SearchFlags", "reject_bad_values", "search_flags", "symmetries_of"]


@dataclass(frozen=True)
class SearchFlags:
    """How to search.

    Attributes
    ----------
    options
        What the flags and the configuration say.
    stats
        Whether the nodes by level are printed.
    merge
        Whether equal options are merged.
    """

    options: SearchOptions
    stats: bool
    merge: bool

    def print_profile(self) -> None:
        """Print the nodes by level, if that was asked for."""
        profile = self.options.profile
        if self.stats and profile is not None and profile.levels:
            print_profile(profile)


@contextmanager
def search_flags(
    request: Request,
    configuration: Configuration,
    output: str | None,
    *,
    merge: bool,
    stats: bool,
    shape: str | None,
    **flags: Any,
) -> Iterator[SearchFlags]:
    """Take the flags of ``tactics_options``, and others that :class:`SearchOptions` knows; None stands for no flag.

    The file for the shape of the tree stays open for the block.
    """
    settings = configuration.search
    if shape is not None and output is not None and Path(shape).resolve() == Path(output).resolve():
        raise click.UsageError("--shape and -o name the same file")
    with open_output(shape, inputs=configuration.inputs) if shape is not None else nullcontext() as out:
        profile = Profile(out) if stats or out is not None else None
        stated = {name: value for name, value in flags.items() if value is not None}
        merge = merge or settings.merge
        if stated.get("distinct") and merge:
            raise click.UsageError("--distinct does not go with --merge: merged options have no symmetries")
        with reject_bad_values():
            options = settings.options(profile=profile, **stated)
        yield SearchFlags(options, stats, merge)


@contextmanager
def reject_bad_values() -> Iterator[None]:
    """Report flags that do not go together as wrong usage."""
    try:
        yield
    except ValueError as error:
        if type(error) is not ValueError:  # an error of ours says more
            raise
        raise click.UsageError(str(error)) from None


def symmetries_of(distinct: str | None) -> Distinct:
    """Return what :class:`SearchOptions` calls the symmetries that ``--distinct`` names."""
    return "rotations" if distinct == "rotations" else distinct is not None
