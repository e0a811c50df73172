"""The search for the cheapest solutions by prices of items.

If solutions cost at most so much, only options matter that cost little more than the prices of their items. These are
few, and a search among them is short. So it is repeated for higher and higher limits, until enough solutions are found.
If such a search takes long, branch and bound goes on, where each node has prices of its own.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from dataclasses import replace
from math import gcd
from typing import TYPE_CHECKING

from exactcover.control.stop import Stop
from exactcover.engines.native import NativeEngine
from exactcover.engines.relaxation import Prices, find_prices
from exactcover.engines.trees import ROOT
from exactcover.model.matrix import Matrix
from exactcover.steps.order import reorder

if TYPE_CHECKING:  # imports NumPy, which is slow
    from exactcover.engines.branching import Branching

__all__ = ["PriceSearch"]

_SLICE = 1 << 10  # units of work between two looks at the number of nodes, at most
_WORK_PER_ENTRY = 4  # of finding prices, where a node is 1
_FINENESS = 2000  # the first limits are apart by this part of the cost


class PriceSearch:
    """A search for the cheapest solutions.

    Parameters
    ----------
    matrix
        The matrix. Only items that are covered a fixed number of times get prices.
    wanted
        How many solutions.
    stop
        Polled often.
    most_nodes
        After how many nodes branch and bound begins.
    ceiling
        What solutions must cost less than, where many are wanted; None for the cheapest ones at any cost.

    Attributes
    ----------
    nodes
        The number of subproblems that were visited.
    work
        How much was done, where visiting a node is 1.
    prices
        How often prices were found.
    bound
        What all solutions cost at least that were not found.
    is_divided
        Whether branch and bound has begun.
    """

    def __init__(
        self, matrix: Matrix, wanted: int, stop: Stop, most_nodes: int = 1 << 15, ceiling: int | None = None
    ) -> None:
        self._matrix, self._wanted, self._stop, self._most_nodes = matrix, wanted, stop, most_nodes
        self._native = NativeEngine()
        self._unit = gcd(*matrix.costs) or 1
        self._most = min(sum(matrix.costs), _most_options(matrix) * max(matrix.costs))  # what any solution may cost
        if ceiling is not None:
            self._most = min(self._most, ceiling - 1)
        self._best: list[tuple[int, int, tuple[int, ...]]] = []  # cost, number in the order of finding, solution
        self._seen = set[tuple[int, ...]]()
        self.nodes = 0
        self.is_divided = False
        self._branching: Branching | None = None
        self.prices, self.work = 1, _WORK_PER_ENTRY * len(matrix.entries)
        self._root = find_prices(matrix, stop, self._most)
        self.bound = -(-max(0, self._root.paid) // (self._root.scale * self._unit)) * self._unit
        self._limit, self._step = self.bound if ceiling is None else self._most, 0

    @property
    def cheapest(self) -> list[tuple[int, ...]]:
        """The cheapest solutions found so far, the cheapest first."""
        return [solution for _, _, solution in self._best]

    @property
    def best(self) -> int | None:
        """What the cheapest solution costs that is found; None if none is found."""
        return self._best[0][0] if self._best else None

    def note(self, solution: Sequence[int]) -> None:
        """Keep a solution if it is among the cheapest."""
        found = tuple(sorted(solution))
        if found not in self._seen:
            self._seen.add(found)
            insort(self._best, (self._cost_of(found), len(self._seen), found))
            del self._best[self._wanted :]

    def advance(self) -> bool:
        """Search up to the next limit, or divide a node; return whether there is more to do.

        Raises
        ------
        Stopped
            If the stop asks for it.
        """
        self._stop.poll()
        if self._ceiling(self._most) < self.bound:
            return False
        if self._branching is not None:
            return self._branch(self._branching)
        if self._search(self._ceiling(self._limit)):
            self.bound = self._limit + self._unit
            if self._limit >= self._ceiling(self._most):
                return False
            self._step = 2 * self._step or max(self._unit, self._limit // _FINENESS // self._unit * self._unit)
            self._limit += self._step
        else:
            self.is_divided = True
            self._branching = self._begin_branching()
        return True

    def _begin_branching(self) -> Branching:
        from exactcover.engines.branching import Branching  # seldom needed

        penalty = 4 * self._most + 1
        return Branching(
            self._matrix, penalty, self._unit, lambda: self._ceiling(self._most), self.note, self._wanted, self._stop
        )

    def _branch(self, branching: Branching) -> bool:
        """Go on with branch and bound; return whether there is more to do."""
        before = branching.nodes, branching.work, branching.solved
        more = branching.advance()
        self.nodes += branching.nodes - before[0]
        self.work += branching.work - before[1]
        self.prices += branching.solved - before[2]
        if branching.bound is not None:
            self.bound = max(self.bound, branching.bound)
        if not more:
            self.bound = self._ceiling(self._most) + self._unit
        return more

    def _ceiling(self, limit: int) -> int:
        """Return what solutions may cost that are still looked for."""
        return min(limit, self._best[-1][0] - self._unit) if len(self._best) == self._wanted else limit

    def _cost_of(self, options: Sequence[int]) -> int:
        return sum(self._matrix.costs[option] for option in options)

    def _search(self, most: int) -> bool:
        """Search for solutions that cost at most so much; return whether that ends soon."""
        found, matrix = self._root, self._matrix
        ceiling = most * found.scale - found.paid
        if ceiling < 0 or matrix.first_underfilled() is not None:
            return True
        if not matrix.primary:
            self.note(())
            return True
        order, rest = self._sort(found, matrix, ceiling)
        cheap = reorder(matrix, order, range(matrix.items)).matrix
        if cheap.first_underfilled() is not None:
            return True
        search = self._native.subtrees(replace(cheap, costs=rest), self._stop)
        search.begin(ROOT, self._wanted, ceiling + 1)
        more = True
        while more and search.nodes < self._most_nodes:
            self._stop.poll()
            more = search.work(min(_SLICE, self._most_nodes), listing=True)
        self.nodes += search.nodes
        self.work += search.nodes
        for solution in search.take():
            self.note([order[k] for k in solution])
        return not more

    def _sort(self, found: Prices, matrix: Matrix, ceiling: int) -> tuple[list[int], list[int]]:
        """Return the options that solutions can contain, in the order in which to try them, and the rest of each.

        The rest is rounded down, by so little that it still tells solutions of different costs apart. Ties, of which
        there are many then, go to the options of which the solution of the relaxation contains most.
        """
        grain = max(1, self._unit * found.scale // (4 * _most_options(matrix)))
        rest = (found.rest // grain * grain).tolist()
        shares = found.shares.tolist()
        order = [option for option in range(len(matrix)) if rest[option] <= ceiling]
        order.sort(key=lambda option: (rest[option], -shares[option]))
        return order, [rest[option] for option in order]


def _most_options(matrix: Matrix) -> int:
    """Return how many options a solution can have at most."""
    return sum(matrix.capped(item)[1] for item in range(matrix.primary))
