"""Locks on files, which the operating system releases when their process ends, even if it is killed."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import IO

__all__ = ["is_locked", "is_same_file", "lock_descriptor", "lock_file"]


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


def lock_file(path: Path, content: str, message: str) -> IO[str]:
    """Lock a file, which is created if need be, and write `content` into it; closing the result unlocks it.

    Raises
    ------
    BlockingIOError
        With this message, if another process holds the lock.
    OSError
        If the file cannot be written.
    """
    while True:
        file = path.open("a+", encoding="utf-8")
        try:
            lock_descriptor(file.fileno(), message)
            if not is_same_file(path, file.fileno()):  # another process has just removed it
                file.close()
                continue
            file.truncate(0)
            file.write(content)
            file.flush()
        except BaseException:
            file.close()
            raise
        return file


def is_same_file(path: Path, descriptor: int) -> bool:
    """Return whether a path still leads to an open file."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def is_locked(path: Path) -> bool:
    """Return whether a process holds the lock of a file.

    Raises
    ------
    OSError
        If the file cannot be opened.
    """
    with path.open("r+", encoding="utf-8") as file:
        try:
            lock_descriptor(file.fileno(), "")
        except BlockingIOError:
            return True
    return False
