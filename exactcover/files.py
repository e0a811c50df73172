"""Files: what parameters may name, reading with a bound, and writing so that a file is whole or as it was."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from io import FileIO
from pathlib import Path
from typing import BinaryIO

from exactcover.errors import ParameterError

__all__ = [
    "Access",
    "access",
    "beside",
    "part_of",
    "read_bounded",
    "read_data",
    "read_stream",
    "replace_file",
    "reserve_memory",
]

_BLOCK = 1 << 20
_PART = ".part"
_MOST_BYTES = 256 * 1024 * 1024  # of a file that parameters name


@dataclass
class Access:
    """Which files parameters may name, and which have been read.

    Attributes
    ----------
    folder
        Where relative paths are looked for first; None for the current folder alone.
    confined
        Whether paths must stay inside that folder and the current one.
    none
        Whether no file may be read at all.
    trusted
        Parameters that may name any file: whoever typed them has a shell.
    read
        The files that have been read.
    """

    folder: Path | None = None
    confined: bool = False
    none: bool = False
    trusted: Collection[str] = ()
    read: list[Path] = field(default_factory=list)


_access: ContextVar[Access | None] = ContextVar("access", default=None)


@contextmanager
def access(rules: Access) -> Iterator[Access]:
    """Let these rules hold as long as the block lasts; without any, every path may be named."""
    token = _access.set(rules)
    try:
        yield rules
    finally:
        _access.reset(token)


@contextmanager
def beside(folder: Path) -> Iterator[None]:
    """Look for files in a folder first, as long as the block lasts; other rules stay as they are."""
    with access(replace(_access.get() or Access(), folder=folder)):
        yield


def read_data(name: str, parameter: str | tuple[str | int, ...]) -> str:
    """Return the text of a file that a parameter names; for encoders, in ``__post_init__``.

    Parameters
    ----------
    name
        A path; if it is relative, the file is looked for beside the YAML file, then in the current folder.
    parameter
        Which parameter names it, for errors.

    Raises
    ------
    ParameterError
        If there is no such file, it is larger than 256 MiB, it is not UTF-8 text, or a configuration names a file
        outside its own folder and the current one.
    """
    rules = _access.get() or Access()
    if rules.none:
        raise ParameterError(parameter, f"{name} is not read: a diagram file cannot name other files")
    path = next((place for place in ([rules.folder / name] if rules.folder else []) if place.is_file()), Path(name))
    key = parameter if isinstance(parameter, str) else str(parameter[0])
    if rules.confined and key not in rules.trusted and not _is_inside(path, [rules.folder or Path(), Path()]):
        raise ParameterError(
            parameter,
            f"{name} lies outside the folder of the configuration and the current one; --allow-files reads it",
        )
    try:
        text = read_bounded(path, _MOST_BYTES).decode("utf-8-sig")
    except OSError as error:
        raise ParameterError(parameter, f"{name} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ParameterError(parameter, f"{name} is not UTF-8 text") from None
    rules.read.append(path)
    return text


def _is_inside(path: Path, folders: Iterable[Path]) -> bool:
    """Whether a file lies in one of the folders, links followed."""
    place = path.resolve()
    return any(place.is_relative_to(folder.resolve()) for folder in folders)


def read_bounded(path: Path, most: int, poll: Callable[[], object] = lambda: None) -> bytes:
    """Return what a file holds.

    Parameters
    ----------
    path
    most
        How many bytes it may hold.
    poll
        Called from time to time; whatever it raises ends the reading.

    Raises
    ------
    OSError
        If it cannot be read, holds more than so many bytes, or is a device.
    """
    with path.open("rb") as file:
        about = os.fstat(file.fileno())
        if stat.S_ISCHR(about.st_mode) and not file.isatty():
            raise OSError("it is a device")
        if about.st_size > most:
            raise OSError(f"it is larger than {most:,} bytes")
        return read_stream(file, most, poll)


def read_stream(stream: BinaryIO, most: int, poll: Callable[[], object] = lambda: None) -> bytes:
    """Return what a stream holds; as :func:`read_bounded`."""
    blocks: list[bytes] = []
    left = most
    while block := stream.read(min(_BLOCK, left + 1)):
        poll()
        left -= len(block)
        if left < 0:
            raise OSError(f"it holds more than {most:,} bytes")
        blocks.append(block)
    return b"".join(blocks)


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


def reserve_memory(size: int) -> None:
    """Raise :class:`MemoryError` unless so many bytes are to be had: for libraries that abort where they are not."""
    bytearray(size)


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
