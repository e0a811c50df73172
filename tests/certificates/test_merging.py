"""Sweeps and memos in certificates: which states are equal."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certified import CHECKERS, Files, certify, claim, read, verify, write
from exactcover import Problem
from exactcover.certificates.check import NotCertifiedError, Proof, State
from exactcover.certificates.check import Problem as Rules
from exactcover.model.matrix import native

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


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("rule", ["sweep", "memo"])
def test_upper_bounds_that_nothing_reaches_keep_no_states_apart(rule: str, checker: type[Proof]) -> None:
    """If they did, there would be 10^10 states: one for each way to divide the people among the shifts."""
    files = prove(plan(100, 8, 100), rule)
    assert verify(write(files), checker).startswith(f"{8**100} solutions")


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("rule", ["sweep", "memo"])
def test_upper_bounds_that_are_reached_count(rule: str, checker: type[Proof]) -> None:
    """Of 3 ** 6 ways, those remain in which none of the three shifts has more than 3 people."""
    assert verify(write(prove(plan(6, 3, 3), rule)), checker).startswith("510 solutions")


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_lower_bound_above_the_number_of_options_is_no_solution(checker: type[Proof]) -> None:
    problem = Problem({"A": ["x", "y"], "B": ["x", "y"]}, multiplicity={"x": (0, 9), "y": (2, 1 << 30)})
    files = {**read(certify(problem)), "nodes": bytearray()}
    for step in ({"by": "memo"}, {"by": "sweep", "items": [0, 1]}):
        assert verify(write({**files, "steps": [step]}), checker).startswith("1 solution")
    lacking = Problem({"A": ["x", "y"], "B": ["x", "y"]}, multiplicity={"x": (0, 9), "y": (3, 1 << 30)})
    files = {**read(certify(lacking)), "claim": {"claim": "count", "number": 0}, "nodes": bytearray()}
    for step in ({"by": "memo"}, {"by": "sweep", "items": [0, 1]}):
        assert verify(write({**files, "steps": [step]}), checker).startswith("0 solutions")


def test_a_clamp_keeps_what_is_lacking() -> None:
    rules = Rules({"items": ["x", "y"], "primary": 2, "options": [[[0, 0]]], "labels": ["A"], "costs": [0], "places": 0,
                   "multiplicity": [[0, 0, 9], [1, 1, 1]], "given": [], "without": []}, [0])  # fmt: skip
    assert rules.clamp(State(1, ((0, 9), (1, 1)), 0), [0]) == State(1, ((0, 1), (1, 1)), 0)


def test_a_sweep_does_not_forget_what_is_missing() -> None:
    """An item with fewer live options than it needs stays open, however its upper bound is lowered."""
    one = Problem({"A": ["item"]}, multiplicity={"item": (2, 3)})
    for number, verdict in ((0, "0 solutions"), (1, None)):
        certificate = claim(one, {"claim": "count", "number": number}, {"by": "sweep", "items": [0]})
        if verdict is None:
            with pytest.raises(NotCertifiedError):
                verify(certificate)
        else:
            assert verify(certificate).startswith(verdict)


@given(st.integers(0, 10**6))
def test_sweeps_and_memos_of_items_with_bounds_prove_the_number(seed: int) -> None:
    chance = random.Random(seed)
    items = range(chance.randint(1, 5))
    options = {k: chance.sample(items, chance.randint(1, len(items))) for k in range(chance.randint(1, 7))}
    bounds = {item: (low := chance.randint(0, 2), low + chance.randint(0, 2) or 1) for item in items}
    problem = Problem(options, primary=list(items), multiplicity=bounds)
    number = problem.count()
    steps: list[dict[str, Any]] = [{"by": "sweep", "items": list(items)}, {"by": "memo"}]
    for step in steps:
        for stated in (number, number + 1):
            certificate = claim(problem, {"claim": "count", "number": stated}, step)
            if stated == number:
                assert verify(certificate).startswith(f"{number} solution")
            else:
                with pytest.raises(NotCertifiedError):
                    verify(certificate)
