"""How a remainder is split, so that symmetries save the most: on an item, or on an orbit of options."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import NamedTuple, TypeAlias

from exactcover.symmetry.remainders import Remainder, Symmetries

__all__ = ["LEAST_GAIN", "Branch", "ItemSplit", "OrbitSplit", "Split", "find_item_split", "find_split"]

LEAST_GAIN = 1.3
"""The least factor that a split must be expected to save."""

_PENALTY = 0.6  # exponent of the price of branching on an item with many options
_MOST_CASES = 64  # of a split on an orbit


class Branch(NamedTuple):
    """One of the cases of a split.

    Attributes
    ----------
    remainder
        What is left; None if there is no solution.
    weight
        How many solutions each of its solutions stands for.
    share
        Its share of the count, by an estimate.
    """

    remainder: Remainder | None
    weight: Fraction
    share: float


@dataclass(frozen=True)
class ItemSplit:
    """A split on an item: one option for each orbit of its options, or each number of times that it may be covered.

    Attributes
    ----------
    item
        The item.
    options, orbits
        How many options it has, and to how many orbits they belong.
    gain
        An estimate of the factor that this saves.
    bounds
        How often the item must be covered at least, and may be covered at most.
    """

    item: int
    options: int
    orbits: int
    gain: float
    bounds: tuple[int, int]

    @property
    def children(self) -> int:
        """The number of branches."""
        low, high = self.bounds
        return self.orbits if low == high else high - low + 1

    def branches(self, remainder: Remainder, symmetries: Symmetries) -> Iterator[Branch]:
        """Yield the branches of a remainder."""
        low, high = self.bounds
        if low == high:
            for option, size in symmetries.found.orbits_of(self.item):
                left = remainder.remainder([option])
                yield Branch(left, Fraction(size, low), size / self.options)
            return
        for number in range(max(1, low), high + 1):
            yield Branch(remainder.bounded(self.item, number), Fraction(1), 1 / self.children)
        if low == 0:
            left = remainder.remainder([], remainder.holders_of(self.item))
            yield Branch(left, Fraction(1), 1 / self.children)


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
        How many options the orbit has.
    chance
        An estimate of the share of solutions with a given option of the orbit.
    """

    first: int
    options: int
    chance: float

    @property
    def orbits(self) -> int:
        """The number of orbits."""
        return 1

    @property
    def gain(self) -> float:
        """An estimate of the factor that this saves: only cases with one of the options become smaller."""
        return 1 / (self.chance + (1 - self.chance) ** self.options)

    @property
    def children(self) -> int:
        """The number of branches."""
        return self.options + 1

    def branches(self, remainder: Remainder, symmetries: Symmetries) -> Iterator[Branch]:
        """Yield the branches of a remainder."""
        orbit = symmetries.found.orbit_of(self.first)
        for number in range(self.options + 1):
            share = comb(self.options, number) * self.chance**number * (1 - self.chance) ** (self.options - number)
            if number == 0:
                yield Branch(remainder.remainder([], orbit), Fraction(1), share)
            else:
                left = remainder.with_item(orbit, number).remainder([self.first])
                yield Branch(left, Fraction(self.options, number), share)


Split: TypeAlias = ItemSplit | OrbitSplit


def find_split(remainder: Remainder, symmetries: Symmetries, merged: float = 1.0) -> Split | None:
    """Return the split that saves the most, or None if none saves enough.

    Splits on items are preferred, because searches branch on items, too; ties go to the first.

    Parameters
    ----------
    remainder, symmetries
        The remainder and its symmetries.
    merged
        How many remainders were isomorphic to each one at the level above, on average.
    """
    return find_item_split(remainder, symmetries, merged) or _find_orbit_split(symmetries)


def find_item_split(remainder: Remainder, symmetries: Symmetries, merged: float = 1.0) -> ItemSplit | None:
    """Return the item on which a remainder is best split, or None if that would save nothing.

    Items that are covered a fixed number of times are preferred; ties go to the first.

    Parameters
    ----------
    remainder, symmetries, merged
        As for :func:`find_split`.
    """
    branches, bounds = symmetries.found.branches(), remainder.bounds
    fewest = min((options for options, _ in branches if options > 1), default=1)
    best: ItemSplit | None = None
    for fixed in (True, False):
        for item, (options, orbits) in enumerate(branches):
            if not options or (bounds[item][0] == bounds[item][1]) is not fixed:
                continue
            low, high = bounds[item]
            repeated = low if fixed else 1 + high - low  # how often solutions are counted, or the number of cases
            gain = merged * options / orbits / repeated / (options / fewest) ** _PENALTY
            if gain >= LEAST_GAIN and (best is None or gain > best.gain):
                best = ItemSplit(item, options, orbits, gain, bounds[item])
        if best is not None:
            break
    return best


def _find_orbit_split(symmetries: Symmetries) -> OrbitSplit | None:
    if symmetries.order == 1:
        return None
    splits = [OrbitSplit(*orbit) for orbit in symmetries.found.orbits() if 1 < orbit[1] < _MOST_CASES]
    best = max(splits, key=lambda split: split.gain, default=None)
    return None if best is None or best.gain < LEAST_GAIN else best
