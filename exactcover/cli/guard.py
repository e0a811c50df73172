"""What ends a command before its time: signals, the deadline and the memory limit, all by one stop.

Everything long polls the stop and ends in an orderly way: results are closed, counters are said. Code that polls
nothing (an encoder's own, a library's) is ended by an exception, a moment later.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from types import FrameType, TracebackType
from typing import NoReturn

from exactcover.cli.exits import Exit
from exactcover.cli.messages import print_line, stopped_line
from exactcover.control.statistics import Statistics, Status
from exactcover.control.stop import Stop, Stopped
from exactcover.errors import StoppedError

__all__ = ["Guard", "Overdue"]

_TICK = 0.05  # seconds between two looks at the stop
_GRACE = 0.3  # seconds of processor time in which whatever polls the stop has ended by itself
_PATIENCE = 1.0  # seconds that it may wait for a disk or a terminal meanwhile
_REPEAT = 0.1  # seconds of processor time after which a swallowed exception is raised again
_MOST_LOST = 5  # exceptions that may be swallowed; then the process ends at once


class Overdue(BaseException):
    """It is time to end, and whatever runs does not look. No ``except Exception`` on the way keeps it."""


class Guard:
    """Lets signals and limits end a block; a context manager.

    The first SIGINT, SIGTERM or SIGHUP asks the stop for an end, a second one ends the block at once. A timer looks at
    the stop from time to time, and ends the block where nothing else does.

    Parameters
    ----------
    stop
        What the block polls.

    Attributes
    ----------
    stop
        What the block polls.
    signal_number
        The first signal that came, or None.

    Raises
    ------
    StoppedError
        Where the block was ended by the timer or by a second signal, whatever exception that became on its way.
    """

    def __init__(self, stop: Stop) -> None:
        self.signal_number: int | None = None
        self.stop = stop
        self._armed = True
        self._due: tuple[float, float] | None = None  # when the exception is raised, in seconds of both clocks
        self._raised = 0
        self._before: dict[int, object] = {}

    def __enter__(self) -> Guard:
        if threading.current_thread() is threading.main_thread():
            for name in ("SIGINT", "SIGTERM", "SIGHUP"):
                number = getattr(signal, name, None)
                # What is ignored already, as SIGHUP by nohup, stays so.
                if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                    self._before[number] = signal.signal(number, self._interrupt)
            if hasattr(signal, "setitimer"):
                self._before[signal.SIGALRM] = signal.signal(signal.SIGALRM, self._tick)
                signal.setitimer(signal.ITIMER_REAL, _TICK, _TICK)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._disarm()
        except Overdue:  # it came just now
            self._disarm()
        ended = isinstance(error, Overdue | Stopped) or (self._raised and isinstance(error, Exception))
        if ended and not isinstance(error, StoppedError):
            raise StoppedError(self.stop.status or Status.INTERRUPTED, 0, Statistics()) from None

    def _disarm(self) -> None:
        self._armed = False
        if hasattr(signal, "setitimer") and signal.SIGALRM in self._before:
            signal.setitimer(signal.ITIMER_REAL, 0)
        while self._before:
            number, handler = self._before.popitem()
            signal.signal(number, handler)  # type: ignore[arg-type]  # what signal() itself returned

    def _interrupt(self, number: int, _: FrameType | None) -> None:
        if self.signal_number is None:
            self.signal_number = number
            self.stop.request()
        elif self._armed:
            self._raised += 1
            raise Overdue

    def _tick(self, *_: object) -> None:
        if not self._armed or self.stop.status is None:
            return
        wall, busy = time.monotonic(), time.process_time()
        if self._due is None:
            self._due = wall + _PATIENCE, busy + _GRACE
        elif wall >= self._due[0] or busy >= self._due[1]:
            self._due, self._raised = (wall + _PATIENCE, busy + _REPEAT), self._raised + 1
            if self._raised > _MOST_LOST:
                self._exit_now()
            raise Overdue

    def _exit_now(self) -> NoReturn:
        """End the process where every exception is swallowed; files that were being written stay as they were."""
        print_line(stopped_line(self.stop.status or Status.INTERRUPTED, 0))
        os._exit(Exit.STOPPED if self.signal_number is None else 128 + self.signal_number)
