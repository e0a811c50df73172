"""Random problems asked in random ways: each answer is the one of the definition."""

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certified import assert_verdict, refute
from exactcover import EngineUnavailableError, Goal, Problem, Search, SearchOptions
from exactcover.certificates.certify import certify_count
from exactcover.certificates.count_proof import Refutation, Root
from exactcover.control.options import ALL, COUNT
from oracles import brute_force_instance
from policies import EAGER, start_search
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
        assert_verdict(proof, "0 solutions")
