"""The step that lets items be covered a fixed number of times, by options that stand for their not being covered."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from exactcover.model.matrix import ONCE, Matrix

__all__ = ["Slack", "add_slack"]


@dataclass(frozen=True)
class Slack:
    """A matrix with slack options.

    Attributes
    ----------
    matrix
        The matrix: first its options of before, then the slack options, each with one item, which cost nothing.
    items
        The item of each slack option, as it was numbered before.
    """

    matrix: Matrix
    items: Sequence[int]
    before: Matrix

    def complete(self, solutions: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
        """Return solutions of the matrix of before with the slack options that they need."""
        completed = []
        for solution in solutions:
            covered = Counter(item for option in solution for item, _ in self.before.option(option))
            missing = [
                len(self.before) + k
                for k, item in enumerate(self.items)
                if covered[item] < (self.before.bounds(item)[1] if item < self.before.primary else 1)
            ]
            completed.append((*solution, *missing))
        return completed


def add_slack(matrix: Matrix) -> Slack:
    """Add a slack option for each item that may be covered once less, or not at all; colored items are left alone.

    Each solution of the matrix corresponds to one solution with slack options, of the same cost.
    """
    colored = {item for item, color in zip(matrix.entries, matrix.colors, strict=True) if color}
    holders = Counter(matrix.entries)
    ranges = [item for item, (low, high) in sorted(matrix.multiplicity.items()) if low + 1 == high]
    free = [item for item in range(matrix.primary, matrix.items) if item not in colored and holders[item] > 1]
    others = [item for item in range(matrix.primary, matrix.items) if item in colored or holders[item] <= 1]
    place = {item: number for number, item in enumerate([*range(matrix.primary), *free, *others])}
    slack = [*ranges, *free]
    entries = array("i", [*map(place.__getitem__, matrix.entries), *map(place.__getitem__, slack)])
    first = matrix.starts[-1]
    multiplicity = {item: bounds for item, bounds in matrix.multiplicity.items() if item not in ranges}
    for item in ranges:
        high = matrix.multiplicity[item][1]
        if (high, high) != ONCE:
            multiplicity[item] = (high, high)
    new = Matrix(
        matrix.items,
        matrix.primary + len(free),
        array("q", [*matrix.starts, *range(first + 1, first + 1 + len(slack))]),
        entries,
        array("i", [*matrix.colors, *[0] * len(slack)]),
        multiplicity,
        [*(matrix.costs or [0] * len(matrix)), *[0] * len(slack)],
        matrix.preferred,
        [matrix.origin(item) for item in sorted(place, key=place.__getitem__)],
    )
    return Slack(new, slack, matrix)
