"""Counting with whatever gets there first: three ways to count, and who goes on next.

- *search*: visit every solution (:mod:`exactcover.engines.native`).
- *sweep*: deal with the items in a fixed order; partial solutions that leave the same to do are one state with a
  number. Wins on boards and graphs of small width.
- *memo*: search, but remember what each remaining problem came to, and take apart what falls apart.

None of them is always the quickest, and which one is shows only on the way. So each gets some time, the more the
sooner it seems to be done; that estimate is worked out again after each turn. Numbers are whole numbers of any size
in all three.

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
from exactcover.engines.strategies import Contender, SearchAll
from exactcover.errors import EngineUnavailableError

__all__ = ["Contest"]

_FIRST_TURN = 0.0001  # seconds
_SLICE = 0.005  # seconds between two looks at the stop
_TURN = 0.1  # of the time spent so far
_SHARE = 0.2  # of the time, for who seems as good as the best
_LEAST_SHARE = 0.01
_CHANCE = 0.08  # of the time that the best seems to take in all, for one whose estimate is vague
_HOPELESS = 1e5  # times as long as the best


class Contest:
    """Contenders for one number.

    Parameters
    ----------
    makers
        What makes the contenders, the first to go first; each may raise ``TooLargeError``.
    patience
        Seconds that pass before another contender is made.
    memory
        How many bytes they may hold together.
    """

    def __init__(self, makers: Sequence[Callable[[], Contender]], patience: float, memory: int, stop: Stop) -> None:
        self._makers, self._patience, self._memory, self._stop = list(makers), patience, memory, stop
        self._there: list[Contender] = []
        self._gone: list[Contender] = []
        self._winner: Contender | None = None
        self._limits: list[str] = []  # of those that cannot take part

    def count(self) -> int:
        """Return the number; raises ``Stopped``, after which it can be called again to go on.

        Raises
        ------
        EngineUnavailableError
            If the problem is too large for every contender.
        """
        while self._winner is None:
            self._stop.poll()
            self._admit()
            contender = self._next()
            if not self._turn(contender):
                self._winner = contender
            elif contender.hopeless(self._memory // 2) and (len(self._there) > 1 or self._makers):
                self._there.remove(contender)
                self._gone.append(contender)
        return self._winner.total()

    def _admit(self) -> None:
        """Make another contender, if there is none or it is time for one."""
        while self._makers and (
            not self._there or self._spent() > self._patience * (len(self._there) + len(self._gone))
        ):
            began = time.perf_counter()
            try:
                contender = self._makers[0]()
            except _native.TooLargeError as error:
                self._limits.append(str(error))
                del self._makers[0]
                if not self._there and not self._makers:
                    raise EngineUnavailableError(
                        f"the problem is too large to be counted this way: {'; '.join(self._limits)}"
                    ) from None
                continue
            del self._makers[0]
            contender.spent = time.perf_counter() - began
            self._there.append(contender)

    def _next(self) -> Contender:
        """Return whose turn it is: who seems to be done first, unless another has had less than its share.

        Where the best has a long way to go, one whose estimate is vague gets a part of that at once, as long as that is
        no more than the best has had.
        """
        best = min(self._there, key=lambda contender: contender.left())
        soonest, spent = best.left(), self._spent()
        chance = min(best.spent, _CHANCE * (best.spent + soonest))
        for contender in self._there:
            left = contender.left()
            alike = soonest / left if soonest < left < math.inf else float(left < math.inf)
            share = max(_LEAST_SHARE, _SHARE * alike) * spent
            if contender.vague and left < _HOPELESS * soonest:
                share = max(share, chance)
            if contender is not best and contender.spent < share:
                return contender
        return best

    def _turn(self, contender: Contender) -> bool:
        seconds = max(_FIRST_TURN, _TURN * self._spent())
        end, more = contender.spent + seconds, True
        while more and contender.spent < end:
            self._stop.poll()
            began = time.perf_counter()
            more = contender.step(min(seconds, _SLICE))
            contender.spent += time.perf_counter() - began
        return more

    def _spent(self) -> float:
        return sum(contender.spent for contender in (*self._there, *self._gone))

    @property
    def leader(self) -> Contender | None:
        """Who was first, or else seems to be done first."""
        return self._winner or min(self._there, key=lambda contender: contender.left(), default=None)

    def seen(self) -> int:
        """Return how many solutions there are at least."""
        return max((c.total() for c in self._there if isinstance(c, SearchAll)), default=0)

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
        return sum(contender.nodes for contender in (*self._there, *self._gone))

    @property
    def details(self) -> Mapping[str, int | str]:
        """Who leads, and its counters."""
        leader = self.leader
        if leader is None:
            return {}
        return {"strategy": leader.name, **leader.details, "memory": sum(one.memory() for one in self._there)}
