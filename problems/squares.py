"""What families that fill a square with symbols share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from exactcover import pictures

__all__ = ["Entry", "filled", "labels"]


class Entry(NamedTuple):
    """A symbol in a cell, rows and columns from 1; as text ``r1c5=7``."""

    row: int
    column: int
    symbol: str

    def __str__(self) -> str:
        return f"r{self.row}c{self.column}={self.symbol}"


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
