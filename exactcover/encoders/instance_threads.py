"""Instances answered by several threads, in the order in which they come."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from threading import local

from exactcover.control.stop import InnerStop, Stop
from exactcover.encoders.instances import Answer, InstanceSolver

__all__ = ["answer_in_order"]

_WAITING = 4  # lists for each thread, at most


class _Task:
    """A list of instances, and their answers or the error that ended the work, as they come."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        self._found: SimpleQueue[list[Answer] | BaseException] = SimpleQueue()

    def work(self, solver: Callable[[], InstanceSolver]) -> None:
        rest = self.texts
        try:
            while rest:
                answers = solver().answer(rest)
                self._found.put(answers)
                rest = rest[len(answers) :]
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


def answer_in_order(
    make_solver: Callable[[Stop], InstanceSolver], lists: Iterable[Sequence[str]], jobs: int, stop: Stop
) -> Iterator[list[Answer]]:
    """Yield the answers to instances in order, in lists, as soon as they are known.

    Parameters
    ----------
    make_solver
        Makes a solver for one thread, which polls a stop.
    lists
        The instances, in lists of any length. After an empty list, all answers are delivered before another list is
        asked for.
    jobs
        The number of threads.
    stop
        Polled by all threads.

    Raises
    ------
    StoppedError, Stopped
        If `stop` asks for it.
    """
    own_stop = InnerStop(stop)  # ends the threads if the caller takes no more answers
    solvers = local()

    def get_solver() -> InstanceSolver:
        if not hasattr(solvers, "solver"):
            solvers.solver = make_solver(own_stop)
        solver: InstanceSolver = solvers.solver
        return solver

    waiting: deque[_Task] = deque()
    threads = ThreadPoolExecutor(jobs)
    try:
        for texts in lists:
            waiting.append(_Task(texts))
            threads.submit(waiting[-1].work, get_solver)
            while waiting and (not texts or len(waiting) >= _WAITING * jobs):
                yield from waiting.popleft().answers()
        for task in waiting:
            yield from task.answers()
    finally:
        own_stop.request()
        threads.shutdown(cancel_futures=True)
