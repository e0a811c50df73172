"""Code shared by the families that fill a square with symbols."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from exactcover import ParameterError, pictures
from problems.boards import parse_size

__all__ = ["Entry", "label_symbols", "parse_box", "square_rows"]


class Entry(NamedTuple):
    """A symbol in a cell, rows and columns from 1; as text ``r1c5=7``."""

    row: int
    column: int
    symbol: str

    def __str__(self) -> str:
        return f"r{self.row}c{self.column}={self.symbol}"


def parse_box(text: str, max_side: int) -> tuple[int, int]:
    """Return (rows, columns) for the size of a box, like ``3x3``.

    Raises
    ------
    ParameterError
        If the text is not a size, or the square would have a side greater than `max_side`.
    """
    height, width = parse_size(text, "box")
    if height * width > max_side:
        message = f"boxes of {text} make a square of side {height * width}; the maximum is {max_side}"
        raise ParameterError("box", message)
    return height, width


def square_rows(entries: Iterable[Entry], side: int) -> tuple[str, ...]:
    """Return the rows of a square as text, with ``.`` for empty cells.

    Examples
    --------
    >>> square_rows([Entry(1, 1, "A"), Entry(2, 1, "B")], 2)
    ('A.', 'B.')
    """
    cells = {(row, column): symbol for row, column, symbol in entries}
    lines = range(1, side + 1)
    return tuple("".join([cells.get((row, column), ".") for column in lines]) for row in lines)


def label_symbols(entries: Iterable[Entry], given: Collection[Entry]) -> Iterator[pictures.Text]:
    """Yield the symbols as labels for a picture, cell by cell; givens are strong."""
    for entry in sorted(entries):
        yield pictures.Text(entry.row - 1, entry.column - 1, entry.symbol, entry in given)
