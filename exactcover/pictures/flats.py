"""Flat pieces: polygons that share sides, as outlines to cut and as plates to print.

The sides of a piece that no two of its polygons share are its outline. Around a corner, the polygons of a piece form
fans, each with one side of the outline that leads to the corner and one that leads away; so outlines are closed also
where a piece touches itself in a corner. A corner moves away from the piece by an offset, or into it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from exactcover.pictures.palette import shade
from exactcover.pictures.shapes import Cell, Corner, Picture, Shape, Tile, fill

Loop: TypeAlias = tuple[Corner, ...]
"""The corners of a closed line; the piece is to its left where y grows upwards."""
Point: TypeAlias = tuple[float, float, float]
Triangle: TypeAlias = tuple[Point, Point, Point]
_MOST_CORNERS = 8  # of a polygon that is a cell and no disc
_DIGITS = 6


class Polygon(NamedTuple):
    """A cell of a flat piece: its corners, counterclockwise where y grows upwards, and its color as ``#rrggbb``."""

    corners: Loop
    color: str = ""


@dataclass(frozen=True)
class CutSize:
    """The size of pieces that are cut, in millimeters.

    The width of a cell is the side of a square or triangle, or the distance between two sides of a hexagon. The tool
    takes away the kerf, so outlines are half as far outside. The gap is the distance between two pieces that touch in
    the solution.
    """

    cell: float = 20.0
    kerf: float = 0.0
    gap: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.kerf < self.cell / 4:
            raise ValueError("the kerf must be at least 0 and less than a quarter of the width of a cell")
        if not 0 <= self.gap < self.cell / 4:
            raise ValueError("the gap between pieces must be at least 0 and less than a quarter of the width of a cell")


def find_polygons(picture: Picture, board: Iterable[Shape]) -> list[Polygon]:
    """Return the cells and tiles of a picture that are not part of the board.

    There are none if some are discs, or are not all of one size.
    """
    bare = set(board)
    shapes = [shape for shape in picture.shapes if shape not in bare and isinstance(shape, Cell | Tile)]
    found = [_list_corners(shape) for shape in shapes]
    areas = list(map(_area, found))
    sizes = [abs(area) for area in areas]
    if not found or max(map(len, found)) > _MOST_CORNERS or max(sizes) > 1.001 * min(sizes):
        return []
    colors = [shade(*fill(picture, shape)) for shape in shapes]
    loops = [one if area > 0 else one[::-1] for one, area in zip(found, areas, strict=True)]
    return list(map(Polygon, loops, colors))


def _list_corners(shape: Cell | Tile) -> Loop:
    if isinstance(shape, Cell):
        x, y = shape.column, shape.row
        corners: Sequence[Corner] = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
    else:
        corners = shape.outline
    return tuple((round(x, _DIGITS), round(0 - y, _DIGITS)) for x, y in corners)


def _area(corners: Loop) -> float:
    """Return the area, which is negative if the corners run clockwise."""
    return sum(one[0] * other[1] - other[0] * one[1] for one, other in _around(corners)) / 2


def _around(corners: Sequence[Corner]) -> Iterator[tuple[Corner, Corner]]:
    return pairwise([*corners, corners[0]])


class Flat:
    """A flat piece, whose cells are `width` wide.

    A ``ValueError`` says that they overlap, or are not connected along edges.

    >>> squares = ((0, 0), (1, 0), (1, 1), (0, 1)), ((1, 0), (2, 0), (2, 1), (1, 1))
    >>> domino = Flat([Polygon(corners) for corners in squares], width=10)
    >>> domino.outlines(1)
    [((-1.0, -1.0), (21.0, -1.0), (21.0, 11.0), (-1.0, 11.0))]
    """

    def __init__(self, polygons: Sequence[Polygon], width: float) -> None:
        import networkx as nx  # slow to import

        loops = [one.corners for one in polygons]
        scale = width / max(max(x for x, _ in one) - min(x for x, _ in one) for one in loops)
        self._colors = [one.color for one in polygons]
        self._cells = [tuple((round(x * scale, 3), round(y * scale, 3)) for x, y in one) for one in loops]
        self._owners = {side: number for number, one in enumerate(self._cells) for side in _around(one)}
        graph: nx.Graph[int] = nx.Graph()
        graph.add_nodes_from(range(len(loops)))
        graph.add_edges_from(
            (number, self._owners[side[::-1]]) for side, number in self._owners.items() if side[::-1] in self._owners
        )
        if len(self._owners) != sum(map(len, loops)) or not nx.is_connected(graph):
            raise ValueError("its cells overlap, or are not connected along edges")

    def outlines(self, offset: float = 0.0) -> list[Loop]:
        """Return the closed lines around the piece and its holes, moved away from the piece."""
        left = {side: None for side in self._owners if side[::-1] not in self._owners}
        loops = []
        while left:
            side = first = next(iter(left))
            loop = []
            while True:
                del left[side]
                before, corner = side
                after = self._follow(self._owners[side], corner, 1)
                assert after is not None
                if not _is_straight(before, corner, after):
                    loop.append(_move(before, corner, after, offset))
                side = (corner, after)
                if side == first:
                    break
            loops.append(tuple(loop[-1:] + loop[:-1]))
        return loops

    def areas(self, offset: float = 0.0) -> list[Polygon]:
        """Return the cells, reaching as far as the outlines."""
        return [
            Polygon(tuple(self._move_corner(number, corner, offset) for corner in cell), color)
            for number, (cell, color) in enumerate(zip(self._cells, self._colors, strict=True))
        ]

    def mesh(self, thickness: float, offset: float = 0.0) -> list[Triangle]:
        """Return the piece as a plate: triangles, counterclockwise as seen from outside."""
        found: list[Triangle] = []
        for number, cell in enumerate(self._cells):
            moved = [self._move_corner(number, corner, offset) for corner in cell]
            ground, top = ([(x, y, height) for x, y in moved] for height in (0.0, thickness))
            for k in range(1, len(cell) - 1):
                found += [(top[0], top[k], top[k + 1]), (ground[0], ground[k + 1], ground[k])]
            for k, (one, other) in enumerate(_around(cell)):
                if (other, one) not in self._owners:
                    end = (k + 1) % len(cell)
                    found += [(ground[k], ground[end], top[end]), (ground[k], top[end], top[k])]
        return found

    def _move_corner(self, number: int, corner: Corner, offset: float) -> Corner:
        before, after = self._follow(number, corner, -1), self._follow(number, corner, 1)
        return corner if before is None or after is None else _move(before, corner, after, offset)

    def _follow(self, number: int, corner: Corner, step: int) -> Corner | None:
        """Return the other end of the side of the outline that leads away from a corner, or, with -1, to it.

        The way goes around the corner, from cell to cell; it ends with None if the corner is inside the piece.
        """
        first = number
        while True:
            cell = self._cells[number]
            end = cell[(cell.index(corner) + step) % len(cell)]
            beside = self._owners.get((end, corner) if step > 0 else (corner, end))
            if beside is None:
                return end
            number = beside
            if number == first:
                return None


def _is_straight(before: Corner, corner: Corner, after: Corner) -> bool:
    one, other = _normal(before, corner), _normal(corner, after)
    return math.isclose(one[0] * other[0] + one[1] * other[1], 1, abs_tol=1e-3)


def _move(before: Corner, corner: Corner, after: Corner, offset: float) -> Corner:
    """Move a corner so that both sides lie an offset away from the piece, which is to their left."""
    one, other = _normal(before, corner), _normal(corner, after)
    share = offset / (1 + one[0] * other[0] + one[1] * other[1])
    return corner[0] + share * (one[0] + other[0]), corner[1] + share * (one[1] + other[1])


def _normal(start: Corner, end: Corner) -> Corner:
    """Return the direction to the right of a side."""
    x, y = end[0] - start[0], end[1] - start[1]
    length = math.hypot(x, y)
    return y / length, -x / length


def arrange(
    sizes: Sequence[tuple[float, float]], space: float, width: float | None = None
) -> list[tuple[float, float]]:
    """Return how far right and up to put things of these sizes, in rows of a sheet of this width, or about a square.

    >>> arrange([(1, 1), (1, 1), (1, 1), (1, 2)], space=1)
    [(0.0, 0.0), (2.0, 0.0), (0.0, 2.0), (2.0, 2.0)]
    """
    square = math.sqrt(sum((across + space) * (along + space) for across, along in sizes))
    side = square if width is None else width + space
    places = []
    right = up = row = 0.0
    for across, along in sizes:
        if right and right + across + space > side:
            right, up, row = 0.0, up + row, 0.0
        places.append((right, up))
        right, row = right + across + space, max(row, along + space)
    return places


def find_box(corners: Iterable[tuple[float, float]]) -> tuple[float, float, float, float]:
    """Return the least and the greatest coordinates of some points."""
    across, along = zip(*corners, strict=True)
    return min(across), min(along), max(across), max(along)
