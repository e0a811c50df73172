"""Three ways to count, each driven in slices."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

import exactcover._native as _native
from exactcover.control.stop import Stop
from exactcover.engines.pace import Pace

__all__ = ["CountingStrategy", "Memo", "SearchAll", "Sweep"]


_NODES_TO_JUDGE = 1 << 12
_HITS_WORTH_IT = 0.05
_CAUTION = 3  # a sweep does not know how many states later items will bring


class CountingStrategy(ABC):
    """A way to count, driven in slices.

    Attributes
    ----------
    name
        What people call it.
    vague
        Whether its estimate of the time left may be wrong by powers of ten.
    spent
        Seconds so far.
    """

    name: ClassVar[str]
    vague: ClassVar[bool] = False

    def __init__(self, pace: Pace) -> None:
        self.spent = 0.0
        self._pace = pace

    @abstractmethod
    def step(self, seconds: float) -> bool:
        """Go on for at most about this long; return whether there is more."""

    @abstractmethod
    def left(self) -> float:
        """Return how many seconds are left, by the current estimate."""

    @abstractmethod
    def total(self) -> int:
        """Return the number of solutions, once all is done."""

    @abstractmethod
    def memory(self) -> int:
        """Return how many bytes are held."""

    def hopeless(self, most: int) -> bool:
        """Hold at most `most` bytes from now on; return whether there is no use in going on."""
        return False

    @property
    @abstractmethod
    def nodes(self) -> int:
        """How many subproblems or states it has looked at."""

    @property
    @abstractmethod
    def details(self) -> Mapping[str, int | str]:
        """Further counters, by name."""


class SearchAll(CountingStrategy):
    """Count every solution, one by one."""

    name = "search"

    def __init__(self, search: _native.Search) -> None:
        super().__init__(Pace(work=1 << 8))
        search.begin(())
        self._search = search

    def step(self, seconds: float) -> bool:
        return self._pace.advance(lambda work: self._search.advance(work, 1, False), seconds)

    def left(self) -> float:
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
    """Sweep over the items.

    Raises
    ------
    TooLargeError
        If there is too much to remember at some item.
    """

    name, vague = "sweep", True

    def __init__(self, problem: _native.Problem, stop: Stop) -> None:
        super().__init__(Pace(work=1 << 11))
        self._sweep = _native.Frontier(problem, poll=stop.poll)
        self._bits = self._sweep.bits()
        self._left = 0.0  # unknown until it has begun

    def step(self, seconds: float) -> bool:
        began = time.perf_counter()
        more = self._pace.advance(self._sweep.advance, seconds)
        self._left = self._seconds_left(self.spent + time.perf_counter() - began) if more else 0.0
        return more

    def _seconds_left(self, spent: float) -> float:
        """Let the number of states grow as it has so far, or as the bits that tell them apart do: half and half."""
        item, states, waiting = self._sweep.progress()
        now = math.log2(waiting + 1)
        growth, density = now / (item + 1), now / max(1, *self._bits[item : item + 2], 1)
        logs = (min(bits, (now + growth * ahead + density * bits) / 2) for ahead, bits in enumerate(self._bits[item:]))
        return _CAUTION * max(sum(math.exp2(min(log, 200)) for log in logs), waiting) * spent / states

    def left(self) -> float:
        return self._left

    def total(self) -> int:
        return int.from_bytes(self._sweep.total(), "little")

    def memory(self) -> int:
        return self._sweep.memory()

    def hopeless(self, most: int) -> bool:
        return self.memory() > most

    @property
    def nodes(self) -> int:
        return self._sweep.progress()[1]

    @property
    def details(self) -> Mapping[str, int | str]:
        return {"width": max(self._bits, default=0)}


class Memo(CountingStrategy):
    """Search with a memo.

    Raises
    ------
    TooLargeError
        If there are too many options.
    """

    name = "memo"

    def __init__(self, problem: _native.Problem, stop: Stop) -> None:
        super().__init__(Pace(work=1 << 6))
        self._memo = _native.Memo(problem, poll=stop.poll)

    def step(self, seconds: float) -> bool:
        return self._pace.advance(self._memo.advance, seconds)

    def left(self) -> float:
        explored, nodes = self._memo.explored(), self._memo.counters().nodes
        return self.spent / explored - self.spent if explored > 0 else math.inf if nodes > 1 else 0.0

    def total(self) -> int:
        return int.from_bytes(self._memo.total(), "little")

    def memory(self) -> int:
        return self._memo.memory()

    def hopeless(self, most: int) -> bool:
        if self.memory() > most:
            self._memo.thin()
        counters = self._memo.counters()
        return counters.nodes > _NODES_TO_JUDGE and counters.hits + counters.splits < _HITS_WORTH_IT * counters.nodes

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
