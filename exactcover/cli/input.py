"""Input from files and standard input, limited in size; a note is printed before reading from a terminal."""

from __future__ import annotations

import io
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

import click

from exactcover.cli.messages import print_message
from exactcover.control.stop import Stop
from exactcover.errors import ConfigError, Mistake
from exactcover.files.read import read_bounded, read_stream

__all__ = ["Lines", "open_lines", "read_file", "read_standard_input"]

_MAX_BYTES = 1 << 31
_MAX_LINE_BYTES = 1 << 24
_BLOCK = 1 << 16  # bytes that are read at once


def read_file(path: Path, source: str, stop: Stop) -> bytes:
    """Return the content of a file.

    Raises
    ------
    ConfigError
        If the file cannot be read, or is larger than 2 GiB.
    """
    try:
        return read_bounded(path, _MAX_BYTES, stop.poll)
    except OSError as error:
        raise ConfigError([Mistake(f"cannot be read: {error.strerror or error}", source)]) from None


def read_standard_input(stop: Stop) -> bytes:
    """Return the content of standard input.

    Raises
    ------
    ConfigError
        If standard input cannot be read, or is larger than 2 GiB.
    click.UsageError
        If standard input is closed.
    """
    try:
        content = read_stream(_open_standard_input(), _MAX_BYTES, stop.poll)
        stop.poll()  # the same signal may have stopped the writer
        return content
    except OSError as error:
        raise ConfigError([Mistake(f"cannot be read: {error.strerror or error}", "standard input")]) from None


def _open_standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise click.UsageError("standard input is closed")
    if sys.stdin.isatty():
        print_message("reading from standard input; press Ctrl-D to end the input")
    return sys.stdin.buffer


class Lines(Iterator[str]):
    """The lines of a text, as they come."""

    def __init__(self, content: io.BufferedIOBase, source: str) -> None:
        self._content, self._source = content, source
        self._lines: Iterator[bytes] = iter(())
        self._next: bytes | None = None
        self._begun = b""  # a line whose end has not come yet

    def __next__(self) -> str:
        while not self._has_next():
            if not self._read():
                raise StopIteration
        line, self._next = self._next, None
        assert line is not None
        return line.decode("utf-8", "replace")

    def is_ready(self) -> bool:
        """Return whether another line, or a part of one, can be read without waiting."""
        if self._has_next():
            return True
        try:
            return bool(select.select([self._content], [], [], 0)[0])
        except (OSError, ValueError):  # not a file of the operating system
            return True

    def _has_next(self) -> bool:
        if self._next is None:
            self._next = next(self._lines, None)
        return self._next is not None

    def _read(self) -> bool:
        """Read what is there, and wait for it if there is nothing; return False at the end of the text."""
        try:
            content = self._content.read1(_BLOCK)
        except OSError as error:
            raise ConfigError([Mistake(f"cannot be read: {error.strerror}", self._source)]) from None
        if not content:
            self._next, self._begun = self._begun or None, b""
            return self._next is not None
        *lines, self._begun = (self._begun + content).split(b"\n")
        if len(self._begun) >= _MAX_LINE_BYTES or any(len(line) >= _MAX_LINE_BYTES for line in lines):
            raise ConfigError([Mistake(f"a line is longer than {_MAX_LINE_BYTES:,} bytes", self._source)])
        self._lines = (line + b"\n" for line in lines)
        return True


@contextmanager
def open_lines(file: str) -> Iterator[Lines]:
    """Open a text file, or standard input for ``-``, as lines.

    Raises
    ------
    ConfigError
        If the file cannot be read, or a line is 16 MiB or longer.
    click.UsageError
        If standard input is closed.
    """
    if file == "-":
        yield Lines(cast(io.BufferedIOBase, _open_standard_input()), "standard input")
        return
    try:
        opened = Path(file).open("rb")  # noqa: SIM115 - closed below
    except OSError as error:
        raise ConfigError([Mistake(f"cannot be read: {error.strerror}", file)]) from None
    with opened:
        yield Lines(opened, file)
