"""Counting with a portfolio of strategies: three ways to count, and the rule that shares the time among them.

- *search*: visit every solution (:mod:`exactcover.engines.native`).
- *sweep*: deal with the items in a fixed order. Partial solutions with the same remaining work are merged, and their
  number is stored. It wins on boards and graphs of small width.
- *memo*: search, but remember the count of each remaining problem, and split problems that fall into parts.

None of them is always the fastest, and which one is fastest shows only while they run. So they run in turn; those
expected to finish sooner get longer turns, and the estimates are made again after each turn. All three count in whole
numbers of any size.

References
----------
M. Nishino, N. Yasuda, S. Minato, M. Nagata, "Dancing with decision diagrams", AAAI 2017.
D. E. Knuth, *The Art of Computer Programming* 4B, section 7.2.2.1, Algorithm Z.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence

import exactcover._native as _native
from exactcover.control.stop import Stop
from exactcover.engines.strategies import CountingStrategy, SearchAll
from exactcover.errors import EngineUnavailableError

__all__ = ["Portfolio"]

_FIRST_TURN = 0.0001  # seconds
_SLICE = 0.005  # seconds between two looks at the stop
_TURN = 0.1  # of the time spent so far
_SHARE = 0.2  # of the time, for a strategy that seems as good as the best
_LEAST_SHARE = 0.01
_CHANCE = 0.08  # of the time that the best is expected to take, for one whose estimate is vague
_HOPELESS = 1e5  # times as long as the best


class Portfolio:
    """Strategies that count the same solutions.

    Parameters
    ----------
    makers
        Functions that make the strategies, in the order in which they start; each may raise ``TooLargeError``.
    patience
        Seconds that pass before another strategy is made.
    memory
        How many bytes they may hold together.
    """

    def __init__(
        self, makers: Sequence[Callable[[], CountingStrategy]], patience: float, memory: int, stop: Stop
    ) -> None:
        self._makers, self._patience, self._memory, self._stop = list(makers), patience, memory, stop
        self._running: list[CountingStrategy] = []
        self._dropped: list[CountingStrategy] = []
        self._winner: CountingStrategy | None = None
        self._limits: list[str] = []  # why some strategies cannot be used

    def count(self) -> int:
        """Return the number; raises ``Stopped``, after which it can be called again to go on.

        Raises
        ------
        EngineUnavailableError
            If the problem is too large for every strategy.
        """
        while self._winner is None:
            self._stop.poll()
            self._admit()
            strategy = self._next()
            if not self._turn(strategy):
                self._winner = strategy
            elif strategy.hopeless(self._memory // 2) and (len(self._running) > 1 or self._makers):
                self._running.remove(strategy)
                self._dropped.append(strategy)
        return self._winner.total()

    def _admit(self) -> None:
        """Make another strategy, if none is running or it is time for one."""
        while self._makers and (
            not self._running or self._spent() > self._patience * (len(self._running) + len(self._dropped))
        ):
            began = time.perf_counter()
            try:
                strategy = self._makers[0]()
            except _native.TooLargeError as error:
                self._limits.append(str(error))
                del self._makers[0]
                if not self._running and not self._makers:
                    raise EngineUnavailableError(
                        f"the problem is too large to be counted this way: {'; '.join(self._limits)}"
                    ) from None
                continue
            del self._makers[0]
            strategy.spent = time.perf_counter() - began
            self._running.append(strategy)

    def _next(self) -> CountingStrategy:
        """Return the strategy that runs next: the one expected to finish first, unless another is below its share.

        Where the best one has a long way to go, a strategy with a vague estimate gets a part of that time at once, as
        long as this is no more than the best one has had.
        """
        best = min(self._running, key=lambda strategy: strategy.left())
        soonest, spent = best.left(), self._spent()
        chance = min(best.spent, _CHANCE * (best.spent + soonest))
        for strategy in self._running:
            left = strategy.left()
            alike = soonest / left if soonest < left < math.inf else float(left < math.inf)
            share = max(_LEAST_SHARE, _SHARE * alike) * spent
            if strategy.vague and left < _HOPELESS * soonest:
                share = max(share, chance)
            if strategy is not best and strategy.spent < share:
                return strategy
        return best

    def _turn(self, strategy: CountingStrategy) -> bool:
        seconds = max(_FIRST_TURN, _TURN * self._spent())
        end, more = strategy.spent + seconds, True
        while more and strategy.spent < end:
            self._stop.poll()
            began = time.perf_counter()
            more = strategy.step(min(seconds, _SLICE))
            strategy.spent += time.perf_counter() - began
        return more

    def _spent(self) -> float:
        return sum(strategy.spent for strategy in (*self._running, *self._dropped))

    @property
    def leader(self) -> CountingStrategy | None:
        """Who was first, or else seems to be done first."""
        return self._winner or min(self._running, key=lambda strategy: strategy.left(), default=None)

    def seen(self) -> int:
        """Return how many solutions there are at least."""
        return max((c.total() for c in self._running if isinstance(c, SearchAll)), default=0)

    def explored(self) -> float:
        """Return the share of the work that seems to lie behind."""
        leader = self.leader
        if leader is None:
            return 0.0
        left = leader.left()
        return leader.spent / (leader.spent + left) if leader.spent > 0 else 0.0

    @property
    def nodes(self) -> int:
        """How many subproblems and states were looked at in all."""
        return sum(strategy.nodes for strategy in (*self._running, *self._dropped))

    @property
    def details(self) -> Mapping[str, int | str]:
        """Who leads, and its counters."""
        leader = self.leader
        if leader is None:
            return {}
        return {"strategy": leader.name, **leader.details, "memory": sum(one.memory() for one in self._running)}
