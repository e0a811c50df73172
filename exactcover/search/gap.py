"""A stop that ends a search for the cheapest solution as soon as its solution is known to be nearly the cheapest."""

from __future__ import annotations

from collections.abc import Callable

from exactcover.control.margin import Margin
from exactcover.control.statistics import Status
from exactcover.control.stop import InnerStop, Stop, Stopped
from exactcover.engines.runs import EngineRun

__all__ = ["GapStop"]


class GapStop(InnerStop):
    """A stop that asks to stop when no solution can be cheaper than the best one by more than a margin.

    Parameters
    ----------
    outer
        The stop of the search.
    margin
        The margin; a share is one of the cost of the best solution.
    get_run
        Returns the run, or None if it is not made yet.
    paid, units
        By how many units each solution costs more than the run says, and how many units make a cost of 1.
    """

    def __init__(
        self, outer: Stop, margin: Margin, get_run: Callable[[], EngineRun | None], paid: int, units: int
    ) -> None:
        super().__init__(outer)
        self._margin, self._get_run, self._paid, self._units = margin, get_run, paid, units

    def poll(self) -> None:
        super().poll()
        run = self._get_run()
        if run is None or run.best is None or run.bound is None:
            return
        if run.best <= run.bound:
            raise Stopped(Status.OPTIMAL)
        if run.best - run.bound <= self._margin.find_units(self._paid + run.best, self._units):
            raise Stopped(Status.GAP)
