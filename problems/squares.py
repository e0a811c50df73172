"""Code shared by the families that fill a square with symbols."""

from __future__ import annotations

import string
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from exactcover import ParameterError, TextForm, pictures
from problems.boards import parse_size

__all__ = [
    "EXCHANGED",
    "Entry",
    "is_blank",
    "label_symbols",
    "list_blanks",
    "make_text_form",
    "parse_box",
    "square_cells",
    "square_rows",
]

EXCHANGED = "if two symbols are in no given, exchanging them makes another solution"
"""The reason why all symbols but one are among the givens of a puzzle with one solution."""


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


def is_blank(character: str, symbols: str) -> bool:
    """Return whether a character that is not a symbol stands for a blank.

    Letters do unless there are letters among the symbols, where they would be typing mistakes. Digits other than 0
    never do.

    Examples
    --------
    >>> is_blank("x", "123456789"), is_blank("x", "ABCD"), is_blank("9", "1234"), is_blank("0", "1234")
    (True, False, False, True)
    """
    if character.isalpha():
        return not any(map(str.isalpha, symbols))
    return character == "0" or not character.isalnum()


def list_blanks(symbols: str) -> str:
    """Return the characters of ASCII that stand for a blank, first those that do with any symbols."""
    return "".join(filter(lambda one: is_blank(one, symbols), f"{string.punctuation}0{string.ascii_letters}"))


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


def square_cells(side: int) -> list[tuple[int, int]]:
    """Return the cells of a square row by row, as rows and columns from 1."""
    lines = range(1, side + 1)
    return [(row, column) for row in lines for column in lines]


def make_text_form(
    cells: Iterable[tuple[int, int]], symbols: str, layouts: Sequence[str], blanks: str, *, any_case: bool = False
) -> TextForm:
    """Return the text form of a grid: each character stands for a symbol in its cell.

    Parameters
    ----------
    cells
        Rows and columns from 1, in the order of the places.
    symbols
        All symbols.
    layouts, blanks
        As for ``TextForm``.
    any_case
        Whether a lower-case letter stands for the symbol that is its upper-case letter.
    """
    characters = {symbol.lower(): symbol for symbol in symbols} if any_case else {}
    characters |= {symbol: symbol for symbol in symbols}
    options = [{character: Entry(*cell, symbol) for character, symbol in characters.items()} for cell in cells]
    return TextForm(layouts, options, blanks)


def label_symbols(entries: Iterable[Entry], given: Collection[Entry]) -> Iterator[pictures.Text]:
    """Yield the symbols as labels for a picture, cell by cell; givens are strong."""
    for entry in sorted(entries):
        yield pictures.Text(entry.row - 1, entry.column - 1, entry.symbol, entry in given)
