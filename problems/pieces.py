"""Sets of pieces: every piece of so many cells, and pieces that are drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from exactcover import ParameterError
from exactcover.errors import nearest
from problems.boards import connected, parse_cell, read_drawing
from problems.lattices import CUBES, HEXAGONS, SPHERES, SQUARES, STICKS, TRIANGLES, Lattice, Point, moved, shifted

__all__ = ["Piece", "Shape", "drawn_piece", "named_pieces", "normalized", "orientations", "set_names", "shape_of"]

Shape: TypeAlias = tuple[Point, ...]
"""Points in ascending order, the first as near to the origin as shifts allow."""


class Piece(NamedTuple):
    """A shape, and whether its mirror image will do as well."""

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
"""The names of the sets by number of cells, from one."""

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
"""Letters, customary ones where there are such, and drawings, by number of cells; other pieces have numbers from 1."""

_SOMA = {
    "A": "tetracubes.A", "B": "tetracubes.B", "L": "tetracubes.L", "P": "tetracubes.P", "T": "tetracubes.T",
    "V": "tricubes.V", "Z": "tetracubes.Z",
}  # fmt: skip


def set_names(lattice: Lattice) -> list[str]:
    """Return the names of the sets of a lattice; those of squares do for anything in layers of squares."""
    own = [*_SETS[lattice], *(f"one-sided {name}" for name in _SETS[lattice] if not lattice.layered)]
    return [*own, *(["soma"] if lattice is CUBES else []), *(_SETS[SQUARES] if lattice.layered else ())]


def shape_of(drawing: str, lattice: Lattice = SQUARES) -> Shape:
    """Return the shape drawn with ``#`` (sticks: with ``-`` and ``|``); other characters are empty.

    Rows end with a line break or ``/``, layers with a blank line or ``//``.

    Raises
    ------
    ValueError
        If nothing is drawn, or cells do not fit each other.

    Examples
    --------
    >>> shape_of("##/.#")
    ((0, 0), (0, 1), (1, 1))
    """
    filled = "#" if lattice is not STICKS else "#."
    places = [place for place, one in read_drawing(drawing, lattice).items() if one in filled]
    if not places:
        raise ValueError(f"nothing is drawn; {filled[0]} stands for a {lattice.cell} of the piece")
    try:
        return normalized(lattice.points(places).values(), lattice)
    except ValueError:
        raise ValueError(f"its {lattice.cells} do not fit each other") from None


def normalized(points: Iterable[Point], lattice: Lattice) -> Shape:
    """Return the points shifted so that all shapes which differ by a shift only are the same, and sorted."""
    cells = sorted(points)
    origin = lattice.origin(cells[0])
    return tuple(shifted(cell, origin, -1) for cell in cells)


def orientations(shape: Shape, lattice: Lattice = SQUARES, *, rotate: bool = True, reflect: bool = True) -> list[Shape]:
    """Return every distinct way the shape can lie, the given one first; in space a flat piece can be turned over.

    Examples
    --------
    >>> len(orientations(((0, 0), (0, 1), (1, 0))))
    4
    """
    motions = lattice.motions(rotate=rotate, reflect=reflect or (rotate and lattice.layered and _flat(shape)))
    return list(dict.fromkeys(normalized([moved(motion, cell) for cell in shape], lattice) for motion in motions))


def _flat(shape: Shape) -> bool:
    """Whether a piece in space lies in a plane."""
    across = [shifted(cell, shape[0], -1) for cell in shape[1:]]
    return all(
        a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) == 0
        for (a, b, c), (d, e, f), (g, h, i) in combinations(across, 3)
    )


def named_pieces(
    reference: str, lattice: Lattice = SQUARES, parameter: str | tuple[str | int, ...] = "pieces"
) -> dict[str, Piece]:
    """Return the pieces of a set (``pentominoes``) or one of them (``tetrominoes.O``), by name.

    Raises
    ------
    ParameterError
        If there is no such set or piece.
    """
    family, _, name = reference.partition(".")
    if family not in set_names(lattice):
        known = set_names(lattice)
        listed = ", ".join(one for one in known if not one.startswith("one-sided "))
        raise ParameterError(parameter, f"there is no set {family!r}{nearest(family, known)} (sets are {listed})")
    pieces = _set(family, lattice)
    if name not in pieces and "." in reference:
        raise ParameterError(parameter, f"{family} have no piece {name!r} (they are {_listed(list(pieces))})")
    return {known: piece for known, piece in pieces.items() if name in ("", known)}


def _listed(names: Sequence[str]) -> str:
    numbered = len(names) > 2 and names == [str(number) for number in range(1, len(names) + 1)]
    return f"{names[0]} to {names[-1]}" if numbered else ", ".join(names)


def drawn_piece(name: str, drawing: str, lattice: Lattice) -> Piece:
    """Return a piece that is drawn, or named by its set.

    Raises
    ------
    ParameterError
        If the drawing is none of a piece that hangs together, or the reference names several.
    """
    place = ("pieces", name)
    if not name or name.split() != [name]:
        raise ParameterError(place, f"{name!r} is no name for a piece; it must be one word")
    if parse_cell(name) is not None:
        raise ParameterError(place, f"{name!r} is the name of a cell; choose another for the piece")
    if re.match(r"[A-Za-z]", drawing):
        found = named_pieces(drawing, lattice, place)
        if len(found) != 1:
            some = next(iter(found))
            raise ParameterError(place, f"{drawing!r} is a whole set; expected one piece, like {drawing}.{some}")
        return next(iter(found.values()))
    try:
        shape = shape_of(drawing, lattice)
    except ValueError as error:
        raise ParameterError(place, f"piece {name}: {error}") from None
    if not connected(shape, lattice):
        touch = "all touch" if lattice in (STICKS, SPHERES) else "all touch by their sides"
        raise ParameterError(place, f"piece {name} is not connected: its {lattice.cells} do not {touch}")
    return Piece(shape, True)


@cache
def _set(family: str, lattice: Lattice) -> Mapping[str, Piece]:
    if family == "soma":
        return {name: piece for name, one in _SOMA.items() for piece in named_pieces(one, lattice).values()}
    one_sided = family.startswith("one-sided ")
    plain = family.removeprefix("one-sided ")
    if plain not in _SETS[lattice]:  # squares, in a layer
        flat = _set(plain, SQUARES)
        return {name: Piece(_in_a_layer(shape, lattice), True) for name, (shape, _) in flat.items()}
    shapes = _all(_SETS[lattice].index(plain) + 1, lattice)
    if one_sided:
        shapes = _with_mirror_images(shapes, lattice)
    return {name: Piece(shape, not one_sided) for name, shape in shapes.items()}


def _in_a_layer(shape: Shape, lattice: Lattice) -> Shape:
    left = min(column for _, column in shape)
    places = [(1, row + 1, column - left + 1) for row, column in shape]
    return normalized(lattice.points(places).values(), lattice)


def _canonical(shape: Shape, lattice: Lattice) -> Shape:
    """Return the same for all shapes that are one piece; in space mirror images are two."""
    return min(orientations(shape, lattice, reflect=not lattice.layered))


@cache
def _all(cells: int, lattice: Lattice) -> dict[str, Shape]:
    """Return every piece of so many cells by name; grown cell by cell. In space mirror images are two pieces."""
    start = next(iter(lattice.points([(1, 1, 1) if lattice.layered else (1, 2)]).values()))
    shapes = {_canonical((start,), lattice)}
    for _ in range(cells - 1):
        shapes = {
            _canonical((*shape, one), lattice)
            for base in shapes
            # a flat piece of spheres, turned over, may lie where other spheres touch it
            for shape in (orientations(base, lattice) if lattice is SPHERES and _flat(base) else (base,))
            for cell in shape
            for one in lattice.around(cell)
            if one not in shape
        }
    drawings = dict(enumerate(_NAMES.get(lattice, ()), 1)).get(cells, {})
    drawn = {name: shape_of(drawing, lattice) for name, drawing in drawings.items()}
    if {_canonical(shape, lattice) for shape in drawn.values()} == shapes:
        return drawn
    return {str(number): shape for number, shape in enumerate(sorted(shapes), 1)}


def _with_mirror_images(shapes: Mapping[str, Shape], lattice: Lattice) -> dict[str, Shape]:
    """Return the pieces and, as F', their mirror images where those differ."""
    pieces: dict[str, Shape] = {}
    for name, shape in shapes.items():
        pieces[name] = shape
        ways = orientations(shape, lattice, reflect=False)
        mirror = next((one for one in orientations(shape, lattice) if one not in ways), None)
        if mirror is not None:
            pieces[f"{name}'"] = mirror
    return pieces
