"""A search for the cheapest covers of a problem with soft items, negative costs, or costs to maximize."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactcover.control.options import check_features
from exactcover.control.stop import Stop
from exactcover.engines.base import ENGINES
from exactcover.engines.cursor import EngineRun
from exactcover.model.costs import Cost
from exactcover.model.matrix import Matrix
from exactcover.model.model import Model
from exactcover.search.query import Query
from exactcover.search.search import Search
from exactcover.steps.soft import Kept, charge_omissions, negate_costs, relax, relax_for_one
from exactcover.steps.step import find_taxes, restrict


class SoftSearch(Search):
    """A search of a plain problem with slack and without negative costs; it delivers solutions without their slack."""

    def __init__(self, problem: Model, query: Query, stop: Stop) -> None:
        goal = query.goal
        is_near = any(isinstance(item, Kept) for item in problem.primary)
        check_features({"most": goal.maximize, "keep": is_near})  # changes are costs
        if problem.is_ranked and (goal.gap is not None or goal.within is not None):
            raise ValueError(
                "gap and within are about costs, but these solutions are ranked by what comes before costs"
            )
        makes_compact = problem.matrix.weighted and goal.cheapest == 1 and goal.within is None
        make_plain = relax_for_one if makes_compact else relax
        self.relaxation = charge_omissions(make_plain(negate_costs(problem) if goal.maximize else problem))
        super().__init__(problem, query, stop, self.relaxation.model, self.relaxation.paid)

    def _advance(self) -> tuple[int, ...] | None:
        solution = super()._advance()
        return None if solution is None else self.relaxation.hide(solution)

    @property
    def is_best_effort(self) -> bool:
        """True if any item may stay open, and the covers that leave least open are looked for."""
        return self._problem.is_best_effort

    @property
    def advantage(self) -> str:
        """The advantage of a better solution, in a search for the cheapest: a verb with its object."""
        if self.is_best_effort:
            return "leaves less open"
        if self._problem.is_ranked:
            return "changes less"
        return f"{super().advantage}{', less prices' * (self.maximizes and bool(self._problem.soft_prices))}"

    def _note_cost(self, cost: Cost) -> None:
        if not self._problem.is_ranked:
            super()._note_cost(cost)

    def _find_costs(self, run: EngineRun) -> tuple[Cost | None, Cost | None]:
        """Return the costs with the prices of what stays open; None if costs and prices only rank solutions."""
        return (None, None) if self._problem.is_ranked else super()._find_costs(run)


@dataclass(frozen=True)
class PriceList:
    """Valid prices: no option that is left costs less than the prices of its items."""

    prices: tuple[Fraction, ...]  # of each item of the matrix, in units; 0 for what no solution has to pay for
    bound: int  # on the cost of every solution, in units


def find_price_list(matrix: Matrix, given: Sequence[int], without: Sequence[int], stop: Stop) -> PriceList | None:
    """Return prices of items, the best known ones if HiGHS is installed; None if the givens contradict each other."""
    left = restrict(matrix, given, without)
    if left.reason is not None:
        return None
    scale, prices = _find_prices(left.matrix, stop)
    paid = sum(price * left.matrix.bounds(item)[0] for item, price in enumerate(prices) if price)
    listed = [Fraction(0)] * matrix.items
    for item, price in enumerate(prices):
        listed[left.matrix.origin(item)] = Fraction(price, scale)
    return PriceList(tuple(listed), left.paid + max(0, -(-paid // scale)))


def _find_prices(matrix: Matrix, stop: Stop) -> tuple[int, list[int]]:
    """Return how many parts a unit of cost has, and the price of each item in such parts."""
    bounds = ENGINES.get("bounds")
    if bounds is None or bounds.find_obstacle(matrix) is not None or not any(matrix.costs) or not matrix.primary:
        return 1, find_taxes(matrix)
    from exactcover.engines.relaxation import find_prices  # slow to import, like what it uses

    try:
        found = find_prices(matrix, stop, sum(matrix.costs))
    except (MemoryError, ImportError):  # of HiGHS
        return 1, find_taxes(matrix)
    return found.scale, found.prices.tolist()
