"""Reading the grid and the drawings of a Sudoku."""

from __future__ import annotations

import math
import string
from collections.abc import Iterable, Sequence
from functools import cache

from exactcover import ParameterError, pictures
from problems.squares import is_blank

__all__ = [
    "MAX_DIGITS",
    "are_cells",
    "choose_symbols",
    "count_cells",
    "find_side",
    "parse_numbers",
    "read_regions",
    "split_cells",
    "split_rows",
    "symbol_table",
]

MAX_DIGITS = 3  # of a number in a grid
_FEW_CELLS = 0.2  # the share of the cells of a board that may be missing or too many in a guess


class _SymbolTable(dict[str, str]):
    """The symbol for each character, empty for a blank; KeyError for what is neither."""

    def __missing__(self, character: str) -> str:
        if not is_blank(character, "".join(filter(None, self.values()))):
            raise KeyError(character)
        self[character] = ""
        return ""


@cache
def symbol_table(symbols: str) -> _SymbolTable:
    """Return the symbol for each character of a grid, empty for a blank."""
    return _SymbolTable(zip(symbols, symbols, strict=True))


@cache
def choose_symbols(symbols: str, side: int, boxes: str) -> str:
    """Return the symbols after checking them, or the default symbols if none are given."""
    if not symbols:
        letters = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
        symbols = (string.digits[1:] if side <= 9 else letters)[:side]
    if any(one.isspace() for one in symbols):
        raise ParameterError("symbols", "white space cannot be used as a symbol")
    if len(symbols) != side or len(set(symbols)) != side:
        raise ParameterError("symbols", f"expected {side} different symbols for {boxes}")
    return symbols


def find_side(grid: str | Sequence[str | tuple[int, ...]], most: int) -> int:
    """Return the side of a grid; or that of a board with square boxes, if cells of the grid are missing or too many.

    The latter is that of the longest row; or that of a board with about as many cells, if the grid is one text. It is 0
    if the grid is empty or there is no such board of side `most` or less.

    Examples
    --------
    >>> find_side(["12", "21"], 64), find_side(["1..2", "..."], 64), find_side("." * 80, 64), find_side("", 64)
    (2, 4, 9, 0)
    """
    rows = [grid] if isinstance(grid, str) else grid
    lengths = [len("".join(row.split()) if isinstance(row, str) else row) for row in rows]
    longest = max(lengths, default=0)
    if not isinstance(grid, str):
        is_board = 1 < longest == math.isqrt(longest) ** 2 <= most
        return len(lengths) if set(lengths) == {len(lengths)} else longest if is_board else 0
    side = math.isqrt(longest)
    root = min(round(longest**0.25), math.isqrt(most))
    is_board = root > 1 and abs(longest - root**4) <= _FEW_CELLS * root**4
    return side if side**2 == longest else root**2 if is_board else 0


def are_cells(words: Sequence[str]) -> bool:
    """Whether the words of a line are the cells of a row, rather than a row and a comment."""
    return len(words) > len(words[0]) and all(len(word) <= MAX_DIGITS for word in words)


def split_cells(row: str) -> str | list[str]:
    """Return the cells of a row, as words if white space separates them, else as characters."""
    words = row.split()
    return words if are_cells(words or [""]) else "".join(words)


def parse_numbers(row: int, cells: Iterable[str]) -> tuple[int, ...]:
    """Return the cells of a row as numbers, 0 for a blank."""
    numbers = []
    for column, cell in enumerate(cells):
        if not (cell.isascii() and cell.isdecimal()) and (len(cell) > 1 or cell.isalnum()):
            message = f"{cell!r} is not a number; use 0 or . for a blank"
            raise ParameterError(("grid", row, column), f"row {row + 1}, column {column + 1}: {message}")
        numbers.append(int(cell) if cell.isdecimal() else 0)
    return tuple(numbers)


def split_rows(drawing: str | tuple[str, ...]) -> tuple[str, ...]:
    """Return the rows of a drawing, which may be a single text."""
    return tuple(drawing.split()) if isinstance(drawing, str) else drawing


def count_cells(side: int, group: str) -> str:
    """Return how many rows or regions of how many cells a square has, in words."""
    return f"{pictures.format_count(side, group)} of {pictures.format_count(side, 'cell')}"


def read_regions(
    drawing: str | tuple[str, ...], side: int, parameter: str | tuple[str | int, ...]
) -> dict[tuple[int, int], str]:
    """Return the letter of each cell that lies in a region."""
    rows = split_rows(drawing)
    if len(rows) != side or any(len(row) != side for row in rows):
        raise ParameterError(parameter, f"expected {count_cells(side, 'row')}")
    cells = {(row, column): letter for row, line in enumerate(rows, 1) for column, letter in enumerate(line, 1)}
    return {cell: letter for cell, letter in cells.items() if letter != "."}
