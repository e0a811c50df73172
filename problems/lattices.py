"""Lattices of cells: squares, cubes, hexagons, triangles, sticks, and spheres in piles.

A cell has a *place*: its position in a drawing made of characters, (row, column) or (layer, row, column), from 1.
It also has a *point*: integer coordinates in which every rotation and reflection of the lattice is linear and every
shift adds a vector. Code that reads or draws boards works with places; code that moves pieces works with points.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import ClassVar, TypeAlias

Place: TypeAlias = tuple[int, ...]
"""(row, column) or (layer, row, column), from 1."""
Point: TypeAlias = tuple[int, ...]
"""Integer coordinates of a cell, or a vector between two cells."""
Motion: TypeAlias = tuple[Point, ...]
"""A matrix, by rows: a rotation, or a reflection followed by a rotation."""


def transform(motion: Motion, point: Point) -> Point:
    """Return the image of a point under a motion."""
    return tuple([sum(factor * part for factor, part in zip(row, point, strict=True)) for row in motion])


def translate(point: Point, vector: Point, times: int = 1) -> Point:
    """Return the point shifted by a vector, or by a multiple of it."""
    return tuple([part + times * step for part, step in zip(point, vector, strict=True)])


def _compose(second: Motion, first: Motion) -> Motion:
    """Return the motion that applies `first`, then `second`."""
    columns = zip(*(transform(second, column) for column in zip(*first, strict=True)), strict=True)
    return tuple(tuple(row) for row in columns)


@cache
def _generate_group(generators: tuple[Motion, ...]) -> tuple[Motion, ...]:
    """Return all products of the generators, the identity first."""
    size = len(generators[0])
    found: dict[Motion, None] = {tuple(tuple(int(i == j) for j in range(size)) for i in range(size)): None}
    waiting = list(found)
    for one in waiting:
        for generator in generators:
            both = _compose(generator, one)
            if both not in found:
                found[both] = None
                waiting.append(both)
    return tuple(found)


class Lattice:
    """A lattice of cells; the base class is the lattice of unit squares."""

    cell: ClassVar[str] = "square"
    cells: ClassVar[str] = "squares"
    layered: ClassVar[bool] = False  # drawings have layers
    crosses: ClassVar[bool] = False  # two pieces could cross at a point between cells, which tilings must rule out
    forms: ClassVar[tuple[str, ...]] = ("triangle", "diamond")  # they name a board with a number: ``triangle 10``
    _turns: ClassVar[tuple[Motion, ...]] = (((0, 1), (-1, 0)),)
    _mirror: ClassVar[Motion] = ((1, 0), (0, -1))
    _steps: ClassVar[tuple[tuple[Point, ...], ...]] = (((-1, 0), (1, 0), (0, -1), (0, 1)),)

    def motions(self, *, rotate: bool = True, reflect: bool = True) -> list[Motion]:
        """Return the motions that a piece may undergo, rotations first."""
        identity: Motion = _generate_group(self._turns)[0]
        turns = _generate_group(self._turns) if rotate else (identity,)
        return [*turns, *(_compose(turn, self._mirror) for turn in turns if reflect)]

    def kind(self, point: Point) -> int:
        """Return the class of a cell; two cells are of one kind if a shift of the lattice maps one to the other."""
        return 0

    def origin(self, point: Point) -> Point:
        """Return the shift of the lattice that maps the first cell of this kind to this cell."""
        return point

    def neighbors(self, point: Point) -> list[Point]:
        """Return the cells that touch a cell."""
        return [translate(point, step) for step in self._steps[self.kind(point)]]

    def points(self, places: Sequence[Place]) -> dict[Place, Point]:
        """Return the points of the places of one drawing; a ``ValueError`` has a place where no cell can be."""
        return {place: place for place in places}

    def place(self, point: Point) -> Place:
        """Return a place for a point in a drawing; the places of a shape may have to be shifted together."""
        return point

    def middle(self, place: Place) -> tuple[float, float, float]:
        """Return where the middle of a cell is in space: how far right, back and up; only for lattices with layers."""
        raise NotImplementedError

    def straight_on(self, point: Point) -> tuple[Point, Point]:
        """Return the crossing at the end of a cell, and the next cell in line; only for lattices that cross."""
        raise NotImplementedError

    def place_of_crossing(self, point: Point) -> Place:
        """Return the place of a crossing in a drawing."""
        return point

    def sketch(self, form: str, sizes: Sequence[int], joined: str = "") -> str:
        """Return the drawing of a board given by a form and its sizes; the form is empty for a plain size."""
        if form == "triangle":
            (side,) = sizes
            return "\n".join("." * row for row in range(1, side + 1))
        if form == "diamond":
            (side,) = sizes
            widths = [*range(1, side + 1), *range(side, 0, -1)]
            return "\n".join("_" * (side - width) + "." * 2 * width for width in widths)
        rows, columns = sizes
        return "\n".join(["." * columns] * rows)

    def periods(self, sizes: Sequence[int]) -> dict[str, Point]:
        """Return the vectors after which a board of this size repeats when its rows or columns are joined."""
        rows, columns = sizes
        return {"rows": (rows, 0), "columns": (0, columns)}


class _Hexagonal(Lattice):
    """A plane with rotations by 60 degrees: the point (p, q) is at x = q + p / 2, y = p / 12 ** 0.5 downwards."""

    forms = ("triangle", "hexagon")
    _turns = (((2, 3), (-1, -1)),)
    _mirror = ((1, 0), (-1, -1))

    @staticmethod
    def _point(below: int, right: int) -> Point:
        """Return the point `below` units down and `right` half units to the right.

        A unit down is a sixth of the height of two triangles of side 1; a half unit right is half that side.
        """
        return below, (right - below) // 2

    def place(self, point: Point) -> Place:
        below, q = point
        return below // 3, 2 * q + below


class Hexagons(_Hexagonal):
    """Hexagons: in a drawing, neighbors in a row are two columns apart, and adjacent rows are offset by one column."""

    cell, cells = "hexagon", "hexagons"
    _steps = (((0, -1), (0, 1), (-3, 1), (-3, 2), (3, -2), (3, -1)),)

    def points(self, places: Sequence[Place]) -> dict[Place, Point]:
        shift = sum(places[0]) % 2
        found: dict[Place, Point] = {}
        for row, column in places:
            if (row + column) % 2 != shift:
                raise ValueError((row, column))
            found[row, column] = self._point(3 * row, column + shift)
        return found

    def sketch(self, form: str, sizes: Sequence[int], joined: str = "") -> str:
        if form == "triangle":
            (side,) = sizes
            widths = list(range(1, side + 1))
        elif form == "hexagon":
            (side,) = sizes
            widths = [*range(side, 2 * side), *range(2 * side - 2, side - 1, -1)]
        else:
            rows, columns = sizes
            return "\n".join(" " * row + " ".join("." * columns) for row in range(rows))
        return "\n".join(" " * (max(widths) - width) + " ".join("." * width) for width in widths)

    def periods(self, sizes: Sequence[int]) -> dict[str, Point]:
        rows, columns = sizes
        return {"rows": (3 * rows, -rows), "columns": (0, columns)}


class Triangles(_Hexagonal):
    """Triangles: in a drawing, they stand side by side and alternate between up and down; the first points up."""

    cell, cells = "triangle", "triangles"
    _steps = ((), ((1, -1), (1, 0), (-2, 1)), ((-1, 1), (-1, 0), (2, -1)))

    def kind(self, point: Point) -> int:
        """Return 1 for a triangle that points down, 2 for one that points up."""
        return point[0] % 3

    def origin(self, point: Point) -> Point:
        return point[0] - point[0] % 3, point[1]

    def points(self, places: Sequence[Place]) -> dict[Place, Point]:
        shift = sum(places[0]) % 2
        return {
            (row, column): self._point(3 * row + (2 if (row + column) % 2 == shift else 1), column + shift)
            for row, column in places
        }

    def sketch(self, form: str, sizes: Sequence[int], joined: str = "") -> str:
        if form == "triangle":
            (side,) = sizes
            return "\n".join(" " * (side - row) + "." * (2 * row - 1) for row in range(1, side + 1))
        if form == "hexagon":
            (side,) = sizes
            upper = [" " * (side - 1 - row) + "." * (2 * (side + row) + 1) for row in range(side)]
            return "\n".join([*upper, *reversed(upper)])
        rows, columns = sizes
        return "\n".join(" " * (rows - 1 - row) + "." * 2 * columns for row in range(rows))

    def periods(self, sizes: Sequence[int]) -> dict[str, Point]:
        rows, columns = sizes
        return {"rows": (3 * rows, -2 * rows), "columns": (0, columns)}


class Sticks(Lattice):
    """The sides of squares: in a drawing, ``+`` is a corner, ``-`` and ``|`` are the sticks between corners."""

    cell, cells = "stick", "sticks"
    crosses = True
    forms = ()
    _steps = (
        ((0, -2), (0, 2), (-1, -1), (-1, 1), (1, -1), (1, 1)),
        ((-2, 0), (2, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)),
    )

    def kind(self, point: Point) -> int:
        """Return 0 for a horizontal stick, 1 for a vertical one."""
        return point[0] % 2

    def origin(self, point: Point) -> Point:
        return tuple(part - part % 2 for part in point)

    def points(self, places: Sequence[Place]) -> dict[Place, Point]:
        for place in places:
            if sum(place) % 2 == 0:
                raise ValueError(place)
        return {place: translate(place, (-1, -1)) for place in places}

    def straight_on(self, point: Point) -> tuple[Point, Point]:
        ahead = (point[0] % 2, point[1] % 2)
        return translate(point, ahead), translate(point, ahead, 2)

    def place_of_crossing(self, point: Point) -> Place:
        return translate(point, (1, 1))

    def sketch(self, form: str, sizes: Sequence[int], joined: str = "") -> str:
        """Return the sticks between rows and columns of corners."""
        rows, columns = sizes
        wraps = joined in ("columns", "both")
        horizontal = "+-" * columns if wraps else "-".join("+" * columns)
        vertical = " ".join("|" * columns)
        lines = [horizontal if row % 2 == 0 else vertical for row in range(2 * rows - 1)]
        return "\n".join([*lines, vertical] if joined in ("rows", "both") else lines)

    def periods(self, sizes: Sequence[int]) -> dict[str, Point]:
        rows, columns = sizes
        return {"rows": (2 * rows, 0), "columns": (0, 2 * columns)}


class Cubes(Lattice):
    """Cubes, in layers."""

    cell, cells = "cube", "cubes"
    layered = True
    forms = ("pyramid",)
    _turns = (((1, 0, 0), (0, 0, 1), (0, -1, 0)), ((0, 1, 0), (-1, 0, 0), (0, 0, 1)))
    _mirror = ((-1, 0, 0), (0, -1, 0), (0, 0, -1))
    _steps: ClassVar[tuple[tuple[Point, ...], ...]] = (
        ((-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1)),
    )

    def sketch(self, form: str, sizes: Sequence[int], joined: str = "") -> str:
        if form == "pyramid":
            (side,) = sizes
            return "\n\n".join(Lattice.sketch(self, "", (width, width)) for width in range(side, 0, -1))
        layers, *size = sizes
        return "\n\n".join([Lattice.sketch(self, "", size)] * layers)

    def periods(self, sizes: Sequence[int]) -> dict[str, Point]:
        _, rows, columns = sizes
        return {"rows": (0, rows, 0), "columns": (0, 0, columns)}

    def middle(self, place: Place) -> tuple[float, float, float]:
        layer, row, column = place
        return float(column), float(-row), float(layer)


class Spheres(Cubes):
    """Spheres, closely packed: each layer, from the bottom up, sits in the hollows of the one below it.

    A sphere rests on four: those in its row and column and in the next row and column.
    """

    cell, cells = "sphere", "spheres"
    _steps = (tuple(step for step in product((-1, 0, 1), repeat=3) if sum(map(abs, step)) == 2),)

    def points(self, places: Sequence[Place]) -> dict[Place, Point]:
        """Return points of the face-centered cubic lattice: the sum of their coordinates is even."""
        return {(layer, row, column): (row + column + layer, row - column, layer) for layer, row, column in places}

    def place(self, point: Point) -> Place:
        total, difference, layer = point
        return layer, (total - layer + difference) // 2, (total - layer - difference) // 2

    def periods(self, sizes: Sequence[int]) -> dict[str, Point]:
        _, rows, columns = sizes
        return {"rows": (rows, rows, 0), "columns": (columns, -columns, 0)}

    def middle(self, place: Place) -> tuple[float, float, float]:
        layer, row, column = place
        return column + layer / 2, -(row + layer / 2), layer * math.sqrt(1 / 2)


SQUARES, CUBES, HEXAGONS, TRIANGLES = Lattice(), Cubes(), Hexagons(), Triangles()
STICKS, SPHERES = Sticks(), Spheres()
