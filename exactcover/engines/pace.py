"""The pace of a native search: how much work it does between two polls of the stop."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["MAX_BATCH", "Pace"]

MAX_BATCH = 1024
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
    """

    def __init__(self, *, steady: bool = False, work: int = 1 << 10) -> None:
        self._work, self._steady = work, steady

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
        start = time.perf_counter()
        more = step(self._work)
        elapsed = time.perf_counter() - start
        if self._steady:
            return more
        if elapsed < seconds / 2:
            self._work = min(2 * self._work, 1 << 24)
        elif elapsed > seconds:
            self._work = max(self._work // 2, 1 << 4)
        return more
