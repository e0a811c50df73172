"""The search for the cheapest solutions by prices of items.

If solutions cost at most so much, only options matter that cost little more than the prices of their items. These are
few, and a search among them is short. So it is repeated for higher and higher limits, until enough solutions are found.
A search that takes long is divided: what is left below each child of its root has prices of its own.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from dataclasses import replace
from math import gcd
from typing import NamedTuple

from exactcover.control.stop import Stop
from exactcover.engines.native import NativeEngine
from exactcover.engines.relaxation import Prices, find_prices
from exactcover.engines.trees import ROOT, Subtree
from exactcover.model.matrix import Matrix
from exactcover.steps.order import reorder
from exactcover.steps.restriction import restrict
from exactcover.steps.step import find_kept

__all__ = ["PriceSearch"]

_SLICE = 1 << 10  # units of work between two looks at the number of nodes, at most
_WORK_PER_ENTRY = 4  # of finding prices, where a node is 1
_NEARLY_ALL = 0.99  # of an option
_FINENESS = 2000  # the first limits are apart by this part of the cost


class _Node(NamedTuple):
    """A subproblem: the part of a matrix that a node of its search leaves.

    Attributes
    ----------
    matrix, positions
        The matrix, and what its options are in the problem.
    subtree
        Which of its options are chosen and excluded.
    chosen
        The options of the problem that were chosen before.
    """

    matrix: Matrix
    positions: Sequence[int]
    subtree: Subtree = ROOT
    chosen: tuple[int, ...] = ()

    def enter(self) -> _Node | None:
        """Return what is left, as a matrix of its own; None if the options that are chosen exclude each other."""
        if self.subtree == ROOT:
            return self
        left = restrict(self.matrix, self.subtree.chosen, self.subtree.excluded)
        if left.reason is not None:
            return None
        positions = [self.positions[k] for k in find_kept(left.lift, len(left.matrix))]
        return _Node(left.matrix, positions, ROOT, (*self.chosen, *(self.positions[k] for k in self.subtree.chosen)))


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
        After how many nodes a search is divided.
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
        Whether any search was divided.
    """

    def __init__(
        self, matrix: Matrix, wanted: int, stop: Stop, most_nodes: int = 1 << 15, ceiling: int | None = None
    ) -> None:
        self._matrix, self._wanted, self._stop, self._most_nodes = matrix, wanted, stop, most_nodes
        self._native = NativeEngine()
        self._unit = gcd(*matrix.costs) or 1
        self._whole = _Node(matrix, range(len(matrix)))
        self._most = min(sum(matrix.costs), _most_options(matrix) * max(matrix.costs))  # what any solution may cost
        if ceiling is not None:
            self._most = min(self._most, ceiling - 1)
        self._best: list[tuple[int, int, tuple[int, ...]]] = []  # cost, number in the order of finding, solution
        self._seen = set[tuple[int, ...]]()
        self.nodes = self.work = self.prices = 0
        self.is_divided = False
        self._root: Prices | None = None
        self._root = self._find_prices(matrix, self._most)
        self.bound = -(-max(0, self._root.paid) // (self._root.scale * self._unit)) * self._unit
        self._limit, self._step = self.bound if ceiling is None else self._most, 0
        self._stack = [self._whole]

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
        """Visit a subproblem; return whether there is more to do.

        Raises
        ------
        Stopped
            If the stop asks for it.
        """
        self._stop.poll()
        if self._ceiling(self._most) < self.bound:
            return False
        if not self._stack:
            self.bound = self._limit + self._unit
            if self._limit >= self._ceiling(self._most):
                return False
            self._raise_limit()
        node = self._stack.pop().enter()
        if node is not None:
            was_divided = self.is_divided
            self._stack += reversed(self._visit(node))
            if self.is_divided and not was_divided:  # it will take long
                self._dive()
        return True

    def _raise_limit(self) -> None:
        """Begin again with a higher limit."""
        self._step = 2 * self._step or max(self._unit, self._limit // _FINENESS // self._unit * self._unit)
        self._limit += self._step
        self._stack = [self._whole]

    def _ceiling(self, limit: int) -> int:
        """Return what solutions may cost that are still looked for."""
        return min(limit, self._best[-1][0] - self._unit) if len(self._best) == self._wanted else limit

    def _cost_of(self, options: Sequence[int]) -> int:
        return sum(self._matrix.costs[option] for option in options)

    def _find_prices(self, matrix: Matrix, most: int) -> Prices:
        """Return prices; those of the whole are found once."""
        if matrix is self._matrix and self._root is not None:
            return self._root
        self.prices += 1
        self.work += _WORK_PER_ENTRY * len(matrix.entries)
        return find_prices(matrix, self._stop, most)

    def _visit(self, node: _Node) -> list[_Node]:
        """Search a subproblem; return its children if that takes long."""
        matrix, left = node.matrix, self._ceiling(self._limit) - self._cost_of(node.chosen)
        if left < 0 or matrix.first_underfilled() is not None:
            return []
        if not matrix.primary:
            self.note(node.chosen)
            return []
        return self._search(node, self._find_prices(matrix, left), left)

    def _search(self, node: _Node, found: Prices, left: int) -> list[_Node]:
        """Search for solutions of a subproblem that cost at most `left`; return its children if that takes long."""
        ceiling = left * found.scale - found.paid
        order, rest = self._sort(found, node.matrix, ceiling)
        cheap = reorder(node.matrix, order, range(node.matrix.items)).matrix
        if ceiling < 0 or cheap.first_underfilled() is not None:
            return []
        search = self._native.subtrees(replace(cheap, costs=rest), self._stop)
        search.begin(ROOT, self._wanted, ceiling + 1)
        more = True
        while more and search.nodes < self._most_nodes:
            self._stop.poll()
            more = search.work(min(_SLICE, self._most_nodes), listing=True)
        self.nodes += search.nodes
        self.work += search.nodes
        positions = [node.positions[option] for option in order]
        for solution in search.take():
            self.note([*node.chosen, *(positions[k] for k in solution)])
        if not more:
            return []
        self.is_divided = True
        return [_Node(cheap, positions, child, node.chosen) for child in search.children(ROOT)]

    def _dive(self) -> None:
        """Look for a better solution: choose what the relaxation contains most of, again and again."""
        node: _Node | None = self._whole
        known = len(self._seen)
        while node is not None and len(self._seen) == known:
            self._stop.poll()
            if not node.matrix.primary:
                self.note(node.chosen)
                node = None  # it may be known already
            elif len(node.matrix) and node.matrix.first_underfilled() is None:
                found = self._find_prices(node.matrix, self._most)
                self._search(node, found, self._ceiling(self._most) - self._cost_of(node.chosen))
                shares = found.shares.tolist()
                most = tuple(k for k, share in enumerate(shares) if share > _NEARLY_ALL)
                node = node._replace(subtree=Subtree(most or (shares.index(max(shares)),))).enter()
            else:
                node = None

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
