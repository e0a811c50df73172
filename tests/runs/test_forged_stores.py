"""Stores whose checksums are right, but which hold something that does not follow from their problem."""

import contextlib
import io
import json
import sqlite3
import textwrap
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import classics
from commands import StopWhen, assert_refused, invoke, run, write_plugin
from exactcover import Goal, Problem, ProblemError, Run, Status, StoppedError
from exactcover.control.options import ALL, COUNT
from exactcover.errors import StoreError
from exactcover.runs.plan import Plan
from exactcover.runs.run_problem import RunProblem
from problems import Polyomino
from small_runs import InlineExecutor, change_store, numbered
from strategies import instances, priced, problems

pytestmark = pytest.mark.usefixtures("cut_finely")


def forge(path: Path, change: Callable[[RunProblem], RunProblem], *, cubes: bool = True) -> None:
    """Replace the problem of a store, with the right checksums, and remove the cubes if that is asked for."""
    problem = change(Run(path).problem)
    with change_store(path) as connection:
        connection.execute("UPDATE facts SET value = ? WHERE name = 'problem'", [problem.to_bytes()])
        if not cubes:
            connection.execute("DELETE FROM cubes")


def test_a_forged_reason_is_no_answer(tmp_path: Path) -> None:
    path = tmp_path / "some.run"
    Run.create(path, classics.langford(4), ALL)
    forge(path, lambda problem: replace(problem, reason="item 1 cannot be covered"), cubes=False)
    message = "it does not follow from the problem that there is no solution (item 1 cannot be covered)"
    for verb in ("resume", "status", "export"):
        assert_refused(message, "run", verb, str(path))
    assert_refused(message, "run", "check", str(path), "--share", "1", status=4)
    with pytest.raises(StoreError, match="does not follow"):
        Run(path).count()


ROWS = {"A": "ab", "B": "c", "C": "a", "D": "bc", "E": "d", "F": "ab", "G": "b"}
REDUCIBLE = Problem({label: list(items) for label, items in ROWS.items()})

READERS: list[Callable[[Run], object]] = [
    lambda run: run.work(InlineExecutor(), workers=2),
    lambda run: run.status(),
    lambda run: list(run.solutions()),
    lambda run: run.write_certificate(io.BytesIO()),
]


def test_facts_that_are_forged_alone_fit_to_no_record(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "some.run", classics.langford(7))
    other = Run.create(tmp_path / "other.run", classics.langford(8))
    run.work(InlineExecutor(), workers=2)
    with contextlib.closing(sqlite3.connect(run.path)) as connection, connection:
        connection.execute("ATTACH ? AS other", [str(other.path)])
        connection.execute("INSERT OR REPLACE INTO facts SELECT * FROM other.facts")
    with pytest.raises(StoreError, match="the record of cube root is damaged"):
        Run(run.path).status()
    assert any("the record of cube root is damaged" in fault for fault in Run(run.path).check())


def test_what_was_reduced_is_reduced_again(tmp_path: Path) -> None:
    made = Run.create(tmp_path / "some.run", REDUCIBLE, reduce=True)
    assert len(made._planned.whole.matrix) < len(REDUCIBLE.labels)
    made.work(InlineExecutor(), workers=2)
    assert Run(made.path).count() == made.count() == 4
    forge(made.path, lambda problem: replace(problem, reduced=not problem.reduced))
    with pytest.raises(StoreError, match="leave another problem than the one that was searched"):
        Run(made.path).count()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"plan": Plan((), "")}, "there is a plan, although only a run that counts can have one"),
        ({"any_way": True}, "cubes may be counted in any way, although the run lists solutions"),
        ({"records": True, "reduced": True}, "nodes are recorded, although the run reduces the problem"),
    ],
)
def test_settings_that_no_run_has_are_refused(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    run = Run.create(tmp_path / "some.run", classics.langford(7), ALL)
    forge(run.path, lambda problem: replace(problem, **change))
    with pytest.raises(StoreError, match=message):
        Run(run.path).status()


@pytest.mark.parametrize("change", [{"given_positions": (0,)}, {"digest": "0" * 64}])
@pytest.mark.parametrize("records", [False, True])
def test_what_was_searched_is_compared_with_the_problem(change: dict[str, Any], records: bool, tmp_path: Path) -> None:
    run = Run.create(tmp_path / "some.run", classics.langford(7), ALL, reduce=False, records=records)
    run.work(InlineExecutor(), workers=2)
    forge(run.path, lambda problem: replace(problem, **change))
    message = "the givens and excluded options leave another problem than the one that was searched"
    for read in READERS:
        with pytest.raises(StoreError, match=message):
            read(Run(run.path))
    assert message in list(Run(run.path).check(share=1))
    for verb, place in (("resume", run.path), ("status", run.path), ("export", run.path), ("list", tmp_path)):
        assert_refused(message, "run", verb, str(place))


@given(
    instance=instances(problems() | priced()),
    goal=st.sampled_from([COUNT, ALL, Goal("first", 2), Goal("cheapest", 2)]),
    reduce=st.sampled_from([None, False, True]),
)
def test_what_is_prepared_follows_from_the_problem(
    instance: Problem, goal: Goal, reduce: bool | None, tmp_path: Path
) -> None:
    path = numbered(tmp_path)
    run = Run.create(path, instance, goal, engine="sets", reduce=reduce)
    assert list(Run(path).check(share=0)) == []
    if run.problem.reason is not None:
        assert run.work(InlineExecutor(), workers=1) is Status.UNSATISFIABLE
        with pytest.raises(StoppedError):
            Run(path).work(InlineExecutor(), workers=1, stop=StopWhen(lambda: True))


def test_a_statement_counts_only_if_the_problem_shows_it(tmp_path: Path) -> None:
    odd = [(f"{a}{b}", [a, b]) for a, b in ("ab", "bc", "ca")]
    run = Run.create(tmp_path / "odd.run", Problem(odd, impossible="three is odd"), ALL)
    assert run.work(InlineExecutor(), workers=1) is Status.UNSATISFIABLE
    assert run.status().reasons == ("three is odd",)
    with pytest.raises(ProblemError, match="no solution, but the store of a run could not show the reason: so it is"):
        Run.create(tmp_path / "some.run", Problem({"A": [1]}, impossible="so it is"))
    assert not (tmp_path / "some.run").exists()


FEW: dict[str, Any] = {"board": "5x5", "pieces": {"O": "##\n##", "I": "###"}, "copies": {"O": [0, 2], "I": [0, 5]}}
"""A board that is too large for its pieces, which no reduction shows."""


def test_a_statement_counts_if_the_encoder_makes_it_again(tmp_path: Path) -> None:
    path, target = str(tmp_path / "some.run"), tmp_path / "few.yaml"
    target.write_text(json.dumps({"problem": "polyomino", "params": FEW}))
    assert invoke("count", str(target)).stdout == "0\n"
    started = invoke("run", "start", str(target), "--store", path, "--all")
    reason = "no solution: the pieces cover at most 23 cells, but the board has 25 cells to cover"
    assert (started.returncode, reason in started.stderr) == (20, True)
    for verb, status in (("resume", 20), ("status", 0), ("check", 0), ("list", 0)):
        result = invoke("run", verb, str(tmp_path) if verb == "list" else path)
        assert (result.returncode, "0 solutions (run complete)" in result.stdout + result.stderr) == (status, True)
    assert json.loads(invoke("run", "export", path).stdout.splitlines()[-1])["status"] == "unsatisfiable"
    assert invoke("run", "start", str(target), "--store", str(tmp_path / "count.run"), "-q").stdout == "0\n"


@pytest.mark.parametrize(
    "change",
    [
        {"name": "some"},
        {"params": FEW | {"copies": {"O": [0, 3], "I": [0, 5]}}},  # a problem with solutions
        {"params": FEW | {"board": "5x6"}},  # another problem without a solution
        {"params": {"board": "5x5", "pieces": "/etc/passwd"}},
        {"params": {"board": 7}},
    ],
)
def test_a_statement_of_another_problem_is_no_answer(change: dict[str, Any], tmp_path: Path) -> None:
    run = Run.create(tmp_path / "some.run", Polyomino(**FEW).problem(), ALL, name="polyomino", params=FEW)
    assert Run(run.path).count() == 0
    forge(run.path, lambda stored: replace(stored, **change))
    with pytest.raises(StoreError, match=r"does not follow .* no encoder '.*' states it here"):
        Run(run.path).count()


def test_a_statement_of_a_plugin_counts_only_where_the_plugin_is(tmp_path: Path) -> None:
    body = """
        def options(self):
            yield "A", [1]
        def impossible(self):
            return "so it is"
    """
    plugin, path = write_plugin(tmp_path, "Odd", textwrap.dedent(body)), str(tmp_path / "some.run")
    started = invoke("--plugin", plugin, "run", "start", "odd", "--store", path, "-q")
    assert (started.returncode, started.stdout) == (0, "0\n"), started
    assert "0 solutions" in invoke("--plugin", plugin, "run", "status", path).stdout
    result = run("run", "status", path)  # in another process, which has no such plugin
    assert (result.returncode, result.stdout, "no encoder 'odd' states it here" in result.stderr) == (2, "", True)


def test_an_option_without_a_primary_item_is_damage(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "some.run", classics.langford(3))
    empty = Problem({"A": [1], "B": [2]}, primary=[1, 2]).matrix

    def empty_an_option(problem: RunProblem) -> RunProblem:
        matrix = replace(empty, starts=empty.starts[:1] + empty.starts[:1] + empty.starts[2:])
        return replace(problem, matrix=matrix, labels=("A", "B"), items=("1", "2"))

    forge(run.path, empty_an_option)
    with pytest.raises(StoreError, match="an option has no primary item"):
        Run(run.path)
