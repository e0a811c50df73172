"""Where results go: standard output, a pipe, or a file that is whole or as it was."""

from __future__ import annotations

import io
import select
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TextIO

import click

from exactcover.cli.messages import print_line
from exactcover.errors import OutputError
from exactcover.files.replace import part_of, replace_file

__all__ = ["can_show", "checked_standard_output", "is_standard_output", "open_output"]

_STANDARD_OUTPUT = (None, "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


class _Sink(io.RawIOBase):
    """Passes bytes on; what goes wrong is an :class:`OutputError`, so that it is told from other errors."""

    def __init__(self, out: io.FileIO, name: str) -> None:
        self._out, self._name = out, name
        self.dead = False  # what is still in buffers after an error goes nowhere

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._out.isatty()

    def fileno(self) -> int:
        return self._out.fileno()

    def write(self, content: object) -> int:
        data = bytes(content)  # type: ignore[call-overload]  # whatever has a buffer
        if not self.dead:
            try:
                while (written := self._out.write(data)) is None:  # it does not wait by itself
                    select.select([], [self._out], [])
                return written
            except OSError as error:
                self.dead = True
                raise _failure(self._name, error) from None
        return len(data)


class _Closed(io.RawIOBase):
    """Stands for a standard output that was closed before the start."""

    def writable(self) -> bool:
        return True

    def write(self, _: object) -> int:
        raise OutputError("standard output is closed")


def _failure(name: str, error: OSError) -> OutputError:
    return OutputError(f"cannot write {name}: {error.strerror or error}")


def is_standard_output(output: str | None) -> bool:
    """Whether an ``-o`` names standard output, or nothing does."""
    return output in _STANDARD_OUTPUT


def can_show(out: TextIO, text: str) -> bool:
    """Whether a stream has the characters of a text."""
    try:
        text.encode(out.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


@contextmanager
def checked_standard_output() -> Iterator[None]:
    """Let ``sys.stdout`` raise :class:`OutputError` where it cannot be written, as long as the block lasts."""
    before = sys.stdout
    if before is None:
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_Closed()), "utf-8", write_through=True)
        try:
            yield
        finally:
            sys.stdout = None  # as Python itself has it
        return
    try:
        descriptor = before.fileno()
    except (AttributeError, OSError, ValueError):  # closed, or what a test has put there
        yield
        return
    before.flush()
    with open(descriptor, "wb", buffering=0, closefd=False) as raw:
        sink = _Sink(raw, "results")
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(sink),
            encoding=before.encoding,
            errors="replace",  # a picture with holes is better than none
            line_buffering=before.isatty(),
        )
        try:
            yield
            sys.stdout.flush()
        finally:
            sink.dead = True  # what was to be written has been flushed, or failed
            sys.stdout.close()
            sys.stdout = before


@contextmanager
def open_output(output: str | None, *, inputs: Iterable[Path] = (), keep_part: bool = False) -> Iterator[TextIO]:
    """Open what ``-o`` names, or standard output; a file takes the place of an old one at the end of the block.

    Parameters
    ----------
    output
        The path; None or ``-`` for standard output.
    inputs
        Files that were read; none of them is overwritten.
    keep_part
        Whether what was written stays in ``FILE.part`` where the block raises an exception.

    Raises
    ------
    OutputError
        If it cannot be written.
    click.UsageError
        If it is one of the inputs.
    """
    if output is None or is_standard_output(output):
        yield sys.stdout
        return
    for path in inputs:
        if Path(output).exists() and path.exists() and path.samefile(output):
            raise click.UsageError(f"{output} is an input; name another file to write to")
    files = ExitStack()
    try:
        out = files.enter_context(replace_file(Path(output), keep_part=keep_part))
    except OSError as error:
        raise _failure(output, error) from None
    sink = _Sink(out, output)
    part = part_of(Path(output))
    text = io.TextIOWrapper(io.BufferedWriter(sink), "utf-8", newline="\n")
    try:
        yield text
        text.flush()
    except BaseException as error:
        sink.dead = True
        files.__exit__(type(error), error, error.__traceback__)
        if keep_part and part.is_file():
            print_line(f"{output} was not written; what was found is in {part}")
        raise
    try:
        files.close()
    except OSError as error:
        raise _failure(output, error) from None
