"""Dives: ways down a search tree along solutions of the relaxation, in order to find a solution that costs little.

A dive chooses what the relaxation contains most of. What is left has prices of its own, and is searched for a while,
until a solution is found or nothing is left that matters.
"""

from __future__ import annotations

from collections.abc import Sequence

from exactcover.engines.division import WORK_PER_ENTRY
from exactcover.engines.relaxation import find_prices
from exactcover.engines.rest_search import Aim, search_among, sort_by_rest
from exactcover.model.matrix import Matrix
from exactcover.steps.restriction import restrict
from exactcover.steps.step import find_kept

__all__ = ["Dive"]

_NEARLY_ALL = 0.99  # of an option


class Dive:
    """A dive.

    Parameters
    ----------
    matrix
        Where it begins.
    aim
        What it is for.
    most_nodes
        How long each level is searched.

    Attributes
    ----------
    nodes, work, solved
        How many nodes searches have visited, how much was done, and how often the relaxation was solved.
    """

    def __init__(
        self,
        matrix: Matrix,
        aim: Aim,
        most_nodes: int,
    ) -> None:
        self._matrix, self._aim, self._most_nodes = matrix, aim, most_nodes
        self._positions: Sequence[int] = range(len(matrix))
        self._chosen: tuple[int, ...] = ()
        self._spent = 0
        self.nodes = self.work = self.solved = 0

    def advance(self) -> bool:
        """Go down one level; return whether there is a level below it.

        Raises
        ------
        Stopped
            If the stop asks for it.
        """
        self._aim.stop.poll()
        matrix, most = self._matrix, self._aim.get_ceiling() - self._spent
        if most < 0 or matrix.first_underfilled() is not None:
            return False
        if not matrix.primary or not len(matrix):
            self._aim.note(self._chosen)
            return False
        prices = find_prices(matrix, self._aim.stop, max(1, most))
        self.solved += 1
        self.work += WORK_PER_ENTRY * len(matrix.entries)
        ceiling = most * prices.scale - prices.paid
        order, rest = sort_by_rest(matrix, prices, ceiling, self._aim.unit) if ceiling >= 0 else ([], [])
        found = search_among(matrix, order, rest, ceiling, self._aim.wanted, self._most_nodes, self._aim.stop)
        self.nodes += found.nodes
        self.work += found.nodes
        for solution in found.solutions:
            self._aim.note((*self._chosen, *(self._positions[option] for option in solution)))
        if found.is_complete or found.solutions:
            return False
        shares = prices.shares.tolist()
        self._choose(
            [option for option, share in enumerate(shares) if share > _NEARLY_ALL] or [shares.index(max(shares))]
        )
        return bool(len(self._matrix))

    def _choose(self, options: Sequence[int]) -> None:
        """Choose options as long as they do not exclude each other, and leave what can be chosen besides them."""
        left = restrict(self._matrix, options, ())
        while left.reason is not None:
            options = options[:-1]
            left = restrict(self._matrix, options, ())
        self._chosen += tuple(self._positions[option] for option in options)
        self._spent += left.paid
        self._positions = [self._positions[option] for option in find_kept(left.lift, len(left.matrix))]
        self._matrix = left.matrix
