"""Prices of items and options, against the cheapest solutions of problems with other costs."""

from decimal import Decimal

import pytest
from hypothesis import given

from exactcover import Problem, ProblemError, Stop, StoppedError
from exactcover.analysis.prices import find_pricing
from strategies import priced

PROBLEM = Problem({"A": [1], "B": [2], "C": [1, 2], "D": [3]}, costs={"A": 3, "B": 1, "C": Decimal("6.5"), "D": 2})


def least_of(problem: Problem) -> object:
    return min((problem.cost(solution) for solution in problem.solve(engine="sets")), default=None)


@given(problem=priced())
def test_prices_pay_for_no_more_than_options_cost(problem: Problem) -> None:
    pricing = find_pricing(problem)
    assert pricing.least == least_of(problem)
    assert pricing.least is None or pricing.bound <= pricing.least
    for label, items in problem.options.items():
        paid = sum(pricing.prices.get(getattr(item, "item", item), Decimal(0)) for item in items)
        assert paid <= problem.cost([label]) + Decimal("0.00001")


@given(problem=priced())
def test_an_option_that_costs_what_it_must_is_in_a_cheapest_solution(problem: Problem) -> None:
    for label in problem.labels[:2]:
        tag = find_pricing(problem, [label]).tags[label]
        assert (tag.must_cost is None) == (not any(label in one for one in problem.solve(engine="sets")))
        if tag.must_cost is None or tag.must_cost < 0:
            continue
        changed = problem.derive(problem.options.items(), costs={**problem.costs, label: tag.must_cost})
        least = least_of(changed)
        with_it = [one for one in changed.solve(engine="sets") if label in one]
        assert min(map(changed.cost, with_it)) == least == find_pricing(problem).least


def test_what_no_solution_contains_has_no_price() -> None:
    tags = find_pricing(PROBLEM.instance(["A"]), ["C", "B"]).tags
    assert (tags["C"].least_with, tags["C"].must_cost) == (None, None)
    assert tags["B"].must_cost == tags["B"].cost == 1
    assert find_pricing(Problem({"A": [1]}, primary=[1, 2], costs={"A": 1})).least is None
    with pytest.raises(ProblemError, match="nothing"):
        find_pricing(PROBLEM, ["nothing"])


def test_a_stop_is_no_price() -> None:
    with pytest.raises(StoppedError):
        find_pricing(PROBLEM, stop=Stop(timeout=0))
