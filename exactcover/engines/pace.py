"""The pace of a native search: how much work it does between two polls of the stop."""

from __future__ import annotations

from collections.abc import Callable

from exactcover.control.clock import REAL_TIME, Clock

__all__ = ["MOST", "Pace"]

MOST = 1024
"""The largest number of solutions fetched at once."""

_SLICE = 0.005  # seconds between two polls of the stop


class Pace:
    """Divides work into slices that take about the same time.

    Parameters
    ----------
    steady
        Whether all slices have the same amount of work instead, so that they do not depend on the clock.
    work
        The amount of work in the first slice, in the units of the step.
    clock
        What measures the time of slices.
    cost
        About how many seconds a unit of work takes.
    """

    def __init__(
        self, *, steady: bool = False, work: int = 1 << 10, clock: Clock = REAL_TIME, cost: float = 0.0
    ) -> None:
        self._work, self._steady, self._clock, self._cost = work, steady, clock, cost

    def advance(self, step: Callable[[int], bool], seconds: float = _SLICE) -> bool:
        """Do one slice of work, and adapt the next one so that a slice takes at most about this many seconds.

        Parameters
        ----------
        step
            Does the given amount of work, and returns whether there is more to do.
        seconds
            The time for a slice.

        Returns
        -------
        bool
            Whether there is more to do.
        """
        start = self._clock.read()
        more = step(self._work)
        self._clock.charge(self._cost * self._work)
        elapsed = self._clock.read() - start
        if self._steady:
            return more
        if elapsed < seconds / 2:
            self._work = min(2 * self._work, 1 << 24)
        elif elapsed > seconds:
            self._work = max(self._work // 2, 1 << 4)
        return more
