"""The cheapest solutions that searches by prices have found, and searches among options by their reduced costs.

The reduced cost of an option is its cost, less the prices of its items.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy

from exactcover.control.stop import Stop
from exactcover.engines.cursor import ROOT
from exactcover.engines.native import NativeEngine
from exactcover.engines.relaxation import DualPrices
from exactcover.model.costs import find_unit, most_cost
from exactcover.model.matrix import Matrix
from exactcover.steps.step import reorder

_SLICE = 1 << 9  # units of work between two polls of the stop


class Incumbents:
    """The cheapest solutions of a matrix so far, and the work of the searches that look for cheaper ones.

    The ceiling, if there is one, is the cost that solutions must stay below.
    """

    def __init__(self, matrix: Matrix, wanted: int, stop: Stop, ceiling: int | None = None) -> None:
        self._matrix, self._wanted, self.stop = matrix, wanted, stop
        self.unit = find_unit(matrix.costs)  # divides all costs
        self.most = most_cost(matrix, {})  # the highest cost of solutions that matter from the beginning
        if ceiling is not None:
            self.most = min(self.most, ceiling - 1)
        self.nodes = self.work = 0
        self.prices = 0  # how often prices were found
        self._best: list[tuple[int, int, tuple[int, ...]]] = []  # cost, number in the order of finding, solution
        self._seen = set[tuple[int, ...]]()

    @property
    def cheapest(self) -> list[tuple[int, ...]]:
        """The cheapest solutions found so far, the cheapest first."""
        return [solution for _, _, solution in self._best]

    @property
    def best(self) -> int | None:
        """The cost of the cheapest solution found so far; None if there is none."""
        return self._best[0][0] if self._best else None

    @property
    def ceiling(self) -> int:
        """The highest cost of solutions that still matter."""
        return min(self.most, self._best[-1][0] - self.unit) if len(self._best) == self._wanted else self.most

    def note(self, solution: Sequence[int]) -> None:
        """Keep a solution if it is among the cheapest; raise RuntimeError if it is none."""
        found = tuple(sorted(solution))
        if found not in self._seen:
            if not self._matrix.is_solution(found):
                raise RuntimeError("the search by prices has found what is not a solution")
            self._seen.add(found)
            insort(self._best, (sum(self._matrix.costs[option] for option in found), len(self._seen), found))
            del self._best[self._wanted :]

    def search_among(self, allowed: numpy.ndarray[Any, Any], found: DualPrices, ceiling: int, nodes: int) -> bool:
        """Search for the solutions of least reduced cost among some options; return whether there is no more to do.

        The ceiling is the largest reduced cost of a solution: that of all its options together. The search ends after
        about that many nodes.
        """
        kept = numpy.flatnonzero(allowed)
        order = kept[numpy.lexsort((-found.shares[kept], found.reduced_costs[kept]))]
        some = reorder(self._matrix, order.tolist(), range(self._matrix.items)).matrix
        if some.first_underfilled() is not None:
            return True
        cursor = NativeEngine().cursor(replace(some, costs=found.reduced_costs[order].tolist()), self.stop)
        cursor.begin(ROOT, self._wanted, ceiling + 1)
        more = True
        while more and cursor.nodes < nodes:
            self.stop.poll()
            more = cursor.search(min(_SLICE, nodes))
        self.nodes += cursor.nodes
        self.work += cursor.nodes
        for solution in cursor.take():
            self.note(order[list(solution)].tolist())
        return not more
