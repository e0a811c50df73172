"""Classes of solutions that are the same up to a symmetry, and a search for one solution of each.

A symmetry is given as a map of items; options follow their items, unless they are named themselves. One item is chosen
for the search. Each class of solutions has a member in which no image of that item under a symmetry is covered by an
option of lower rank than the item itself, and in which the item is covered by the first option of its rank. All other
options of the item are left out, so the search shrinks by nearly the order of the group. The symmetry that remains is
dealt with solution by solution: the least of each class is kept.

References
----------
D. E. Knuth, *The Art of Computer Programming* 4B, section 7.2.2.1, exercises on symmetry breaking.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, partial

from exactcover.control.options import Distinct
from exactcover.control.stop import Stop
from exactcover.engines.base import Run
from exactcover.model.matrix import Matrix
from exactcover.model.model import Model
from exactcover.steps.rebuild import extend
from exactcover.steps.step import Lift, StepResult, unchanged
from exactcover.symmetry.automorphisms import automorphisms
from exactcover.symmetry.orbits import Orbit, find_orbits
from exactcover.symmetry.permutations import Permutation, closure, rotations, stated_permutations

__all__ = ["DistinctRun", "SymmetryClasses", "find_classes"]

_OTHERS, _FIRST = 1, 2  # colors


class SymmetryClasses:
    """The classes of solutions under a group, and how to find one of each.

    Parameters
    ----------
    matrix
    generators
        Symmetries that generate the group.
    given, without
        Options that solutions must hold, and must not; only symmetries that leave these in place count.
    rotations
        Returns generators of the rotations, where it is known which symmetries are rotations.

    Attributes
    ----------
    group
        The symmetries that count.
    left_out
        Options that need not be looked at, for the sake of symmetry.
    """

    def __init__(
        self,
        matrix: Matrix,
        generators: Iterable[Permutation],
        given: Collection[int],
        without: Collection[int],
        rotations: Callable[[], Iterable[Permutation]] | None = None,
    ) -> None:
        self._rotations = rotations
        sets = [set(given), set(without)]
        self.group = [
            one
            for one in closure(generators, len(matrix))
            if all({one[option] for option in some} == some for some in sets)
        ]
        identity = tuple(range(len(matrix)))
        self._others = [one for one in self.group if one != identity]
        self._orbit = (
            min(find_orbits(matrix, self.group), key=lambda one: (one.share, len(one.heads)), default=None)
            if self._others
            else None
        )
        self.left_out = [] if self._orbit is None else self._not_heads(self._orbit)
        self._ways = {} if self._orbit is None else self._ways_to_heads(self._orbit)
        self.total = self.symmetric = 0

    def _not_heads(self, orbit: Orbit) -> list[int]:
        """Return the first item's options that another one stands for, and those that would be less elsewhere."""
        least: dict[int, int] = {}
        for (_, option), rank in orbit.ranks.items():
            least[option] = min(rank, least.get(option, rank))
        own = {option: rank for (item, option), rank in orbit.ranks.items() if item == orbit.first}
        return [option for option, rank in own.items() if option not in orbit.heads or least[option] < rank]

    def _ways_to_heads(self, orbit: Orbit) -> dict[int, list[Permutation]]:
        """Return for each option by which symmetries it becomes one that the search looks at for the first item."""
        heads = orbit.heads.keys() - set(self.left_out)
        covering = {option for _, option in orbit.ranks}
        return {option: [one for one in self._others if one[option] in heads] for option in covering}

    def break_symmetry(self, matrix: Matrix) -> StepResult:
        """Add items by which the first item of the orbit is covered by an option of least rank: a step.

        For each rank there is one item. The options of that rank give it one color; the options of the first item with
        a higher rank give it another.
        """
        if self._orbit is None or len({item for item, _ in self._orbit.ranks}) == 1:
            return StepResult(matrix, unchanged)
        added: dict[int, dict[int, int]] = defaultdict(dict)  # option -> rank -> color
        for (item, option), rank in self._orbit.ranks.items():
            if item != self._orbit.first:
                added[option][rank] = _OTHERS
        for option, rank in self._orbit.heads.items():
            for lower in range(rank):
                added[option].setdefault(lower, _FIRST)
        return StepResult(extend(matrix, added, 1 + max(self._orbit.heads.values())), unchanged)

    @cached_property
    def mirrors(self) -> bool | None:
        """Whether some of the symmetries that count are no rotations; None where nobody said which are."""
        if self._rotations is None:
            return None
        rotations = set(closure(self._rotations(), len(self.group[0])))
        return not rotations.issuperset(self.group)

    @property
    def free(self) -> bool:
        """Whether no two solutions that are left can be of one class, and none is symmetric."""
        if self._orbit is None:
            return not self._others
        return not any(ways for option, ways in self._ways.items() if option not in self.left_out)

    def take(self, solution: Sequence[int]) -> bool:
        """Whether a solution, as ascending options, is the one that stands for its class; takes note of its size."""
        alike = 1
        mine = list(solution)
        for one in self._among(solution):
            image = sorted([one[option] for option in solution])
            if image < mine:
                return False
            alike += image == mine
        self.symmetric += alike > 1
        self.total += len(self.group) // alike
        return True

    def _among(self, solution: Sequence[int]) -> Iterable[Permutation]:
        """Return the symmetries that make of a solution one that the search looks at."""
        orbit = self._orbit
        if orbit is None:
            return self._others
        rank = next(orbit.ranks[orbit.first, option] for option in solution if (orbit.first, option) in orbit.ranks)
        ways = (one for option in solution for one in self._ways.get(option, ()) if orbit.heads[one[option]] == rank)
        return dict.fromkeys(ways)

    def take_many(self, number: int) -> None:
        """Take note of so many solutions, where they are free."""
        self.total += number * len(self.group)


def find_classes(
    problem: Model, distinct: Distinct, given: Collection[int], without: Collection[int], stop: Stop
) -> SymmetryClasses:
    """Return the classes of solutions of a problem under the symmetries that are asked for.

    Raises
    ------
    ProblemError
        If a symmetry that is named is not an automorphism, there are too many, or rotations are asked for and nobody
        said which symmetries are rotations.
    Stopped
        If `stop` says so while symmetries are looked for.
    """
    if distinct == "rotations":
        generators = rotations(problem)
    else:
        generators = stated_permutations(problem)
        if not problem.symmetries_complete:
            generators = automorphisms(problem.matrix, given, without, stop)
    turns = None if problem.stated_rotations is None else partial(rotations, problem)
    return SymmetryClasses(problem.matrix, generators, given, without, turns)


class DistinctRun(Run):
    """Another run, of which only the solutions that stand for their class are delivered."""

    def __init__(self, run: Run, lift: Lift, classes: SymmetryClasses) -> None:
        super().__init__()
        self._run, self._lift, self._classes = run, lift, classes

    def __next__(self) -> tuple[int, ...]:
        for solution in self._run:
            if self._classes.take(sorted(self._lift(solution))):
                self._delivered += 1
                return solution
        raise StopIteration

    def count(self) -> int:
        if self._classes.free and not self._delivered:
            self._delivered = self._run.count()
            self._classes.take_many(self._delivered)
            return self._delivered
        return super().count()

    @property
    def nodes(self) -> int:
        return self._run.nodes

    def explored(self) -> float:
        return self._run.explored()

    @property
    def details(self) -> Mapping[str, int | str]:
        classes = self._classes
        own = {"group": len(classes.group), "total": classes.total, "symmetric": classes.symmetric}
        return {**self._run.details, **own}

    def close(self) -> None:
        self._run.close()
