"""Code shared by the families that fill a square with symbols."""

from __future__ import annotations

import string
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from exactcover import ParameterError, TextForm, pictures
from problems.boards import parse_size

if TYPE_CHECKING:
    from exactcover import Deduction

__all__ = [
    "EXCHANGED",
    "Entry",
    "is_blank",
    "label_symbols",
    "list_blanks",
    "make_text_form",
    "name_technique",
    "parse_box",
    "square_cells",
    "square_rows",
]

EXCHANGED = "if two symbols are in no given, exchanging them makes another solution"
"""The reason why all symbols but one are among the givens of a puzzle with one solution."""


_LAST = {"cell": ("naked single", 2.3), "box": ("hidden single", 1.2), "region": ("hidden single", 1.2)}
_SETS = {2: ("pair", 3.0, 3.4), 3: ("triple", 3.6, 4.0), 4: ("quadruple", 5.0, 5.4)}
_FISH = {2: ("X-wing", 3.2), 3: ("swordfish", 3.8), 4: ("jellyfish", 5.2)}
_CHAIN = 1.6  # what chains are harder than in other puzzles, since they go from house to house


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


def name_technique(deduction: Deduction) -> tuple[str, float] | None:
    """Return the name and the difficulty that a technique has among those who solve Sudokus.

    References
    ----------
    N. Juillerat, "Sudoku Explainer", 2007, for the difficulties.
    """
    kinds, size = [_kind_of(str(item)) for item in deduction.truths], len(deduction.truths)
    symbols = {symbol for _, symbol, _ in kinds if symbol}
    houses, one_symbol = {kind for kind, _, _ in kinds}, len(symbols) == 1 and all(symbol for _, symbol, _ in kinds)
    match deduction.kind.value:
        case "last" if houses <= {"cell", "row", "column", "box", "region"}:
            return _LAST.get(kinds[0][0], ("hidden single", 1.5))
        case "block" if houses <= {"box", "region"}:
            return "pointing", 2.6
        case "block" if houses <= {"row", "column"}:
            return "claiming", 2.8
        case "subset":
            word, naked, hidden = _SETS[size]
            if houses == {"cell"}:
                return f"naked {word}", naked
            if len({house for _, _, house in kinds}) == 1:
                return f"hidden {word}", hidden
            links = {_kind_of(str(item))[0] for item in deduction.links}
            if one_symbol and {*map(frozenset, (houses, links))} == {frozenset({"row"}), frozenset({"column"})}:
                return _FISH[size]
            return None
        case "chain":
            return _name_chain(deduction, size, houses, one_symbol)
    return None


def _name_chain(deduction: Deduction, size: int, houses: set[str], one_symbol: bool) -> tuple[str, float]:
    difficulty = deduction.difficulty + _CHAIN
    is_plain = deduction.size == 2 * size  # each truth has two options
    if houses == {"cell"} and size == 3 and deduction.size <= 7:
        return ("XY-wing", 4.2) if is_plain else ("XYZ-wing", 4.4)
    if not is_plain:
        return "dynamic chain", difficulty
    if one_symbol:
        if size > 2:
            return "X-chain", difficulty
        return {1: "skyscraper", 2: "two-string kite"}.get(
            len(houses) if houses <= {"row", "column"} else 0, "turbot fish"
        ), difficulty
    return ("XY-chain" if houses == {"cell"} else "chain"), difficulty


def _kind_of(item: str) -> tuple[str, str, str]:
    """Return the kind of an item, its symbol and its house: ``("row", "7", "row 3")`` for ``7 in row 3``."""
    symbol, _, house = item.partition(" in ")
    return (house.removeprefix("the ").split(" ")[0], symbol, house) if house else ("cell", "", "")
