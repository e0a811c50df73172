"""Named sets of polyominoes: every piece of n squares, free or one-sided."""

from __future__ import annotations

from functools import cache

from exactcover import ParameterError
from exactcover.errors import nearest
from problems.boards import Cell
from problems.tiling import Shape, normalized, orientations

__all__ = ["SETS", "named_pieces", "shape_of"]

SETS = ("monominoes", "dominoes", "trominoes", "tetrominoes", "pentominoes", "hexominoes")
"""The names of the sets by number of squares, from one; ``one-sided`` may stand before each."""

_NAMES = {
    "O1": "#", "I2": "##", "I": "###", "V": "##/#",
    "I4": "####", "L": "###/#", "O": "##/##", "S": ".##/##", "T": "###/.#",
    "F": ".##/##/.#", "I5": "#####", "L5": "####/#", "N": "##/.###", "P": "##/##/#", "T5": "###/.#/.#",
    "U": "#.#/###", "V5": "###/#/#", "W": "##/.##/..#", "X": ".#/###/.#", "Y": "####/.#", "Z": "##/.#/.##",
}  # fmt: skip
"""Customary letters; a digit only tells pieces of different sizes apart here."""


def shape_of(drawing: str) -> Shape:
    """Return the shape drawn with ``#``; other characters are empty, rows end with a line break or ``/``.

    Raises
    ------
    ValueError
        If nothing is drawn.

    Examples
    --------
    >>> shape_of("##/.#")
    ((0, 0), (0, 1), (1, 1))
    """
    cells = [
        (row, column)
        for row, line in enumerate(drawing.replace("/", "\n").split("\n"))
        for column, character in enumerate(line)
        if character == "#"
    ]
    if not cells:
        raise ValueError("nothing is drawn; # stands for a square of the piece")
    return normalized(cells)


def named_pieces(reference: str, parameter: str | tuple[str | int, ...] = "pieces") -> dict[str, tuple[Shape, bool]]:
    """Return the pieces of a set (``pentominoes``) or one of them (``tetrominoes.O``).

    Returns
    -------
    dict
        By name, in the order of names: the shape and whether it may be reflected.

    Raises
    ------
    ParameterError
        If there is no such set or piece.
    """
    family, _, name = reference.partition(".")
    one_sided = family.startswith("one-sided ")
    plain = family.removeprefix("one-sided ")
    if plain not in SETS:
        known = [*SETS, *(f"one-sided {known}" for known in SETS)]
        raise ParameterError(
            parameter, f"there is no set {family!r}{nearest(family, known)} (sets are {', '.join(SETS)})"
        )
    pieces = _one_sided(SETS.index(plain) + 1) if one_sided else _free(SETS.index(plain) + 1)
    if name not in pieces and "." in reference:
        raise ParameterError(parameter, f"{family} have no piece {name!r} (they are {', '.join(pieces)})")
    return {known: (shape, not one_sided) for known, shape in pieces.items() if name in ("", known)}


def _canonical(shape: Shape, *, reflect: bool = True) -> Shape:
    return min(orientations(shape, reflect=reflect))


@cache
def _free(squares: int) -> dict[str, Shape]:
    """Return every piece of so many squares by name; grown square by square."""
    shapes: set[Shape] = {((0, 0),)}
    for _ in range(squares - 1):
        shapes = {_canonical(normalized({*shape, cell})) for shape in shapes for cell in _around(shape)}
    letters = {_canonical(shape_of(drawing)): name for name, drawing in _NAMES.items()}
    if squares <= 5:
        return dict(sorted((letters[shape][0], shape) for shape in shapes))
    return {str(number): shape for number, shape in enumerate(sorted(shapes), 1)}


@cache
def _one_sided(squares: int) -> dict[str, Shape]:
    """Return the pieces and, as F', their mirror images where those differ."""
    pieces: dict[str, Shape] = {}
    for name, shape in _free(squares).items():
        pieces[name] = shape
        mirror = normalized((row, -column) for row, column in shape)
        if _canonical(mirror, reflect=False) != _canonical(shape, reflect=False):
            pieces[f"{name}'"] = mirror
    return pieces


def _around(shape: Shape) -> set[Cell]:
    return {
        (row + down, column + right) for row, column in shape for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1))
    } - set(shape)
