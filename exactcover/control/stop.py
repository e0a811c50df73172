"""Stops: the one kind of object that ends everything that can take a long time."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from types import NoneType
from typing import TypeVar

from exactcover.control.arguments import check_arguments, check_instance, read_number, read_whole
from exactcover.control.memory import resident_memory
from exactcover.control.statistics import Status

T = TypeVar("T")

OWN_MEMORY = 1 << 26
"""Bytes that a memory limit allows for libraries and small objects."""

_POLL_EVERY = 256  # things passed on between two polls
_MEASURE_EVERY = 0.01  # seconds between two measurements of the memory

_FINE = 1e-5  # seconds
_read = time.thread_time if time.get_clock_info("thread_time").resolution < _FINE else time.perf_counter


class Stopped(Exception):  # noqa: N818 - a signal inside the package, not an error
    """Raised by :meth:`Stop.poll`; leaves the package only for executors of runs."""

    def __init__(self, status: Status) -> None:
        super().__init__(status)  # so that it can be pickled
        self.status = status

    def __str__(self) -> str:
        return self.status.value


class Stop:
    """A deadline, a memory limit and a flag, polled by every engine and by everything else that can take a long time.

    Parameters
    ----------
    timeout
        Seconds from now, or None for no deadline.
    memory
        By about how many bytes the process may grow from now on, or None for no limit. Another 64 MiB are allowed for
        Python and its libraries.

    Attributes
    ----------
    deadline
        The time to stop, in seconds of the monotonic clock, or None.
    memory
        The limit on the growth of the process in bytes, without the allowance, or None.

    Raises
    ------
    ValueError
        If `timeout` is negative or not a number, or `memory` is less than 1.

    Examples
    --------
    >>> stop = Stop(timeout=60)
    >>> stop.status is None
    True
    >>> stop.request()
    >>> stop.status
    <Status.INTERRUPTED: 'interrupted'>
    """

    def __init__(self, timeout: float | None = None, memory: int | None = None) -> None:
        self._start_time = time.monotonic()
        self._requested: Status | None = None
        self.deadline: float | None = None
        self._memory: int | None = None
        self._most_memory: int | None = None
        self._next_measurement = 0.0
        self.limit(timeout=timeout, memory=memory)

    def limit(self, *, timeout: float | None = None, memory: int | None = None) -> None:
        """Set those limits that are not set yet. The timeout counts from the creation of the stop.

        Parameters
        ----------
        timeout, memory
            As for the class.

        Raises
        ------
        ValueError
            If `timeout` is negative or not a number, or `memory` is less than 1.
        """
        if timeout is not None:
            timeout = read_number("timeout", timeout, 0, " seconds, or None")
        if memory is not None:
            memory = read_whole("memory", memory, 1, " byte, or None")
        if timeout is not None and self.deadline is None:
            self.deadline = self._start_time + timeout
        if memory is not None and self._memory is None:
            self._memory = memory
            self._most_memory = resident_memory() + memory + OWN_MEMORY

    @property
    def memory(self) -> int | None:
        return self._memory

    @check_arguments
    def request(self, status: Status = Status.INTERRUPTED) -> None:
        """Ask everything that polls this object to stop; may be called from any thread."""
        self._requested = status

    @property
    def status(self) -> Status | None:
        """The reason to stop; None to go on."""
        if self._requested is None and (self.deadline is not None or self._most_memory is not None):
            now = time.monotonic()
            if self.deadline is not None and now >= self.deadline:
                self._requested = Status.TIMEOUT
            elif self._most_memory is not None and now >= self._next_measurement:
                self._next_measurement = now + _MEASURE_EVERY
                if resident_memory() > self._most_memory:
                    self._requested = Status.MEMORY
        return self._requested

    @check_arguments
    def has_memory(self, size: int) -> bool:
        """Return whether the memory limit allows `size` bytes more; they are not reserved."""
        return self._most_memory is None or resident_memory() + size <= self._most_memory

    def poll(self) -> None:
        """Raise :class:`Stopped` if it is time to stop."""
        status = self.status
        if status is not None:
            raise Stopped(status)

    @check_arguments
    def watch(self, things: Iterable[T]) -> Iterator[T]:
        """Yield `things` one by one, and poll now and then."""
        for position, thing in enumerate(things):
            if position % _POLL_EVERY == 0:
                self.poll()
            yield thing


class InnerStop(Stop):
    """A stop inside another one. It obeys the outer stop, and may stop sooner by limits of its own.

    Its timeout is in seconds from now, or None for no deadline of its own. Derived classes that stop for other reasons
    extend :meth:`poll`.
    """

    def __init__(self, outer: Stop, timeout: float | None = None) -> None:
        super().__init__(timeout)
        self._outer = outer

    @property
    def memory(self) -> int | None:
        limits = [limit for limit in (self._memory, self._outer.memory) if limit is not None]
        return min(limits, default=None)

    @property
    def status(self) -> Status | None:
        return super().status or self._outer.status

    def has_memory(self, size: int) -> bool:
        return super().has_memory(size) and self._outer.has_memory(size)

    def poll(self) -> None:
        self._outer.poll()
        super().poll()


def make_stop(timeout: float | None = None, stop: Stop | None = None) -> Stop:
    """Return `stop`, or a new stop with this timeout if it is None.

    Raise ``ValueError`` if both are given, or `timeout` is negative or not a number, and ``TypeError`` if `stop` is
    neither a stop nor None.
    """
    check_instance("stop", stop, (Stop, NoneType), "a Stop or None")
    if timeout is not None and stop is not None:
        raise ValueError("timeout and stop cannot be combined; give the stop its own timeout")
    return Stop(timeout) if stop is None else stop


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
    """

    def __init__(self) -> None:
        self._seconds = 0.0

    def read(self) -> float:
        return self._seconds

    def charge(self, seconds: float) -> None:
        self._seconds += seconds


PROCESSOR_TIME = Clock()
"""The clock of all work that does not say otherwise."""
