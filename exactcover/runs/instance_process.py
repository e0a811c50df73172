"""Processes that answer instances for threads of this one, which would take turns in Python."""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import cached_property
from typing import Any

from exactcover.control.statistics import Status
from exactcover.control.stop import Stop, Stopped
from exactcover.encoders.instances import Answer, InstanceSolver
from exactcover.errors import CoverError, StoppedError
from exactcover.runs.pool import list_processes, prepare_process, shield_processes

_LOOK = 0.02  # seconds between two looks at the stop


class _ProcessError(CoverError, OSError):
    """The process has ended, or cannot be started."""


class InstanceProcess:
    """Answers instances by a process of its own, which ends with the thread that has asked first.

    Parameters
    ----------
    make_solver
        Makes the solver in the process, which polls a stop.
    stop
        Its limit on memory is divided; for the rest, it is obeyed here.
    share
        The number of such processes.
    """

    def __init__(self, make_solver: Callable[[Stop], InstanceSolver], stop: Stop, share: int) -> None:
        self._make_solver, self._stop = make_solver, stop
        self._memory = None if stop.memory is None else max(1, stop.memory // share)

    @cached_property
    def _pool(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(1, context, _prepare, (self._make_solver, self._memory))

    def answer(self, texts: Sequence[str]) -> Iterator[list[Answer]]:
        """Yield the answers to some instances; see :class:`Answerer`.

        Raises
        ------
        CoverError
            If the process has ended, or cannot be started.
        """
        try:
            with shield_processes():
                found = self._pool.submit(_answer, pickle.dumps(texts))
            while not found.done():
                self._stop.poll()
                wait([found], _LOOK)
            answers = found.result()
        except (BrokenProcessPool, OSError) as error:
            raise _ProcessError(f"a process that rates instances has failed: {error}") from None
        if isinstance(answers, Status):
            raise Stopped(answers)
        if answers is None:
            yield from self._make_solver(self._stop).answer(texts)
        else:
            yield answers

    def close(self) -> None:
        """End the process, if it was started."""
        if "_pool" not in vars(self):
            return
        for process in list_processes(self._pool):
            process.kill()
        self._pool.shutdown(wait=False, cancel_futures=True)


def can_move(make_solver: Callable[[Stop], InstanceSolver]) -> bool:
    """Return whether another process can get what makes a solver: a family need not be written for that."""
    try:
        pickle.loads(pickle.dumps(make_solver))
    except Exception:  # whatever the family does
        return False
    return True


_solver: list[InstanceSolver] = []  # that of this process


def _prepare(make_solver: Callable[[Stop], InstanceSolver], memory: int | None) -> None:
    prepare_process()
    _solver.append(make_solver(Stop(memory=memory)))


def _answer(data: bytes) -> Any:
    """Return the answers to some instances, or the status of a stop; None if only the other process can read them."""
    try:
        texts: list[str] = pickle.loads(data)
    except Exception:  # whatever texts of the family's own kind do
        return None
    try:
        return [answer for answers in _solver[0].answer(texts) for answer in answers]
    except (Stopped, StoppedError) as stopped:
        return stopped.status
