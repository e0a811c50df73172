"""Runs give the answers of searches, however they are cut, stopped and resumed."""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import classics
from exactcover import EngineUnavailableError, Goal, Problem, Run, Status, Stop, StoppedError
from exactcover.control.options import ALL, COUNT, DIAGRAM
from exactcover.errors import StoreError
from exactcover.runs.cube_worker import CubeTask
from small_runs import InlineExecutor, numbered
from strategies import instances, priced, problems


@given(instance=instances(problems()), data=st.data())
def test_counts_and_lists(
    tree_engine: str, instance: Problem, data: st.DataObject, tmp_path: Path, cut_finely: None
) -> None:
    expected = sorted(instance.search().positions())
    count = Run.create(numbered(tmp_path), instance, engine=tree_engine)
    assert count.work(InlineExecutor(), workers=2) is (Status.COMPLETE if expected else Status.UNSATISFIABLE)
    assert count.count() == len(expected)
    listing = Run.create(numbered(tmp_path), instance, ALL, engine=tree_engine, reduce=data.draw(st.booleans()))
    listing.work(InlineExecutor(), workers=2)
    assert sorted(listing.solutions()) == expected
    assert [list(run.check(share=1)) for run in (count, listing)] == [[], []]
    limit = data.draw(st.integers(1, 4))
    first = Run.create(numbered(tmp_path), instance, Goal("first", limit), engine=tree_engine, reduce=False)
    first.work(InlineExecutor(), workers=2)
    again = Run.create(numbered(tmp_path), instance, ALL, engine=tree_engine, reduce=False)
    again.work(InlineExecutor(), workers=2)
    assert list(first.solutions()) == list(again.solutions())[:limit]
    assert list(first.check(share=1)) == []


def test_counts_where_costs_are_negative(tmp_path: Path) -> None:
    """They matter to the cheapest solutions alone."""
    problem = Problem({"A": [1], "B": [1]}, costs={"A": -1})
    run = Run.create(tmp_path / "run", problem, COUNT)
    run.work(InlineExecutor(), workers=1)
    assert Run(tmp_path / "run").count() == 2
    with pytest.raises(ValueError, match="costs of at least 0"):
        Run.create(tmp_path / "other", problem, Goal("cheapest", 1))


@given(problem=priced(), k=st.integers(1, 4))
def test_the_cheapest(tree_engine: str, problem: Problem, k: int, tmp_path: Path, cut_finely: None) -> None:
    run = Run.create(numbered(tmp_path), problem, Goal("cheapest", k), engine=tree_engine)
    search = problem.cheapest(k, engine="sets")
    expected = [problem.cost(one) for one in search]
    assert run.work(InlineExecutor(), workers=1) is search.status
    found = list(run.solutions())
    assert len(set(found)) == len(found)
    assert [run.problem.cost_of(one) for one in found] == [problem.cost_of(one) for one in found] == expected
    assert (*run.problem.primary, *run.problem.secondary) == tuple(map(str, problem.items))
    assert list(run.check()) == []


def test_solutions_come_in_the_order_of_the_tree(tmp_path: Path, cut_finely: None) -> None:
    problem = classics.langford(7)
    orders = []
    for workers in (1, 3):
        run = Run.create(numbered(tmp_path), problem, ALL)
        with ThreadPoolExecutor(workers) as threads:
            run.work(threads)
        orders.append(list(run.solutions()))
    assert orders[0] == orders[1]
    assert len(orders[0]) == len(set(orders[0])) == 52


@pytest.mark.parametrize("make", [lambda: ThreadPoolExecutor(2), lambda: ProcessPoolExecutor(2), lambda: None])
def test_executors(make: Any, tmp_path: Path) -> None:
    run = Run.create(tmp_path / "some.run", classics.langford(8))
    executor = make()
    assert run.work(executor, workers=2) is Status.COMPLETE
    assert run.count() == 300
    if executor is not None:
        executor.shutdown()


def test_a_run_that_is_stopped_again_and_again(installed_tree_engine: str, tmp_path: Path, cut_finely: None) -> None:
    problem = classics.langford(7)
    whole = Run.create(tmp_path / "whole.run", problem, ALL, engine=installed_tree_engine)
    whole.work(InlineExecutor(), workers=2)
    run, sessions = Run.create(tmp_path / "stopped.run", problem, ALL, engine=installed_tree_engine), 0
    while run.status().status is Status.RUNNING:
        sessions += 1
        stop = Stop()
        executor = InlineExecutor(lambda number, _, stop=stop: stop.request() if number >= 20 else None)  # type: ignore[misc]
        status = run.work(executor, workers=2, stop=stop)
        assert status in (Status.INTERRUPTED, Status.COMPLETE)
        if status is Status.INTERRUPTED:
            with pytest.raises(StoppedError) as stopped:
                run.count()
            assert stopped.value.at_least <= 52
    assert sessions > 3
    assert run.count() == 52
    assert run.status().digest == whole.status().digest
    assert list(run.solutions()) == list(whole.solutions())
    assert list(run.check(share=1)) == []


def test_cubes_that_fail_are_tried_again(tmp_path: Path, cut_finely: None) -> None:
    run = Run.create(tmp_path / "some.run", classics.langford(7))
    failing = InlineExecutor(lambda number, _: OSError("gone") if number % 3 == 1 else None)
    assert run.work(failing, workers=2) is Status.COMPLETE
    assert run.count() == 52


def test_cubes_that_fail_three_times_are_set_aside(tmp_path: Path, cut_finely: None) -> None:
    run = Run.create(tmp_path / "some.run", classics.langford(7))
    large = InlineExecutor(lambda _, task: MemoryError("too large") if task.cube.path[-1] == 0 else None)
    assert run.work(large, workers=1) is Status.RUNNING
    summary = run.status()
    assert summary.failed > 0
    assert all("MemoryError: too large" in reason for reason in summary.reasons)
    with pytest.raises(StoppedError) as stopped:
        run.count()
    assert stopped.value.at_least < 52
    assert list(run.check(share=1)) == []
    assert run.retry_failed() == summary.failed
    assert run.work(InlineExecutor()) is Status.COMPLETE
    assert run.count() == 52


def test_solutions_after_a_cube_that_was_set_aside_are_not_the_first(tmp_path: Path, cut_finely: None) -> None:
    problem = classics.langford(7)
    whole = Run.create(tmp_path / "whole.run", problem, ALL, reduce=False)
    whole.work(InlineExecutor())
    run = Run.create(tmp_path / "some.run", problem, Goal("first", 52), reduce=False)

    def fail(_: int, task: CubeTask) -> Exception | None:
        return MemoryError("too large") if task.cube.path and task.cube.path[0] == 1 else None

    assert run.work(InlineExecutor(fail), workers=1) is Status.RUNNING
    found = list(run.solutions())
    assert found == list(whole.solutions())[: len(found)]
    assert len(found) == run.status().solutions < 52


def test_what_a_run_refuses(tmp_path: Path) -> None:
    problem = Problem({"A": [1], "B": [1]})
    run = Run.create(tmp_path / "some.run", problem)
    text, other = tmp_path / "text", tmp_path / "other.run"
    text.write_text("no store")
    calls: list[tuple[Callable[[], object], type[Exception], str]] = [
        (lambda: next(run.solutions()), ValueError, "the run only counts solutions"),
        (lambda: Run.create(run.path, problem), StoreError, "already holds a run; to continue that run"),
        (lambda: Run.create(text, problem), StoreError, "the file already exists"),
        (lambda: Run(text), StoreError, "not the store"),
        (lambda: Run(other), StoreError, "no such file"),
        (lambda: Run.create(other, problem, DIAGRAM), ValueError, "cannot build a diagram"),
        (lambda: Run.create(other, problem, engine="cpsat"), EngineUnavailableError, "cannot divide"),
        (lambda: run.work(workers=0), ValueError, "workers must be at least 1, or None; got 0"),
        (lambda: run.work(memory=0), ValueError, "memory must be at least 1, or None; got 0"),
        (lambda: run.work(timeout=-1), ValueError, "timeout must be at least 0, or None; got -1"),
        (lambda: list(run.check(share=3)), ValueError, "share must be from 0 to 1; got 3"),
        (lambda: run.work(workers="3"), TypeError, "workers must be a whole number or None; got '3'"),  # type: ignore[arg-type]
        (lambda: run.write_certificate("f"), TypeError, "file must be an open binary file; got 'f'"),  # type: ignore[arg-type]
    ]
    for call, error, words in calls:
        with pytest.raises(error, match=words):
            call()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["some.run", "text"]
    with run._open_for_work(Stop()), pytest.raises(StoreError, match="is already working on this run"):
        run.work(InlineExecutor())


def test_problems_of_which_the_answer_is_known(tmp_path: Path) -> None:
    nothing = Run.create(tmp_path / "nothing.run", Problem({"A": [1]}, primary=[1, 2]), ALL)
    assert nothing.work(InlineExecutor()) is Status.UNSATISFIABLE
    assert nothing.status().reasons == ("item 2 has no option",) or "2" in nothing.status().reasons[0]
    empty = Run.create(tmp_path / "empty.run", Problem({}), ALL)
    assert empty.work(InlineExecutor()) is Status.COMPLETE
    assert list(empty.solutions()) == [()]
    assert list(empty.check(share=1)) == list(nothing.check(share=1)) == []
