"""Runs that count by the parts into which symmetries split a problem."""

import json
import zlib
from pathlib import Path
from typing import Any

import pytest

import classics
from commands import assert_refused, invoke
from exactcover import Goal, Problem, Run, Status, Stop
from exactcover.control.options import ALL, COUNT
from exactcover.errors import StoreError
from exactcover.runs.run_problem import plan_search
from problems.queens import Queens
from small_runs import FINE, InlineExecutor, change_store

pytest.importorskip("exactcover._native", reason="symmetries need the native module")


def make(path: Path, problem: Problem | None = None, **options: Any) -> Run:
    return Run.create(path, problem or Queens(7).problem(), COUNT, policy=FINE, **options)


@pytest.mark.parametrize(
    ("problem", "number"),
    [
        (Queens(9).problem(), 352),
        (classics.langford(7), 52),
        (classics.latin_squares(4), 576),
        (classics.queens_by_twos(5), None),
        (classics.regular_graphs(6, 3), 70),
    ],
)
def test_parts_count_with_their_weights(problem: Problem, number: int | None, tmp_path: Path) -> None:
    run, plain = make(tmp_path / "parts.run", problem), make(tmp_path / "plain.run", problem, symmetry=False)
    assert run.problem.plan is not None
    assert plain.problem.plan is None
    assert run.work(InlineExecutor()) is plain.work(InlineExecutor()) is Status.COMPLETE
    assert run.count() == plain.count() == (plain.count() if number is None else number)
    assert run.status().digest == plain.status().digest
    assert list(run.check(share=1)) == list(plain.check(share=1)) == []
    assert number != 352 or 2 * run.status().nodes < plain.status().nodes


def test_a_run_that_is_stopped_and_resumed(tmp_path: Path) -> None:
    run, stop = make(tmp_path / "some.run", Queens(9).problem()), Stop()

    def end_soon(number: int, task: object) -> None:
        if number == 2:
            stop.request()

    assert run.work(InlineExecutor(end_soon), stop=stop) is Status.INTERRUPTED
    assert 0 <= run.status().solutions < 352
    resumed = Run(run.path, policy=FINE)
    assert resumed.work(InlineExecutor()) is Status.COMPLETE
    assert resumed.count() == 352


def test_a_sweep_is_not_cut(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "dominoes.run", classics.dominoes(14))
    assert run.work(InlineExecutor(lambda *_: pytest.fail("a worker was asked"))) is Status.COMPLETE
    assert run.count() == 112202208776036178000000  # more than 64 bits
    assert list(run.check()) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda plan: [plan[0][:1] + [None] * 9, plan[1]], "the plan of the run is not valid"),
        (lambda plan: [plan[0], "0" * 32], "the plan of the run is not valid"),
        (lambda plan: [[["item", 10**9, []]], plan[1]], "the plan of the run is not valid"),
        (lambda plan: None, "the cubes left by cube root are not exactly the rest of it"),
        (lambda plan: 5, "the stored problem is damaged"),
        (lambda plan: [[[]], plan[1]], "the stored problem is damaged"),
        (lambda plan: [[["item", -1, []]], plan[1]], "the stored problem is damaged"),
    ],
)
def test_a_plan_that_was_changed_is_noticed(change: Any, message: str, tmp_path: Path) -> None:
    run = make(tmp_path / "some.run")
    run.work(InlineExecutor())
    with change_store(run.path) as connection:
        (data,) = connection.execute("SELECT value FROM facts WHERE name = 'problem'").fetchone()
        content = json.loads(zlib.decompress(data))
        data = zlib.compress(json.dumps(content | {"plan": change(content["plan"])}).encode())
        connection.execute("UPDATE facts SET value = ? WHERE name = 'problem'", [data])
    result = invoke("run", "check", str(run.path), "--share", "0.01")
    assert message in result.stdout + result.stderr
    assert result.returncode == 4
    if "cube" not in message:  # only a check divides cubes anew
        assert invoke("run", "status", str(run.path)).returncode == 2


def test_a_part_that_is_missing_is_noticed(tmp_path: Path) -> None:
    run = make(tmp_path / "some.run")
    run.work(InlineExecutor())
    with change_store(run.path) as connection:
        children = connection.execute("SELECT children FROM cubes WHERE path = x''").fetchone()[0]
        connection.execute("UPDATE cubes SET children = children - 1 WHERE path = x''")
        last = (children - 1).to_bytes(4, "big")
        connection.execute("DELETE FROM cubes WHERE substr(path, 1, 4) = ?", [last])
    assert "the root cube is not divided into the parts of the plan" in list(Run(run.path).check())


def test_a_cube_below_a_part_that_the_plan_does_not_have(tmp_path: Path) -> None:
    run = make(tmp_path / "some.run")
    run.work(InlineExecutor())
    with change_store(run.path) as connection:
        connection.execute("UPDATE cubes SET children = children + 1 WHERE path = x''")
        row = connection.execute("SELECT * FROM cubes WHERE path = x'00000000'").fetchone()
        new = plan_search(run.problem, COUNT, Stop()).parts.to_bytes(4, "big")
        connection.execute(f"INSERT INTO cubes VALUES ({', '.join('?' * len(row))})", [new, *row[1:]])
    assert any("a part, that the problem does not have" in fault for fault in Run(run.path).check())
    with pytest.raises(StoreError, match="the plan has fewer parts"):
        Run(run.path).status()


def test_a_sum_that_is_not_a_whole_number_is_no_answer(tmp_path: Path) -> None:
    run = make(tmp_path / "some.run", classics.queens_by_twos(5))
    run.work(InlineExecutor())
    planned = plan_search(run.problem, COUNT, Stop())
    part = next(part for part in range(planned.parts) if planned.weight_of((part,)).denominator > 1)
    with change_store(run.path) as connection:
        change = "UPDATE cubes SET count = CAST(CAST(count AS INTEGER) + 1 AS TEXT) WHERE path = ?"
        connection.execute(change, [part.to_bytes(4, "big")])
    with pytest.raises(StoreError, match="the number of solutions would be"):
        Run(run.path).status()


@pytest.mark.parametrize(("goal", "records"), [(ALL, False), (ALL, True), (Goal("first", 3), False)])
def test_only_a_run_that_counts_uses_symmetry(goal: Goal, records: bool, tmp_path: Path) -> None:
    problem = Queens(6).problem()
    with pytest.raises(ValueError, match="symmetries speed up only a run that counts"):
        Run.create(tmp_path / "some.run", problem, goal, records=records, symmetry=True)
    assert Run.create(tmp_path / "some.run", problem, goal, records=records).problem.plan is None


def test_the_flag_for_symmetries(tmp_path: Path) -> None:
    for flags, plans in ((["--no-symmetry"], False), (["--symmetry"], True), ([], True)):
        path = tmp_path / f"{len(flags)}{plans}.run"
        assert invoke("run", "start", "queens", "n=6", "--store", str(path), "--create-only", *flags).returncode == 0
        assert (Run(path).problem.plan is not None) is plans
    flags = ["--all", "--symmetry", "--store", str(tmp_path / "all.run")]
    assert_refused("symmetries speed up only a run that counts", "run", "start", "queens", "n=6", *flags)
