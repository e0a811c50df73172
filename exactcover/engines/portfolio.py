"""Counting with a portfolio of strategies: three ways to count, and the rule that shares the time among them.

- *search*: visits every solution (:mod:`exactcover.engines.native`).
- *sweep*: covers the items in a fixed order. Partial solutions with the same remaining work are merged, and their
  count is stored. It is the fastest on boards and graphs of small width.
- *memo*: searches, but stores the count of each subproblem, and splits subproblems into independent parts.

None of them is always the fastest, and which one is fastest shows only while they run. So they run in turn; those
expected to finish sooner get longer turns. The estimates are updated after each turn. All three count in whole numbers
of any size.

References
----------
M. Nishino, N. Yasuda, S. Minato, M. Nagata, "Dancing with decision diagrams", AAAI 2017.
D. E. Knuth, *The Art of Computer Programming* 4B, section 7.2.2.1, Algorithm Z.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import exactcover._native as _native
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.control.stop import Stop
from exactcover.engines.strategies import CountingStrategy, SearchAll
from exactcover.errors import EngineUnavailableError

__all__ = ["Portfolio"]

_SLICE = 0.005  # seconds between two polls of the stop


class Portfolio:
    """A portfolio of strategies that count the same solutions.

    Parameters
    ----------
    makers
        Functions that make the strategies, in the order in which these start; each may raise ``TooLargeError``.
    patience
        Seconds that are spent for each strategy made so far before another one is made.
    memory
        Returns about how many bytes the strategies may hold in total; called when that matters.
    stop
        Polled often.
    policy
        Who gets how much of the time.
    """

    def __init__(
        self,
        makers: Sequence[Callable[[], CountingStrategy]],
        patience: float,
        memory: Callable[[], int],
        stop: Stop,
        policy: CountingPolicy = DEFAULT_POLICY,
    ) -> None:
        self._policy = policy
        self._makers, self._patience, self._memory, self._stop = list(makers), patience, memory, stop
        self._running: list[CountingStrategy] = []
        self._dropped: list[CountingStrategy] = []
        self._winner: CountingStrategy | None = None
        self._limits: list[str] = []  # why some strategies cannot be used

    def count(self) -> int:
        """Return the number of solutions.

        Raises
        ------
        Stopped
            If the stop asks for it; another call then continues.
        EngineUnavailableError
            If the problem is too large for every strategy.
        """
        while self._winner is None:
            self._stop.poll()
            self._start_strategies()
            strategy = self._pick_strategy()
            if not self._run_turn(strategy):
                self._winner = strategy
            elif strategy.is_hopeless(self._half_of_memory) and (len(self._running) > 1 or self._makers):
                self._running.remove(strategy)
                self._dropped.append(strategy)
        return self._winner.total()

    def _start_strategies(self) -> None:
        """Make further strategies while none is running or it is time for another."""
        while self._makers and (not self._running or self._needs_another()):
            start = self._stop.clock.read()
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
            strategy.spent = self._stop.clock.read() - start
            self._running.append(strategy)

    def _needs_another(self) -> bool:
        """Return whether another strategy should be made, which takes about as long as the patience."""
        if self._total_spent() <= self._patience * (len(self._running) + len(self._dropped)):
            return False
        return min(strategy.estimate_left() for strategy in self._running) > self._policy.worth_another * self._patience

    def _pick_strategy(self) -> CountingStrategy:
        """Return the strategy that runs next: the one expected to finish first, unless another is below its share.

        If the best strategy still needs a long time, a strategy with a vague estimate gets a share of that time in
        advance, but no more time than the best strategy has had.
        """
        policy = self._policy
        best = min(self._running, key=lambda strategy: strategy.estimate_left())
        least_left, spent = best.estimate_left(), self._total_spent()
        vague_share = min(best.spent, policy.vague_share * (best.spent + least_left))
        for strategy in self._running:
            left = strategy.estimate_left()
            ratio = least_left / left if least_left < left < math.inf else float(left < math.inf)
            share = max(policy.least_share, policy.rival_strategy_share * ratio) * spent
            if strategy.vague and left < policy.hopeless_factor * least_left:
                share = max(share, vague_share)
            if strategy is not best and strategy.spent < share:
                return strategy
        return best

    def _run_turn(self, strategy: CountingStrategy) -> bool:
        """Run a strategy for one turn; return whether there is more to do."""
        seconds = max(self._policy.first_turn, self._policy.turn_share * self._total_spent())
        end, more = strategy.spent + seconds, True
        while more and strategy.spent < end:
            self._stop.poll()
            start = self._stop.clock.read()
            more = strategy.step(min(seconds, _SLICE))
            strategy.spent += self._stop.clock.read() - start
        return more

    def _half_of_memory(self) -> int:
        """Return how many bytes one strategy may hold."""
        return self._memory() // 2

    def _total_spent(self) -> float:
        return sum(strategy.spent for strategy in (*self._running, *self._dropped))

    @property
    def leader(self) -> CountingStrategy | None:
        """The strategy that has finished, or else the one expected to finish first; None before the start."""
        return self._winner or min(self._running, key=lambda strategy: strategy.estimate_left(), default=None)

    def lower_bound(self) -> int:
        """Return how many solutions have been found so far."""
        strategies = (*self._running, *self._dropped)
        return max((strategy.total() for strategy in strategies if isinstance(strategy, SearchAll)), default=0)

    def explored(self) -> float:
        """Return the estimated share of the work that is done."""
        if self._winner is not None:
            return 1.0
        shares = [strategy.spent / (strategy.spent + left) for strategy, left in self._estimates() if left > 0]
        return max(shares, default=0.0)

    def _estimates(self) -> list[tuple[CountingStrategy, float]]:
        """Return the running strategies, each with the seconds that it is expected to need; 0 if that is not known."""
        return [(strategy, strategy.estimate_left()) for strategy in self._running]

    @property
    def nodes(self) -> int:
        """The number of subproblems and states that all strategies have visited."""
        return sum(strategy.nodes for strategy in (*self._running, *self._dropped))

    @property
    def details(self) -> Mapping[str, int | str]:
        """The name of the leading strategy and its counters."""
        leader = self.leader
        if leader is None:
            return {}
        memory = sum(strategy.memory() for strategy in self._running)
        return {"strategy": leader.name, **leader.details, "memory": memory}
