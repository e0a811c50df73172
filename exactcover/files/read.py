"""Reading with a size limit."""

from __future__ import annotations

import csv
import errno
import io
import os
import re
import stat
import zipfile
from collections.abc import Callable
from datetime import datetime, time
from pathlib import Path
from typing import BinaryIO

__all__ = ["decode_table", "describe_bytes", "is_open_file", "open_regular", "read_bounded", "read_stream"]

_BLOCK = 1 << 20
_MAX_WORKBOOK = 1 << 26  # bytes, unpacked
_MAX_CELLS = 1_000_000
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


def decode_table(content: bytes, name: str) -> str:
    """Return the text of a file; of a workbook, the cells of its first sheet as CSV.

    Raises
    ------
    OSError
        If a workbook cannot be read, is too large, or openpyxl is missing.
    UnicodeDecodeError
        If another file is not UTF-8 text.
    """
    if not name.lower().endswith(".xlsx"):
        return content.decode("utf-8-sig")
    try:
        import openpyxl
    except ImportError:
        raise OSError("a workbook is read with openpyxl; install it with: python -m pip install openpyxl") from None
    text, cells, width = io.StringIO(), 0, 0
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(one.file_size for one in archive.infolist()) > _MAX_WORKBOOK:
                raise OSError(f"it holds more than {_MAX_WORKBOOK:,} bytes")
        sheet = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True).worksheets[0]
        sheet.reset_dimensions()  # which may be wrong
        for row in sheet.iter_rows(values_only=True):
            cells += 1 + len(row)
            if cells > _MAX_CELLS:
                raise OSError(f"its first sheet holds more than {_MAX_CELLS:,} cells")
            width = width or len(row)  # later rows end at their last cell
            csv.writer(text, lineterminator="\n").writerow(map(_write_value, [*row, *[None] * (width - len(row))]))
    except OSError:
        raise
    except Exception as error:  # openpyxl raises whatever its parts do
        raise OSError(f"it is no workbook that can be read: {error}") from None
    return text.getvalue()


def _write_value(value: object) -> str:
    """Return the value of a cell as text: a date without a time, and a whole number without a point."""
    if isinstance(value, datetime) and value.time() == time():
        value = value.date()
    return "" if value is None else str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


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
