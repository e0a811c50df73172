"""Covers near an earlier solution, against every choice of options."""

import random
from collections.abc import Iterable
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from commands import invoke
from exactcover import Label, Problem, ProblemError, Status
from exactcover.problem import Cost
from exactcover.steps.soft import relax
from oracles import try_all
from problems import Staffing
from soft_problems import PRICING, draw_labels, random_problem


def distance(one: set[Label], other: set[Label]) -> int:
    return len(one ^ other)


def check_fewest_changes(problem: Problem, earlier: set[Label], engine: str = "auto") -> list[tuple[Cost, int, Cost]]:
    """Check the two covers with the fewest changes; return what every choice leaves open, changes and costs."""

    def rank(chosen: Iterable[Label]) -> tuple[Cost, int, Cost]:
        return problem.price(chosen), distance(earlier, set(chosen)), problem.cost(chosen)

    ranks = [rank(chosen) for chosen in try_all(problem)]
    assert [rank(one) for one in problem.cheapest(2, near=earlier, engine=engine)] == sorted(ranks)[:2]
    return ranks


@pytest.mark.parametrize("name", PRICING)
def test_fewest_changes_come_before_costs_and_after_what_stays_open(name: str) -> None:
    for number in range(120 if name == "auto" else 20):
        problem = random_problem(number)
        generator = random.Random(number)
        earlier = {*draw_labels(generator, problem.labels)}
        ranks = check_fewest_changes(problem, earlier, name)
        price = Decimal(generator.randint(0, 30)) / 10
        totals = sorted(cost + price * changes + opened for opened, changes, cost in ranks)
        search = problem.cheapest(2, near=earlier, change=price, engine=name)
        found_totals = [problem.cost(one) + price * distance(earlier, set(one)) + problem.price(one) for one in search]
        assert found_totals == totals[:2]


def test_what_stays_open_comes_before_changes_at_a_price() -> None:
    for number in range(30):
        plain = random_problem(number).with_prices({})
        generator = random.Random(number)
        earlier = draw_labels(generator, plain.labels)
        loose = plain.soften(dict.fromkeys(plain.primary, 1))

        def rank(one: Iterable[Label], loose: Problem = loose, earlier: list[Label] = earlier) -> tuple[Cost, Cost]:
            return loose.price(one), loose.cost(one) + 50 * distance(set(earlier), set(one))

        best = min(map(rank, try_all(loose)))
        efforts = plain.best_effort().near(earlier, 50), plain.near(earlier, 50).best_effort()
        assert [rank(next(effort.cheapest())) for effort in efforts] == [best, best]


def test_a_best_effort_outweighs_what_is_softened_later() -> None:
    problem = Problem({"A": [1], "B": [1], "C": [1, 2]}, costs={"A": 9, "B": 9, "C": 70}).best_effort()
    for softened in (problem.soften({1: (None, 60)}), problem.derive(problem.options.items(), soft={1: (None, 60)})):
        assert next(softened.cheapest(given=["A", "B"])) == ("A", "B", "C")
        assert softened.is_best_effort
    with pytest.raises(ProblemError, match="ranks changes before costs already"):
        problem.near(["A"]).soften({2: 1})


def test_plans_of_a_staff_with_unfair_shares_change_least() -> None:
    people = ("who,week,free", "Ann,,1 2 3", "Bob,,", "Cid,1,")
    staffing = Staffing(people, ("shift,needs", "day,1"), days=3, fair={"day": 0}, wish=9)
    problem = staffing.problem()
    for first, second in pairwise(problem.labels):
        check_fewest_changes(problem, {first, second})


CROWDED = """who,cost,~~0|a,b1,b2,?s,?t
D1,10,x,,,x,
D2,10,x,,,,x
N1,10,,x,,,
N2,10,,,x,,
Z,0,x,x,x,x,x
"""


def test_nothing_is_outweighed_by_soft_items_that_are_covered_too_often(tmp_path: Path) -> None:
    file = tmp_path / "crowded.csv"
    file.write_text(CROWDED)
    done = invoke("solve", str(file), "--keep", "D1", "--keep", "D2", "--cheapest", "1")
    assert done.stdout.splitlines()[1:] == ["added: N1, N2", "D1, D2, N1, N2 (cost 40)"]


def test_changes_are_told_in_the_order_of_the_problem() -> None:
    problem = Problem({"A": [1], "B": [2], "C": [1, 2], "D": [2]})
    assert problem.changes(["B", "A"], ["D", "A"]) == (("B",), ("D",))
    assert problem.changes(["gone", "A"], ["C"]) == (("A", "gone"), ("C",))
    assert next(problem.cheapest(near=["gone", "D"])) == ("A", "D")
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"near": ["a"]}, "no option is labeled 'a'; did you mean"),
        ({"near": "A"}, "near: expected a list of labels"),
        ({"near": ["A"], "change": -1}, "the change has the cost -1"),
        ({"change": 1}, "needs near"),
    ]
    for arguments, message in wrong:
        with pytest.raises(ValueError, match=message):
            problem.cheapest(**arguments)


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


def test_what_is_derived_from_a_replan_ranks_changes_too() -> None:
    near = Problem({"A": [1], "B": [2], "C": [1, 2]}, costs={"C": 1}).near(["A", "B"])
    for derived in (near.residual([]), near.merged()):
        assert derived.is_ranked
        with pytest.raises(ProblemError):
            derived.soften({1: 3})
