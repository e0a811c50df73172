"""Clocks: they measure what work takes, in seconds of real time, or by the amount of work alone."""

from __future__ import annotations

import time

__all__ = ["REAL_TIME", "Clock", "WorkClock"]


class Clock:
    """A clock that shows real time."""

    def read(self) -> float:
        """Return the time in seconds since some moment."""
        return time.perf_counter()

    def charge(self, seconds: float) -> None:
        """Note that work was done which takes about this long."""


class WorkClock(Clock):
    """A clock that shows how long the work done so far takes, as charged.

    What is decided by such a clock is the same on every machine, whatever else that machine does.

    Examples
    --------
    >>> clock = WorkClock()
    >>> clock.charge(0.5)
    >>> clock.read()
    0.5
    """

    def __init__(self) -> None:
        self._seconds = 0.0

    def read(self) -> float:
        return self._seconds

    def charge(self, seconds: float) -> None:
        self._seconds += seconds


REAL_TIME = Clock()
"""The clock of all work that does not say otherwise."""
