"""Soft items, against the definition: every choice of options, with what it leaves open."""

import random
from decimal import Decimal
from typing import Any

import pytest
from ortools.sat.python import cp_model

from certified import assert_verdict, certify_least
from exactcover import Colored, Problem, ProblemError, Status
from oracles import try_all
from problems import Districts
from soft_problems import PRICING, random_problem


@pytest.mark.parametrize("number", range(120))
def test_covers_with_open_items_are_those_of_the_definition(number: int) -> None:
    problem = random_problem(number)
    expected = try_all(problem)
    relaxed, size = problem.relaxed(), len(problem.labels)
    found = [(frozenset(label for label in one if relaxed.position(label) < size), relaxed.cost(one))
             for one in relaxed.solve()]  # fmt: skip
    assert len(found) == relaxed.count() == len(expected)
    assert dict(found) == expected
    for chosen, total in expected.items():
        assert problem.cost(chosen) + problem.price(chosen) == total


@pytest.mark.parametrize("name", PRICING)
def test_cheapest_covers_are_those_of_the_definition(name: str) -> None:
    for number in range(120, 180 if name == "auto" else 145):
        problem = random_problem(number)
        expected = sorted(try_all(problem).values())
        search = problem.cheapest(3, engine=name)
        found = [problem.cost(solution) + problem.price(solution) for solution in search]
        assert found == expected[:3]
        assert search.status is (
            Status.OPTIMAL if len(expected) >= 3 else Status.COMPLETE if expected else Status.UNSATISFIABLE
        )
        if name == "auto" and min(problem.matrix.costs, default=0) >= 0:
            assert_verdict(certify_least(problem.relaxed(), 1), "the cheapest solution" if expected else "0 solutions")


def test_a_stopped_search_for_a_cheapest_cover_claims_nothing() -> None:
    problem = Problem({"A": [1], "B": [1, 2], "C": [2]}, costs={"A": 1, "C": 2}, soft={2: 1})
    stopped = problem.cheapest(timeout=0)
    assert list(stopped) == [] and stopped.status is Status.TIMEOUT


@pytest.mark.parametrize("name", PRICING)
def test_best_effort_leaves_least_open_and_then_costs_least(name: str) -> None:
    for number in range(40 if name == "auto" else 10):
        plain = random_problem(number).with_prices({})
        everything = plain.soften(dict.fromkeys(plain.primary, 1))
        ranks = [(everything.price(chosen), plain.cost(chosen)) for chosen in try_all(everything)]
        best = next(plain.best_effort().cheapest(engine=name))
        assert (everything.price(best), plain.cost(best)) == min(ranks)


def test_most_items_are_covered_as_cp_sat_says() -> None:
    generator = random.Random(36)
    for _ in range(12):
        items = range(30)
        options = {label: generator.sample(items, generator.randint(2, 5)) for label in range(60)}
        problem = Problem(options, primary=items)
        model = cp_model.CpModel()
        chosen = {label: model.new_bool_var(str(label)) for label in options}
        for item in items:
            model.add_at_most_one(chosen[label] for label, row in options.items() if item in row)
        model.maximize(sum(len(row) * chosen[label] for label, row in options.items()))
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        assert solver.solve(model) == cp_model.OPTIMAL
        search = problem.best_effort().cheapest()
        found = next(search)
        assert sum(len(options[label]) for label in found) == solver.objective_value
        assert not any(deviation > 0 for deviation in problem.deviations(found).values())


def test_a_proof_holds_if_options_with_the_most_items_are_too_dear() -> None:
    options: dict[int, list[Any]] = {0: ["p", "q"], 1: ["p", Colored("s", "a")], 2: ["q", "p", "s"], 3: ["p"]}
    costs = {0: 3, 1: 4, 2: 2, 3: 3}
    problem = Problem(options, primary=["p", "q"], secondary=["s"], multiplicity={"p": 3}, costs=costs)
    assert_verdict(certify_least(problem.best_effort().relaxed(), 1), "the cheapest solution")


def test_weights_say_what_counts_most() -> None:
    problem = Problem({"A": ["a", "b", "c"], "B": ["c", "d"]})
    assert next(problem.best_effort().cheapest()) == ("A",)
    assert next(problem.best_effort({"d": 3}).cheapest()) == ("B",)
    assert next(problem.best_effort({"d": Decimal("2.5"), "a": Decimal("0.1")}).cheapest()) == ("B",)


def test_givens_and_excluded_options_hold_in_a_best_effort() -> None:
    problem = Problem({"A": ["a", "b"], "B": ["b", "c", "d"], "C": ["a"]})
    assert next(problem.best_effort().cheapest(given=["A"])) == ("A",)
    assert list(problem.instance(without=["C"]).best_effort().cheapest()) == [("B",)]
    assert list(problem.best_effort().cheapest(given=["A", "B"])) == []


def test_a_stated_proof_does_not_hold_if_items_may_stay_open() -> None:
    problem = Problem({"A": [1]}, primary=[1, 2], impossible="two is missing")
    assert problem.find() is None
    assert next(problem.best_effort().cheapest()) == ("A",)


def test_derived_problems_keep_soft_items() -> None:
    problem = Problem({"A": [1], "B": [1], "C": [2], "D": [3]}, soft={2: 4, 3: (1, None)}, costs={"D": 5})
    assert problem.merged().soft == {2: (4, None), 3: (1, None)}
    assert problem.residual(["A"]).soft == {2: (4, None), 3: (1, None)}
    assert list(problem.residual(["C"]).soft) == [3]
    assert problem.fingerprint() != Problem(problem.options, costs={"D": 5}).fingerprint()
    with pytest.raises(ProblemError, match="cannot be merged"):
        problem.soften({1: (None, 1)}).merged()
    with pytest.raises(ProblemError, match="covered already"):
        problem.soften({1: (None, 1)}).residual(["A"])


@pytest.mark.parametrize(
    ("soft", "message"),
    [
        ({9: 1}, "soft names '9', which is not an item"),
        ({"s": 1}, "a secondary item"),
        ({1: -1}, "must not be negative"),
        ({1: (None, None)}, "expected a price, or two of them"),
        ({1: (1, 2, 3)}, "expected a price, or two of them"),
        ([1], "soft: expected a mapping"),
    ],
)
def test_wrong_soft_items_are_refused(soft: Any, message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        Problem({"A": [1, "s"]}, secondary=["s"], soft=soft)


def test_a_soft_item_of_great_multiplicity_is_refused() -> None:
    problem = Problem({"A": [1]}, multiplicity={1: 10**30}, soft={1: 1})
    with pytest.raises(ProblemError, match="at most 10,000 times are possible"):
        problem.cheapest()


def test_a_stated_proof_holds_beside_an_earlier_plan_and_own_soft_items() -> None:
    problem = Problem({"A": [1], "B": [1]}, impossible="none is allowed", soft={1: 1})
    for search in (problem.cheapest(), problem.cheapest(near=["A"])):
        assert (list(search), search.reason) == ([], "none is allowed")
    assert next(problem.best_effort().cheapest())


def test_a_best_effort_keeps_the_number_of_districts() -> None:
    problem = Districts("3x3", districts=2, sizes=2).problem().best_effort()
    assert len(next(problem.cheapest())) == 2
