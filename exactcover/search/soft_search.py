"""A search for the cheapest covers of a problem with soft items, which may stay open at a price."""

from __future__ import annotations

from exactcover.control.stop import Stop
from exactcover.engines.runs import EngineRun
from exactcover.model.costs import Cost
from exactcover.model.model import Model
from exactcover.search.launch import Launch
from exactcover.search.query import Query
from exactcover.search.search import Search
from exactcover.steps.soft import relax

__all__ = ["SoftSearch"]


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

    def _advance(self) -> tuple[int, ...] | None:
        solution = super()._advance()
        return None if solution is None else self.relaxation.hide(solution)

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
