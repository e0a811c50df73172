"""What a store does when something is wrong with it, and what a check finds."""

import contextlib
import json
import sqlite3
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import classics
from commands import assert_refused, invoke
from exactcover import Problem, Run, Status, Stop
from exactcover.control.options import ALL
from exactcover.engines.cursor import Subtree
from exactcover.errors import OutputError, StoreError
from exactcover.runs.cube import Child, CubeOutcome, mark_subtree, pack_path, unpack_path
from exactcover.runs.cube_scheduler import Forecast
from exactcover.runs.records import RunProgress
from exactcover.runs.store import Store
from small_runs import InlineExecutor, change_store, finish_queens

pytestmark = pytest.mark.usefixtures("cut_finely")


def test_paths_are_in_the_order_of_the_tree() -> None:
    paths = [(), (0,), (0, 0), (0, 255), (0, 256), (1,), (255,), (256, 1), (70000,)]
    assert sorted(map(pack_path, paths)) == list(map(pack_path, paths))
    assert [unpack_path(pack_path(path)) for path in paths] == paths


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return finish_queens(tmp_path / "some.run")


def change(run: Run, statement: str, *, sealed: bool = True) -> None:
    """Change a store, with the right checksums if it is to be sealed."""
    with change_store(run.path, sealed=sealed) as connection:
        assert connection.execute(statement).rowcount != 0


NEW = "VALUES (x'000000ff', 'open', x'', x'', 1, 0, '0', 0, 0, 0, zeroblob(16), '', '', '', x'')"
TAMPERINGS = {
    "UPDATE cubes SET count = '3' WHERE path = (SELECT path FROM cubes WHERE count > '0' LIMIT 1)": "do not match its record",
    "UPDATE cubes SET nodes = nodes + 1, state = 'none' WHERE path = x''": "the record of cube root is damaged",
    "UPDATE cubes SET chosen = x'ffffff7f' WHERE path = (SELECT max(path) FROM cubes)": "does not have",
    "UPDATE cubes SET estimate = 9e999 WHERE path = x'00000000'": "the record of cube 0 is damaged",
    "UPDATE solutions SET path = 7 WHERE path = (SELECT max(path) FROM solutions)": "the path of a solution is damaged",
    "UPDATE solutions SET data = substr(data, 1, 9)": "are damaged: the compressed data are incomplete",
    "UPDATE solutions SET path = x'000000ff' WHERE path = (SELECT max(path) FROM solutions)": "which does not exist",
    "DELETE FROM cubes WHERE path = (SELECT max(path) FROM cubes)": "is missing",
    f"INSERT INTO cubes {NEW}": "is not part of any division",
    "UPDATE cubes SET chosen = x'' WHERE path = (SELECT max(path) FROM cubes)": "are not exactly the rest of it",
    "DELETE FROM solutions WHERE path = (SELECT path FROM solutions LIMIT 1)": "do not match its record",
    "UPDATE solutions SET data = (SELECT data FROM solutions ORDER BY path DESC LIMIT 1)": "is listed twice",
    "UPDATE cubes SET excluded = x'00000000' WHERE path = x''": "not the whole tree",
    "UPDATE events SET time = 'noon' WHERE rowid = 1": "event 1 is damaged: expected a number",
    "UPDATE events SET time = 9e999": "event 1 is damaged: expected a number of at least -",
    "UPDATE events SET kind = x'00'": "event 1 is damaged: there is no such kind of event",
    "UPDATE events SET text = x'ff'": "event 1 is damaged: expected a text",
    "INSERT INTO facts VALUES ('more', 1)": "there is a fact that no run has: 'more'",
    "UPDATE facts SET value = 7 WHERE name = 'progress'": "the progress of the run is damaged: expected a text",
    "UPDATE facts SET value = '{}' WHERE name = 'progress'": "the progress of the run is damaged: 'seconds_left' is missing",
    "UPDATE facts SET value = '[7' WHERE name = 'progress'": "the progress of the run is damaged",
}


@pytest.mark.parametrize("statement", TAMPERINGS)
def test_a_check_finds_what_was_changed(statement: str, run: Run) -> None:
    change(run, statement)
    faults = list(run.check(share=1))
    assert any(TAMPERINGS[statement] in fault for fault in faults), faults


PROGRESS = RunProgress(1, 2, 3, Forecast(0.5, 1.0, None, None), ("cube 7",))


def test_the_progress_is_read_as_it_was_noted(run: Run) -> None:
    with run._open_for_work(Stop()) as store:
        store.set_progress(PROGRESS)
        summary = run.status()
        assert (summary.searched, summary.workers, summary.memory, summary.forecast) == (1, 2, 3, PROGRESS.forecast)
        assert summary.waits == PROGRESS.waits
        store.set_progress(None)
        assert run.status().workers == 0


@pytest.mark.parametrize(
    "change",
    [
        *({"share": 1.5}, {"share": "1"}, {"rate": 1e300}, {"rate": -1}, {"workers": 0.5}, {"memory": 1 << 70}),
        *({"seconds_left": "9" * 5000}, {"spread": float("inf")}, {"waits": ["x"] * 99}, {"waits": [7]}),
        {"searched": None},
    ],
)
def test_a_damaged_progress_is_an_error_while_a_process_works(change: dict[str, object], run: Run) -> None:
    with run._open_for_work(Stop()) as store:
        with store._write() as connection:
            text = json.dumps(PROGRESS.to_json() | change)
            connection.execute("INSERT OR REPLACE INTO facts VALUES ('progress', ?)", [text])
        for verb, status in (("status", 2), ("check", 4)):
            assert_refused(f"{run.path}: the progress of the run is damaged", "run", verb, str(run.path), status=status)


def test_a_wrong_count_with_a_right_checksum_is_found_by_another_engine(tmp_path: Path) -> None:
    made = Run.create(tmp_path / "some.run", classics.langford(7))
    with made._open_for_work(Stop()) as opened:
        root = CubeOutcome((), mark_subtree(Subtree()), count=53, nodes=1)
        opened.save([root])
    assert made.count() == 53
    assert any("but 52 according to another way" in fault for fault in made.check(share=1))


def test_a_clock_before_1970_is_no_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: -86400.5)
    made = Run.create(tmp_path / "some.run", classics.langford(7))
    assert made.work(InlineExecutor(), workers=2) is Status.COMPLETE
    assert list(made.check()) == []
    assert invoke("run", "status", str(made.path)).returncode == 0


def test_a_damaged_record_is_no_answer(run: Run) -> None:
    statement = "UPDATE cubes SET count = '3' WHERE path = (SELECT path FROM cubes WHERE count > '0' LIMIT 1)"
    change(run, statement, sealed=False)
    with pytest.raises(StoreError, match="is damaged"):
        run.count()


@pytest.mark.parametrize("size", [0, 100, 5000, 20000])
def test_a_torn_store(run: Run, size: int) -> None:
    content = run.path.read_bytes()
    run.path.write_bytes(content[:size])
    with pytest.raises((StoreError, OutputError)):
        Run(run.path).count()


def test_other_versions_and_other_files(run: Run) -> None:
    for statement, message in (
        ("PRAGMA user_version = 2", "has format 2; this version of exactcover reads format 5"),
        ("PRAGMA application_id = 1", "not the"),
    ):
        with contextlib.closing(sqlite3.connect(run.path)) as connection:
            connection.execute(statement)
        with pytest.raises(StoreError, match=message):
            Run(run.path)


def test_a_store_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Run.create(tmp_path / "some.run", classics.langford(7))

    def refuse(connection: sqlite3.Connection, kind: str, text: str) -> None:
        raise sqlite3.OperationalError("attempt to write a readonly database")

    monkeypatch.setattr(Store, "add_event", refuse)
    with pytest.raises(OutputError, match="readonly"):
        made.work(InlineExecutor())
    with pytest.raises(OutputError):
        Run.create(tmp_path / "nowhere" / "some.run", Problem({}))


def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit on pages stands for a full disk."""
    made = Run.create(tmp_path / "some.run", classics.binary_matrices(4, 2), ALL)
    connect = sqlite3.connect

    def connect_limited(*args: Any, **how: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*args, **how)
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 1}")
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", connect_limited)
        with pytest.raises(OutputError, match="full"):
            made.work(InlineExecutor(), workers=30)
    assert made.status().status is Status.RUNNING
    assert list(made.check(share=1)) == []
    assert made.work(InlineExecutor()) is Status.COMPLETE
    assert made.count() == 90


def test_a_transaction_that_was_killed_is_undone_by_the_next_reader(run: Run) -> None:
    """The journal mode changes in a transaction without WAL, so a kill at that moment leaves a journal."""
    kill_in_transaction = """
import os, sqlite3, sys
statements = "PRAGMA cache_size = 1; BEGIN; UPDATE cubes SET nodes = 7; DELETE FROM solutions; CREATE TABLE more AS "
numbers = "WITH RECURSIVE n (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 9999) SELECT k FROM n;"
sqlite3.connect(sys.argv[1], isolation_level=None).executescript(statements + numbers)
os._exit(0)
"""
    before = run.status()
    subprocess.run([sys.executable, "-c", kill_in_transaction, str(run.path)], check=True)
    assert run.path.with_name(f"{run.path.name}-journal").exists()
    again = Run(run.path)
    assert again.status() == before
    assert list(again.check(share=1)) == []


def test_late_and_foreign_outcomes_change_nothing(tmp_path: Path) -> None:
    made = Run.create(tmp_path / "some.run", Problem({"A": [1], "B": [1], "C": [2], "D": [2]}))
    with made._open_for_work(Stop()) as opened:
        children = Child(Subtree((0,)), 1.0), Child(Subtree((1,)), 1.0)
        opened.save([CubeOutcome((), mark_subtree(Subtree()), children=children)])
        opened.save([CubeOutcome((), mark_subtree(Subtree()), count=99)])  # the cube is done
        opened.save([CubeOutcome((0,), mark_subtree(Subtree((3,))), count=99)])  # the path of another division
        opened.save([CubeOutcome((7,), mark_subtree(Subtree((3,))), count=99)])  # no such cube
        assert opened.totals(lambda path: Fraction(1)).count == 0
        assert [cube.path for cube in opened.cubes("open")] == [(0,), (1,)]
