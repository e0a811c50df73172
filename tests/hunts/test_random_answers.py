"""Random problems asked in random ways: each answer is the one of the definition, each certificate proves only what is so."""

import io
import math
import random
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certified import CHECKERS, certify, certify_least, certify_listing, change, forge, read, refute, verify, write
from damage import ROUNDS, chances
from exactcover import EngineUnavailableError, Goal, Problem, ProblemError, Search, SearchOptions
from exactcover.certificates.certify import certify_classes, certify_count
from exactcover.certificates.count_proof import Refutation, Root
from exactcover.control.options import ALL, COUNT
from exactcover.control.policy import CountingPolicy
from oracles import Solutions, brute_force_instance
from policies import ALWAYS_SPLIT, EAGER, JOINED, start_search
from strategies import instances, priced, problems, symmetric_problems

pytestmark = pytest.mark.slow

SMALL = symmetric_problems().filter(lambda problem: len(problem.labels) <= 10)
PROBLEMS = instances(problems() | SMALL | priced(most_options=10))
REDUCTIONS = {"reduce": st.sampled_from([None, True, False]), "symmetry": st.sampled_from([None, True, False])}
COUNTING: dict[str, st.SearchStrategy[Any]] = {
    "engine": st.sampled_from(["auto", "diagram"]),
    "strategy": st.sampled_from(["auto", "search", "sweep", "memo"]),
    "memory": st.sampled_from([None, 1 << 16, 1 << 22]),
}
SEARCHING: dict[str, st.SearchStrategy[Any]] = {
    "engine": st.sampled_from(["auto", "native", "sets", "diagram", "learning", "highs", "cpsat"]),
    "heuristic": st.sampled_from(["mrv", "leftmost", "weighted"]),
    "jobs": st.sampled_from([1, 2, 3]),
    "seed": st.sampled_from([None, 7]),
}
OPTIONS = st.fixed_dictionaries({}, optional=REDUCTIONS | SEARCHING)
MAY_REFUTE = Refutation.fits(Problem({"A": [1]}).matrix)


def start(problem: Problem, goal: Goal, stated: dict[str, Any]) -> Search | None:
    """Start a search; return None if these options cannot be combined."""
    try:
        return problem.search(goal, SearchOptions(**stated))
    except (ValueError, EngineUnavailableError):
        return None


@given(problem=PROBLEMS, stated=OPTIONS)
def test_listings(problem: Problem, stated: dict[str, Any]) -> None:
    search = start(problem, ALL, stated)
    found = [frozenset(solution) for solution in search or ()]
    assert search is None or (len(found) == len(set(found)) and set(found) == brute_force_instance(problem))


@given(problem=PROBLEMS, stated=st.fixed_dictionaries({}, optional=REDUCTIONS | COUNTING) | OPTIONS)
def test_counts(problem: Problem, stated: dict[str, Any]) -> None:
    search = start(problem, COUNT, stated)
    assert search is None or search.count() == len(brute_force_instance(problem))


SPLITS = {
    "splits": ALWAYS_SPLIT,
    "chains": replace(ALWAYS_SPLIT, chain_gain=0),
    "no chains": replace(ALWAYS_SPLIT, most_chains=0),
    "joined": replace(JOINED, joining_seconds=math.inf),
}


@pytest.mark.parametrize("policy", SPLITS.values(), ids=SPLITS)
@given(problem=instances(symmetric_problems()))
def test_counts_by_symmetries(policy: CountingPolicy, problem: Problem) -> None:
    for distinct in (False, True):
        try:
            listed = len(list(problem.solve(engine="sets", distinct=distinct)))
            options = SearchOptions(symmetry=None if distinct else True, distinct=distinct)
            search = start_search(problem, policy, options, given=problem.givens, without=problem.excluded)
            assert search.count() == listed
        except ProblemError:  # too many symmetries
            assert distinct


@given(problem=PROBLEMS)
def test_first_solutions_or_proofs_that_there_is_none(problem: Problem) -> None:
    """All ways to find one begin at once; each way to prove that there is none must succeed, or refuse to."""
    solutions = brute_force_instance(problem)
    search = start_search(problem, EAGER, goal=Goal("first", 1), given=problem.givens, without=problem.excluded)
    first = next(search, None)
    assert first is None if not solutions else first is not None and frozenset(first) in solutions
    refuted = refute(problem) if MAY_REFUTE else None
    assert not (solutions and refuted)
    if solutions:
        return
    assert refuted or not MAY_REFUTE or Root.of(problem) is None
    file = io.BytesIO()
    certify_count(file, problem, SearchOptions(), hopeless=True)
    for proof in filter(None, (file.getvalue(), refuted)):
        for checker in CHECKERS:
            assert verify(proof, checker.values[0]).startswith("0 solutions")


def certify_something(problem: Problem, chance: random.Random) -> bytes:
    """A certificate of a number, a list, classes or least costs."""
    makers: list[Callable[[], bytes]] = [
        lambda: certify(problem, strategy=chance.choice(["auto", "search", "sweep", "memo"])),
        lambda: certify(problem, symmetry=chance.choice([None, True, False])),
        lambda: certify(problem, certify_classes, distinct=True),
        lambda: certify_listing(problem),
        lambda: certify_least(problem, chance.randint(1, 3)),
    ]
    return chance.choice(makers)()


def is_true(claim: dict[str, Any], original: dict[str, Any], problem: Problem, solutions: Solutions) -> bool:
    """Whether a claim is true of the problem; numbers of classes may be those of another group."""
    if claim["claim"] == "cheapest":
        stated = sorted(problem.cost_of(solution) for solution in claim["solutions"])
        return stated == sorted(map(problem.cost, solutions))[: claim["wanted"]]
    if claim["claim"] == "classes":
        return claim["number"] == original["number"] or claim.get("maps") != original.get("maps")
    return bool(claim["number"] == len(solutions))


@given(problem=PROBLEMS, chance=st.randoms(use_true_random=False))
def test_certificates_and_changed_ones(problem: Problem, chance: random.Random) -> None:
    """Both checkers accept what is certified; of what is changed, they certify the same, and only what is true."""
    try:
        files = read(certify_something(problem, chance))
    except ProblemError:  # symmetries that exchange items with multiplicities
        return
    solutions, original = brute_force_instance(problem), deepcopy(files)
    for is_changed in (False, True):
        for _ in range(chance.randint(1, 3) * is_changed):
            change(files, chance)
        verdicts = []
        for checker in CHECKERS:
            try:
                verdicts.append(verify(write(files), checker.values[0]))
            except Exception:  # refused, or unreadable
                verdicts.append("")
        assert len(set(verdicts)) == 1
        assert verdicts[0] or is_changed
        assert not verdicts[0] or is_true(files["claim"], original["claim"], problem, solutions)


@pytest.mark.skipif(not MAY_REFUTE, reason="no native module, or no SAT solver")
@given(problem=instances(problems(most_options=6)), chance=chances)
@settings(max_examples=4 * ROUNDS)
def test_forged_proofs_by_clauses(problem: Problem, chance: random.Random) -> None:
    certificate = refute(problem)
    if certificate is not None:
        forged = forge(certificate, problem, chance)
        for checker in CHECKERS:
            with pytest.raises(Exception):  # noqa: B017
                verify(forged, checker.values[0])
