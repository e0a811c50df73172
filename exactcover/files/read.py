"""Reading with a size limit."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

__all__ = ["describe_bytes", "is_open_file", "open_regular", "read_bounded", "read_stream"]

_BLOCK = 1 << 20
_OPEN_FILE = re.compile(r"/dev/stdin|/(dev|proc/self)/fd/[0-9]+")


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file for reading; anything else is refused at once, where opening a pipe would wait for a writer.

    Names of open files, such as ``/dev/stdin`` and ``/dev/fd/63``, may stand for pipes and terminals.

    Raises
    ------
    OSError
        If the file cannot be opened, or is a pipe, a socket, a device or a folder.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    mode = os.fstat(descriptor).st_mode
    is_stream = stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(descriptor)
    if is_stream and is_open_file(path):
        os.set_blocking(descriptor, True)
    elif not stat.S_ISREG(mode):
        os.close(descriptor)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        raise OSError("it is a pipe or a device")
    return open(descriptor, "rb")  # noqa: PTH123 - the caller closes it


def describe_bytes(content: bytes, line: int = 1) -> str:
    """Return what is wrong with the content of a file that is not UTF-8 text, on which line, and how to convert it.

    Examples
    --------
    >>> describe_bytes(b"1\\n" + bytes([233]))[:27]
    'is not UTF-8 text on line 2'
    """
    if content.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"\x1f\x8b")):  # zip, older Office files, gzip
        return "is a workbook or an archive, not text; save it as CSV UTF-8 in the spreadsheet program"
    source = "UTF-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "WINDOWS-1252"
    line += content[: _find_fault(content)].count(b"\n")
    advice = f"save it as UTF-8 (CSV UTF-8 in a spreadsheet), or convert it: iconv -f {source} -t UTF-8"
    others = "" if source == "UTF-16" else ", or from CP437 if it was made under DOS"
    return f"is not UTF-8 text on line {line}; {advice}{others}"


def _find_fault(content: bytes) -> int:
    """Return the position of the first byte that is not UTF-8 text."""
    try:
        return len(content.decode())
    except UnicodeDecodeError as error:
        return error.start


def is_open_file(path: Path) -> bool:
    """Return whether a path names an open file of this process, such as ``/dev/stdin``, which may be a pipe."""
    return _OPEN_FILE.fullmatch(str(path)) is not None


def read_bounded(path: Path, most: int, poll: Callable[[], object] = lambda: None) -> bytes:
    """Return the contents of a file.

    Parameters
    ----------
    path
        The file; see :func:`open_regular`.
    most
        The largest number of bytes to read.
    poll
        Called after each block of at most 1 MiB; an exception that it raises ends the reading.

    Raises
    ------
    OSError
        If the file cannot be read, contains more than `most` bytes, or is not a regular file.
    """
    with open_regular(path) as file:
        if os.fstat(file.fileno()).st_size > most:
            raise OSError(f"it is larger than {most:,} bytes")
        return read_stream(file, most, poll)


def read_stream(stream: BinaryIO, most: int, poll: Callable[[], object] = lambda: None) -> bytes:
    """Return the contents of a stream, like :func:`read_bounded`."""
    blocks: list[bytes] = []
    remaining = most
    while block := stream.read(min(_BLOCK, remaining + 1)):
        poll()
        remaining -= len(block)
        if remaining < 0:
            raise OSError(f"it is larger than {most:,} bytes")
        blocks.append(block)
    return b"".join(blocks)
