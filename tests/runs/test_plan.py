"""Plans: what symmetries split a problem into, without counting."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given

import classics
from exactcover import Problem, Stop
from exactcover.control.policy import CountingPolicy
from exactcover.control.stop import Stopped
from exactcover.model.matrix import Matrix
from exactcover.runs.plan import Plan, make_plan
from exactcover.symmetry.splitting import Weight
from oracles import brute_force
from problems.queens import Queens
from strategies import symmetric_problems

pytest.importorskip("exactcover._native", reason="symmetries need the native module")

EAGER = CountingPolicy(least_gain=1, chain_gain=0)
"""Splits whatever can be split."""


def list_solutions(matrix: Matrix) -> Iterator[tuple[int, ...]]:
    """Try every subset of options; independent of every engine."""
    rows = [list(matrix.option(option)) for option in range(len(matrix))]
    for chosen in product((False, True), repeat=len(rows)):
        picked = [row for row, is_in in zip(rows, chosen, strict=True) if is_in]
        times = [sum(item == one for row in picked for one, _ in row) for item in range(matrix.items)]
        colors = [{color for row in picked for one, color in row if one == item} for item in range(matrix.items)]
        bounds = [matrix.bounds(item) for item in range(matrix.primary)]
        if all(low <= number <= high for (low, high), number in zip(bounds, times, strict=False)) and all(
            times[item] < 2 or (len(colors[item]) == 1 and 0 not in colors[item])
            for item in range(matrix.primary, matrix.items)
        ):
            yield tuple(option for option, is_in in enumerate(chosen) if is_in)


def count_by_plan(matrix: Matrix, plan: Plan, policy: CountingPolicy) -> Weight:
    parts = plan.parts(matrix, Stop(), policy)
    return sum(part.weight * len(list(list_solutions(part.matrix))) for part in parts)


@given(symmetric_problems())
def test_the_parts_of_a_plan_have_all_solutions(problem: Problem) -> None:
    plan = make_plan(problem.matrix, Stop(), EAGER)
    if plan is not None and len(problem.labels) <= 14:
        assert count_by_plan(problem.matrix, plan, EAGER) == len(brute_force(problem))


def test_a_plan_without_symmetries_is_none() -> None:
    problem = Problem({"A": ["a"], "B": ["a", "b"], "C": ["b", "c"], "D": ["c", "d"], "E": ["b", "d"], "F": ["b"]})
    assert make_plan(problem.matrix, Stop()) is None


def test_a_plan_ends_where_a_level_would_become_too_large() -> None:
    matrix = Queens(9).problem().matrix
    plans = [make_plan(matrix, Stop(), CountingPolicy(most_planned_entries=most)) for most in (1, 400, 10**6)]
    assert plans[0] is None
    assert plans[1] is not None
    assert plans[2] is not None
    assert plans[1].splits.count(None) == len(plans[1].splits) - 1
    assert plans[2].splits.count(None) < len(plans[2].splits) - 1


def test_the_same_problem_has_the_same_plan() -> None:
    matrix = classics.queens_by_twos(5).matrix
    first, second = make_plan(matrix, Stop()), make_plan(matrix, Stop())
    assert first == second
    assert first is not None


@pytest.mark.parametrize(
    "splits",
    [
        (),
        (None,),
        (("item", 99, ()),),
        (("item", 0, ()), *[None] * 99),
        (("chain", 0, (0,)), None),
        (("chain", 0, ()), None),
        (("orbit", 99, ()), None),
        (("other", 0, ()), None),
        (("item", 0, ()),) * 1000,
    ],
)
def test_plans_that_do_not_fit_are_refused(splits: Any) -> None:
    matrix = classics.langford(4).matrix
    plan = make_plan(matrix, Stop())
    assert plan is not None
    with pytest.raises(ValueError, match=r"split|parts|orbit|chain"):
        replace(plan, splits=splits).parts(matrix, Stop())


def test_a_plan_of_another_problem_is_refused() -> None:
    plan = make_plan(classics.langford(4).matrix, Stop())
    assert plan is not None
    with pytest.raises(ValueError, match="the parts are not those for which the plan was made"):
        plan.parts(classics.langford(8).matrix, Stop())


def test_a_stop_ends_a_plan() -> None:
    stop = Stop()
    stop.request()
    with pytest.raises(Stopped):
        make_plan(classics.langford(8).matrix, stop)
