"""Input from files and standard input, limited in size; a note is printed before reading from a terminal."""

from __future__ import annotations

import io
import select
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

import click

from exactcover.cli.messages import print_message
from exactcover.control.stop import Stop
from exactcover.errors import ConfigError, Mistake
from exactcover.files.read import describe_bytes, open_regular, read_bounded, read_stream

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
    """The lines of a text, as they come.

    Attributes
    ----------
    before_waiting
        Called before the reader waits for more of the text.
    """

    def __init__(self, content: io.BufferedIOBase, source: str) -> None:
        self.before_waiting: Callable[[], object] = lambda: None
        self._content, self._source = content, source
        self._lines = deque[bytes]()  # that are read
        self._begun = bytearray()  # a line whose end has not come yet
        self._number, self._first = 0, b""  # the first line tells workbooks and archives

    def __next__(self) -> str:
        while not self._lines:
            if not self._read():
                raise StopIteration
        line = self._lines.popleft()
        self._number += 1
        try:
            text = line.decode()
        except UnicodeDecodeError:
            fault = describe_bytes(self._first + line, self._number - (self._number > 1))
            raise ConfigError([Mistake(f"the file {fault}", self._source)]) from None
        self._first = self._first or line
        return text

    def must_wait(self) -> bool:
        """Return whether the next line is not there yet."""
        try:
            return not self._lines and not select.select([self._content], [], [], 0)[0]
        except (OSError, ValueError):  # not a file of the operating system
            return False

    def _read(self) -> bool:
        """Read what is there, and wait for it if there is nothing; return False at the end of the text."""
        if self.must_wait():
            self.before_waiting()
        try:
            content = self._content.read1(_BLOCK)
        except OSError as error:
            raise ConfigError([Mistake(f"cannot be read: {error.strerror}", self._source)]) from None
        if not content:
            rest, self._begun = bytes(self._begun), bytearray()
            self._lines.extend((rest,) if rest else ())
            return bool(rest)
        first, *others = content.split(b"\n")
        if len(self._begun) + len(first) >= _MAX_LINE_BYTES:
            raise ConfigError([Mistake(f"a line is longer than {_MAX_LINE_BYTES:,} bytes", self._source)])
        self._begun += first
        if others:
            self._lines.extend(line + b"\n" for line in (bytes(self._begun), *others[:-1]))
            self._begun = bytearray(others[-1])
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
        opened = open_regular(Path(file))
    except OSError as error:
        raise ConfigError([Mistake(f"cannot be read: {error.strerror or error}", file)]) from None
    with opened:
        yield Lines(cast(io.BufferedIOBase, opened), file)
