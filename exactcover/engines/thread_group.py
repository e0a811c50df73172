"""Threads that belong to one run: all of them start or none, and none outlives its run or the interpreter.

When Python ends, it ends daemon threads by force where they stand; below frames of C++ that is a crash. So before that
every group is ended here, and whatever other threads do in native code.
"""

from __future__ import annotations

import atexit
import threading
import weakref
from collections.abc import Callable, Iterable

try:
    import exactcover._native as _native
except ImportError:  # installed without a C++ compiler
    _native = None  # type: ignore[assignment]

__all__ = ["ThreadGroup"]

_PATIENCE = 10.0  # seconds for threads of others to come out of native code

_LOOK = 0.01  # seconds between two attempts to cancel

_leaving = threading.Event()
_groups: weakref.WeakSet[ThreadGroup] = weakref.WeakSet()


class ThreadGroup:
    """Daemon threads with one end.

    Parameters
    ----------
    cancel
        Makes the threads end soon; may be called several times, from any thread.
    """

    def __init__(self, cancel: Callable[[], object]) -> None:
        self._cancel = cancel
        self._threads: list[threading.Thread] = []
        _groups.add(self)

    def __bool__(self) -> bool:
        """Whether it was ever started."""
        return bool(self._threads)

    def start(self, tasks: Iterable[Callable[[], object]]) -> None:
        """Start a thread for each task.

        Raises
        ------
        MemoryError
            If there cannot be so many threads; those that were started have ended then.
        """
        try:
            for task in tasks:
                thread = threading.Thread(target=task, daemon=True)
                self._threads.append(thread)
                if _leaving.is_set():
                    raise SystemExit
                thread.start()
        except BaseException as error:
            self.end()
            if isinstance(error, RuntimeError):
                raise MemoryError(f"a thread cannot be started: {error}") from error
            raise

    def alive(self) -> bool:
        """Whether a thread is still at work."""
        return any(thread.is_alive() for thread in self._threads)

    def join(self, seconds: float) -> None:
        """Wait for the first thread that is still at work, at most so long."""
        for thread in self._threads:
            if thread.is_alive():
                thread.join(seconds)
                return

    def end(self) -> None:
        """Cancel what the threads do and wait until they are gone."""
        self._cancel()
        for thread in self._threads:
            while thread.is_alive() and thread is not threading.current_thread():
                self._cancel()  # again: it may have been too early to have any effect
                thread.join(_LOOK)


@atexit.register
def _end_all() -> None:
    """Make every thread leave native code, before the interpreter ends."""
    _leaving.set()
    if _native is not None:
        _native.leave(0.0)
    for group in list(_groups):
        group.end()
    if _native is not None:
        _native.leave(_PATIENCE)
