"""Solutions that are the same up to a symmetry: one of each class.

A symmetry is given as a map of items; options go along, unless they are named themselves. An item is chosen, as well as
may be. Each class of solutions has a member in which none of the items that symmetries make of it is covered by an
option of lower rank than the item itself is, and it is covered by the first option of that rank. Everything else is
left out of the search, which so gets smaller by nearly the order of the group. What symmetry is left then is dealt with
solution by solution: of each class the least is kept.

References
----------
D. E. Knuth, *The Art of Computer Programming* 4B, section 7.2.2.1, exercises on symmetry breaking.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Literal, NamedTuple, TypeAlias

from exactcover.control.stop import Stop
from exactcover.engines.base import Run
from exactcover.model.matrix import ONCE, Matrix
from exactcover.model.model import Model
from exactcover.steps.rebuild import extended
from exactcover.symmetry.automorphisms import automorphisms
from exactcover.symmetry.permutations import Permutation, closure, rotations, stated_permutations

__all__ = ["Classes", "Distinct", "DistinctRun", "find_classes"]

Distinct: TypeAlias = bool | Literal["rotations"]
"""Whether to deliver one solution of each class only: under all symmetries, or under rotations alone."""

_MOST_RANKS = 16
_LATE = 1.5  # ranks of several items make themselves felt later in a search than options that are left out
_OTHERS, _FIRST = 1, 2  # colors


class _Orbit(NamedTuple):
    """An orbit of items that are covered exactly once, and how options rank that cover them.

    Whatever symmetry brings an item of the orbit to the first of them, an option that covers it becomes one of the
    first item's; what those are that the symmetries of the first item make of it does not depend on the choice. They
    are of one rank; so are, where there are many of these, several that are near each other.
    """

    first: int
    ranks: dict[tuple[int, int], int]  # (item, option) -> rank
    heads: dict[int, int]  # those of the first item's options that stand for others, with their ranks
    share: float  # of the search that is left, about


class Classes:
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
            min(self._orbits(matrix), key=lambda one: (one.share, len(one.heads)), default=None)
            if self._others
            else None
        )
        self.left_out = [] if self._orbit is None else self._not_heads(self._orbit)
        self._ways = {} if self._orbit is None else self._ways_to_heads(self._orbit)
        self.total = self.symmetric = 0

    def _orbits(self, matrix: Matrix) -> Iterator[_Orbit]:
        """Yield the orbits of items of which each is covered once, where looking at ranks makes the search smaller."""
        holders: dict[int, list[int]] = {item: [] for item in range(matrix.primary) if matrix.bounds(item) == ONCE}
        for option in range(len(matrix)):
            for item, _ in matrix.option(option):
                if item in holders:
                    holders[item].append(option)
        inverses = [(one, _inverse(one)) for one in self.group]
        named = {frozenset(options): item for item, options in reversed(holders.items())}
        seen: set[int] = set()
        for first in named.values():
            if first in seen or not holders[first]:
                continue
            ways: dict[int, list[Permutation]] = defaultdict(list)  # to the first item, from each of the orbit
            for one, inverse in inverses:
                source = named.get(frozenset([inverse[option] for option in holders[first]]))
                if source is not None:
                    ways[source].append(one)
            seen.update(ways)
            orbit = _ranked(first, holders, ways)
            if orbit.share < 1:
                yield orbit

    def _not_heads(self, orbit: _Orbit) -> list[int]:
        """Return the first item's options that another one stands for, and those that would be less elsewhere."""
        least: dict[int, int] = {}
        for (_, option), rank in orbit.ranks.items():
            least[option] = min(rank, least.get(option, rank))
        own = {option: rank for (item, option), rank in orbit.ranks.items() if item == orbit.first}
        return [option for option, rank in own.items() if option not in orbit.heads or least[option] < rank]

    def _ways_to_heads(self, orbit: _Orbit) -> dict[int, list[Permutation]]:
        """Return for each option by which symmetries it becomes one that the search looks at for the first item."""
        heads = orbit.heads.keys() - set(self.left_out)
        covering = {option for _, option in orbit.ranks}
        return {option: [one for one in self._others if one[option] in heads] for option in covering}

    def broken(self, matrix: Matrix) -> Matrix:
        """Return the matrix with items by which the first item of the orbit is covered by an option of least rank.

        For each rank there is an item that the options of that rank color alike, and that an option of the first item
        colors otherwise if its own rank is higher.
        """
        if self._orbit is None or len({item for item, _ in self._orbit.ranks}) == 1:
            return matrix
        added: dict[int, dict[int, int]] = defaultdict(dict)  # option -> rank -> color
        for (item, option), rank in self._orbit.ranks.items():
            if item != self._orbit.first:
                added[option][rank] = _OTHERS
        for option, rank in self._orbit.heads.items():
            for lower in range(rank):
                added[option].setdefault(lower, _FIRST)
        return extended(matrix, added, 1 + max(self._orbit.heads.values()))

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
    problem: Model, matrix: Matrix, distinct: Distinct, given: Collection[int], without: Collection[int], stop: Stop
) -> Classes:
    """Return the classes of solutions of a problem, as a matrix, under the symmetries that are asked for.

    Raises
    ------
    ProblemError
        If a symmetry that is named is no automorphism, there are too many, or rotations are asked for and nobody said
        which symmetries are rotations.
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
    return Classes(matrix, generators, given, without, turns)


def _inverse(permutation: Permutation) -> Permutation:
    inverse = [0] * len(permutation)
    for place, image in enumerate(permutation):
        inverse[image] = place
    return tuple(inverse)


def _ranked(first: int, holders: Mapping[int, Sequence[int]], ways: Mapping[int, Sequence[Permutation]]) -> _Orbit:
    """Return the orbit of an item, given the symmetries that bring each other item to it."""
    leaders = {option: min(one[option] for one in ways[first]) for option in holders[first]}
    distinct = sorted(set(leaders.values()))
    most = min(len(distinct), _MOST_RANKS)
    heads = {leader: number * most // len(distinct) for number, leader in enumerate(distinct)}
    ranks = {(item, option): heads[leaders[some[0][option]]] for item, some in ways.items() for option in holders[item]}
    total = len(holders[first])
    above = [sum(ranks[first, option] >= rank for option in holders[first]) / total for rank in range(most)]
    share = sum(above[rank] ** (len(ways) - 1) for rank in heads.values()) / total
    return _Orbit(first, ranks, heads, share if len(ways) == 1 else _LATE * share)


class DistinctRun(Iterator[tuple[int, ...]]):
    """Another run, of which only those solutions are handed over that stand for their class."""

    waiting: Iterator[tuple[int, ...]] = iter(())
    resumable = False

    def __init__(self, run: Run, lifted: Callable[[Sequence[int]], Sequence[int]], classes: Classes) -> None:
        self._run, self._lifted, self._classes = run, lifted, classes
        self.solutions = 0

    def __next__(self) -> tuple[int, ...]:
        for solution in self._run:
            if self._classes.take(sorted(self._lifted(solution))):
                self.solutions += 1
                return solution
        raise StopIteration

    def count(self) -> int:
        if self._classes.free and not self.solutions:
            self.solutions = self._run.count()
            self._classes.take_many(self.solutions)
            return self.solutions
        return sum(1 for _ in self)

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
