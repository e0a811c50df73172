"""Plans: what symmetries split a problem into, without counting."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

import classics
from exactcover import Problem, Stop
from exactcover.control.policy import CountingPolicy
from exactcover.runs.plan import make_plan
from oracles import brute_force, solve_matrix
from problems.queens import Queens
from strategies import symmetric_problems

pytest.importorskip("exactcover._native", reason="symmetries need the native module")

EAGER = CountingPolicy(least_gain=1, chain_gain=0)
"""Splits whatever can be split."""


@given(symmetric_problems())
def test_the_parts_of_a_plan_have_all_solutions(problem: Problem) -> None:
    plan = make_plan(problem.matrix, Stop(), EAGER)
    if plan is not None and len(problem.labels) <= 14:
        parts = plan.parts(problem.matrix, Stop(), EAGER)
        number = sum(part.weight * len(solve_matrix(part.matrix)) for part in parts)
        assert number == len(brute_force(problem))


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
    assert make_plan(matrix, Stop(), CountingPolicy(most_planned_entries=400)) == plans[1]


@pytest.mark.parametrize("splits", [
    *((), (None,), (("item", 99, ()),), (("item", 0, ()), *[None] * 99), (("item", 0, ()),) * 1000),
    *((("chain", 0, (0,)), None), (("chain", 0, ()), None), (("orbit", 99, ()), None), (("other", 0, ()), None)),
])  # fmt: skip
def test_plans_that_do_not_fit_are_refused(splits: Any) -> None:
    matrix = classics.langford(4).matrix
    plan = make_plan(matrix, Stop())
    assert plan is not None
    with pytest.raises(ValueError, match=r"split|parts|orbit|chain"):
        replace(plan, splits=splits).parts(matrix, Stop())
