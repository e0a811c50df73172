"""Splits of a remainder, on an item, on its orbits in a chain, or on an orbit; and the choice that saves most."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import exp, lgamma, log, log1p
from typing import NamedTuple, TypeAlias

from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.symmetry.remainders import Remainder, Symmetries

Choice: TypeAlias = tuple[str, int, tuple[int, ...]]
"""A split as values that can be stored: its kind; its item, or an option of its orbit; and its links."""

Weight: TypeAlias = "int | Fraction"
"""The number of solutions that one stands for: a whole number if it is one, since fractions are added slowly."""


class Branch(NamedTuple):
    """One of the cases of a split."""

    remainder: Remainder | None  # None if there is no solution
    weight: Weight  # the number of solutions that each of its solutions stands for
    share: float  # of the count, by an estimate
    forces: bool = True  # whether all options are chosen in it that some item cannot do without


@dataclass(frozen=True)
class ItemSplit:
    """A split on an item: one option for each orbit of its options, or each number of times that it may be covered."""

    item: int
    options: int  # the number of its options
    orbits: int  # to which these belong
    gain: float  # the factor that this saves, by an estimate
    bounds: tuple[int, int]  # how often it must be covered at least, and may be at most

    @property
    def choice(self) -> Choice:
        """The kind of the split, with its item or option, and its links, as values that can be stored."""
        return "item", self.item, ()

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
                yield Branch(remainder.remainder([option]), _divide(size, low), size / self.options)
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
    """

    item: int
    links: tuple[tuple[int, int, int], ...]  # of each orbit: its first option, its size, how many belong to the item
    high: int  # how often the item may be covered at most
    penalty: float = 1.0  # of branching on an item with many options

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
    """

    first: int  # option of the orbit
    options: int  # the number of options in the orbit
    chance: float  # the share of solutions with a given option of the orbit, by an estimate

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


_ROUNDING = 1 + 1e-6  # of a bound that is computed otherwise than what it bounds


def find_splits(
    remainder: Remainder, symmetries: Symmetries, merged: float = 1.0, policy: CountingPolicy = DEFAULT_POLICY
) -> list[Split]:
    """Return the splits that save enough: on a chain, then on an item; or on an orbit if there is neither.

    A chain has to save more than an item by a factor, because searches branch on items, too. Ties go to the first.
    `merged` is the average number of remainders that were isomorphic to each one at the level above.
    """
    by_item = find_item_split(remainder, symmetries, merged, policy)
    chain = _find_chain(remainder, symmetries, policy, 0.0 if by_item is None else policy.chain_gain * by_item.gain)
    candidates = (chain, by_item) if chain or by_item else (_find_orbit_split(symmetries, policy),)
    return [split for split in candidates if split is not None]


def find_item_split(
    remainder: Remainder, symmetries: Symmetries, merged: float = 1.0, policy: CountingPolicy = DEFAULT_POLICY
) -> ItemSplit | None:
    """Return the item on which a remainder is best split, or None if that would save nothing.

    Items that are covered a fixed number of times are preferred; ties go to the first.
    """
    best: dict[bool, ItemSplit] = {}  # by whether the item is covered a fixed number of times
    for item, ((options, orbits), bounds) in enumerate(zip(symmetries.branches, remainder.bounds, strict=True)):
        if not options:
            continue
        low, high = _cap(bounds, options)
        is_fixed = low == high
        repeated = low if is_fixed else 1 + high - low  # how often solutions are counted, or the number of cases
        gain = merged * options / orbits / repeated / _find_penalty(item, symmetries, policy)
        if gain >= policy.least_gain and (is_fixed not in best or gain > best[is_fixed].gain):
            best[is_fixed] = ItemSplit(item, options, orbits, gain, (low, high))
    return best.get(True) or best.get(False)


def _cap(bounds: tuple[int, int], options: int) -> tuple[int, int]:
    """Return the bounds of an item with so many options, which limit how often it can be covered."""
    low, high = bounds
    return low, max(low, min(high, options))


def _find_chain(
    remainder: Remainder, symmetries: Symmetries, policy: CountingPolicy, least_gain: float
) -> ChainSplit | None:
    """Return the best chain, or None if none saves enough: the least gain of a split, and more than `least_gain`.

    A chain has more branches, and each of them has one more item. So where the options of all orbits keep symmetries,
    splits on one item after another save more.
    """
    if not 1 < symmetries.order <= symmetries.largest_orbit:
        return None
    branches, bounds = symmetries.branches, remainder.bounds
    items = [item for item, (options, orbits) in enumerate(branches) if bounds[item][0] and 1 < orbits < options]
    items.sort(key=lambda item: branches[item][0] ** (1 - policy.option_penalty) / branches[item][1], reverse=True)
    best: ChainSplit | None = None
    best_gain = least_gain
    for item in items[: policy.most_chains]:
        if _limit_chain_gain(item, symmetries, policy) < max(best_gain, policy.least_gain):
            continue
        split = make_chain(item, _cap(bounds[item], branches[item][0])[1], symmetries, policy)
        gain = split.gain
        if best_gain < gain >= policy.least_gain and split.children <= policy.most_cases:
            best, best_gain = split, gain
    return None if best is None else _put_strongest_first(best, remainder)


def _limit_chain_gain(item: int, symmetries: Symmetries, policy: CountingPolicy) -> float:
    """Return an upper bound on the gain of a chain: that of as many orbits that all exclude as much as any can."""
    options, orbits = symmetries.branches[item]
    left = (1 - 1 / options) ** (symmetries.largest_orbit - 1)  # of the solutions, behind each of these orbits
    work = (1 - left**orbits) / (1 - left)
    return _ROUNDING * options / work / _find_penalty(item, symmetries, policy)


def _find_penalty(item: int, symmetries: Symmetries, policy: CountingPolicy) -> float:
    """Return the price of branching on an item with many options."""
    ratio = symmetries.branches[item][0] / symmetries.fewest_options
    return float(ratio**policy.option_penalty)


def make_chain(item: int, high: int, symmetries: Symmetries, policy: CountingPolicy = DEFAULT_POLICY) -> ChainSplit:
    """Return the chain of an item that must be covered, and may be covered at most `high` times."""
    firsts, sizes = symmetries.orbit_firsts, symmetries.orbit_sizes
    orbits = symmetries.found.orbits_of(item)
    links = [(firsts[option], sizes[firsts[option]], inside) for option, inside in orbits]
    links.sort(key=_count_outside, reverse=True)  # what excludes the most comes first
    return ChainSplit(item, tuple(links), high, _find_penalty(item, symmetries, policy))


def make_split(choice: Choice, remainder: Remainder, symmetries: Symmetries) -> Split:
    """Return a split that was chosen before; see :data:`Choice`.

    Raise ``ValueError`` if the remainder cannot be split in this way.
    """
    kind, number, links = choice
    if kind == "orbit":
        for first, size, chance in symmetries.found.orbits():
            if first == number:
                return OrbitSplit(first, size, chance)
        raise ValueError(f"no orbit begins with option {number}")
    if kind not in ("item", "chain") or number >= remainder.primary or not symmetries.branches[number][0]:
        raise ValueError(f"a split of kind {kind!r} at {number} is not valid")
    bounds = remainder.bounds[number]
    if kind == "item":
        options, orbits = symmetries.branches[number]
        return ItemSplit(number, options, orbits, options / orbits, _cap(bounds, options))
    chain = make_chain(number, _cap(bounds, symmetries.branches[number][0])[1], symmetries)
    by_first = {link[0]: link for link in chain.links}
    if not bounds[0] or sorted(by_first) != sorted(links):
        raise ValueError(f"the chain of item {number} does not consist of the orbits of its options")
    return replace(chain, links=tuple(by_first[first] for first in links))


def _put_strongest_first(chain: ChainSplit, remainder: Remainder) -> ChainSplit:
    """Put, of the orbits that exclude equally many options, those first whose options leave the fewest others."""

    def count_left(link: tuple[int, int, int]) -> tuple[int, int]:
        left = remainder.remainder([link[0]])
        return -_count_outside(link), 0 if left is None else left.options

    return replace(chain, links=tuple(sorted(chain.links, key=count_left)))


def _count_outside(link: tuple[int, int, int]) -> int:
    """Return how many options of an orbit do not belong to the item of its chain."""
    return link[1] - link[2]


def _find_orbit_split(symmetries: Symmetries, policy: CountingPolicy) -> OrbitSplit | None:
    if symmetries.order == 1:
        return None
    cases = [orbit for orbit in symmetries.found.orbits() if 1 < orbit[1] < policy.most_cases]
    best = max(cases, key=lambda orbit: find_orbit_gain(*orbit[1:]), default=None)
    return None if best is None or find_orbit_gain(*best[1:]) < policy.least_gain else OrbitSplit(*best)
