"""The process in which a SAT solver runs. It reads requests from standard input, and writes answers to standard output.

It imports the standard library and PySAT alone, and is started as a script; see :mod:`exactcover.engines.sat_solver`.
Requests and answers are pickled, and come from this package only.
"""

import os
import pickle
import signal
import sys
from array import array
from collections.abc import Iterable
from typing import Any, BinaryIO

__all__: list[str] = []


class _Solver:
    """The current solver, with the methods that requests name."""

    def new(self) -> None:
        """Start with no clauses."""
        from pysat.solvers import Glucose42

        self._solver: Any = Glucose42()

    def new_with_bounds(self, bounds: "array[int]", with_proof: bool) -> None:
        """Start with bounds alone; record what is learned, if that is wanted.

        Each bound is how many literals may be true at most, these literals, and 0.
        """
        from pysat.solvers import Gluecard4

        self._solver = Gluecard4(with_proof=with_proof)
        begin = 0
        while begin < len(bounds):
            end = bounds.index(0, begin + 1)  # the number may be 0
            self._solver.add_atmost(bounds[begin + 1 : end], bounds[begin])
            begin = end + 1

    def add(self, literals: "array[int]") -> None:
        """Add clauses, each of which ends with 0."""
        begin = 0
        while begin < len(literals):
            end = literals.index(0, begin)
            self._solver.add_clause(literals[begin:end])
            begin = end + 1

    def read_proof(self) -> "array[int]":
        """Return the clauses that were learned, each of which ends with 0; one that was dropped also begins with 0."""
        proof = array("i")
        for line in self._solver.get_proof():
            words = line.split()
            if words[0] == "d":
                words[0] = "0"
            if words != ["0"]:  # the clause without literals, with which it ends
                proof.extend(map(int, words))
        return proof

    def solve(self, assumptions: Iterable[int], conflicts: int, variables: int) -> tuple[object, ...]:
        """Search for at most this many conflicts.

        Returns
        -------
        tuple
            Whether there is a model, or None if this is not known yet; the true ones of the first `variables`; and the
            numbers of conflicts, decisions and propagations since the start.
        """
        self._solver.conf_budget(conflicts)
        answer = self._solver.solve_limited(assumptions=list(assumptions))
        literals: list[int] = []
        if answer is True:
            literals = [literal for literal in self._solver.get_model()[:variables] if literal > 0]
        numbers = self._solver.accum_stats()
        counts = [numbers[name] for name in ("conflicts", "decisions", "propagations")]
        return answer, array("i", literals), counts


def _take_output() -> BinaryIO:
    """Return standard output, and let libraries that print something print it nowhere."""
    output = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    return output


def _main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one decides
    output = _take_output()
    _forbid_core_dumps()
    requests = sys.stdin.buffer
    sys.path[:] = pickle.load(requests)
    solver = _Solver()
    while True:
        try:
            name, *arguments = pickle.load(requests)
        except EOFError:
            return
        answer = getattr(solver, name)(*arguments)
        if answer is not None:
            pickle.dump(answer, output)
            output.flush()


def _forbid_core_dumps() -> None:
    """Leave nothing behind where the solver ends the process for lack of memory."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    _main()
