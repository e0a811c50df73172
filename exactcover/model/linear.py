"""A matrix as an integer linear program, for solvers of such programs and for the files that they read.

Each variable is 0 or 1. Variable k is 1 if option k is chosen; further variables, one for each color that several
options share, depend on these. So solutions correspond one to one.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from exactcover.control.stop import Stop
from exactcover.model.clauses import list_colors
from exactcover.model.matrix import Matrix


class Row(NamedTuple):
    """A row: the sum of some variables, each with its weight, is at least `low` and at most `high`."""

    weights: Mapping[int, int]  # by variable
    low: int | None  # None for no bound
    high: int | None
    item: int = -1  # that it is about; -1 for a color of an item


@dataclass(frozen=True)
class LinearModel:
    """An integer linear program that minimizes a cost."""

    options: int  # their number; their variables come first
    costs: Sequence[int]  # of each option; empty if costs do not matter
    rows: Sequence[Row]
    colors: Sequence[Sequence[int]]  # the options that give each shared color, whose variables come last

    @property
    def variables(self) -> int:
        """The number of variables."""
        return self.options + len(self.colors)

    def complete(self, options: Iterable[int]) -> list[int]:
        """Return the variables that are 1 in a solution, which is stated by its options."""
        chosen = {*options}
        colors = (number for number, holders in enumerate(self.colors, self.options) if not chosen.isdisjoint(holders))
        return [*sorted(chosen), *colors]


def state_linear_model(matrix: Matrix, stop: Stop | None = None) -> LinearModel:
    """Return the integer linear program of a matrix; poll `stop`.

    Examples
    --------
    >>> from exactcover import Problem
    >>> state_linear_model(Problem({"A": [1, 2], "B": [1]}, secondary=[2]).matrix).rows
    [Row(weights={0: 1, 1: 1}, low=1, high=1, item=0)]
    """
    colors: list[list[int]] = []
    return LinearModel(len(matrix), matrix.costs, [*_list_rows(matrix, colors, stop)], colors)


def _list_rows(matrix: Matrix, colors: list[list[int]], stop: Stop | None) -> Iterator[Row]:
    """Yield the rows, and append the options of each shared color to `colors`."""
    variables = itertools.count(len(matrix))
    for item, alone, shared in list_colors(matrix, stop, before=-1):
        if item < matrix.primary:
            low, high = matrix.capped(item)
            is_fixed = low == high
            if is_fixed or low > 0 or high < len(alone):
                least, most = low if is_fixed or low else None, high if is_fixed or high < len(alone) else None
                weights = dict(Counter(alone)) if matrix.weighted else dict.fromkeys(alone, 1)
                yield Row(weights, least, most, item)
            continue
        for holders in shared:
            color = next(variables)
            colors.append(holders)
            yield from (Row({option: -1, color: 1}, 0, None) for option in holders)
            yield Row(dict.fromkeys(holders, 1) | {color: -1}, 0, None)
            alone.append(color)
        if len(alone) > 1:
            yield Row(dict.fromkeys(alone, 1), None, 1, -1 if shared else item)
