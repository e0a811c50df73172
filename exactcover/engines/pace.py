"""How far a native search goes between two looks at the stop."""

from __future__ import annotations

import time

import exactcover._native as _native

__all__ = ["MOST", "Pace"]

MOST = 1024
"""Solutions fetched at once."""

_SLICE = 0.005  # seconds between two looks at the stop


class Pace:
    """Advances a search by slices of about the same time, or of the same work where it is to be steady."""

    def __init__(self, *, steady: bool = False) -> None:
        self._work, self._steady = 1 << 10, steady

    def advance(self, search: _native.Search, most: int, *, listing: bool) -> bool:
        """Search for about one slice, or until `most` solutions wait; return whether there is more."""
        began = time.perf_counter()
        more = search.advance(self._work, most, listing)
        took = time.perf_counter() - began
        if self._steady:
            return more
        if took < _SLICE / 2:
            self._work = min(2 * self._work, 1 << 24)
        elif took > _SLICE:
            self._work = max(self._work // 2, 1 << 6)
        return more
