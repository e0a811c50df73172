"""Clocks: they measure what work takes, in seconds of the processor, or by the amount of work alone."""

from __future__ import annotations

import time

__all__ = ["PROCESSOR_TIME", "Clock", "WorkClock"]

_FINE = 1e-5  # seconds
_read = time.thread_time if time.get_clock_info("thread_time").resolution < _FINE else time.perf_counter


class Clock:
    """A clock that shows the processor time of a thread, or real time where that is measured too roughly."""

    def read(self) -> float:
        """Return the time in seconds since some moment."""
        return _read()

    def charge(self, seconds: float) -> None:
        """Note that work was done which takes about this long."""


class WorkClock(Clock):
    """A clock that shows how long the work done so far takes, as charged.

    What is decided by such a clock is the same on every machine, whatever else that machine does. Searches, sweeps and
    memos are charged about twice the time that they take on a fast machine.

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


PROCESSOR_TIME = Clock()
"""The clock of all work that does not say otherwise."""
