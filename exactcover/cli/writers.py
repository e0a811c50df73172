"""How solutions are written: text, JSON, JSON Lines, SVG. One writer a format."""

from __future__ import annotations

import itertools
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Protocol, TextIO, TypeVar

import click

from exactcover import __version__, contact_sheet
from exactcover.cli.progress import Progress
from exactcover.cli.target import opened
from exactcover.config import Configuration
from exactcover.encoder import Encoder, defines
from exactcover.formats import solutions
from exactcover.pictures import Picture, render
from exactcover.pictures.svg import MOST_PICTURES
from exactcover.problem import Label, Problem
from exactcover.search import Search
from exactcover.stop import Status

__all__ = ["WRITERS", "Writer", "drawing", "output_options", "pass_on", "writing"]

F = TypeVar("F", bound=Callable[..., Any])


def drawing(encoder: Encoder, labels: Sequence[Label]) -> Picture | None:
    """Return a picture of these options that text can show, or None."""
    picture = encoder.draw(labels)
    return picture if picture is not None and picture.placed else None


class Writer(Protocol):
    """Is told of the beginning, of every solution, and of the end."""

    def solution(self, positions: Sequence[int]) -> None:
        """Take one solution."""
        ...

    def close(self, search: Search) -> None:
        """Take the end, whichever it is."""
        ...


class TextWriter:
    """Draws each solution, or prints its labels where there is nothing to draw."""

    def __init__(self, out: TextIO, configuration: Configuration, problem: Problem, *, colors: bool) -> None:
        self.out, self.encoder, self.problem, self.colors = out, configuration.encoder, problem, colors
        self.first = True

    def solution(self, positions: Sequence[int]) -> None:
        labels = tuple(self.problem.labels[position] for position in positions)
        picture = drawing(self.encoder, labels)
        cost = self.problem.cost(labels) if self.problem.matrix.costs else None
        if picture is None:
            self.out.write(", ".join(map(str, labels)) + ("" if cost is None else f" (cost {cost})") + "\n")
        else:
            self.out.write(("" if self.first else "\n") + render(picture, colors=self.colors) + "\n")
            self.out.write("" if cost is None else f"cost {cost}\n")
        self.first = False
        self.out.flush()

    def close(self, search: Search) -> None:
        self.out.flush()


class JsonLinesWriter:
    """Writes and flushes a record at a time; see :mod:`exactcover.formats.solutions`."""

    def __init__(self, out: TextIO, configuration: Configuration, problem: Problem, *, colors: bool) -> None:
        self.out, self.problem = out, problem
        self.ascii = out.encoding.lower() not in ("utf-8", "utf8")
        self.number = itertools.count(1)
        givens = [problem.position(label) for label in configuration.encoder.givens()]
        self.write(solutions.header(problem, configuration.problem, configuration.params, givens, __version__))

    def write(self, entry: dict[str, Any]) -> None:
        self.out.write(json.dumps(entry, ensure_ascii=self.ascii) + "\n")
        self.out.flush()

    def solution(self, positions: Sequence[int]) -> None:
        self.write(solutions.record(next(self.number), positions, self.problem))

    def close(self, search: Search) -> None:
        self.write(solutions.closing(search.status, search.statistics))


class JsonWriter(JsonLinesWriter):
    """Writes the same records as one JSON document."""

    _before = '{"header": '

    def write(self, entry: dict[str, Any]) -> None:
        self.out.write(self._before + json.dumps(entry, ensure_ascii=self.ascii))
        self._before = ', "solutions": [\n' if self._before.startswith("{") else ",\n"

    def close(self, search: Search) -> None:
        self._before = ', "solutions": [], "closing": ' if self._before != ",\n" else '\n], "closing": '
        self.write(solutions.closing(search.status, search.statistics))
        self.out.write("}\n")
        self.out.flush()


class SvgWriter:
    """Draws one contact sheet when the search has ended."""

    def __init__(self, out: TextIO, configuration: Configuration, problem: Problem, *, colors: bool) -> None:
        self.out, self.encoder, self.problem = out, configuration.encoder, problem
        self.pictures: list[Picture] = []

    def solution(self, positions: Sequence[int]) -> None:
        if len(self.pictures) < MOST_PICTURES:
            picture = self.encoder.draw(tuple(self.problem.labels[position] for position in positions))
            if picture is not None:
                self.pictures.append(picture)

    def close(self, search: Search) -> None:
        if self.pictures:
            found = search.statistics.solutions
            more = search.status is not Status.COMPLETE and not (search.status is Status.LIMIT and found == 1)
            known = search.total is not None
            self.out.write(
                contact_sheet(self.pictures, total=search.total if known else found, more=more and not known)
            )
            self.out.flush()


WRITERS: dict[str, Callable[..., Writer]] = {
    "text": TextWriter,
    "jsonl": JsonLinesWriter,
    "json": JsonWriter,
    "svg": SvgWriter,
}


_SUFFIXES = {".txt": "text", ".json": "json", ".jsonl": "jsonl", ".svg": "svg"}


def output_options(verb: F) -> F:
    """Add ``--format`` and ``-o``."""
    verb = click.option("-o", "--output", metavar="FILE", help="Write there instead of standard output.")(verb)
    return click.option("--format", "output_format", type=click.Choice(list(WRITERS)), help="How to write solutions.")(
        verb
    )


@contextmanager
def writing(
    configuration: Configuration, output_format: str | None, output: str | None
) -> Iterator[Callable[[Problem], Writer]]:
    """Take the options of :func:`output_options`; yield what begins to write, and close the file after the block."""
    output = output or configuration.output.file
    name = output_format or from_suffix(output) or configuration.output.format or "text"
    if name == "svg" and not defines(configuration.encoder, "draw"):
        raise click.UsageError(f"problem {configuration.problem!r} draws no pictures; choose another --format")
    with ExitStack() as files:

        def begin(problem: Problem) -> Writer:
            out = files.enter_context(opened(output))
            return WRITERS[name](out, configuration, problem, colors=_wants_colors(out))

        yield begin


def from_suffix(output: str | None, formats: Mapping[str, str] = _SUFFIXES) -> str | None:
    """Return the format that a file's name asks for."""
    suffix = Path(output or "").suffix.lower()
    if suffix and suffix not in formats:
        raise click.UsageError(f"no format goes with {suffix} (known are {', '.join(formats)}); name one by --format")
    return formats.get(suffix)


def pass_on(search: Search, writer: Writer, quiet: bool) -> None:
    """Hand every solution to the writer, and the end."""
    with search, Progress(search, shown=not quiet) as progress:
        for positions in search.positions():
            with progress.make_room():
                writer.solution(positions)
    writer.close(search)


def _wants_colors(out: TextIO) -> bool:
    """Whether to paint: on a terminal, unless NO_COLOR is set."""
    return out is sys.stdout and out.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
