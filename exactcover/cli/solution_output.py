"""The flags that say where and how to write solutions, and the writer with its file."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any, TextIO, TypeVar

import click

from exactcover.cli.flags import add_escape_flag, add_format_flag, add_output_flag
from exactcover.cli.messages import print_message
from exactcover.cli.output import KeepOldFileError, is_standard_output, open_output
from exactcover.cli.progress import Progress, describe_progress
from exactcover.cli.target import Request
from exactcover.cli.writers import WRITERS, Writer, WriterSettings
from exactcover.config.configuration import Configuration
from exactcover.config.output_file import OUTPUT_FORMATS, describe_place
from exactcover.encoders.encoder import defines
from exactcover.files.replace import part_of
from exactcover.pictures.solids import PrintSize
from exactcover.problem import Problem
from exactcover.search.search import Search

__all__ = ["add_solution_flags", "infer_format", "open_writer", "write_all"]

F = TypeVar("F", bound=Callable[..., Any])

_TABLES = ("csv", "csv-wide")
_STREAMED_FORMATS = ("text", "jsonl", "csv", "csv-wide")  # written while the search runs


def add_solution_flags(verb: F) -> F:
    """Add the flags of an output: its format and file, whether to replace it, pages, headers, formulas and STL."""
    verb = add_escape_flag(verb)
    verb = click.option(
        "--overwrite",
        is_flag=True,
        help="Replace the file that the configuration names, if it exists. The file of -o is always replaced.",
    )(verb)
    verb = click.option(
        "--header/--no-header",
        default=True,
        show_default=True,
        help="Write, or leave out, the header of csv and the header and closing record of jsonl.",
    )(verb)
    verb = click.option(
        "--pages",
        type=click.IntRange(min=1, max=10_000),
        default=1,
        metavar="N",
        help="Draw up to N sheets of 60 solutions each. If N is more than 1, -o NAME.svg is needed, and the sheets are "
        "NAME-1.svg, NAME-2.svg, ...",
    )(verb)
    return add_format_flag(WRITERS)(add_output_flag(_add_stl_flags(verb)))


def _add_stl_flags(verb: F) -> F:
    length = click.FloatRange(min=0.01, max=1000)
    verb = click.option(
        "--piece-files",
        is_flag=True,
        help="With the format stl, write each piece to its own file: with -o NAME.stl, NAME-1.stl, NAME-2.stl, ...",
    )(verb)
    verb = click.option(
        "--gap",
        type=length,
        metavar="MM",
        help="With the format stl, the distance between pieces that touch. The default is 0.2.",
    )(verb)
    return click.option(
        "--block-size",
        type=length,
        metavar="MM",
        help="With the format stl, the edge of a cube or the diameter of a sphere. The default is 10.",
    )(verb)


def infer_format(output: str | None, formats: Mapping[str, str] = OUTPUT_FORMATS) -> str | None:
    """Return the format that belongs to the suffix of a file, or None."""
    suffix = Path(output or "").suffix.lower()
    if suffix and suffix not in formats and not is_standard_output(output):
        raise click.UsageError(
            f"no format has the suffix {suffix}; use {', '.join(formats)}, or choose one with --format"
        )
    return formats.get(suffix)


def _check_flags(name: str, output: str | None, *, pages: int, header: bool, escape_formulas: bool) -> None:
    """Refuse flags that do not apply to a format."""
    if escape_formulas and name not in _TABLES:
        raise click.UsageError(f"--escape-formulas applies only to the formats {' and '.join(_TABLES)}")
    if not header and name not in (*_TABLES, "jsonl"):
        raise click.UsageError(f"--no-header applies only to the formats {', '.join(_TABLES)} and jsonl")
    if pages > 1:
        if name != "svg" or output is None or is_standard_output(output):
            raise click.UsageError("--pages needs -o FILE.svg")
        _check_several(output)


def _check_stl_flags(
    name: str, output: str | None, block_size: float | None, gap: float | None, piece_files: bool
) -> PrintSize:
    """Refuse flags of STL that do not apply, and return the size of the pieces."""
    if name != "stl" and (block_size is not None or gap is not None or piece_files):
        raise click.UsageError("--block-size, --gap and --piece-files apply only to the format stl")
    if name == "stl" and is_standard_output(output) and sys.stdout.isatty():
        raise click.UsageError("give the name of the output file with -o")
    if piece_files:
        if output is None or is_standard_output(output):
            raise click.UsageError("--piece-files needs -o FILE.stl")
        _check_several(output)
    try:
        return PrintSize(block_size or PrintSize.block, gap or PrintSize.gap)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _check_several(output: str) -> None:
    """Refuse a path from which names of several files cannot be made."""
    if Path(output).exists() and not Path(output).is_file():
        raise click.UsageError(f"{output} is not a file; several files need names of their own")


@contextmanager
def open_writer(
    request: Request,
    configuration: Configuration,
    *,
    most: int | None,
    output_format: str | None,
    output: str | None,
    overwrite: bool,
    pages: int,
    header: bool,
    escape_formulas: bool,
    block_size: float | None,
    gap: float | None,
    piece_files: bool,
) -> Iterator[Callable[[Problem, Search], Writer]]:
    """Yield a function that creates the writer; close its file after the block.

    The arguments are the flags of :func:`add_solution_flags`; `most` is how many solutions are wanted, if known.
    """
    configured = output is None and configuration.output.file is not None
    output = configuration.output.file if output is None else output
    stated = configuration.output.format
    name = output_format or (stated if configured else None) or infer_format(output) or stated or "text"
    _check_flags(name, output, pages=pages, header=header, escape_formulas=escape_formulas)
    print_size = _check_stl_flags(name, output, block_size, gap, piece_files)
    for needed, method, what in (("svg", "draw", "pictures"), ("stl", "blocks", "solid pieces")):
        if name == needed and not defines(configuration.encoder, method):
            raise click.UsageError(f"problem {configuration.problem!r} has no {what}; choose another --format")

    def open_file(path: str | None, *, keep_part: bool = False) -> AbstractContextManager[TextIO]:
        if configured and path is not None:
            _check_configured(path, overwrite=overwrite)
            print_message(f"writing {path}, which the configuration names")  # also with -q: the user did not choose it
        return open_output(path, inputs=configuration.inputs, keep_part=keep_part)

    def open_page(number: int) -> AbstractContextManager[TextIO]:
        return open_file(_name_page(str(output), number))

    writers: list[Writer] = []
    first = _name_page(str(output), 1) if pages > 1 or piece_files else output
    if configured and first is not None:
        _check_configured(first, overwrite=overwrite)  # before anything is searched
    try:
        with ExitStack() as files:

            def create_writer(problem: Problem, search: Search) -> Writer:
                out = files.enter_context(open_file(first, keep_part=name in _STREAMED_FORMATS))
                settings = WriterSettings(header, escape_formulas, pages, most or 0, open_page, print_size, piece_files)
                writers.append(WRITERS[name](out, configuration, problem, search, settings))
                return writers[-1]

            yield create_writer
            if not is_standard_output(first) and any(not writer.may_replace for writer in writers):
                raise KeepOldFileError
    except KeepOldFileError:
        if name not in _STREAMED_FORMATS:
            print_message(f"{first} was not written: there is nothing to draw")


def _check_configured(path: str, *, overwrite: bool) -> None:
    """Refuse to write a file that a configuration names, if it may be a file that others rely on."""
    fault = describe_place(path)
    if fault is not None:
        raise click.UsageError(f"output.file is {path!r}: {fault}")
    part = part_of(Path(path))
    for place, named in ((Path(path), f"{path}, which the configuration names,"), (part, f"{part}, a partial result,")):
        if os.path.lexists(place) and not (overwrite and place.is_file()):
            advice = "; use --overwrite to replace it, or" if place.is_file() else " and is not a regular file; use"
            raise click.UsageError(f"{named} exists already{advice} -o to write another file")


def _name_page(output: str, number: int) -> str:
    path = Path(output)
    return str(path.with_name(f"{path.stem}-{number}{path.suffix}"))


def write_all(
    search: Search, writer: Writer, request: Request, note: Callable[[tuple[int, ...]], object] = lambda positions: None
) -> None:
    """Write every solution, after calling `note` with it, and then the end of the search."""
    with search, Progress(lambda: describe_progress(search.statistics), shown=not request.quiet) as progress:
        for positions in search.positions():
            note(positions)
            with progress.pause_display():
                writer.write_solution(positions)
    remark = writer.close()
    if remark is not None and not request.quiet:
        print_message(remark)
