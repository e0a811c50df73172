"""Progress on standard error: after a second where it is a terminal, else a line a minute."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from exactcover.cli.messages import print_line
from exactcover.control.statistics import Statistics
from exactcover.formats.numbers import digits

if TYPE_CHECKING:  # rich is slow to import, and most searches are over before it is needed
    from rich.live import Live

__all__ = ["Progress", "describe", "describe_seconds"]

WAIT = 1.0
"""Seconds before anything is shown on a terminal."""
EVERY = 60.0
"""Seconds between two lines where there is no terminal."""
_REFRESH = 4  # times a second


class Progress:
    """Shows how something gets on while the block runs; nothing of it stays on a terminal.

    Parameters
    ----------
    look
        Returns one line.
    shown
        Whether to show anything.
    """

    def __init__(self, look: Callable[[], str], *, shown: bool) -> None:
        self._look = look
        self._shown = shown and sys.stderr is not None
        self._terminal = self._shown and sys.stderr.isatty()
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._live: Live | None = None
        self._thread = threading.Thread(target=self._show, daemon=True)

    def __enter__(self) -> Progress:
        if self._shown:
            if self._terminal:
                import rich.live  # noqa: F401 - now: beside a search in pure Python it would take seconds

            with suppress(RuntimeError, MemoryError):  # no thread to be had: then nothing is shown
                self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        with self._lock:
            if self._live is not None:
                self._live.stop()
        if self._thread.ident is not None:
            self._thread.join()

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

    def _show(self) -> None:
        if self._terminal:
            if not self._ended.wait(WAIT):
                with suppress(RuntimeError, MemoryError):
                    self._start_display()
            return
        while not self._ended.wait(EVERY):
            print_line(self._look())

    def _start_display(self) -> None:
        from rich.console import Console
        from rich.live import Live

        with self._lock:
            if not self._ended.is_set():
                self._live = Live(
                    console=Console(stderr=True),
                    get_renderable=self._look,
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
    found = digits(statistics.solutions, grouped=True)
    return f"{found} solutions, {statistics.nodes:,} nodes, {statistics.explored:.2%} explored{left}"


def describe_seconds(seconds: float) -> str:
    """Return a time as people say it.

    Examples
    --------
    >>> [describe_seconds(seconds) for seconds in (0.00042, 2.34, 4000, 10**7)]
    ['0.4 ms', '2.3 s', '1:06:40', '115 days']
    """
    if seconds < 0.1:
        return f"{1000 * seconds:.1f} ms"
    return f"{seconds:.1f} s" if seconds < 100 else _clock(seconds)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours >= 48:
        return f"{hours // 24:,} days"
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
