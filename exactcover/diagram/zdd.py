"""Zero-suppressed decision diagrams over levels 0, 1, 2, ...: families of sets as integers.

A node stands for the sets of its `lo`, and those of its `hi` with its level besides. Levels ascend downwards, no `hi`
is the empty family and no two nodes are alike, so there is one diagram for each family. Sets are ascending tuples;
they come in lexicographic order, a set before those that begin with it.

References
----------
S. Minato, "Zero-suppressed BDDs for set manipulation in combinatorial problems", DAC 1993.
D. E. Knuth, *The Art of Computer Programming* 4A, section 7.1.4.
"""

from __future__ import annotations

import heapq
import math
from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TypeAlias

__all__ = ["EMPTY", "UNIT", "Cost", "Levels", "Zdd", "ZddBuilder"]

Levels: TypeAlias = tuple[int, ...]
Cost: TypeAlias = float  # or anything that can be added and compared, such as Decimal

EMPTY, UNIT = 0, 1
"""The family without a set, and that of the empty set alone; other nodes are numbered from 2 on."""


class Zdd:
    """One family of sets.

    Attributes
    ----------
    height
        How many levels there are.
    level, lo, hi
        Of node k at position k - 2, children before parents.
    root
        The node that stands for the family; the last one, if it is none of both ends.
    """

    def __init__(self, height: int, level: Sequence[int], lo: Sequence[int], hi: Sequence[int], root: int) -> None:
        self.height, self.level, self.lo, self.hi, self.root = height, level, lo, hi, root

    def __len__(self) -> int:
        """How many nodes there are, both ends aside."""
        return len(self.level)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Zdd):
            return NotImplemented
        mine, others = ((d.height, d.root, list(d.level), list(d.lo), list(d.hi)) for d in (self, other))
        return mine == others

    __hash__ = None  # type: ignore[assignment]

    # -- numbers -------------------------------------------------------------------------------

    @cached_property
    def counts(self) -> list[int]:
        """How many sets each node stands for, both ends included."""
        counts = [0, 1]
        for lo, hi in zip(self.lo, self.hi, strict=True):
            counts.append(counts[lo] + counts[hi])
        return counts

    @property
    def count(self) -> int:
        """How many sets there are."""
        return self.counts[self.root]

    @cached_property
    def _holds_empty(self) -> list[bool]:
        """Whether the empty set belongs to each node's family."""
        holds = [False, True]
        for lo in self.lo:
            holds.append(holds[lo])
        return holds

    def marginals(self) -> list[int]:
        """Return for each level how many sets hold it."""
        counts, ways, found = self.counts, [0] * (len(self) + 2), [0] * self.height
        ways[self.root] = 1
        for node in range(len(self) + 1, 1, -1):
            level, lo, hi, here = self.level[node - 2], self.lo[node - 2], self.hi[node - 2], ways[node]
            found[level] += here * counts[hi]
            ways[lo] += here
            ways[hi] += here
        return found

    def widths(self) -> list[int]:
        """Return how many nodes each level has."""
        widths = [0] * self.height
        for level in self.level:
            widths[level] += 1
        return widths

    # -- sets ----------------------------------------------------------------------------------

    def __contains__(self, levels: Collection[int]) -> bool:
        wanted, node = sorted(levels), self.root
        position = 0
        while node > UNIT:
            level = self.level[node - 2]
            if position < len(wanted) and wanted[position] == level:
                node, position = self.hi[node - 2], position + 1
            else:
                node = self.lo[node - 2]
        return node == UNIT and position == len(wanted)

    def __iter__(self) -> Iterator[Levels]:
        waiting: list[tuple[int, Levels, bool]] = [(self.root, (), False)]
        holds_empty = self._holds_empty
        while waiting:
            node, chosen, seen = waiting.pop()
            if not seen and holds_empty[node]:
                yield chosen
            if node > UNIT:
                waiting.append((self.lo[node - 2], chosen, True))
                waiting.append((self.hi[node - 2], (*chosen, self.level[node - 2]), False))

    def nth(self, k: int) -> Levels:
        """Return the set at position k, from 0."""
        counts, node, seen = self.counts, self.root, False
        chosen: list[int] = []
        while True:
            if not seen and self._holds_empty[node]:
                if k == 0:
                    return tuple(chosen)
                k, seen = k - 1, True
            hi = self.hi[node - 2]
            if k < counts[hi]:
                chosen.append(self.level[node - 2])
                node, seen = hi, False
            else:
                k -= counts[hi]
                node = self.lo[node - 2]

    def cheapest(self, costs: Sequence[Cost]) -> Iterator[tuple[Cost, Levels]]:
        """Yield sets with their costs, the cheapest first, equal ones in their order.

        The next set takes time linear in the depth of the diagram, but for the heap.
        """
        least: list[Cost] = [math.inf, 0]
        for level, lo, hi in zip(self.level, self.lo, self.hi, strict=True):
            least.append(min(least[lo], costs[level] + least[hi]))
        if self.root == EMPTY:
            return
        # Ways down: what the cheapest set there costs, the first it can be, how far down, what is paid and chosen.
        nothing: tuple[Cost, Levels] = (0, ())
        waiting = [(least[self.root], self._first((), self.root), self.root, *nothing)]
        while waiting:
            bound, _, node, paid, chosen = heapq.heappop(waiting)
            if node == UNIT:
                yield bound, chosen
                continue
            level, lo, hi = self.level[node - 2], self.lo[node - 2], self.hi[node - 2]
            dearer, longer = paid + costs[level], (*chosen, level)
            heapq.heappush(waiting, (dearer + least[hi], self._first(longer, hi), hi, dearer, longer))
            if lo != EMPTY:
                heapq.heappush(waiting, (paid + least[lo], self._first(chosen, lo), lo, paid, chosen))

    def _first(self, chosen: Levels, node: int) -> Levels:
        return chosen if self._holds_empty[node] else (*chosen, self.level[node - 2])

    # -- other diagrams ------------------------------------------------------------------------

    def restrict(self, inside: Collection[int], outside: Collection[int]) -> Zdd:
        """Return the sets that hold all of `inside` and none of `outside`."""
        wanted, unwanted = set(inside), set(outside)
        before = [0]  # how many of the wanted come before each level
        for level in range(self.height):
            before.append(before[-1] + (level in wanted))
        builder = ZddBuilder(self.height)
        kept = [EMPTY, UNIT]

        def below(child: int, after: int) -> int:
            """Return what is kept of a child, which must skip no wanted level between."""
            level = self.height if child <= UNIT else self.level[child - 2]
            return kept[child] if before[level] == before[after] else EMPTY

        for level, lo, hi in zip(self.level, self.lo, self.hi, strict=True):
            with_it = EMPTY if level in unwanted else below(hi, level + 1)
            without = EMPTY if level in wanted else below(lo, level + 1)
            kept.append(builder.node(level, without, with_it))
        return builder.zdd(below(self.root, 0))

    def including(self, levels: Iterable[int]) -> Zdd:
        """Return each set with all of these levels besides, none of which occurs in the diagram."""
        more = sorted(levels)
        builder = ZddBuilder(self.height)
        numbers = [EMPTY, UNIT]

        def below(child: int, after: int) -> int:
            """Return what a child becomes, with the new levels that come before it."""
            end = self.height if child <= UNIT else self.level[child - 2]
            node = numbers[child]
            for level in reversed(more[bisect_left(more, after) : bisect_left(more, end)]):
                node = builder.node(level, EMPTY, node)
            return node

        for level, lo, hi in zip(self.level, self.lo, self.hi, strict=True):
            numbers.append(builder.node(level, below(lo, level + 1), below(hi, level + 1)))
        return builder.zdd(below(self.root, 0))

    def combine(self, other: Zdd, both: Callable[[bool, bool], bool]) -> Zdd:
        """Return the sets for which `both` holds of whether they are here and whether they are there.

        It takes at most time linear in the product of the numbers of nodes.
        """
        builder = ZddBuilder(self.height)
        one, two = builder.copy(self), builder.copy(other)
        first, second = both(True, False), both(False, True)
        here, there, alike = (builder.kept(f) for f in (first, second, both(True, True)))

        def simple(f: int, g: int) -> int | None:
            if f == g:
                return alike(f)
            return there(g) if f == EMPTY else here(f) if g == EMPTY else None

        return builder.zdd(builder.apply(one, two, simple))


class ZddBuilder:
    """Makes nodes, equal ones only once."""

    def __init__(self, height: int) -> None:
        self._height = height
        self._level, self._lo, self._hi = array("I"), array("I"), array("I")
        self._unique: dict[tuple[int, int, int], int] = {}

    def node(self, level: int, lo: int, hi: int) -> int:
        """Return the node for the sets of `lo`, and those of `hi` with `level`."""
        if hi == EMPTY:
            return lo
        key = (level, lo, hi)
        number = self._unique.setdefault(key, len(self._unique) + 2)
        if number == len(self._level) + 2:
            self._level.append(level)
            self._lo.append(lo)
            self._hi.append(hi)
        return number

    def copy(self, zdd: Zdd) -> int:
        """Take over the nodes of a diagram; return its root."""
        numbers = [EMPTY, UNIT]
        for level, lo, hi in zip(zdd.level, zdd.lo, zdd.hi, strict=True):
            numbers.append(self.node(level, numbers[lo], numbers[hi]))
        return numbers[zdd.root]

    @staticmethod
    def kept(wanted: bool) -> Callable[[int], int]:
        """Return what keeps a family, or drops it."""
        return (lambda f: f) if wanted else (lambda f: EMPTY)

    def apply(self, f: int, g: int, simple: Callable[[int, int], int | None]) -> int:
        """Combine two families level by level, down to pairs that are simple; the stack is our own."""
        known: dict[tuple[int, int], int] = {}
        tasks = [(f, g)]
        while tasks:
            f, g = pair = tasks[-1]
            result = known.get(pair)
            if result is None:
                result = simple(f, g)
            if result is None:
                level = min(self._level_of(f), self._level_of(g))
                (f_lo, f_hi), (g_lo, g_hi) = self._split(f, level), self._split(g, level)
                lo, hi = known.get((f_lo, g_lo)), known.get((f_hi, g_hi))
                if lo is None or hi is None:
                    tasks += [child for child, done in (((f_lo, g_lo), lo), ((f_hi, g_hi), hi)) if done is None]
                    continue
                result = self.node(level, lo, hi)
            known[pair] = result
            tasks.pop()
        return known[pair]

    def _level_of(self, node: int) -> int:
        return self._height if node <= UNIT else self._level[node - 2]

    def _split(self, node: int, level: int) -> tuple[int, int]:
        """Return the sets of a family without a level, and with it."""
        return (self._lo[node - 2], self._hi[node - 2]) if self._level_of(node) == level else (node, EMPTY)

    def family(self, sets: Sequence[Levels]) -> int:
        """Return the family of sets that are in their order, all different."""
        tails = [EMPTY]  # tails[d]: how those sets go on that begin like the one at hand, d levels, and follow it
        for position in range(len(sets) - 1, -1, -1):
            chosen, before = sets[position], sets[position - 1] if position else ()
            tails += [EMPTY] * (len(chosen) + 1 - len(tails))
            tails[-1] = self.apply(tails[-1], UNIT, _union)
            common = next((d for d, level in enumerate(before) if chosen[d : d + 1] != (level,)), len(before))
            for d in range(len(chosen), common, -1):
                tail = tails.pop()
                tails[d - 1] = self.node(chosen[d - 1], tails[d - 1], tail)
        return tails[0]

    def zdd(self, root: int) -> Zdd:
        """Return the diagram below a node, numbered anew."""
        found = ZddBuilder(self._height)
        numbers = {EMPTY: EMPTY, UNIT: UNIT}
        path = [root]
        while path:
            top = path[-1]
            if top not in numbers:
                level, lo, hi = self._level[top - 2], self._lo[top - 2], self._hi[top - 2]
                open_child = next((child for child in (lo, hi) if child not in numbers), None)
                if open_child is not None:
                    path.append(open_child)
                    continue
                numbers[top] = found.node(level, numbers[lo], numbers[hi])
            path.pop()
        return Zdd(self._height, found._level, found._lo, found._hi, numbers[root])


def _union(f: int, g: int) -> int | None:
    return f if f == g or g == EMPTY else g if f == EMPTY else None
