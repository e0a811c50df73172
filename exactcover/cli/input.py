"""Input from files and standard input, limited in size; a note is printed before reading from a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import click

from exactcover.cli.messages import print_message
from exactcover.control.stop import Stop
from exactcover.errors import ConfigError, Mistake
from exactcover.files.read import read_bounded, read_stream

__all__ = ["open_lines", "read_file", "read_standard_input"]

_MAX_BYTES = 1 << 31
_MAX_LINE_BYTES = 1 << 24


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


@contextmanager
def open_lines(file: str) -> Iterator[Iterable[str]]:
    """Open a text file, or standard input for ``-``, as lines.

    Raises
    ------
    ConfigError
        If the file cannot be read, or a line is 16 MiB or longer.
    click.UsageError
        If standard input is closed.
    """
    if file == "-":
        yield _read_lines(_open_standard_input(), "standard input")
        return
    try:
        opened = Path(file).open("rb")  # noqa: SIM115 - closed below
    except OSError as error:
        raise ConfigError([Mistake(f"cannot be read: {error.strerror}", file)]) from None
    with opened:
        yield _read_lines(opened, file)


def _read_lines(content: BinaryIO, source: str) -> Iterator[str]:
    try:
        while line := content.readline(_MAX_LINE_BYTES):
            if len(line) == _MAX_LINE_BYTES:
                raise ConfigError([Mistake(f"a line is longer than {_MAX_LINE_BYTES:,} bytes", source)])
            yield line.decode("utf-8", "replace")
    except OSError as error:
        raise ConfigError([Mistake(f"cannot be read: {error.strerror}", source)]) from None
