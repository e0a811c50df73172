"""A SAT solver in a process of its own; Glucose, by PySAT."""

from __future__ import annotations

import operator
from array import array
from collections.abc import Sequence, Set
from typing import Any

from exactcover.control.stop import Stop
from exactcover.engines.worker_process import WorkerProcess, return_worker, take_worker, wait_for_answer

_SLICE = 1 << 8  # conflicts; the solver ends a slice when it restarts anyway, so small ones cost nothing
_MAX_REUSED = 1 << 22  # literals after which a process is not used again, because it keeps its memory


class SatSolver:
    """A solver that keeps what it has learned between questions. Only one thread at a time may use it.

    Each clause ends with 0, and those that are added later are appended to the first ones. A bound is how many literals
    may be true at most, these literals, and 0; with bounds, the solver records a proof.
    """

    def __init__(self, clauses: array[int], bounds: array[int] | None = None) -> None:
        self._clauses, self._bounds = clauses, bounds
        self._worker: WorkerProcess | None = None
        self._sent = 0  # literals that the process has got
        self._earlier = (0, 0, 0)  # conflicts, decisions and propagations of processes that were ended
        self.conflicts = self.decisions = self.propagations = 0
        self.core: Set[int] = frozenset()  # assumptions that allow no model, after an answer that there is none

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause."""
        self._clauses.extend(clause)
        self._clauses.append(0)

    def search_on(self, assumptions: Sequence[int], variables: int, stop: Stop) -> tuple[bool, Sequence[int] | None]:
        """Search for some conflicts for a model with some assumptions.

        Return whether the answer is known, and which of the first `variables` are true; None if there is no model. The
        status of the stop is read all the time. The stop is polled between slices of the search, once for each
        conflict, so the number of polls does not depend on the clock. An exception from a poll ends the question, but
        the solver keeps what it has learned; after a stop, it starts anew with the next question.
        """
        stop.poll()
        before = self.conflicts
        satisfiable, chosen, counts = self._ask(("solve", assumptions, _SLICE, variables), stop)
        self.conflicts, self.decisions, self.propagations = map(operator.add, self._earlier, counts)
        if satisfiable is not None:
            self.core = frozenset(() if satisfiable else chosen)
            return True, chosen if satisfiable else None
        for _ in range(self.conflicts - before):
            stop.poll()
        return False, None

    def read_proof(self, stop: Stop) -> array[int]:
        """Return the clauses that were learned, each of which ends with 0; one that was dropped also begins with 0."""
        proof: array[int] = self._ask(("read_proof",), stop)
        return proof

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Forget everything; the process may serve another solver."""
        worker, self._worker = self._worker, None
        if worker is not None:
            return_worker(worker, small=len(self._clauses) <= _MAX_REUSED)

    def _ask(self, request: tuple[object, ...], stop: Stop) -> Any:
        """Return the answer of the process to a request, after it has got all clauses."""
        worker, self._worker = self._worker, None  # nobody else may use a process that owes an answer
        try:
            if worker is None:
                worker, self._sent = take_worker("sat_worker.py", "the SAT solver"), 0
                worker.send(("new",) if self._bounds is None else ("new_with_bounds", self._bounds))
            if self._sent < len(self._clauses):
                worker.send(("add", self._clauses[self._sent :]))
                self._sent = len(self._clauses)
            worker.send(request, answered=True)
            answer = wait_for_answer(worker, stop)
        except BaseException:
            self._earlier = self.conflicts, self.decisions, self.propagations
            if worker is not None:
                worker.end()
            raise
        self._worker = worker
        return answer
