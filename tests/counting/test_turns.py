"""The scheduler: turns on one thread and on several, and searches that are divided between threads."""

import math
import threading

import pytest
from hypothesis import given

from exactcover import Problem, Stop
from exactcover.control.options import SearchOptions
from exactcover.control.policy import CountingPolicy
from exactcover.control.statistics import Status
from exactcover.control.stop import InnerStop, Stopped
from exactcover.counting.direct import DirectCount, DividedSearch
from exactcover.counting.scheduler import Fiber, Flow, Group, Scheduler, Step, Turn
from exactcover.engines.base import ENGINES
from exactcover.engines.leaves import SearchLeaf
from exactcover.model.matrix import Matrix
from problems import Langford, Queens
from scripted import Scripted, Ticking
from strategies import problems

THREADS = CountingPolicy(threads_seconds=0, least_division=0)


def step(do: object) -> Turn:
    return Step(do).turn(lambda seconds: None)  # type: ignore[arg-type]


def test_two_threads_work_beside_each_other() -> None:
    """Each of two steps waits for the other, so one thread alone would wait for ever."""
    meet = threading.Barrier(2, timeout=60)

    def flow() -> Flow:
        yield step(meet.wait)

    def main() -> Flow:
        yield step(lambda: None)  # on the first thread, before the others start
        yield Group([flow(), flow()])

    Scheduler(Stop(), 2, CountingPolicy(threads_seconds=0)).run(Fiber(main()))
    assert not meet.broken


def test_an_interrupt_while_threads_work_ends_them() -> None:
    """What a thread does in a slice ends too if it polls the stop."""
    threads, begun = threading.active_count(), threading.Event()

    def poll_for_ever() -> None:
        begun.set()
        while True:
            stop.poll()

    class Interrupted(InnerStop):
        def poll(self) -> None:
            super().poll()
            if begun.is_set() and threading.current_thread() is threading.main_thread():
                raise KeyboardInterrupt

    def flow() -> Flow:
        yield step(lambda: None)
        yield step(poll_for_ever)

    stop = Interrupted(Stop())
    with pytest.raises(KeyboardInterrupt):
        Scheduler(stop, 2, THREADS).run(Fiber(flow()))
    assert threading.active_count() == threads


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_stop_ends_all_threads(jobs: int) -> None:
    stop = Stop()
    leaf = Scripted("endless", math.inf, do=lambda: stop.request(Status.TIMEOUT) if leaf.taken > 50 else None)
    direct = DirectCount([leaf], lambda: 1 << 30)
    threads = threading.active_count()
    with pytest.raises(Stopped):
        Scheduler(stop, jobs, CountingPolicy(threads_seconds=0)).run(direct)
    assert not direct.is_done
    assert threading.active_count() == threads


def test_the_preparation_of_a_leaf_is_left_out_of_its_time() -> None:
    clock = Ticking()

    class Prepared(Scripted):
        prepared = 0

        def prepare(self) -> None:
            self.prepared += 1
            clock.read()

    leaf = Prepared("only", 10)
    Scheduler(Stop(), clock=clock).run(DirectCount([leaf], lambda: 1 << 30))
    assert leaf.prepared > 0 and (leaf.taken, leaf.spent) == (10, 10.0)


# -- searches that are divided -----------------------------------------------------------------


def divide_search(matrix: Matrix, jobs: int) -> DividedSearch:
    """Count by turns that are as short as can be, after each of which the search is divided; return the search."""
    (first,) = ENGINES["native"].leaves(matrix, Stop(), SearchOptions(), THREADS)
    assert isinstance(first, SearchLeaf)
    search = DividedSearch(first, jobs, THREADS)
    more = True
    while more:
        leaf = search.idle_leaf()
        assert leaf is not None
        leaf.prepare()
        more = search.has_more(leaf, more=leaf.work(64))
        if more and search.divisions < 200:
            search.divide()
            more = not search.is_exhausted
    return search


@pytest.mark.skipif("native" not in ENGINES, reason="divides in C++")
@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_a_divided_search_counts_every_solution_once(jobs: int) -> None:
    for problem, number in ((Queens(n=12).problem(), 14200), (Langford(n=11).problem(), 35584)):
        search = divide_search(problem.matrix, jobs)
        assert search.total() == number
        assert search.divisions > 0
        assert search.explored() == pytest.approx(1.0)


@pytest.mark.skipif("native" not in ENGINES, reason="divides in C++")
def test_a_search_may_be_divided_at_any_moment_up_to_its_end() -> None:
    matrix, number = Queens(n=9).problem().matrix, 352
    ended = 0
    for slices in range(200, 330):
        (first,) = ENGINES["native"].leaves(matrix, Stop(), SearchOptions(), THREADS)
        assert isinstance(first, SearchLeaf)
        search = DividedSearch(first, 2, THREADS)
        first.prepare()
        more = all(search.has_more(first, more=first.work(16)) for _ in range(slices))
        if more:
            search.divide()
        ended += search.is_exhausted
        while not search.is_exhausted:
            leaf = search.idle_leaf()
            assert leaf is not None
            leaf.prepare()
            search.has_more(leaf, more=leaf.work(1 << 10))
        assert search.total() == number
        assert search.explored() == pytest.approx(1.0)
    assert ended > 0


@pytest.mark.skipif("native" not in ENGINES, reason="divides in C++")
@given(problem=problems())
def test_so_does_one_of_any_problem(problem: Problem) -> None:
    assert divide_search(problem.matrix, 3).total() == len(list(problem.solve(engine="sets")))


@pytest.mark.skipif("native" not in ENGINES, reason="divides in C++")
@pytest.mark.parametrize("name", ["native", "diagram"])
def test_threads_that_have_nothing_to_do_get_a_share_of_a_search(name: str) -> None:
    problem = Queens(n=9).problem()
    options = SearchOptions(strategy="search") if name == "diagram" else SearchOptions()
    leaves = ENGINES[name].leaves(problem.matrix, Stop(), options, THREADS)
    direct = DirectCount(leaves, lambda: 1 << 30, 3, THREADS)
    Scheduler(Stop(), 3, THREADS).run(direct)
    assert direct.solutions == 352
