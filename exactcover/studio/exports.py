"""Files of a puzzle: pictures, pages, pieces to print and to cut, and a sheet of paper with the puzzle itself.

An export gives what was asked for, or says why not. A sheet has a code if the puzzle can be played and fits into one.
"""

from __future__ import annotations

import base64
import io
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from exactcover.config.configuration import Configuration
from exactcover.control.stop import Stop
from exactcover.encoders.encoder import Encoder, defines
from exactcover.errors import StoppedError
from exactcover.formats.puzzle_sheets import CUT, add_pieces, has_flat_pieces
from exactcover.formats.registry import SOLUTIONS
from exactcover.formats.solution_tables import WriterSettings
from exactcover.pictures import Picture, contact_sheet
from exactcover.pictures.convert import convert
from exactcover.pictures.paper import Paper, Words, put_on_paper
from exactcover.pictures.svg import MAX_PICTURES
from exactcover.problem import Problem
from exactcover.viewer.play_code import NO_CODE, make_puzzle_code
from exactcover.viewer.view import ViewOptions, view

__all__ = ["export"]

_FILES = {
    "svg": ("svg", 1, "solution.svg"),
    "sheet": ("svg", MAX_PICTURES, "solutions.svg"),
    "cut": ("cut", 1, "pieces.svg"),
    "dxf": ("dxf", 1, "pieces.dxf"),
    "stl": ("stl", 1, "pieces.stl"),
}
"""Formats that a writer of solutions writes, how many solutions it gets, and the name of the file."""
_PAGE = ViewOptions(solutions=1_000, nodes=3_000)
_STEP = 0.5  # seconds between two messages


def export(configuration: Configuration, text: str, kind: str, page: str, stop: Stop) -> Iterator[dict[str, Any]]:
    """Yield how far the file is, and at last the file.

    Parameters
    ----------
    configuration, text
        The puzzle, and its YAML.
    kind
        The kind of file.
    page
        The address of a page that plays links, for a QR code; empty for none.
    stop
        Polled often.

    Raises
    ------
    ValueError
        If there is no such file of this puzzle.
    StoppedError
        If `stop` asks for it before the file is whole.
    """
    if kind == "yaml":
        yield _make_file("puzzle.yaml", text.encode())
        return
    encoder, title = configuration.encoder, configuration.describe()
    if kind != "html" and not defines(encoder, "draw"):
        raise ValueError(f"problem {configuration.problem!r} has no pictures")
    problem = encoder.problem(stop)
    if kind == "html":
        yield {"progress": "searching"}
        yield _make_file("puzzle.html", view(problem, encoder, title=title, options=_PAGE, stop=stop).encode())
    elif kind == "puzzle":
        yield _make_file("puzzle.svg", contact_sheet([_draw(encoder, problem.givens)]).encode())
    elif kind == "print":
        yield _make_file("puzzle.pdf", _print_puzzle(problem, encoder, title, page, stop))
    elif kind in _FILES:
        yield from _write_solutions(problem, encoder, configuration, kind, stop)
    else:
        raise ValueError(f"there is no format {kind!r}")


def _make_file(name: str, content: bytes) -> dict[str, Any]:
    return {"name": name, "content": base64.b64encode(content).decode()}


def _draw(encoder: Encoder, labels: Any) -> Picture:
    picture = encoder.draw(labels)
    if picture is None:
        raise ValueError("this puzzle has no picture")
    return picture


def _write_solutions(
    problem: Problem, encoder: Encoder, configuration: Configuration, kind: str, stop: Stop
) -> Iterator[dict[str, Any]]:
    name, most, file = _FILES[kind]
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    search = problem.solve(limit=most, stop=stop)
    settings = WriterSettings(configuration.problem, configuration.params, str, title=configuration.describe())
    writer = SOLUTIONS[name].load_writer()(out, problem, encoder, search, settings)
    told = time.monotonic()
    for number, positions in enumerate(search.positions(), 1):
        writer.write_solution(positions)
        if time.monotonic() - told > _STEP:
            told = time.monotonic()
            yield {"progress": f"{number} of at most {most} solutions"}
    if search.status.stopped:
        raise StoppedError(search.status, search.statistics.solutions, search.statistics)
    writer.close()
    content = out.buffer.getvalue()
    if not content:
        raise ValueError("there is no solution to export")
    yield _make_file(file, content)


# -- the puzzle on paper ----------------------------------------------------------------------------------


def _print_puzzle(problem: Problem, encoder: Encoder, title: str, page: str, stop: Stop) -> bytes:
    """Return a sheet with the puzzle, its pieces if they are flat, and a code with which it is played."""
    code = make_puzzle_code(problem, encoder, title, page, stop) if page else None
    words = Words(title, foot=NO_CODE if page and code is None else "", code=code)
    paper, picture = Paper.read("a4"), _draw(encoder, problem.givens)
    if has_flat_pieces(encoder):
        words = replace(words, line=CUT)
        picture = add_pieces(picture, encoder, problem, problem.givens, paper.aspect(words))
    sheet = contact_sheet([picture], aspect=paper.aspect(words))
    return convert(put_on_paper(sheet, paper, words), "pdf")
