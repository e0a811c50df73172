"""Processes that answer questions. Each answers one question at a time, and is ended if the next one comes before."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from exactcover.files.access import Access, access
from exactcover.studio.answers import Part, answer

__all__ = ["Desk", "Worker"]

_CONTEXT = multiprocessing.get_context("spawn")  # forks of a process with threads may hang
_MOST_WORKERS = 16
_PATIENCE = 60.0  # seconds until a worker that sends nothing is ended
_MOST_BYTES = 4 << 30  # of address space, as the last resort


class Worker:
    """A process that answers questions.

    Parameters
    ----------
    folder
        The only folder whose files parameters may name.
    """

    def __init__(self, folder: Path) -> None:
        self._connection, other = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=_serve, args=(other, str(folder)), daemon=True)
        self._process.start()
        other.close()
        self.is_busy = False

    def ask(self, question: Mapping[str, Any]) -> Iterator[Part]:
        """Yield the parts of the answer; at the end the worker is free again, or dead."""
        done = False
        try:
            self._connection.send(question)
            while True:
                if not self._connection.poll(_PATIENCE):
                    yield {"error": "the question took too long"}
                    break
                part = self._connection.recv()
                if part is None:
                    done = True
                    self.is_busy = False
                    return
                yield part
        except (EOFError, OSError):
            yield {"error": "the question was canceled, or needed too much memory"}
        finally:
            if not done:
                self.end()

    @property
    def is_alive(self) -> bool:
        """Whether it can answer."""
        return self._process.is_alive()

    def end(self) -> None:
        """End the process; whoever waits for its answer gets an error."""
        with suppress(OSError, ValueError):
            self._process.kill()


class Desk:
    """Workers by name, such as the name of a browser tab; a new question ends the one before.

    Parameters
    ----------
    folder
        The folder of the workers.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._workers: dict[str, Worker] = {}
        self._spare: Worker | None = Worker(folder)
        self._lock = threading.Lock()

    def take(self, name: str) -> Worker:
        """Return a free worker for a name, and end the question of that name; whoever takes it must ask it."""
        with self._lock:
            worker = self._workers.pop(name, None)
            if worker is not None and (worker.is_busy or not worker.is_alive):
                worker.end()
                worker = None
            if worker is None:
                worker = self._spare if self._spare is not None and self._spare.is_alive else Worker(self._folder)
                self._spare = Worker(self._folder)
            worker.is_busy = True
            if len(self._workers) == _MOST_WORKERS:
                idle = (other for other, one in self._workers.items() if not one.is_busy)
                self._workers.pop(next(idle, next(iter(self._workers)))).end()  # the one used longest ago
            self._workers[name] = worker
            return worker

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            for worker in [*self._workers.values(), *([self._spare] if self._spare else [])]:
                worker.end()
            self._workers.clear()
            self._spare = None


def _serve(connection: Connection, folder: str) -> None:
    """Answer questions until the other end is closed; the work of the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends its workers
    warnings.simplefilter("ignore")
    _bound_memory()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError), access(Access(folder=Path(folder), confined=True)):
        os.chdir(folder)
        while True:
            question = connection.recv()
            for part in answer(question):
                connection.send(part)
            connection.send(None)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _bound_memory() -> None:
    with suppress(ImportError, ValueError, OSError):  # there is no such bound on Windows
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES, _MOST_BYTES))
