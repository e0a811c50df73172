"""Messages on standard error: the progress of a search, how it ended, and its statistics; and the exit statuses.

Progress is a display after one second on a terminal, otherwise one line per minute.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from exactcover.control.statistics import Statistics, Status
from exactcover.engines.base import find_remedy
from exactcover.errors import StoppedError
from exactcover.model.costs import Cost
from exactcover.pictures import printable
from exactcover.pictures.text import digits, format_count
from exactcover.search.search import Search, name_prover

if TYPE_CHECKING:  # rich is slow to import, and most searches end before it is needed
    from rich.console import RenderableType
    from rich.live import Live


class Exit(IntEnum):
    """An exit status. NO_SOLUTION always means a proof; 20 is what SAT solvers use, and Python itself never does.

    An interrupted process ends with 128 plus the number of the signal, as is usual in shells.
    """

    DELIVERED = 0
    BAD_INPUT = 2
    STOPPED = 3
    NOT_VERIFIED = 4
    NO_SOLUTION = 20
    FAULT = 70
    NOT_WRITTEN = 74
    INTERRUPTED = 130

    @classmethod
    def from_status(cls, status: Status) -> Exit:
        """Return the exit status for a search that ended with `status`."""
        usual = cls.STOPPED if status.stopped else cls.DELIVERED
        return {Status.UNSATISFIABLE: cls.NO_SOLUTION, Status.INTERRUPTED: cls.INTERRUPTED}.get(status, usual)


class ReportedStopError(StoppedError):
    """A stop that has already been reported on standard error."""


_ENDINGS = {
    Status.COMPLETE: "search complete",
    **{status: f"{status.words}; there may be more" for status in Status if status.stopped},
}

_BETTER = {
    "is cheaper": "cheaper ones",
    "costs more": "some that cost more",
    "costs more, less prices": "some that cost more, less prices",
    "leaves less open": "some that leave less open",
    "changes less": "some that change less",
}


def print_message(message: str) -> None:
    """Print one line on standard error, with control characters escaped."""
    with suppress(OSError, ValueError):  # standard error is full or closed, so nobody would see a message
        click.echo(printable(message), err=True)


def print_line(text: str) -> None:
    """Print one line on standard output, with control characters escaped."""
    click.echo(printable(text))


def print_summary(search: Search, verbosity: int) -> None:
    """Print how the search ended; `verbosity` is -1 for nothing, 0, or 1 to add statistics."""
    if verbosity < 0:
        return
    statistics = search.statistics
    if search.status is Status.UNSATISFIABLE:
        print_message("no solution" + (f": {search.reason}" if search.reason else name_prover(search)))
    else:
        print_message(f"{_describe_result(search)}, {statistics.seconds:.2f} s")
        if search.shortage:
            print_message(search.shortage)
        if search.status.stopped and verbosity == 0 and statistics.nodes:
            share = describe_share(statistics.explored, 4)
            explored = f", {share} of the search explored" if share else ""
            print_message(f"{format_count(statistics.nodes, 'node')} visited{explored}")
        remedy = find_remedy("bounds") if search.cheapest and search.status.stopped else None
        if remedy is not None:
            print_message(f"prices of items would help to find and prove the cheapest solution; they need {remedy}")
    if verbosity > 0:
        for line in format_statistics(statistics, search.seed):
            print_message(line)


def _describe_result(search: Search) -> str:
    """Return how many solutions were found, and whether these are all."""
    status, number = search.status, search.statistics.solutions
    found = format_count(number, get_noun(search))
    if search.total is not None and search.total > number:
        return f"{found} (of {digits(search.total, grouped=True)})"
    if status is Status.LIMIT:
        return f"the first {found if number > 1 else get_noun(search)}"
    if status.stopped and not number:
        return f"no solution found yet ({status.words})"
    ending = _describe_rank(search) if search.cheapest and status is not Status.COMPLETE else _ENDINGS[status]
    if search.within is not None and status is Status.OPTIMAL and number != search.cheapest:
        than = "less than the dearest" if search.maximizes else "more than the cheapest"
        ending = f"all that cost at most {search.within} {than} one"
    if search.ties > 1 and not status.stopped:
        ending += "; all cost the same" if search.ties == number else f"; the first {search.ties:,} cost the same"
    if search.cheapest and (status.stopped or status is Status.GAP):
        ending += _describe_gap(search.statistics)
    return f"{found} ({ending}{name_prover(search)})"


def _describe_rank(search: Search) -> str:
    """Return a text about solutions that are better than those found."""
    if search.status is Status.OPTIMAL:
        return f"no other {search.advantage}"
    why = f"{search.status.words}; " if search.status.stopped else ""
    return f"{why}there may be {_BETTER[search.advantage]}"


def _describe_gap(statistics: Statistics) -> str:
    """Return by how much a solution may be cheaper than the best one; empty if that is not known.

    Examples
    --------
    >>> _describe_gap(Statistics(best=200, bound=190)), _describe_gap(Statistics())
    (', by at most 10, or 5%', '')
    """
    best, gap = statistics.best, statistics.gap
    if best is None or gap is None:
        return ""
    return f", by at most {Decimal(gap):f}" + (f", or {describe_percent(gap, best)}" if best else "")


def describe_percent(part: int | Decimal, whole: int | Decimal) -> str:
    """Return a share in percent, rounded up, so that what it bounds is not understated.

    Examples
    --------
    >>> describe_percent(10, 200), describe_percent(1, 3), describe_percent(0, 5), describe_percent(1, -4)
    ('5%', '33.34%', '0%', '25%')
    """
    hundredths = -(-Fraction(part) * 10_000 // abs(Fraction(whole)))
    return f"{Decimal(hundredths) / 100:f}%"


def get_noun(search: Search) -> str:
    """Return the name of the results of a search, in the singular."""
    if search.is_projection:
        return "projection"
    if search.is_best_effort:
        return "best effort"
    return "solution" if search.classes is None else "distinct solution"


def describe_stop(status: Status, at_least: int, place: str = "") -> str:
    """Return a line which says why a command was stopped before it had a result, and how many solutions it found.

    `place` is what was read then, if it took the memory.
    """
    found = f"at least {format_count(at_least, 'solution')}" if at_least else "nothing found yet"
    return f"{status.words}{f' while {place} was read' if place else ''}; {found}"


def describe_share(share: float, digits: int) -> str:
    """Return the share of a search that is explored; empty if it is 0, which it is if an engine cannot tell it.

    Examples
    --------
    >>> describe_share(0.25, 2), describe_share(0.00001, 2), describe_share(0, 2)
    ('25.00%', 'less than 0.01%', '')
    """
    if 0 < share < 10 ** -(digits + 2):
        return f"less than {10**-digits:.{digits}f}%"
    return f"{share:.{digits}%}" if share else ""


def print_symmetry_summary(search: Search, quiet: bool) -> None:
    """Print how many solutions the symmetry classes contain, if the search found all classes."""
    classes = search.classes
    if classes is not None and not quiet and search.status is Status.COMPLETE:
        mirrors = ", including mirror images" if classes.mirrors else ""
        total = format_count(classes.total, "solution")
        symmetric = ""
        if classes.symmetric is not None:
            verb = "is" if classes.symmetric == 1 else "are"
            symmetric = f"; {format_count(classes.symmetric, 'distinct solution')} {verb} symmetric"
        print_message(f"{total} in all; {format_count(classes.order, 'symmetry')}{mirrors}{symmetric}")


def _describe_costs(statistics: Statistics) -> dict[str, int | str]:
    """Return the costs and bounds that a search for the cheapest knows, by name."""
    best, bound, gap = statistics.best, statistics.bound, statistics.gap
    if bound is None:
        return {}
    if best is None or gap is None:
        return {"bound": f"{Decimal(bound):,f}"}
    share = f" ({describe_percent(gap, best)})" if best else ""
    return {"best": f"{Decimal(best):,f}", "bound": f"{Decimal(bound):,f}", "gap": f"{Decimal(gap):,f}{share}"}


def format_statistics(statistics: Statistics, seed: int | None = None) -> list[str]:
    """Return the statistics as lines."""
    searching = statistics.seconds - statistics.setup_seconds
    setting_up = statistics.build_seconds + statistics.setup_seconds
    values: dict[str, int | str] = {
        "engine": f"{statistics.engine} ({statistics.why})",
        **({} if seed is None else {"seed": str(seed)}),
        "nodes": statistics.nodes,
        "explored": describe_share(statistics.explored, 4) or "unknown",
        "time": f"{setting_up:.3f} s setting up, {searching:.3f} s searching",
        **_describe_costs(statistics),
        **statistics.details,
    }
    width = max(map(len, values))
    texts = {name: f"{value:,}" if isinstance(value, int) else value for name, value in values.items()}
    if "memory" in texts:
        texts["memory"] += " bytes"
    return [f"{name:{width}}  {text}" for name, text in texts.items()]


DISPLAY_DELAY = 1.0
"""Seconds before the display appears on a terminal."""
LINE_INTERVAL = 60.0
"""Seconds between two lines if standard error is not a terminal."""
_REFRESHES_PER_SECOND = 4
_BAR_WIDTH = 60  # columns


class Progress:
    """Shows progress, as one line, while the block runs; a terminal is left clean at the end.

    A terminal shows the share of the work that is done as a bar, if there is `get_share`.
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
