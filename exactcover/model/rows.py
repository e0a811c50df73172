"""Matrices of 0 and 1 as options: nested lists, arrays, and sparse matrices such as those of SciPy."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

from exactcover.errors import FormatWarning, ProblemError
from exactcover.model.names import check_list
from exactcover.pictures.text import cut, format_count

__all__ = ["read_rows"]

_MAX_SHOWN = 60  # characters of a list of rows in a warning


def read_rows(rows: Any) -> tuple[list[tuple[int, list[int]]], int]:
    """Return the columns with a 1 of each row that has any, and the number of columns.

    Parameters
    ----------
    rows
        Rows of 0 and 1, or an object with the methods ``tocsr`` and ``tocoo``, as all sparse matrices of SciPy have.

    Raises
    ------
    ProblemError
        If rows differ in length, or contain anything but 0 and 1.

    Warns
    -----
    FormatWarning
        If rows without a 1 are left out.

    Examples
    --------
    >>> read_rows([[1, 1, 0], [0, 0, 1]])
    ([(0, [0, 1]), (1, [2])], 3)
    """
    sparse = hasattr(rows, "tocsr") or hasattr(rows, "tocoo")
    width, found = _read_sparse(rows) if sparse else _read_dense(rows)
    blank = [str(number) for number, columns in enumerate(found) if not columns]
    if blank:
        which = f"row {blank[0]} has" if len(blank) == 1 else f"rows {cut(', '.join(blank), _MAX_SHOWN)} have"
        warnings.warn(f"{which} no 1 and could never be chosen; left out", FormatWarning, stacklevel=3)
    return [(number, columns) for number, columns in enumerate(found) if columns], width


def _read_sparse(matrix: Any) -> tuple[int, list[list[int]]]:
    entries = (matrix.tocsr() if hasattr(matrix, "tocsr") else matrix).tocoo()  # tocsr adds up duplicate entries
    height, width = entries.shape
    found: list[list[int]] = [[] for _ in range(height)]
    for row, column, entry in zip(*(one.tolist() for one in (entries.row, entries.col, entries.data)), strict=True):
        _check_entry(entry, row)
        if entry:
            found[row].append(column)
    return width, [sorted(columns) for columns in found]


def _read_dense(rows: Any) -> tuple[int, list[list[int]]]:
    table = list(_list_rows(rows))
    shape: tuple[int, ...] = getattr(rows, "shape", ())  # which an array without rows has, too
    width = len(table[0]) if table else shape[1] if len(shape) == 2 else 0
    for number, row in enumerate(table):
        if len(row) != width:
            raise ProblemError(f"row {number} has {format_count(len(row), 'column')}, but row 0 has {width}", number)
        for entry in row:
            _check_entry(entry, number)
    return width, [[column for column, entry in enumerate(row) if entry] for row in table]


def _list_rows(rows: Any) -> Iterator[list[Any]]:
    listed = rows.tolist() if hasattr(rows, "tolist") else rows  # arrays and matrices of NumPy
    check_list("rows", listed, "rows of 0 and 1")
    for number, row in enumerate(listed):
        try:
            yield list(row)
        except TypeError:
            raise ProblemError(f"row {number} is {row!r}; expected a list of 0 and 1", number) from None


def _check_entry(entry: Any, row: int) -> None:
    if entry not in (0, 1):
        raise ProblemError(f"row {row} contains {entry!r}; only 0 and 1 are allowed", row)
