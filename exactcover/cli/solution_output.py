"""Where and how solutions are written: options, and what holds a writer together with its file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any, TextIO, TypeVar

import click

from exactcover.cli.flags import formulas_option, output_option
from exactcover.cli.messages import print_line
from exactcover.cli.output import is_standard_output, open_output
from exactcover.cli.progress import Progress, describe
from exactcover.cli.target import Request
from exactcover.cli.writers import WRITERS, Style, Writer
from exactcover.config.configuration import Configuration
from exactcover.encoders.encoder import defines
from exactcover.problem import Problem
from exactcover.search.search import Search

__all__ = ["format_of", "open_writer", "solution_options", "write_all"]

F = TypeVar("F", bound=Callable[..., Any])

_SUFFIXES = {".txt": "text", ".json": "json", ".jsonl": "jsonl", ".csv": "csv", ".svg": "svg"}
_GROWING = ("text", "jsonl", "csv", "csv-wide")  # people want to see these grow


def solution_options(verb: F) -> F:
    """Add ``--format``, ``-o``, ``--pages``, ``--no-header`` and ``--escape-formulas``."""
    verb = formulas_option(verb)
    verb = click.option(
        "--header/--no-header",
        default=True,
        help="Leave out the header and the closing record of jsonl, the header of csv.",
    )(verb)
    verb = click.option(
        "--pages",
        type=click.IntRange(min=1, max=10_000),
        default=1,
        metavar="N",
        help="Draw up to N sheets of 60 solutions: FILE-1.svg, FILE-2.svg, ...",
    )(verb)
    return click.option("--format", "output_format", type=click.Choice(list(WRITERS)), help="How to write solutions.")(
        output_option(verb)
    )


def format_of(output: str | None, formats: Mapping[str, str] = _SUFFIXES) -> str | None:
    """Return the format that a file's name asks for."""
    suffix = Path(output or "").suffix.lower()
    if suffix and suffix not in formats and not is_standard_output(output):
        raise click.UsageError(f"no format goes with {suffix} (known are {', '.join(formats)}); name one by --format")
    return formats.get(suffix)


@contextmanager
def open_writer(
    request: Request,
    configuration: Configuration,
    *,
    most: int | None,
    output_format: str | None,
    output: str | None,
    pages: int,
    header: bool,
    escape_formulas: bool,
) -> Iterator[Callable[[Problem, Search], Writer]]:
    """Take the options of :func:`solution_options`; yield what begins to write, and close the file after the block."""
    if output is None and configuration.output.file is not None:
        output = configuration.output.file
        if not Path(output).resolve().is_relative_to(Path.cwd()):  # by a link
            raise click.UsageError(f"output.file {output!r} leads out of the current folder; name others with -o")
    name = output_format or format_of(output) or configuration.output.format or "text"
    if name == "svg" and not defines(configuration.encoder, "draw"):
        raise click.UsageError(f"problem {configuration.problem!r} draws no pictures; choose another --format")
    if pages > 1 and (name != "svg" or output is None or is_standard_output(output)):
        raise click.UsageError("--pages needs -o FILE.svg")

    def open_page(number: int) -> AbstractContextManager[TextIO]:
        return open_output(_page_name(str(output), number), inputs=configuration.inputs)

    begun: list[Writer] = []
    first = output if pages == 1 else _page_name(str(output), 1)
    try:
        with ExitStack() as files:

            def begin(problem: Problem, search: Search) -> Writer:
                out = files.enter_context(open_output(first, inputs=configuration.inputs, keep_part=name in _GROWING))
                style = Style(header, escape_formulas, pages, most or 0, open_page)
                begun.append(WRITERS[name](out, configuration, problem, search, style))
                return begun[-1]

            yield begin
            if not is_standard_output(first) and any(not writer.whole for writer in begun):
                raise _UnfinishedError
    except _UnfinishedError:
        if name not in _GROWING:
            print_line(f"{first} was not written: there is nothing to draw")


class _UnfinishedError(Exception):
    """What was written must not take the place of a file; never leaves this module."""


def _page_name(output: str, number: int) -> str:
    path = Path(output)
    return str(path.with_name(f"{path.stem}-{number}{path.suffix}"))


def write_all(search: Search, writer: Writer, request: Request) -> None:
    """Hand every solution to the writer, and the end."""
    with search, Progress(lambda: describe(search.statistics), shown=not request.quiet) as progress:
        for positions in search.positions():
            with progress.make_room():
                writer.solution(positions)
    remark = writer.close()
    if remark is not None and not request.quiet:
        print_line(remark)
