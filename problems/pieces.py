"""Sets of pieces: all pieces with a given number of cells, and pieces defined by drawings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from exactcover import ParameterError
from exactcover.errors import nearest
from problems.boards import parse_cell, read_drawing
from problems.lattices import CUBES, HEXAGONS, SPHERES, SQUARES, STICKS, TRIANGLES, Lattice, Point, transform, translate

Shape: TypeAlias = tuple[Point, ...]
"""Points in ascending order, shifted so that the first is as near to the origin as possible."""


class Piece(NamedTuple):
    """A shape, and whether its mirror image may be used instead."""

    shape: Shape
    two_sided: bool


_SETS: dict[Lattice, tuple[str, ...]] = {
    SQUARES: ("monominoes", "dominoes", "trominoes", "tetrominoes", "pentominoes", "hexominoes", "heptominoes"),
    CUBES: ("monocubes", "dicubes", "tricubes", "tetracubes", "pentacubes"),
    HEXAGONS: ("monohexes", "dihexes", "trihexes", "tetrahexes", "pentahexes", "hexahexes"),
    TRIANGLES: ("moniamonds", "diamonds", "triamonds", "tetriamonds", "pentiamonds", "hexiamonds", "heptiamonds"),
    STICKS: ("monosticks", "disticks", "tristicks", "tetrasticks"),
    SPHERES: ("monospheres", "dispheres", "trispheres", "tetraspheres"),
}
"""The names of the sets, in order of the number of cells, from 1."""

_NAMES: dict[Lattice, tuple[dict[str, str], ...]] = {
    SQUARES: (
        {"O": "#"},
        {"I": "##"},
        {"I": "###", "V": "##/#"},
        {"I": "####", "L": "###/#", "O": "##/##", "S": ".##/##", "T": "###/.#"},
        {"F": ".##/##/.#", "I": "#####", "L": "####/#", "N": "##/.###", "P": "##/##/#", "T": "###/.#/.#",
         "U": "#.#/###", "V": "###/#/#", "W": "##/.##/..#", "X": ".#/###/.#", "Y": "####/.#", "Z": "##/.#/.##"},
    ),
    CUBES: (
        {"O": "#"},
        {"I": "##"},
        {"I": "###", "V": "##/#"},
        {"A": "##/.#//../.#", "B": "##/#//../#", "I": "####", "L": "###/#", "O": "##/##", "P": "##/#//#",
         "T": "###/.#", "Z": "##/.##"},
    ),
    HEXAGONS: (
        {"O": "#"},
        {"I": "#.#"},
        {"A": ".#/#.#", "I": "#.#.#", "V": "#.#/...#"},
        {"I": "#.#.#.#", "J": "#.#.#/.....#", "O": ".#.#/#.#", "P": "#.#.#/...#", "S": "#.#/...#.#",
         "U": "..#.#/.#...#", "Y": ".#/..#.#/.#"},
    ),
    TRIANGLES: (
        {"O": "#"},
        {"I": "##"},
        {"I": "###"},
        {"C": "###/#", "I": "####", "T": ".#/###"},
        {"C": "###/##", "I": "#####", "J": "####/#", "Y": ".#/####"},
        {"C": "...##/####", "E": "#####/..#", "F": ".#.#/####", "G": ".#/##/###", "H": "####/..##", "I": "######",
         "J": "#####/#", "O": "###/###", "P": "...#/#####", "S": "...#/####/#", "V": ".##/####", "X": ".#/####/..#"},
    ),
    STICKS: (
        {"I": "+-+"},
        {"I": "+-+-+", "V": "+-+/|"},
        {"I": "+-+-+-+", "L": "+-+-+/|", "T": "+-+-+/  |", "U": "+ +/| |/+-+", "Z": "+-+/  |/  +-+"},
        {"F": "+ +/| |/+-+-+", "H": "  +-+/  |/+-+-+", "I": "+-+-+-+-+", "J": "  +-+/    |/+-+-+",
         "L": "      +/      |/+-+-+-+", "N": "    +-+/    |/+-+-+", "O": "+-+/| |/+-+", "P": "+-+/| |/+ +-+",
         "R": "  +/  |/+-+-+/|", "T": "  +/  |/  +/  |/+-+-+", "U": "+   +/|   |/+-+-+",
         "V": "    +/    |/    +/    |/+-+-+", "W": "    +/    |/  +-+/  |/+-+", "X": "  +/  |/+-+-+/  |",
         "Y": "    +/    |/+-+-+-+", "Z": "    +/    |/+-+-+/|"},
    ),
    SPHERES: (
        {"O": "#"},
        {"I": "##"},
        {"A": "##//#", "I": "###", "L": "##//.#", "V": "##/#"},
    ),
}  # fmt: skip
"""Names and drawings by number of cells, with the customary letters where there are any.

Pieces of other sets are numbered from 1.
"""

_SOMA = {
    "A": "tetracubes.A", "B": "tetracubes.B", "L": "tetracubes.L", "P": "tetracubes.P", "T": "tetracubes.T",
    "V": "tricubes.V", "Z": "tetracubes.Z",
}  # fmt: skip


def set_names(lattice: Lattice) -> list[str]:
    """Return the names of the sets of a lattice; layered lattices also accept the sets of squares."""
    own = [*_SETS[lattice], *(f"one-sided {name}" for name in _SETS[lattice] if not lattice.layered)]
    return [*own, *(["soma"] if lattice is CUBES else []), *(_SETS[SQUARES] if lattice.layered else ())]


def shape_of(drawing: str, lattice: Lattice = SQUARES) -> Shape:
    """Return the shape drawn with ``#`` (sticks: ``-`` and ``|``); all other characters are empty.

    Rows end with a line break or ``/``, layers with a blank line or ``//``. A ``ValueError`` says that the drawing is
    empty, or that its cells do not line up with each other.

    >>> shape_of("##/.#")
    ((0, 0), (0, 1), (1, 1))
    """
    filled, marks = ("#", "#") if lattice is not STICKS else ("#.", "- or |")
    places = [place for place, one in read_drawing(drawing, lattice).items() if one in filled]
    if not places:
        raise ValueError(f"the drawing is empty; use {marks} for each {lattice.cell} of the piece")
    try:
        return normalize(lattice.points(places).values(), lattice)
    except ValueError:
        raise ValueError(f"its {lattice.cells} do not line up; check the spacing of the drawing") from None


def normalize(points: Iterable[Point], lattice: Lattice) -> Shape:
    """Return the points sorted and shifted, so that shapes that differ only by a shift become equal."""
    cells = sorted(points)
    origin = lattice.origin(cells[0])
    return tuple(translate(cell, origin, -1) for cell in cells)


def orientations(shape: Shape, lattice: Lattice = SQUARES, *, rotate: bool = True, reflect: bool = True) -> list[Shape]:
    """Return the distinct orientations of a shape, the given one first; in space, a flat piece may be turned over.

    >>> len(orientations(((0, 0), (0, 1), (1, 0))))
    4
    """
    motions = lattice.motions(rotate=rotate, reflect=reflect or (rotate and lattice.layered and _is_flat(shape)))
    return list(dict.fromkeys(normalize([transform(motion, cell) for cell in shape], lattice) for motion in motions))


def _is_flat(shape: Shape) -> bool:
    """Return whether all cells of a piece in space lie in one plane."""
    across = [translate(cell, shape[0], -1) for cell in shape[1:]]
    return all(
        a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) == 0
        for (a, b, c), (d, e, f), (g, h, i) in combinations(across, 3)
    )


def named_pieces(
    reference: str, lattice: Lattice = SQUARES, parameter: str | tuple[str | int, ...] = "pieces"
) -> dict[str, Piece]:
    """Return all pieces of a set (``pentominoes``), or one of them (``tetrominoes.O``), by name."""
    family, _, name = reference.partition(".")
    if family not in set_names(lattice):
        known = set_names(lattice)
        listed = ", ".join(one for one in known if not one.startswith("one-sided "))
        raise ParameterError(parameter, f"there is no set {family!r}{nearest(family, known)} (the sets are {listed})")
    pieces = _pieces_of_set(family, lattice)
    if name not in pieces and "." in reference:
        message = f"the set {family} has no piece {name!r} (its pieces are {_list_names(list(pieces))})"
        raise ParameterError(parameter, message)
    return {known: piece for known, piece in pieces.items() if name in ("", known)}


def _list_names(names: Sequence[str]) -> str:
    numbered = len(names) > 2 and names == [str(number) for number in range(1, len(names) + 1)]
    return f"{names[0]} to {names[-1]}" if numbered else ", ".join(names)


def read_piece(name: str, drawing: str, lattice: Lattice) -> Piece:
    """Return a piece that has its own name, from a drawing or a reference such as ``tetrominoes.O``."""
    place = ("pieces", name)
    if not name or name.split() != [name]:
        raise ParameterError(place, f"{name!r} is not a valid name for a piece; use a single word")
    if parse_cell(name) is not None:
        raise ParameterError(place, f"{name!r} is the name of a cell; choose another name for the piece")
    if re.match(r"[A-Za-z]", drawing):
        found = named_pieces(drawing, lattice, place)
        if len(found) != 1:
            first = next(iter(found))
            raise ParameterError(place, f"{drawing!r} is a whole set; expected one piece, like {drawing}.{first}")
        return next(iter(found.values()))
    try:
        shape = shape_of(drawing, lattice)
    except ValueError as error:
        raise ParameterError(place, f"piece {name}: {error}") from None
    return Piece(shape, True)


@cache
def _pieces_of_set(family: str, lattice: Lattice) -> Mapping[str, Piece]:
    if family == "soma":
        return {name: piece for name, one in _SOMA.items() for piece in named_pieces(one, lattice).values()}
    one_sided = family.startswith("one-sided ")
    plain = family.removeprefix("one-sided ")
    if plain not in _SETS[lattice]:  # a set of squares, laid in one layer
        flat = _pieces_of_set(plain, SQUARES)
        return {name: Piece(_lay_flat(shape, lattice), True) for name, (shape, _) in flat.items()}
    shapes = _all_shapes(_SETS[lattice].index(plain) + 1, lattice)
    if one_sided:
        shapes = _add_mirror_images(shapes, lattice)
    return {name: Piece(shape, not one_sided) for name, shape in shapes.items()}


def _lay_flat(shape: Shape, lattice: Lattice) -> Shape:
    left = min(column for _, column in shape)
    places = [(1, row + 1, column - left + 1) for row, column in shape]
    return normalize(lattice.points(places).values(), lattice)


def _canonical_shape(shape: Shape, lattice: Lattice) -> Shape:
    """Return the representative of all orientations of a piece; in space, mirror images are different pieces."""
    return min(orientations(shape, lattice, reflect=not lattice.layered))


@cache
def _all_shapes(cells: int, lattice: Lattice) -> dict[str, Shape]:
    """Return every piece with this number of cells, by name; in space, mirror images are different pieces."""
    start = next(iter(lattice.points([(1, 1, 1) if lattice.layered else (1, 2)]).values()))
    shapes = {_canonical_shape((start,), lattice)}
    for _ in range(cells - 1):
        shapes = {
            _canonical_shape((*shape, one), lattice)
            for base in shapes
            # a flat piece of spheres that is turned over may touch other cells
            for shape in (orientations(base, lattice) if lattice is SPHERES and _is_flat(base) else (base,))
            for cell in shape
            for one in lattice.neighbors(cell)
            if one not in shape
        }
    drawings = dict(enumerate(_NAMES.get(lattice, ()), 1)).get(cells, {})
    named = {name: shape_of(drawing, lattice) for name, drawing in drawings.items()}
    if {_canonical_shape(shape, lattice) for shape in named.values()} == shapes:
        return named
    return {str(number): shape for number, shape in enumerate(sorted(shapes), 1)}


def _add_mirror_images(shapes: Mapping[str, Shape], lattice: Lattice) -> dict[str, Shape]:
    """Return the pieces and those mirror images that differ from them, named like F'."""
    pieces: dict[str, Shape] = {}
    for name, shape in shapes.items():
        pieces[name] = shape
        rotated = orientations(shape, lattice, reflect=False)
        mirror = next((one for one in orientations(shape, lattice) if one not in rotated), None)
        if mirror is not None:
            pieces[f"{name}'"] = mirror
    return pieces
