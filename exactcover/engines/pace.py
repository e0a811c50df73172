"""How far a native search goes between two looks at the stop."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["MOST", "Pace"]

MOST = 1024
"""Solutions fetched at once."""

_SLICE = 0.005  # seconds between two looks at the stop


class Pace:
    """Goes on by slices of about the same time, or of the same work where it is to be steady."""

    def __init__(self, *, steady: bool = False, work: int = 1 << 10) -> None:
        self._work, self._steady = work, steady

    def advance(self, step: Callable[[int], bool], seconds: float = _SLICE) -> bool:
        """Let `step` work for about so long at most; return what it returns, whether there is more."""
        began = time.perf_counter()
        more = step(self._work)
        took = time.perf_counter() - began
        if self._steady:
            return more
        if took < seconds / 2:
            self._work = min(2 * self._work, 1 << 24)
        elif took > seconds:
            self._work = max(self._work // 2, 1 << 4)
        return more
