"""The SAT solver of a process that works for another one; see :mod:`exactcover.engines.sat_solver`.

A script that :mod:`exactcover.engines.worker_main` runs. It imports the standard library and PySAT alone.
"""

from array import array
from collections.abc import Callable, Iterable
from typing import Any


class Solver:
    """The current solver, with the methods that requests name; each gives one answer at most."""

    def __init__(self, _: Callable[..., None]) -> None:
        self._solver: Any = None

    def new(self) -> None:
        """Start with no clauses."""
        from pysat.solvers import Glucose42

        self._solver = Glucose42()

    def new_with_bounds(self, bounds: "array[int]") -> None:
        """Start with bounds alone; record what is learned.

        Each bound is how many literals may be true at most, these literals, and 0.
        """
        from pysat.solvers import Gluecard4

        self._solver = Gluecard4(with_proof=True)
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

        Return whether there is a model, or None if this is not known yet; the true ones of the first `variables`, or
        the assumptions that allow no model; and the numbers of conflicts, decisions and propagations since the start.
        """
        self._solver.conf_budget(conflicts)
        answer = self._solver.solve_limited(assumptions=list(assumptions))
        literals: list[int] = []
        if answer is True:
            literals = [literal for literal in self._solver.get_model()[:variables] if literal > 0]
        elif answer is False:
            literals = self._solver.get_core() or []
        numbers = self._solver.accum_stats()
        counts = [numbers[name] for name in ("conflicts", "decisions", "propagations")]
        return answer, array("i", literals), counts
