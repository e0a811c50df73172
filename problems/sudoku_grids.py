"""Reading the grid and the drawings of a Sudoku."""

from __future__ import annotations

import string
from collections.abc import Collection
from functools import cache

from exactcover import ParameterError, pictures

__all__ = [
    "choose_symbols",
    "count_cells",
    "find_symbols",
    "read_regions",
    "split_rows",
]

_ALL = string.digits + string.ascii_uppercase


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


def find_symbols(used: Collection[str], side: int) -> str:
    """Return the symbols of a grid of side 10 or more in digits and letters; empty for the default symbols.

    It is empty, too, if the grid does not show whether its symbols begin with 0 or with 1.

    Examples
    --------
    >>> find_symbols(set(".123456789ABCDEFG"), 16), find_symbols(set(".0123456789ABCDEF"), 16)
    ('123456789ABCDEFG', '0123456789ABCDEF')
    >>> find_symbols(set(".123456789ABCDEF"), 16), find_symbols(set(".ABCDEFGHIJKLMNOP"), 16)
    ('', '')
    """
    marks = {one.upper() for one in used if len(one) == 1 and one.isalnum() and one.isascii()}
    if not 9 < side <= len(_ALL) - 1 or not marks & set(string.digits[1:]) or not any(map(str.isalpha, marks)):
        return ""
    from_zero, from_one = _ALL[:side], _ALL[1 : side + 1]
    has_blank = any(one and not one.isalnum() for one in used)
    if from_one[-1] in marks and ("0" not in marks or not has_blank):
        return from_one
    return from_zero if "0" in marks and has_blank and from_one[-1] not in marks else ""


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
