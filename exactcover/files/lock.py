"""Locks on files, which the operating system releases when their process ends, even if it is killed."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path

from exactcover.files.write import open_own

__all__ = ["hold_lock", "is_same_file", "lock_descriptor", "open_locked", "read_lock"]

_LONGEST = 1_000  # bytes of what a lock says


def lock_descriptor(descriptor: int, message: str) -> None:
    """Lock an open file; do nothing where locks do not exist.

    Raises
    ------
    BlockingIOError
        With this message, if another process holds the lock.
    """
    with suppress(ImportError):  # Windows, where an open file cannot be replaced anyway
        import fcntl

        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BlockingIOError(errno.EAGAIN, message) from None
        except OSError:  # the file system does not support locks
            pass


def open_locked(path: Path, message: str) -> FileIO:
    """Open a file that only this package writes, lock it and empty it; closing it unlocks it.

    Raises
    ------
    BlockingIOError
        With this message, if another process holds the lock.
    OSError
        If the file cannot be written; see :func:`~exactcover.files.write.open_own`.
    """
    while True:
        file = open_own(path)
        try:
            lock_descriptor(file.fileno(), message)
            if is_same_file(path, file.fileno()):
                file.truncate()
                return file
        except BaseException:
            file.close()
            raise
        file.close()  # another process has just renamed or removed it


@contextmanager
def hold_lock(path: Path, content: str, message: str) -> Iterator[None]:
    """Lock a file within the block, and write `content` into it, which every user may read; remove it at the end.

    Raises
    ------
    BlockingIOError
        With this message, if another process holds the lock.
    OSError
        If the file cannot be written.
    """
    with open_locked(path, message) as file:
        try:
            with suppress(AttributeError, OSError):  # Windows, and disks without modes
                os.fchmod(file.fileno(), 0o644)
            file.write(content.encode())
            yield
        finally:
            with suppress(OSError):
                path.unlink()


def is_same_file(path: Path, descriptor: int) -> bool:
    """Return whether a path still leads to an open file."""
    try:
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def read_lock(path: Path) -> str | None:
    """Return the beginning of what a lock says, or None if no process holds it."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None
    with FileIO(descriptor) as file:
        try:
            lock_descriptor(descriptor, "")
        except BlockingIOError:
            return file.read(_LONGEST).decode(errors="replace")
    return None
