"""Files are opened for writing here and nowhere else.

Names that this package makes from others, such as ``PATH.exactcover-part``, may be taken by somebody who wants another
file to be overwritten: by a link, or by a file that is not ours. A name that a user states may be a link or a device.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedWriter, FileIO
from pathlib import Path
from typing import Literal

_LONGEST = 1_000  # bytes of what a lock says

_FLAGS = os.O_RDWR | os.O_CREAT | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))

_PART = ".exactcover-part"  # a name that nobody else gives to files, since what stands there is lost


def lock_descriptor(descriptor: int, message: str, *, shared: bool = False) -> None:
    """Lock an open file, alone or with others that share it; do nothing where locks do not exist.

    Raise ``BlockingIOError`` with this message if another process holds the lock.
    """
    with suppress(ImportError):  # Windows, where an open file cannot be replaced anyway
        import fcntl

        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BlockingIOError(errno.EAGAIN, message) from None
        except OSError:  # the file system does not support locks
            pass


def open_locked(path: Path, message: str) -> FileIO:
    """Open a file that only this package writes, lock it and empty it; closing it unlocks it.

    Raise ``BlockingIOError`` with this message if another process holds the lock, and ``OSError`` if the file cannot be
    written; see :func:`open_own`.
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

    Raise ``BlockingIOError`` with this message if another process holds the lock, and ``OSError`` if the file cannot be
    written.
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
            lock_descriptor(descriptor, "", shared=True)
        except BlockingIOError:
            return file.read(_LONGEST).decode(errors="replace")
    return None


def open_own(path: Path, *, new: bool = False) -> FileIO:
    """Open a file that only this package writes, for reading and writing; it is created if need be.

    Raise ``OSError`` if it cannot be opened, is not a regular file with this one name, belongs to another user, or must
    be `new` but exists.
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


@contextmanager
def replace_file(path: Path, *, keep_part: bool = False) -> Iterator[FileIO]:
    """Replace a file atomically; yield an unbuffered file to write to.

    The block writes to ``PATH.exactcover-part``, which replaces the file at the end of the block. An exception leaves
    the file as it was, and with `keep_part` that part too, unless it is empty. Links are followed. The mode of the file
    is kept, but not its owner or hard links. Pipes and devices are written directly. Raise ``OSError`` if the file
    cannot be written; ``BlockingIOError`` if another process is writing it.

    Examples
    --------
    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp()) / "numbers.txt"
    >>> with replace_file(place) as out:
    ...     _ = out.write(b"1 2 3")
    >>> place.read_bytes()
    b'1 2 3'
    """
    mode: int | None = None
    with suppress(FileNotFoundError):
        mode = path.stat().st_mode
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
