"""A stop that interrupts work after some time, so that something else can be tried."""

from __future__ import annotations

import math
from collections.abc import Callable

from exactcover.control.clock import Clock
from exactcover.control.stop import InnerStop, Stop

__all__ = ["Patience"]


class _OutOfPatienceError(Exception):
    """The time for an attempt is over; never leaves this module."""


class Patience(InnerStop):
    """A stop inside another one that can interrupt an attempt, after which the same work may go on.

    Parameters
    ----------
    outer
        The outer stop.
    clock
        What measures the time of attempts; None for the clock of the outer stop.
    """

    def __init__(self, outer: Stop, clock: Clock | None = None) -> None:
        super().__init__(outer)
        self._clock = clock
        self._end = math.inf

    @property
    def clock(self) -> Clock:
        return super().clock if self._clock is None else self._clock

    def attempt(self, seconds: float, work: Callable[[], object]) -> bool:
        """Do some work that polls this stop; return whether it was done after at most about this many seconds."""
        self._end = self.clock.read() + seconds
        try:
            work()
        except _OutOfPatienceError:
            return False
        finally:
            self._end = math.inf
        return True

    def poll(self) -> None:
        super().poll()
        if self.clock.read() >= self._end:
            raise _OutOfPatienceError
