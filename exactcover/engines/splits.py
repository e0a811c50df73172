"""Ways to divide a node of branch and bound: by two items, by an option, or by the options of an item.

References
----------
D. M. Ryan and B. A. Foster, "An integer programming approach to scheduling", in *Computer Scheduling of Public
Transport* (1981).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy

from exactcover.engines.pairs import WHOLE, list_pairs
from exactcover.model.matrix import ONCE, Matrix

__all__ = ["Splits"]

Array = numpy.ndarray[Any, Any]


class Splits:
    """Ways to divide what some options of a matrix allow; a way is a list of the options that each child allows."""

    def __init__(self, matrix: Matrix) -> None:
        self._matrix = matrix
        self._entries = numpy.frombuffer(matrix.entries, numpy.int32)
        self._starts = numpy.frombuffer(matrix.starts, numpy.int64)
        self._owners = numpy.repeat(numpy.arange(len(matrix)), numpy.diff(self._starts))
        once = [matrix.bounds(item) == ONCE for item in range(matrix.primary)]
        self._once = numpy.array([*once, *[False] * (matrix.items - matrix.primary)], bool)

    def list_ways(self, allowed: Array, shares: Array) -> Iterator[list[Array]]:
        """Yield ways to divide a node whose relaxation contains parts of options, those that seem best first."""
        parts = numpy.flatnonzero((shares > WHOLE) & (shares < 1 - WHOLE) & allowed)
        parts = parts[numpy.argsort(numpy.abs(shares[parts] - 0.5), kind="stable")]
        pairs = iter(list_pairs(self._matrix, dict(zip(parts.tolist(), shares[parts].tolist(), strict=True))))
        options = iter(parts.tolist())
        seen = set[bytes]()  # which parts each way allows
        while True:
            ways = [self._divide_by_next(options, allowed), self._divide_by_next_pair(pairs, allowed)]
            if ways == [None, None]:
                return
            for way in ways:
                key = b"" if way is None else way[1][parts].tobytes()
                if way is not None and key not in seen:
                    seen.add(key)
                    yield way

    def _divide_by_next(self, options: Iterator[int], allowed: Array) -> list[Array] | None:
        """Return the next way by whether solutions contain an option."""
        for option in options:
            if self._once[self._entries[self._starts[option] : self._starts[option + 1]]].any():
                without = allowed.copy()
                without[option] = False
                way = [self.choose(allowed, option), without]
                if _divides(allowed, way):
                    return way
        return None

    def _divide_by_next_pair(self, pairs: Iterator[tuple[int, int]], allowed: Array) -> list[Array] | None:
        """Return the next way by whether one option covers two items, or two different ones do."""
        for one, other in pairs:
            first, second = self._holds(one), self._holds(other)
            way = [allowed & (first == second), allowed & ~(first & second)]
            if _divides(allowed, way):
                return way
        return None

    def divide_by_item(self, allowed: Array) -> list[Array]:
        """Return the way by the options of the item that has fewest; empty if no item has several."""
        holders = numpy.bincount(self._entries[allowed[self._owners]], minlength=self._matrix.items)
        several = [item for item in range(self._matrix.primary) if holders[item] > 1 and self._once[item]]
        if not several:
            return []
        item = min(several, key=holders.__getitem__)
        return [self.choose(allowed, int(option)) for option in numpy.flatnonzero(self._holds(item) & allowed)]

    def choose(self, allowed: Array, option: int) -> Array:
        """Return the options that may be chosen besides an option, and that option."""
        items = self._entries[self._starts[option] : self._starts[option + 1]]
        taken = numpy.zeros(self._matrix.items, bool)
        taken[items[self._once[items]]] = True
        rivals = numpy.zeros(len(self._matrix), bool)
        rivals[self._owners[taken[self._entries]]] = True
        left = allowed & ~rivals
        left[option] = True
        return left

    def _holds(self, item: int) -> Array:
        """Return which options contain an item."""
        holds = numpy.zeros(len(self._matrix), bool)
        holds[self._owners[self._entries == item]] = True
        return holds


def _divides(allowed: Array, way: list[Array]) -> bool:
    """Return whether each child allows less; else the relaxation covers items for penalties."""
    return not any((children == allowed).all() for children in way)
