"""Stores from strangers: nothing in them is run, and nothing is unpacked without a bound."""

import contextlib
import os
import socket
import sqlite3
import tracemalloc
import zlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

import classics
from commands import StopAfter
from exactcover import Goal, Run, Status
from exactcover.control.stop import Stop, Stopped
from exactcover.errors import OutputError, StoreError
from exactcover.files.read import unpack
from exactcover.runs import database
from exactcover.runs.cube import pack_solutions, unpack_solutions
from exactcover.runs.database import Database
from exactcover.runs.run_problem import RunProblem
from small_runs import InlineExecutor, change_store, finish_queens


@pytest.fixture
def run(tmp_path: Path, cut_finely: None) -> Run:
    return finish_queens(tmp_path / "some.run")


def execute(path: Path, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


ENDLESS = "WITH RECURSIVE n (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n) SELECT"


@pytest.mark.parametrize(
    "statements",
    [
        ["DROP TABLE facts", f"CREATE VIEW facts AS {ENDLESS} 'key' AS name, k AS value FROM n"],
        ["CREATE TRIGGER more AFTER UPDATE ON cubes BEGIN DELETE FROM solutions; END"],
        ["CREATE TABLE more (k)"],
        ["CREATE INDEX more ON cubes (state)"],
        ["ALTER TABLE cubes ADD COLUMN more"],
        ["DROP TABLE events"],
    ],
)
def test_a_store_with_other_tables_is_refused(statements: list[str], run: Run) -> None:
    execute(run.path, *statements)
    with pytest.raises(StoreError, match="the tables are not those of the store of a run"):
        Run(run.path)


def test_a_schema_that_is_not_text_is_damaged(run: Run) -> None:
    """SQLite quotes it in its message."""
    run.path.write_bytes(run.path.read_bytes().replace(b"PRIMARY KEY, state", b"PRIMARY \xccEY, state"))
    with pytest.raises(StoreError, match="the file is damaged"):
        Run(run.path)


def test_a_query_that_takes_long_ends_at_a_stop(run: Run) -> None:
    stop = StopAfter(3)
    with contextlib.closing(Database(run.path, writable=False, stop=stop)) as database:
        with pytest.raises(Stopped) as stopped:
            list(database._query(f"{ENDLESS} sum(k) FROM n"))
        assert (stopped.value.status, stop.left) == (Status.TIMEOUT, -1)


@pytest.mark.parametrize(
    ("read", "most"),
    [
        (unpack, 1 << 28),
        (lambda data: RunProblem.from_bytes(data), 1 << 28),
        (lambda data: list(unpack_solutions(data, 10)), 1 << 24),  # bit by bit
    ],
)
def test_a_bomb_is_not_unpacked(read: Any, most: int) -> None:
    bomb = zlib.compress(bytes(1 << 27), 9)
    tracemalloc.start()
    with pytest.raises(ValueError, match="too large"):
        read(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < most


def test_a_store_that_is_replaced_ends_the_work(tmp_path: Path, run: Run) -> None:
    made = Run.create(tmp_path / "made.run", classics.langford(8))

    def replace(number: int, _: object) -> None:
        if number == 3:
            run.path.rename(made.path)

    with pytest.raises(OutputError, match=r"made.run: the file has been replaced by another one"):
        made.work(InlineExecutor(replace), workers=1)
    assert Run(made.path).count() == 10
    assert list(Run(made.path).check()) == []
    with pytest.raises(StoreError, match="replaced by the store of another run"):
        made.count()


@pytest.mark.parametrize("loss", ["overwritten", "truncated"])
@pytest.mark.parametrize("call", [1, 3, 50])
def test_a_store_that_is_overwritten_ends_the_work(loss: str, call: int, tmp_path: Path, run: Run) -> None:
    made = Run.create(tmp_path / "made.run", classics.langford(8))
    content = run.path.read_bytes() if loss == "overwritten" else b""

    def overwrite(number: int, _: object) -> None:
        if number == call:
            made.path.write_bytes(content)

    with pytest.raises(OutputError, match=r"made.run: the file has been overwritten, so the run cannot be continued"):
        made.work(InlineExecutor(overwrite), workers=1)
    assert not list(tmp_path.glob("made.run-*"))
    if content:
        assert made.path.read_bytes() == content
        assert Run(made.path).count() == 10
    with pytest.raises(StoreError):
        made.count()


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE more (k)",
        "DELETE FROM cubes WHERE length(path) > 2",
        "UPDATE facts SET value = 'x' WHERE name = 'goal'",
        "PRAGMA user_version = 99",
    ],
)
def test_work_on_a_store_that_others_wrote_does_not_end_well(statement: str, tmp_path: Path, cut_finely: None) -> None:
    made = Run.create(tmp_path / "made.run", classics.langford(7))

    def meddle(number: int, _: object) -> None:
        if number == 40:
            execute(made.path, statement)

    with pytest.raises(OutputError, match=r"made\.run: .* something else has written to it while the run worked"):
        made.work(InlineExecutor(meddle), workers=1)
    for call in (made.count, lambda: made.work(InlineExecutor())):
        with pytest.raises(StoreError):
            call()
    assert [file.name for file in tmp_path.iterdir()] == ["made.run"]


def test_files_of_users_beside_a_store_stay(tmp_path: Path) -> None:
    names = {f"poetry.{ending}" for ending in ("lock", "flag", "part", "tmp", "bak")}
    for name in names:
        (tmp_path / name).write_text(name)
    made = Run.create(tmp_path / "poetry", classics.langford(7))
    assert made.work(InlineExecutor(), workers=1) is Status.COMPLETE
    assert {file.name: file.read_text() for file in tmp_path.iterdir() if file != made.path} == {n: n for n in names}


def test_a_store_has_one_lock_whatever_leads_to_it(tmp_path: Path) -> None:
    made, link = Run.create(tmp_path / "some.run", classics.langford(7)), tmp_path / "link.run"
    link.symlink_to(made.path)
    with made._open_for_work(Stop()):
        assert Run(link).owner() == made.owner() == (os.getpid(), socket.gethostname())
        with pytest.raises(StoreError, match=f"process {os.getpid()} on .* is already working on this run"):
            Run(link).work(InlineExecutor())
    assert made.owner() is None


@pytest.mark.parametrize(
    ("kinds", "is_local"),
    [
        *((kinds.split(), True) for kinds in ("ext4", "fuseblk", "nfs4 ext4", "autofs xfs", "tmpfs", "overlay")),
        *((["nfs4"], False), (["cifs"], False), (["9p"], False), (["virtiofs"], False), (["vboxsf"], False)),
        *((["fuse.davfs"], False), (["fuse.sshfs"], False), (["davfs"], False), (["gfs2"], False)),
        *((["autofs", "nfs"], False), (["ext4", "fuse.rclone"], False)),
    ],
)
def test_stores_are_created_and_written_on_local_disks_only(
    kinds: list[str], is_local: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Run.create(tmp_path / "some.run", classics.langford(7))
    with_disks = {"ext4", "xfs", "fuseblk", "gfs2"}
    mounts = [SimpleNamespace(mountpoint="/", fstype="ext4"), SimpleNamespace(mountpoint="/home2", fstype="nfs4")]
    mounts += [SimpleNamespace(mountpoint=str(tmp_path), fstype=kind) for kind in kinds]
    find = lambda all: [mount for mount in mounts if all or mount.fstype in with_disks]  # noqa: E731
    monkeypatch.setattr(psutil, "disk_partitions", find)
    refusal = pytest.raises(StoreError, match=rf"\({kinds[-1]} at {tmp_path}\)")
    with contextlib.nullcontext() if is_local else refusal:
        Run.create(tmp_path / "new.run", classics.langford(7))
    with contextlib.nullcontext() if is_local else refusal:
        made.work(InlineExecutor(), workers=1)
    assert made.status().status is (Status.COMPLETE if is_local else Status.RUNNING)  # it can be read


def test_the_journal_of_a_long_run_is_moved_to_its_file(
    tmp_path: Path, cut_finely: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That changes the file, which is not taken for the work of somebody else."""
    monkeypatch.setattr(database, "TRANSACTIONS_PER_CHECKPOINT", 2)
    made, contents = Run.create(tmp_path / "made.run", classics.langford(8)), set[bytes]()

    def look(number: int, _: object) -> None:
        contents.add(made.path.read_bytes())

    assert made.work(InlineExecutor(look), workers=1) is Status.COMPLETE
    assert (made.count(), len(contents) > 2) == (300, True)


def test_a_store_beside_the_journal_of_another_is_refused(tmp_path: Path) -> None:
    (tmp_path / "some.run-wal").write_bytes(b"what another run had not stored yet")
    with pytest.raises(StoreError, match=r"some\.run-wal is left of an earlier file"):
        Run.create(tmp_path / "some.run", classics.langford(3))
    assert [file.name for file in tmp_path.iterdir()] == ["some.run-wal"]


def test_creating_a_store_does_not_touch_the_umask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = os.umask(0o027)
    try:
        monkeypatch.setattr(os, "umask", None)
        made = Run.create(tmp_path / "some.run", classics.langford(3))
    finally:
        monkeypatch.undo()
        os.umask(before)
    assert made.path.stat().st_mode & 0o777 == 0o640


def test_solutions_of_a_limited_run_are_checked_before_they_are_exported(tmp_path: Path) -> None:
    """Also those of the last cube, of which not all are wanted."""
    made = Run.create(tmp_path / "some.run", classics.langford(7), Goal("first", 3))
    made.work(InlineExecutor())
    assert len(list(made.solutions())) == 3
    (wrong,) = pack_solutions([(6,) * 7] * 60)
    with change_store(made.path) as connection:
        connection.execute("UPDATE solutions SET data = ?", [wrong])
    with pytest.raises(StoreError, match="do not match its record"):
        list(Run(made.path).solutions())


def test_rows_that_a_run_cannot_have_are_noticed(tmp_path: Path) -> None:
    made = Run.create(tmp_path / "some.run", classics.langford(7))
    made.work(InlineExecutor())
    with change_store(made.path) as connection:
        connection.execute("INSERT INTO solutions VALUES (x'', 0, ?)", [pack_solutions([(1, 2)])[0]])
        connection.execute("INSERT INTO trees VALUES (x'', x'00')")
    faults = list(Run(made.path).check())
    assert "there are solutions, although the run only counts them" in faults
    assert "there are nodes, although the run does not record them" in faults
