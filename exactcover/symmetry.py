"""Solutions that are the same up to a symmetry: one of each class.

A symmetry is given as a map of items; options go along. Where some item is left in place by the whole group, each class
of solutions has a member in which that item is covered by the first option of its orbit: all others are left out before
searching, so that the search gets smaller by nearly the order of the group. What symmetry is left then, and any for
which there is no such item, is dealt with solution by solution: of each class the least is kept.

References
----------
D. E. Knuth, *The Art of Computer Programming* 4B, section 7.2.2.1, exercises on symmetry breaking.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from exactcover.algorithm_x import Colored, Item
from exactcover.engines import Run
from exactcover.errors import ProblemError
from exactcover.matrix import ONCE, Matrix

if TYPE_CHECKING:  # the front door is above this room; only its face is known here
    from exactcover.problem import Problem

__all__ = ["Classes", "DistinctRun", "Permutation", "closure", "permutation"]

Permutation: TypeAlias = tuple[int, ...]
"""For each option the one it becomes."""

_MOST_SYMMETRIES = 10_000


def permutation(problem: Problem, symmetry: Mapping[Item, Item]) -> Permutation:
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


def _check_items(problem: Problem, symmetry: Mapping[Item, Item]) -> None:
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
                    raise ProblemError(f"the symmetries generate more than {_MOST_SYMMETRIES:,} others")
                group[product] = None
                waiting.append(product)
    return list(group)


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
        first_of = self._broken(matrix) if self._others else []
        self._stabilizers = {
            option: [one for one in self._others if one[option] == option]
            for option, first in first_of
            if option == first
        }
        self.left_out = [option for option, first in first_of if option != first]
        self.total = self.symmetric = 0

    def _broken(self, matrix: Matrix) -> list[tuple[int, int]]:
        """Return the options of the item that helps most, each with the first of its orbit."""
        holders: dict[int, list[int]] = {item: [] for item in range(matrix.primary) if matrix.bounds(item) == ONCE}
        for option in range(len(matrix)):
            for item, _ in matrix.option(option):
                if item in holders:
                    holders[item].append(option)
        best: tuple[float, int, list[tuple[int, int]]] = (1.0, 0, [])
        for options in holders.values():
            own = set(options)
            if options and all(one[option] in own for one in self._others for option in options):
                first_of = [(option, min(one[option] for one in self.group)) for option in options]
                firsts = sum(option == first for option, first in first_of)
                best = min(best, (firsts / len(options), firsts, first_of))
        return best[2]

    @property
    def free(self) -> bool:
        """Whether no two solutions that are left can be of one class, and none is symmetric."""
        return not self._others or (bool(self._stabilizers) and not any(self._stabilizers.values()))

    def take(self, solution: Sequence[int]) -> bool:
        """Whether a solution, as ascending options, is the one that stands for its class; takes note of its size."""
        others = self._others
        if self._stabilizers:
            others = next(self._stabilizers[option] for option in solution if option in self._stabilizers)
        alike = 1
        mine = list(solution)
        for one in others:
            image = sorted([one[option] for option in solution])
            if image < mine:
                return False
            alike += image == mine
        self.symmetric += alike > 1
        self.total += len(self.group) // alike
        return True

    def take_many(self, number: int) -> None:
        """Take note of so many solutions, where they are free."""
        self.total += number * len(self.group)


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
