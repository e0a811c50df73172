"""Signals, the deadline and the memory limit, which all end a command through one stop.

Long operations poll the stop and end in an orderly way: files are closed, and statistics are printed. Code that does
not poll, such as that of an encoder or a library, is ended by an exception a moment later.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from types import FrameType, TracebackType

from exactcover.cli.messages import Exit, describe_stop, print_message
from exactcover.control.statistics import Status
from exactcover.control.stop import Stop, Stopped
from exactcover.errors import StoppedError

_CHECK_INTERVAL = 0.05  # seconds between two checks of the stop
_GRACE_BUSY = 0.3  # seconds of processor time in which code that polls the stop ends by itself
_GRACE_WALL = 1.0  # seconds of real time, for code that waits for a disk or a terminal
_REPEAT_BUSY = 0.1  # seconds of processor time after which a swallowed exception is raised again
_MAX_SWALLOWED = 5  # exceptions that may be swallowed before the process ends at once


class ForcedStop(BaseException):
    """Ends code that does not poll the stop. It is not an ``Exception``, so ``except Exception`` does not catch it."""


class Guard:
    """Lets signals and limits end a block; a context manager.

    The first SIGINT, SIGTERM or SIGHUP sets the stop; the second one ends the block at once. A timer checks the stop at
    intervals, and ends the block if it does not end by itself. Raise ``StoppedError`` if the timer or a second signal
    ended the block, even if another exception left the block as a result.
    """

    def __init__(self, stop: Stop) -> None:
        self.signal_number: int | None = None  # the first one received
        self.stop = stop  # polled by the block
        self._armed = True
        self._due: tuple[float, float] | None = None  # when to raise the exception: real time, processor time
        self._raised = 0
        self._old_handlers: dict[int, object] = {}
        self._old_hook = sys.unraisablehook

    def __enter__(self) -> Guard:
        self._old_hook, sys.unraisablehook = sys.unraisablehook, self._report_unraisable
        if threading.current_thread() is threading.main_thread():
            for name in ("SIGINT", "SIGTERM", "SIGHUP"):
                number = getattr(signal, name, None)
                # A signal that is already ignored, such as SIGHUP under nohup, stays ignored.
                if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                    self._old_handlers[number] = signal.signal(number, self._handle_signal)
            if hasattr(signal, "setitimer"):
                self._old_handlers[signal.SIGALRM] = signal.signal(signal.SIGALRM, self._check_stop)
                signal.setitimer(signal.ITIMER_REAL, _CHECK_INTERVAL, _CHECK_INTERVAL)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._disarm()
        except ForcedStop:  # raised during the call
            self._disarm()
        ended = isinstance(error, ForcedStop | Stopped) or (self._raised and isinstance(error, Exception))
        if ended and not isinstance(error, StoppedError):
            raise StoppedError(self.stop.status or Status.INTERRUPTED) from None

    def _disarm(self) -> None:
        self._armed = False
        sys.unraisablehook = self._old_hook
        if hasattr(signal, "setitimer") and signal.SIGALRM in self._old_handlers:
            signal.setitimer(signal.ITIMER_REAL, 0)
        while self._old_handlers:
            number, handler = self._old_handlers.popitem()
            signal.signal(number, handler)  # type: ignore[arg-type]  # signal() returned it

    def _report_unraisable(self, unraisable: sys.UnraisableHookArgs) -> None:
        """Report an error in a destructor, unless it is one of ours: the timer will raise that again."""
        if not isinstance(unraisable.exc_value, ForcedStop):
            self._old_hook(unraisable)

    def _handle_signal(self, number: int, _: FrameType | None) -> None:
        if self.signal_number is None:
            self.signal_number = number
            self.stop.request()
        elif self._armed:
            self._raised += 1
            raise ForcedStop

    def _check_stop(self, *_: object) -> None:
        if not self._armed or self.stop.status is None:
            return
        wall, busy = time.monotonic(), time.process_time()
        if self._due is None:
            self._due = wall + _GRACE_WALL, busy + _GRACE_BUSY
        elif wall >= self._due[0] or busy >= self._due[1]:
            self._due, self._raised = (wall + _GRACE_WALL, busy + _REPEAT_BUSY), self._raised + 1
            if self._raised > _MAX_SWALLOWED:  # so the process ends; files that are being written stay unchanged
                print_message(describe_stop(self.stop.status, 0))
                os._exit(Exit.STOPPED if self.signal_number is None else 128 + self.signal_number)
            raise ForcedStop
