"""Stores whose checksums are right, but which hold something that does not follow from their problem."""

import contextlib
import io
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import classics
from commands import StopWhen, invoke
from exactcover import Goal, Problem, ProblemError, Run, Status, StoppedError
from exactcover.control.options import ALL, COUNT
from exactcover.errors import StoreError
from exactcover.runs.problem import RunProblem
from exactcover.runs.records import seal
from exactcover.runs.store import _FACTS
from small_runs import InlineExecutor, cut_finely
from strategies import priced, problems


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_finely(monkeypatch)


def forge(path: Path, change: Callable[[RunProblem], RunProblem], *, cubes: bool = True) -> None:
    """Replace the problem of a store, with the right checksums, and remove the cubes if that is asked for."""
    problem = change(Run(path).problem)
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        facts: dict[str, Any] = dict(connection.execute("SELECT name, value FROM facts"))
        facts |= {"problem": problem.to_bytes(), "key": f'"{problem.key}"'}
        facts["seal"] = seal([(name, facts[name]) for name in _FACTS])
        connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", facts.items())
        if not cubes:
            connection.execute("DELETE FROM cubes")


def pretend_a_reason(problem: RunProblem) -> RunProblem:
    return replace(problem, reason="item 1 cannot be covered")


def test_a_forged_reason_is_no_answer(tmp_path: Path) -> None:
    path = tmp_path / "some.run"
    Run.create(path, classics.langford(4), ALL)
    forge(path, pretend_a_reason, cubes=False)
    message = "it does not follow from the problem that there is no solution (item 1 cannot be covered)"
    for verb in (["resume"], ["status"], ["export"]):
        result = invoke("run", *verb, str(path))
        assert (result.returncode, message in result.stderr) == (2, True), (verb, result)
    checked = invoke("run", "check", str(path), "--share", "1")
    assert (checked.returncode, message in checked.stderr) == (4, True)
    with pytest.raises(StoreError, match="does not follow"):
        Run(path).count()


def search_another(problem: RunProblem) -> RunProblem:
    """Search the problem without one of its options."""
    options = [(k, [item for item, _ in problem.matrix.option(k)]) for k in range(len(problem.matrix))]
    other = Problem(options[:-1], primary=range(problem.matrix.primary)).matrix
    positions = problem.searched.positions[:-1]
    return replace(problem, searched=replace(problem.searched, matrix=other, positions=positions))


def choose_before(problem: RunProblem) -> RunProblem:
    first, *positions = problem.searched.positions
    return replace(problem, searched=replace(problem.searched, positions=(*positions, first)))


@pytest.mark.parametrize("change", [search_another, choose_before])
@pytest.mark.parametrize("records", [False, True])
def test_what_was_searched_is_compared_with_the_problem(
    change: Callable[[RunProblem], RunProblem], records: bool, tmp_path: Path
) -> None:
    run = Run.create(tmp_path / "some.run", classics.langford(7), reduce=False, records=records)
    forge(run.path, change)
    forged = Run(run.path)
    forged.work(InlineExecutor(), workers=2)
    message = "what was searched is not what the givens and excluded options leave of the problem"
    assert message in list(forged.check(share=1))
    if records:
        with pytest.raises(StoreError, match=message):
            forged.write_certificate(io.BytesIO())


@given(problem=problems() | priced(), data=st.data())
def test_what_is_prepared_follows_from_the_problem(problem: Problem, data: st.DataObject, tmp_path: Path) -> None:
    some = st.lists(st.sampled_from(problem.labels), max_size=2) if problem.labels else st.just([])
    goal = data.draw(st.sampled_from([COUNT, ALL, Goal("first", 2), Goal("cheapest", 2)]))
    instance = problem.instance(data.draw(some), data.draw(some))
    path = tmp_path / f"{len(list(tmp_path.iterdir()))}.run"
    run = Run.create(path, instance, goal, engine="sets", reduce=data.draw(st.sampled_from([None, False, True])))
    assert list(Run(path).check(share=0)) == []
    if run.problem.reason is not None:
        assert run.work(InlineExecutor(), workers=1) is Status.UNSATISFIABLE
        stopped = StopWhen(lambda: True)
        with pytest.raises(StoppedError):
            Run(path).work(InlineExecutor(), workers=1, stop=stopped)


def test_a_statement_counts_only_if_the_problem_shows_it(tmp_path: Path) -> None:
    odd = [(f"{a}{b}", [a, b]) for a, b in ("ab", "bc", "ca")]
    run = Run.create(tmp_path / "odd.run", Problem(odd, impossible="three is odd"), ALL)
    assert run.work(InlineExecutor(), workers=1) is Status.UNSATISFIABLE
    assert run.status().reasons == ("three is odd",)
    with pytest.raises(ProblemError, match="no solution, but the store of a run could not show the reason: so it is"):
        Run.create(tmp_path / "some.run", Problem({"A": [1]}, impossible="so it is"))
    assert not (tmp_path / "some.run").exists()


def test_an_option_without_a_primary_item_is_damage(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "some.run", classics.langford(3))
    empty = Problem({"A": [1], "B": [2]}, primary=[1, 2]).matrix

    def empty_an_option(problem: RunProblem) -> RunProblem:
        matrix = replace(empty, starts=empty.starts[:1] + empty.starts[:1] + empty.starts[2:])
        return replace(problem, matrix=matrix, labels=("A", "B"), items=("1", "2"))

    forge(run.path, empty_an_option)
    with pytest.raises(StoreError, match="an option has no primary item"):
        Run(run.path)
