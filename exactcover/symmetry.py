"""Solutions that are the same up to a symmetry: one of each class.

A symmetry is given as a map of items; options go along. An item is chosen, as well as may be. Each class of solutions
has a member in which none of the items that symmetries make of it is covered by an option of lower rank than the item
itself is, and it is covered by the first option of that rank. Everything else is left out of the search, which so gets
smaller by nearly the order of the group. What symmetry is left then is dealt with solution by solution: of each class
the least is kept.

References
----------
D. E. Knuth, *The Art of Computer Programming* 4B, section 7.2.2.1, exercises on symmetry breaking.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from exactcover.algorithm_x import Colored, Item
from exactcover.engines import Run
from exactcover.errors import ProblemError
from exactcover.matrix import ONCE, Matrix
from exactcover.steps import extended

if TYPE_CHECKING:  # the model is above this room; only its face is known here
    from exactcover.model import Model

__all__ = ["Classes", "DistinctRun", "Permutation", "closure", "permutation"]

Permutation: TypeAlias = tuple[int, ...]
"""For each option the one it becomes."""

_MOST_SYMMETRIES = 10_000
_MOST_RANKS = 16
_LATE = 1.5  # ranks of several items make themselves felt later in a search than options that are left out
_OTHERS, _FIRST = 1, 2  # colors


def permutation(problem: Model, symmetry: Mapping[Item, Item]) -> Permutation:
    """Return what a map of items makes of the options.

    Parameters
    ----------
    symmetry
        Items that it does not name stay; so do colors, unless it names a ``Colored`` item.

    Raises
    ------
    ProblemError
        If it is no automorphism: an item becomes none or two become one, bounds or costs differ, or an option becomes
        what is no option.

    Examples
    --------
    >>> from exactcover import Problem
    >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2]})
    >>> permutation(problem, {1: 2, 2: 1})
    (1, 0, 2)
    """
    _check_items(problem, symmetry)
    places: dict[tuple[frozenset[Item], object], list[int]] = defaultdict(list)
    costs = problem.costs
    for position, (label, items) in enumerate(problem.options.items()):
        places[frozenset(items), costs.get(label, 0)].append(position)
    taken: Counter[tuple[frozenset[Item], object]] = Counter()
    images = []
    for label, items in problem.options.items():
        image = (frozenset(_image(entry, symmetry) for entry in items), costs.get(label, 0))
        if taken[image] >= len(places.get(image, ())):
            raise ProblemError(f"a symmetry makes of option {str(label)!r} what is no option of the same cost", label)
        images.append(places[image][taken[image]])  # options that are alike keep their order
        taken[image] += 1
    return tuple(images)


def _image(entry: Item, symmetry: Mapping[Item, Item]) -> Item:
    if isinstance(entry, Colored) and entry not in symmetry:
        return Colored(symmetry.get(entry.item, entry.item), entry.color)
    return symmetry.get(entry, entry)


def _check_items(problem: Model, symmetry: Mapping[Item, Item]) -> None:
    items = {item: place < len(problem.primary) for place, item in enumerate(problem.items)}
    bounds = problem.multiplicity
    images = set()
    for item, primary in items.items():
        image = symmetry.get(item, item)
        if items.get(image) != primary:
            raise ProblemError(f"a symmetry makes of item {str(item)!r} what is no such item, {str(image)!r}")
        if bounds.get(item) != bounds.get(image):
            raise ProblemError(f"a symmetry makes of item {str(item)!r} one with another multiplicity, {str(image)!r}")
        if image in images:
            raise ProblemError(f"a symmetry makes two items {str(image)!r}")
        images.add(image)


def closure(generators: Iterable[Permutation], size: int) -> list[Permutation]:
    """Return all that can be made of some permutations of so many things, the identity first.

    Raises
    ------
    ProblemError
        If there are more than 10,000.

    Examples
    --------
    >>> closure([(1, 2, 0)], 3)
    [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    """
    generators = list(generators)
    group: dict[Permutation, None] = {tuple(range(size)): None}
    waiting = list(group)
    for one in waiting:
        for generator in generators:
            product = tuple([generator[image] for image in one])
            if product not in group:
                if len(group) == _MOST_SYMMETRIES:
                    raise ProblemError(
                        f"there are more than {_MOST_SYMMETRIES:,} symmetries, too many to tell distinct solutions by"
                    )
                group[product] = None
                waiting.append(product)
    return list(group)


class _Orbit(NamedTuple):
    """An orbit of items that are covered exactly once, and how options rank that cover them.

    Whatever symmetry brings an item of the orbit to the first of them, an option that covers it becomes one of the
    first item's; what those are that the symmetries of the first item make of it does not hang on the choice. They
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

    Attributes
    ----------
    group
        The symmetries that count.
    left_out
        Options that need not be looked at, for the sake of symmetry.
    """

    def __init__(
        self, matrix: Matrix, generators: Iterable[Permutation], given: Collection[int], without: Collection[int]
    ) -> None:
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
