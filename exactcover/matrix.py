"""Items and options as integers: what engines, reductions and formats work on."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

__all__ = ["Matrix", "MatrixBuilder"]


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
    """

    items: int
    primary: int
    starts: array[int]
    entries: array[int]
    colors: array[int]

    def __len__(self) -> int:
        """How many options there are."""
        return len(self.starts) - 1

    def option(self, k: int) -> list[tuple[int, int]]:
        """Return option k as (item, color) pairs."""
        place = slice(self.starts[k], self.starts[k + 1])
        return list(zip(self.entries[place], self.colors[place], strict=True))

    def covered(self) -> bytearray:
        """Return, for every item, 1 if some option holds it and 0 if none does."""
        seen = bytearray(self.items)
        for item in self.entries:
            seen[item] = 1
        return seen

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

    def matrix(self, items: int, primary: int) -> Matrix:
        """Return what has been built."""
        return Matrix(items, primary, self.starts, self.entries, self.colors)
