"""Files of a puzzle: pictures, pages, pieces to print and to cut, and a sheet of paper with the puzzle itself.

An export gives what was asked for, or says why not. A sheet has a code if the puzzle can be played and fits into one.
"""

from __future__ import annotations

import base64
import io
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from exactcover.config.configuration import Configuration
from exactcover.control.stop import Stop
from exactcover.encoders.encoder import Encoder, defines
from exactcover.encoders.painting import Paintable
from exactcover.errors import StoppedError
from exactcover.formats.registry import SOLUTIONS
from exactcover.formats.solution_tables import WriterSettings
from exactcover.pictures import Cell, Picture, Shape, Text, Tile, contact_sheet
from exactcover.pictures.convert import convert
from exactcover.pictures.flats import arrange, find_box
from exactcover.pictures.paper import Paper, Words, put_on_paper
from exactcover.pictures.svg import MAX_PICTURES
from exactcover.problem import Label, Problem
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
_FAR = 10_000  # rows; more than a board has
_CUT = "Cut out the pieces and cover the board."
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
    if isinstance(encoder, Paintable) and not defines(encoder, "blocks") and encoder.painted_on:
        words = replace(words, line=_CUT)
        picture = _add_pieces(picture, encoder, problem, paper.aspect(words))
    sheet = contact_sheet([picture], aspect=paper.aspect(words))
    return convert(put_on_paper(sheet, paper, words), "pdf")


def _add_pieces(picture: Picture, encoder: Encoder, problem: Problem, aspect: float) -> Picture:
    """Return the picture with one piece of each kind below the board, so that all is large on a sheet of this shape."""
    board = set(_draw(encoder, ()).shapes)
    options = {encoder.piece_of(label): label for label in reversed(problem.labels)}
    pieces = [_cut_out(encoder, label, board) for _, label in sorted(options.items())]
    boxes = [find_box(chain.from_iterable(map(_corners, shapes))) for shapes in pieces]
    sizes = [(right - left, bottom - top) for left, top, right, bottom in boxes]
    least = math.ceil(max(picture.columns, *(across for across, _ in sizes)))
    width = min(range(least, 4 * least), key=lambda width: _find_scale(picture, sizes, width, aspect))
    places = _arrange_centered(sizes, width)
    tiled = any(isinstance(shape, Tile) for shape in picture.shapes)
    moved = [
        _move(shape, round(right - left), round(picture.rows + 1 + down - top), number, tiled=tiled)
        for number, (shapes, (left, top, _, _), (right, down)) in enumerate(zip(pieces, boxes, places, strict=True))
        for shape in shapes
    ]
    middle = (width - picture.columns) // 2
    return Picture(picture.title, (*(_shift(shape, middle, 0, tiled=tiled) for shape in picture.shapes), *moved))


def _find_scale(picture: Picture, sizes: Sequence[tuple[float, float]], width: int, aspect: float) -> float:
    """Return the width of a sheet in cells, given the largest width of rows of pieces."""
    places = arrange(sizes, 1.0, width)
    height = picture.rows + 1 + max(up + along for (_, up), (_, along) in zip(places, sizes, strict=True))
    return max(width, height * aspect)


def _arrange_centered(sizes: Sequence[tuple[float, float]], width: int) -> list[tuple[float, float]]:
    """Return how far right and down to put the pieces, in rows that are centered."""
    places = arrange(sizes, 1.0, width)
    ends: dict[float, float] = {}
    for (right, down), (across, _) in zip(places, sizes, strict=True):
        ends[down] = right + across
    return [(right + (width - ends[down]) // 2, down) for right, down in places]


def _cut_out(encoder: Encoder, label: Label, board: set[Shape]) -> list[Shape]:
    """Return the cells or tiles of a piece with its text."""
    return [shape for shape in _draw(encoder, (label,)).shapes if shape not in board]


def _corners(shape: Shape) -> list[tuple[float, float]]:
    if isinstance(shape, Tile):
        return list(shape.outline)
    return [(shape.column, shape.row), (shape.column + 1, shape.row + 1)] if isinstance(shape, Cell) else []


def _move(shape: Shape, right: int, down: int, number: int, *, tiled: bool) -> Shape:
    """Return a part of a piece at another place; its region tells it from its likes on the board."""
    moved = _shift(shape, right, down, tiled=tiled)
    if tiled and isinstance(moved, Tile | Text) and moved.row is not None:
        moved = replace(moved, row=moved.row + _FAR * (number + 1))  # of no other tile
    return replace(moved, region=("piece", number)) if isinstance(moved, Cell | Tile) else moved


def _shift(shape: Shape, right: int, down: int, *, tiled: bool) -> Shape:
    """Return a shape at another place; what stands in tiles goes with them."""
    if isinstance(shape, Tile):
        return replace(shape, outline=tuple((x + right, y + down) for x, y in shape.outline))
    return shape if tiled else replace(shape, row=shape.row + down, column=shape.column + right)
