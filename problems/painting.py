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
    """Return a drawing of a board, as rows or as layers; every cell stays in its place."""
    kinds = ((board.required, "."), (board.optional, "?"), (board.blocked, "#"))
    characters = {place: one for places, one in kinds for place in places}
    corner = next(iter(characters))
    text = _write(characters, "_", tuple(1 for _ in corner))
    return text.split("\n\n") if board.lattice.layered else text.split("\n")


def _write(characters: Mapping[Place, str], blank: str = ".", corner: Place | None = None) -> str:
    """Write characters at places, from the corner or the first of them; layers are separated by blank lines."""
    places = [*characters, *([] if corner is None else [corner])]
    *outer, rows, columns = (_range(place[k] for place in places) for k in range(len(places[0])))
    layers = [(layer,) for layer in outer[0]] if outer else [()]
    return "\n\n".join(
        "\n".join("".join(characters.get((*layer, row, column), blank) for column in columns) for row in rows)
        for layer in layers
    )


def _range(numbers: Iterable[int]) -> range:
    found = list(numbers)
    return range(min(found), max(found) + 1)
