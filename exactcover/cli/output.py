"""Input, limited in size, and output to standard output, a pipe, or a file that is either complete or unchanged."""

from __future__ import annotations

import errno
import io
import os
import select
import shutil
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO, cast

import click

from exactcover.cli.messages import print_message
from exactcover.control.stop import Stop
from exactcover.errors import ConfigError, Mistake, OutputError
from exactcover.files.json_text import dump_json
from exactcover.files.read import describe_bytes, describe_failure, open_regular, read_bounded, read_stream
from exactcover.files.write import part_of, replace_file
from exactcover.formats.registry import Format, Formats, by_suffix, suffix_of
from exactcover.pictures.text import can_encode

if TYPE_CHECKING:
    from exactcover.pictures import Picture

_MAX_BYTES = 1 << 31
_MAX_LINE_BYTES = 1 << 24
_BLOCK = 1 << 16  # bytes that are read at once


def read_file(path: Path, source: str, stop: Stop) -> bytes:
    """Return the content of a file; raise ``ConfigError`` if it cannot be read, or is larger than 2 GiB."""
    try:
        return read_bounded(path, _MAX_BYTES, stop.poll)
    except OSError as error:
        raise ConfigError([Mistake(describe_failure(error), source)]) from None


def read_standard_input(stop: Stop) -> bytes:
    """Return the content of standard input.

    Raise ``ConfigError`` if it cannot be read, or is larger than 2 GiB, and ``click.UsageError`` if it is closed.
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
        self.before_waiting: Callable[[], object] = lambda: None  # called before the reader waits for more
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
            text = line.decode() if self._number > 1 else line.decode("utf-8-sig")
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

    Raise ``ConfigError`` if the file cannot be read, or a line is 16 MiB or longer, and ``click.UsageError`` if
    standard input is closed.
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


_STANDARD_OUTPUT_NAMES = (None, "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


class KeepOldFileError(Exception):
    """Raised in the block of :func:`open_output`: the old file stays, because the new one is not complete."""


class _CheckedOutput(io.RawIOBase):
    """Passes bytes on; raises :class:`OutputError` on failure, to distinguish it from other errors."""

    def __init__(self, out: io.RawIOBase, name: str) -> None:
        self._out, self._name = out, name
        self.discards = False  # set after an error: the rest of the buffers is dropped

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._out.isatty()

    def fileno(self) -> int:
        return self._out.fileno()

    def write(self, content: object) -> int:
        data = bytes(content)  # type: ignore[call-overload]  # anything with a buffer
        if not self.discards:
            try:
                while (written := self._out.write(data)) is None:  # a non-blocking stream
                    select.select([], [self._out], [])
                return written
            except OSError as error:
                self.discards = True
                raise _make_error(self._name, error) from None
        return len(data)


class _ClosedOutput(io.RawIOBase):
    """Stands for a standard output that was already closed when the program started."""

    def writable(self) -> bool:
        return True

    def write(self, _: object) -> int:
        raise OSError(errno.EBADF, "standard output is closed")


def _make_error(name: str, error: OSError) -> OutputError:
    return OutputError(f"cannot write {name}: {error.strerror or error}")


def is_standard_output(output: str | None) -> bool:
    """Return whether the value of ``-o`` means standard output; None does."""
    return output in _STANDARD_OUTPUT_NAMES


def make_renderer(out: TextIO | None) -> Callable[[Picture], str]:
    """Return a function that renders pictures as text for a stream: in color on a terminal, unless NO_COLOR is set."""
    from exactcover.pictures import render  # few verbs draw

    if out is None:
        return render
    terminal = out is sys.stdout and out.isatty()
    colors = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    width = shutil.get_terminal_size().columns if terminal else None
    return partial(render, colors=colors, ascii=not can_encode(out, "┌─●▒"), width=width)


def make_output_renderer(output: str | None) -> Callable[[Picture], str]:
    """Return the renderer for the value of ``-o``."""
    return make_renderer(sys.stdout if is_standard_output(output) else None)


def check_other_output(flag: str, path: str | None, output: str | None) -> None:
    """Raise a usage error if the file of a flag is the one of ``-o``, which is standard output if it is None."""
    if path is None:
        return
    if is_standard_output(path) and is_standard_output(output):
        raise click.UsageError(f"{flag} and the results cannot both go to standard output")
    if output is not None and Path(path).resolve() == Path(output).resolve():
        raise click.UsageError(f"{flag} and -o name the same file")


def check_file_name(path: str) -> None:
    """Raise a usage error if a path cannot name a file because it is empty or ends in a slash, which Path drops."""
    if not os.path.basename(path):  # noqa: PTH119 - see above
        raise click.UsageError(f"{path!r} is not the name of a file" + (", since it ends in a slash" if path else ""))


@contextmanager
def wrap_standard_output() -> Iterator[None]:
    """Make ``sys.stdout`` raise :class:`OutputError` if it cannot be written, for the duration of the block."""
    original: TextIO | None = sys.stdout
    out: io.RawIOBase = _ClosedOutput()
    if original is not None:
        try:
            descriptor = original.fileno()
        except (AttributeError, OSError, ValueError):  # closed, or replaced by a test
            yield
            return
        original.flush()
        out = io.FileIO(descriptor, "w", closefd=False)
    with out as raw:
        checked = _CheckedOutput(raw, "results")
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(checked),
            encoding=original.encoding if original is not None else "utf-8",
            errors="replace",  # an incomplete picture is better than none
            line_buffering=raw.isatty(),
        )
        try:
            yield
            sys.stdout.flush()
        finally:
            checked.discards = True  # everything has been flushed, or writing failed
            sys.stdout.close()
            sys.stdout = original  # None where it was closed, as Python itself sets it


@contextmanager
def open_output(output: str | None, *, inputs: Iterable[Path] = (), keep_part: bool = False) -> Iterator[TextIO]:
    """Open the file that ``-o`` names, or standard output. A file replaces an old one at the end of the block.

    None and ``-`` stand for standard output. The inputs must not be overwritten. With `keep_part`, partial output stays
    in ``FILE.exactcover-part`` if the block raises an exception. Raise ``OutputError`` if the output cannot be written,
    and ``click.UsageError`` if it is one of the inputs, or not the name of a file.
    """
    if output is None or is_standard_output(output):
        yield sys.stdout
        return
    check_file_name(output)
    for path in inputs:
        if Path(output).exists() and path.exists() and path.samefile(output):
            raise click.UsageError(f"{output} is an input file; choose another output file")
    files = ExitStack()
    try:
        out = files.enter_context(replace_file(Path(output), keep_part=keep_part))
    except OSError as error:
        raise _make_error(output, error) from None
    checked = _CheckedOutput(out, output)
    part = part_of(Path(output))
    text = io.TextIOWrapper(io.BufferedWriter(checked), "utf-8", newline="\n")
    try:
        try:
            yield text
            text.flush()
        except BaseException as error:
            checked.discards = True
            files.__exit__(type(error), error, error.__traceback__)
            raise
        try:
            files.close()
        except OSError as error:
            raise _make_error(output, error) from None
    except BaseException:
        if keep_part and part.is_file():
            print_message(f"{output} was not written; the partial result is in {part}")
        raise


def choose_format(formats: Formats, stated: str | None, output: str | None, default: str | None = None) -> Format:
    """Return the format that ``--format`` states, or that belongs to the suffix of ``-o``, or else the default.

    Raise ``click.UsageError`` if no format has the suffix, or there is neither a suffix nor a default.
    """
    if stated is not None:
        return formats[stated]
    known = by_suffix(formats)
    suffix = suffix_of(output or "")
    if suffix in known:
        return known[suffix]
    if suffix:
        raise click.UsageError(
            f"no format has the suffix {suffix}; use {', '.join(known)}, or choose one with --format"
        )
    if default is None:
        raise click.UsageError(f"choose a format with -o FILE or --format; the formats are {', '.join(formats)}")
    return formats[default]


def check_flag(formats: Formats, chosen: Format, setting: str, flag: str, given: object) -> None:
    """Refuse a flag that is given although its setting does not apply to the chosen format."""
    if given and setting not in chosen.takes:
        *others, last = (name for name, one in formats.items() if setting in one.takes)
        able = f"formats {', '.join(others)} and {last}" if others else f"format {last}"
        raise click.UsageError(f"{flag} applies only to the {able}")


def check_terminal(chosen: Format, output: str | None) -> None:
    """Refuse to write bytes to a terminal."""
    if chosen.binary and is_standard_output(output) and sys.stdout.isatty():
        raise click.UsageError("give the name of the output file with -o")


def write_report(
    lines: Iterable[str],
    facts: Mapping[str, Any],
    *,
    output_format: str,
    output: str | None,
    inputs: Iterable[Path] = (),
) -> None:
    """Write either the lines, or the facts as a JSON object; see ``add_report_flags``."""
    with open_output(output, inputs=inputs) as out:
        if output_format == "json":
            out.write(dump_json(facts, ascii_only=not can_encode(out, "\U0010ffff")) + "\n")
        else:
            out.writelines(f"{line}\n" for line in lines)
        out.flush()
