"""The SQLite file of a store: how it is created, opened, compared with what it should be, and closed.

A file may come from a stranger. SQLite would run what views and triggers in it say, so a file is opened only if its
schema is exactly the one of a store.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import struct
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from exactcover.control.stop import Stop
from exactcover.errors import OutputError, StoreError
from exactcover.files.read import open_regular
from exactcover.files.write import open_own, refuse_links

FORMAT = 5
"""The version of the format of stores, which `user_version` contains."""

_APPLICATION = 0x45584356  # "EXCV", in the header of the file
SYNCHRONOUS = "FULL"  # what is stored survives a power cut
TRANSACTIONS_PER_CHECKPOINT = 64  # which moves what is in the journal to the file
_WAIT_SECONDS = 10.0  # for readers that check the file at this moment
_STEPS_PER_POLL = 10_000  # of the virtual machine of SQLite
_LOCAL = {"aufs", "ecryptfs", "fuse.fuse-overlayfs", "overlay", "ramfs", "rootfs", "tmpfs", "ubifs"}  # without a disk
_SHARED = {"gfs2", "ocfs2"}  # with a disk, which several machines use
_MOVED = "the file has been moved or removed"
_REPLACED = "the file has been replaced by another one"
_OVERWRITTEN = "the file has been overwritten"
_SIDE_FILES = ("-wal", "-journal", "-shm")
_SCHEMA = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;
CREATE TABLE cubes (
    path BLOB PRIMARY KEY, state TEXT NOT NULL, chosen BLOB NOT NULL, excluded BLOB NOT NULL, estimate REAL NOT NULL,
    attempts INTEGER NOT NULL, count TEXT NOT NULL, nodes INTEGER NOT NULL, seconds REAL NOT NULL,
    children INTEGER NOT NULL, digest BLOB NOT NULL, worker TEXT NOT NULL, version TEXT NOT NULL, reason TEXT NOT NULL,
    checksum BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE solutions (path BLOB, block INTEGER, data BLOB NOT NULL, PRIMARY KEY (path, block)) WITHOUT ROWID;
CREATE TABLE trees (path BLOB PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE events (time REAL NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL);
"""
_DAMAGES = {
    getattr(sqlite3, f"SQLITE_{name}")
    for name in ("CORRUPT", "NOTADB", "FORMAT", "ERROR", "CONSTRAINT", "MISMATCH", "SCHEMA", "RANGE", "TOOBIG")
}


class Database:
    """An open file, which only the one coordinator may open for writing; the stop ends queries of a reader.

    Raise ``StoreError`` if the file is not a store, is damaged, or has another format, and ``OutputError`` if it should
    be writable, but is not.
    """

    def __init__(self, path: Path, *, writable: bool, stop: Stop | None = None) -> None:
        self.path, self._writable, self._stop = path, writable, stop or Stop()
        try:
            place = _get_place(path.stat()) if path.is_file() else None
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror}") from None
        if place is None:
            raise StoreError(f"{path}: {'it is not a regular file' if path.exists() else 'there is no such file'}")
        self._place = place
        self._content: tuple[int, int] | None = None  # of a file that only this process may write
        self._transactions = 0
        try:
            for side in _list_side_files(path):
                refuse_links(side)
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror}") from None
        if writable:
            _refuse_network(path)
        with self._explain_errors():
            self._connection = _connect(path, "rw") if writable else _connect_reader(path)
        try:
            self._check_format()
            if self.find_loss() is not None:
                raise StoreError(f"{path}: the file was replaced while it was opened")
            if writable:
                with self._explain_errors():
                    self._connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
                    self._connection.execute("PRAGMA journal_mode = WAL")
                    self._connection.execute("PRAGMA wal_autocheckpoint = 0")
                self._note_content()
        except BaseException:
            self._connection.close()
            raise

    def _check_format(self) -> None:
        """Compare the version and the schema with those of this package, and restrict what SQLite does."""
        self._connection.text_factory = lambda data: data.decode("utf-8", "replace")  # a checksum notices it
        with self._explain_errors():
            for pragma in ("trusted_schema = OFF", "cell_size_check = ON"):
                self._connection.execute(f"PRAGMA {pragma}")
            application, version = map(self._read_pragma, ("application_id", "user_version"))
            schema = _read_schema(self._connection)
        if application != _APPLICATION:
            raise StoreError(f"{self.path}: this is not the store of a run")
        if version != FORMAT:
            raise StoreError(
                f"{self.path}: the store has format {version}; this version of exactcover reads format {FORMAT}"
            )
        if schema != _make_schema():
            raise StoreError(f"{self.path}: the tables are not those of the store of a run")
        if not self._writable:
            self._connection.set_progress_handler(lambda: self._stop.status is not None, _STEPS_PER_POLL)

    @staticmethod
    def create_file(path: Path, rows: dict[str, Sequence[Sequence[object]]]) -> None:
        """Create a file with these rows of its tables, whole or not at all.

        Raise ``StoreError`` if the file exists, or lies on a network file system, and ``OutputError`` if it cannot be
        written.
        """
        if not path.name:
            raise StoreError(f"{path}: this is a folder; name a file in it")
        part = path.with_name(f".exactcover-{secrets.token_hex(8)}")
        try:
            _check_place(path)
            open_own(part, new=True).close()
            with closing(sqlite3.connect(part, isolation_level=None)) as connection:
                head = f"PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {FORMAT};"
                connection.executescript(f"PRAGMA synchronous = {SYNCHRONOUS}; BEGIN; {head} {_SCHEMA}")
                for table, values in rows.items():
                    for row in values:
                        connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
                connection.execute("COMMIT")
            os.link(part, path)  # unlike a renamed file, it never replaces another one
        except FileExistsError:
            what = f"the file already holds a run; to continue that run: exactcover run resume {path}"
            raise StoreError(f"{path}: {what if is_store(path) else 'the file already exists'}") from None
        except (OSError, sqlite3.Error) as error:
            raise OutputError(f"cannot write {path}: {getattr(error, 'strerror', None) or error}") from None
        finally:
            with suppress(OSError):
                part.unlink()

    def close(self) -> None:
        """Close the file; what a coordinator leaves is one file without a journal, which can be copied."""
        if self.find_loss() == _OVERWRITTEN:
            self._abandon()
        elif self._writable:
            with suppress(sqlite3.Error):  # somebody reads it at this moment
                self._connection.execute("PRAGMA journal_mode = DELETE")
        self._connection.close()

    def _abandon(self) -> None:
        """Remove the journal of a file that holds something else now.

        The last connection that is closed moves the journal to the file, unless it may only read.
        """
        with suppress(sqlite3.Error, OSError), closing(_connect(self.path, "ro")) as reader:
            reader.execute("PRAGMA schema_version")
            self._connection.close()
            for side in _list_side_files(self.path):
                side.unlink(missing_ok=True)

    def find_loss(self) -> str | None:
        """Return a sentence if the file was moved, replaced or overwritten since it was opened; else None."""
        try:
            status = self.path.stat()
        except OSError:
            return _MOVED
        if _get_place(status) != self._place:
            return _REPLACED
        return _OVERWRITTEN if self._content not in (None, _get_content(status)) else None

    def check(self) -> str | None:
        """Return the fault that SQLite finds in the file, or None."""
        ((answer,),) = self._query("PRAGMA integrity_check(1)")
        return None if answer == "ok" else str(answer)

    # -- for derived classes -------------------------------------------------------------------

    def _query(self, statement: str, values: Sequence[object] = ()) -> Iterator[Any]:
        """Yield the rows that a statement returns, and poll the stop."""
        self._refuse_loss(_OVERWRITTEN)
        with self._explain_errors():
            yield from self._stop.watch(self._connection.execute(statement, values))

    @contextmanager
    def _write(self) -> Iterator[sqlite3.Connection]:
        """Write in one transaction.

        If the file was moved or removed, the transaction goes to the file that is still open. If it was replaced,
        nothing is written, because the journal has the name of the other file.
        """
        self._refuse_loss(_REPLACED, _OVERWRITTEN)
        with self._explain_errors(), self._connection:
            yield self._connection
        self._transactions += 1
        if self._transactions % TRANSACTIONS_PER_CHECKPOINT == 0:
            self._move_journal()

    def _move_journal(self) -> None:
        """Move what is in the journal to the file. Nothing else changes the file, so that any other change is seen."""
        if self.find_loss() is None:
            with self._explain_errors():
                self._connection.execute("PRAGMA wal_checkpoint")
            self._note_content()

    def _note_content(self) -> None:
        with suppress(OSError):  # it was moved or removed at this moment
            self._content = _get_content(self.path.stat())

    def _refuse_loss(self, *losses: str) -> None:
        """Raise an OutputError if one of these has happened to the file."""
        loss = self.find_loss()
        if loss in losses:
            raise OutputError(f"{self.path}: {loss}, so the run cannot be continued in it")

    def _read_pragma(self, name: str) -> int:
        (value,) = self._connection.execute(f"PRAGMA {name}").fetchone()
        return int(value)

    @contextmanager
    def _explain_errors(self) -> Iterator[None]:
        """Turn errors of SQLite into errors of this package, or into the stop that caused them."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
            if code == sqlite3.SQLITE_INTERRUPT:
                self._stop.poll()
            if code in _DAMAGES or type(error) is sqlite3.DatabaseError:
                raise StoreError(f"{self.path}: the file is damaged, or is not the store of a run: {error}") from None
            raise (OutputError if self._writable else StoreError)(f"{self.path}: {error}") from None
        except UnicodeDecodeError:  # SQLite quotes damaged text in its message
            raise StoreError(f"{self.path}: the file is damaged, or is not the store of a run") from None
        except MemoryError as error:
            raise OutputError(f"{self.path}: {error}") from None


def _get_place(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _get_content(status: os.stat_result) -> tuple[int, int]:
    """Return values that change when a file is written."""
    return status.st_size, status.st_mtime_ns


def _list_side_files(path: Path) -> list[Path]:
    place = os.path.realpath(path)
    return [Path(place + ending) for ending in _SIDE_FILES]


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=_WAIT_SECONDS)


def _connect_reader(path: Path) -> sqlite3.Connection:
    """Open a store for reading; if a coordinator was killed in a transaction, undo what it had begun."""
    connection = _connect(path, "ro")
    try:
        connection.execute("PRAGMA schema_version")
        return connection
    except sqlite3.DatabaseError as error:
        connection.close()
        code = getattr(error, "sqlite_errorcode", None) or 0
        if code & 0xFF != sqlite3.SQLITE_READONLY:
            raise
    with closing(_connect(path, "rw")) as writer:
        writer.execute("PRAGMA schema_version")
    return _connect(path, "ro")


def _read_schema(connection: sqlite3.Connection) -> list[tuple[str, ...]]:
    rows = connection.execute("SELECT type, name, tbl_name, ifnull(sql, '') FROM sqlite_master")
    return sorted(rows, key=repr)  # a damaged file may have bytes for texts


@cache
def _make_schema() -> list[tuple[str, ...]]:
    """Return the schema that every store has."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(_SCHEMA)
        return _read_schema(connection)


def is_store(path: Path) -> bool:
    """Return whether a file looks like a store."""
    try:
        with open_regular(path) as file:
            head = file.read(72)
    except OSError:
        return False
    return head[:15] == b"SQLite format 3" and head[68:72] == struct.pack(">I", _APPLICATION)


def _check_place(path: Path) -> None:
    """Raise an error unless a new store may lie there.

    SQLite would add the journal of an earlier file of the same name to the new one.
    """
    if path.exists():
        raise FileExistsError
    for side in _list_side_files(path):
        if side.exists():
            raise StoreError(f"{path}: {side.name} is left of an earlier file; remove it, or choose another name")
    _refuse_network(path)


def _refuse_network(path: Path) -> None:
    """Raise a StoreError unless a file is on a disk or in the memory of this machine, as SQLite's journal must be."""
    try:
        import psutil  # slow to import
    except ImportError:  # the documentation asks for a local disk
        return
    folder = Path(os.path.realpath(path)).parent
    mounts = [part for part in psutil.disk_partitions(all=True) if folder.is_relative_to(part.mountpoint)]
    mount = max(reversed(mounts), key=lambda part: len(part.mountpoint), default=None)  # a later one hides others
    if mount is None or mount.fstype in _LOCAL:
        return
    if mount.fstype in _SHARED or mount not in psutil.disk_partitions(all=False):
        raise StoreError(
            f"{path}: the store must be on a local disk, because its journal is not safe on a network file system "
            f"({mount.fstype} at {mount.mountpoint})"
        )
