"""Classes of solutions under a group whose elements are listed.

Symmetries are permutations of the options. One item is chosen for the search. Each class of solutions has a member with
two properties: no image of that item under a symmetry is covered by an option of lower rank than the item itself, and
the item is covered by a representative of its rank (see `Orbit`). All other options of the
item are left out, so the search shrinks by almost the order of the group. The remaining symmetry is handled solution
by solution: of the solutions of a class that are found, only the first in lexicographic order is kept.

References
----------
D. E. Knuth, *The Art of Computer Programming* 4B, section 7.2.2.1, exercises on symmetry breaking.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from exactcover.control.stop import Stop
from exactcover.model.matrix import ONCE, Matrix
from exactcover.steps.step import StepResult, extend, unchanged
from exactcover.symmetry.classes import SymmetryClasses
from exactcover.symmetry.permutations import Permutation, closure, invert

_MAX_RANKS = 16

_RANKS_PENALTY = 1.5  # ranks of several items restrict a search later than options that are left out

_OTHERS, _FIRST = 1, 2  # colors


class Orbit(NamedTuple):
    """An orbit of items that are covered exactly once, and the ranks of the options that cover them.

    A symmetry that maps an item of the orbit to the first item maps the options of that item to options of the first
    item. Each option of the first item has an orbit under the symmetries that fix the first item; it does not depend on
    the symmetry with which the option was mapped there. Each such orbit of options is a rank. If there are many,
    neighboring ranks are merged.
    """

    first: int  # item of the orbit
    ranks: dict[tuple[int, int], int]  # of each item of the orbit with an option that covers it
    representatives: dict[int, int]  # options of the first item that are the first in their orbits, with ranks
    share: float  # of the search that remains if this orbit is used, by an estimate


def find_orbits(matrix: Matrix, group: Sequence[Permutation]) -> Iterator[Orbit]:
    """Yield those orbits of items that are covered exactly once whose ranks make the search smaller.

    The group consists of all symmetries of the matrix that count, as permutations of its options.
    """
    all_holders = matrix.holders()
    once = [item for item in range(matrix.primary) if matrix.bounds(item) == ONCE]
    holders = {item: [option for option, _ in all_holders[item]] for item in once}
    inverses = [(symmetry, invert(symmetry)) for symmetry in group]
    item_of_holders = {frozenset(options): item for item, options in reversed(holders.items())}
    done: set[int] = set()
    for first in item_of_holders.values():
        if first in done or not holders[first]:
            continue
        to_first: dict[int, list[Permutation]] = defaultdict(list)  # item -> the symmetries that map it to the first
        for symmetry, inverse in inverses:
            source = item_of_holders.get(frozenset([inverse[option] for option in holders[first]]))
            if source is not None:
                to_first[source].append(symmetry)
        done.update(to_first)
        orbit = _rank_options(first, holders, to_first)
        if orbit.share < 1:
            yield orbit


def _rank_options(
    first: int, holders: Mapping[int, Sequence[int]], to_first: Mapping[int, Sequence[Permutation]]
) -> Orbit:
    """Return the orbit of an item.

    Given are the options of each item that is covered exactly once, and for each item of the orbit the symmetries that
    map it to the first one.
    """
    leaders = {option: min(symmetry[option] for symmetry in to_first[first]) for option in holders[first]}
    distinct = sorted(set(leaders.values()))
    most = min(len(distinct), _MAX_RANKS)
    representatives = {leader: number * most // len(distinct) for number, leader in enumerate(distinct)}
    ranks = {
        (item, option): representatives[leaders[symmetries[0][option]]]
        for item, symmetries in to_first.items()
        for option in holders[item]
    }
    total = len(holders[first])
    above = [sum(ranks[first, option] >= rank for option in holders[first]) / total for rank in range(most)]
    share = sum(above[rank] ** (len(to_first) - 1) for rank in representatives.values()) / total
    return Orbit(first, ranks, representatives, share if len(to_first) == 1 else _RANKS_PENALTY * share)


class ListedClasses(SymmetryClasses):
    """The classes of solutions under a group whose elements are listed.

    Of the group that is generated, those symmetries count that map each of the sets `given` and `without` to itself.
    `rotations` returns generators of the rotations; it is None if it is not known which symmetries are rotations. Raise
    ``ProblemError`` if there are too many symmetries.
    """

    def __init__(
        self,
        matrix: Matrix,
        generators: Iterable[Permutation],
        given: Collection[int],
        without: Collection[int],
        rotations: Callable[[], Iterable[Permutation]] | None = None,
        stop: Stop | None = None,
    ) -> None:
        super().__init__()
        self._rotations = rotations
        sets = [set(given), set(without)]
        self.group = [
            symmetry
            for symmetry in closure(generators, len(matrix), stop=stop)
            if all({symmetry[option] for option in options} == options for options in sets)
        ]
        identity = tuple(range(len(matrix)))
        self._others = [symmetry for symmetry in self.group if symmetry != identity]
        self._orbit = (
            min(
                find_orbits(matrix, self.group),
                key=lambda orbit: (orbit.share, len(orbit.representatives)),
                default=None,
            )
            if self._others
            else None
        )
        self.left_out = [] if self._orbit is None else self._find_options_to_leave_out(self._orbit)
        self._to_representatives = {} if self._orbit is None else self._find_symmetries(self._orbit)

    def _find_options_to_leave_out(self, orbit: Orbit) -> list[int]:
        """Return the options of the first item that are not representatives, or have a lower rank for another item."""
        least: dict[int, int] = {}
        for (_, option), rank in orbit.ranks.items():
            least[option] = min(rank, least.get(option, rank))
        own = {option: rank for (item, option), rank in orbit.ranks.items() if item == orbit.first}
        return [option for option, rank in own.items() if option not in orbit.representatives or least[option] < rank]

    def _find_symmetries(self, orbit: Orbit) -> dict[int, list[Permutation]]:
        """Return, for each option of the orbit, the symmetries that map it to a representative that is searched."""
        searched = orbit.representatives.keys() - set(self.left_out)
        covering = {option for _, option in orbit.ranks}
        return {option: [symmetry for symmetry in self._others if symmetry[option] in searched] for option in covering}

    def break_symmetry(self, matrix: Matrix) -> StepResult:
        """Add items that force the first item of the orbit to be covered by an option of lowest rank.

        One secondary item is added for each rank. The options with that rank for another item of the orbit give it one
        color; the representatives with a higher rank give it another color.
        """
        if self._orbit is None or len({item for item, _ in self._orbit.ranks}) == 1:
            return StepResult(matrix, unchanged)
        added: dict[int, dict[int, int]] = defaultdict(dict)  # option -> rank -> color
        for (item, option), rank in self._orbit.ranks.items():
            if item != self._orbit.first:
                added[option][rank] = _OTHERS
        for option, rank in self._orbit.representatives.items():
            for lower in range(rank):
                added[option].setdefault(lower, _FIRST)
        return StepResult(extend(matrix, added, 1 + max(self._orbit.representatives.values())), unchanged)

    @cached_property
    def mirrors(self) -> bool | None:
        if self._rotations is None:
            return None
        rotations = set(closure(self._rotations(), len(self.group[0])))
        return not rotations.issuperset(self.group)

    @property
    def order(self) -> int:
        return len(self.group)

    @property
    def all_distinct(self) -> bool:
        if self._orbit is None:
            return not self._others
        left_out = self.left_out
        return not any(symmetries for option, symmetries in self._to_representatives.items() if option not in left_out)

    def accept(self, solution: Sequence[int]) -> bool:
        fixing = 1
        own = list(solution)
        for symmetry in self._relevant_symmetries(solution):
            image = sorted([symmetry[option] for option in solution])
            if image < own:
                return False
            fixing += image == own
        self.symmetric = (self.symmetric or 0) + (fixing > 1)
        self.total += len(self.group) // fixing
        return True

    def _relevant_symmetries(self, solution: Sequence[int]) -> Iterable[Permutation]:
        """Return the symmetries other than the identity that map a solution to one that the search finds as well."""
        orbit = self._orbit
        if orbit is None:
            return self._others
        rank = next(orbit.ranks[orbit.first, option] for option in solution if (orbit.first, option) in orbit.ranks)
        symmetries = (
            symmetry
            for option in solution
            for symmetry in self._to_representatives.get(option, ())
            if orbit.representatives[symmetry[option]] == rank
        )
        return dict.fromkeys(symmetries)
