"""Groups of threads that belong to one run: all start or none, and none outlives its run or the interpreter.

When Python exits, it terminates daemon threads wherever they are; inside C++ code this is a crash. Therefore this
module ends all groups before that, and makes all other threads leave native code. It has to be loaded before any search
begins; the scheduler of counts, which every search imports, sees to that.
"""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections.abc import Callable, Iterable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from exactcover.model.matrix import native

__all__ = ["ThreadGroup", "WaitingQueue", "check_owner"]

T = TypeVar("T")

_PATIENCE = 10.0  # seconds that other threads have to leave native code

_RETRY_SECONDS = 0.01  # between two attempts to cancel

_leaving = threading.Event()
_groups: weakref.WeakSet[ThreadGroup] = weakref.WeakSet()


def check_owner(owner: int) -> None:
    """Check that this is still the process in which a search has begun, and not a child that it has forked since.

    Raises
    ------
    RuntimeError
        If it is another process, which has neither the threads nor the workers of the search.
    """
    if os.getpid() != owner:
        raise RuntimeError("a search that has begun cannot go on in a forked process; begin a new one there")


class ThreadGroup:
    """Daemon threads that end together.

    Parameters
    ----------
    cancel
        A function that makes the threads end soon. It may be called several times, and from any thread.
    """

    def __init__(self, cancel: Callable[[], object]) -> None:
        self._cancel_work = cancel
        self._threads: list[threading.Thread] = []
        self._owner = os.getpid()
        _groups.add(self)

    def __bool__(self) -> bool:
        """Return whether any thread was ever started."""
        return bool(self._threads)

    def start(self, tasks: Iterable[Callable[[], object]]) -> None:
        """Start a thread for each task.

        Raises
        ------
        MemoryError
            If not all threads can be started; those that were started have ended by then.
        """
        self._owner = os.getpid()
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

    def check_owner(self) -> None:
        """Check that the threads, if any was started, belong to this process; see :func:`check_owner`."""
        if self._threads:
            check_owner(self._owner)

    def is_alive(self) -> bool:
        """Return whether any thread is still running."""
        self.check_owner()
        return any(thread.is_alive() for thread in self._threads)

    def join(self, seconds: float) -> None:
        """Wait at most this many seconds for the first thread that is still running."""
        for thread in self._threads:
            if thread.is_alive():
                thread.join(seconds)
                return

    def cancel(self) -> None:
        """Cancel the work of the threads, unless this is a forked process, where a lost thread may hold its locks."""
        if os.getpid() == self._owner:
            self._cancel_work()

    def end(self) -> None:
        """Cancel the work of the threads, and wait until they have ended."""
        self.cancel()
        for thread in self._threads:
            while thread.is_alive() and thread is not threading.current_thread():
                self.cancel()  # again, because the first call may have come too early to have an effect
                thread.join(_RETRY_SECONDS)


@atexit.register
def _end_all() -> None:
    """Make every thread leave native code before the interpreter exits."""
    _leaving.set()
    if native is not None:
        native.leave(0.0)
    for group in list(_groups):
        group.end()
    if native is not None:
        native.leave(_PATIENCE)


class WaitingQueue(Generic[T]):
    """Things that threads put and one thread takes, with a wait that always ends.

    A signal near the end of ``SimpleQueue.get(timeout=...)`` can make it wait for ever, up to Python 3.12.
    """

    def __init__(self) -> None:
        self._things: SimpleQueue[T] = SimpleQueue()
        self._arrived = threading.Lock()
        self._arrived.acquire()

    def put(self, thing: T) -> None:
        """Add a thing, and end the wait for it."""
        self._things.put(thing)
        with suppress(RuntimeError):  # if it is not locked, the next wait ends at once
            self._arrived.release()

    def get(self, timeout: float) -> T:
        """Return the next thing, after a wait of at most so many seconds.

        Raises
        ------
        Empty
            If there is none.
        """
        with suppress(Empty):
            return self._things.get_nowait()
        self._arrived.acquire(timeout=timeout)
        return self._things.get_nowait()
