"""Finding the classes of solutions of a problem under the symmetries that are wanted.

Every class has a member that covers a chosen item by the first option of one of the orbits of its options, so the
search leaves out all its other options. From each solution that it finds, generators make all others of its class; they
are stored, so that no class is found twice.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from exactcover.control.memory import half_of_free_memory
from exactcover.control.options import Distinct
from exactcover.control.stop import Stop
from exactcover.errors import ProblemError
from exactcover.model.matrix import ONCE, Matrix, native
from exactcover.model.model import Model
from exactcover.symmetry.automorphisms import find_automorphisms
from exactcover.symmetry.classes import SymmetryClasses
from exactcover.symmetry.listed_classes import ListedClasses
from exactcover.symmetry.permutations import MAX_LISTED, PermutationGroup, rotations, stated_permutations

_MAX_NUMBERS = 1 << 24  # in all permutations of a group that is listed


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
        self._orbits = native.SolutionOrbits(len(matrix), group.generators, most, stop.poll)
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


def find_classes(
    problem: Model, distinct: Distinct, given: Collection[int], without: Collection[int], stop: Stop
) -> SymmetryClasses:
    """Return the classes of solutions of a problem under the requested symmetries.

    Parameters
    ----------
    problem
        The model with its stated symmetries.
    distinct
        ``"rotations"`` for the rotations only, else all symmetries.
    given, without
        The positions of options that every solution must contain, and must not contain.
    stop
        Polled while symmetries are looked for.

    Raises
    ------
    ProblemError
        If an option covers an item several times; a stated symmetry is not an automorphism; there are more than 10,000
        symmetries, and there is no native module or some do not map `given` and `without` to themselves; or rotations
        are requested and the problem does not say which symmetries are rotations.
    Stopped
        If `stop` asks for it.
    """
    problem.refuse_weights("a search for one solution of each class")
    if distinct == "rotations":
        group = PermutationGroup(rotations(problem), len(problem.labels), stop=stop)
    else:
        group = PermutationGroup(stated_permutations(problem), len(problem.labels), stop=stop)
        if not problem.symmetries_complete:
            group = find_automorphisms(problem.matrix, given, without, stop)
    if native is not None and group.exceeds(min(MAX_LISTED, _MAX_NUMBERS // max(1, group.size))):
        return _make_large_classes(problem, group, given, without, stop)
    find_rotations = None if problem.stated_rotations is None else partial(rotations, problem)
    return ListedClasses(problem.matrix, group.generators, given, without, find_rotations, stop)


def _make_large_classes(
    problem: Model, group: PermutationGroup, given: Collection[int], without: Collection[int], stop: Stop
) -> SymmetryClasses:

    for options in (set(given), set(without)):
        if any({generator[option] for option in options} != options for generator in group.generators):
            raise ProblemError(
                f"the problem states {group.order:,} symmetries, too many to find those that keep the given and "
                "excluded options; without these options, one solution of each class can be found"
            )
    return LargeClasses(problem.matrix, group, stop)
