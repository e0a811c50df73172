"""A search by prices up to a limit, which is divided where it takes long: children have prices of their own.

If solutions cost at most so much, only options matter that cost little more than the prices of their items. These are
few, and a search among them is short. So it is repeated for higher and higher limits, until enough solutions are found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from exactcover.engines.native import NativeEngine
from exactcover.engines.relaxation import Prices, find_prices
from exactcover.engines.rest_search import Aim, search_among, sort_by_rest
from exactcover.engines.trees import ROOT, Subtree
from exactcover.model.matrix import Matrix
from exactcover.steps.order import reorder
from exactcover.steps.restriction import restrict
from exactcover.steps.step import find_kept

__all__ = ["Division", "Part"]

WORK_PER_ENTRY = 16
"""Of finding prices, where a node is 1."""

_FINENESS = 2000  # the first limits are apart by this part of the cost


class Part(NamedTuple):
    """What is left of a problem when options are chosen.

    Attributes
    ----------
    matrix, positions
        The matrix, and what its options are in the problem.
    subtree
        Which of its options are still to be chosen and excluded.
    chosen
        The options of the problem that were chosen before.
    """

    matrix: Matrix
    positions: Sequence[int]
    subtree: Subtree = ROOT
    chosen: tuple[int, ...] = ()

    def enter(self) -> Part | None:
        """Return what is left, as a matrix of its own; None if the options that are chosen exclude each other."""
        if self.subtree == ROOT:
            return self
        left = restrict(self.matrix, self.subtree.chosen, self.subtree.excluded)
        if left.reason is not None:
            return None
        positions = [self.positions[k] for k in find_kept(left.lift, len(left.matrix))]
        return Part(left.matrix, positions, ROOT, (*self.chosen, *(self.positions[k] for k in self.subtree.chosen)))


class Division:
    """A search for solutions up to a limit, which rises.

    Parameters
    ----------
    matrix
        The matrix.
    prices
        The prices of its items.
    aim
        What it is for.
    most_nodes
        After how many nodes a search is divided.
    limit
        The first limit; None for what all solutions cost at least.

    Attributes
    ----------
    nodes, work, solved
        How many nodes searches have visited, how much was done, and how often prices were found.
    bound
        What all solutions cost at least that were not found.
    is_divided
        Whether any search was divided.
    """

    def __init__(
        self,
        matrix: Matrix,
        prices: Prices,
        aim: Aim,
        most_nodes: int,
        *,
        limit: int | None,
    ) -> None:
        self._matrix, self._prices, self._aim, self._most_nodes = matrix, prices, aim, most_nodes
        self._whole = Part(matrix, range(len(matrix)))
        self._stack = [self._whole]
        self.nodes = self.work = self.solved = 0
        self.bound = -(-max(0, prices.paid) // (prices.scale * aim.unit)) * aim.unit
        self._limit, self._step = self.bound if limit is None else limit, 0
        self.is_divided = False

    def advance(self) -> bool:
        """Search a part; return whether there is more to do.

        Raises
        ------
        Stopped
            If the stop asks for it.
        """
        self._aim.stop.poll()
        if self._aim.get_ceiling() < self.bound:
            return False
        part = self._stack.pop().enter()
        if part is not None:
            self._stack += reversed(self._search(part))
        if not self._stack:
            self.bound = self._limit + self._aim.unit
            if self._limit >= self._aim.get_ceiling():
                return False
            unit = self._aim.unit
            self._step = 2 * self._step or max(unit, self._limit // _FINENESS // unit * unit)
            self._limit += self._step
            self._stack = [self._whole]
        return True

    def _search(self, part: Part) -> list[Part]:
        """Search a part; return its children if that takes long."""
        matrix = part.matrix
        left = min(self._limit, self._aim.get_ceiling()) - sum(self._matrix.costs[option] for option in part.chosen)
        if left < 0 or matrix.first_underfilled() is not None:
            return []
        if not matrix.primary:
            self._aim.note(part.chosen)
            return []
        prices = self._find_prices(matrix, left)
        ceiling = left * prices.scale - prices.paid
        if ceiling < 0:
            return []
        order, rest = sort_by_rest(matrix, prices, ceiling, self._aim.unit)
        found = search_among(matrix, order, rest, ceiling, self._aim.wanted, self._most_nodes, self._aim.stop)
        self.nodes += found.nodes
        self.work += found.nodes
        for solution in found.solutions:
            self._aim.note([*part.chosen, *(part.positions[option] for option in solution)])
        if found.is_complete:
            return []
        self.is_divided = True
        cheap = reorder(matrix, order, range(matrix.items)).matrix
        positions = [part.positions[option] for option in order]
        children = NativeEngine().subtrees(replace(cheap, costs=rest), self._aim.stop).children(ROOT)
        return [Part(cheap, positions, child, part.chosen) for child in children]

    def _find_prices(self, matrix: Matrix, left: int) -> Prices:
        """Return prices of a part; those of the whole are known."""
        if matrix is self._matrix:
            return self._prices
        self.solved += 1
        self.work += WORK_PER_ENTRY * len(matrix.entries)
        return find_prices(matrix, self._aim.stop, left)
