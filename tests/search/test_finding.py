"""Finding one solution in several ways: each may win, none is asked twice, and the result does not depend on the clock."""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings

from classics import langford, quadruples
from commands import StopAfter
from exactcover import Problem, Status, StoppedError
from exactcover.control.options import Goal, SearchOptions
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.control.stop import InnerStop, Stop, Stopped
from exactcover.engines.base import ENGINES, MatrixQuery
from exactcover.engines.cursor import EngineRun
from exactcover.search.finding import Finder, FindRun, GivenUpError, ProbingRun, ThreadedFindRun
from oracles import assert_each_once, brute_force
from policies import EAGER, start_search
from problems import Langford, Queens
from problems.grid import Grid
from strategies import problems


@pytest.mark.parametrize("policy", [DEFAULT_POLICY, EAGER], ids=["default", "eager"])
@given(problem=problems())
@settings(deadline=None)
def test_there_is_a_solution_or_none(policy: CountingPolicy, problem: Problem) -> None:
    expected = brute_force(problem)
    search = start_search(problem, policy, goal=Goal("first", 1))
    found = list(search)
    assert len(found) == bool(expected)
    assert {*map(frozenset, found)} <= expected
    assert search.status is (Status.LIMIT if expected else Status.UNSATISFIABLE)


@pytest.mark.skipif("native" not in ENGINES, reason="it would take long")
def test_problems_that_a_plain_search_does_not_solve() -> None:
    for problem in (Langford(n=40).problem(), quadruples(16)):
        search = problem.solve(limit=1)
        (solution,) = search
        assert problem.verify(solution)
        assert search.statistics.details["won by"] != "search"


@pytest.mark.parametrize("jobs", [2, 3, 8])
def test_threads_count_the_turns_that_one_thread_takes(jobs: int) -> None:
    for ends in ((90, 60, 70), (200, 50, 48), (30, 10**9, 10**9)):
        details = []
        for threads in (1, jobs):
            solutions = [lambda k=k: (k,) for k in range(3)]
            runs = [Counting(turns, end) for turns, end in zip(ends, solutions, strict=True)]
            run = make_finders(*runs, jobs=threads)
            solution = next(run)
            details.append((solution, run.nodes, run.details["won by"], run.details["work"]))
            run.close()
        assert details[0] == details[1]


@pytest.mark.skipif("native" not in ENGINES, reason="trials are C++ code")
def test_probing_chooses_and_removes_what_trials_decide() -> None:
    from exactcover.engines.native import Probe

    options = {"a": ["n", "x"], "b": ["n", "y"], "c": ["m", "x"], "d": ["m"]}
    probe = Probe(Problem(options, primary=["n", "m"], secondary=["x", "y"], multiplicity={"n": 2}).matrix, Stop())
    while not probe.advance():
        pass
    rest = probe.restrict()  # a and b are needed, a excludes c, and d is left for m
    assert (probe.list_removed(), len(rest.matrix), [*rest.lift(())]) == ([2], 0, [0, 1, 3])
    free = [(k, [f"pair {k // 2}"]) for k in range(400)]
    dead = Problem([*free, ("A", ["x", "z"]), ("B", ["y", "z"])], secondary=["z"])
    rest_run = Counting(1, fail(StopIteration))
    run = ProbingRun(dead.matrix, Stop(), lambda part: Counting(10**9, tuple) if len(part) else rest_run)
    assert list(run) == []  # although few options are decided


@pytest.mark.skipif("native" not in ENGINES, reason="trials are C++ code")
@given(problem=problems())
@settings(deadline=None)
def test_probing_loses_no_solution_and_finds_none_twice(problem: Problem) -> None:
    assume(not problem.matrix.weighted)
    engine, matrix = ENGINES["native"], replace(problem.matrix, costs=())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("exactcover.engines.native.LEAST_DECIDED", 0)
        run = ProbingRun(matrix, Stop(), lambda part: engine.start(MatrixQuery(part, Stop())))
        assert_each_once(map(problem.labels_of, run), brute_force(problem))


@pytest.mark.skipif("native" not in ENGINES, reason="trials are C++ code")
def test_probing_solves_what_simple_steps_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        "64 60  .  .  .  .  8  .", " . 61  .  .  . 12  .  .", " .  .  .  . 39  .  .  .", "56  .  . 35 25  .  5  2",
        "18  .  .  .  .  . 30  .", " . 54  .  .  .  .  .  .", " .  . 50  .  .  . 44  .", " .  .  .  .  .  .  .  .",
    ]  # fmt: skip
    problem = Grid("\n".join(rows), symbols="1-64", constraints=({"path": "king"},)).problem()
    search = problem.solve(limit=2)
    assert len(list(search)) == 1
    assert search.statistics.details["won by"] == "probing"
    with pytest.raises(GivenUpError):
        next(ProbingRun(Langford(n=12).problem().matrix, Stop(), lambda part: Counting(1, tuple)))
    stop = Stop()
    monkeypatch.setattr(stop, "has_memory", lambda size: size < 1 << 16)
    with pytest.raises(GivenUpError):
        ProbingRun(problem.matrix, stop, lambda part: Counting(1, tuple))


@pytest.mark.skipif("native" not in ENGINES, reason="polls of C++ code")
def test_the_solution_depends_on_the_problem_and_the_seed_alone() -> None:
    problem = Langford(n=40).problem()
    first = {next(problem.solve(limit=1)) for _ in range(3)}
    assert len(first) == 1
    assert len({next(problem.solve(limit=1, seed=seed)) for seed in range(4)}) > 1


def test_find_returns_a_solution_or_none_or_raises() -> None:
    problem = Queens(n=6).problem()
    found = problem.find()
    assert found is not None
    assert problem.verify(found)
    assert problem.find(given=problem.labels[:1]) is None  # no queen stands in a corner
    assert langford(6).find() is None
    with pytest.raises(StoppedError) as stopped:
        Queens(n=30).problem().find(timeout=0)
    assert stopped.value.status is Status.TIMEOUT


class Counting(EngineRun):
    """A run that needs a number of turns, and then finds something, or ends, or fails."""

    def __init__(self, turns: int, end: Callable[[], tuple[int, ...]]) -> None:
        super().__init__()
        self._turns, self._end, self.taken = turns, end, 0

    def __next__(self) -> tuple[int, ...]:
        raise AssertionError("it is asked in turns")

    def search_on(self) -> tuple[int, ...] | None:
        self.taken += 1
        return self._end() if self.taken == self._turns else None

    @property
    def nodes(self) -> int:
        return self.taken


def fail(error: type[BaseException] | BaseException) -> Callable[[], tuple[int, ...]]:
    def end() -> tuple[int, ...]:
        raise error

    return end


def make_finders(*runs: Counting, stop: Stop | None = None, jobs: int = 1) -> FindRun:
    finders = [Finder(str(k), lambda run=run: run, k - 1, lambda run: run.nodes) for k, run in enumerate(runs)]  # type: ignore[misc]
    stop = stop or Stop()
    return FindRun(finders, stop) if jobs == 1 else ThreadedFindRun(finders, InnerStop(stop), jobs)


def test_turns_go_to_the_way_that_has_done_the_least() -> None:
    slow, quick, other = Counting(10**9, tuple), Counting(50, lambda: (1,)), Counting(10**9, tuple)
    run = make_finders(slow, quick, other)
    assert next(run) == (1,)
    assert [slow.taken, other.taken] == pytest.approx([50, 50], abs=2)
    assert (run.solutions, run.details["won by"]) == (1, "1")
    with pytest.raises(StopIteration):
        next(run)


def test_ways_do_work_by_their_shares() -> None:
    runs = [Counting(10**9, tuple) for _ in range(3)]
    finders = [
        Finder(str(share), lambda run=run: run, -1, lambda run: run.nodes, share)  # type: ignore[misc]
        for run, share in zip(runs, (2, 1, 0.25), strict=True)
    ]
    run = FindRun(finders, Stop())
    assert [run.search_on() for _ in range(1300)] == [None] * 1300
    assert [one.taken for one in runs] == pytest.approx([800, 400, 100], abs=2)


class Boasting(Counting):
    """A run that believes that it is nearly done."""

    def explored(self) -> float:
        return 0.999


@pytest.mark.parametrize("jobs", [1, 2])
def test_no_way_waits_for_the_estimate_of_another(jobs: int) -> None:
    boasting = Boasting(10**9, tuple)
    run = make_finders(boasting, Counting(300, lambda: (1,)), jobs=jobs)
    assert next(run) == (1,)
    run.close()
    assert run.nodes <= 2 * 300 + 2


@pytest.mark.skipif("learning" not in ENGINES, reason="there is no learning")
@pytest.mark.skipif("native" not in ENGINES, reason="it takes no turns")
def test_a_way_waits_until_others_have_done_what_it_costs_to_begin_it() -> None:
    problem, begun = langford(10), []
    for cost in (0, 1 << 20):
        policy = replace(EAGER, work_per_learned_entry=cost)
        search = start_search(problem, policy, goal=Goal("first", 1))
        assert list(search) == []
        begun.append("learning" in str(search.statistics.details["work"]))
    assert begun == [True, False]


def test_weights_are_tried_if_there_is_enough_work_for_the_matrix() -> None:
    problem = langford(10)
    for work, is_known in ((problem.matrix.starts[-1], False), (1 << 20, True)):
        search = start_search(problem, replace(DEFAULT_POLICY, weight_work=work), goal=Goal("first", 1))
        assert list(search) == []
        assert (search.reason is not None) == is_known


def test_a_way_without_memory_is_given_up_unless_it_is_the_first() -> None:
    for error in (MemoryError, Stopped(Status.MEMORY)):  # which may be a limit of its own
        assert next(make_finders(Counting(40, lambda: (7,)), Counting(5, fail(error)))) == (7,)
    with pytest.raises(MemoryError):
        next(make_finders(Counting(5, fail(MemoryError)), Counting(40, lambda: (7,))))


@pytest.mark.parametrize("error", [Stopped(Status.INTERRUPTED), GivenUpError, MemoryError])
def test_a_stop_in_any_way_ends_the_search_also_if_another_way_is_given_up(error: Any) -> None:
    stop = Stop()
    stop.request()
    runs = Counting(9, fail(Stopped(Status.INTERRUPTED))), Counting(5, fail(error))
    with pytest.raises(Stopped):
        next(make_finders(*runs, stop=stop))


def test_a_stop_is_obeyed_in_every_way() -> None:
    problem = langford(9)  # no solution, which takes a while to see
    stopped = 0
    for polls in (0, 1, 4, 19, 99):
        search = start_search(problem, EAGER, goal=Goal("first", 1), stop=StopAfter(polls))
        assert list(search) == []
        stopped += search.status is Status.TIMEOUT
        assert search.status in (Status.TIMEOUT, Status.UNSATISFIABLE)
    assert stopped > 0


@pytest.mark.skipif("native" not in ENGINES, reason="the engine sets has no threads")
def test_threads_find_the_solution_that_one_thread_finds() -> None:
    for problem in (Langford(n=40).problem(), Queens(n=30).problem(), quadruples(14)):
        found = set()
        for jobs in (1, 2, 4):
            search = problem.solve(limit=1, options=SearchOptions(jobs=jobs))
            found.add((next(search), search.statistics.nodes, str(search.statistics.details.get("work"))))
        assert len(found) == 1


def test_errors_and_ends_on_threads_are_those_of_one_thread() -> None:
    endless = 10**9
    assert list(make_finders(Counting(endless, tuple), Counting(5, fail(StopIteration)), jobs=2)) == []
    run = make_finders(Counting(40, lambda: (7,)), Counting(5, fail(MemoryError)), jobs=2)
    assert next(run) == (7,)
    for error in (MemoryError, Stopped(Status.NODES), KeyError):
        run = make_finders(Counting(5, fail(error)), Counting(endless, tuple), jobs=2)
        with pytest.raises(error if isinstance(error, type) else Stopped):
            next(run)
        run.close()


@pytest.mark.skipif("native" not in ENGINES, reason="the engine sets has no threads")
def test_threads_end_at_a_stop_and_with_the_search() -> None:
    before = threading.active_count()
    options, stop = SearchOptions(jobs=3), StopAfter(50)
    search = start_search(quadruples(18), DEFAULT_POLICY, options, goal=Goal("first", 1), stop=stop)
    assert list(search) == []
    assert search.status is Status.TIMEOUT
    with quadruples(18).solve(limit=1, options=SearchOptions(jobs=2)) as search:
        pass
    assert search.status is Status.INTERRUPTED
    assert threading.active_count() <= before + 2  # those that talk to processes that wait for another problem
