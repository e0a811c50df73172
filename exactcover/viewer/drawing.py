"""Pictures for a page: the shapes of the board and those that each option adds; scripts draw solutions from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from exactcover.algorithm_x import Label
from exactcover.control.stop import Stop
from exactcover.pictures import Cell, Dashes, Disc, Edge, Line, Picture, Shape, Text, Tile
from exactcover.pictures.palette import DARK_DEEP, DARK_PIECES, DARK_PLAIN, DEEP, DEEP_TINTS, FONT, INK, PIECES, PLAIN
from exactcover.pictures.shapes import STRENGTHS

PALETTE = {
    "pieces": PIECES,
    "plain": PLAIN,
    "darkPieces": DARK_PIECES,
    "darkPlain": DARK_PLAIN,
    "inkColor": INK,
    "font": FONT,
    "deepPieces": DEEP,
    "darkDeepPieces": DARK_DEEP,
    "deepTints": DEEP_TINTS,
    "strengths": STRENGTHS,
}

Draw = Callable[[Sequence[Label]], Picture | None]


def collect_shapes(
    draw: Draw, labels: Sequence[Label], samples: Sequence[Sequence[int]], stop: Stop, *, solid: bool = False
) -> dict[str, Any] | None:
    """Return the shapes of the board and of each option, or None if solutions cannot be put together from them.

    The shapes of the options of each sample, a solution as positions, must give its picture. Of a solid, shapes without
    a place are left out, such as the solid seen from outside.
    """
    board = draw(())
    if board is None:
        return None
    bare, known = set(board.shapes), set(map(id, board.shapes))  # most are the same objects in every picture
    options: list[list[Shape]] = []
    rows, columns = board.rows, board.columns
    for label in stop.watch(labels):
        picture = draw((label,))
        if picture is None:
            return None
        new = [shape for shape in picture.shapes if id(shape) not in known and shape not in bare]
        options.append([shape for shape in new if not (solid and _is_loose(shape))])
    for sample in samples:
        picture = draw([labels[k] for k in sample])
        if picture is not None and solid and any(shape.strength != 1 for shape in picture.placed.values()):
            # The scripts choose the strengths of copies, since the encoder compares all layers.
            picture = replace(picture, shapes=tuple(map(_vary, picture.shapes)))
            options = [[*map(_vary, shapes)] for shapes in options]
        if picture is None or not _fits(picture, board, [options[k] for k in sample], solid=solid):
            return None
        if not solid:
            rows, columns = max(rows, picture.rows), max(columns, picture.columns)
    ground = [shape for shape in board.shapes if not (solid and _is_loose(shape))]
    if solid:
        rows, columns = (1 + max([place[k] for place in board.placed], default=0) for k in (0, 1))
    return {
        "board": [_to_list(shape) for shape in ground],
        "options": [[_to_list(shape) for shape in shapes] for shapes in options],
        "rows": rows,
        "columns": columns,
        "grid": board.grid,
        "segments": _collect_lines(options),
    }


def _collect_lines(options: Sequence[Sequence[Shape]]) -> list[list[Any]]:
    """Return the lines that options draw: the ends of each, across and down, and the options that draw it."""
    found: dict[tuple[float, ...], list[int]] = {}
    for option, shapes in enumerate(options):
        for ends in dict.fromkeys(ends for shape in shapes for ends in _list_lines(shape)):
            found.setdefault(ends, []).append(option)
    return [[*ends, found[ends]] for ends in sorted(found, key=lambda ends: (ends[1], ends[3], ends[0]))]


def _list_lines(shape: Shape) -> Iterator[tuple[float, float, float, float]]:
    """Yield the lines of a shape, each from its upper or left end; those of a cell lead to the middles of others."""
    if isinstance(shape, Edge) and shape.tint is not None:
        yield shape.column, shape.row, shape.column + (not shape.down), shape.row + shape.down
    if isinstance(shape, Line):
        x, y = shape.column + 0.5, shape.row + 0.5
        yield from [(x - 1, y, x, y)] * shape.left
        yield from [(x, y, x + 1, y)] * shape.right
        yield from [(x, y - 1, x, y)] * shape.up
        yield from [(x, y, x, y + 1)] * shape.down


def _vary(shape: Shape) -> Shape:
    if isinstance(shape, Cell | Tile) and shape.tint is not None and shape.tint >= 0:
        return replace(shape, strength=None)
    return shape


def _is_loose(shape: Shape) -> bool:
    return isinstance(shape, Tile) and shape.row is None


def _fits(picture: Picture, board: Picture, parts: Sequence[Sequence[Shape]], *, solid: bool) -> bool:
    """Return whether the shapes of options, put on the board, are those of the picture of the solution."""
    places = dict(board.placed)
    others: list[Shape] = [shape for shape in board.shapes if not _has_place(shape)]
    for shapes in parts:
        for shape in shapes:
            if isinstance(shape, Cell | Tile) and _has_place(shape):
                places[shape.row, shape.column] = shape  # type: ignore[index]
            else:
                others.append(shape)
    expected = {_look(shape) for shape in (*places.values(), *others)}
    drawn = {_look(shape) for shape in picture.shapes if not (solid and _is_loose(shape))}
    return expected == drawn


def _has_place(shape: Shape) -> bool:
    return isinstance(shape, Cell) or (isinstance(shape, Tile) and shape.row is not None)


def _look(shape: Shape) -> tuple[Any, ...]:
    """Return the visible part of a shape; tints that the picture chooses depend on the neighbors.

    The tint of a line may depend on the whole path; a page draws it in the one that it has alone.
    """
    if isinstance(shape, Line):
        shape = replace(shape, tint=0)
    return tuple(tuple(map(tuple, part)) if isinstance(part, list) else part for part in _to_list(shape)[:-1])


def _to_list(shape: Shape) -> list[Any]:
    """Return a shape in the form that the scripts read; cells and tiles end with their regions."""
    if isinstance(shape, Line) or (isinstance(shape, Edge) and shape.tint is not None):
        shape = shape.tile
    if isinstance(shape, Cell | Tile):
        region = None if shape.region is None else str(shape.region)
        if isinstance(shape, Cell):
            return ["c", shape.row, shape.column, shape.tint, shape.strength, region]
        outline = [[round(x, 3), round(y, 3)] for x, y in shape.outline]
        return ["t", outline, shape.tint, shape.strength, shape.row, shape.column, shape.text, region]
    if isinstance(shape, Text):
        return ["x", shape.row, shape.column, shape.text, shape.strong, ""]
    if isinstance(shape, Disc):
        return ["d", shape.row, shape.column, shape.text, *[True] * shape.hollow, ""]
    if isinstance(shape, Dashes):
        return ["l", [[round(part, 3) for point in side for part in point] for side in shape.sides], ""]
    return ["e", shape.row, shape.column, shape.down, shape.strength, ""]
