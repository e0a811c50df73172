"""Restarts, and estimates of the tree."""

import gc
import threading
import weakref
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classics import langford
from exactcover import Problem, SearchOptions, Status
from exactcover.control.stop import Stop, Stopped
from exactcover.engines.base import ENGINES, MatrixQuery
from exactcover.engines.cursor import EngineRun
from exactcover.engines.sets import SetsEngine
from exactcover.search.finding import RestartsRun, ThreadedRestartsRun
from problems import Langford, Polyomino, Queens
from strategies import problems


@given(problem=problems(most_options=15, most_primary=8), seed=st.integers(0, 9))
def test_one_solution_or_a_proof(tree_engine: str, problem: Problem, seed: int) -> None:
    search = problem.solve(limit=1, seed=seed, engine=tree_engine, options=SearchOptions(restarts=True))
    found = list(search)
    assert bool(found) == (problem.count() > 0)
    assert all(problem.verify(solution) for solution in found)
    assert search.status is (Status.LIMIT if found else Status.UNSATISFIABLE)
    assert found == list(problem.solve(limit=1, seed=seed, engine=tree_engine, options=SearchOptions(restarts=True)))


@pytest.mark.parametrize("make", [lambda: langford(9), lambda: langford(8), lambda: Queens(n=20).problem()])
def test_attempts_ahead_of_time_change_nothing(make: Callable[[], Problem]) -> None:
    matrix, engine = make().matrix, ENGINES.get("native", ENGINES["sets"])
    options = SearchOptions(restarts=True, seed=1)
    alone = RestartsRun(engine, matrix, Stop(), options)
    ahead = ThreadedRestartsRun(engine, matrix, Stop(), options, 3)
    before = threading.active_count()
    assert list(alone) == list(ahead)
    assert (alone.nodes, alone.work, alone.details["attempts"]) == (ahead.nodes, ahead.work, ahead.details["attempts"])
    ahead.close()
    assert threading.active_count() <= before


def test_attempts_ahead_of_time_end_with_the_stop_and_with_the_run() -> None:
    matrix, engine = Langford(n=40).problem().matrix, ENGINES.get("native", ENGINES["sets"])
    for is_stopped in (False, True):
        stop = Stop()
        run = ThreadedRestartsRun(engine, matrix, stop, SearchOptions(seed=3), 2)
        run.search_on()
        if is_stopped:
            stop.request()
            with pytest.raises(Stopped):
                for _ in range(10):
                    run.search_on()
        run.close()
        assert not any(thread.is_alive() for thread in run._ahead.threads._threads)


def test_errors_of_attempts_ahead_of_time_are_raised_in_their_turn() -> None:
    class FailingEngine(SetsEngine):
        begun = 0

        def start(self, query: MatrixQuery) -> EngineRun:
            self.begun += 1
            if self.begun > 1:
                raise MemoryError
            return super().start(query)

    matrix = Langford(n=41).problem().matrix  # without a solution, so no attempt ends the run before the error
    run = ThreadedRestartsRun(FailingEngine(), matrix, Stop(), SearchOptions(), 1)
    with pytest.raises(MemoryError):
        list(run)
    run.close()


def test_attempts_grow_until_the_tree_is_searched(tree_engine: str) -> None:
    side = 8 if tree_engine.startswith("native") else 4  # the tree must be larger than the first attempt may search
    holes = ((1, 1), (side, 8))  # of one color, so there is no solution
    problem = Polyomino(f"{side}x8", "dominoes", copies="any", holes=holes).problem()
    search = problem.solve(limit=1, engine=tree_engine, options=SearchOptions(restarts=True))
    assert list(search) == []
    assert search.status is Status.UNSATISFIABLE
    assert int(search.statistics.details["attempts"]) > 1


def test_the_memory_of_an_attempt_is_freed_at_once(tree_engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, started = ENGINES[tree_engine], list[weakref.ref[EngineRun]]()
    start = engine.start

    def note(query: MatrixQuery) -> EngineRun:
        attempt = start(query)
        started.append(weakref.ref(attempt))
        return attempt

    monkeypatch.setattr(engine, "start", note)
    attempts = RestartsRun(engine, langford(10).matrix, Stop(), SearchOptions(restarts=True))
    gc.disable()
    try:
        for number in range(1, 4):
            assert attempts.search_on() is None
            assert len(started) == number
            assert not any(reference() for reference in started)
    finally:
        gc.enable()


@pytest.mark.skipif("native" not in ENGINES, reason="nodes of sets take long")
def test_an_attempt_does_more_work_than_its_order_costs() -> None:
    matrix = Polyomino("20x20", "dominoes", copies="any", holes=((1, 1), (20, 20))).problem().matrix
    attempts = RestartsRun(ENGINES["native"], matrix, Stop(), SearchOptions(restarts=True))
    assert attempts.search_on() is None
    least = 36 * len(matrix.entries)
    assert least <= attempts.work < 2 * least
    assert attempts.nodes > 5000
