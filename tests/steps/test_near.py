"""Covers near an earlier solution, against every choice of options."""

from __future__ import annotations

import random
from decimal import Decimal

import pytest

from exactcover import Label, Problem, ProblemError, Status
from exactcover.steps.soft import relax
from soft_problems import random_problem, try_all


def distance(one: set[Label], other: set[Label]) -> int:
    return len(one ^ other)


@pytest.mark.parametrize("start", range(0, 60, 20))
def test_fewest_changes_come_before_costs_and_after_what_stays_open(start: int) -> None:
    for number in range(start, start + 20):
        problem = random_problem(number)
        generator = random.Random(number)
        earlier = {label for label in problem.labels if generator.random() < 0.5}
        ranks = []
        for chosen in try_all(problem):
            ranks.append((problem.price(chosen), distance(earlier, set(chosen)), problem.cost(chosen)))
        search = problem.cheapest(2, near=earlier)
        found = [(problem.price(one), distance(earlier, set(one)), problem.cost(one)) for one in search]
        assert found == sorted(ranks)[:2]
        price = Decimal(generator.randint(0, 30)) / 10
        totals = sorted(cost + price * changes + opened for opened, changes, cost in ranks)
        search = problem.cheapest(2, near=earlier, change=price)
        found_totals = [problem.cost(one) + price * distance(earlier, set(one)) + problem.price(one) for one in search]
        assert found_totals == totals[:2]


def test_a_best_effort_leaves_least_open_before_it_changes_least() -> None:
    problem = Problem({"A": [1, 2], "B": [2, 3], "C": [3], "D": [1], "E": [1, 2, 3]}, costs={"C": 1})
    best = problem.best_effort()
    assert next(best.cheapest(near=["A", "C"])) == ("A", "C")
    assert next(best.cheapest(near=["A", "C"], without=["C"])) in [("B", "D"), ("E",)]
    assert next(best.cheapest(near=["A", "C"], without=["C", "D", "E"])) == ("A",)


def test_changes_are_told_in_the_order_of_the_problem() -> None:
    problem = Problem({"A": [1], "B": [2], "C": [1, 2], "D": [2]})
    assert problem.changes(["B", "A"], ["D", "A"]) == (("B",), ("D",))
    assert problem.changes(["gone", "A"], ["C"]) == (("A", "gone"), ("C",))
    assert next(problem.cheapest(near=["gone", "D"])) == ("A", "D")
    with pytest.raises(ProblemError, match="no option is labeled 'a'; did you mean"):
        problem.cheapest(near=["a"])
    with pytest.raises(ProblemError, match="near: expected a list of labels"):
        problem.cheapest(near="A")
    with pytest.raises(ProblemError, match="the change has the cost -1"):
        problem.cheapest(near=["A"], change=-1)
    with pytest.raises(ValueError, match="needs near"):
        problem.cheapest(change=1)


def test_nearest_solutions_are_proved_with_givens_and_exclusions() -> None:
    problem = Problem({(row, column): [f"r{row}", f"c{column}"] for row in range(5) for column in range(5)})
    earlier = [(row, row) for row in range(5)]
    search = problem.cheapest(1, near=earlier, without=[(0, 0)])
    (found,) = search
    assert search.status is Status.OPTIMAL
    assert len(problem.changes(earlier, found).dropped) == 2
    search = problem.cheapest(1, near=earlier, given=[(0, 1), (1, 2)])
    assert len(problem.changes(earlier, next(search)).dropped) == 3


def test_slack_completes_a_solution_near_another_one() -> None:
    problem = Problem({"A": [1], "B": [2], "C": [1, 2]}, secondary=["s"]).near(["A", "B"])
    relaxation = relax(problem)
    for solution in relaxation.model.solve():
        positions = relaxation.model.positions_of(solution)
        assert sorted(relaxation.complete(relaxation.hide(positions))) == sorted(positions)
