"""Problems from arrays of numbers and from sparse matrices."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from exactcover.algorithm_x import Item
from exactcover.errors import ProblemError
from exactcover.model.columns import Columns, check_names, import_numpy, make_columns, read_numbers
from exactcover.model.names import check_list
from exactcover.pictures.text import show_value

__all__ = ["mark_secondary", "read_arrays", "read_sparse"]


def read_arrays(
    items: Any,
    options: Any,
    colors: Any,
    *,
    secondary: Iterable[Item],
    names: Any,
    labels: Any,
    color_names: Any,
) -> Columns:
    """Return options from arrays; see :meth:`Problem.from_arrays`."""
    numpy = import_numpy("from_arrays")
    entries = read_numbers("items", items)
    painted = None if colors is None else read_numbers("colors", colors)
    if painted is not None and painted.shape != entries.shape:
        raise ProblemError(f"colors have the shape {painted.shape}, but items {entries.shape}")
    if options is None:
        if entries.ndim != 2 and entries.size:
            raise ProblemError(f"items: expected a row for each option, got the shape {entries.shape}; or name options")
        rows = len(entries)
        width = entries.shape[1] if entries.ndim == 2 else 0
        holders = numpy.repeat(numpy.arange(rows, dtype=numpy.int32), width)
        entries, painted = entries.reshape(-1), None if painted is None else painted.reshape(-1)
        blank = entries < 0
        if blank.any():
            holders, entries = holders[~blank], entries[~blank]
            painted = None if painted is None else painted[~blank]
    else:
        holders = read_numbers("options", options)
        if holders.shape != entries.shape or entries.ndim != 1:
            raise ProblemError(f"options have the shape {holders.shape}, but items {entries.shape}; both must be lists")
        for name, numbers in (("options", holders), ("items", entries)):
            if (numbers < 0).any():
                raise ProblemError(f"{name}: {int(numbers.min())} is negative")
        rows = int(holders.max(initial=-1)) + 1
    labels = check_names("labels", labels, rows)
    names = check_names("names", names, int(entries.max(initial=-1)) + 1)
    if painted is None:
        painted, color_names = numpy.zeros(0, numpy.int32), ()
    else:
        color_names = check_names("color_names", color_names, int(painted.max(initial=-1)) + 1)
        painted = numpy.maximum(painted, -1) + 1
    return make_columns(
        holders,
        entries,
        painted,
        names=names,
        is_secondary=mark_secondary(names, secondary),
        labels=labels,
        color_names=color_names,
    )


def mark_secondary(names: Sequence[Hashable], secondary: Iterable[Item]) -> Any:
    """Return an array that says of each item whether it is secondary.

    Raises
    ------
    ProblemError
        If `secondary` names something that is not an item, or an item has two numbers.
    """
    numpy = import_numpy("from_arrays")
    check_list("secondary", secondary, "items")
    found = numpy.zeros(len(names), bool)
    listed = secondary.tolist() if hasattr(secondary, "tolist") else list(secondary)
    number = {name: number for number, name in enumerate(names)} if listed else {}
    for item in listed:
        try:
            found[number[item]] = True
        except (KeyError, TypeError):
            raise ProblemError(f"secondary names {show_value(item)}, which is not an item") from None
    return found


def read_sparse(matrix: Any, *, names: Any, labels: Any, secondary: Iterable[Item]) -> Columns:
    """Return options from a sparse matrix of 0 and 1; see :meth:`Problem.from_sparse`."""
    numpy = import_numpy("from_sparse")
    if not hasattr(matrix, "tocsr") and not hasattr(matrix, "tocoo"):
        raise ProblemError(f"expected a sparse matrix of SciPy, got {show_value(matrix)}")
    if hasattr(matrix, "tocsr"):
        matrix = matrix.tocsr()  # which adds up duplicate entries
        matrix = matrix.sorted_indices() if hasattr(matrix, "sorted_indices") else matrix
    entries = matrix.tocoo()
    rows, columns, data = (numpy.asarray(one) for one in (entries.row, entries.col, entries.data))
    wrong = (data != 0) & (data != 1)
    if wrong.any():
        place = int(wrong.argmax())
        raise ProblemError(
            f"row {int(rows[place])} contains {show_value(data[place].item())}; only 0 and 1 are allowed"
        )
    rows, columns = rows[data != 0], columns[data != 0]
    keys = rows.astype(numpy.int64) * max(1, entries.shape[1]) + columns
    if (numpy.diff(keys) < 0).any():
        order = numpy.argsort(keys, kind="stable")
        rows, columns = rows[order], columns[order]
    height, width = entries.shape
    return make_columns(
        rows,
        columns,
        numpy.zeros(0, numpy.int32),
        names=check_names("names", names, width),
        is_secondary=mark_secondary(check_names("names", names, width), secondary),
        labels=check_names("labels", labels, height),
        color_names=(),
    )
