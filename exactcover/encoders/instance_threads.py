"""Instances answered by several threads, in the order in which they come."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from threading import local
from types import TracebackType

from exactcover.control.stop import InnerStop, Stop
from exactcover.encoders.instances import Answer, InstanceSolver

__all__ = ["InstanceThreads"]

_WAITING = 4  # lists for each thread, at most


class _Task:
    """A list of instances, and their answers or the error that ended the work, as they come."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        self._found: SimpleQueue[list[Answer] | BaseException] = SimpleQueue()

    def work(self, get_solver: Callable[[], InstanceSolver]) -> None:
        try:
            for answers in get_solver().answer(self.texts):
                self._found.put(answers)
        except BaseException as error:
            self._found.put(error)

    def answers(self) -> Iterator[list[Answer]]:
        """Yield the answers as they come; raise the error of the thread."""
        left = len(self.texts)
        while left:
            found = self._found.get()
            if isinstance(found, BaseException):
                raise found
            left -= len(found)
            yield found


class InstanceThreads:
    """Threads that answer instances; a context manager, at the end of which the threads have ended.

    Parameters
    ----------
    make_solver
        Makes a solver for one thread, which polls a stop.
    jobs
        The number of threads.
    stop
        Polled by all threads.
    """

    def __init__(self, make_solver: Callable[[Stop], InstanceSolver], jobs: int, stop: Stop) -> None:
        self._make_solver, self._jobs = make_solver, jobs
        self._stop = InnerStop(stop)  # ends the threads if no more answers are wanted
        self._threads = ThreadPoolExecutor(jobs)
        self._solvers = local()
        self._waiting: deque[_Task] = deque()

    def answer(self, texts: Sequence[str]) -> Iterator[list[Answer]]:
        """Take on further instances; yield answers to earlier ones, in order, while too many lists wait.

        Raises
        ------
        StoppedError, Stopped
            If the stop asks for it.
        """
        self._waiting.append(_Task(texts))
        self._threads.submit(self._waiting[-1].work, self._get_solver)
        yield from self._deliver(_WAITING * self._jobs - 1)

    def finish(self) -> Iterator[list[Answer]]:
        """Yield the answers to all instances that were taken on, in order; raise what :meth:`answer` raises."""
        yield from self._deliver(0)

    def _deliver(self, most: int) -> Iterator[list[Answer]]:
        while len(self._waiting) > most:
            yield from self._waiting.popleft().answers()

    def _get_solver(self) -> InstanceSolver:
        if not hasattr(self._solvers, "solver"):
            self._solvers.solver = self._make_solver(self._stop)
        solver: InstanceSolver = self._solvers.solver
        return solver

    def __enter__(self) -> InstanceThreads:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.request()
        self._threads.shutdown(cancel_futures=True)
