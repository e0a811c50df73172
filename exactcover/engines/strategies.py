"""Three strategies to count solutions; each advances in slices."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import ClassVar

import exactcover._native as _native
from exactcover.control.clock import REAL_TIME, Clock
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.control.search_log import TreeRecorder
from exactcover.control.stop import Stop
from exactcover.engines.pace import Pace

__all__ = ["CountingStrategy", "Memo", "SearchAll", "Sweep"]


_SEARCH_COST, _SWEEP_COST, _MEMO_COST = 1e-7, 5e-8, 1e-6  # seconds that a unit of work takes, roughly


class CountingStrategy(ABC):
    """A strategy to count solutions, which advances in slices.

    Attributes
    ----------
    name
        Its name in options and statistics.
    vague
        Whether its estimate of the time left may be wrong by orders of magnitude.
    spent
        Seconds spent so far.
    """

    name: ClassVar[str]
    vague: ClassVar[bool] = False

    def __init__(self, pace: Pace) -> None:
        self.spent = 0.0
        self._pace = pace

    @abstractmethod
    def step(self, seconds: float) -> bool:
        """Continue for at most about this many seconds; return whether there is more to do."""

    @abstractmethod
    def estimate_left(self) -> float:
        """Return the estimated number of seconds that are left."""

    @abstractmethod
    def total(self) -> int:
        """Return the number of solutions; it is complete when :meth:`step` has returned False."""

    @abstractmethod
    def memory(self) -> int:
        """Return how many bytes this strategy holds."""

    def is_hopeless(self, most: Callable[[], int]) -> bool:
        """Reduce the memory if it exceeds `most()` bytes, where possible; return whether it is useless to continue."""
        return False

    @property
    @abstractmethod
    def nodes(self) -> int:
        """The number of subproblems or states visited."""

    @property
    @abstractmethod
    def details(self) -> Mapping[str, int | str]:
        """Further counters, by name."""


class SearchAll(CountingStrategy):
    """A search that visits every solution.

    Parameters
    ----------
    search
        The native search.
    log
        A recorder of its tree, or None.
    clock
        What measures its time.
    """

    name = "search"

    def __init__(self, search: _native.Search, log: TreeRecorder | None = None, clock: Clock = REAL_TIME) -> None:
        super().__init__(Pace(work=1 << 8, clock=clock, cost=_SEARCH_COST))
        if log is not None:
            search.watch(True, log.skips_leaves)
        search.begin(())
        self._search, self._log = search, log

    def step(self, seconds: float) -> bool:
        more = self._pace.advance(lambda work: self._search.advance(work, 1, False), seconds)
        if self._log is not None:
            self._log.extend(self._search.log())
        return more

    def estimate_left(self) -> float:
        explored = self._search.explored()
        return self.spent / explored - self.spent if explored > 0 else math.inf

    def total(self) -> int:
        return self._search.counters().solutions

    def memory(self) -> int:
        return self._search.memory()

    @property
    def nodes(self) -> int:
        return self._search.counters().nodes

    @property
    def details(self) -> Mapping[str, int | str]:
        counters = self._search.counters()
        return {"updates": counters.updates, "compactions": counters.compactions}


class Sweep(CountingStrategy):
    """A sweep over the items.

    Raises
    ------
    TooLargeError
        If the states at some item need too many bits.
    """

    name, vague = "sweep", True

    def __init__(self, problem: _native.Problem, stop: Stop, policy: CountingPolicy = DEFAULT_POLICY) -> None:
        super().__init__(Pace(work=1 << 11, clock=stop.clock, cost=_SWEEP_COST))
        self._clock = stop.clock
        self._policy = policy
        self._sweep = _native.Sweep(problem, poll=stop.poll)
        self._bits = self._sweep.bits()
        self._left = 0.0  # there is no estimate before the first step

    def step(self, seconds: float) -> bool:
        start = self._clock.read()
        more = self._pace.advance(self._sweep.advance, seconds)
        self._left = self._extrapolate(self.spent + self._clock.read() - start) if more else 0.0
        return more

    def _extrapolate(self, spent: float) -> float:
        """Return an estimate of the seconds that are left, given those spent so far.

        The logarithm of the number of states is taken as the mean of two predictions: that it grows per item as it has
        so far, and that it grows with the number of bits that distinguish the states.
        """
        item, states, waiting = self._sweep.progress()
        now = math.log2(waiting + 1)
        growth, density = now / (item + 1), now / max(1, *self._bits[item : item + 2], 1)
        logs = (min(bits, (now + growth * ahead + density * bits) / 2) for ahead, bits in enumerate(self._bits[item:]))
        return self._policy.sweep_caution * max(sum(math.exp2(min(log, 200)) for log in logs), waiting) * spent / states

    def estimate_left(self) -> float:
        return self._left

    def total(self) -> int:
        return int.from_bytes(self._sweep.total(), "little")

    def memory(self) -> int:
        return self._sweep.memory()

    def is_hopeless(self, most: Callable[[], int]) -> bool:
        return self.memory() > most()

    def order(self) -> list[int]:
        """Return the items in the order of the sweep."""
        return self._sweep.order()

    @property
    def nodes(self) -> int:
        return self._sweep.progress()[1]

    @property
    def details(self) -> Mapping[str, int | str]:
        return {"width": max(self._bits, default=0)}


class Memo(CountingStrategy):
    """A search with a memo of the counts of subproblems.

    Raises
    ------
    TooLargeError
        If there are too many options.
    """

    name = "memo"

    def __init__(self, problem: _native.Problem, stop: Stop, policy: CountingPolicy = DEFAULT_POLICY) -> None:
        super().__init__(Pace(work=1 << 6, clock=stop.clock, cost=_MEMO_COST))
        self._policy = policy
        self._memo = _native.Memo(problem, poll=stop.poll)

    def step(self, seconds: float) -> bool:
        return self._pace.advance(self._memo.advance, seconds)

    def estimate_left(self) -> float:
        explored, nodes = self._memo.explored(), self._memo.counters().nodes
        return self.spent / explored - self.spent if explored > 0 else math.inf if nodes > 1 else 0.0

    def total(self) -> int:
        return int.from_bytes(self._memo.total(), "little")

    def memory(self) -> int:
        return self._memo.memory()

    def is_hopeless(self, most: Callable[[], int]) -> bool:
        if self.memory() > most():
            self._memo.thin()
        counters, policy = self._memo.counters(), self._policy
        return (
            counters.nodes > policy.memo_trial and counters.hits + counters.splits < policy.least_hits * counters.nodes
        )

    @property
    def nodes(self) -> int:
        return self._memo.counters().nodes

    @property
    def details(self) -> Mapping[str, int | str]:
        counters = self._memo.counters()
        return {
            "hits": counters.hits,
            "splits": counters.splits,
            "entries": self._memo.entries(),
            "thinned": counters.thinned,
        }
