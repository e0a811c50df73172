"""Residual problems when options are chosen, with their symmetries; all of it in C++."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

from exactcover.control.stop import Stop
from exactcover.model.matrix import ONCE, Matrix, native

Remainder = Any  # native.Rows; the module may be missing


def make_remainder(matrix: Matrix, stop: Stop) -> Remainder:
    """Return a matrix as a remainder, without its costs."""
    return native.make_rows(
        matrix.items,
        matrix.primary,
        matrix.starts,
        matrix.entries,
        matrix.colors,
        *matrix.capped_bounds(),
        stop.poll,
    )


def make_matrix(remainder: Remainder) -> Matrix:
    """Return a remainder as a matrix, whose origins are the items of the whole."""
    starts, entries, colors = map(array, "qii", remainder.to_arrays())
    bounds = {item: pair for item, pair in enumerate(remainder.bounds) if pair != ONCE}
    origins = remainder.item_origins
    matrix = Matrix(remainder.items, remainder.primary, starts, entries, colors, bounds, origins=origins)
    object.__setattr__(matrix, "rows", remainder)
    return matrix


@dataclass(frozen=True)
class Symmetries:
    """The symmetries of a remainder: generators, in C++, and the order of the group that these generate."""

    found: Any  # native.Symmetries
    order: int

    @cached_property
    def branches(self) -> list[tuple[int, int]]:
        """For each primary item, how many options it has, and to how many orbits these belong."""
        return list(self.found.branches())

    @cached_property
    def fewest_options(self) -> int:
        """The fewest options of an item that has more than one."""
        return min((options for options, _ in self.branches if options > 1), default=1)

    @cached_property
    def orbit_firsts(self) -> list[int]:
        """For each option, the first option of its orbit."""
        return list(self.found.firsts())

    @cached_property
    def orbit_sizes(self) -> Counter[int]:
        """The size of each orbit, by its first option."""
        return Counter(self.orbit_firsts)

    @cached_property
    def largest_orbit(self) -> int:
        """The size of the largest orbit of options."""
        return max(self.orbit_sizes.values(), default=1)

    def generators(self) -> list[tuple[Sequence[int], Sequence[int]]]:
        """Return, for each generator, the images of the options and those of the items."""
        return list(self.found.generators())


def find_symmetries(
    remainder: Remainder, stop: Stop, kinds: Sequence[int] = (), most_work: int | None = None
) -> Symmetries:
    """Return the symmetries of a remainder; only some of them if finding all would visit over `most_work` edges.

    If there are kinds, no symmetry maps an option to one of another kind.
    """
    found = native.Symmetries(remainder, kinds, (1 << 64) - 1 if most_work is None else most_work, stop.poll)
    return Symmetries(found, prod(found.factors))
