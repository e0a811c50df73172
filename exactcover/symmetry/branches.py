"""Splits of a remainder and their branches: on an item, on its orbits in a chain, or on an orbit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import exp, lgamma, log, log1p
from typing import NamedTuple, TypeAlias

from exactcover.symmetry.remainders import Remainder, Symmetries

__all__ = ["Branch", "ChainSplit", "Choice", "ItemSplit", "OrbitSplit", "Split", "Weight", "find_orbit_gain"]

Choice: TypeAlias = tuple[str, int, tuple[int, ...]]
"""A split as values that can be stored: its kind; its item, or an option of its orbit; and its links."""

Weight: TypeAlias = "int | Fraction"
"""The number of solutions that one stands for: a whole number if it is one, since fractions are added slowly."""


class Branch(NamedTuple):
    """One of the cases of a split.

    Attributes
    ----------
    remainder
        The remainder; None if there is no solution.
    weight
        The number of solutions that each of its solutions stands for.
    share
        Its share of the count, by an estimate.
    forces
        Whether all options are chosen in it that some item cannot do without.
    is_risky
        Whether a search of it may branch otherwise than a search of the whole, and so may take longer than expected.
    """

    remainder: Remainder | None
    weight: Weight
    share: float
    forces: bool = True
    is_risky: bool = True


@dataclass(frozen=True)
class ItemSplit:
    """A split on an item: one option for each orbit of its options, or each number of times that it may be covered.

    Orbits can be joined: in one branch, the item keeps one option of each of them, and loses the others. A search of
    that branch goes on much as it would without a split. But the symmetries that are left when one of these options is
    chosen are not used.

    Attributes
    ----------
    item
        The item.
    options, orbits
        The number of its options, and of the orbits to which these belong.
    gain
        An estimate of the factor that this saves.
    bounds
        How often the item must be covered at least, and may be covered at most.
    joined
        The first options of the orbits that are joined, if any; each of these has as many options of the item.
    """

    item: int
    options: int
    orbits: int
    gain: float
    bounds: tuple[int, int]
    joined: tuple[int, ...] = ()

    @property
    def choice(self) -> Choice:
        """The kind of the split, with its item or option, and its links, as values that can be stored."""
        return "item", self.item, ()

    @property
    def children(self) -> int:
        """The number of branches."""
        low, high = self.bounds
        return self.orbits - max(0, len(self.joined) - 1) if low == high else high - low + 1

    def branches(self, remainder: Remainder, symmetries: Symmetries) -> Iterator[Branch]:
        """Yield the branches of a remainder; that of the orbits that are joined comes first."""
        low, high = self.bounds
        if low == high:
            sizes = dict(symmetries.found.orbits_of(self.item))
            if self.joined:
                size, kept = sizes[self.joined[0]], set(self.joined)
                left = remainder.remainder([], [one for one in remainder.holders_of(self.item) if one not in kept])
                yield Branch(left, size, size * len(kept) / self.options, is_risky=False)
            for option, size in sizes.items():
                if option not in self.joined:
                    left = remainder.remainder([option])
                    yield Branch(left, _divide(size, low), size / self.options)
            return
        for number in range(max(1, low), high + 1):
            yield Branch(remainder.bounded(self.item, number), 1, 1 / self.children, forces=False)
        if low == 0:
            left = remainder.remainder([], remainder.holders_of(self.item))
            yield Branch(left, 1, 1 / self.children)


@dataclass(frozen=True)
class ChainSplit:
    """A split on the orbits of the options of an item, one after another.

    Every solution has an option of the item, so there is a first orbit of which it has options. If it has k of them,
    one is chosen, and each solution with it stands for as many as the orbit has options, divided by k. The orbits
    before are excluded as a whole, with the options that do not belong to the item.

    Attributes
    ----------
    item
        The item.
    links
        The orbits: the first option of each, the number of its options, and how many of these belong to the item.
    high
        How often the item may be covered at most.
    penalty
        The price of branching on an item with many options.
    """

    item: int
    links: tuple[tuple[int, int, int], ...]
    high: int
    penalty: float = 1.0

    @property
    def choice(self) -> Choice:
        """The kind of the split, with its item or option, and its links, as values that can be stored."""
        return "chain", self.item, tuple(first for first, _, _ in self.links)

    @property
    def options(self) -> int:
        """The number of options of the item."""
        return sum(inside for _, _, inside in self.links)

    @property
    def orbits(self) -> int:
        """The number of orbits."""
        return len(self.links)

    @property
    def gain(self) -> float:
        """An estimate of the factor that this saves, if every option of the item is as likely as any other."""
        chance, none, work = 1 / self.options, 1.0, 0.0
        for _, size, inside in self.links:
            work += chance * none
            none *= (1 - chance) ** (size - inside)
        return 1 / (work * self.penalty)

    @property
    def children(self) -> int:
        """The number of branches, at most."""
        return sum(self.limit(size, inside) for _, size, inside in self.links)

    def limit(self, size: int, inside: int) -> int:
        """Return how many options of an orbit a solution can have: each image of the item limits as many of them."""
        return min(size, self.high * size // inside)

    def branches(self, remainder: Remainder, symmetries: Symmetries) -> Iterator[Branch]:
        """Yield the branches of a remainder."""
        excluded: list[int] = []
        chance, none = 1 / self.options, 1.0
        covered = 1 - (1 - chance) ** sum(size for _, size, _ in self.links)
        for first, size, inside in self.links:
            orbit = symmetries.found.orbit_of(first)
            for number in range(1, self.limit(size, inside) + 1):
                share = none * _find_probability(size, number, chance) / covered
                left = remainder.with_item(orbit, number).remainder([first], excluded)
                yield Branch(left, _divide(size, number), share)
            excluded += orbit
            none *= (1 - chance) ** size


@dataclass(frozen=True)
class OrbitSplit:
    """A split on an orbit of options: one case for each number of them that a solution has.

    If that number is k, one of the options is chosen, and each solution with it stands for as many as the orbit has
    options, divided by k.

    Attributes
    ----------
    first
        The first option of the orbit.
    options
        The number of options in the orbit.
    chance
        An estimate of the share of solutions with a given option of the orbit.
    """

    first: int
    options: int
    chance: float

    @property
    def choice(self) -> Choice:
        """The kind of the split, with its item or option, and its links, as values that can be stored."""
        return "orbit", self.first, ()

    @property
    def orbits(self) -> int:
        """The number of orbits."""
        return 1

    @property
    def gain(self) -> float:
        """An estimate of the factor that this saves."""
        return find_orbit_gain(self.options, self.chance)

    @property
    def children(self) -> int:
        """The number of branches."""
        return self.options + 1

    def branches(self, remainder: Remainder, symmetries: Symmetries) -> Iterator[Branch]:
        """Yield the branches of a remainder."""
        orbit = symmetries.found.orbit_of(self.first)
        for number in range(1, self.options + 1):
            share = _find_probability(self.options, number, self.chance)
            left = remainder.with_item(orbit, number).remainder([self.first])
            yield Branch(left, _divide(self.options, number), share)
        share = _find_probability(self.options, 0, self.chance)
        yield Branch(remainder.remainder([], orbit), 1, share)


def _divide(number: int, divisor: int) -> Weight:
    return Fraction(number, divisor) if number % divisor else number // divisor


def _find_probability(size: int, number: int, chance: float) -> float:
    """Return how likely it is that so many of some independent events happen, each with this chance."""
    if not 0 < chance < 1:
        return float(number == (size if chance else 0))
    ways = lgamma(size + 1) - lgamma(number + 1) - lgamma(size - number + 1)
    return exp(ways + number * log(chance) + (size - number) * log1p(-chance))


Split: TypeAlias = ItemSplit | ChainSplit | OrbitSplit


def find_orbit_gain(options: int, chance: float) -> float:
    """Return an estimate of what a split on an orbit saves: only cases with one of the options become smaller."""
    return 1 / (chance + (1 - chance) ** options)
