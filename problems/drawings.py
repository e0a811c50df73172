"""Pictures of tilings on every lattice: flat boards as they are, solids layer by layer and from outside."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple, TypeAlias

from exactcover import Item, Picture, pictures
from problems.boards import Board, parse_cell
from problems.lattices import CUBES, HEXAGONS, SPHERES, STICKS, TRIANGLES, Lattice, Place, Point, translate
from problems.placements import Placement

Corner: TypeAlias = pictures.Corner

_HALF_STICK = 0.17  # half the width of a stick
_MARGIN = 0.05
_CACHE_SIZE = 10_000  # placements


class _Look(NamedTuple):
    """The look of a cell: the region that it belongs to, and its color; a picture chooses the strength for copies."""

    region: Hashable
    tint: int
    strength: float | None = 1.0


class TilingDrawer:
    """Draws tilings of one board. The shapes of a placement are cached."""

    def __init__(self, board: Board, copies: Mapping[str, bool], *, labels: bool = True) -> None:
        """Take the board, for each piece whether a solution can contain copies of it, and whether names help."""
        self._board, self._copies, self._layers = board, copies, _Layers(board)
        self._tints = {piece: tint for tint, piece in enumerate(copies)}
        self._has_labels = labels and len(copies) > 1
        self._empty = {cell: _Look("#", pictures.BLOCKED) for cell in board.blocked}
        self._empty |= {cell: _Look("?", pictures.PAPER) for cell in board.free}
        self._background = {cell: self._layers.shape(cell, look) for cell, look in self._empty.items()}
        self._cache: dict[tuple[Placement, float | None], _PlacementShapes] = {}  # which can be pickled

    def place_of(self, item: Item) -> tuple[int, int] | None:
        """Return the row and column in pictures of the cell with this name; None if it is not a cell."""
        cell = parse_cell(item) if isinstance(item, str) else None
        return self._layers.place(cell) if cell in self._board.points and cell is not None else None

    def draw(self, title: str, solution: Iterable[Placement]) -> Picture:
        """Return a picture of a tiling or of part of one."""
        parts = [self._shapes_of(*one) for one in self._choose_strengths(tuple(solution))]
        cells = self._background.copy()
        for part in parts:
            cells.update(part.cells)
        shapes = [*cells.values(), *(label for part in parts for label in part.labels)]
        lattice = self._board.lattice
        if lattice is STICKS or (lattice is CUBES and len(parts) > 1):  # the layers show a piece alone
            looks = self._empty.copy()
            for part in parts:
                looks.update(dict.fromkeys(part.cells, part.look))
            if lattice is STICKS:
                shapes += _stick_joints(self._board, looks, self._layers)
            else:
                solid = {cell: look for cell, look in looks.items() if look.region != "?"}
                shapes += _outside_view(solid, self._layers.width + 1)
        return Picture(title, tuple(shapes))

    def _choose_strengths(self, solution: Sequence[Placement]) -> Iterator[tuple[Placement, float | None]]:
        """Yield every placement with the strength of its color; None lets the picture choose one.

        Copies of a piece that touch in space differ; the picture itself compares cells of a layer only.
        """
        if not (self._board.lattice.layered and any(self._copies.values())):
            return ((one, None if self._copies[one.piece] else 1.0) for one in solution)
        numbers = _number_copies(self._board, solution)
        strengths = pictures.STRENGTHS
        return ((one, strengths[numbers[one] % len(strengths)]) for one in solution)

    def _shapes_of(self, placement: Placement, strength: float | None) -> _PlacementShapes:
        if (placement, strength) not in self._cache:
            if len(self._cache) >= _CACHE_SIZE:
                self._cache.clear()
            self._cache[placement, strength] = self._draw_placement(placement, strength)
        return self._cache[placement, strength]

    def _draw_placement(self, placement: Placement, strength: float | None) -> _PlacementShapes:
        look = _Look(placement, self._tints[placement.piece], strength)
        labels = list(self._layers.labels(placement)) if self._has_labels else []
        cells = {cell: replace(self._background[cell], **look._asdict()) for cell in placement.cells}
        return _PlacementShapes(look, cells, labels)


def _number_copies(board: Board, solution: Sequence[Placement]) -> dict[Placement, int]:
    """Return numbers that differ for copies of one piece that touch."""
    owner = {cell: placement for placement in solution for cell in placement.cells}
    neighbors: dict[Placement, set[Placement]] = {placement: set() for placement in solution}
    for cell, placement in owner.items():
        for one in board.neighbors(cell):
            other = owner.get(one)
            if other is not None and other.piece == placement.piece and other != placement:
                neighbors[placement].add(other)
    return pictures.tell_apart(neighbors)


def _central_cell(cells: Sequence[Place]) -> Place:
    """Return the cell nearest to the center of gravity; ties go to the first."""
    center = [sum(line) / len(cells) for line in zip(*cells, strict=True)]
    return min(cells, key=lambda cell: (sum((part - mean) ** 2 for part, mean in zip(cell, center, strict=True)), cell))


class _Layers:
    """The positions of cells in a picture; layers stand side by side, the lowest first."""

    def __init__(self, board: Board) -> None:
        cells = list(board.points)
        self._board = board
        self._columns = 1 + max(cell[-1] for cell in cells)
        self.width = self._columns * max(cell[0] for cell in cells) - 1 if board.lattice.layered else self._columns
        corners = [corner for point in board.points.values() for corner in _lattice_outline(board.lattice, point)]
        self._left, self._top = (min((corner[k] for corner in corners), default=0.0) for k in (0, 1))

    def place(self, cell: Place) -> tuple[int, int]:
        """Return the row and column of a cell in the picture, from 0."""
        *layer, row, column = cell
        return row - 1, column - 1 + (self._columns * (layer[0] - 1) if layer else 0)

    def labels(self, placement: Placement) -> Iterator[pictures.Text]:
        """Yield the name of a piece, without the name of its set, once per layer."""
        name = placement.piece.rpartition(".")[2]
        for _, cells in groupby(placement.cells, key=lambda cell: cell[:-2]):
            yield pictures.Text(*self.place(_central_cell(list(cells))), name)

    def shape(self, cell: Place, look: _Look) -> pictures.Cell | pictures.Tile:
        """Return the shape of a cell in the picture."""
        row, column = self.place(cell)
        outline = self.outline(cell)
        if outline is None:
            return pictures.Cell(row, column, *look)
        return pictures.Tile(outline, *look, row=row, column=column)

    def outline(self, cell: Place) -> tuple[Corner, ...] | None:
        """Return the corners of a cell in the picture; None for squares and cubes."""
        lattice = self._board.lattice
        if lattice is SPHERES:
            row, column = self.place(cell)
            return pictures.polygon((column + 0.5, row + 0.5), 0.47, 24)
        return tuple(map(self.to_picture, _lattice_outline(lattice, self._board.points[cell]))) or None

    def to_picture(self, corner: Corner) -> Corner:
        """Return the coordinates in the picture of a point of the plane."""
        return corner[0] - self._left + _MARGIN, corner[1] - self._top + _MARGIN


class _PlacementShapes(NamedTuple):
    """The shapes that one placement adds to a picture."""

    look: _Look
    cells: dict[Place, pictures.Cell | pictures.Tile]
    labels: list[pictures.Text]


def _center(lattice: Lattice, point: Point) -> Corner:
    """Return the center (x, y) of a cell of a flat lattice."""
    if lattice in (HEXAGONS, TRIANGLES):
        below, right = point
        side = 1.5 if lattice is TRIANGLES else 1.0
        return side * (right + below / 2), side * below / math.sqrt(12)
    if lattice is STICKS:
        return 0.75 * point[1], 0.75 * point[0]
    return 0.0, 0.0


def _lattice_outline(lattice: Lattice, point: Point) -> Iterator[Corner]:
    """Yield the corners of a hexagon, a triangle or a stick; none for other cells."""
    center = _center(lattice, point)
    if lattice is HEXAGONS:
        yield from pictures.polygon(center, 1 / math.sqrt(3), 6)
    elif lattice is TRIANGLES:
        yield from pictures.polygon(center, 1.5 / math.sqrt(3), 3, 0.0 if lattice.kind(point) == 2 else 0.5)
    elif lattice is STICKS:
        x, y = center
        long, short = 0.75 - _HALF_STICK, _HALF_STICK
        width, height = (long, short) if lattice.kind(point) == 0 else (short, long)
        yield from ((x - width, y - height), (x + width, y - height), (x + width, y + height), (x - width, y + height))


def _stick_joints(board: Board, looks: Mapping[Place, _Look], layers: _Layers) -> Iterator[pictures.Tile]:
    """Yield the joints of a piece's sticks at a corner: a square, or half a square where the piece bends."""
    directions = ((0, 1), (1, 0), (0, -1), (-1, 0))
    corners = {translate(point, step, sign) for cell, point in board.points.items()
               for step in [(0, 1) if board.lattice.kind(point) == 0 else (1, 0)] for sign in (1, -1)}  # fmt: skip
    cells = {point: cell for cell, point in board.points.items()}
    for corner in sorted(corners):
        meeting: dict[_Look, list[int]] = {}
        for number, step in enumerate(directions):
            look = looks.get(cells.get(translate(corner, step), ()))
            if look is not None and isinstance(look.region, Placement):
                meeting.setdefault(look, []).append(number)
        for look, arms in meeting.items():
            if len(arms) < 2:
                continue
            x, y = layers.to_picture(_center(board.lattice, corner))
            square = [
                (x + _HALF_STICK, y - _HALF_STICK),
                (x + _HALF_STICK, y + _HALF_STICK),
                (x - _HALF_STICK, y + _HALF_STICK),
                (x - _HALF_STICK, y - _HALF_STICK),
            ]
            if len(arms) == 2 and (arms[1] - arms[0]) % 2:
                first = arms[0] if arms[1] - arms[0] == 1 else arms[1]
                square = [square[(first + k) % 4] for k in (0, 1, 2)]
            yield pictures.Tile(tuple(square), *look)


def _outside_view(looks: Mapping[Place, _Look], left: int) -> list[pictures.Tile]:
    """Return the visible half faces of a solid of cubes, seen along a diagonal from above.

    Where half faces cover each other in the picture, the one of the nearest cube is kept.
    """
    seen: dict[frozenset[tuple[int, int]], tuple[int, list[Place], tuple[Hashable, int, float]]] = {}
    for cell, look in looks.items():
        depth = sum(cell)
        for plane, strength, faces in _faces(cell):
            share = round(strength * (1.0 if look.strength is None else look.strength), 3)
            for corners in faces:
                key = frozenset((c - r, c + r - 2 * z) for z, r, c in corners)  # what the projection shows of them
                if key not in seen or depth > seen[key][0]:
                    seen[key] = depth, corners, ((look.region, plane), look.tint, share)
    outlines = [tuple(map(_project, corners)) for _, corners, _ in seen.values()]
    origin = [min((corner[k] for outline in outlines for corner in outline), default=0.0) for k in (0, 1)]
    moved = (tuple((x - origin[0] + left, y - origin[1]) for x, y in outline) for outline in outlines)
    return [pictures.Tile(outline, *look) for outline, (_, _, look) in zip(moved, seen.values(), strict=True)]


def _faces(cell: Place) -> Iterator[tuple[tuple[str, int], float, list[list[Place]]]]:
    """Yield the three faces that may be visible: their plane, the strength of their color, and their halves."""
    z, r, c = cell
    top = [(z + 1, r, c), (z + 1, r, c + 1), (z + 1, r + 1, c + 1), (z + 1, r + 1, c)]
    yield ("top", z), 0.75, [[top[0], top[1], top[2]], [top[0], top[2], top[3]]]
    for side, strength, face in (
        (("left", r), 0.9, [(z + 1, r + 1, c), (z + 1, r + 1, c + 1), (z, r + 1, c + 1), (z, r + 1, c)]),
        (("right", c), 1.0, [(z + 1, r, c + 1), (z + 1, r + 1, c + 1), (z, r + 1, c + 1), (z, r, c + 1)]),
    ):
        yield side, strength, [[face[0], face[1], face[3]], [face[1], face[2], face[3]]]


def _project(corner: Place) -> Corner:
    """Return the corner of a cube as seen along a diagonal."""
    z, r, c = corner
    return (c - r) * math.sqrt(3) / 2, (c + r) / 2 - z
