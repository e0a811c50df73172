"""How a search ends, what it has seen, and the one object by which everything long is told to stop."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeVar

__all__ = ["Statistics", "Status", "Stop", "Stopped"]

T = TypeVar("T")

_POLL_EVERY = 256  # options built between two looks at the clock


class Status(Enum):
    """Where a search stands.

    Only ``COMPLETE`` and ``UNSATISFIABLE`` say that every solution has been delivered. ``LIMIT``
    is set with the last solution asked for and says nothing about more.
    """

    RUNNING = "running"
    COMPLETE = "complete"
    UNSATISFIABLE = "unsatisfiable"
    LIMIT = "limit"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Statistics:
    """What a search has done so far: a snapshot.

    Attributes
    ----------
    engine, why
        The engine's name and the reason it was picked; empty before the first solution is asked for.
    nodes
        Subproblems visited.
    solutions
        Solutions found.
    explored
        The share of the search tree that lies behind, from 0 to 1, by Knuth's estimate: every child
        of a node counts the same.
    seconds
        Wall-clock seconds from the call of ``solve`` to now, or to the end.
    setup_seconds
        How many of them passed before the search began.
    details
        Further counters of the engine, by name.
    """

    engine: str = ""
    why: str = ""
    nodes: int = 0
    solutions: int = 0
    explored: float = 0.0
    seconds: float = 0.0
    setup_seconds: float = 0.0
    details: Mapping[str, int | str] = field(default_factory=dict)


class Stopped(Exception):  # noqa: N818 - a signal between our own rooms, not an error
    """Raised by :meth:`Stop.poll`; never leaves the package."""

    def __init__(self, status: Status) -> None:
        super().__init__(status.value)
        self.status = status


class Stop:
    """A deadline and a flag, polled by every engine and by everything else that can take long.

    Parameters
    ----------
    timeout
        Seconds from now, or None for no deadline.

    Raises
    ------
    ValueError
        If `timeout` is negative or no number.

    Examples
    --------
    >>> stop = Stop(timeout=60)
    >>> stop.status is None
    True
    >>> stop.request()
    >>> stop.status
    <Status.INTERRUPTED: 'interrupted'>
    """

    def __init__(self, timeout: float | None = None) -> None:
        if timeout is not None and not timeout >= 0:
            raise ValueError(f"timeout must be at least 0 seconds, or None; got {timeout}")
        self.deadline = None if timeout is None else time.monotonic() + timeout
        self._requested: Status | None = None

    def request(self, status: Status = Status.INTERRUPTED) -> None:
        """Ask for an end; safe from any thread."""
        self._requested = status

    @property
    def status(self) -> Status | None:
        """Why to stop, or None to go on."""
        if self._requested is None and self.deadline is not None and time.monotonic() >= self.deadline:
            self._requested = Status.TIMEOUT
        return self._requested

    @property
    def seconds_left(self) -> float | None:
        """Seconds to the deadline (0 when it is past), or None where there is none."""
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    def poll(self) -> None:
        """Raise :class:`Stopped` if it is time to stop."""
        status = self.status
        if status is not None:
            raise Stopped(status)

    def watch(self, things: Iterable[T]) -> Iterator[T]:
        """Pass `things` on one by one, polling in between."""
        for position, thing in enumerate(things):
            if position % _POLL_EVERY == 0:
                self.poll()
            yield thing
