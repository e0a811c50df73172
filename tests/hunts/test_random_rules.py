"""Random problems with rules about graphs, against the definition, by every engine that takes rules."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certified import CHECKERS, certify, change, read, verify, write
from exactcover import Problem
from exactcover.algorithm_x import exact_covers
from exactcover.certificates.check import NotCertifiedError, UnreadableError, count_noun
from exactcover.engines.base import ENGINES
from ruled import find_lit, random_ruled_problem

pytestmark = pytest.mark.slow


def solve_plainly(problem: Problem) -> set[frozenset[Any]]:
    """The covers by Algorithm X that contain the givens and keep the rules by their definition."""
    covers = map(frozenset, exact_covers(problem.options, problem.secondary, problem.multiplicity))
    given, excluded = set(problem.givens), set(problem.excluded)
    held = {item for entries in problem.options.values() for item in entries}
    if any(item not in held and problem.multiplicity.get(item, (1, 1))[0] for item in problem.primary):
        return set()
    return {
        cover
        for cover in covers
        if cover >= given
        and cover.isdisjoint(excluded)
        and not any(rule.find_faults(find_lit(problem, rule, cover)) for rule in problem.rules)
    }


def check_engines(problem: Problem) -> None:
    expected = solve_plainly(problem)
    assert problem.count() == len(expected)
    for name, engine in ENGINES.items():
        if engine.takes_rules and not (problem.costs and name == "learning"):
            found = [frozenset(solution) for solution in problem.solve(engine=name)]
            assert len(found) == len(expected), name
            assert set(found) == expected, name
    if problem.costs:
        best = sorted(problem.cost(solution) for solution in expected)[:3]
        for name in ("auto", "sets", "native", "diagram"):
            assert [problem.cost(solution) for solution in problem.cheapest(3, engine=name)] == best, name


def check_certificate(problem: Problem, numbers: random.Random) -> None:
    """A certificate is accepted, and refused with another number, whatever else is changed."""
    number, files = len(solve_plainly(problem)), read(certify(problem))
    for checker in CHECKERS:
        assert verify(write(files), checker.values[0]).startswith(count_noun(number, "solution"))
    for _ in range(numbers.randrange(3)):
        change(files, numbers)
    files["claim"]["number"] = number + numbers.choice([-1, 1, 2])
    for checker in CHECKERS:
        with pytest.raises((NotCertifiedError, UnreadableError, KeyError, TypeError, ValueError, AttributeError)):
            verify(write(files), checker.values[0])


@given(st.integers(0, 1 << 40))
def test_all_engines_find_the_same(seed: int) -> None:
    check_engines(random_ruled_problem(seed))


@given(st.integers(0, 1 << 40))
def test_certificates(seed: int) -> None:
    check_certificate(random_ruled_problem(seed), random.Random(seed))
