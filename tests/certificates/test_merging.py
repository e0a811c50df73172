"""Sweeps and memos in certificates: which states are equal."""

from typing import Any

import pytest
from hypothesis import given

from certified import Files, assert_verdict, certify, claim, read, write
from exactcover import Problem
from exactcover.certificates.check import Problem as Rules
from exactcover.certificates.check import State
from exactcover.model.matrix import native
from strategies import problems

pytestmark = pytest.mark.skipif(native is None, reason="sweeps and memos need the native module")


def plan(people: int, shifts: int, most: int) -> Problem:
    """Each person has one shift, and a shift has at most so many people."""
    options = {(person, shift): [f"p{person}", f"s{shift}"] for person in range(people) for shift in range(shifts)}
    return Problem(options, multiplicity={f"s{shift}": (0, most) for shift in range(shifts)})


def prove(problem: Problem, rule: str) -> Files:
    """Return a certificate that proves the number of solutions in one step of this rule."""
    files = read(certify(problem, strategy="sweep", symmetry=False))
    (sweep,) = files["steps"]
    assert sweep["by"] == "sweep"
    return {**files, "steps": [sweep if rule == "sweep" else {"by": rule}]}


@pytest.mark.parametrize("rule", ["sweep", "memo"])
def test_upper_bounds_keep_states_apart_only_where_they_can_be_reached(rule: str) -> None:
    """Else there would be 10^10 states of the first one: one for each way to divide the people among the shifts.

    Of 3 ** 6 ways, those remain in which none of the three shifts has more than 3 people.
    """
    assert_verdict(write(prove(plan(100, 8, 100), rule)), f"{8**100} solutions")
    assert_verdict(write(prove(plan(6, 3, 3), rule)), "510 solutions")


def test_a_lower_bound_above_the_number_of_options_is_no_solution() -> None:
    steps: list[dict[str, Any]] = [{"by": "memo"}, {"by": "sweep", "items": [0, 1]}]
    for low, number in ((2, 1), (3, 0)):
        problem = Problem({"A": ["x", "y"], "B": ["x", "y"]}, multiplicity={"x": (0, 9), "y": (low, 1 << 30)})
        for step in steps:
            assert_verdict(claim(problem, {"claim": "count", "number": number}, step), f"{number} solution")


def test_a_clamp_keeps_what_is_lacking() -> None:
    rules = Rules({"items": ["x", "y"], "primary": 2, "options": [[[0, 0]]], "labels": ["A"], "costs": [0], "places": 0,
                   "multiplicity": [[0, 0, 9], [1, 1, 1]], "given": [], "without": []}, [0])  # fmt: skip
    assert rules.clamp(State(1, ((0, 9), (1, 1)), 0), [0]) == State(1, ((0, 1), (1, 1)), 0)


def test_a_sweep_does_not_forget_what_is_missing() -> None:
    """An item with fewer live options than it needs stays open, however its upper bound is lowered."""
    one = Problem({"A": ["item"]}, multiplicity={"item": (2, 3)})
    for number, message in ((0, None), (1, "the proof shows 0 solutions, not 1")):
        certificate = claim(one, {"claim": "count", "number": number}, {"by": "sweep", "items": [0]})
        assert_verdict(certificate, "0 solutions", message)


@given(problem=problems(most_options=7, most_primary=5, most_secondary=0).filter(lambda one: bool(one.multiplicity)))
def test_sweeps_and_memos_of_items_with_bounds_prove_the_number(problem: Problem) -> None:
    number = problem.count()
    steps: list[dict[str, Any]] = [{"by": "sweep", "items": list(range(len(problem.primary)))}, {"by": "memo"}]
    for step in steps:
        for stated, message in ((number, None), (number + 1, f"shows {number} solutions?, not {number + 1}")):
            assert_verdict(claim(problem, {"claim": "count", "number": stated}, step), f"{number} solution", message)
