"""Certificates of least costs whose search is divided: each part has prices of its own."""

import io
import random
from collections import Counter
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from certified import CHECKERS, assert_no_proof, assert_verdict, certify_least, check_changed_costs, read, verify, write
from exactcover import Margin, Problem
from exactcover.certificates import cost_proof
from exactcover.certificates.certify import certify_cheapest
from exactcover.engines.base import ENGINES
from strategies import priced

pytestmark = pytest.mark.skipif("bounds" not in ENGINES, reason="HiGHS or the native module is not installed")
if "bounds" in ENGINES:
    from exactcover.engines.branching import Splits
PATCHED = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(autouse=True)
def divides_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divide each search after its first node."""
    for name in ("_ROOT_NODES", "_NODES", "_SLICE"):
        monkeypatch.setattr(cost_proof, name, 1)


def cycles(number: int, dear: int, names: str = "abc") -> Problem:
    """Return odd cycles whose corners are covered by pairs, all but one; single corners are dear."""
    rows: dict[str, list[Any]] = {}
    for k in range(number):
        corners = [f"{k}{corner}" for corner in names]
        rows |= {f"{one}-{other}": [one, other] for one, other in zip(corners, corners[1:] + corners[:1], strict=True)}
        rows |= {one: [one, f"spare {one}"] for one in corners}
    costs = {label: dear + place % 3 if len(label) < 4 else 2 for place, label in enumerate(rows)}
    items = dict.fromkeys(item for row in rows.values() for item in row)
    spare = [item for item in items if item.startswith("spare")]
    rows |= {f"use {item}": ["range", item] for item in spare}
    primary = ["range", *(item for item in items if item not in spare)]
    return Problem(rows, primary=primary, secondary=spare, multiplicity={"range": (0, 1)}, costs=costs)


@pytest.mark.parametrize("checker", CHECKERS)
def test_each_rule_is_used(checker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Counter[str]()
    for names in ("abc", "abcde", "abcde"):
        if rules["option"]:  # pairs are next
            monkeypatch.setattr(Splits, "divide_by_option", lambda *_: None)
        certificate = certify_least(cycles(3, 5, names), 4)
        assert "the 4 cheapest solutions" in verify(certificate, checker)
        rules.update(step["by"] for step in read(certificate)["steps"])
    assert all(rules[name] for name in ("slack", "prices", "dear", "pair", "option", "search")), rules
    assert rules["prices"] > 5


@given(problem=priced(), numbers=st.randoms(use_true_random=False))
@PATCHED
def test_divided_proofs_are_certified_and_changed_ones_are_refused_or_true(
    problem: Problem, numbers: random.Random
) -> None:
    certificate = certify_least(problem, numbers.randint(1, 3))
    assert_verdict(certificate, "")
    check_changed_costs(problem, certificate, numbers)


def test_prices_that_are_too_high_are_refused_in_every_part() -> None:
    """A hundred forged proofs: some prices of some part are raised, so that an option costs less than its items."""
    certificate, chance = certify_least(cycles(3, 5), 1), random.Random(1)
    for _ in range(100):
        files = read(certificate)
        step = chance.choice([step for step in files["steps"] if step["by"] == "prices"])
        dear = step["scale"] * chance.randint(10, 1000)
        step["prices"] = [[item, dear] for item in range(1, 10)]
        assert_no_proof(write(files))


@given(problem=priced(), numbers=st.randoms(use_true_random=False))
@PATCHED
def test_all_solutions_within_a_margin_are_certified(problem: Problem, numbers: random.Random) -> None:
    """A claim that leaves one out, or says of others that they cost more than they do, is refused."""
    margin, file = Margin(Decimal(numbers.choice(["0", "1", "0.5", "7"]))), io.BytesIO()
    found = list(problem.cheapest(within=margin).positions())
    certify_cheapest(file, problem, found, 1 << 40, within=margin)
    costs = sorted(problem.cost(solution) for solution in problem.solve())
    for checker in CHECKERS:
        assert ("all others at least" in verify(file.getvalue(), checker)) == bool(found)
    if not found:
        return
    files = read(file.getvalue())
    below = Decimal(files["claim"]["below"]) / problem.cost_units
    assert [cost for cost in costs if cost < below] == costs[: len(found)]
    files["claim"]["solutions"].pop(numbers.randrange(len(found)))
    assert_verdict(write(files), "", "there are other solutions that are cheaper")
    if len(found) < len(costs):
        files = read(file.getvalue())
        files["claim"]["below"] = int(costs[len(found)] * problem.cost_units) + 1
        assert_no_proof(write(files))


@pytest.mark.parametrize("below", [0, 9, -1, None, "x", 1.5, True])
def test_a_margin_below_what_is_stated_is_refused(below: object) -> None:
    files = read(certify_least(Problem({"A": [1], "B": [1]}, costs={"A": 9, "B": 10}), 1))
    files["claim"] |= {"below": below, "wanted": 2}
    assert_no_proof(write(files))


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ({"by": "pair", "items": [0, 1]}, "the items of a pair must be covered exactly once"),
        ({"by": "pair", "items": [1, 1]}, "a pair must be two items"),
        ({"by": "pair", "items": [1, 99]}, "there is no such item"),
        ({"by": "slack", "items": [1]}, "slack needs an item that may be covered once less"),
        ({"by": "slack", "items": [0, 0]}, "an item has slack twice"),
        ({"by": "option", "option": 99}, "there is no such option"),
        ({"by": "branch", "item": 1, "children": 0}, "the number of children is not valid"),
    ],
)
def test_steps_that_are_not_valid_are_refused(step: dict[str, Any], message: str) -> None:
    files = read(certify_least(cycles(1, 5), 1))
    files["steps"] = [step, *files["steps"][1:]]
    assert_verdict(write(files), "", message)
