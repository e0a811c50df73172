"""Items and options as integers: what engines, reductions and formats work on."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

__all__ = ["ONCE", "Bounds", "Matrix", "MatrixBuilder"]

Bounds = tuple[int, int]
"""How often a primary item must be covered at least, and may be at most."""
ONCE: Bounds = (1, 1)


@dataclass(frozen=True, eq=False)
class Matrix:
    """A problem with the names taken off, as compressed rows.

    Items ``0 .. primary-1`` are primary, ``primary .. items-1`` secondary. Option k holds the items
    ``entries[starts[k]:starts[k+1]]``, each with the color at the same place of `colors`, 0 for no color.

    Attributes
    ----------
    items, primary
        How many items there are, and how many of them are primary.
    starts
        ``array('q')``, one longer than there are options.
    entries, colors
        ``array('i')`` each, of the same length.
    multiplicity
        The bounds of those primary items that are not to be covered exactly once.
    costs
        What each option costs, or nothing where none has a cost.
    preferred
        Primary items to branch on before others.
    """

    items: int
    primary: int
    starts: array[int]
    entries: array[int]
    colors: array[int]
    multiplicity: Mapping[int, Bounds] = field(default_factory=dict)
    costs: Sequence[int] = ()
    preferred: frozenset[int] = frozenset()

    def __len__(self) -> int:
        """How many options there are."""
        return len(self.starts) - 1

    def option(self, k: int) -> list[tuple[int, int]]:
        """Return option k as (item, color) pairs."""
        place = slice(self.starts[k], self.starts[k + 1])
        return list(zip(self.entries[place], self.colors[place], strict=True))

    def bounds(self, item: int) -> Bounds:
        """Return how often a primary item must and may be covered."""
        return self.multiplicity.get(item, ONCE)

    def first_underfilled(self) -> tuple[int, int] | None:
        """Return the first primary item that too few options hold, and how many do; None if there is no such item."""
        holders = [0] * self.items
        for item in self.entries:
            holders[item] += 1
        lacking = (item for item in range(self.primary) if holders[item] < self.bounds(item)[0])
        return next(((item, holders[item]) for item in lacking), None)

    def components(self) -> int:
        """Return into how many parts the items fall that no option connects."""
        from networkx.utils import UnionFind  # slow to import

        groups = UnionFind(range(self.items))
        for k in range(len(self)):
            groups.union(*self.entries[self.starts[k] : self.starts[k + 1]])
        return sum(1 for _ in groups.to_sets())


class MatrixBuilder:
    """Collects options one by one; the numbers of items must be known."""

    def __init__(self) -> None:
        self.starts = array("q", [0])
        self.entries = array("i")
        self.colors = array("i")

    def append(self, item: int, color: int = 0) -> None:
        """Add an item to the option being built."""
        self.entries.append(item)
        self.colors.append(color)

    def close_option(self) -> None:
        """End the option being built; the next item belongs to the next one."""
        self.starts.append(len(self.entries))

    def matrix(
        self,
        items: int,
        primary: int,
        multiplicity: Mapping[int, Bounds] | None = None,
        costs: Sequence[int] = (),
        preferred: frozenset[int] = frozenset(),
    ) -> Matrix:
        """Return what has been built."""
        return Matrix(items, primary, self.starts, self.entries, self.colors, multiplicity or {}, costs, preferred)
