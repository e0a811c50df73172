"""Reading with a size limit: files, those that parameters name, and compressed data, which may come from a stranger."""

from __future__ import annotations

import csv
import errno
import io
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import datetime, time
from pathlib import Path
from typing import BinaryIO

from exactcover.control.arguments import check_arguments
from exactcover.errors import ParameterError, nearest

_BLOCK = 1 << 20
_MAX_WORKBOOK = 1 << 26  # bytes, unpacked
_MAX_CELLS = 1_000_000
_OPEN_FILE = re.compile(r"/dev/stdin|/(dev|proc/self)/fd/[0-9]+")


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file for reading; anything else is refused at once, where opening a pipe would wait for a writer.

    Names of open files, such as ``/dev/stdin`` and ``/dev/fd/63``, may stand for pipes and terminals. Raise ``OSError``
    if the file cannot be opened, or is a pipe, a socket, a device or a folder.
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
    try:
        end = len(content.decode())
    except UnicodeDecodeError as error:
        end = error.start
    line += content[:end].count(b"\n")
    advice = f"save it as UTF-8 (CSV UTF-8 in a spreadsheet), or convert it: iconv -f {source} -t UTF-8"
    others = "" if source == "UTF-16" else ", or from CP437 if it was made under DOS"
    return f"is not UTF-8 text on line {line}; {advice}{others}"


def decode_table(content: bytes, name: str) -> str:
    """Return the text of a file; of a workbook, the cells of its first sheet as CSV.

    Raise ``OSError`` if a workbook cannot be read, is too large, or openpyxl is missing, and ``UnicodeDecodeError`` if
    another file is not UTF-8 text.
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
    """Return the contents of a file of at most this many bytes; see :func:`open_regular`.

    `poll` is called after each block of at most 1 MiB; an exception that it raises ends the reading. Raise ``OSError``
    if the file cannot be read, is larger, or is not a regular file.
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


_MAX_BYTES = 256 * 1024 * 1024  # in a file that a parameter names


@dataclass
class Access:
    """The files that parameters may name, and those that have been read."""

    folder: Path | None = None  # searched first for relative paths; None for the current folder alone
    confined: bool = False  # whether files must be inside that folder or the current one
    none: bool = False  # whether reading files is forbidden
    trusted: Collection[str] = ()  # parameters that may name any file, because they were typed on the command line
    read: list[Path] = field(default_factory=list)  # so far


_access: ContextVar[Access | None] = ContextVar("access", default=None)


@contextmanager
def access(rules: Access) -> Iterator[Access]:
    """Apply these rules within the block; outside of such blocks, parameters may name any file."""
    token = _access.set(rules)
    try:
        yield rules
    finally:
        _access.reset(token)


@contextmanager
def beside(folder: Path) -> Iterator[None]:
    """Search a folder first for files, within the block; the other rules stay the same."""
    with access(replace(_access.get() or Access(), folder=folder)):
        yield


@check_arguments
def read_data(name: str, parameter: str | tuple[str | int, ...]) -> str:
    """Return the text of a file that a parameter names; encoders call it in ``__post_init__``.

    Of a workbook (``.xlsx``), it is the first sheet as CSV.

    Parameters
    ----------
    name
        A path. A relative path is searched for in the folder of the YAML file, then in the current folder.
    parameter
        The parameter that names the file, or the path to a value inside the parameter; used in errors.

    Raises
    ------
    ParameterError
        If the file cannot be read, is larger than 256 MiB, is not UTF-8 text, or is named in a configuration and is
        outside both the folder of the configuration and the current one.
    """
    rules = _access.get() or Access()
    if rules.none:
        raise ParameterError(parameter, f"{name} cannot be read: diagram files may not name other files")
    path = next((place for place in ([rules.folder / name] if rules.folder else []) if place.is_file()), Path(name))
    key = parameter if isinstance(parameter, str) else str(parameter[0])
    if rules.confined and key not in rules.trusted and not _is_inside(path, [rules.folder or Path(), Path()]):
        raise ParameterError(
            parameter,
            f"{name} is outside the folder of the configuration and the current folder; use --allow-files to read it",
        )
    try:
        content = read_bounded(path, _MAX_BYTES)
        text = decode_table(content, name)
    except OSError as error:
        raise ParameterError(parameter, f"{name} {describe_failure(error)}") from None
    except UnicodeDecodeError:
        raise ParameterError(parameter, f"{name} {describe_bytes(content)}") from None
    rules.read.append(path)
    return text


def describe_failure(error: OSError) -> str:
    """Return that a file cannot be read, and why; where there is no such file, with the nearest name in its folder."""
    near, path = "", Path(error.filename or "")
    if isinstance(error, FileNotFoundError) and path.parent.is_dir():
        near = nearest(path.name, (one.name for one in path.parent.iterdir()))
    return f"cannot be read: {error.strerror or error}{near}"


def _is_inside(path: Path, folders: Iterable[Path]) -> bool:
    """Return whether a file is in one of the folders, after following links."""
    place = path.resolve()
    return any(place.is_relative_to(folder.resolve()) for folder in folders)


_ALWAYS = 1 << 26  # bytes that any data may unpack to
_MAX_RATIO = 32  # what larger data may unpack to, times their size; problems reach about 10


def unpack(data: bytes) -> bytes:
    """Return what was compressed by zlib.

    Raise ``ValueError`` if the data are damaged or incomplete, or would unpack to more than 64 MiB and more than 32
    times their size.
    """
    most = max(_ALWAYS, _MAX_RATIO * len(data))
    content = bytearray()
    for block in unpack_blocks(data):
        content += block
        if len(content) > most:
            raise ValueError(f"{len(data):,} bytes would unpack to more than {most:,}, which is too large")
    return bytes(content)


def unpack_blocks(data: bytes, wbits: int = zlib.MAX_WBITS) -> Iterator[bytes]:
    """Yield what was compressed by zlib, at most 1 MiB at once; `wbits` states the form as for zlib.decompressobj.

    Raise ``ValueError`` if the data are damaged or incomplete.
    """
    stream = zlib.decompressobj(wbits)
    while not stream.eof:
        try:
            block = stream.decompress(data, _BLOCK)
        except zlib.error as error:
            raise ValueError(str(error)) from None
        data = stream.unconsumed_tail
        if not (block or data or stream.eof):
            raise ValueError("the compressed data are incomplete")
        yield block
    if stream.unused_data:
        raise ValueError("the compressed data are followed by others")
