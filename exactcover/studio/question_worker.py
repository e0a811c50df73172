"""Processes that answer questions. Each answers one question at a time, and is ended if the next one comes before."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from exactcover.control.stop import Stop, Stopped
from exactcover.engines.worker_process import CallProcess, LostProcessError
from exactcover.files.read import Access, access
from exactcover.studio.answers import Reply, answer

_MAX_WORKERS = 16
_PATIENCE = 30.0  # seconds after its start until a question is ended; it should end by itself before
_BUSY = "the studio is busy with other questions; try again in a moment"
_CANCELED = "the question was canceled, because another one took its place"
_MAX_BYTES = 4 << 30  # of address space, as the last resort


class Worker:
    """A process that answers questions; parameters may name files of the folder alone."""

    def __init__(self, folder: Path) -> None:
        self._process = CallProcess("the studio")
        self._process.call(_prepare, folder)
        self._is_prepared = self._is_canceled = False

    def ask(self, question: Mapping[str, Any]) -> Iterator[Reply]:
        """Yield the parts of the answer; at the end the worker is free again, or dead."""
        is_done = False
        stop = Stop(timeout=_PATIENCE)
        try:
            if not self._is_prepared:
                self._process.take(stop)
                self._is_prepared = True
            self._process.call(_answer, question)
            while (part := self._process.take(stop)) is not None:
                yield part
            is_done = True
        except Stopped:
            yield {"error": "the question took too long"}
        except Exception:
            needy = "the process that answered has ended; perhaps the question needed too much memory"
            yield {"error": _CANCELED if self._is_canceled else needy}
        finally:
            if not is_done:
                self.end()

    @property
    def is_alive(self) -> bool:
        """True if it can answer."""
        return self._process.is_alive()

    def cancel(self) -> None:
        """End the process, because another question takes the place of this one."""
        self._is_canceled = True
        self.end()

    def end(self) -> None:
        """End the process, and leave nothing of it; whoever waits for its answer gets an error."""
        self._process.end()


class BusyError(Exception):
    """No worker became free in time, or another question took the place of this one."""


class Desk:
    """Workers, each for one question; a new question of a name, such as that of a browser tab, ends the one before.

    By default, as many questions are answered at once as there are processors, but at least 2 and at most 16, so that
    each one gets the time that it may take. The others wait in the order in which they came, for at most
    `queue_seconds`. At most `max_waiting` may wait; each of them holds a thread of the server.
    """

    def __init__(
        self,
        folder: Path,
        *,
        max_busy: int | None = None,
        max_waiting: int = 48,
        queue_seconds: float = 30.0,
        hire: Callable[[Path], Worker] = Worker,
    ) -> None:
        self._folder, self._hire = folder, hire
        self._max_busy = max_busy or min(max(2, os.cpu_count() or 1), _MAX_WORKERS)
        self._max_waiting, self._queue_seconds = max_waiting, queue_seconds
        self.busy: dict[str, Worker] = {}
        self._idle: list[Worker] = []
        with suppress(LostProcessError):  # then the first question says why
            self._idle.append(hire(folder))
        self.waiting: dict[str, object] = {}  # the last question of each name; the one that came first is first
        self._changed = threading.Condition()

    def take(self, name: str) -> Worker:
        """Return a free worker for a name, and end the question of that name; whoever takes it must release it.

        Raise ``BusyError`` if no worker becomes free in time, too many questions wait, or a new question of that name
        comes, and ``LostProcessError`` if no process can be started.
        """
        ticket = object()
        with self._changed:
            if name in self.busy:
                self.busy.pop(name).cancel()
            if name not in self.waiting and len(self.waiting) >= self._max_waiting:
                raise BusyError(_BUSY)
            self.waiting[name] = ticket
            self._changed.notify_all()

            def has_turn() -> bool:
                first = next(iter(self.waiting.values()), None) is ticket
                return self.waiting.get(name) is not ticket or (first and len(self.busy) < self._max_busy)

            try:
                is_free = self._changed.wait_for(has_turn, self._queue_seconds)
                if self.waiting.get(name) is not ticket:
                    raise BusyError(_CANCELED)
                if not is_free:
                    raise BusyError(_BUSY)
                self.busy[name] = worker = self._take_idle()
                return worker
            finally:
                if self.waiting.get(name) is ticket:
                    del self.waiting[name]
                self._changed.notify_all()

    def _take_idle(self) -> Worker:
        """Return a worker that is free, and have another one ready for the next question."""
        alive = [worker for worker in self._idle if worker.is_alive]
        for worker in set(self._idle) - set(alive):
            worker.end()
        worker = alive.pop() if alive else self._hire(self._folder)
        with suppress(LostProcessError):  # then the next question asks for one again
            alive = alive or [self._hire(self._folder)]
        self._idle = alive
        return worker

    def release(self, worker: Worker) -> None:
        """Note that the question of a worker has ended."""
        with self._changed:
            for name in [name for name, one in self.busy.items() if one is worker]:
                del self.busy[name]
            if worker.is_alive and len(self._idle) < self._max_busy:
                self._idle.append(worker)
            else:
                worker.end()
            self._changed.notify_all()

    def close(self) -> None:
        """End all processes."""
        with self._changed:
            for worker in [*self.busy.values(), *self._idle]:
                worker.end()
            for waiting in (self.busy, self._idle, self.waiting):
                waiting.clear()
            self._changed.notify_all()


def _prepare(folder: Path) -> None:
    """Prepare the process of a worker."""
    os.chdir(folder)
    with suppress(ImportError, ValueError, OSError):  # there is no such bound on Windows
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MAX_BYTES, _MAX_BYTES))


def _answer(question: Mapping[str, Any]) -> Iterator[Reply]:
    with access(Access(folder=Path.cwd(), confined=True)):
        yield from answer(question)
