"""Matrices of 0 and 1 as options: nested lists, arrays, and sparse matrices such as those of SciPy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from exactcover.algorithm_x import Item, Label
from exactcover.control.kinds import to_list
from exactcover.errors import ProblemError
from exactcover.model.names import check_list
from exactcover.pictures.text import format_count

__all__ = ["is_covered", "read_rows"]

_COVERED = frozenset(("1", "1.0", "x", "true", "yes", "✓", "✔", "☑", "✅"))
_NOT_COVERED = frozenset(("", "0", "0.0", "-", "false", "no", "☐"))


def is_covered(cell: str) -> bool | None:
    """Return whether a cell has a mark that says yes or no; None if its text is no mark.

    Marks are ``1``, ``x``, ``true``, ``yes`` and check marks; and ``0``, ``-``, ``false``, ``no`` and nothing.

    Examples
    --------
    >>> is_covered("x"), is_covered("FALSE"), is_covered("red")
    (True, False, None)
    """
    mark = cell.casefold().removesuffix("\ufe0f")  # which asks for a mark as an emoji
    return True if mark in _COVERED else False if mark in _NOT_COVERED else None


def read_rows(rows: Any) -> tuple[list[tuple[Label, list[Item]]], Sequence[Item]]:
    """Return the items with a 1 in each row, under the label of the row, and all items.

    Parameters
    ----------
    rows
        Rows of 0 and 1, a frame, or an object with the methods ``tocsr`` and ``tocoo``, as all sparse matrices of SciPy
        have.

    Raises
    ------
    ProblemError
        If rows differ in length, or contain anything but 0 and 1.

    Examples
    --------
    >>> read_rows([[1, 1, 0], [0, 0, 1]])
    ([(0, [0, 1]), (1, [2])], range(0, 3))
    """
    sparse = hasattr(rows, "tocsr") or hasattr(rows, "tocoo")
    width, found = _read_sparse(rows) if sparse else _read_dense(rows)
    items: Sequence[Item] = range(width)
    labels: Sequence[Label] = range(len(found))
    if hasattr(rows, "columns") and hasattr(rows, "to_numpy"):  # a frame
        items = list(rows.columns)
        labels = list(rows.index) if hasattr(rows, "index") else labels
    named = [[items[column] for column in columns] for columns in found]
    return list(zip(labels, named, strict=True)), items


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
    listed = to_list(rows)
    listed = rows if listed is None else listed
    check_list("rows", listed, "rows of 0 and 1")
    for number, row in enumerate(listed):
        entries = to_list(row)
        if entries is None and not isinstance(row, Iterable):
            raise ProblemError(f"row {number} is {row!r}; expected a list of 0 and 1", number)
        yield list(row if entries is None else entries)


def _check_entry(entry: Any, row: int) -> None:
    if entry not in (0, 1):
        raise ProblemError(f"row {row} contains {entry!r}; only 0 and 1 are allowed", row)
