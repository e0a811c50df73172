"""How to search, from the flags of ``add_search_flags`` and the configuration. Flags win."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any

import click

from exactcover.cli.messages import print_profile
from exactcover.cli.search_logs import LogFlags, open_search_log
from exactcover.config.configuration import Configuration
from exactcover.control.options import Distinct, SearchOptions
from exactcover.control.recorder import Profile, TreeRecorder

__all__ = ["ResolvedFlags", "list_flags", "parse_distinct", "report_bad_flags", "resolve_search_flags"]


@dataclass(frozen=True)
class ResolvedFlags:
    """How to search, from flags and configuration together.

    Attributes
    ----------
    options
        The options for the search.
    profile, log
        The observer of the search, or None.
    stats
        Whether to print the nodes by level.
    merge
        Whether to merge options with the same items.
    """

    options: SearchOptions
    profile: Profile | None
    log: TreeRecorder | None
    stats: bool
    merge: bool

    def print_profile(self) -> None:
        """Print the nodes by level if ``--stats`` asks for them."""
        if self.profile is not None and self.profile.levels:
            print_profile(self.profile)


@contextmanager
def resolve_search_flags(
    configuration: Configuration,
    output: str | None,
    *,
    merge: bool,
    stats: bool,
    **flags: Any,
) -> Iterator[ResolvedFlags]:
    """Combine flags with the configuration; keep the file of a search log open for the block.

    Parameters
    ----------
    configuration
        The configuration of the target.
    output
        The value of ``-o``.
    merge, stats
        The values of these flags.
    **flags
        The fields of :class:`LogFlags`, and fields of :class:`SearchOptions`. None means that the flag is absent.

    Raises
    ------
    click.UsageError
        If the flags contradict each other.
    """
    settings = configuration.search
    log_flags = LogFlags(**{field.name: flags.pop(field.name) for field in fields(LogFlags)})
    with open_search_log(log_flags, output, configuration.inputs) as log:
        profile = Profile() if stats else None
        present = {name: value for name, value in flags.items() if value is not None}
        merge = merge or settings.merge
        if present.get("distinct") and merge:
            raise click.UsageError("--distinct cannot be combined with --merge: merged options have no symmetries")
        with report_bad_flags():
            options = settings.options(**present)
        yield ResolvedFlags(options, profile, log, stats, merge)


@contextmanager
def report_bad_flags() -> Iterator[None]:
    """Report a ``ValueError`` about flags as wrong usage."""
    try:
        yield
    except ValueError as error:
        if type(error) is not ValueError:  # errors of this package are reported elsewhere
            raise
        raise click.UsageError(str(error)) from None


def list_flags(flags: Mapping[str, Any], names: Iterable[str]) -> Iterator[str]:
    """Yield, as they are typed, those of the flags with these names that are given."""
    for name in names:
        if flags.get(name) is not None and flags[name] is not False:
            yield f"--{name.replace('_', '-')}"


def parse_distinct(distinct: str | None) -> Distinct:
    """Return the value for :class:`SearchOptions` that ``--distinct`` stands for."""
    return "rotations" if distinct == "rotations" else distinct is not None
