"""Progress on standard error: a display after one second on a terminal, otherwise one line per minute."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from decimal import Decimal
from typing import TYPE_CHECKING

from exactcover.cli.messages import describe_percent, describe_share, print_message
from exactcover.control.statistics import Statistics
from exactcover.model.costs import Cost
from exactcover.pictures.text import format_count

if TYPE_CHECKING:  # rich is slow to import, and most searches end before it is needed
    from rich.console import RenderableType
    from rich.live import Live

__all__ = ["Progress", "describe_costs", "describe_duration", "describe_progress"]

DISPLAY_DELAY = 1.0
"""Seconds before the display appears on a terminal."""
LINE_INTERVAL = 60.0
"""Seconds between two lines if standard error is not a terminal."""
_REFRESHES_PER_SECOND = 4
_BAR_WIDTH = 60  # columns


class Progress:
    """Shows progress while the block runs; a terminal is left clean at the end.

    Parameters
    ----------
    get_line
        Returns the progress as one line.
    get_share
        Returns the share of the work that is done, which a terminal shows as a bar; None for no bar.
    shown
        Whether to show anything.
    """

    def __init__(
        self, get_line: Callable[[], str], get_share: Callable[[], float] | None = None, *, shown: bool
    ) -> None:
        self._get_line, self._get_share = get_line, get_share
        self._shown = shown and sys.stderr is not None
        self._terminal = self._shown and sys.stderr.isatty()
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._live: Live | None = None
        self._thread = threading.Thread(target=self._run_display, daemon=True)

    def __enter__(self) -> Progress:
        if self._shown:
            if self._terminal:
                import rich.live  # noqa: F401 - beside a search in pure Python it would take seconds

            with suppress(RuntimeError, MemoryError):  # if no thread can be started, nothing is shown
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
    def pause_display(self) -> Iterator[None]:
        """Remove the display while the block prints on the same terminal."""
        if self._live is None:
            yield
            return
        with self._lock:
            self._live.stop()
            yield
            self._live.start()

    def _run_display(self) -> None:
        if self._terminal:
            if not self._ended.wait(DISPLAY_DELAY):
                with suppress(RuntimeError, MemoryError):
                    self._start_display()
            return
        while not self._ended.wait(LINE_INTERVAL):
            print_message(self._get_line())

    def _render(self) -> RenderableType:
        if self._get_share is None:
            return self._get_line()
        from rich.console import Group
        from rich.progress_bar import ProgressBar

        return Group(ProgressBar(total=1, completed=self._get_share(), width=_BAR_WIDTH), self._get_line())

    def _start_display(self) -> None:
        from rich.console import Console
        from rich.live import Live

        with self._lock:
            if not self._ended.is_set():
                self._live = Live(
                    console=Console(stderr=True),
                    get_renderable=self._render,
                    refresh_per_second=_REFRESHES_PER_SECOND,
                    transient=True,
                    redirect_stdout=False,
                    redirect_stderr=False,
                )
                self._live.start()


def describe_progress(statistics: Statistics, noun: str = "solution") -> str:
    """Return solutions, nodes, explored share and time left as one line.

    The explored share is left out if the engine cannot tell it; `noun` is what is found.

    Examples
    --------
    >>> describe_progress(Statistics(solutions=12, nodes=34567, explored=0.25, seconds=60))
    '12 solutions, 34,567 nodes, 25.00% explored, about 3:00 left'
    >>> describe_progress(Statistics(solutions=12, nodes=34567), "distinct solution")
    '12 distinct solutions, 34,567 nodes'
    >>> describe_progress(Statistics(best=200, bound=190, nodes=34567))
    'best cost 200, at least 190 (gap 5%), 34,567 nodes'
    """
    if statistics.bound is not None:
        return f"{describe_costs(statistics.best, statistics.bound)}, {format_count(statistics.nodes, 'node')}"
    share = describe_share(statistics.explored, 2)
    explored = f", {share} explored" if share else ""
    left = ""
    if statistics.explored > 0.0001:
        seconds = statistics.seconds * (1 - statistics.explored) / statistics.explored
        left = f", about {_format_clock(seconds)} left"
    found, nodes = format_count(statistics.solutions, noun), format_count(statistics.nodes, "node")
    return f"{found}, {nodes}{explored}{left}"


def describe_costs(best: Cost | None, bound: Cost) -> str:
    """Return the cost of the best solution, and the bound on the cost of every solution.

    Examples
    --------
    >>> describe_costs(None, 1900)
    'nothing found yet, at least 1,900'
    >>> describe_costs(50, 60)
    'best cost 50, at most 60 (gap 20%)'
    """
    if best is None:
        return f"nothing found yet, at least {Decimal(bound):,f}"
    share = f" (gap {describe_percent(max(best - bound, bound - best), best)})" if best else ""
    return f"best cost {Decimal(best):,f}, at {'most' if bound > best else 'least'} {Decimal(bound):,f}{share}"


def describe_duration(seconds: float) -> str:
    """Return a duration in a unit that is easy to read.

    Examples
    --------
    >>> [describe_duration(seconds) for seconds in (0.00042, 2.34, 4000, 10**7)]
    ['0.4 ms', '2.3 s', '1:06:40', '115 days']
    """
    if seconds < 0.1:
        return f"{1000 * seconds:.1f} ms"
    return f"{seconds:.1f} s" if seconds < 100 else _format_clock(seconds)


def _format_clock(seconds: float) -> str:
    minutes, whole_seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours >= 48:
        return f"{hours // 24:,} days"
    return f"{hours}:{minutes:02}:{whole_seconds:02}" if hours else f"{minutes}:{whole_seconds:02}"
