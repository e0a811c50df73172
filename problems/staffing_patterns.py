"""The patterns of a staffing problem: sequences of shifts and days off, one in each block of days of a person."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import product

from exactcover import ParameterError
from exactcover.errors import nearest

__all__ = ["OFF", "WEEK", "list_run_items", "read_patterns"]

OFF = "-"
"""A day off in a pattern."""

WEEK = 7
"""The days of a week."""

_MAX_PATTERNS = 20_000


def read_patterns(texts: Sequence[str], shifts: Collection[str], *, run: int | None, days: int) -> list[str]:
    """Return the patterns, without those in which nobody works or a run is too long.

    Raises
    ------
    ParameterError
        If a pattern is not valid, or does not fit the run or the days.

    Examples
    --------
    >>> read_patterns(["day  day -", "- - -", "day day day"], ["day"], run=2, days=6)
    ['day day -']
    """
    found: list[str] = []
    for number, text in enumerate(texts):
        found += _list_all(shifts, number) if text == "all" else [_read_pattern(text, shifts, number)]
    lengths = {len(text.split()) for text in found}
    if len(lengths) > 1 or 0 in lengths:
        raise ParameterError("patterns", "expected patterns of the same length, at least one day")
    if lengths and run is not None and run >= max(lengths) > 0:
        raise ParameterError("run", f"a run must be shorter than the patterns, which have {max(lengths)} days")
    if lengths and days % max(lengths):
        raise ParameterError("days", f"expected a multiple of {max(lengths)}, the length of the patterns")
    return [text for text in dict.fromkeys(found) if set(text.split()) != {OFF} and _keeps_run(text, run)]


def _list_all(shifts: Collection[str], number: int) -> Iterator[str]:
    """Return all patterns of a week."""
    if (len(shifts) + 1) ** WEEK > _MAX_PATTERNS:
        message = f"there are too many patterns of {len(shifts)} shifts; list those that are worked"
        raise ParameterError(("patterns", number), message)
    return (" ".join(one) for one in product((*shifts, OFF), repeat=WEEK))


def _read_pattern(text: str, shifts: Collection[str], number: int) -> str:
    unknown = next((word for word in text.split() if word not in (*shifts, OFF)), None)
    if unknown is not None:
        near = nearest(unknown, shifts)
        message = f"there is no shift {unknown!r}, and it is not - for a day off{near}"
        raise ParameterError(("patterns", number), message)
    return " ".join(text.split())


def _keeps_run(pattern: str, run: int | None) -> bool:
    worked = "".join("-" if shift == OFF else "x" for shift in pattern.split())
    return run is None or "x" * (run + 1) not in worked


def list_run_items(who: str, first: int, pattern: str, *, run: int, days: int) -> Iterator[str]:
    """Yield the items by which runs at the end of a block and the start of the next one are too long together."""
    worked = [shift != OFF for shift in pattern.split()]
    starts, ends = (_count_first(some) for some in (worked, worked[::-1]))
    after = first + len(worked) - 1
    if after < days:
        yield from (f"{who}, run around day {after}: {k}" for k in range(1, ends + 1))
    if first > 1:
        yield from (f"{who}, run around day {first - 1}: {k}" for k in range(run + 1 - starts, run + 1))


def _count_first(days: Sequence[bool]) -> int:
    """Return how many elements at the start are true."""
    return days.index(False) if False in days else len(days)
