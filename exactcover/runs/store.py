"""The store of a run: one SQLite file, written by one coordinator, in which nothing that was finished can get lost.

Every cube has a row. A cube is `open` until its outcome is stored, then `done`, with its count and the number of cubes
that replace the rest of it, or `failed`. An outcome and the cubes that it leaves are stored in one transaction, so the
cubes form a complete tree at any moment.

References
----------
https://www.sqlite.org/wal.html
"""

from __future__ import annotations

import json
import os
import sqlite3
import struct
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from pathlib import Path as FilePath
from typing import Any

from exactcover.engines.trees import Subtree
from exactcover.errors import OutputError, StoreError
from exactcover.runs.cube import Cube, Outcome, Path, mark_subtree, pack_path, unpack_path, unpack_solutions
from exactcover.runs.records import Record, Totals, checksum_record, format_path, to_record, to_row, unpack_numbers

__all__ = ["FORMAT", "Store", "is_store"]

FORMAT = 1
"""The version of the format of stores, which `user_version` contains."""

_APPLICATION = 0x45584356  # "EXCV", in the header of the file
_SYNCHRONOUS = "FULL"  # what is stored survives a power cut
_WAIT_SECONDS = 10.0  # for readers that check the file at this moment
_NETWORK = {
    "9p",
    "afpfs",
    "beegfs",
    "ceph",
    "cifs",
    "fuse.sshfs",
    "glusterfs",
    "gpfs",
    "lustre",
    "nfs",
    "nfs4",
    "smb3",
    "smbfs",
}
_SCHEMA = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;
CREATE TABLE cubes (
    path BLOB PRIMARY KEY, state TEXT NOT NULL, chosen BLOB NOT NULL, excluded BLOB NOT NULL, weight TEXT NOT NULL,
    estimate REAL NOT NULL, attempts INTEGER NOT NULL, lease REAL, count TEXT, nodes INTEGER, seconds REAL,
    children INTEGER, digest BLOB, worker TEXT, version TEXT, reason TEXT, checksum BLOB
) WITHOUT ROWID;
CREATE TABLE solutions (path BLOB, block INTEGER, data BLOB NOT NULL, PRIMARY KEY (path, block)) WITHOUT ROWID;
CREATE TABLE trees (path BLOB PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE events (time REAL NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL);
"""


class Store:
    """An open store.

    Parameters
    ----------
    path
        The file.
    writable
        Whether to write to it; only the one coordinator may.

    Raises
    ------
    StoreError
        If the file is not a store, is damaged, or has a newer format.
    OutputError
        If it should be writable, but is not.
    """

    def __init__(self, path: FilePath, *, writable: bool) -> None:
        self.path, self._writable = path, writable
        try:
            there = path.is_file()
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror}") from None
        if not there:
            raise StoreError(f"{path}: there is no such file")
        with self._explain_errors():
            self._connection = _connect(path, "rw") if writable else _connect_reader(path)
            application = self._read_pragma("application_id")
            version = self._read_pragma("user_version")
        if application != _APPLICATION:
            raise StoreError(f"{path}: this is not the store of a run")
        if version != FORMAT:
            raise StoreError(
                f"{path}: the store has format {version}; this version of exactcover reads only format {FORMAT}"
            )
        if writable:
            with self._explain_errors(), self._connection:
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._connection.execute(f"PRAGMA synchronous = {_SYNCHRONOUS}")
                self._connection.execute("UPDATE cubes SET lease = NULL WHERE lease IS NOT NULL")
                self.add_event("open", "opened for work")

    @classmethod
    def create(cls, path: FilePath, facts: Mapping[str, object], cubes: Iterable[Cube]) -> None:
        """Create a store, whole or not at all.

        Raises
        ------
        StoreError
            If the file exists, or lies on a network file system.
        OutputError
            If it cannot be written.
        """
        part: FilePath | None = None
        try:
            if path.exists():
                raise FileExistsError
            check_file_system(path)
            descriptor, name = tempfile.mkstemp(prefix=".exactcover-", dir=path.parent)
            os.close(descriptor)
            part = FilePath(name)
            connection = sqlite3.connect(part, isolation_level=None)
            try:
                connection.executescript(f"PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {FORMAT};")
                connection.executescript(f"BEGIN; {_SCHEMA}")
                connection.executemany("INSERT INTO facts VALUES (?, ?)", _to_facts(facts))
                connection.executemany(_INSERT_CUBE, map(to_row, cubes))
                connection.execute("COMMIT")
            finally:
                connection.close()
            part.chmod(0o666 & ~_read_umask())
            os.link(part, path)  # unlike a renamed file, it never replaces another one
        except FileExistsError:
            what = f"the file already holds a run; to continue that run: exactcover run resume {path}"
            raise StoreError(f"{path}: {what if is_store(path) else 'the file already exists'}") from None
        except (OSError, sqlite3.Error) as error:
            raise OutputError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
        finally:
            if part is not None:
                part.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the file; what a coordinator leaves is one file without a journal, which can be copied."""
        if self._writable:
            with suppress(sqlite3.Error):  # somebody reads it at this moment
                self._connection.execute("PRAGMA journal_mode = DELETE")
        self._connection.close()

    # -- facts and events ----------------------------------------------------------------------

    def fact(self, name: str) -> Any:
        """Return what was stored about the run under this name, or None."""
        with self._explain_errors():
            row = self._connection.execute("SELECT value FROM facts WHERE name = ?", [name]).fetchone()
        if row is None or isinstance(row[0], bytes):
            return None if row is None else row[0]
        return json.loads(row[0])

    def set_fact(self, name: str, value: object) -> None:
        """Store a fact about the run: bytes, or anything that JSON can express."""
        with self._explain_errors(), self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", _to_facts({name: value}))

    def add_event(self, kind: str, text: str) -> None:
        """Note that something has happened."""
        self._connection.execute("INSERT INTO events VALUES (?, ?, ?)", [time.time(), kind, text])

    def events(self) -> list[tuple[float, str, str]]:
        """Return all events: their times in seconds since 1970, kinds and texts."""
        with self._explain_errors():
            return self._connection.execute("SELECT time, kind, text FROM events ORDER BY time").fetchall()

    # -- cubes ---------------------------------------------------------------------------------

    def save(
        self,
        outcomes: Iterable[tuple[Outcome, str]],
        failures: Iterable[tuple[Cube, str, bool]] = (),
        leases: Iterable[Path] = (),
    ) -> None:
        """Store outcomes with the cubes that they leave, failures, and leases, in one transaction.

        Parameters
        ----------
        outcomes
            Each outcome, and the version of the package that searched. An outcome of a cube that is not open, such as
            one that comes twice, changes nothing; nor does one of a cube that was divided in another way.
        failures
            Each cube, the reason, and whether the cube is set aside for good.
        leases
            The paths of cubes that were handed to workers now.
        """
        with self._explain_errors(), self._connection:
            for outcome, version in outcomes:
                self._save_outcome(outcome, version)
            for cube, reason, final in failures:
                self._connection.execute(
                    "UPDATE cubes SET state = ?, attempts = ?, reason = ?, lease = NULL "
                    "WHERE path = ? AND state = 'open'",
                    ["failed" if final else "open", cube.attempts + 1, reason, pack_path(cube.path)],
                )
                self.add_event("failure", f"cube {format_path(cube.path)}: {reason}")
            self._connection.executemany(
                "UPDATE cubes SET lease = ? WHERE path = ? AND state = 'open'",
                [(time.time(), pack_path(path)) for path in leases],
            )

    def _save_outcome(self, outcome: Outcome, version: str) -> None:
        path = pack_path(outcome.path)
        row = self._connection.execute("SELECT weight, chosen, excluded FROM cubes WHERE path = ?", [path]).fetchone()
        if row is None or mark_subtree(Subtree(unpack_numbers(row[1]), unpack_numbers(row[2]))) != outcome.mark:
            return
        values = [str(outcome.count), outcome.nodes, outcome.seconds, len(outcome.children)]
        digest = outcome.digest.to_bytes(16, "big")
        changed = self._connection.execute(
            "UPDATE cubes SET state = 'done', count = ?, nodes = ?, seconds = ?, children = ?, digest = ?, worker = ?, "
            "version = ?, checksum = ?, lease = NULL WHERE path = ? AND state = 'open'",
            [*values, digest, outcome.worker, version, checksum_record(path, values, digest), path],
        ).rowcount
        if changed == 0:
            return
        self._connection.executemany(_INSERT_CUBE, map(to_row, outcome.cubes(Fraction(row[0]))))
        self._connection.executemany(
            "INSERT INTO solutions VALUES (?, ?, ?)", [(path, block, data) for block, data in enumerate(outcome.blocks)]
        )
        if outcome.tree:
            self._connection.execute("INSERT INTO trees VALUES (?, ?)", [path, outcome.tree])

    def retry_failed(self) -> int:
        """Open all cubes that were set aside; return their number."""
        with self._explain_errors(), self._connection:
            return self._connection.execute(
                "UPDATE cubes SET state = 'open', attempts = 0 WHERE state = 'failed'"
            ).rowcount

    def cubes(self, state: str) -> list[Cube]:
        """Return the cubes in a state, in the order of the tree."""
        return [record.cube for record in self.records("WHERE state = ?", [state])]

    def first_left(self) -> Path | None:
        """Return the path, the first in the order of the tree, of a cube that is open or set aside."""
        with self._explain_errors():
            (path,) = self._connection.execute("SELECT min(path) FROM cubes WHERE state != 'done'").fetchone()
        return None if path is None else unpack_path(path)

    def records(self, condition: str = "", values: Sequence[object] = ()) -> Iterator[Record]:
        """Yield the rows of cubes in the order of the tree; a condition in SQL restricts them."""
        with self._explain_errors():
            for row in self._connection.execute(f"SELECT * FROM cubes {condition} ORDER BY path", values):
                yield to_record(row)

    def totals(self) -> Totals:
        """Return sums over all cubes.

        Raises
        ------
        StoreError
            If a record is damaged, or the number of solutions is not whole.
        """
        numbers = {"open": 0, "done": 0, "failed": 0}
        count, nodes, seconds, digest = Fraction(0), 0, 0.0, 0
        for record in self.records():
            if not record.intact:
                raise StoreError(f"{self.path}: the record of cube {format_path(record.cube.path)} is damaged")
            numbers[record.state] += 1
            count += record.cube.weight * record.count
            nodes, seconds, digest = nodes + record.nodes, seconds + record.seconds, digest + record.digest
        if count.denominator != 1 and not numbers["open"] + numbers["failed"]:
            raise StoreError(f"{self.path}: the weights of the cubes do not add up: {count} solutions")
        return Totals(int(count), nodes, seconds, digest % (1 << 128), **numbers)

    def reasons(self) -> list[str]:
        """Return why cubes were set aside."""
        return [f"cube {format_path(one.cube.path)}: {one.reason}" for one in self.records("WHERE state = 'failed'")]

    def solutions(self) -> Iterator[tuple[Path, tuple[int, ...]]]:
        """Yield all solutions in the order of the tree, each with the path of its cube."""
        with self._explain_errors():
            for path, data in self._connection.execute("SELECT path, data FROM solutions ORDER BY path, block"):
                for solution in unpack_solutions(data):
                    yield unpack_path(path), solution

    def trees(self) -> Iterator[bytes]:
        """Yield the nodes of all cubes in the order of the tree, compressed, if the run records them."""
        with self._explain_errors():
            for (data,) in self._connection.execute("SELECT data FROM trees ORDER BY path"):
                yield data

    def check(self) -> str | None:
        """Return what SQLite finds wrong with the file, or None."""
        with self._explain_errors():
            (answer,) = self._connection.execute("PRAGMA integrity_check").fetchone()
        return None if answer == "ok" else str(answer)

    # -- inside --------------------------------------------------------------------------------

    def _read_pragma(self, name: str) -> int:
        (value,) = self._connection.execute(f"PRAGMA {name}").fetchone()
        return int(value)

    @contextmanager
    def _explain_errors(self) -> Iterator[None]:
        """Turn errors of SQLite into errors of this package."""
        try:
            yield
        except (sqlite3.OperationalError, sqlite3.IntegrityError) as error:
            raise OutputError(f"{self.path}: {error}") from None
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{self.path}: the file is damaged, or is not the store of a run: {error}") from None
        except MemoryError as error:
            raise OutputError(f"{self.path}: {error}") from None


_INSERT_CUBE = (
    "INSERT INTO cubes (path, state, chosen, excluded, weight, estimate, attempts) VALUES (?, 'open', ?, ?, ?, ?, 0)"
)


def _connect(path: FilePath, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=_WAIT_SECONDS)


def _connect_reader(path: FilePath) -> sqlite3.Connection:
    """Open a store for reading; if a coordinator was killed in a transaction, undo what it had begun."""
    connection = _connect(path, "ro")
    try:
        connection.execute("PRAGMA schema_version")
        return connection
    except sqlite3.OperationalError as error:
        connection.close()
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_READONLY:
            raise
    writer = _connect(path, "rw")
    writer.execute("PRAGMA schema_version")
    writer.close()
    return _connect(path, "ro")


def _read_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def is_store(path: FilePath) -> bool:
    """Return whether a file looks like a store."""
    try:
        with path.open("rb") as file:
            head = file.read(72)
    except OSError:
        return False
    return head[:15] == b"SQLite format 3" and head[68:72] == struct.pack(">I", _APPLICATION)


def check_file_system(path: FilePath) -> None:
    """Raise a StoreError if a file would lie on a network file system, where SQLite's journal is not safe."""
    import psutil  # slow to import

    folder = str(path.absolute().parent.resolve())
    mounts = [part for part in psutil.disk_partitions(all=True) if FilePath(folder).is_relative_to(part.mountpoint)]
    mount = max(mounts, key=lambda part: len(part.mountpoint), default=None)
    if mount is not None and mount.fstype.lower() in _NETWORK:
        raise StoreError(
            f"{path}: the store must be on a local disk, because its journal is not safe on a network file system "
            f"({mount.fstype} at {mount.mountpoint})"
        )


def _to_facts(facts: Mapping[str, object]) -> list[tuple[str, bytes | str]]:
    return [
        (name, value if isinstance(value, bytes) else json.dumps(value, default=str)) for name, value in facts.items()
    ]
