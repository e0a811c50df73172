"""Lattices of cells: squares, cubes, hexagons, triangles, sticks, and spheres in piles.

A cell has a *place*, (row, column) or (layer, row, column) from 1: where it stands in a drawing made of characters.
It also has a *point*, whole coordinates in which every turn, mirror image and shift of the lattice is linear. Whoever
draws thinks of places; whatever moves pieces works on points.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import ClassVar, TypeAlias

__all__ = [
    "CUBES",
    "HEXAGONS",
    "SPHERES",
    "SQUARES",
    "STICKS",
    "TRIANGLES",
    "Lattice",
    "Motion",
    "Place",
    "Point",
    "moved",
    "shifted",
]

Place: TypeAlias = tuple[int, ...]
"""(row, column) or (layer, row, column), from 1."""
Point: TypeAlias = tuple[int, ...]
Motion: TypeAlias = tuple[Point, ...]
"""A matrix, by rows: a turn, or a turn of the mirror image."""


def moved(motion: Motion, point: Point) -> Point:
    """Return the point that a motion makes of one."""
    return tuple([sum(factor * part for factor, part in zip(row, point, strict=True)) for row in motion])


def shifted(point: Point, by: Point, times: int = 1) -> Point:
    """Return the point moved along a vector."""
    return tuple([part + times * step for part, step in zip(point, by, strict=True)])


def _after(one: Motion, other: Motion) -> Motion:
    """Return the motion that does the other first."""
    columns = zip(*(moved(one, column) for column in zip(*other, strict=True)), strict=True)
    return tuple(tuple(row) for row in columns)


@cache
def _closure(generators: tuple[Motion, ...]) -> tuple[Motion, ...]:
    """Return all products of some motions, the one that moves nothing first."""
    size = len(generators[0])
    found: dict[Motion, None] = {tuple(tuple(int(i == j) for j in range(size)) for i in range(size)): None}
    waiting = list(found)
    for one in waiting:
        for generator in generators:
            both = _after(generator, one)
            if both not in found:
                found[both] = None
                waiting.append(both)
    return tuple(found)


class Lattice:
    """What tilings must know of a lattice; this base is that of unit squares.

    Attributes
    ----------
    cell, cells
        What one is called, and several.
    layered
        Whether drawings have layers.
    crosses
        Whether pieces could cross each other at points that are no cells, where they must not.
    forms
        The words that may name a board, as in ``triangle 10``; a size needs none.
    """

    cell: ClassVar[str] = "square"
    cells: ClassVar[str] = "squares"
    layered: ClassVar[bool] = False
    crosses: ClassVar[bool] = False
    forms: ClassVar[tuple[str, ...]] = ("triangle", "diamond")
    _turns: ClassVar[tuple[Motion, ...]] = (((0, 1), (-1, 0)),)
    _mirror: ClassVar[Motion] = ((1, 0), (0, -1))
    _steps: ClassVar[tuple[tuple[Point, ...], ...]] = (((-1, 0), (1, 0), (0, -1), (0, 1)),)

    def motions(self, *, rotate: bool = True, reflect: bool = True) -> list[Motion]:
        """Return the ways to lay a piece, those without a mirror first."""
        still: Motion = _closure(self._turns)[0]
        turns = _closure(self._turns) if rotate else (still,)
        return [*turns, *(_after(turn, self._mirror) for turn in turns if reflect)]

    def kind(self, point: Point) -> int:
        """Return what tells cells apart that no shift of the lattice brings onto each other."""
        return 0

    def origin(self, point: Point) -> Point:
        """Return by which shift of the lattice a cell came from the first of its kind."""
        return point

    def around(self, point: Point) -> list[Point]:
        """Return the cells that touch one."""
        return [shifted(point, step) for step in self._steps[self.kind(point)]]

    def points(self, places: Sequence[Place]) -> dict[Place, Point]:
        """Return the points of the places of one drawing.

        Raises
        ------
        ValueError
            If a place is none of a cell, with that place.
        """
        return {place: place for place in places}

    def straight_on(self, point: Point) -> tuple[Point, Point]:
        """Return the crossing to which a cell leads, and the cell straight on; only where cells cross."""
        raise NotImplementedError

    def place_of_crossing(self, point: Point) -> Place:
        """Return the place of such a point in a drawing."""
        return point

    def sketch(self, form: str, sizes: Sequence[int], joined: str = "") -> str:
        """Return the drawing of a board that is named by a form and sizes.

        Raises
        ------
        ValueError
            If the form has another number of sizes.
        """
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
        """Return by which vectors a board of a size goes on where its rows, and its columns, are joined."""
        rows, columns = sizes
        return {"rows": (rows, 0), "columns": (0, columns)}


class _Hexagonal(Lattice):
    """A plane with turns by 60 degrees: points are (p, q), at x = q + p / 2 and p / 12 ** 0.5 below the top."""

    forms = ("triangle", "hexagon")
    _turns = (((2, 3), (-1, -1)),)
    _mirror = ((1, 0), (-1, -1))

    @staticmethod
    def _point(below: int, right: int) -> Point:
        """Return the point so many sixths of a height of two triangles down, and so many half sides to the right."""
        return below, (right - below) // 2


class Hexagons(_Hexagonal):
    """Hexagons: in a drawing one of a row stands two columns after another, and rows are one column apart."""

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
    """Triangles: in a drawing they stand side by side, turn about up and down; the first of all points up."""

    cell, cells = "triangle", "triangles"
    _steps = ((), ((1, -1), (1, 0), (-2, 1)), ((-1, 1), (-1, 0), (2, -1)))

    def kind(self, point: Point) -> int:
        """1 for one that points down, 2 for one that points up."""
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
    """The sides of squares: in a drawing ``+`` are corners, ``-`` and ``|`` the sticks between them."""

    cell, cells = "stick", "sticks"
    crosses = True
    forms = ()
    _steps = (
        ((0, -2), (0, 2), (-1, -1), (-1, 1), (1, -1), (1, 1)),
        ((-2, 0), (2, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)),
    )

    def kind(self, point: Point) -> int:
        """0 for one that lies, 1 for one that stands."""
        return point[0] % 2

    def origin(self, point: Point) -> Point:
        return tuple(part - part % 2 for part in point)

    def points(self, places: Sequence[Place]) -> dict[Place, Point]:
        for place in places:
            if sum(place) % 2 == 0:
                raise ValueError(place)
        return {place: shifted(place, (-1, -1)) for place in places}

    def straight_on(self, point: Point) -> tuple[Point, Point]:
        ahead = (point[0] % 2, point[1] % 2)
        return shifted(point, ahead), shifted(point, ahead, 2)

    def place_of_crossing(self, point: Point) -> Place:
        return shifted(point, (1, 1))

    def sketch(self, form: str, sizes: Sequence[int], joined: str = "") -> str:
        """Return the sticks between so many rows of so many corners."""
        rows, columns = sizes
        on = joined in ("columns", "both")
        lying = "+-" * columns if on else "-".join("+" * columns)
        standing = " ".join("|" * columns)
        lines = [lying if row % 2 == 0 else standing for row in range(2 * rows - 1)]
        return "\n".join([*lines, standing] if joined in ("rows", "both") else lines)

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


class Spheres(Cubes):
    """Spheres piled as closely as can be: each layer, from the bottom up, lies in the hollows of the one below it.

    The sphere at a row and column lies on those at that row and column and the next ones.
    """

    cell, cells = "sphere", "spheres"
    _steps = (tuple(step for step in product((-1, 0, 1), repeat=3) if sum(map(abs, step)) == 2),)

    def points(self, places: Sequence[Place]) -> dict[Place, Point]:
        """Return points of the face-centered cubic lattice, whose coordinates add up to even numbers."""
        return {(layer, row, column): (row + column + layer, row - column, layer) for layer, row, column in places}

    def periods(self, sizes: Sequence[int]) -> dict[str, Point]:
        _, rows, columns = sizes
        return {"rows": (rows, rows, 0), "columns": (columns, -columns, 0)}


SQUARES, CUBES, HEXAGONS, TRIANGLES = Lattice(), Cubes(), Hexagons(), Triangles()
STICKS, SPHERES = Sticks(), Spheres()
