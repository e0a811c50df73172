"""The store of a run: one file, written by one coordinator, in which nothing that was finished can get lost.

Every cube has a row. A cube is `open` until its outcome is stored, then `done`, with its count and the number of cubes
that replace the rest of it, or `failed`. An outcome and the cubes that it leaves are stored in one transaction, so the
cubes form a complete tree at any moment. Whoever reads the store compares it with that: each row with its checksum,
the rows with the tree, and solutions with the rows.

References
----------
https://www.sqlite.org/wal.html
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import groupby
from math import floor
from operator import itemgetter
from pathlib import Path
from typing import Any

from exactcover.control.options import Goal
from exactcover.control.statistics import Status
from exactcover.control.stop import Stop
from exactcover.errors import DamagedStoreError, StoreError
from exactcover.files.json_text import load_json
from exactcover.model.costs import Cost
from exactcover.pictures.text import digits, show_value
from exactcover.runs.cube import (
    Cube,
    CubeOutcome,
    CubePath,
    mark_subtree,
    pack_path,
    sum_digests,
    unpack_path,
    unpack_solutions,
)
from exactcover.runs.cube_scheduler import Forecast
from exactcover.runs.database import Database
from exactcover.runs.records import (
    Record,
    RunProgress,
    Totals,
    check_event,
    follow_tree,
    format_path,
    seal,
    to_record,
    to_row,
)
from exactcover.runs.run_problem import PlannedSearch, RunProblem
from exactcover.symmetry.splitting import Weight
from exactcover.version import __version__

FACTS = ("created", "engine", "goal", "problem", "version")
"""The facts about a run that are stored when it is created, and never change."""
_CUBE_COLUMNS = (
    "path, state, chosen, excluded, estimate, attempts, count, nodes, seconds, children, digest, worker, version, "
    "reason, checksum"
)
_INSERT_CUBE = f"INSERT INTO cubes ({_CUBE_COLUMNS}) VALUES ({', '.join('?' * 15)})"


class Store(Database):
    """An open store; parameters and errors are those of :class:`~exactcover.runs.database.Database`.

    `facts` were stored when the run was created, with a `seal` that no other run has.
    """

    def __init__(self, path: Path, *, writable: bool, stop: Stop | None = None) -> None:
        super().__init__(path, writable=writable, stop=stop)
        try:
            self.facts = self._read_facts()
            self._seal: bytes = self.facts["seal"]
            if writable:
                with self._write():
                    self.add_event("open", "opened for work")
        except BaseException:
            self.close()
            raise

    @classmethod
    def create(cls, path: Path, facts: Mapping[str, object], cubes: Iterable[Cube]) -> bytes:
        """Create a store, whole or not at all; return its seal.

        Raise ``StoreError`` if the file exists, or lies on a network file system, and ``OutputError`` if it cannot be
        written.
        """
        values = [(name, _to_fact(facts[name])) for name in FACTS]
        run_seal = seal(values)
        rows = [to_row(Record(cube), run_seal) for cube in cubes]
        cls.create_file(path, {"facts": [*values, ("seal", run_seal)], "cubes": rows})
        return run_seal

    # -- facts and events ----------------------------------------------------------------------

    def _read_facts(self) -> dict[str, Any]:
        """Return the facts that were stored when the run was created, and a `seal` that no other run has.

        Raise ``StoreError`` if any of it is missing or damaged.
        """
        found = dict(self._query("SELECT name, value FROM facts"))
        values = [(name, found.get(name)) for name in FACTS]
        if found.get("seal") != seal(values):
            raise DamagedStoreError(f"{self.path}: what is stored about the run is damaged")
        with self._report_damage("what is stored about the run is damaged"):
            return {name: _from_fact(value) for name, value in (*values, ("seal", found["seal"]))}

    def progress(self) -> RunProgress | None:
        """Return the notes of the coordinator on the progress, or None; raise ``StoreError`` if they are damaged."""
        with self._report_damage("the progress of the run is damaged"):
            found = [_from_fact(value) for (value,) in self._query("SELECT value FROM facts WHERE name = 'progress'")]
            return None if found in ([], [None]) else RunProgress.from_json(found[0])

    def set_progress(self, progress: RunProgress | None) -> None:
        """Note the progress; None if nobody works on the run any more."""
        value = _to_fact(None if progress is None else progress.to_json())
        with self._write() as connection:
            connection.execute("INSERT OR REPLACE INTO facts VALUES ('progress', ?)", [value])

    def add_event(self, kind: str, text: str) -> None:
        """Note that something has happened, as part of a transaction."""
        self._connection.execute("INSERT INTO events VALUES (?, ?, ?)", [time.time(), kind, text])

    def events(self) -> Iterator[str]:
        """Yield the kinds of the events, in order; raise ``StoreError`` if a row is damaged."""
        for number, row in enumerate(self._query("SELECT time, kind, text FROM events ORDER BY rowid"), 1):
            with self._report_damage(f"event {number} is damaged"):
                kind = check_event(row)
            yield kind

    def find_note_fault(self) -> str | None:
        """Return the fault of the facts that no checksum covers, or of the events, or None."""
        known = {*FACTS, "seal", "progress"}
        try:
            other = next((name for (name,) in self._query("SELECT name FROM facts") if name not in known), None)
            self.progress()
            deque(self.events(), maxlen=0)
        except StoreError as error:
            return str(error)
        return None if other is None else f"there is a fact that no run has: {show_value(other)}"

    # -- writing -------------------------------------------------------------------------------

    def save(self, outcomes: Iterable[CubeOutcome], failures: Iterable[tuple[Cube, str, bool]] = ()) -> None:
        """Store outcomes with the cubes that they leave, and failures, in one transaction.

        An outcome of a cube that is not open, such as one that comes twice, changes nothing; nor does one of a cube
        that was divided in another way. A failure is a cube, the reason, and whether the cube is set aside for good.
        """
        with self._write():
            for outcome in outcomes:
                self._save_outcome(outcome)
            for cube, reason, final in failures:
                record = self._find(cube.path)
                if record is not None and record.state == "open":
                    failed = replace(cube, attempts=cube.attempts + 1)
                    self._replace(replace(record, cube=failed, state="failed" if final else "open", reason=reason))
                self.add_event("failure", f"cube {format_path(cube.path)}: {reason}")

    def _save_outcome(self, outcome: CubeOutcome) -> None:
        record = self._find(outcome.path)
        if record is None or record.state != "open" or mark_subtree(record.cube.subtree) != outcome.mark:
            return
        found = (outcome.count, outcome.nodes, outcome.seconds, len(outcome.children), outcome.digest)
        self._replace(Record(record.cube, "done", *found, outcome.worker, __version__, record.reason))
        path, connection = pack_path(outcome.path), self._connection
        connection.executemany(_INSERT_CUBE, (to_row(Record(cube), self._seal) for cube in outcome.cubes()))
        connection.executemany(
            "INSERT INTO solutions VALUES (?, ?, ?)", [(path, block, data) for block, data in enumerate(outcome.blocks)]
        )
        if outcome.tree:
            connection.execute("INSERT INTO trees VALUES (?, ?)", [path, outcome.tree])

    def retry_failed(self) -> int:
        """Open all cubes that were set aside; return their number."""
        failed = list(self.records("WHERE state = 'failed'"))
        with self._write():
            for record in failed:
                self._replace(replace(record, cube=replace(record.cube, attempts=0), state="open"))
        return len(failed)

    def _find(self, path: CubePath) -> Record | None:
        return next(self.records("WHERE path = ?", [pack_path(path)]), None)

    def _replace(self, record: Record) -> None:
        row = to_row(record, self._seal)
        self._connection.execute(f"INSERT OR REPLACE {_INSERT_CUBE.removeprefix('INSERT')}", row)

    # -- reading -------------------------------------------------------------------------------

    def scan(self) -> Iterator[tuple[str, Record | ValueError]]:
        """Yield the path of each cube as a text, and its record or what is wrong with it."""
        for row in self._query(f"SELECT {_CUBE_COLUMNS} FROM cubes ORDER BY path"):
            try:
                yield _name_cube(row[0]), to_record(row, self._seal)
            except ValueError as error:
                yield _name_cube(row[0]), error

    def records(self, condition: str = "", values: Sequence[object] = ()) -> Iterator[Record]:
        """Yield the rows of cubes in the order of the tree; a condition in SQL restricts them.

        Raise ``StoreError`` if a row is damaged.
        """
        for row in self._query(f"SELECT {_CUBE_COLUMNS} FROM cubes {condition} ORDER BY path", values):
            with self._report_damage(f"the record of cube {_name_cube(row[0])} is damaged"):
                record = to_record(row, self._seal)
            yield record

    def tree(self) -> Iterator[Record]:
        """Yield the rows of all cubes in the order of the tree.

        Raise ``StoreError`` if a row is damaged, or the cubes are not a complete tree.
        """
        with self._report_damage("the cubes are not a complete tree"):
            yield from follow_tree(self.records())

    def cubes(self, state: str) -> list[Cube]:
        """Return the cubes in a state, in the order of the tree."""
        return [record.cube for record in self.records("WHERE state = ?", [state])]

    def first_left(self) -> CubePath | None:
        """Return the path, the first in the order of the tree, of a cube that is open or set aside."""
        return next((record.cube.path for record in self.records("WHERE state != 'done'")), None)

    def totals(self, weight_of: Callable[[CubePath], Weight]) -> Totals:
        """Return sums over all cubes; `weight_of` returns how often each solution below a path counts.

        Raise ``StoreError`` if a record is damaged, the cubes are not a complete tree, or the count of all is not a
        whole number.
        """
        numbers = {"open": 0, "done": 0, "failed": 0}
        count: Weight = 0
        nodes, seconds, digest = 0, 0.0, 0
        with self._report_damage("the cubes are not those of the problem"):
            for record in self.tree():
                numbers[record.state] += 1
                count += record.count * weight_of(record.cube.path)
                digest += record.digest
                nodes, seconds = nodes + record.nodes, seconds + record.seconds
            if not numbers["open"] + numbers["failed"] and count.denominator > 1:
                raise ValueError(f"the number of solutions would be {count}")
        return Totals(count, nodes, seconds, digest % (1 << 128), **numbers)

    def reasons(self) -> list[str]:
        """Return why cubes were set aside."""
        return [f"cube {format_path(one.cube.path)}: {one.reason}" for one in self.records("WHERE state = 'failed'")]

    def scan_solutions(self, options: int) -> Iterator[tuple[CubePath, Iterator[tuple[int, ...]]]]:
        """Yield the path of each cube that has solutions, with these; a damaged block raises ValueError."""
        rows = self._query("SELECT path, data FROM solutions ORDER BY path, block")
        for path, blocks in groupby(rows, itemgetter(0)):
            with self._report_damage("the path of a solution is damaged"):
                place = _to_path(path)
            yield place, (one for _, data in blocks for one in unpack_solutions(_to_bytes(data), options))

    def solutions(self, options: int) -> Iterator[tuple[CubePath, tuple[int, ...]]]:
        """Yield all solutions in the order of the tree, each with the path of its cube.

        Raise ``StoreError`` if solutions are damaged, or are not those that the cubes have.
        """
        with self._report_damage("the solutions are damaged"):
            records = (record for record in self.tree() if record.count)
            for path, found in self.scan_solutions(options):
                record, count, digest = next(records, None), 0, 0
                if record is None or record.cube.path != path:
                    missing = path if record is None else min(path, record.cube.path)
                    raise ValueError(f"those of cube {format_path(missing)} do not match its record")
                for solution in found:
                    count, digest = count + 1, digest + sum_digests([solution])
                    yield path, solution
                if (count, digest % (1 << 128)) != (record.count, record.digest):
                    raise ValueError(f"those of cube {format_path(path)} do not match its record")
            for record in records:
                raise ValueError(f"those of cube {format_path(record.cube.path)} are missing")

    def trees(self) -> Iterator[tuple[CubePath, bytes]]:
        """Yield the nodes of all cubes in the order of the tree, compressed, if the run records them."""
        with self._report_damage("the nodes of the search are damaged"):
            for path, data in self._query("SELECT path, data FROM trees ORDER BY path"):
                yield _to_path(path), _to_bytes(data)

    @contextmanager
    def _report_damage(self, what: str) -> Iterator[None]:
        """Turn a ValueError into a StoreError that names the file."""
        try:
            yield
        except StoreError:
            raise
        except ValueError as error:
            raise DamagedStoreError(f"{self.path}: {what}: {error}") from None


def _name_cube(path: object) -> str:
    """Return the path of a cube for a message, even if it is damaged."""
    return format_path(unpack_path(path)) if isinstance(path, bytes) and len(path) % 4 == 0 else show_value(path)


def _to_path(data: object) -> CubePath:
    if len(_to_bytes(data)) % 4:
        raise ValueError("the path of a cube has another size")
    return unpack_path(_to_bytes(data))


def _to_bytes(data: object) -> bytes:
    if not isinstance(data, bytes):
        raise ValueError("expected bytes")
    return data


def _to_fact(value: object) -> bytes | str:
    return value if isinstance(value, bytes) else json.dumps(value, default=str)


def _from_fact(value: object) -> Any:
    if isinstance(value, bytes):
        return value
    if not isinstance(value, str):
        raise ValueError("expected a text")
    return load_json(value)


@dataclass(frozen=True)
class RunSummary:
    """The state of a run, and the known part of its answer.

    Attributes
    ----------
    status
        ``COMPLETE``, ``UNSATISFIABLE``, ``OPTIMAL`` or ``LIMIT`` if the answer is known, else ``RUNNING``.
    solutions
        The number of solutions found so far; of a limited listing or of the cheapest ones, those that are the answer.
    nodes, seconds
        The number of nodes visited, and the seconds that all workers together have searched.
    open, searched, done, failed
        The numbers of cubes: open in all, being searched at the moment, done, and set aside.
    workers
        The number of workers at work now; 0 if there is no coordinator.
    forecast
        The estimated progress, if there is a coordinator and it knows; else None.
    digest
        A hash that two runs of one problem share if they have the same answer; None if the answer is not known.
    memory
        The number of bytes that the workers held when they last reported; 0 if there is no coordinator.
    reasons
        The reasons why cubes were set aside, or why there is no solution.
    waits
        Cubes that are waited for much longer than usual, as sentences, if there is a coordinator.
    best, bound
        If the cheapest solutions are searched for: the cost of the incumbent, and the lower bound on the cost of every
        solution. None if that is not known, or costs do not matter.
    """

    status: Status
    solutions: int
    nodes: int
    seconds: float
    open: int
    searched: int
    done: int
    failed: int
    workers: int = 0
    forecast: Forecast | None = None
    digest: str | None = None
    memory: int = 0
    reasons: tuple[str, ...] = ()
    waits: tuple[str, ...] = ()
    best: Cost | None = None
    bound: Cost | None = None


def summarize(store: Store, goal: Goal, problem: RunProblem, planned: PlannedSearch, *, alive: bool) -> RunSummary:
    """Return how far a run has come; `alive` says whether a coordinator works on it.

    Raise ``StoreError`` if the store is damaged.
    """
    totals = store.totals(planned.weight_of)
    if bool(totals.open + totals.done + totals.failed) != (problem.reason is None):
        raise StoreError(f"{store.path}: the cubes are not those of the problem")
    solutions = _count_answer(store, goal, floor(totals.count), len(problem.matrix))
    left = totals.open + totals.failed
    status = Status.RUNNING
    if goal.limit is not None and solutions >= goal.limit:
        status = Status.LIMIT
    elif left == 0:
        complete = Status.OPTIMAL if solutions == goal.cheapest else Status.COMPLETE
        status = complete if solutions else Status.UNSATISFIABLE
    progress = store.progress() if alive else None
    best = _find_best(store, problem) if goal.cheapest is not None else None
    bound = None
    if goal.cheapest is not None and problem.reason is None:
        bound = best if status is not Status.RUNNING else problem.least_cost
        bound = bound if best is None or bound is None else min(best, bound)
    reasons = [problem.reason] if problem.reason is not None else store.reasons()
    return RunSummary(
        status,
        solutions,
        totals.nodes,
        totals.seconds,
        totals.open,
        progress.searched if progress else 0,
        totals.done,
        totals.failed,
        progress.workers if progress else 0,
        progress.forecast if progress else None,
        None if status is Status.RUNNING else _digest(problem, goal, solutions, totals.digest),
        progress.memory if progress else 0,
        tuple(reasons),
        progress.waits if progress else (),
        best,
        bound,
    )


def _find_best(store: Store, problem: RunProblem) -> Cost | None:
    """Return the cost of the cheapest solution found."""
    return min((problem.cost_of(solution) for _, solution in store.solutions(len(problem.matrix))), default=None)


def _count_answer(store: Store, goal: Goal, count: int, options: int) -> int:
    """Return the number of solutions that are part of the answer."""
    if goal.cheapest is not None:
        return min(goal.cheapest, len({solution for _, solution in store.solutions(options)}))
    if goal.limit is None:
        return count
    first = store.first_left()
    records = store.records("WHERE state = 'done'")
    before = sum(record.count for record in records if first is None or record.cube.path < first)
    return min(goal.limit, before)


def _digest(problem: RunProblem, goal: Goal, solutions: int, digest: int) -> str:
    """Return a hash of the answer; the listed solutions enter it where the answer is the set of all of them."""
    listed = digest if goal.kind == "all" else 0
    stated = solutions if solutions < 1 << 64 else digits(solutions)  # JSON has no room for thousands of digits
    parts = [problem.key, goal.kind, goal.number, stated, listed]
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).hexdigest()
