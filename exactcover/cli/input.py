"""What is read: files and standard input, with a bound, and with a word where it waits for somebody to type."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import click

from exactcover.cli.messages import print_line
from exactcover.control.stop import Stop
from exactcover.errors import ConfigError, Mistake
from exactcover.files.read import read_bounded, read_stream

__all__ = ["open_lines", "read_file", "read_standard_input"]

_MOST_BYTES = 1 << 31
_MOST_LINE = 1 << 24  # bytes


def read_file(path: Path, source: str, stop: Stop) -> bytes:
    """Return what a file holds.

    Raises
    ------
    ConfigError
        If it cannot be read, or is larger than 2 GiB.
    """
    try:
        return read_bounded(path, _MOST_BYTES, stop.poll)
    except OSError as error:
        raise ConfigError([Mistake(f"cannot be read: {error.strerror or error}", source)]) from None


def read_standard_input(stop: Stop) -> bytes:
    """Return what standard input holds.

    Raises
    ------
    ConfigError
        If it cannot be read, or is more than 2 GiB.
    click.UsageError
        If it is closed.
    """
    try:
        content = read_stream(_standard_input(), _MOST_BYTES, stop.poll)
        stop.poll()  # whoever wrote it may have been stopped by the same signal
        return content
    except OSError as error:
        raise ConfigError([Mistake(f"cannot be read: {error.strerror or error}", "standard input")]) from None


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise click.UsageError("standard input is closed")
    if sys.stdin.isatty():
        print_line("reading standard input; end it with Ctrl-D")
    return sys.stdin.buffer


@contextmanager
def open_lines(file: str) -> Iterator[Iterable[str]]:
    """Open a text file, or standard input for ``-``, as lines; one that is too long to be a line is an error."""
    if file == "-":
        yield _bounded_lines(_standard_input(), "standard input")
        return
    try:
        opened = Path(file).open("rb")  # noqa: SIM115 - closed below
    except OSError as error:
        raise ConfigError([Mistake(f"cannot be read: {error.strerror}", file)]) from None
    with opened:
        yield _bounded_lines(opened, file)


def _bounded_lines(content: BinaryIO, source: str) -> Iterator[str]:
    try:
        while line := content.readline(_MOST_LINE):
            if len(line) == _MOST_LINE:
                raise ConfigError([Mistake(f"a line is longer than {_MOST_LINE:,} bytes", source)])
            yield line.decode("utf-8", "replace")
    except OSError as error:
        raise ConfigError([Mistake(f"cannot be read: {error.strerror}", source)]) from None
