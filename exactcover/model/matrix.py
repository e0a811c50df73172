"""Items and options as integers, the form on which engines, steps and formats work."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise, repeat, starmap
from typing import Any

from exactcover.control.arguments import check_arguments
from exactcover.control.stop import Stop
from exactcover.rules import MatrixRule

try:
    import exactcover._native as native
except ImportError:  # installed without a C++ compiler
    native = None  # type: ignore[assignment]

__all__ = ["ONCE", "Bounds", "Matrix", "MatrixBuilder", "StatedBounds", "may_share", "native"]

Bounds = tuple[int, int]
"""The least and the largest number of chosen options that cover a primary item."""
StatedBounds = tuple[int, int | None]
"""The same as somebody states it; None for no limit."""
ONCE: Bounds = (1, 1)

_STRIDE = 17  # prime to the number of items of most options, so that a sample of the entries reaches most items


def may_share(colors: Collection[int]) -> bool:
    """Return whether options that give a secondary item these colors may be chosen together; 0 is no color.

    Examples
    --------
    >>> may_share([3, 3]), may_share([3, 4]), may_share([0, 0]), may_share([0])
    (True, False, False, True)
    """
    return len(colors) < 2 or (0 not in colors and len({*colors}) == 1)


@dataclass(frozen=True, eq=False)
class Matrix:
    """A problem without names, as compressed rows.

    Items ``0 .. primary-1`` are primary, items ``primary .. items-1`` secondary. Option k contains the items
    ``entries[starts[k]:starts[k+1]]``. Their colors are in the same places of `colors`, where 0 means no color. An
    option that covers a primary item several times contains it as often; native code refuses such an option.

    Attributes
    ----------
    items, primary
        The number of items, and the number of primary items among them.
    starts
        ``array('q')``, with one element more than there are options.
    entries, colors
        Two ``array('i')`` of the same length.
    multiplicity
        The bounds of each primary item that does not have to be covered exactly once.
    costs
        The cost of each option; empty if no option has a cost.
    preferred
        Primary items to branch on before others.
    origins
        The number in the model of each item; empty if these are the items of the model.
    weighted
        Whether an option covers an item several times.
    rules
        What must hold beside the items; engines that do not take rules refuse such a matrix.
    rows
        The same as rows in C++, if it was made of them; a matrix that is made of this one by ``replace`` has none.
    """

    items: int
    primary: int
    starts: array[int]
    entries: array[int]
    colors: array[int]
    multiplicity: Mapping[int, Bounds] = field(default_factory=dict)
    costs: Sequence[int] = ()
    preferred: frozenset[int] = frozenset()
    origins: Sequence[int] = ()
    weighted: bool = False
    rules: tuple[MatrixRule, ...] = ()
    rows: Any = field(default=None, init=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "rows": None}  # which only C++ knows

    def __len__(self) -> int:
        """Return the number of options."""
        return len(self.starts) - 1

    def option(self, k: int) -> list[tuple[int, int]]:
        """Return option k as (item, color) pairs."""
        place = slice(self.starts[k], self.starts[k + 1])
        return list(zip(self.entries[place], self.colors[place], strict=True))

    def list_options(self) -> list[list[tuple[int, int]]]:
        """Return all options as (item, color) pairs, in less time than one by one."""
        pairs = list(zip(self.entries, self.colors, strict=True))
        return [pairs[start:end] for start, end in pairwise(self.starts)]

    def row(self, k: int) -> dict[int, int | None]:
        """Return the color of each item of option k, or its weight, or None for neither: what a ``Cover`` takes."""
        row = {item: color or None for item, color in self.option(k)}
        if self.weighted:
            row |= {item: times for item, times in Counter(item for item, _ in self.option(k)).items() if times > 1}
        return row

    def origin(self, item: int) -> int:
        """Return the number of an item in the model."""
        return self.origins[item] if self.origins else item

    def bounds(self, item: int) -> Bounds:
        """Return how often a primary item must be covered at least, and may be covered at most."""
        return self.multiplicity.get(item, ONCE)

    def capped(self, item: int) -> Bounds:
        """Return the bounds of a primary item; those that no choice reaches become a little more than any reaches."""
        low, high = self.bounds(item)
        most = 1 + (len(self.entries) if self.weighted else len(self))
        return min(low, most), min(high, most)

    def capped_bounds(self) -> tuple[list[int], list[int]]:
        """Return the least and the greatest capped bound of each primary item; nothing if all are covered once."""
        if not self.multiplicity:
            return [], []
        lows, highs = zip(*map(self.capped, range(self.primary)), strict=True)
        return list(lows), list(highs)

    def list_bounds(self) -> tuple[list[int], list[int]]:
        """Return the least and the greatest capped bound of each item; a secondary item may be covered once."""
        bounds = [*map(self.capped, range(self.primary)), *[(0, 1)] * (self.items - self.primary)]
        return [low for low, _ in bounds], [high for _, high in bounds]

    @check_arguments
    def holders(self, stop: Stop | None = None) -> list[list[tuple[int, int]]]:
        """Return for each item the options that contain it, each with the color that it gives; poll `stop`."""
        holders: list[list[tuple[int, int]]] = [[] for _ in range(self.items)]
        sizes = enumerate(end - start for start, end in pairwise(self.starts))
        owners = chain.from_iterable(starmap(repeat, sizes if stop is None else stop.watch(sizes)))
        for option, item, color in zip(owners, self.entries, self.colors, strict=True):
            holders[item].append((option, color))
        return holders

    def is_solution(self, options: Iterable[int]) -> bool:
        """Return whether options are a solution."""
        times, colors = [0] * self.items, dict[int, int]()
        chosen = [*options]
        for item, color in chain.from_iterable(map(self.option, chosen)):
            times[item] += 1
            if times[item] > 1 and item >= self.primary and not may_share((colors[item], color)):
                return False
            colors[item] = color
        bounds = map(self.bounds, range(self.primary))
        is_cover = len({*chosen}) == len(chosen) and all(
            low <= number <= high for number, (low, high) in zip(times, bounds, strict=False)
        )
        return is_cover and not self.breaks_rules(chosen)

    def breaks_rules(self, options: Collection[int]) -> bool:
        """Return whether these options, and no others, break a rule."""
        return any(stated.find_faults(options) for stated in self.rules)

    def first_underfilled(self) -> tuple[int, int] | None:
        """Return the first primary item that has fewer options than must cover it.

        Returns
        -------
        tuple or None
            The item, and the number of options that contain it; None if every primary item has enough options.
        """
        if not self.multiplicity:
            unheld = set(range(self.primary))
            for begin in range(_STRIDE):
                unheld.difference_update(self.entries[begin::_STRIDE])
                if not unheld:
                    return None
            return min(unheld), 0
        holders = [0] * self.items
        for item in self.entries:
            holders[item] += 1
        underfilled = (item for item in range(self.primary) if holders[item] < self.bounds(item)[0])
        return next(((item, holders[item]) for item in underfilled), None)

    def components(self) -> list[list[int]]:
        """Return the items of each connected component, where options connect the items they contain."""
        parent = list(range(self.items))

        def find(item: int) -> int:
            while parent[item] != item:
                parent[item] = item = parent[parent[item]]
            return item

        left = self.items - 1  # components that can still be joined to others
        passes = (range(begin, len(self), _STRIDE) for begin in range(_STRIDE))  # options of all kinds come early
        for k in chain.from_iterable(passes):
            if not left:
                break
            first, *others = self.entries[self.starts[k] : self.starts[k + 1]]
            root = find(first)
            for other in others:
                if parent[other] != root and (one := find(other)) != root:
                    left -= 1
                    parent[one] = root
        components: dict[int, list[int]] = {}
        for item in range(self.items):
            components.setdefault(find(item), []).append(item)
        return list(components.values())


class MatrixBuilder:
    """Collects options one by one. Items are named by their numbers."""

    def __init__(self, *, weighted: bool = False) -> None:
        self.weighted = weighted
        self.starts = array("q", [0])
        self.entries = array("i")
        self.colors = array("i")

    def append(self, item: int, color: int = 0) -> None:
        """Add an item to the current option."""
        self.entries.append(item)
        self.colors.append(color)

    def close_option(self) -> None:
        """End the current option; the next item starts a new one."""
        self.starts.append(len(self.entries))

    def matrix(
        self,
        items: int,
        primary: int,
        multiplicity: Mapping[int, Bounds] | None = None,
        costs: Sequence[int] = (),
        preferred: frozenset[int] = frozenset(),
        origins: Sequence[int] = (),
        rules: tuple[MatrixRule, ...] = (),
    ) -> Matrix:
        """Return the matrix of the options collected so far; parameters as for :class:`Matrix`."""
        bounds = multiplicity or {}
        arrays = (self.starts, self.entries, self.colors)
        return Matrix(items, primary, *arrays, bounds, costs, preferred, origins, self.weighted, rules)
