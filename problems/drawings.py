"""Pictures of tilings, on every lattice: in the plane as they are, in space layer by layer and from outside."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple, TypeAlias

from exactcover import Picture, pictures
from problems.boards import Board
from problems.lattices import CUBES, HEXAGONS, SPHERES, STICKS, TRIANGLES, Lattice, Place, Point, shifted
from problems.tiling import Placement

__all__ = ["TilingDrawer"]

Corner: TypeAlias = pictures.Corner


_STICK = 0.17  # half the breadth of a stick
_MARGIN = 0.05
_MOST_KEPT = 10_000  # placements whose looks are kept


class _Look(NamedTuple):
    """What a cell shows: whom it belongs to, and its color."""

    region: Hashable
    tint: int | None


class TilingDrawer:
    """Draws tilings of one board; what each placement looks like is found once."""

    def __init__(self, board: Board, tints: Mapping[str, int] | None = None) -> None:
        """Take the board, and the tints by piece; None to let neighbors choose different ones."""
        self._board, self._tints, self._layers = board, tints, _Layers(board)
        self._empty = {cell: _Look("#", pictures.BLOCKED) for cell in board.blocked}
        self._empty |= {cell: _Look("?", pictures.PAPER) for cell in board.free}
        self._ground = {cell: self._layers.shape(cell, look) for cell, look in self._empty.items()}
        self._laid: dict[tuple[Placement, int | None], _Laid] = {}

    def draw(self, title: str, solution: Iterable[Placement]) -> Picture:
        """Return a picture of a tiling, or of a part of one."""
        laid = [self._lay(placement, tint) for placement, tint in self._tinted(tuple(solution))]
        shapes = self._ground.copy()
        for one in laid:
            shapes.update(one.shapes)
        drawn = [*shapes.values(), *(label for one in laid for label in one.labels)]
        if self._board.lattice in (STICKS, CUBES):
            looks = self._empty.copy()
            for one in laid:
                looks.update(dict.fromkeys(one.shapes, one.look))
            if self._board.lattice is STICKS:
                drawn += _joints(self._board, looks, self._layers)
            else:
                solid = {cell: look for cell, look in looks.items() if look.region != "?"}
                drawn += _from_outside(solid, self._layers.width + 1)
        return Picture(title, tuple(drawn))

    def _tinted(self, solution: Sequence[Placement]) -> Iterator[tuple[Placement, int | None]]:
        """Yield every placement with its tint, None where the picture chooses one."""
        if self._tints is not None:
            return ((one, self._tints[one.piece]) for one in solution)
        chosen = _tints(self._board, solution) if self._board.lattice.layered else {}
        return ((one, chosen.get(one)) for one in solution)

    def _lay(self, placement: Placement, tint: int | None) -> _Laid:
        laid = self._laid.get((placement, tint))
        if laid is None:
            look = _Look(placement, tint)
            labels = list(self._layers.labels(placement)) if self._tints is not None else []
            laid = _Laid(look, {cell: self._layers.shape(cell, look) for cell in placement.cells}, labels)
            if len(self._laid) >= _MOST_KEPT:
                self._laid.clear()
            self._laid[placement, tint] = laid
        return laid


def _tints(board: Board, solution: Sequence[Placement]) -> dict[Placement, int]:
    """Return colors by which pieces in space that touch differ; layers alone would not show that they do."""
    owner = {cell: placement for placement in solution for cell in placement.cells}
    neighbors: dict[Placement, set[Placement]] = {placement: set() for placement in solution}
    for cell, placement in owner.items():
        others = (owner.get(one) for one in board.around(cell))
        neighbors[placement].update(other for other in others if other is not None and other != placement)
    return pictures.tell_apart(neighbors)


def _middle(cells: Sequence[Place]) -> Place:
    """Return the cell nearest to the center of gravity, the first of several."""
    center = [sum(line) / len(cells) for line in zip(*cells, strict=True)]
    return min(cells, key=lambda cell: (sum((part - mean) ** 2 for part, mean in zip(cell, center, strict=True)), cell))


class _Layers:
    """Where cells lie in a picture; layers stand side by side, the lowest first."""

    def __init__(self, board: Board) -> None:
        cells = list(board.points)
        self._board = board
        self._columns = 1 + max(cell[-1] for cell in cells)
        self.width = self._columns * max(cell[0] for cell in cells) - 1 if board.lattice.layered else self._columns
        corners = [corner for point in board.points.values() for corner in _outline(board.lattice, point)]
        self._left, self._top = (min((corner[k] for corner in corners), default=0.0) for k in (0, 1))

    def place(self, cell: Place) -> tuple[int, int]:
        """Return the row and column, from 0, where text stands for a cell."""
        *layer, row, column = cell
        return row - 1, column - 1 + (self._columns * (layer[0] - 1) if layer else 0)

    def labels(self, placement: Placement) -> Iterator[pictures.Label]:
        """Yield the name of a piece, without that of its set, once a layer."""
        name = placement.piece.rpartition(".")[2]
        for _, cells in groupby(placement.cells, key=lambda cell: cell[:-2]):
            yield pictures.Label(*self.place(_middle(list(cells))), name)

    def shape(self, cell: Place, look: _Look) -> pictures.Cell | pictures.Tile:
        """Return a cell as it is drawn."""
        row, column = self.place(cell)
        outline = self.outline(cell)
        if outline is None:
            return pictures.Cell(row, column, *look)
        return pictures.Tile(outline, *look, row=row, column=column)

    def outline(self, cell: Place) -> tuple[Corner, ...] | None:
        """Return the corners of what is no square."""
        lattice = self._board.lattice
        if lattice is SPHERES:
            row, column = self.place(cell)
            return pictures.polygon((column + 0.5, row + 0.5), 0.47, 24)
        return tuple(self.moved(corner) for corner in _outline(lattice, self._board.points[cell])) or None

    def moved(self, corner: Corner) -> Corner:
        """Return a corner of the lattice in the picture."""
        return corner[0] - self._left + _MARGIN, corner[1] - self._top + _MARGIN


class _Laid(NamedTuple):
    """What one placement adds to a picture."""

    look: _Look
    shapes: dict[Place, pictures.Cell | pictures.Tile]
    labels: list[pictures.Label]


def _center(lattice: Lattice, point: Point) -> Corner:
    """Return the middle of a cell of the plane, (x, y)."""
    if lattice in (HEXAGONS, TRIANGLES):
        below, right = point
        side = 1.5 if lattice is TRIANGLES else 1.0
        return side * (right + below / 2), side * below / math.sqrt(12)
    if lattice is STICKS:
        return 0.75 * point[1], 0.75 * point[0]
    return 0.0, 0.0


def _outline(lattice: Lattice, point: Point) -> Iterator[Corner]:
    center = _center(lattice, point)
    if lattice is HEXAGONS:
        yield from pictures.polygon(center, 1 / math.sqrt(3), 6)
    elif lattice is TRIANGLES:
        yield from pictures.polygon(center, 1.5 / math.sqrt(3), 3, 0.0 if lattice.kind(point) == 2 else 0.5)
    elif lattice is STICKS:
        x, y = center
        long, broad = 0.75 - _STICK, _STICK
        across, down = (long, broad) if lattice.kind(point) == 0 else (broad, long)
        yield from ((x - across, y - down), (x + across, y - down), (x + across, y + down), (x - across, y + down))


def _joints(board: Board, looks: Mapping[Place, _Look], layers: _Layers) -> Iterator[pictures.Tile]:
    """Yield what joins the sticks of a piece at each corner: a square, or where they turn half of one."""
    directions = ((0, 1), (1, 0), (0, -1), (-1, 0))
    corners = {shifted(point, step, sign) for cell, point in board.points.items()
               for step in [(0, 1) if board.lattice.kind(point) == 0 else (1, 0)] for sign in (1, -1)}  # fmt: skip
    cells = {point: cell for cell, point in board.points.items()}
    for corner in sorted(corners):
        meeting: dict[_Look, list[int]] = {}
        for number, step in enumerate(directions):
            look = looks.get(cells.get(shifted(corner, step), ()))
            if look is not None and isinstance(look.region, Placement):
                meeting.setdefault(look, []).append(number)
        for look, ways in meeting.items():
            if len(ways) < 2:
                continue
            x, y = layers.moved(_center(board.lattice, corner))
            square = [
                (x + _STICK, y - _STICK),
                (x + _STICK, y + _STICK),
                (x - _STICK, y + _STICK),
                (x - _STICK, y - _STICK),
            ]
            if len(ways) == 2 and (ways[1] - ways[0]) % 2:
                first = ways[0] if ways[1] - ways[0] == 1 else ways[1]
                square = [square[(first + k) % 4] for k in (0, 1, 2)]
            yield pictures.Tile(tuple(square), *look)


def _from_outside(looks: Mapping[Place, _Look], left: int) -> list[pictures.Tile]:
    """Return the faces of cubes that are seen from above, in halves, each as the nearest cube shows it."""
    seen: dict[frozenset[Corner], tuple[int, pictures.Tile]] = {}
    for cell, look in looks.items():
        for plane, strength, faces in _faces(cell):
            for corners in faces:
                outline = [_projected(corner) for corner in corners]
                tile = pictures.Tile(tuple(outline), (look.region, plane), look.tint, strength)
                key = frozenset((round(x, 3), round(y, 3)) for x, y in outline)
                if sum(cell) > seen.get(key, (-1, tile))[0]:
                    seen[key] = sum(cell), tile
    tiles = [tile for _, tile in seen.values()]
    least = [min((corner[k] for tile in tiles for corner in tile.outline), default=0.0) for k in (0, 1)]
    return [replace(one, outline=tuple((x - least[0] + left, y - least[1]) for x, y in one.outline)) for one in tiles]


def _faces(cell: Place) -> Iterator[tuple[tuple[str, int], float, list[list[Place]]]]:
    """Yield the three faces that can be seen: their plane, how strong their color is, and their halves."""
    z, r, c = cell
    top = [(z + 1, r, c), (z + 1, r, c + 1), (z + 1, r + 1, c + 1), (z + 1, r + 1, c)]
    yield ("top", z), 0.75, [[top[0], top[1], top[2]], [top[0], top[2], top[3]]]
    for side, strength, face in (
        (("left", r), 0.9, [(z + 1, r + 1, c), (z + 1, r + 1, c + 1), (z, r + 1, c + 1), (z, r + 1, c)]),
        (("right", c), 1.0, [(z + 1, r, c + 1), (z + 1, r + 1, c + 1), (z, r + 1, c + 1), (z, r, c + 1)]),
    ):
        yield side, strength, [[face[0], face[1], face[3]], [face[1], face[2], face[3]]]


def _projected(corner: Place) -> Corner:
    """Return where a corner of a cube is seen, looking along a diagonal."""
    z, r, c = corner
    return (c - r) * math.sqrt(3) / 2, (c + r) / 2 - z
