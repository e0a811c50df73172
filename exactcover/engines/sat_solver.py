"""A SAT solver in a process of its own.

The solvers that PySAT brings cannot be interrupted in time, hold the lock of the interpreter while they search, and end
their process if memory runs out.
"""

from __future__ import annotations

import operator
from array import array
from collections.abc import Sequence
from queue import Empty
from typing import Any

from exactcover.control.statistics import Status
from exactcover.control.stop import Stop, Stopped
from exactcover.engines.worker_process import WorkerProcess

__all__ = ["SatSolver"]

_POLL_SECONDS = 0.01  # between two looks at the stop
_FIRST_SLICE = 1 << 8  # conflicts; the solver ends a slice when it restarts anyway, so small ones cost nothing
_MAX_SLICE = 1 << 16  # conflicts; a process whose parent was killed ends after its slice
_MAX_IDLE = 2  # processes that wait for another problem
_MAX_REUSED = 1 << 22  # literals after which a process is not used again, because it keeps its memory


_idle: list[WorkerProcess] = []


def _take_worker() -> WorkerProcess:
    """Return a process that waits, or a new one."""
    while _idle:
        worker = _idle.pop()
        if worker.is_alive():
            return worker
    return WorkerProcess("sat_worker.py", "the SAT solver")


def _return_worker(worker: WorkerProcess, *, small: bool) -> None:
    """Keep a process for another problem if it holds little memory, and few others wait."""
    if small and worker.is_owned and len(_idle) < _MAX_IDLE:
        _idle.append(worker)
    else:
        worker.end()


class SatSolver:
    """A solver that keeps what it has learned between questions. Only one thread at a time may use it.

    Parameters
    ----------
    clauses
        All clauses, each of which ends with 0. Those that are added later are appended.
    bounds
        How many literals may be true at most, these literals, and 0; one after another. None for a solver of clauses
        alone.
    with_proof
        Whether a solver with bounds records a proof.

    Attributes
    ----------
    conflicts, decisions, propagations
        How many there were.
    """

    def __init__(self, clauses: array[int], bounds: array[int] | None = None, *, with_proof: bool = False) -> None:
        self._clauses, self._bounds, self._with_proof = clauses, bounds, with_proof
        self._worker: WorkerProcess | None = None
        self._sent = 0  # literals that the process has got
        self._earlier = (0, 0, 0)  # conflicts, decisions and propagations of processes that were ended
        self.conflicts = self.decisions = self.propagations = 0

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause."""
        self._clauses.extend(clause)
        self._clauses.append(0)

    def solve(self, assumptions: Sequence[int], variables: int, stop: Stop) -> Sequence[int] | None:
        """Return which of the first `variables` are true in a model with some assumptions, or None if there is none.

        The status of the stop is read all the time. The stop is polled between slices of the search, once for each
        conflict, so the number of polls does not depend on the clock. An exception from a poll ends the question, but
        the solver keeps what it has learned; after a stop, it starts anew with the next question.

        Raises
        ------
        Stopped
            If the stop asks for it.
        MemoryError
            If the process has ended or cannot be started.
        """
        maximum = _FIRST_SLICE
        while True:
            is_known, chosen = self.search_on(assumptions, variables, stop, maximum)
            if is_known:
                return chosen
            maximum = min(2 * maximum, _MAX_SLICE)

    def search_on(
        self, assumptions: Sequence[int], variables: int, stop: Stop, conflicts: int = _FIRST_SLICE
    ) -> tuple[bool, Sequence[int] | None]:
        """Search for some conflicts; return whether the answer is known, and the answer as :meth:`solve` does."""
        stop.poll()
        before = self.conflicts
        satisfiable, chosen = self._search(("solve", assumptions, conflicts, variables), stop)
        if satisfiable is not None:
            return True, chosen if satisfiable else None
        for _ in range(self.conflicts - before):
            stop.poll()
        return False, None

    def read_proof(self, stop: Stop) -> array[int]:
        """Return the clauses that were learned, each of which ends with 0; one that was dropped also begins with 0.

        Raises
        ------
        Stopped
            If the stop asks for it.
        MemoryError
            If the process has ended.
        """
        proof: array[int] = self._ask(("read_proof",), stop)
        return proof

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Forget everything; the process may serve another solver."""
        worker, self._worker = self._worker, None
        if worker is not None:
            _return_worker(worker, small=len(self._clauses) <= _MAX_REUSED)

    def _search(self, request: tuple[object, ...], stop: Stop) -> tuple[bool | None, Sequence[int]]:
        """Search for a slice; return whether there is a model, or None if this is not known yet, and its variables."""
        satisfiable, chosen, counts = self._ask(request, stop)
        self.conflicts, self.decisions, self.propagations = map(operator.add, self._earlier, counts)
        return satisfiable, chosen

    def _ask(self, request: tuple[object, ...], stop: Stop) -> Any:
        """Return the answer of the process to a request, after it has got all clauses."""
        worker, self._worker = self._worker, None  # nobody else may use a process that owes an answer
        try:
            if worker is None:
                worker, self._sent = _take_worker(), 0
                is_plain = self._bounds is None
                worker.send(("new",) if is_plain else ("new_with_bounds", self._bounds, self._with_proof))
            if self._sent < len(self._clauses):
                worker.send(("add", self._clauses[self._sent :]))
                self._sent = len(self._clauses)
            worker.send(request, answered=True)
            answer = _wait(worker, stop)
        except BaseException:
            self._earlier = self.conflicts, self.decisions, self.propagations
            if worker is not None:
                worker.end()
            raise
        self._worker = worker
        return answer


def _wait(worker: WorkerProcess, stop: Stop) -> Any:
    """Return the next answer of a process."""
    while True:
        try:
            answer = worker.answers.get(timeout=_POLL_SECONDS)
        except Empty:
            worker.check_owner()  # a fork may come from whatever the stop calls
            status = stop.status
            if status is not None:
                raise Stopped(status) from None
            if not worker.has_memory(stop):
                raise Stopped(Status.MEMORY) from None
            continue
        if answer is None:
            raise MemoryError(f"the process of the SAT solver has ended with status {worker.find_status()}")
        return answer
