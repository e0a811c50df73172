"""Small problems of the native module, made and counted without the rest of the package."""

from array import array
from collections.abc import Sequence
from itertools import accumulate, chain
from typing import Any, TypeVar

import exactcover._native as _native

Count = TypeVar("Count", bound=_native.Sweep | _native.Memo)


def arrays(options: Sequence[Sequence[int]]) -> "tuple[array[int], array[int], array[int]]":
    """The starts, the entries and the colors of options, which have none."""
    entries = array("i", chain.from_iterable(options))
    return array("q", [0, *accumulate(map(len, options))]), entries, array("i", bytes(4 * len(entries)))


def make(options: Sequence[Sequence[int]], primary: int, items: int | None = None, **more: Any) -> _native.Problem:
    return _native.make_problem(items or primary, primary, *arrays(options), **more)


def dominoes(length: int, **more: Any) -> _native.Problem:
    """Tilings of a strip two wide: as many as a Fibonacci number."""
    pairs = [[2 * k, 2 * k + 1] for k in range(length)]
    pairs += [[2 * k + side, 2 * k + 2 + side] for k in range(length - 1) for side in (0, 1)]
    return make(pairs, 2 * length, **more)


def complete(count: Count, step: int = 1) -> Count:
    """Let a sweep or a memo go on to its end; return it."""
    while count.advance(step):
        pass
    return count


def total(count: _native.Sweep | _native.Memo, step: int = 1) -> int:
    return int.from_bytes(complete(count, step).total(), "little")


def listed(search: _native.Search, most: int = 10) -> list[tuple[int, ...]]:
    """List what is left of a search that has begun, so many solutions at a time."""
    found = []
    while search.advance(100, most, True):
        found += search.take()
    return found + search.take()
