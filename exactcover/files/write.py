"""Files are opened for writing here and nowhere else.

Names that this package makes from others, such as ``PATH.exactcover-part``, may be taken by somebody who wants another
file to be overwritten: by a link, or by a file that is not ours. A name that a user states may be a link or a device.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from io import BufferedWriter, FileIO
from pathlib import Path
from typing import Literal

__all__ = ["open_named", "open_own", "refuse_links", "write_new"]

_FLAGS = os.O_RDWR | os.O_CREAT | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))


def open_own(path: Path, *, new: bool = False) -> FileIO:
    """Open a file that only this package writes, for reading and writing; it is created if need be.

    Parameters
    ----------
    path
        The file.
    new
        Whether it must not exist.

    Raises
    ------
    OSError
        If it cannot be opened, is not a regular file with this one name, or belongs to another user.
    """
    try:
        return FileIO(os.open(path, _FLAGS | os.O_EXCL, 0o666), "r+")
    except FileExistsError:
        if new:
            raise
    refuse_links(path)
    file = FileIO(os.open(path, _FLAGS, 0o666), "r+")
    try:
        status = os.fstat(file.fileno())
        _refuse_links(status, path)
        if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
            raise _make_error(path, "a file of another user")
    except BaseException:
        file.close()
        raise
    return file


def open_named(path: Path, mode: Literal["w", "a", "a+"]) -> FileIO:
    """Open what a user names, for writing without a buffer; links are followed, and it may be a pipe or a device."""
    return FileIO(path, mode)


def write_new(path: Path, content: bytes) -> None:
    """Write a file that must not exist."""
    with BufferedWriter(open_own(path, new=True)) as file:
        file.write(content)


def refuse_links(path: Path) -> None:
    """Raise an OSError if a path leads to anything else than a regular file with this one name, or nowhere."""
    with suppress(FileNotFoundError):
        _refuse_links(path.lstat(), path)


def _refuse_links(status: os.stat_result, path: Path) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise _make_error(path, "a link")
    if not stat.S_ISREG(status.st_mode):
        raise _make_error(path, "not a regular file")
    if status.st_nlink > 1:
        raise _make_error(path, "another name of a file")


def _make_error(path: Path, fault: str) -> OSError:
    return OSError(errno.EPERM, f"{path.name} is {fault}, so nothing is written to it", str(path))
