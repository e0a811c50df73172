"""Boards and pieces as drawings, for painting by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from problems.boards import Board
from problems.lattices import CUBES, HEXAGONS, SPHERES, SQUARES, TRIANGLES, Lattice, Place
from problems.pieces import Shape, orientations, shape_of

__all__ = ["LATTICE_NAMES", "draw_board", "draw_shape"]

LATTICE_NAMES: dict[Lattice, Literal["squares", "hexagons", "triangles", "cubes", "spheres"]] = {
    SQUARES: "squares", HEXAGONS: "hexagons", TRIANGLES: "triangles", CUBES: "cubes", SPHERES: "spheres",
}  # fmt: skip
"""The kinds of cells that can be painted."""


def draw_shape(shape: Shape, lattice: Lattice) -> str:
    """Return a drawing of a shape: rows end with ``/``, layers with ``//``.

    The shape may be rotated, because the first triangle of a drawing must point up.

    Examples
    --------
    >>> draw_shape(((0, 0), (0, 1), (1, 1)), SQUARES)
    '##/.#'
    """
    for turned in orientations(shape, lattice, reflect=False):
        drawing = _write(dict.fromkeys(map(lattice.place, turned), "#")).replace("\n", "/")
        if shape_of(drawing, lattice) == turned:
            return drawing
    raise AssertionError(f"no orientation of {shape} can be drawn")


def draw_board(board: Board) -> list[str]:
    """Return a drawing of a board, as rows or as layers."""
    kinds = ((board.required, "."), (board.optional, "?"), (board.blocked, "#"))
    text = _write({place: one for places, one in kinds for place in places}, "_")
    return text.split("\n\n") if board.lattice.layered else text.split("\n")


def _write(characters: Mapping[Place, str], blank: str = ".") -> str:
    """Write characters at places; layers are separated by blank lines."""
    if len(next(iter(characters))) == 2:
        return "\n".join(_write_layer(characters, blank))
    layers = _range(layer for layer, _, _ in characters)
    flat = {(row, column) for _, row, column in characters}
    pages = [{place[1:]: one for place, one in characters.items() if place[0] == layer} for layer in layers]
    return "\n\n".join("\n".join(_write_layer(page, blank, flat)) for page in pages)


def _write_layer(characters: Mapping[Place, str], blank: str, extent: Iterable[Place] = ()) -> list[str]:
    places = [*(extent or characters)]
    rows, columns = _range(row for row, _ in places), _range(column for _, column in places)
    return ["".join(characters.get((row, column), blank) for column in columns) for row in rows]


def _range(numbers: Iterable[int]) -> range:
    found = list(numbers)
    return range(min(found), max(found) + 1)
