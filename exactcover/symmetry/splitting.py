"""On which item a remainder is split, so that symmetries save the most."""

from __future__ import annotations

from dataclasses import dataclass

from exactcover.symmetry.remainders import Remainder, Symmetries

__all__ = ["LEAST_GAIN", "Split", "find_split"]

LEAST_GAIN = 1.3
"""The least factor that a split must be expected to save."""

_PENALTY = 0.6  # exponent of the price of branching on an item with many options


@dataclass(frozen=True)
class Split:
    """The item on which a remainder is split.

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
        """The number of remainders that it makes."""
        low, high = self.bounds
        return self.orbits if low == high else high - low + 1


def find_split(remainder: Remainder, symmetries: Symmetries, merged: float = 1.0) -> Split | None:
    """Return the item on which a remainder is best split, or None if that would save nothing.

    Items that are covered a fixed number of times are preferred; ties go to the first.

    Parameters
    ----------
    remainder, symmetries
        The remainder and its symmetries.
    merged
        How many remainders were isomorphic to each one at the level above, on average.
    """
    branches, bounds = symmetries.found.branches(), remainder.bounds
    fewest = min((options for options, _ in branches if options > 1), default=1)
    best: Split | None = None
    for fixed in (True, False):
        for item, (options, orbits) in enumerate(branches):
            if not options or (bounds[item][0] == bounds[item][1]) is not fixed:
                continue
            low, high = bounds[item]
            repeated = low if fixed else 1 + high - low  # how often solutions are counted, or the number of cases
            gain = merged * options / orbits / repeated / (options / fewest) ** _PENALTY
            if gain >= LEAST_GAIN and (best is None or gain > best.gain):
                best = Split(item, options, orbits, gain, bounds[item])
        if best is not None:
            break
    return best
