"""Zero-suppressed decision diagrams over levels 0, 1, 2, ...; they represent families of sets of levels.

A node stands for the sets of its `lo`, and the sets of its `hi` with the level of the node added. Levels increase from
the top down, no `hi` is the empty family, and no two nodes are equal, so each family has exactly one diagram. Sets are
ascending tuples. They come in lexicographic order; a set comes before those that begin with it.

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

from exactcover.control.arguments import check_arguments
from exactcover.control.stop import Stop

Levels: TypeAlias = tuple[int, ...]
Cost: TypeAlias = float  # or anything that can be added and compared, such as Decimal

EMPTY, UNIT = 0, 1
"""The terminal nodes: the family without any set, and the family of the empty set alone. Other nodes begin at 2."""


class Zdd:
    """The diagram of one family of sets.

    Attributes
    ----------
    height
        The number of levels.
    level, lo, hi
        The level and the two children of each node. Node k is at position k - 2; children come before their parents.
    root
        The node that stands for the family: the last node, or a terminal node.
    """

    def __init__(self, height: int, level: Sequence[int], lo: Sequence[int], hi: Sequence[int], root: int) -> None:
        self.height, self.level, self.lo, self.hi, self.root = height, level, lo, hi, root

    def __len__(self) -> int:
        """Return the number of nodes, without the two terminal nodes."""
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
        """The number of sets for which each node stands, beginning with the two terminal nodes."""
        return self._count_sets(zip(self.lo, self.hi, strict=True))

    @check_arguments
    def count_sets(self, stop: Stop) -> int:
        """Return the number of sets; poll `stop`, since numbers can be large."""
        self.counts = self._count_sets(stop.watch(zip(self.lo, self.hi, strict=True)))
        return self.count

    def _count_sets(self, children: Iterable[tuple[int, int]]) -> list[int]:
        counts = [0, 1]
        for lo, hi in children:
            counts.append(counts[lo] + counts[hi])
        return counts

    @property
    def count(self) -> int:
        """The number of sets."""
        return self.counts[self.root]

    @cached_property
    def _contains_empty(self) -> list[bool]:
        """Flags by node: True if the family of the node contains the empty set."""
        contains = [False, True]
        for lo in self.lo:
            contains.append(contains[lo])
        return contains

    def marginals(self) -> list[int]:
        """Return how many sets contain each level."""
        counts, paths, marginals = self.counts, [0] * (len(self) + 2), [0] * self.height
        paths[self.root] = 1
        for node in range(len(self) + 1, 1, -1):
            level, lo, hi, here = self.level[node - 2], self.lo[node - 2], self.hi[node - 2], paths[node]
            marginals[level] += here * counts[hi]
            paths[lo] += here
            paths[hi] += here
        return marginals

    def widths(self) -> list[int]:
        """Return the number of nodes at each level."""
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
        waiting: list[tuple[int, Levels, bool]] = [(self.root, (), False)]  # node, levels above it, whether yielded
        contains_empty = self._contains_empty
        while waiting:
            node, chosen, yielded = waiting.pop()
            if not yielded and contains_empty[node]:
                yield chosen
            if node > UNIT:
                waiting.append((self.lo[node - 2], chosen, True))
                waiting.append((self.hi[node - 2], (*chosen, self.level[node - 2]), False))

    @check_arguments
    def nth(self, k: int) -> Levels:
        """Return the set at position k, counted from 0.

        Raises
        ------
        IndexError
            If there is no such set.
        """
        if not 0 <= k < self.count:
            raise IndexError(f"k must be at least 0 and less than the number of sets, {self.count}; got {k}")
        counts, node, passed = self.counts, self.root, False  # whether the set of the levels so far was passed
        chosen: list[int] = []
        while True:
            if not passed and self._contains_empty[node]:
                if k == 0:
                    return tuple(chosen)
                k, passed = k - 1, True
            hi = self.hi[node - 2]
            if k < counts[hi]:
                chosen.append(self.level[node - 2])
                node, passed = hi, False
            else:
                k -= counts[hi]
                node = self.lo[node - 2]

    @check_arguments
    def cheapest(self, costs: Sequence[Cost]) -> Iterator[tuple[Cost, Levels]]:
        """Yield the costs and the sets, the cheapest first; ties are in lexicographic order.

        Each set takes time linear in the depth of the diagram, apart from the operations on the heap.

        Parameters
        ----------
        costs
            The cost of each level.

        Raises
        ------
        ValueError
            If there are not as many costs as levels.
        """
        if len(costs) != self.height:
            raise ValueError(f"costs must contain one for each of the {self.height} levels; got {len(costs)}")
        return self._list_cheapest(costs)

    def _list_cheapest(self, costs: Sequence[Cost]) -> Iterator[tuple[Cost, Levels]]:
        least: list[Cost] = [math.inf, 0]
        for level, lo, hi in zip(self.level, self.lo, self.hi, strict=True):
            least.append(min(least[lo], costs[level] + least[hi]))
        if self.root == EMPTY:
            return
        # Partial paths: least cost of a set below, start of the first of these sets, node, cost so far, levels so far.
        nothing: tuple[Cost, Levels] = (0, ())
        waiting = [(least[self.root], self._start_of_first((), self.root), self.root, *nothing)]
        while waiting:
            bound, _, node, paid, chosen = heapq.heappop(waiting)
            if node == UNIT:
                yield bound, chosen
                continue
            level, lo, hi = self.level[node - 2], self.lo[node - 2], self.hi[node - 2]
            more_paid, longer = paid + costs[level], (*chosen, level)
            heapq.heappush(waiting, (more_paid + least[hi], self._start_of_first(longer, hi), hi, more_paid, longer))
            if lo != EMPTY:
                heapq.heappush(waiting, (paid + least[lo], self._start_of_first(chosen, lo), lo, paid, chosen))

    def _start_of_first(self, chosen: Levels, node: int) -> Levels:
        """Return how the lexicographically first set begins that contains `chosen` and continues below `node`."""
        return chosen if self._contains_empty[node] else (*chosen, self.level[node - 2])

    # -- other diagrams ------------------------------------------------------------------------

    @check_arguments
    def restrict(self, inside: Collection[int], outside: Collection[int]) -> Zdd:
        """Return the family of the sets that contain all levels of `inside` and none of `outside`."""
        wanted, unwanted = set(inside), set(outside)
        before = [0]  # how many wanted levels come before each level
        for level in range(self.height):
            before.append(before[-1] + (level in wanted))
        builder = ZddBuilder(self.height)
        restricted = [EMPTY, UNIT]

        def restrict_child(child: int, first: int) -> int:
            """Return the restriction of a child; it is empty if a wanted level from `first` on is skipped before it."""
            level = self.height if child <= UNIT else self.level[child - 2]
            return restricted[child] if before[level] == before[first] else EMPTY

        for level, lo, hi in zip(self.level, self.lo, self.hi, strict=True):
            with_level = EMPTY if level in unwanted else restrict_child(hi, level + 1)
            without_level = EMPTY if level in wanted else restrict_child(lo, level + 1)
            restricted.append(builder.node(level, without_level, with_level))
        return builder.zdd(restrict_child(self.root, 0))

    @check_arguments
    def add_levels(self, levels: Iterable[int]) -> Zdd:
        """Return the family in which all these levels are added to each set; none of them may occur in the diagram."""
        added = sorted(levels)
        builder = ZddBuilder(self.height)
        numbers = [EMPTY, UNIT]

        def extend_child(child: int, first: int) -> int:
            """Return a child below new nodes, one for each added level from `first` on that comes before it."""
            end = self.height if child <= UNIT else self.level[child - 2]
            node = numbers[child]
            for level in reversed(added[bisect_left(added, first) : bisect_left(added, end)]):
                node = builder.node(level, EMPTY, node)
            return node

        for level, lo, hi in zip(self.level, self.lo, self.hi, strict=True):
            numbers.append(builder.node(level, extend_child(lo, level + 1), extend_child(hi, level + 1)))
        return builder.zdd(extend_child(self.root, 0))

    @check_arguments
    def project(self, levels: Collection[int]) -> Zdd:
        """Return the family of what these levels are in each set; sets that agree there become one."""
        kept, builder = set(levels), ZddBuilder(self.height)
        numbers = [EMPTY, UNIT]
        for level, low, high in zip(self.level, self.lo, self.hi, strict=True):
            lo, hi = numbers[low], numbers[high]
            numbers.append(builder.node(level, lo, hi) if level in kept else builder.apply(lo, hi, _unite))
        return builder.zdd(numbers[self.root])

    @check_arguments
    def combine(self, other: Zdd, rule: Callable[[bool, bool], bool]) -> Zdd:
        """Return the family of the sets to which `rule` applies.

        It takes time at most linear in the product of the numbers of nodes.

        Parameters
        ----------
        other
            A diagram of the same height.
        rule
            Says whether a set belongs to the result, given whether it is in this family and whether it is in the other.
            It is not asked for sets in neither.
        """
        builder = ZddBuilder(self.height)
        first, second = builder.copy(self), builder.copy(other)
        in_first, in_second, in_both = rule(True, False), rule(False, True), rule(True, True)

        def resolve(f: int, g: int) -> int | None:
            if f == g:
                return f if in_both else EMPTY
            if f == EMPTY:
                return g if in_second else EMPTY
            if g == EMPTY:
                return f if in_first else EMPTY
            return None

        return builder.zdd(builder.apply(first, second, resolve))


class ZddBuilder:
    """Makes nodes; equal nodes are made only once."""

    def __init__(self, height: int) -> None:
        self._height = height
        self._level, self._lo, self._hi = array("I"), array("I"), array("I")
        self._unique: dict[tuple[int, int, int], int] = {}

    def node(self, level: int, lo: int, hi: int) -> int:
        """Return the node for the sets of `lo`, and the sets of `hi` with `level` added."""
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
        """Copy the nodes of a diagram; return its root here."""
        numbers = [EMPTY, UNIT]
        for level, lo, hi in zip(zdd.level, zdd.lo, zdd.hi, strict=True):
            numbers.append(self.node(level, numbers[lo], numbers[hi]))
        return numbers[zdd.root]

    def apply(self, f: int, g: int, resolve: Callable[[int, int], int | None]) -> int:
        """Combine two families level by level, with an explicit stack.

        `resolve` returns the result for a pair of nodes, or None if the pair has to be split into its children.
        """
        known: dict[tuple[int, int], int] = {}
        tasks = [(f, g)]
        while tasks:
            f, g = pair = tasks[-1]
            result = known.get(pair)
            if result is None:
                result = resolve(f, g)
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
        """Return the sets of a family that lack a level, and those that contain it, with the level removed."""
        return (self._lo[node - 2], self._hi[node - 2]) if self._level_of(node) == level else (node, EMPTY)

    def family(self, sets: Sequence[Levels]) -> int:
        """Return the family of these sets, which must be different and in lexicographic order."""
        # tails[d] is the family of the ends, after d levels, of the later sets that share these d levels.
        tails = [EMPTY]
        for position in range(len(sets) - 1, -1, -1):
            chosen, before = sets[position], sets[position - 1] if position else ()
            tails += [EMPTY] * (len(chosen) + 1 - len(tails))
            tails[-1] = self.apply(tails[-1], UNIT, _unite)
            common = next((d for d, level in enumerate(before) if chosen[d : d + 1] != (level,)), len(before))
            for d in range(len(chosen), common, -1):
                tail = tails.pop()
                tails[d - 1] = self.node(chosen[d - 1], tails[d - 1], tail)
        return tails[0]

    def zdd(self, root: int) -> Zdd:
        """Return the diagram below a node, with its nodes renumbered."""
        builder = ZddBuilder(self._height)
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
                numbers[top] = builder.node(level, numbers[lo], numbers[hi])
            path.pop()
        return Zdd(self._height, builder._level, builder._lo, builder._hi, numbers[root])


def _unite(f: int, g: int) -> int | None:
    return f if f == g or g == EMPTY else g if f == EMPTY else None
