"""The specification: what every engine must do."""

import csv
import itertools
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classics import KNOWN, langford
from exactcover import Colored, Problem, Status
from oracles import assert_each_once, brute_force, brute_force_instance, cp_sat
from problems import Queens
from strategies import instances, problems


def solutions(problem: Problem, engine: str, **how: object) -> list[tuple[object, ...]]:
    return list(problem.solve(engine=engine, **how))  # type: ignore[arg-type]


@given(problem=problems())
def test_all_solutions_each_once_as_by_brute_force(every_engine: str, problem: Problem) -> None:
    found = solutions(problem, every_engine)
    assert_each_once(found, brute_force(problem))
    assert problem.count(engine=every_engine) == len(found)
    assert all(problem.verify(solution) for solution in found)


@given(problem=problems(most_options=30, most_primary=8))
def test_all_solutions_as_by_cp_sat(engine: str, problem: Problem) -> None:
    some = solutions(problem, engine, limit=200)
    if len(some) < 200:  # the other one takes long over more
        assert set(map(frozenset, some)) == cp_sat(problem)


@given(problem=problems(most_options=15, most_primary=8), chance=st.randoms(use_true_random=False))
def test_permuting_items_and_options_keeps_the_solutions(engine: str, problem: Problem, chance: object) -> None:
    options = list(problem.options.items())
    chance.shuffle(options)  # type: ignore[attr-defined]
    primary = list(problem.primary)
    chance.shuffle(primary)  # type: ignore[attr-defined]
    permuted = Problem(options, primary=primary, secondary=problem.secondary, multiplicity=problem.multiplicity)
    assert_each_once(solutions(permuted, engine), solutions(problem, engine))


@given(problem=problems(most_options=15, most_primary=8), seed=st.integers(0, 5))
def test_a_seed_changes_the_order_only(engine: str, problem: Problem, seed: int) -> None:
    shuffled = solutions(problem, engine, seed=seed)
    assert sorted(shuffled) == sorted(solutions(problem, engine))
    assert shuffled == solutions(problem, engine, seed=seed)


@given(problem=instances(problems(most_options=12)))
def test_givens_and_exclusions_are_a_filter(engine: str, problem: Problem) -> None:
    expected, plain = brute_force_instance(problem), problem.full()
    some: dict[str, Any] = {"given": problem.givens, "without": problem.excluded}
    assert_each_once(solutions(plain, engine, **some), expected)
    assert_each_once(solutions(problem, engine), expected)
    assert problem.count(engine=engine) == plain.count(engine=engine, **some) == len(expected)


@pytest.mark.parametrize(("name", "make", "count"), KNOWN, ids=[name for name, _, _ in KNOWN])
def test_known_counts(engine: str, name: str, make: Callable[[], Problem], count: int) -> None:
    problem = make()
    assert problem.count(engine=engine) == count
    assert sum(1 for _ in problem.solve(engine=engine)) == count


def test_the_empty_problem_has_one_solution(engine: str) -> None:
    assert solutions(Problem({}), engine) == [()]
    assert Problem({}).count(engine=engine) == 1
    assert solutions(Problem({}, secondary=["s"]), engine) == [()]


def test_an_item_without_options_means_none_and_is_named(engine: str) -> None:
    search = Problem({"A": [1]}, primary=[1, 2]).solve(engine=engine)
    assert (list(search), search.status) == ([], Status.UNSATISFIABLE)
    assert search.reason == "no option covers item '2'"


def test_many_colors(engine: str) -> None:
    places = itertools.product(range(9), range(7))
    options = {(k, color): [f"p{k}", Colored("x", color), Colored(f"y{k % 3}", color)] for k, color in places}
    assert Problem(options, secondary=["x", "y0", "y1", "y2"]).count(engine=engine) == 7


def test_limit_is_reached_with_its_last_solution(engine: str) -> None:
    problem = Problem({number: [1] for number in range(5)})
    search = problem.solve(limit=3, engine=engine)
    for _ in range(3):
        assert search.status is Status.RUNNING
        next(search)
    assert search.status is Status.LIMIT
    assert next(search, None) is None
    assert search.statistics.solutions == 3
    exact = problem.solve(limit=5, engine=engine)
    assert len(list(exact)) == 5
    assert exact.status is Status.LIMIT


def test_solutions_are_lazy(engine: str) -> None:
    """The first of more solutions than could ever be listed arrives."""
    problem = Problem(((item, choice), [item]) for item in range(200) for choice in range(10))
    search = problem.solve(engine=engine)
    assert len(next(search)) == 200
    assert search.statistics.nodes < 10**6


def test_a_deep_solution_hits_no_recursion_limit(engine: str) -> None:
    deep = sys.getrecursionlimit() + 9
    problem = Problem({number: [number, number + deep] for number in range(deep)})
    assert next(problem.solve(engine=engine)) == tuple(range(deep))


def test_a_timeout_is_no_proof(engine: str) -> None:
    search = langford(14).solve(timeout=0.0, engine=engine)
    assert (list(search), search.status) == ([], Status.TIMEOUT)


def test_statistics_of_a_finished_search(engine: str) -> None:
    search = Queens(n=6).problem().solve(engine=engine)
    list(search)
    statistics = search.statistics
    assert (statistics.engine, statistics.solutions, statistics.explored) == (engine, 4, 1.0)
    assert statistics.nodes > 4
    assert statistics.why == "requested"
    assert list(csv.reader([repr(search)])) == [["<Search: complete", " 4 solutions>"]]


def test_every_engine_takes_items_in_any_number(every_engine: str) -> None:
    """Around the sizes where machine words end."""
    for size in (1, 8, 31, 63, 64, 65, 128, 129, 256, 257, 511, 512, 513):
        problem = Problem(((item, choice), [item]) for item in range((size + 1) // 2) for choice in range(2))
        first = next(problem.solve(engine=every_engine))
        assert problem.verify(first)
        chain = Problem({pair: pair for pair in itertools.pairwise(range(size + 1))})
        assert chain.count(engine=every_engine) == size % 2


@pytest.mark.parametrize("listed", [2, 38])
def test_what_is_left_can_be_counted_at_any_time(engine: str, listed: int) -> None:
    """However deep the listing has come, each solution is either listed or counted."""
    search = Queens(n=7).problem().solve(engine=engine)
    assert len(list(itertools.islice(search, listed))) == listed
    assert search.count() == 40
