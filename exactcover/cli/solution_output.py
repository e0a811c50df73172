"""The flags that say where and how to write solutions, and the writer with its file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any, TextIO

import click

from exactcover.cli.flags import (
    FiniteRange,
    add_escape_flag,
    add_format_flag,
    add_output_flag,
    join_flags,
    report_bad_flags,
)
from exactcover.cli.messages import Progress, describe_progress, get_noun, print_message
from exactcover.cli.output import (
    KeepOldFileError,
    check_flag,
    check_terminal,
    choose_format,
    is_standard_output,
    make_renderer,
    open_output,
)
from exactcover.cli.target import Request, check_encoder
from exactcover.config.configuration import Configuration, describe_place
from exactcover.files.write import part_of
from exactcover.formats.registry import SOLUTIONS, Format
from exactcover.formats.solution_tables import Delivery, Writer, WriterSettings
from exactcover.formats.solutions import ProblemFacts
from exactcover.pictures.flats import CutSize
from exactcover.pictures.paper import PAPERS, Paper
from exactcover.pictures.solids import PrintSize
from exactcover.search.search import Search

_SETTINGS = dict.fromkeys(name for one in SOLUTIONS.values() for name in one.takes)
"""The flags that do not apply to every format."""

_USUAL = {"header": True, "pages": 1, "escape_formulas": False, "piece_files": False, "piece_set": False}
"""Their defaults, where these are not None."""

_LENGTH = FiniteRange(min=0.01, max=1000)

add_solution_flags = join_flags(
    add_format_flag(SOLUTIONS),
    add_output_flag,
    click.option(
        "--block-size",
        type=_LENGTH,
        metavar="MM",
        help="With the formats stl, dxf and cut, the edge of a cube, the diameter of a sphere, or the width of a cell. "
        "The default is 10 for stl, and 20 for the others.",
    ),
    click.option(
        "--block-gap",
        type=FiniteRange(min=0, max=1000),
        metavar="MM",
        help="With the formats stl, dxf and cut, the distance between pieces that touch. The default is 0.2 for stl, "
        "and 0 for the others.",
    ),
    click.option(
        "--kerf",
        type=FiniteRange(min=0, max=100),
        metavar="MM",
        help="With the formats dxf and cut, the width that the tool takes away: lines lie half as far outside. The "
        "default is 0.",
    ),
    click.option(
        "--thickness",
        type=_LENGTH,
        metavar="MM",
        help="With the format stl, the thickness of flat pieces. The default is 3.",
    ),
    click.option(
        "--piece-files",
        is_flag=True,
        help="With the formats stl, dxf and cut, write each piece to its own file: with -o NAME.stl, NAME-1.stl, "
        "NAME-2.stl, ...",
    ),
    click.option(
        "--piece-set",
        is_flag=True,
        help="With the formats stl, dxf and cut, write one piece of each kind, and not the pieces of a solution.",
    ),
    click.option(
        "--paper",
        metavar="SIZE",
        help=f"Print sheets on paper of this size, with a heading: {', '.join(PAPERS)}, one of them with "
        "-landscape, or WIDTHxHEIGHT in mm.",
    ),
    click.option(
        "--margin",
        type=FiniteRange(min=0, max=500),
        metavar="MM",
        help="With --paper, the margin on every side. The default is 12.",
    ),
    click.option(
        "--link",
        metavar="ADDRESS",
        help="With --paper, print a QR code that opens the puzzle for playing on the page at this address: one that "
        "`view` wrote, or that the studio offers. A code holds only small puzzles; if the page is one of this puzzle, "
        "add #view=play, and the code is that of the address alone. Needs the extra `print`.",
    ),
    click.option(
        "--pages",
        type=click.IntRange(min=1, max=10_000),
        default=1,
        metavar="N",
        help="Draw up to N sheets of 60 solutions each. If N is more than 1, -o NAME.svg is needed, and the sheets are "
        "NAME-1.svg, NAME-2.svg, ...",
    ),
    click.option(
        "--header/--no-header",
        default=True,
        show_default=True,
        help="Write, or leave out, the header of csv and the header and closing record of jsonl.",
    ),
    click.option(
        "--overwrite",
        is_flag=True,
        help="Replace the file that the configuration names, if it exists. The file of -o is always replaced.",
    ),
    add_escape_flag,
)
"""Adds the flags of an output: its format and file, pieces, paper, pages, headers, whether to replace it, formulas."""


def _check_flags(chosen: Format, output: str | None, flags: Mapping[str, Any]) -> None:
    """Refuse flags that do not apply to a format, and files that it cannot be written to."""
    for name in _SETTINGS:
        flag = "--no-header" if name == "header" else f"--{name.replace('_', '-')}"
        check_flag(SOLUTIONS, chosen, name, flag, flags[name] != _USUAL.get(name))
    check_terminal(chosen, output)
    for name in ("pages", "piece_files"):
        if flags[name] != _USUAL[name]:
            if output is None or is_standard_output(output):
                raise click.UsageError(f"--{name.replace('_', '-')} needs -o FILE{chosen.suffix}")
            if Path(output).exists() and not Path(output).is_file():
                raise click.UsageError(f"{output} is not a file; several files need names of their own")


def _read_sizes(chosen: Format, block: float | None, gap: float | None, kerf: float | None) -> dict[str, Any]:
    """Return the sizes of pieces that are printed or cut, as settings of a writer."""
    with report_bad_flags():
        if "kerf" in chosen.takes:
            return {"cut_size": CutSize(block or CutSize.cell, kerf or 0.0, gap or 0.0)}
        return {"print_size": PrintSize(block or PrintSize.block, PrintSize.gap if gap is None else gap)}


def check_address(link: str, *, own: bool = False) -> None:
    """Refuse what is not the address of a page; with `own`, it may name a view of a page of the puzzle itself."""
    if link and not re.fullmatch(r"(https?|file)://[^\s#]+" + (r"(#\S*)?" if own else ""), link):
        raise click.UsageError(
            f"--link: expected the address of a page, such as https://example.org/play.html; got {link!r}"
        )


def _read_paper(paper: str | None, margin: float | None) -> Paper | None:
    if paper is None:
        return None
    try:
        return Paper.read(paper, margin)
    except ValueError as error:
        raise click.UsageError(f"--paper: {error}") from None


@contextmanager
def open_writer(
    request: Request,
    configuration: Configuration,
    *,
    most: int | None,
    output_format: str | None,
    output: str | None,
    overwrite: bool,
    **flags: Any,
) -> Iterator[Callable[[ProblemFacts, Delivery], Writer]]:
    """Yield a function that creates the writer; close its file after the block.

    The arguments are the flags of :func:`add_solution_flags`; `most` is how many solutions are wanted, if known.
    """
    configured = output is None and configuration.output.file is not None
    output = configuration.output.file if output is None else output
    stated = configuration.output.format
    chosen = choose_format(SOLUTIONS, output_format or (stated if configured else None), output, stated or "text")
    _check_flags(chosen, output, flags)
    sizes = _read_sizes(chosen, *(flags.pop(name) for name in ("block_size", "block_gap", "kerf")))
    paper, link = _read_paper(flags.pop("paper"), flags.pop("margin")), flags.pop("link") or ""
    check_address(link, own=True)
    check_encoder(chosen, configuration)

    def open_file(path: str | None, *, keep_part: bool = False) -> AbstractContextManager[TextIO]:
        if configured and path is not None:
            _check_configured(path, overwrite=overwrite)
            print_message(f"writing {path}, which the configuration names")  # also with -q: the user did not choose it
        return open_output(path, inputs=configuration.inputs, keep_part=keep_part)

    def open_page(number: int) -> AbstractContextManager[TextIO]:
        return open_file(_name_page(str(output), number))

    writers: list[Writer] = []
    first = _name_page(str(output), 1) if flags["pages"] > 1 or flags["piece_files"] else output
    if configured and first is not None:
        _check_configured(first, overwrite=overwrite)  # before anything is searched
    try:
        with ExitStack() as files:

            def create_writer(problem: ProblemFacts, search: Delivery) -> Writer:
                out = files.enter_context(open_file(first, keep_part=chosen.streamed))
                render = make_renderer(out)
                known: dict[str, Any] = {"open_page": open_page, "most": most or 0, **sizes}
                known |= {"title": configuration.describe(), "paper": paper, "link": link}
                settings = WriterSettings(configuration.problem, configuration.params, render, **known, **flags)
                writers.append(chosen.load_writer()(out, problem, configuration.encoder, search, settings))
                return writers[-1]

            yield create_writer
            if not is_standard_output(first) and any(not writer.may_replace for writer in writers):
                raise KeepOldFileError
    except KeepOldFileError:
        if not chosen.streamed:
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

    def describe() -> str:
        return describe_progress(search.statistics, get_noun(search))

    with search, Progress(describe, shown=not request.quiet) as progress:
        for positions in search.positions():
            note(positions)
            with progress.pause_display():
                writer.write_solution(positions)
    remark = writer.close()
    if remark is not None and not request.quiet:
        print_message(remark)
