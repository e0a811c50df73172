"""Atomic writing: a file is replaced as a whole, or stays as it was."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path

from exactcover.files.lock import open_locked
from exactcover.files.write import open_named

__all__ = ["part_of", "replace_file"]


_PART = ".exactcover-part"  # a name that nobody else gives to files, since what stands there is lost


@contextmanager
def replace_file(path: Path, *, keep_part: bool = False) -> Iterator[FileIO]:
    """Replace a file atomically; yield an unbuffered file to write to.

    The block writes to ``PATH.exactcover-part``, which replaces the file at the end of the block. An exception leaves
    the file as it was. Links are followed. The mode of the file is kept, but not its owner or hard links. Pipes and
    devices are written directly.

    Parameters
    ----------
    path
        The file to replace or create.
    keep_part
        Whether to keep ``PATH.exactcover-part`` after an exception, unless it is empty.

    Raises
    ------
    OSError
        If the file cannot be written; ``BlockingIOError`` if another process is writing it.

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
        with open_named(path, "w") as device:
            yield device
        return
    part = part_of(path)
    target = part.with_name(part.name.removesuffix(_PART))
    if mode is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    with open_locked(part, f"another process is writing {part.name}") as out:
        try:
            if mode is not None:
                with suppress(AttributeError):  # Windows
                    os.fchmod(out.fileno(), stat.S_IMODE(mode))
            yield out
            os.fsync(out.fileno())
            if os.name == "nt":
                out.close()  # Windows cannot rename an open file
            os.replace(part, target)  # noqa: PTH105 - the same on every system
        except BaseException:
            if not keep_part or not os.fstat(out.fileno()).st_size:
                with suppress(OSError):
                    part.unlink()
            raise
    with suppress(OSError, AttributeError):  # the new name survives a power cut, where supported
        folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def part_of(path: Path) -> Path:
    """Return the path of the file that :func:`replace_file` writes first, after following links."""
    return Path(os.path.realpath(path) + _PART)


def _mode(path: Path) -> int | None:
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None
