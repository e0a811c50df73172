"""Dual prices of items, and the costs at which options would be taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from exactcover.algorithm_x import Item, Label
from exactcover.control.arguments import check_arguments
from exactcover.control.stop import Stop, make_stop
from exactcover.errors import StoppedError
from exactcover.model.costs import Cost, cost_of_units
from exactcover.problem import Problem
from exactcover.search.soft_search import find_price_list

_PLACES = 6  # of a price of an item


@dataclass(frozen=True)
class PriceTag:
    """The cost of an option, and the highest cost at which it is in a cheapest solution, if nothing else changes.

    The latter is its own cost if it is in a cheapest solution, and a negative number if even a cost of 0 is too high.
    """

    cost: Cost
    least_with: Cost | None  # the cost of the cheapest solution with it; None if there is none
    must_cost: Cost | None  # None if no solution contains it


@dataclass(frozen=True)
class Pricing:
    """The dual prices of a problem's items, and the price tags of the options that were asked for.

    Dual prices are rounded to six decimal places. No option costs less than its items, and what every solution pays for
    its items is the bound, so the cost of an item that is hard to cover is high.
    """

    least: Cost | None  # the cost of the cheapest solution; None if there is no solution
    bound: Cost  # the lower bound on the cost of every solution that the prices prove
    prices: Mapping[Item, Decimal]
    tags: Mapping[Label, PriceTag]


@check_arguments
def find_pricing(
    problem: Problem, options: Iterable[Label] = (), *, engine: str = "auto", stop: Stop | None = None
) -> Pricing:
    """Return prices of items, and for each of some options, what it would have to cost to be taken.

    For each option, the cheapest solution with it is found. Raise ``ProblemError`` if a label is unknown, or a cost is
    negative, and ``StoppedError`` if it was stopped before the end.

    Examples
    --------
    >>> from exactcover import Problem
    >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2]}, costs={"A": 3, "B": 1, "C": 6})
    >>> pricing = find_pricing(problem, ["C"])
    >>> pricing.least, pricing.tags["C"]
    (4, PriceTag(cost=6, least_with=6, must_cost=4))
    """
    stop = make_stop(stop=stop)
    problem.refuse_negative_costs("a list of prices")
    wanted = [problem.labels[problem.position(label)] for label in options]
    units, matrix = problem.cost_units, problem.matrix
    least = _find_least(problem, (), engine, stop)
    listed = find_price_list(matrix, problem.given_positions, problem.excluded_positions, stop)
    prices = () if listed is None else listed.prices
    rounded = {item: _round(price / units) for item, price in zip(problem.items, prices, strict=False) if price}
    bound = cost_of_units(0 if listed is None else listed.bound, units)
    tags = {label: _make_tag(problem, label, least, engine, stop) for label in wanted}
    return Pricing(least, bound, rounded, tags)


def _round(price: Fraction) -> Decimal:
    return round(Decimal(price.numerator) / price.denominator, _PLACES).normalize()


def _make_tag(problem: Problem, label: Label, least: Cost | None, engine: str, stop: Stop) -> PriceTag:
    cost = problem.cost([label])
    with_it = None if least is None or label in problem.excluded else _find_least(problem, [label], engine, stop)
    return PriceTag(cost, with_it, None if with_it is None or least is None else cost - (with_it - least))


def _find_least(problem: Problem, given: Iterable[Label], engine: str, stop: Stop) -> Cost | None:
    """Return the cost of the cheapest solution with some options; None if there is none."""
    search = problem.cheapest(given=given, engine=engine, stop=stop)
    found = list(search)
    if search.status.stopped:
        raise StoppedError(search.status, len(found), search.statistics)
    return problem.cost(found[0]) if found else None
