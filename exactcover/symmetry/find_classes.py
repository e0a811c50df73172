"""Finding the classes of solutions of a problem under the symmetries that are wanted."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from exactcover.control.options import Distinct
from exactcover.control.stop import Stop
from exactcover.errors import ProblemError
from exactcover.model.model import Model
from exactcover.symmetry.automorphisms import find_automorphisms
from exactcover.symmetry.classes import SymmetryClasses
from exactcover.symmetry.group import PermutationGroup
from exactcover.symmetry.listed_classes import ListedClasses
from exactcover.symmetry.permutations import MAX_LISTED, rotations, stated_permutations
from exactcover.symmetry.remainders import has_native_code

__all__ = ["find_classes"]

_MAX_NUMBERS = 1 << 24  # in all permutations of a group that is listed


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
        If a stated symmetry is not an automorphism; if there are more than 10,000 symmetries, and there is no native
        module or some do not map `given` and `without` to themselves; or if rotations are requested and the problem
        does not say which symmetries are rotations.
    Stopped
        If `stop` asks for it.
    """
    if distinct == "rotations":
        group = PermutationGroup(rotations(problem), len(problem.labels), stop=stop)
    else:
        group = PermutationGroup(stated_permutations(problem), len(problem.labels), stop=stop)
        if not problem.symmetries_complete:
            group = find_automorphisms(problem.matrix, given, without, stop)
    if has_native_code() and group.exceeds(min(MAX_LISTED, _MAX_NUMBERS // max(1, group.size))):
        return _make_large_classes(problem, group, given, without, stop)
    find_rotations = None if problem.stated_rotations is None else partial(rotations, problem)
    return ListedClasses(problem.matrix, group.generators, given, without, find_rotations, stop)


def _make_large_classes(
    problem: Model, group: PermutationGroup, given: Collection[int], without: Collection[int], stop: Stop
) -> SymmetryClasses:
    from exactcover.symmetry.large_classes import LargeClasses  # needs the native module

    for options in (set(given), set(without)):
        if any({generator[option] for option in options} != options for generator in group.generators):
            raise ProblemError(
                f"the problem states {group.order:,} symmetries, too many to find those that keep the given and "
                "excluded options; without these options, one solution of each class can be found"
            )
    return LargeClasses(problem.matrix, group, stop)
