"""What families that fill a square with symbols share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from exactcover import ParameterError, pictures
from problems.boards import parse_size

__all__ = ["Entry", "filled", "labels", "parse_box"]


class Entry(NamedTuple):
    """A symbol in a cell, rows and columns from 1; as text ``r1c5=7``."""

    row: int
    column: int
    symbol: str

    def __str__(self) -> str:
        return f"r{self.row}c{self.column}={self.symbol}"


def parse_box(text: str, most: int) -> tuple[int, int]:
    """Return (rows, columns) of a box like ``3x3``.

    Raises
    ------
    ParameterError
        If it is none, or makes squares of a side of more than `most`.
    """
    height, width = parse_size(text, "box")
    if height * width > most:
        raise ParameterError("box", f"boxes of {text} make a side of {height * width}; the most is {most}")
    return height, width


def filled(entries: Iterable[Entry], side: int) -> tuple[str, ...]:
    """Return the square, a text for each row, with ``.`` for what is not filled.

    Examples
    --------
    >>> filled([Entry(1, 1, "A"), Entry(2, 1, "B")], 2)
    ('A.', 'B.')
    """
    cells = {(row, column): symbol for row, column, symbol in entries}
    lines = range(1, side + 1)
    return tuple("".join([cells.get((row, column), ".") for column in lines]) for row in lines)


def labels(entries: Iterable[Entry], given: Collection[Entry]) -> Iterator[pictures.Label]:
    """Yield the symbols for a picture, cell by cell; strong where they are given."""
    for entry in sorted(entries):
        yield pictures.Label(entry.row - 1, entry.column - 1, entry.symbol, entry in given)
