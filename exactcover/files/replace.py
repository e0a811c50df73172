"""Writing so that a file is whole or as it was, whatever happens."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path

__all__ = ["part_of", "replace_file"]


_PART = ".part"


@contextmanager
def replace_file(path: Path, *, keep_part: bool = False) -> Iterator[FileIO]:
    """Write a file so that it is whole or as it was, whatever happens: yield what to write to, without a buffer.

    What is written goes to ``PATH.part``, which takes the place of the file at the end of the block. An exception
    leaves the file as it was. Links are followed. The mode of the file is kept, but not its owner or hard links. Pipes
    and devices are written directly.

    Parameters
    ----------
    path
        Where to.
    keep_part
        Whether an exception leaves ``PATH.part`` there, unless it is empty.

    Raises
    ------
    OSError
        If it cannot be written; ``BlockingIOError`` if another process is writing it.

    Examples
    --------
    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp()) / "numbers.txt"
    >>> with replace_file(place) as out:
    ...     _ = out.write(b"1 2 3")
    >>> place.read_bytes()
    b'1 2 3'
    """
    mode = _mode(path)
    if mode is not None and stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if mode is not None and not stat.S_ISREG(mode):
        with open_unbuffered(path) as device:
            yield device
        return
    part = part_of(path)
    target = part.with_name(part.name.removesuffix(_PART))
    if mode is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    with _lock(part) as out:
        try:
            if mode is not None:
                os.chmod(part, stat.S_IMODE(mode))  # noqa: PTH101 - the file is open and locked
            yield out
            os.fsync(out.fileno())
            if os.name == "nt":
                out.close()  # there an open file cannot be renamed
            os.replace(part, target)  # noqa: PTH105 - the same on every system
        except BaseException:
            if not keep_part or not os.fstat(out.fileno()).st_size:
                with suppress(OSError):
                    part.unlink()
            raise
    with suppress(OSError, AttributeError):  # so that the new name survives a power cut too, where that can be asked
        folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def part_of(path: Path) -> Path:
    """Return the file that :func:`replace_file` writes first, links followed."""
    return Path(os.path.realpath(path) + _PART)


def open_unbuffered(place: Path | int) -> FileIO:
    """Open a file, or a descriptor, to write to it."""
    return FileIO(place, "w")


def _mode(path: Path) -> int | None:
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None


@contextmanager
def _lock(part: Path) -> Iterator[FileIO]:
    """Open a file to write to that no other process writes; a lock of a process that was killed is gone."""
    while True:
        descriptor = os.open(part, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
        with open_unbuffered(descriptor) as out:
            with suppress(ImportError):  # on Windows, where an open file cannot be replaced anyway
                import fcntl

                try:
                    fcntl.flock(out, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    raise BlockingIOError(errno.EAGAIN, f"another process is writing {part.name}") from None
                except OSError:  # a file system without locks
                    pass
            if not _is_the_same(part, out.fileno()):
                continue  # another process has just renamed it
            out.truncate()
            yield out
            return


def _is_the_same(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
