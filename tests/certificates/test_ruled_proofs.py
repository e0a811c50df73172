"""Certificates of problems with rules about graphs."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certified import CHECKERS, Files, assert_verdict, certify, certify_listing, change, read, verify, write
from exactcover import Colored, Problem, ProblemError
from exactcover.certificates.certify import certify_cheapest, certify_classes
from exactcover.certificates.check import NotCertifiedError, UnreadableError, count_noun
from exactcover.certificates.comparison import find_difference
from exactcover.certificates.writer import describe_problem
from exactcover.rules import Connected, Loop, Paths
from oracles import brute_force_instance
from ruled import Ruled, color_cells, ruled_problems, solve_by_definition


@given(ruled=ruled_problems())
def test_numbers_and_lists_are_certified(ruled: Ruled) -> None:
    number = len(solve_by_definition(ruled))
    assert_verdict(certify(ruled[0]), count_noun(number, "solution"))
    for engine in ("native", "sets"):
        assert_verdict(certify_listing(ruled[0], engine), count_noun(number, "solution"))


@given(ruled=ruled_problems(), numbers=st.randoms(use_true_random=False))
def test_no_false_claim_is_certified(ruled: Ruled, numbers: random.Random) -> None:
    number = len(solve_by_definition(ruled))
    files = read(certify(ruled[0]))
    files["claim"]["number"] = numbers.choice([number + 1, number + 2, max(0, number - 1)])
    if files["claim"]["number"] == number:
        return
    for _ in range(numbers.randrange(3)):
        change(files, numbers)
    refuse(files, number)


@given(ruled=ruled_problems(), numbers=st.randoms(use_true_random=False))
def test_a_proof_without_the_rules_is_refused(ruled: Ruled, numbers: random.Random) -> None:
    number, covers = len(solve_by_definition(ruled)), len(brute_force_instance(ruled[0]))
    files, plain = read(certify(ruled[0])), read(certify(ruled[0].derive(ruled[0].options.items(), rules=())))
    if covers != number and not ruled[0].givens and not ruled[0].excluded:
        refuse({**plain, "problem": files["problem"]}, number)
        refuse({**files, "problem": plain["problem"]}, covers)


def refuse(files: Files, number: int) -> None:
    """Assert that each checker refuses a certificate whose problem has another number of solutions than it claims."""
    for checker in CHECKERS:
        try:
            verdict = verify(write(files), checker)
        except (NotCertifiedError, UnreadableError, KeyError, TypeError, ValueError, AttributeError, IndexError):
            continue
        assert verdict.startswith(count_noun(number, "solution"))


def triangle() -> Problem:
    edges = ["ab", "bc", "ca"]
    return color_cells(edges, Loop({(edge[0], edge[1]): Colored(f"{edge}?", 1) for edge in edges}))


def test_a_rule_that_is_not_valid_is_refused() -> None:
    files = read(certify(triangle()))
    for name, value in [("rule", "circle"), ("elements", [[0, 0], [1, 2], [2, 0]]), ("switches", [[9], [1], [2]])]:
        rule = {**files["problem"]["rules"][0], name: value}
        assert_verdict(write({**files, "problem": {**files["problem"], "rules": [rule]}}), "", "rule")


def test_a_verdict_names_the_rules() -> None:
    one = triangle()
    both = one.derive(one.options.items(), rules=[*one.rules, Connected([("a", "b")], {}, or_none=True)])
    for problem, rules in ((one, "rule loop; SHA-256"), (both, "rules loop, regions; ")):
        words = f"1 solution of the problem with 6 items and 6 options; with the {rules}"
        assert_verdict(certify(problem), words)


def test_other_claims_refuse_rules() -> None:
    problem = triangle()
    with pytest.raises(ProblemError, match="does not know rules"):
        certify(problem, certify_classes, distinct=True)
    with pytest.raises(ProblemError, match="does not know rules"):
        certify_cheapest(None, problem, [], 1)  # type: ignore[arg-type]


def test_a_certificate_is_about_its_own_rules() -> None:
    problem = triangle()
    loop = next(iter(problem.rules))
    assert isinstance(loop, Loop)
    others = [(), [Loop(loop.edges, or_none=True)], [Paths(loop.edges, [("a", "b")])]]
    stated = describe_problem(problem)
    assert find_difference(stated, describe_problem(triangle())) is None
    for rules in others:
        target = describe_problem(problem.derive(problem.options.items(), rules=rules))
        assert find_difference(stated, target) == "it has other rules about graphs, or states them in another order"
