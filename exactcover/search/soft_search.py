"""A search for the cheapest covers of a problem with soft items, which may stay open at a price."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from exactcover.control.options import Goal
from exactcover.control.statistics import Status
from exactcover.control.stop import InnerStop, Stop, Stopped
from exactcover.engines.runs import EngineRun
from exactcover.model.costs import Cost
from exactcover.model.model import Model
from exactcover.model.soft import Prices
from exactcover.search.launch import Launch
from exactcover.search.near_cheapest import Known
from exactcover.search.query import Query
from exactcover.search.search import Search
from exactcover.steps.soft import relax

__all__ = ["SoftSearch"]

MOST_NODES = 1 << 17  # of each search for a solution that is known before


class SoftSearch(Search):
    """A search of the plain problem in which soft items have slack; it delivers solutions without their slack."""

    def __init__(self, problem: Model, query: Query, stop: Stop) -> None:
        goal = query.goal
        if problem.is_ranked and (goal.gap is not None or goal.within is not None):
            raise ValueError(
                "gap and within are about costs, but these solutions are ranked by what comes before costs"
            )
        self.relaxation = relax(problem)
        super().__init__(problem, query, stop, Launch(self.relaxation.model, query, stop))
        is_plain = goal.cheapest == 1 and goal.gap is None and goal.within is None and query.differing is None
        is_free = query.options.engine == "auto" and not query.demands
        can_gain = not problem.is_ranked or any(over is not None for _, over in problem.soft_prices.values())
        self._looks_first = is_plain and is_free and can_gain

    def _advance(self) -> tuple[int, ...] | None:
        if self._looks_first:
            self._looks_first = False
            self._launch.query = replace(self._query, known=self._find_known())
        solution = super()._advance()
        return None if solution is None else self.relaxation.hide(solution)

    def _find_known(self) -> Known | None:
        """Return a cheap solution that is found with little work, or None.

        With prices of deviations, many problems have so many solutions that the search for the cheapest finds none for
        long. Without deviations, one is found soon, and it often is the cheapest of all. Otherwise any one will do.
        """
        nodes = 0
        for model, query in self._list_stricter():
            if self._stop.status is not None:
                return None
            stop = _NodesStop(self._stop)
            stop.launch = launch = Launch(model, query, stop)
            found = next(Search(model, query, stop, launch).positions(), None)
            nodes += 0 if launch.run is None else launch.run.nodes
            if found is not None:
                return Known(self.relaxation.complete(self.relaxation.hide(found)), nodes)
        return None

    def _list_stricter(self) -> Iterator[tuple[Model, Query]]:
        """Yield plain problems with fewer or no deviations, and what to ask; all begin with the same options."""
        problem, query = self._problem, self._query
        if problem.is_ranked:
            rarely = {
                item: Prices(under, None) for item, (under, _) in problem.soft_prices.items() if under is not None
            }
            yield relax(problem.with_prices(rarely)).model, query
            return
        strict, first = problem.with_prices({}), replace(query, goal=Goal("first", 1))
        costly = tuple(option for option, cost in enumerate(strict.matrix.costs) if cost)
        yield strict, replace(first, without=(*first.without, *costly))
        yield strict, query
        yield strict, first
        yield self.relaxation.model, first

    @property
    def is_best_effort(self) -> bool:
        """Whether any item may stay open, and the covers that leave least open are looked for."""
        return self._problem.is_best_effort

    @property
    def advantage(self) -> str:
        """What makes a solution better than another one, in a search for the cheapest: a verb with its object."""
        if self.is_best_effort:
            return "leaves less open"
        return "changes less" if self._problem.is_ranked else "is cheaper"

    def _note_cost(self, cost: Cost) -> None:
        if not self._problem.is_ranked:
            super()._note_cost(cost)

    def _find_costs(self, run: EngineRun) -> tuple[Cost | None, Cost | None]:
        """As for any search, with the prices of what stays open; None if costs and prices only rank solutions."""
        return (None, None) if self._problem.is_ranked else super()._find_costs(run)


class _NodesStop(InnerStop):
    """A stop that also asks to stop when the run of a launch has visited many nodes."""

    launch: Launch | None = None

    def poll(self) -> None:
        super().poll()
        run = None if self.launch is None else self.launch.run
        if run is not None and run.nodes > MOST_NODES:
            raise Stopped(Status.NODES)
