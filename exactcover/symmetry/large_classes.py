"""Classes of solutions under a group that is too large to be listed.

Every class has a member that covers a chosen item by the first option of one of the orbits of its options, so the
search leaves out all its other options. From each solution that it finds, generators make all others of its class; they
are stored, so that no class is found twice.
"""

from __future__ import annotations

from collections.abc import Sequence

import exactcover._native as _native
from exactcover.control.memory import half_of_free_memory
from exactcover.control.stop import Stop
from exactcover.model.matrix import ONCE, Matrix
from exactcover.symmetry.classes import SymmetryClasses
from exactcover.symmetry.group import PermutationGroup

__all__ = ["LargeClasses"]


class LargeClasses(SymmetryClasses):
    """The classes of solutions under a group of any order; all solutions of the classes found are stored.

    They may take half of the free memory; a search that needs more ends with the status ``MEMORY``.

    Parameters
    ----------
    matrix
        The matrix of the problem.
    group
        The symmetries that count.
    stop
        Polled often.
    """

    def __init__(self, matrix: Matrix, group: PermutationGroup, stop: Stop) -> None:
        super().__init__()
        self._order = group.order
        most = half_of_free_memory()
        self._orbits = _native.SolutionOrbits(len(matrix), group.generators, most, stop.poll)
        self.left_out = _find_options_to_leave_out(matrix, group)

    @property
    def order(self) -> int:
        return self._order

    def accept(self, solution: Sequence[int]) -> bool:
        size = self._orbits.add(solution)
        self.total += size
        if size and self.symmetric is not None:
            self.symmetric += size < self.order
        return size > 0


def _find_options_to_leave_out(matrix: Matrix, group: PermutationGroup) -> list[int]:
    """Return the options of an item, without the first of each orbit; choose the item that leaves out the most."""
    number = {option: place for place, orbit in enumerate(group.orbits()) for option in orbit}
    best: list[int] = []
    share = 1.0
    for item, holders in enumerate(matrix.holders()[: matrix.primary]):
        if matrix.bounds(item) != ONCE or not holders:
            continue
        first: dict[int, int] = {}
        for option, _ in holders:
            first.setdefault(number[option], option)
        if len(first) / len(holders) < share:
            share, chosen = len(first) / len(holders), set(first.values())
            best = [option for option, _ in holders if option not in chosen]
    return best
