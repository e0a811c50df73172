"""Words on standard error: how a search ended, and what it has seen."""

from __future__ import annotations

from contextlib import suppress

import click

from exactcover.control.profile import Profile
from exactcover.control.statistics import Statistics, Status
from exactcover.formats.numbers import digits
from exactcover.pictures import printable
from exactcover.search.search import Search

__all__ = [
    "count_noun",
    "print_classes",
    "print_ending",
    "print_line",
    "print_profile",
    "statistics_lines",
    "stopped_line",
]

_ENDINGS = {
    Status.COMPLETE: "that is all",
    Status.OPTIMAL: "no other is cheaper",
    Status.LIMIT: "as many as asked for; there may be more",
    Status.TIMEOUT: "stopped by the timeout; there may be more",
    Status.MEMORY: "stopped for lack of memory; there may be more",
    Status.INTERRUPTED: "interrupted; there may be more",
}
_CHEAPEST_ENDINGS = {status: ending.replace("more", "cheaper ones") for status, ending in _ENDINGS.items()}


def print_line(message: str) -> None:
    """Print a line on standard error; what it quotes can neither begin another line nor speak to the terminal."""
    with suppress(OSError, ValueError):  # where standard error is full, closed or gone there is nobody to tell
        click.echo(printable(message), err=True)


def print_ending(search: Search, verbosity: int) -> None:
    """Say how the search ended; `verbosity` is -1 for quiet, 0, or 1 for statistics."""
    if verbosity < 0:
        return
    statistics = search.statistics
    if search.status is Status.UNSATISFIABLE:
        print_line("no solution" + (f": {search.reason}" if search.reason else ""))
    else:
        number = statistics.solutions
        ending = (_CHEAPEST_ENDINGS if search.cheapest else _ENDINGS)[search.status]
        if search.total is not None and search.total > number:
            ending = f"of {digits(search.total, grouped=True)}"
        print_line(f"{count_noun(number, 'solution')} ({ending}), {statistics.seconds:.2f} s")
        if search.status.stopped and verbosity == 0 and statistics.nodes:
            print_line(f"{statistics.nodes:,} nodes visited, {statistics.explored:.4%} of the search explored")
    if verbosity > 0:
        for line in statistics_lines(statistics, search.seed):
            print_line(line)


def count_noun(number: int, noun: str) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> count_noun(1, "given"), count_noun(1200, "given")
    ('1 given', '1,200 givens')
    """
    return f"{digits(number, grouped=True)} {noun}{'' if number == 1 else 's'}"


def stopped_line(status: Status, at_least: int) -> str:
    """Say that something was stopped before it had a result."""
    seen = f": at least {count_noun(at_least, 'solution')}" if at_least else " before there was a result"
    return f"stopped ({status.value}){seen}"


def print_classes(search: Search, quiet: bool) -> None:
    """Say how many solutions those of the classes stand for, if it was about classes and all are known."""
    classes = search.classes
    if classes is not None and not quiet and search.status is Status.COMPLETE:
        number = len(classes.group)
        total, symmetric = (digits(count, grouped=True) for count in (classes.total, classes.symmetric))
        plural = "y" if number == 1 else "ies"
        verb = "is" if classes.symmetric == 1 else "are"
        mirrors = ", mirror images included" if classes.mirrors else ""
        print_line(f"{total} in all, under {number:,} symmetr{plural}{mirrors}; {symmetric} {verb} symmetric")


def print_profile(profile: Profile) -> None:
    """Print the nodes by level."""
    print_line(f"choices   {profile.most_choices:,} at most")
    for level, nodes in enumerate(profile.levels):
        print_line(f"level {level:<4}{nodes:,}")


def statistics_lines(statistics: Statistics, seed: int | None = None) -> list[str]:
    """Return the statistics as lines."""
    return [
        f"engine    {statistics.engine} ({statistics.why})",
        *([] if seed is None else [f"seed      {seed}"]),
        f"nodes     {statistics.nodes:,}",
        f"explored  {statistics.explored:.4%}",
        f"time      {statistics.setup_seconds:.3f} s setting up, "
        f"{statistics.seconds - statistics.setup_seconds:.3f} s searching",
        *(f"{name.ljust(9)} {value:,}" if isinstance(value, int) else f"{name.ljust(9)} {value}"
          for name, value in statistics.details.items()),
    ]  # fmt: skip
