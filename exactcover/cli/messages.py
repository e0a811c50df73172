"""Messages on standard error: how a search ended, and its statistics."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal
from fractions import Fraction

import click

from exactcover.control.recorder import Profile
from exactcover.control.statistics import Statistics, Status
from exactcover.engines.registry import find_remedy
from exactcover.pictures import printable
from exactcover.pictures.text import digits, format_count
from exactcover.search.search import Search, name_prover

__all__ = [
    "describe_percent",
    "describe_share",
    "describe_stop",
    "format_statistics",
    "get_noun",
    "print_line",
    "print_message",
    "print_profile",
    "print_summary",
    "print_symmetry_summary",
]

_ENDINGS = {
    Status.COMPLETE: "search complete",
    **{status: f"{status.words}; there may be more" for status in Status if status.stopped},
}

_BETTER = {
    "is cheaper": "cheaper ones",
    "costs more": "some that cost more",
    "costs more, less prices": "some that cost more, less prices",
    "leaves less open": "some that leave less open",
    "changes less": "some that change less",
}


def print_message(message: str) -> None:
    """Print one line on standard error, with control characters escaped."""
    with suppress(OSError, ValueError):  # standard error is full or closed, so nobody would see a message
        click.echo(printable(message), err=True)


def print_line(text: str) -> None:
    """Print one line on standard output, with control characters escaped."""
    click.echo(printable(text))


def print_summary(search: Search, verbosity: int) -> None:
    """Print how the search ended; `verbosity` is -1 for nothing, 0, or 1 to add statistics."""
    if verbosity < 0:
        return
    statistics = search.statistics
    if search.status is Status.UNSATISFIABLE:
        print_message("no solution" + (f": {search.reason}" if search.reason else name_prover(search)))
    else:
        print_message(f"{_describe_result(search)}, {statistics.seconds:.2f} s")
        if search.shortage:
            print_message(search.shortage)
        if search.status.stopped and verbosity == 0 and statistics.nodes:
            share = describe_share(statistics.explored, 4)
            explored = f", {share} of the search explored" if share else ""
            print_message(f"{format_count(statistics.nodes, 'node')} visited{explored}")
        remedy = find_remedy("bounds") if search.cheapest and search.status.stopped else None
        if remedy is not None:
            print_message(f"prices of items would help to find and prove the cheapest solution; they need {remedy}")
    if verbosity > 0:
        for line in format_statistics(statistics, search.seed):
            print_message(line)


def _describe_result(search: Search) -> str:
    """Return how many solutions were found, and whether these are all."""
    status, number = search.status, search.statistics.solutions
    found = format_count(number, get_noun(search))
    if search.total is not None and search.total > number:
        return f"{found} (of {digits(search.total, grouped=True)})"
    if status is Status.LIMIT:
        return f"the first {found if number > 1 else get_noun(search)}"
    if status.stopped and not number:
        return f"no solution found yet ({status.words})"
    ending = _describe_rank(search) if search.cheapest and status is not Status.COMPLETE else _ENDINGS[status]
    if search.within is not None and status is Status.OPTIMAL and number != search.cheapest:
        than = "less than the dearest" if search.maximizes else "more than the cheapest"
        ending = f"all that cost at most {search.within} {than} one"
    if search.ties > 1 and not status.stopped:
        ending += "; all cost the same" if search.ties == number else f"; the first {search.ties:,} cost the same"
    if search.cheapest and (status.stopped or status is Status.GAP):
        ending += _describe_gap(search.statistics)
    return f"{found} ({ending}{name_prover(search)})"


def _describe_rank(search: Search) -> str:
    """Return a text about solutions that are better than those found."""
    if search.status is Status.OPTIMAL:
        return f"no other {search.advantage}"
    why = f"{search.status.words}; " if search.status.stopped else ""
    return f"{why}there may be {_BETTER[search.advantage]}"


def _describe_gap(statistics: Statistics) -> str:
    """Return by how much a solution may be cheaper than the best one; empty if that is not known.

    Examples
    --------
    >>> _describe_gap(Statistics(best=200, bound=190)), _describe_gap(Statistics())
    (', by at most 10, or 5%', '')
    """
    best, gap = statistics.best, statistics.gap
    if best is None or gap is None:
        return ""
    return f", by at most {Decimal(gap):f}" + (f", or {describe_percent(gap, best)}" if best else "")


def describe_percent(part: int | Decimal, whole: int | Decimal) -> str:
    """Return a share in percent, rounded up, so that what it bounds is not understated.

    Examples
    --------
    >>> describe_percent(10, 200), describe_percent(1, 3), describe_percent(0, 5), describe_percent(1, -4)
    ('5%', '33.34%', '0%', '25%')
    """
    hundredths = -(-Fraction(part) * 10_000 // abs(Fraction(whole)))
    return f"{Decimal(hundredths) / 100:f}%"


def get_noun(search: Search) -> str:
    """Return the name of the results of a search, in the singular."""
    if search.is_projection:
        return "projection"
    if search.is_best_effort:
        return "best effort"
    return "solution" if search.classes is None else "distinct solution"


def describe_stop(status: Status, at_least: int, place: str = "") -> str:
    """Return a line which says why a command was stopped before it had a result, and how many solutions it found.

    `place` is what was read then, if it took the memory.
    """
    found = f"at least {format_count(at_least, 'solution')}" if at_least else "nothing found yet"
    return f"{status.words}{f' while {place} was read' if place else ''}; {found}"


def describe_share(share: float, digits: int) -> str:
    """Return the share of a search that is explored; empty if it is 0, which it is if an engine cannot tell it.

    Examples
    --------
    >>> describe_share(0.25, 2), describe_share(0.00001, 2), describe_share(0, 2)
    ('25.00%', 'less than 0.01%', '')
    """
    if 0 < share < 10 ** -(digits + 2):
        return f"less than {10**-digits:.{digits}f}%"
    return f"{share:.{digits}%}" if share else ""


def print_symmetry_summary(search: Search, quiet: bool) -> None:
    """Print how many solutions the symmetry classes contain, if the search found all classes."""
    classes = search.classes
    if classes is not None and not quiet and search.status is Status.COMPLETE:
        mirrors = ", including mirror images" if classes.mirrors else ""
        total = format_count(classes.total, "solution")
        symmetric = ""
        if classes.symmetric is not None:
            verb = "is" if classes.symmetric == 1 else "are"
            symmetric = f"; {format_count(classes.symmetric, 'distinct solution')} {verb} symmetric"
        print_message(f"{total} in all; {format_count(classes.order, 'symmetry')}{mirrors}{symmetric}")


def print_profile(profile: Profile) -> None:
    """Print the number of nodes on each level."""
    print_message(f"choices   at most {profile.most_choices:,}")
    for level, nodes in enumerate(profile.levels):
        print_message(f"level {level:<4}{nodes:,}")


def _describe_costs(statistics: Statistics) -> dict[str, int | str]:
    """Return the costs and bounds that a search for the cheapest knows, by name."""
    best, bound, gap = statistics.best, statistics.bound, statistics.gap
    if bound is None:
        return {}
    if best is None or gap is None:
        return {"bound": f"{Decimal(bound):,f}"}
    share = f" ({describe_percent(gap, best)})" if best else ""
    return {"best": f"{Decimal(best):,f}", "bound": f"{Decimal(bound):,f}", "gap": f"{Decimal(gap):,f}{share}"}


def format_statistics(statistics: Statistics, seed: int | None = None) -> list[str]:
    """Return the statistics as lines."""
    searching = statistics.seconds - statistics.setup_seconds
    setting_up = statistics.build_seconds + statistics.setup_seconds
    values: dict[str, int | str] = {
        "engine": f"{statistics.engine} ({statistics.why})",
        **({} if seed is None else {"seed": str(seed)}),
        "nodes": statistics.nodes,
        "explored": describe_share(statistics.explored, 4) or "unknown",
        "time": f"{setting_up:.3f} s setting up, {searching:.3f} s searching",
        **_describe_costs(statistics),
        **statistics.details,
    }
    width = max(map(len, values))
    texts = {name: f"{value:,}" if isinstance(value, int) else value for name, value in values.items()}
    if "memory" in texts:
        texts["memory"] += " bytes"
    return [f"{name:{width}}  {text}" for name, text in texts.items()]
