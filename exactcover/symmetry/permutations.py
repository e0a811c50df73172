"""Symmetries as maps of items and as permutations of options, and the groups that they generate."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any, TypeAlias

from exactcover.algorithm_x import Colored, Item, Label
from exactcover.control.stop import Stop
from exactcover.errors import ProblemError
from exactcover.model.model import Model
from exactcover.model.names import StatedSymmetry, Symmetry

Permutation: TypeAlias = tuple[int, ...]
"""The image of each option, by positions."""

_POLL_EVERY = 64  # elements

MAX_LISTED = 10_000
"""The largest order of a group whose elements are listed."""


def stated_permutations(model: Model) -> list[Permutation]:
    """Return the stated symmetries as permutations of the options, without those that are the identity.

    Raise ``ProblemError`` if one of them is not an automorphism; see :func:`permutation`.
    """
    return _compute_permutations(model, model.stated_symmetries)


def rotations(model: Model) -> list[Permutation]:
    """Return the stated rotations as permutations of the options, without those that are the identity.

    Raise ``ProblemError`` if the model does not say which symmetries are rotations, or one is not an automorphism.
    """
    if model.stated_rotations is None:
        raise ProblemError("the problem does not tell rotations from mirror images, so distinct cannot be 'rotations'")
    return _compute_permutations(model, model.stated_rotations)


def _compute_permutations(model: Model, symmetries: Iterable[StatedSymmetry]) -> list[Permutation]:
    identity = tuple(range(len(model.labels)))
    try:
        return [image for image in (permutation(model, symmetry) for symmetry in symmetries) if image != identity]
    except ProblemError as error:
        error.place = error.place or getattr(symmetries, "place", "")  # of an encoder
        raise


def permutation(problem: Model, symmetry: StatedSymmetry) -> Permutation:
    """Return a symmetry as a permutation of the options.

    Items that a map does not name stay as they are. Colors stay as well, unless it names the ``Colored`` item. Raise
    ``ProblemError`` if it is not an automorphism: the image of an item is not an item of the same kind and
    multiplicity, two items have the same image, or the image of an option is not an option of the same cost.

    Examples
    --------
    >>> from exactcover import Problem
    >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2]})
    >>> permutation(problem, {1: 2, 2: 1})
    (1, 0, 2)
    """
    items, labels = (symmetry.items, symmetry.labels) if isinstance(symmetry, Symmetry) else (symmetry, {})
    _check_items(problem, items)
    free: dict[tuple[frozenset[Item], object], dict[int, None]] = defaultdict(dict)
    costs, options = problem.costs, problem.options.items()
    for position, (label, entries) in enumerate(options):
        free[frozenset(entries), costs.get(label, 0)][position] = None
    named = {label: problem.position(image) for label, image in labels.items()}
    images: dict[Label, int] = {}
    for label, entries in sorted(options, key=lambda option: option[0] not in named) if named else options:
        places = free.get((frozenset(_image(entry, items) for entry in entries), costs.get(label, 0)), {})
        place = named.get(label, next(iter(places), -1))  # equal options keep their order
        if place not in places:
            raise ProblemError(
                f"a symmetry maps option {str(label)!r} to something that is not an option of the same cost", label
            )
        images[label] = place
        del places[place]
    return tuple([images[label] for label in problem.labels])


def _image(entry: Item, symmetry: Mapping[Item, Item]) -> Item:
    if isinstance(entry, Colored) and entry not in symmetry:
        return Colored(symmetry.get(entry.item, entry.item), entry.color)
    return symmetry.get(entry, entry)


def _check_items(problem: Model, symmetry: Mapping[Any, Any]) -> None:
    items = {item: place < len(problem.primary) for place, item in enumerate(problem.items)}
    bounds = problem.multiplicity
    images = set()
    for item, primary in items.items():
        image = symmetry.get(item, item)
        if items.get(image) != primary:
            raise ProblemError(
                f"a symmetry maps item {str(item)!r} to {str(image)!r}, which is not an item of the same kind"
            )
        if bounds.get(item) != bounds.get(image):
            raise ProblemError(f"a symmetry maps item {str(item)!r} to {str(image)!r}, which has another multiplicity")
        if image in images:
            raise ProblemError(f"a symmetry maps two items to {str(image)!r}")
        images.add(image)


def invert(permutation: Permutation) -> Permutation:
    """Return the inverse of a permutation."""
    inverse = [0] * len(permutation)
    for place, image in enumerate(permutation):
        inverse[image] = place
    return tuple(inverse)


def multiply(first: Permutation, second: Permutation) -> Permutation:
    """Return the permutation that applies both, one after the other."""
    return tuple([second[image] for image in first])


def closure(
    generators: Iterable[Permutation], size: int, most: int = MAX_LISTED, stop: Stop | None = None
) -> list[Permutation]:
    """Return the group that some permutations of ``0 .. size-1`` generate, beginning with the identity.

    Raise ``ProblemError`` if the group has more than `most` elements.

    Examples
    --------
    >>> closure([(1, 2, 0)], 3)
    [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    """
    return _close(generators, size, most, stop)[0]


def choose_generators(group: Sequence[Permutation], stop: Stop | None = None) -> list[Permutation]:
    """Return a few elements of a group that generate it."""
    return _close(group, len(group[0]), len(group), stop)[1] if group else []


def _close(
    generators: Iterable[Permutation], size: int, most: int, stop: Stop | None
) -> tuple[list[Permutation], list[Permutation]]:
    """Return the group that some permutations generate, and those of them that were needed for that."""
    group: dict[Permutation, None] = {tuple(range(size)): None}
    used: list[Permutation] = []
    for new in generators:
        if new in group:
            continue
        used.append(new)
        waiting, closed = list(group), len(group)
        for place, element in enumerate(waiting):
            if stop is not None and place % _POLL_EVERY == 0:
                stop.poll()
            for generator in used if place >= closed else [new]:
                product = multiply(element, generator)
                if product not in group:
                    if len(group) == most:
                        raise ProblemError(f"there are more than {most:,} symmetries, too many to list")
                    group[product] = None
                    waiting.append(product)
    return list(group), used


def trace_orbit(element: int, generators: Iterable[Sequence[int]]) -> dict[int, tuple[int, Sequence[int]] | None]:
    """Return the orbit of an element under the group of some permutations, and how each member of it was reached.

    The members are in the order in which they were reached. Each has an earlier member, and the generator that maps
    that one to it; None for the element itself.

    Examples
    --------
    >>> trace_orbit(0, [(1, 2, 0, 3)])
    {0: None, 1: (0, (1, 2, 0, 3)), 2: (1, (1, 2, 0, 3))}
    """
    generators = list(generators)
    origins: dict[int, tuple[int, Sequence[int]] | None] = {element: None}
    waiting = [element]
    for member in waiting:
        for generator in generators:
            if generator[member] not in origins:
                origins[generator[member]] = (member, generator)
                waiting.append(generator[member])
    return origins


_CONFIRMATIONS = 40  # random elements in a row that must not enlarge the group
_POOL = 12  # elements from which random ones are made


class PermutationGroup:
    """The group that some permutations of ``0 .. size-1`` generate.

    Its order, unless it is known, is found by the random Schreier-Sims algorithm: it never exceeds the true order, and
    is less with a probability of at most 2^-40. The random numbers have a fixed seed.

    References
    ----------
    C. C. Sims, "Computational methods in the study of permutation groups", 1970; J. S. Leon, "On an algorithm for
    finding a base and a strong generating set", *Mathematics of Computation* 35 (1980).

    Examples
    --------
    >>> group = PermutationGroup([(1, 0, 2, 3), (1, 2, 3, 0)], 4)
    >>> group.order, group.orbits()
    (24, [[0, 1, 2, 3]])
    """

    def __init__(
        self, generators: Iterable[Permutation], size: int, order: int | None = None, stop: Stop | None = None
    ) -> None:
        identity = tuple(range(size))
        self.size, self._order, self._stop = size, order, stop or Stop()
        self.generators = [generator for generator in dict.fromkeys(generators) if generator != identity]

    def orbits(self) -> list[list[int]]:
        """Return the orbits, each in ascending order, by their first elements."""
        seen: set[int] = set()
        orbits = []
        for element in range(self.size):
            if element not in seen:
                orbit = trace_orbit(element, self.generators)
                seen.update(orbit)
                orbits.append(sorted(orbit))
        return orbits

    @property
    def order(self) -> int:
        """The number of elements of the group."""
        if self._order is None:
            self._order = _StabilizerChain(self.generators, self.size, self._stop).order
        return self._order

    def exceeds(self, number: int) -> bool:
        """Return whether the order exceeds a number; faster than the order if it is much less or much more."""
        if self._order is not None:
            return self._order > number
        few = _StabilizerChain(self.generators, self.size, self._stop, confirmations=0)
        if few.order > number:
            return True
        try:
            closure(self.generators, self.size, number, self._stop)
        except ProblemError:
            return True
        return False


class _StabilizerChain:
    """A base, and for each of its points a map from the images of the point to permutations that lead there.

    The permutations of a level fix the points of the base above it.
    """

    def __init__(
        self, generators: Sequence[Permutation], size: int, stop: Stop, confirmations: int = _CONFIRMATIONS
    ) -> None:
        self._identity = tuple(range(size))
        self._stop = stop
        self._strong: list[tuple[int, Permutation]] = []  # with the first level whose point they move
        self._levels: list[tuple[int, dict[int, Permutation]]] = []
        for generator in generators:
            self._insert(generator)
        numbers, confirmed = random.Random(0), 0
        pool = [*generators, *generators[: max(0, _POOL - len(generators))]] or [self._identity]
        while generators and confirmed < confirmations:
            confirmed = 0 if self._insert(_draw(pool, numbers)) else confirmed + 1

    @property
    def order(self) -> int:
        """The order of the group that is known so far."""
        return prod(len(reached) for _, reached in self._levels)

    def _insert(self, element: Permutation) -> bool:
        """Add an element to the group; return whether it was not known."""
        for level, (point, reached) in enumerate(self._levels):
            image = element[point]
            if image not in reached:
                self._strengthen(level, element)
                return True
            element = multiply(element, invert(reached[image]))
        if element == self._identity:
            return False
        moved = next(point for point, image in enumerate(element) if point != image)
        self._levels.append((moved, {moved: self._identity}))
        self._strengthen(len(self._levels) - 1, element)
        return True

    def _strengthen(self, level: int, element: Permutation) -> None:
        """Add a generator that fixes the base above a level, and extend the orbits of that level and those above."""
        self._strong.append((level, element))
        for place in range(level + 1):
            _, reached = self._levels[place]
            generators = [generator for own, generator in self._strong if own >= place]
            waiting = list(reached)
            self._stop.poll()
            for image in waiting:
                for generator in generators:
                    if generator[image] not in reached:
                        reached[generator[image]] = multiply(reached[image], generator)
                        waiting.append(generator[image])


def _draw(pool: list[Permutation], numbers: random.Random) -> Permutation:
    """Return a nearly random element of the group, by product replacement."""
    one, other = numbers.randrange(len(pool)), numbers.randrange(len(pool))
    factor = pool[other] if numbers.random() < 0.5 else invert(pool[other])
    if one != other or len(pool) == 1:
        pool[one] = multiply(pool[one], factor)
    element = pool[one]
    for member in pool:  # a random subproduct
        if numbers.random() < 0.5:
            element = multiply(element, member)
    return element
