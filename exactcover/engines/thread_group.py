"""Groups of threads that belong to one run: all start or none, and none outlives its run or the interpreter.

:class:`LookAhead` lets such threads work on tasks before their turn.

When Python exits, it terminates daemon threads wherever they are; inside C++ code this is a crash. Therefore this
module ends all groups before that, and makes all other threads leave native code. It has to be loaded before any search
begins; the scheduler of counts, which every search imports, sees to that.
"""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from exactcover.control.statistics import Status
from exactcover.control.stop import InnerStop, Stop, Stopped
from exactcover.model.matrix import native

T = TypeVar("T")
Task = TypeVar("Task")

_PATIENCE = 10.0  # seconds that other threads have to leave native code

_RETRY_SECONDS = 0.01  # between two attempts to cancel
_POLL_SECONDS = 0.01  # between two polls of a stop

_leaving = threading.Event()
_groups: weakref.WeakSet[ThreadGroup] = weakref.WeakSet()


def check_owner(owner: int) -> None:
    """Raise ``RuntimeError`` if this is a process that was forked since a search has begun in its owner.

    It has neither the threads nor the workers of the search.
    """
    if os.getpid() != owner:
        raise RuntimeError("a search that has begun cannot go on in a forked process; begin a new one there")


class ThreadGroup:
    """Daemon threads that end together.

    What cancels their work may be called several times, and from any thread.
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

        Raise ``MemoryError`` if not all threads can be started; those that were started have ended by then.
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

    def wait(self, stop: Stop) -> None:
        """Wait until the threads have ended, and poll the stop meanwhile."""
        self.check_owner()
        for thread in self._threads:
            while thread.is_alive():
                stop.poll()
                self.check_owner()  # since a poll may fork
                thread.join(_POLL_SECONDS)

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


class _Stream(Generic[Task, T]):
    """A task, and its results that nobody has taken yet."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.results = deque[Sequence[T]]()
        self.error: BaseException | None = None
        self.is_done = False


class LookAhead(Generic[Task, T]):
    """Tasks that threads work on before their turn, and their results in the order of the tasks.

    There is a function for each thread, which yields the results of a task, some at a time. The stop, which the tasks
    poll, ends when the work does, so it belongs to this work alone. At most `max_waiting` results wait to be taken, but
    the first task never waits.
    """

    def __init__(
        self,
        works: Sequence[Callable[[Task], Iterable[Sequence[T]]]],
        stop: InnerStop,
        max_waiting: int | None = None,
    ) -> None:
        self._works, self._stop, self._max_waiting = works, stop, max_waiting
        self._streams = deque[_Stream[Task, T]]()  # whose results are not all taken
        self._to_do = deque[_Stream[Task, T]]()
        self._changed = threading.Condition()
        self._is_ending = False
        self.waiting = 0
        self.threads = ThreadGroup(self._cancel)

    def __len__(self) -> int:
        """Return the number of tasks whose results are not all taken."""
        return len(self._streams)

    def add(self, *tasks: Task) -> None:
        """Add tasks."""
        self.threads.check_owner()
        streams = [_Stream[Task, T](task) for task in tasks]
        with self._changed:
            self._streams += streams
            self._to_do += streams
            self._changed.notify_all()
        if not self.threads:
            self.threads.start(partial(self._work, work) for work in self._works)

    def take(self) -> Sequence[T] | None:
        """Wait for the next results, and return them; none at the end of a task, and None if there is no task left.

        Raise whatever the task has raised after the results that were taken, and ``Stopped`` only if nothing waits.
        """
        while True:
            self.threads.check_owner()
            with self._changed:
                if not self._streams:
                    return None
                if self._streams[0].is_done and not self._streams[0].results:
                    self._changed.notify_all()
                    if (error := self._streams.popleft().error) is not None:
                        raise error
                    return ()
                if self._streams[0].results:
                    results = self._streams[0].results.popleft()
                    self.waiting -= len(results)
                    self._changed.notify_all()
                    return results
                if self._is_ending:
                    raise Stopped(Status.INTERRUPTED)
                self._changed.wait(_POLL_SECONDS)
            self._stop.poll()

    def _work(self, work: Callable[[Task], Iterable[Sequence[T]]]) -> None:
        """Work on one task after another until the end, or an error of a task; what a thread does."""
        while (stream := self._claim()) is not None:
            self._work_on(stream, work)
            if stream.error is not None:
                return

    def _work_on(self, stream: _Stream[Task, T], work: Callable[[Task], Iterable[Sequence[T]]]) -> None:
        try:
            for results in work(stream.task):
                if self._is_ending:
                    return
                self._put(stream, results)
        except BaseException as error:  # raised again in its turn
            stream.error = error
        with self._changed:
            stream.is_done = True
            self._changed.notify_all()

    def _claim(self) -> _Stream[Task, T] | None:
        """Wait for a task that no thread works on; return None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_ending or self._to_do)
            return None if self._is_ending else self._to_do.popleft()

    def _put(self, stream: _Stream[Task, T], results: Sequence[T]) -> None:
        """Let results wait; block while too many of them do."""
        if not results:
            return
        with self._changed:
            stream.results.append(results)
            self.waiting += len(results)
            self._changed.notify_all()
            self._changed.wait_for(
                lambda: (
                    self._is_ending
                    or self._max_waiting is None
                    or self.waiting <= self._max_waiting
                    or (stream is self._streams[0] and not stream.results)  # the caller may be waiting for them
                )
            )

    def _cancel(self) -> None:
        """Make the threads end soon."""
        self._stop.request()
        with self._changed:
            self._is_ending = True
            self._changed.notify_all()


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
        """Return the next thing, after a wait of at most so many seconds; raise ``Empty`` if there is none."""
        with suppress(Empty):
            return self._things.get_nowait()
        self._arrived.acquire(timeout=timeout)
        return self._things.get_nowait()
