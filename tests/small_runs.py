"""Runs of small problems, cut into as many cubes as possible, without other processes; and changes of their stores."""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

from exactcover import Run, Status
from exactcover.control.options import ALL
from exactcover.control.policy import RunPolicy
from exactcover.control.stop import Stop
from exactcover.runs.cube_worker import CubeTask
from exactcover.runs.records import seal
from exactcover.runs.run import begin
from exactcover.runs.store import FACTS
from problems import Queens


class InlineExecutor(Executor):
    """Calls functions at once; `fail` gets the number of a call and its task, and returns the error that it ends with."""

    def __init__(self, fail: Callable[[int, CubeTask], Exception | None] = lambda number, task: None) -> None:
        self._fail, self._calls = fail, 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._calls += 1
        error = self._fail(self._calls, args[0])
        if error is None:
            future.set_result(fn(*args, **kwargs))
        else:
            future.set_exception(error)
        return future


FINE = RunPolicy(
    direct_seconds=0.0,
    smallest_cube=0.0,
    shortest_turn=0.0,
    longest_turn=0.0,
    message_seconds=0.0,
    small_subtree=0.0,
    late_seconds=0.0,
)
"""Cubes are divided as early as possible."""


def numbered(folder: Path) -> Path:
    """Return the path of a file that does not exist; hypothesis runs a test many times in one folder."""
    return folder / f"{len(list(folder.iterdir()))}.run"


@contextlib.contextmanager
def change_store(path: Path, *, sealed: bool = True) -> Iterator[sqlite3.Connection]:
    """Change a store in a ``with`` block; afterwards, all its checksums are right if it is to be sealed."""
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        yield connection
        if not sealed:
            return
        facts = dict(connection.execute("SELECT name, value FROM facts"))
        run_seal = seal([(name, facts[name]) for name in FACTS])
        connection.execute("UPDATE facts SET value = ? WHERE name = 'seal'", [run_seal])
        for *values, _ in connection.execute("SELECT * FROM cubes").fetchall():
            checksum = seal((run_seal, *values))
            connection.execute("UPDATE cubes SET checksum = ? WHERE path IS ?", [checksum, values[0]])


def finish_queens(path: Path) -> Run:
    """Create a run that lists the ten solutions of five queens, and work on it until it is complete."""
    run = Run.create(path, Queens(n=5).problem(), ALL)
    assert run.work(InlineExecutor(), workers=2) is Status.COMPLETE
    return run


def cut_run(run: Run, workers: int) -> None:
    """Divide a run into cubes for this many workers."""
    with run._open_for_work(Stop()) as store:
        begin(store, run._planned, run.engine, run.goal, workers, Stop(), run._policy)
