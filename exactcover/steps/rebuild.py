"""Making a matrix from parts of another matrix, or with additional items."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence

from exactcover.model.matrix import Matrix, MatrixBuilder

__all__ = ["extend", "rebuild"]


def rebuild(matrix: Matrix, options: Iterable[int], number: Mapping[int, int]) -> Matrix:
    """Return the matrix of some options and items.

    Parameters
    ----------
    matrix
        The old matrix.
    options
        The options to keep, in their new order.
    number
        The new number of each item to keep, by its old number.
    """
    options = list(options)
    builder = (_take if len(number) == matrix.items else _cut)(matrix, options, number)
    return builder.matrix(
        len(number),
        sum(item < matrix.primary for item in number),
        {place: bounds for item, place in number.items() if (bounds := matrix.multiplicity.get(item))},
        [matrix.costs[k] for k in options] if matrix.costs else (),
        frozenset(place for item, place in number.items() if item in matrix.preferred),
        [matrix.origin(item) for item in sorted(number, key=number.__getitem__)],
    )


def _take(matrix: Matrix, options: Sequence[int], number: Mapping[int, int]) -> MatrixBuilder:
    """Collect options with all of their items."""
    builder = MatrixBuilder()
    for option in options:
        place = slice(matrix.starts[option], matrix.starts[option + 1])
        builder.extend(matrix.entries[place], matrix.colors[place])
        builder.close_option()
    builder.entries = array("i", map(number.__getitem__, builder.entries))
    return builder


def _cut(matrix: Matrix, options: Sequence[int], number: Mapping[int, int]) -> MatrixBuilder:
    """Collect options with those of their items that have a number."""
    builder = MatrixBuilder()
    find = number.get  # no list of all items: there may be thousands of small parts
    for option in options:
        place = slice(matrix.starts[option], matrix.starts[option + 1])
        items, colors = [find(item, -1) for item in matrix.entries[place]], matrix.colors[place]
        if -1 in items:
            kept = [k for k, item in enumerate(items) if item >= 0]
            items, colors = [items[k] for k in kept], array("i", [colors[k] for k in kept])
        builder.extend(items, colors)
        builder.close_option()
    return builder


def extend(matrix: Matrix, added: Mapping[int, Mapping[int, int]], items: int) -> Matrix:
    """Return the matrix with additional secondary items.

    Parameters
    ----------
    matrix
        The old matrix.
    added
        For each option, the additional items that it contains, with their colors; they are numbered from 0.
    items
        The number of additional items.
    """
    builder = MatrixBuilder()
    for option in range(len(matrix)):
        for item, color in matrix.option(option):
            builder.append(item, color)
        for number, color in added.get(option, {}).items():
            builder.append(matrix.items + number, color)
        builder.close_option()
    origins = [*map(matrix.origin, range(matrix.items)), *[-1] * items]
    return builder.matrix(
        matrix.items + items, matrix.primary, matrix.multiplicity, matrix.costs, matrix.preferred, origins
    )
