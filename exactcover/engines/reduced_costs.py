"""Searches among options by their reduced costs: their costs, less the prices of their items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from exactcover.control.stop import Stop
from exactcover.engines.cursor import ROOT
from exactcover.engines.native import NativeEngine
from exactcover.engines.relaxation import DualPrices, find_prices
from exactcover.model.costs import most_options
from exactcover.model.matrix import Matrix
from exactcover.steps.step import reorder

__all__ = ["WORK_PER_ENTRY", "PartSearch", "SearchContext", "sort_by_reduced_cost"]

WORK_PER_ENTRY = 16
"""Of finding prices, where a node is 1."""

_SLICE = 1 << 9  # units of work between two polls of the stop


@dataclass(frozen=True)
class SearchContext:
    """The context of searches for the cheapest solutions that take turns.

    Attributes
    ----------
    unit
        A number that divides all costs.
    get_ceiling
        Returns the highest cost of solutions that still matter.
    note
        Called with each solution that is found.
    wanted
        The number of solutions that are wanted.
    stop
        Polled often.
    """

    unit: int
    get_ceiling: Callable[[], int]
    note: Callable[[Sequence[int]], None]
    wanted: int
    stop: Stop


class PartSearch:
    """Finds prices of parts of a problem and searches these, and counts what is done.

    Attributes
    ----------
    nodes, work, solved
        The number of nodes that were visited, the work done, and the number of times that prices were found.
    """

    def __init__(self, context: SearchContext) -> None:
        self._context = context
        self.nodes = self.work = self.solved = 0

    def _find_prices(self, matrix: Matrix, left: int) -> DualPrices:
        self.solved += 1
        self.work += WORK_PER_ENTRY * len(matrix.entries)
        return find_prices(matrix, self._context.stop, left)

    def _search_among(
        self,
        matrix: Matrix,
        order: Sequence[int],
        costs: Sequence[int],
        ceiling: int,
        nodes: int,
        note: Callable[[Sequence[int]], None],
    ) -> bool:
        """Search for the solutions of least reduced cost among some options; return whether there is no more to do.

        Parameters
        ----------
        matrix
            The matrix.
        order
            The options, in the order in which to try them, which ascends by reduced cost.
        costs
            The reduced cost of each of them.
        ceiling
            The largest reduced cost of a solution: that of all its options together.
        nodes
            The number of nodes after which the search ends, about.
        note
            Called with each solution.
        """
        some = reorder(matrix, order, range(matrix.items)).matrix
        if some.first_underfilled() is not None:
            return True
        cursor = NativeEngine().cursor(replace(some, costs=costs), self._context.stop)
        cursor.begin(ROOT, self._context.wanted, ceiling + 1)
        more = True
        while more and cursor.nodes < nodes:
            self._context.stop.poll()
            more = cursor.search(min(_SLICE, nodes))
        self.nodes += cursor.nodes
        self.work += cursor.nodes
        for solution in cursor.take():
            note([order[k] for k in solution])
        return not more


def sort_by_reduced_cost(matrix: Matrix, found: DualPrices, ceiling: int, unit: int) -> tuple[list[int], list[int]]:
    """Return the options that solutions can contain, in the order in which to try them, and the reduced cost of each.

    Reduced costs are rounded down, by so little that they still tell solutions of different costs apart. Ties, of which
    there are many then, go to the options of which the solution of the relaxation contains most.

    Parameters
    ----------
    matrix
        The matrix.
    found
        The prices of its items.
    ceiling
        The largest reduced cost of a solution: that of all its options together.
    unit
        A number that divides all costs.
    """
    grain = max(1, unit * found.scale // (4 * max(1, most_options(matrix, {}))))
    costs = (found.reduced_costs // grain * grain).tolist()
    shares = found.shares.tolist()
    order = [option for option in range(len(matrix)) if costs[option] <= ceiling]
    order.sort(key=lambda option: (costs[option], -shares[option]))
    return order, [costs[option] for option in order]
