"""Progress on standard error: after a second, where it is a terminal."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from exactcover.search import Search
from exactcover.stop import Statistics

if TYPE_CHECKING:  # rich is slow to import, and most searches are over before it is needed
    from rich.live import Live

__all__ = ["Progress"]

_WAIT = 1.0
_REFRESH = 4  # times a second


class Progress:
    """Shows how a search gets on while the block runs; nothing of it stays on the screen."""

    def __init__(self, search: Search, *, shown: bool) -> None:
        self._search = search
        self._shown = shown and sys.stderr is not None and sys.stderr.isatty()
        self._lock = threading.Lock()
        self._live: Live | None = None
        self._timer = threading.Timer(_WAIT, self._start)
        self._timer.daemon = True

    def __enter__(self) -> Progress:
        if self._shown:
            import rich.live  # noqa: F401 - now: beside a search in pure Python it would take seconds

            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._lock:
            self._shown = False
            if self._live is not None:
                self._live.stop()

    @contextmanager
    def make_room(self) -> Iterator[None]:
        """Take the display away while the block prints on the same terminal."""
        if self._live is None:
            yield
            return
        with self._lock:
            self._live.stop()
            yield
            self._live.start()

    def _start(self) -> None:
        from rich.console import Console
        from rich.live import Live

        with self._lock:
            if self._shown:
                self._live = Live(
                    console=Console(stderr=True),
                    get_renderable=lambda: describe(self._search.statistics),
                    refresh_per_second=_REFRESH,
                    transient=True,
                    redirect_stdout=False,
                    redirect_stderr=False,
                )
                self._live.start()


def describe(statistics: Statistics) -> str:
    """Return one line: solutions, nodes, explored share and time left.

    Examples
    --------
    >>> describe(Statistics(solutions=12, nodes=34567, explored=0.25, seconds=60))
    '12 solutions, 34,567 nodes, 25.00% explored, about 3:00 left'
    """
    left = ""
    if statistics.explored > 0.0001:
        seconds = statistics.seconds * (1 - statistics.explored) / statistics.explored
        left = f", about {_clock(seconds)} left"
    return f"{statistics.solutions:,} solutions, {statistics.nodes:,} nodes, {statistics.explored:.2%} explored{left}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours >= 48:
        return f"{hours // 24:,} days"
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
