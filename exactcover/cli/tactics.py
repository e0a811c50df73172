"""How to search: flags, or else what the file says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from exactcover.cli.messages import print_profile
from exactcover.cli.output import open_output
from exactcover.cli.target import Request
from exactcover.config.configuration import Configuration
from exactcover.control.profile import Profile
from exactcover.engines.base import Heuristic, Tactics
from exactcover.symmetry.classes import Distinct

__all__ = ["SearchFlags", "reject_bad_values", "search_flags", "symmetries_of"]


@dataclass(frozen=True)
class SearchFlags:
    """How to search.

    Attributes
    ----------
    keywords
        What ``Problem.count`` takes of it.
    profile
        What ``Problem.solve`` takes besides.
    """

    keywords: Mapping[str, Any]
    profile: Profile | None
    stats: bool
    merge: bool

    def print_profile(self) -> None:
        """Print the nodes by level, if that was asked for."""
        if self.stats and self.profile is not None and self.profile.levels:
            print_profile(self.profile)


@contextmanager
def search_flags(
    request: Request,
    configuration: Configuration,
    output: str | None,
    *,
    engine: str | None,
    heuristic: Heuristic | None,
    jobs: int | None,
    reduce: bool | None,
    merge: bool,
    stats: bool,
    shape: str | None,
) -> Iterator[SearchFlags]:
    """Take the flags of ``tactics_options``; the file for the shape of the tree stays open for the block."""
    settings = configuration.search
    if shape is not None and output is not None and Path(shape).resolve() == Path(output).resolve():
        raise click.UsageError("--shape and -o name the same file")
    with open_output(shape, inputs=configuration.inputs) if shape is not None else nullcontext() as out:
        profile = Profile(out) if stats or out is not None else None
        with reject_bad_values():
            tactics = Tactics(heuristic or settings.heuristic, jobs or settings.jobs, profile=profile)
        keywords = {
            "engine": engine or settings.engine,
            "heuristic": tactics.heuristic,
            "jobs": tactics.jobs,
            "reduce": settings.reduce if reduce is None else reduce,
        }
        yield SearchFlags(keywords, profile, stats, merge or settings.merge)


@contextmanager
def reject_bad_values() -> Iterator[None]:
    """Report flags that do not go together as wrong usage."""
    try:
        yield
    except ValueError as error:
        if type(error) is not ValueError:  # an error of ours says more
            raise
        raise click.UsageError(str(error)) from None


def symmetries_of(distinct: str | None, flags: SearchFlags) -> Distinct:
    """Return what ``Problem.solve`` calls the symmetries that ``--distinct`` names.

    Raises
    ------
    click.UsageError
        If options are merged: then there are no symmetries left.
    """
    if distinct is not None and flags.merge:
        raise click.UsageError("--distinct does not go with --merge: merged options have no symmetries")
    return "rotations" if distinct == "rotations" else distinct is not None
