"""Ways to divide a node of branch and bound: by two items, by an option, or by the options of an item.

References
----------
D. M. Ryan and B. A. Foster, "An integer programming approach to scheduling", in *Computer Scheduling of Public
Transport* (1981).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain, combinations, zip_longest
from typing import Any, NamedTuple, TypeVar

import numpy

from exactcover.model.matrix import ONCE, Matrix

__all__ = ["WHOLE", "Splits", "Way", "choose_way"]

WHOLE = 1e-6
"""What a share of an option differs from 0 or 1 at most if it is no part."""
_PATIENCE = 5  # ways that are tried after the best one
_LEAST_GAIN = 1e-3  # of a bound, when gains are multiplied

Array = numpy.ndarray[Any, Any]
Child = TypeVar("Child")


class Way(NamedTuple):
    """A way to divide a node.

    Attributes
    ----------
    children
        Which options each of both children allows.
    by
        An option, which the solutions of the first child contain; or a pair of items, which one option covers there.
    """

    children: tuple[Array, Array]
    by: int | tuple[int, int]


def choose_way(
    ways: Iterable[Way], relax: Callable[[Array], Child], find_gain: Callable[[Child], float | None]
) -> tuple[Way, list[Child]] | None:
    """Return the way for which the product of the gains of both children is greatest, and its children.

    Parameters
    ----------
    ways
        The ways, of which some are tried, the first ones.
    relax
        Returns a child, given the options that it allows.
    find_gain
        Returns by how much the bound of a child is better; None if the child has no solution that matters, which ends
        the choice.
    """
    best: tuple[Way, list[Child]] | None = None
    most, patience = 0.0, _PATIENCE
    for way in ways:
        children = [relax(allowed) for allowed in way.children]
        one, other = map(find_gain, children)
        if one is None or other is None:
            return way, children
        value = (max(one, 0.0) + _LEAST_GAIN) * (max(other, 0.0) + _LEAST_GAIN)
        patience -= 1
        if value > most:
            best, most, patience = (way, children), value, _PATIENCE
        if not patience:
            break
    return best


class Splits:
    """Ways to divide what some options of a matrix allow."""

    def __init__(self, matrix: Matrix) -> None:
        self._matrix = matrix
        self._entries = numpy.frombuffer(matrix.entries, numpy.int32)
        self._starts = numpy.frombuffer(matrix.starts, numpy.int64)
        self._owners = numpy.repeat(numpy.arange(len(matrix)), numpy.diff(self._starts))
        once = [matrix.bounds(item) == ONCE for item in range(matrix.primary)]
        self._once = numpy.array([*once, *[False] * (matrix.items - matrix.primary)], bool)

    def list_ways(self, allowed: Array, shares: Array) -> Iterator[Way]:
        """Yield ways to divide a node whose relaxation contains parts of options, those that seem best first."""
        parts = numpy.flatnonzero((shares > WHOLE) & (shares < 1 - WHOLE) & allowed)
        parts = parts[numpy.argsort(numpy.abs(shares[parts] - 0.5), kind="stable")]
        pairs = self._list_pairs(dict(zip(parts.tolist(), shares[parts].tolist(), strict=True)))
        ways = zip_longest(map(partial(self.divide_by_option, allowed), parts.tolist()),
                           map(partial(self.divide_by_pair, allowed), pairs))  # fmt: skip
        seen = set[bytes]()  # which parts each way allows
        for way in chain.from_iterable(ways):
            # If a child allows as much as before, the relaxation covers items for penalties.
            if way is None or any((children == allowed).all() for children in way.children):
                continue
            key = way.children[1][parts].tobytes()
            if key not in seen:
                seen.add(key)
                yield way

    def _list_pairs(self, shares: Mapping[int, float]) -> list[tuple[int, int]]:
        """Return the pairs of items that are covered once, and by one option most nearly by half, the best first."""
        sums: dict[tuple[int, int], float] = {}
        for option, share in shares.items():
            once = sorted(item for item, _ in self._matrix.option(option) if self._once[item])
            for pair in combinations(once, 2):
                sums[pair] = sums.get(pair, 0.0) + share
        able = [(abs(total - 0.5), pair) for pair, total in sums.items() if WHOLE < total < 1 - WHOLE]
        return [pair for _, pair in sorted(able)]

    def divide_by_option(self, allowed: Array, option: int) -> Way | None:
        """Return the way that chooses an option, or leaves it out; None if choosing it excludes too little."""
        if not self._once[self._entries[self._starts[option] : self._starts[option + 1]]].any():
            return None
        without = allowed.copy()
        without[option] = False
        return Way((self.choose(allowed, option), without), option)

    def divide_by_pair(self, allowed: Array, pair: tuple[int, int]) -> Way:
        """Return the way that covers two items by one option, or by two."""
        first, second = map(self._holds, pair)
        return Way((allowed & (first == second), allowed & ~(first & second)), pair)

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
