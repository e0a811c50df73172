"""Groups of permutations of any order, described by generators."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import cached_property
from math import prod

from exactcover.control.stop import Stop
from exactcover.errors import ProblemError
from exactcover.symmetry.permutations import Permutation, closure, invert, multiply, trace_orbit

__all__ = ["PermutationGroup"]

_CONFIRMATIONS = 40  # random elements in a row that must not enlarge the group
_POOL = 12  # elements from which random ones are made


class PermutationGroup:
    """The group that some permutations generate.

    Its order is found by the random Schreier-Sims algorithm: it never exceeds the true order, and is less with a
    probability of at most 2^-40. The random numbers have a fixed seed.

    Parameters
    ----------
    generators
        Permutations of ``0 .. size-1``.
    size
        The number of elements that they permute.
    order
        The order of the group, if it is known.
    stop
        Polled often.

    References
    ----------
    C. C. Sims, "Computational methods in the study of permutation groups", 1970; J. S. Leon, "On an algorithm for
    finding a base and a strong generating set", *Mathematics of Computation* 35 (1980).

    Examples
    --------
    >>> group = PermutationGroup([(1, 0, 2, 3), (1, 2, 3, 0)], 4)
    >>> group.order, group.orbits(), group.stabilizer(0).orbits()
    (24, [[0, 1, 2, 3]], [[0], [1, 2, 3]])
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
        if self._order is not None:
            return self._order
        return prod(len(reached) for _, reached in self._chain)

    def exceeds(self, number: int) -> bool:
        """Return whether the order exceeds a number; faster than the order if it is much less or much more."""
        if self._order is not None:
            return self._order > number
        least = prod(
            len(reached)
            for _, reached in _StabilizerChain(self.generators, self.size, [], self._stop, confirmations=0).levels
        )
        if least > number:
            return True
        try:
            closure(self.generators, self.size, number, self._stop)
        except ProblemError:
            return True
        return False

    def stabilizer(self, element: int) -> PermutationGroup:
        """Return the group of those permutations that fix an element."""
        chain = _StabilizerChain(self.generators, self.size, [element], self._stop)
        return PermutationGroup(chain.strong_generators(1), self.size)

    @cached_property
    def _chain(self) -> list[tuple[int, dict[int, Permutation]]]:
        return _StabilizerChain(self.generators, self.size, [], self._stop).levels


class _StabilizerChain:
    """A base, and for each of its points a map from the images of the point to permutations that lead there.

    The permutations of a level fix the points of the base above it.
    """

    def __init__(
        self,
        generators: Sequence[Permutation],
        size: int,
        base: Iterable[int],
        stop: Stop,
        confirmations: int = _CONFIRMATIONS,
    ) -> None:
        self._identity = tuple(range(size))
        self._stop = stop
        self._strong: list[tuple[int, Permutation]] = []  # with the first level whose point they move
        self.levels: list[tuple[int, dict[int, Permutation]]] = [(point, {point: self._identity}) for point in base]
        for generator in generators:
            self._insert(generator)
        numbers, confirmed = random.Random(0), 0
        pool = [*generators, *generators[: max(0, _POOL - len(generators))]] or [self._identity]
        while generators and confirmed < confirmations:
            confirmed = 0 if self._insert(_draw(pool, numbers)) else confirmed + 1

    def strong_generators(self, level: int) -> list[Permutation]:
        """Return generators of the group that fixes the points of the base above a level."""
        return [generator for own, generator in self._strong if own >= level]

    def _insert(self, element: Permutation) -> bool:
        """Add an element to the group; return whether it was not known."""
        for level, (point, reached) in enumerate(self.levels):
            image = element[point]
            if image not in reached:
                self._strengthen(level, element)
                return True
            element = multiply(element, invert(reached[image]))
        if element == self._identity:
            return False
        moved = next(point for point, image in enumerate(element) if point != image)
        self.levels.append((moved, {moved: self._identity}))
        self._strengthen(len(self.levels) - 1, element)
        return True

    def _strengthen(self, level: int, element: Permutation) -> None:
        """Add a generator that fixes the base above a level, and extend the orbits of that level and those above."""
        self._strong.append((level, element))
        for place in range(level + 1):
            _, reached = self.levels[place]
            generators = self.strong_generators(place)
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
