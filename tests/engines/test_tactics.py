"""Heuristics and threads: they change the time, and perhaps the order, but never the set of solutions."""

import gc
import itertools
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classics import langford, latin_squares, matchings, rings
from commands import StopWhen, wait_until
from exactcover import Problem, SearchOptions, Status, Stop, StoppedError
from exactcover.control.options import Heuristic
from exactcover.engines.base import ENGINES
from oracles import assert_each_once
from problems import Polyomino, Queens
from strategies import problems

HEURISTICS: tuple[Heuristic, ...] = ("mrv", "leftmost", "weighted")
FAMILIES = {
    "queens": lambda: Queens(n=7).problem(),
    "dominoes": lambda: Polyomino("4x6", "dominoes", copies="any").problem(),
    "Langford": lambda: langford(7),
    "Latin squares": lambda: latin_squares(4),
    "matchings": lambda: matchings(8),
    "rings": lambda: rings(4, 40),
    "no solution": lambda: langford(6),
    "empty": lambda: Problem({}),
}


@given(problem=problems())
def test_every_heuristic_finds_the_same_set(tree_engine: str, problem: Problem) -> None:
    expected = set(problem.solve(engine="sets"))
    for heuristic in HEURISTICS:
        options = SearchOptions(engine=tree_engine, heuristic=heuristic)
        assert_each_once(problem.solve(options=options), expected)
        assert problem.count(options=options) == len(expected)


def test_leftmost_lists_in_lexicographic_order(tree_engine: str) -> None:
    """Squares row by row: the solutions come in the order of the columns taken in row 1, row 2, ..."""
    board = range(6)
    options = {
        (row, column): [f"r{row}", f"c{column}", f"d{row - column}", f"a{row + column}"]
        for row, column in itertools.product(board, repeat=2)
    }
    primary = [f"r{row}" for row in board]
    secondary = [name for line in options.values() for name in line[1:]]
    problem = Problem(options, primary=primary, secondary=dict.fromkeys(secondary))
    found = list(problem.solve(engine=tree_engine, options=SearchOptions(heuristic="leftmost")))
    assert len(found) == 4
    assert found == sorted(found)


@pytest.mark.parametrize("heuristic", ["mrv", "leftmost"])
@pytest.mark.parametrize("family", FAMILIES)
def test_threads_change_neither_set_nor_order(threaded_engine: str, family: str, heuristic: Heuristic) -> None:
    problem = FAMILIES[family]()
    one = list(problem.solve(engine=threaded_engine, options=SearchOptions(heuristic=heuristic)))
    for jobs in (2, 8):
        search = problem.solve(options=SearchOptions(engine=threaded_engine, jobs=jobs, heuristic=heuristic))
        assert list(search) == one
        assert search.status is (Status.COMPLETE if one else Status.UNSATISFIABLE)
        assert search.statistics.solutions == len(one)
    options = SearchOptions(engine=threaded_engine, jobs=3, heuristic=heuristic)
    assert problem.count(options=options) == len(one)


@given(problem=problems(), seed=st.integers(0, 3))
def test_threads_on_any_problem(threaded_engine: str, problem: Problem, seed: int) -> None:
    one = list(problem.solve(engine=threaded_engine, seed=seed))
    assert list(problem.solve(options=SearchOptions(engine=threaded_engine, seed=seed, jobs=2))) == one
    assert problem.count(options=SearchOptions(engine=threaded_engine, jobs=2)) == len(one)


def test_threads_obey_limits_and_can_count_the_rest(threaded_engine: str) -> None:
    problem, options = Queens(n=8).problem(), SearchOptions(engine=threaded_engine, jobs=2)
    one = list(problem.solve(engine=threaded_engine))
    search = problem.solve(limit=5, options=options)
    assert list(search) == one[:5]
    assert search.status is Status.LIMIT
    search = problem.solve(options=options)
    assert [next(search), next(search)] == one[:2]
    assert search.count() == 92


def test_threads_obey_a_stop_and_hand_over_what_was_found(threaded_engine: str) -> None:
    problem, options = langford(15), SearchOptions(engine=threaded_engine, jobs=2)
    stop = Stop()
    search, found = problem.solve(options=options, stop=stop), []
    for solution in search:
        found.append(solution)
        if len(found) == 20:
            stop.request()
    assert search.status is Status.INTERRUPTED
    assert len(found) == len(set(found)) == search.statistics.solutions
    assert all(problem.verify(solution) for solution in found[:20])
    with pytest.raises(StoppedError) as stopped:
        begun = StopWhen(lambda: counting.statistics.explored > 0)
        counting = problem.solve(options=options, stop=begun)
        counting.count()
    assert stopped.value.status is Status.TIMEOUT
    assert 0.0 < stopped.value.statistics.explored < 1.0


def test_nobody_waits_for_threads_that_nobody_wants() -> None:
    """Neither an iterator that was dropped nor one that was closed leaves threads behind."""
    before = threading.active_count()
    dropped = langford(16).solve(options=SearchOptions(jobs=3))
    next(dropped)
    del dropped
    with langford(16).solve(options=SearchOptions(jobs=3)) as closed:
        next(closed)
    gc.collect()
    wait_until(lambda: threading.active_count() <= before)


def test_more_waits_than_may_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Far more solutions than are held back: threads ahead of their turn wait, and nothing is lost."""
    problem = Polyomino("6x6", "dominoes", copies="any").problem()
    count = 6728
    assert len(set(problem.solve(options=SearchOptions(jobs=2)))) == count
    if "native" in ENGINES:
        for most in (1, 100):
            monkeypatch.setattr("exactcover.engines.threads._MAX_WAITING", most)
            found = list(problem.solve(options=SearchOptions(jobs=2)))
            assert len(found) == len(set(found)) == count


def test_a_failure_in_a_thread_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    if "native" not in ENGINES:
        pytest.skip("installed without a C++ compiler")
    from exactcover.engines.cursor import Pace

    def fail(*_: object, **__: object) -> bool:
        raise MemoryError

    monkeypatch.setattr(Pace, "advance", fail)
    search = langford(8).solve(options=SearchOptions(jobs=2, engine="native"))
    assert list(search) == []
    assert search.status is Status.MEMORY
