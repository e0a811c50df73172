"""Reduced and plain searches find the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classics import one_factorizations
from exactcover import Colored, Problem
from exactcover.control.options import SearchOptions
from exactcover.control.policy import CountingPolicy
from exactcover.engines.base import ENGINES
from exactcover.steps.reduction import reduce
from oracles import assert_each_once, brute_force, solve_matrix
from policies import start_search
from problems import Polyomino
from strategies import instances, problems


@given(problem=problems(most_options=12))
def test_lifted_solutions_are_the_solutions(problem: Problem) -> None:
    reduction = reduce(problem.matrix)
    found = [] if reduction.reason is not None else map(reduction.lift, solve_matrix(reduction.matrix))
    assert_each_once(map(problem.labels_of, found), brute_force(problem))


@given(problem=instances(problems(most_options=15, most_primary=8)), seed=st.none() | st.integers(0, 3))
def test_searches_with_and_without(engine: str, problem: Problem, seed: int | None) -> None:
    plain, reduced = (SearchOptions(engine=engine, seed=seed, reduce=reduce_it) for reduce_it in (False, True))
    found = list(problem.solve(options=plain))
    assert_each_once(problem.solve(options=reduced), found)
    assert problem.count(options=reduced) == len(found) == len(set(found))


def test_nothing_is_left_to_remove() -> None:
    once = reduce(Polyomino(board="3x20").problem().matrix)
    assert len(once.matrix) < 1236 - 100
    again = reduce(once.matrix)
    assert (len(again.matrix), again.matrix.items, again.rounds) == (len(once.matrix), once.matrix.items, 1)


def test_forced_options_are_chosen_and_items_that_say_nothing_go() -> None:
    reduction = reduce(one_factorizations(8).matrix)
    assert reduction.chosen == 7
    red = Colored("x", "red")
    problem = Problem([("A", [1, 2, red]), ("B", [1, 2, red, "y"]), ("C", [1, 2])], secondary=["x", "y"])
    assert reduce(problem.matrix).matrix.items == 1
    assert problem.count(options=SearchOptions(reduce=True)) == 3


def test_a_contradiction_is_a_reason() -> None:
    problem = Problem({"A": [1, 2], "B": [2, 3], "C": [3, 1]})
    assert reduce(problem.matrix).reason is not None
    search = problem.solve(options=SearchOptions(reduce=True))
    assert list(search) == []
    assert search.reason == "every remaining choice leaves some item with too few options"


@pytest.mark.skipif("native" not in ENGINES, reason="it would take long")
def test_a_count_that_takes_long_is_reduced_by_itself() -> None:
    problem, plain = Polyomino(board="4x15").problem(), SearchOptions(symmetry=False)
    for left, removed in ((0, 146), (1e6, None)):  # it never takes so long
        search = start_search(problem, CountingPolicy(reduction_seconds=0.005, reducing_left=left), plain)
        assert search.count() == search.statistics.solutions == 1472
        assert search.statistics.details.get("removed") == removed
    search = problem.solve(options=SearchOptions(reduce=False))
    assert search.count() == problem.count(options=SearchOptions(jobs=2)) == 1472
    assert "removed" not in search.statistics.details
