"""The native ways to count: a search, a sweep and a memo.

- *search* visits every solution (:mod:`exactcover.engines.native`).
- *sweep* covers the items in a fixed order. Partial solutions with the same remaining work are merged, and their count
  is stored. It is the fastest on boards and graphs of small width.
- *memo* searches, but stores the count of each subproblem, and splits subproblems into independent parts.

All three count in whole numbers of any size.

References
----------
M. Nishino, N. Yasuda, S. Minato, M. Nagata, "Dancing with decision diagrams", AAAI 2017.
D. E. Knuth, *The Art of Computer Programming* 4B, section 7.2.2.1, Algorithm Z.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import exactcover._native as _native
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.engines.leaves import DivisibleLeaf, Leaf, TooLargeError
from exactcover.engines.native_subtrees import NativeSubtreeSearch
from exactcover.engines.trees import ROOT, Subtree

__all__ = ["Memo", "SearchAll", "Sweep"]


class SearchAll(DivisibleLeaf):
    """A search that visits every solution below a node.

    Parameters
    ----------
    make
        Makes the native search, or returns one that has ended.
    subtree
        What is searched first.
    """

    name, seconds_per_work = "search", 1e-7

    def __init__(self, make: Callable[[], NativeSubtreeSearch], subtree: Subtree = ROOT) -> None:
        super().__init__(1 << 8)
        self._make, self._subtree = make, subtree
        self._search: NativeSubtreeSearch | None = None
        self._begun = False
        self._earlier = 0, 0  # solutions and nodes of the search before it was made for this leaf

    def begin(self, subtree: Subtree) -> None:
        self._subtree, self._begun = subtree, False

    def take_rest(self) -> list[list[Subtree]]:
        return [] if self._search is None else self._search.divide()

    def make_another(self, subtree: Subtree) -> SearchAll:
        return SearchAll(self._make, subtree)

    def prepare(self) -> None:
        if self._search is None:
            self._search = self._make()
            self._earlier = self._search.solutions, self._search.nodes
        if not self._begun:
            self._search.begin(self._subtree)
            self._begun = True

    def work(self, amount: int) -> bool:
        assert self._search is not None
        return self._search.work(amount, listing=False)

    def explored(self) -> float:
        return 0.0 if self._search is None else self._search.explored()

    def total(self) -> int:
        return 0 if self._search is None else self._search.solutions - self._earlier[0]

    found = total

    def memory(self) -> int:
        return 0 if self._search is None else self._search.memory()

    @property
    def nodes(self) -> int:
        return 0 if self._search is None else self._search.nodes - self._earlier[1]

    @property
    def details(self) -> Mapping[str, int | str]:
        return {} if self._search is None else self._search.details


class Sweep(Leaf):
    """A sweep over the items."""

    name = rule = "sweep"
    vague, seconds_per_work = True, 5e-8

    def __init__(self, make: Callable[[], _native.Sweep], policy: CountingPolicy = DEFAULT_POLICY) -> None:
        super().__init__(1 << 11)
        self._make, self._policy = make, policy
        self._sweep: _native.Sweep | None = None
        self._bits: list[int] = []
        self._is_done = False

    def work(self, amount: int) -> bool:
        if self._sweep is None:
            try:
                self._sweep = self._make()
            except _native.TooLargeError as error:
                raise TooLargeError(str(error)) from None
            self._bits = self._sweep.bits()
        more = self._sweep.advance(amount)
        self._is_done = not more
        return more

    def left(self) -> float:
        """Return an estimate of the seconds that are left.

        The logarithm of the number of states is taken as the mean of two predictions: that it grows per item as it has
        so far, and that it grows with the number of bits that distinguish the states.
        """
        if self._sweep is None or self._is_done:
            return 0.0  # nothing is known before it begins
        item, states, waiting = self._sweep.progress()
        now = math.log2(waiting + 1)
        growth, density = now / (item + 1), now / max(1, *self._bits[item : item + 2], 1)
        logs = (min(bits, (now + growth * ahead + density * bits) / 2) for ahead, bits in enumerate(self._bits[item:]))
        expected = max(sum(math.exp2(min(log, 200)) for log in logs), waiting)
        return self._policy.sweep_caution * expected * self.spent / max(1, states)

    def left_for_sure(self) -> float:
        is_early = self._sweep is None or 2 * self._sweep.progress()[0] < len(self._bits)
        return math.inf if is_early else self.left()

    def explored(self) -> float:
        left = self.left()
        return self.spent / (self.spent + left) if self.spent > 0 else 0.0

    def total(self) -> int:
        return 0 if self._sweep is None else int.from_bytes(self._sweep.total(), "little")

    def memory(self) -> int:
        return 0 if self._sweep is None else self._sweep.memory()

    def is_hopeless(self, most_memory: Callable[[], int]) -> bool:
        return self.memory() > most_memory()

    def item_order(self) -> list[int]:
        return [] if self._sweep is None else self._sweep.order()

    @property
    def nodes(self) -> int:
        return 0 if self._sweep is None else self._sweep.progress()[1]

    @property
    def details(self) -> Mapping[str, int | str]:
        return {"width": max(self._bits, default=0)}


class Memo(Leaf):
    """A search with a memo of the counts of subproblems."""

    name = rule = "memo"

    def __init__(self, make: Callable[[], _native.Memo], policy: CountingPolicy, seconds_per_work: float) -> None:
        super().__init__(1 << 6)
        self._make, self._policy, self.seconds_per_work = make, policy, seconds_per_work
        self._memo: _native.Memo | None = None

    def work(self, amount: int) -> bool:
        if self._memo is None:
            try:
                self._memo = self._make()
            except _native.TooLargeError as error:
                raise TooLargeError(str(error)) from None
        return self._memo.advance(amount)

    def left(self) -> float:
        if self._memo is None or self._memo.counters().nodes <= 1:
            return 0.0  # nothing is known before it begins
        return super().left()

    def left_for_sure(self) -> float:
        return super().left()

    def explored(self) -> float:
        return 0.0 if self._memo is None else self._memo.explored()

    def total(self) -> int:
        return 0 if self._memo is None else int.from_bytes(self._memo.total(), "little")

    def memory(self) -> int:
        return 0 if self._memo is None else self._memo.memory()

    def is_hopeless(self, most_memory: Callable[[], int]) -> bool:
        if self._memo is None:
            return False
        if self.memory() > most_memory():
            self._memo.thin()
        counters, policy = self._memo.counters(), self._policy
        return (
            counters.nodes > policy.memo_trial and counters.hits + counters.splits < policy.least_hits * counters.nodes
        )

    @property
    def nodes(self) -> int:
        return 0 if self._memo is None else self._memo.counters().nodes

    @property
    def details(self) -> Mapping[str, int | str]:
        if self._memo is None:
            return {}
        counters = self._memo.counters()
        return {
            "hits": counters.hits,
            "splits": counters.splits,
            "entries": self._memo.entries(),
            "thinned": counters.thinned,
        }
