"""Files of a puzzle: pictures, pages, pieces to print and to cut, and a sheet of paper with the puzzle itself.

An export gives what was asked for, or says why not. A sheet has a code if the puzzle can be played and fits into one.
"""

from __future__ import annotations

import base64
import io
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from exactcover.config.configuration import Configuration
from exactcover.control.stop import Stop
from exactcover.encoders.encoder import Encoder, defines
from exactcover.encoders.painting import Paintable
from exactcover.errors import ProblemError, StoppedError
from exactcover.formats.registry import SOLUTIONS
from exactcover.formats.solution_tables import WriterSettings
from exactcover.pictures import Cell, Picture, Shape, Tile, contact_sheet
from exactcover.pictures.codes import MOST_CHARACTERS, Code, make_code
from exactcover.pictures.convert import convert
from exactcover.pictures.flats import arrange, find_box
from exactcover.pictures.paper import Paper, put_on_paper
from exactcover.pictures.svg import MAX_PICTURES
from exactcover.problem import Label, Problem
from exactcover.viewer.link import pack_link
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
_WIDER = 1.4  # rows of pieces than the board
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
    paper, code = Paper.read("a4"), _make_code(problem, encoder, title, page, stop)
    picture = _add_pieces(_draw(encoder, problem.givens), encoder, problem)
    sheet = contact_sheet([picture], aspect=paper.aspect(title, code))
    return convert(put_on_paper(sheet, paper, title, code), "pdf")


def _make_code(problem: Problem, encoder: Encoder, title: str, page: str, stop: Stop) -> Code | None:
    if not page:
        return None
    start = f"{page}#puzzle="
    try:
        link = pack_link(problem, encoder, title=title, letters=MOST_CHARACTERS - len(start), stop=stop)
    except ProblemError:  # it cannot be played, or has no room in a code
        return None
    return make_code(start + link.text)


def _add_pieces(picture: Picture, encoder: Encoder, problem: Problem) -> Picture:
    """Return the picture with one piece of each kind below the board."""
    if not isinstance(encoder, Paintable) or defines(encoder, "blocks") or not encoder.painted_on:
        return picture
    board = set(_draw(encoder, ()).shapes)
    options = {encoder.piece_of(label): label for label in reversed(problem.labels)}
    pieces = [_cut_out(encoder, label, board) for _, label in sorted(options.items())]
    boxes = [find_box(chain.from_iterable(map(_corners, shapes))) for shapes in pieces]
    places = arrange(
        [(right - left, bottom - top) for left, top, right, bottom in boxes], 1.0, _WIDER * picture.columns
    )
    moved = [
        _move(shape, round(right - left), round(picture.rows + 1 + down - top), number)
        for number, (shapes, (left, top, _, _), (right, down)) in enumerate(zip(pieces, boxes, places, strict=True))
        for shape in shapes
    ]
    return Picture(picture.title, (*picture.shapes, *moved))


def _cut_out(encoder: Encoder, label: Label, board: set[Shape]) -> list[Cell | Tile]:
    return [shape for shape in _draw(encoder, (label,)).shapes if shape not in board and isinstance(shape, Cell | Tile)]


def _corners(shape: Cell | Tile) -> list[tuple[float, float]]:
    if isinstance(shape, Tile):
        return list(shape.outline)
    return [(shape.column, shape.row), (shape.column + 1, shape.row + 1)]


def _move(shape: Cell | Tile, right: int, down: int, number: int) -> Cell | Tile:
    """Return a part of a piece at another place; its region tells it from its likes on the board."""
    region = ("piece", number)
    if isinstance(shape, Cell):
        return replace(shape, row=shape.row + down, column=shape.column + right, region=region)
    outline = tuple((x + right, y + down) for x, y in shape.outline)
    return replace(shape, outline=outline, row=None, column=None, region=region)
