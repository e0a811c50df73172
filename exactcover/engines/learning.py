"""The engine ``learning``, which finds solutions by clauses that it learns from dead ends.

A SAT solver searches the clauses of a matrix. Each solution that is found is excluded from then on. Options that are
given or excluded are assumptions, so a solver for many instances keeps what it has learned.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence

from exactcover.control.observers import NOBODY, Observers
from exactcover.control.options import ALL, Goal, SearchOptions
from exactcover.control.stop import Stop
from exactcover.engines.base import Engine
from exactcover.engines.runs import EngineRun
from exactcover.model.clauses import count_shared_colors, list_clauses, state_bounds
from exactcover.model.matrix import Matrix

__all__ = ["LearningEngine"]

_MAX_ENTRIES = 1 << 26  # variables and clauses have 32 bits in the solver


class _Formula:
    """A matrix in a SAT solver.

    Parameters
    ----------
    matrix, stop
        The matrix, and the stop of the time that it takes to state it.
    bounded
        Whether the solver gets bounds, of which it needs fewer and longer ones than clauses.
    """

    def __init__(self, matrix: Matrix, stop: Stop, *, bounded: bool = False) -> None:
        from exactcover.engines.worker_process import SatSolver  # seldom needed

        bounds, self._before = None, 0
        if bounded:
            stated = state_bounds(matrix, stop)
            clauses, bounds = stated.clauses + stated.supports, stated.bounds
            self._variables = len(matrix) + len(stated.colors)
        else:
            clauses, self._before = array("i"), count_shared_colors(matrix)
            for clause in list_clauses(matrix, stop, before=self._before):
                clauses.extend(clause)
                clauses.append(0)
            self._variables = max(self._before + len(matrix), max(map(abs, clauses), default=0))
        self.solver = SatSolver(clauses, bounds)
        self._options = len(matrix)
        self._exact = not matrix.multiplicity

    def add_switch(self) -> int:
        """Return a new variable, which clauses can depend on."""
        self._variables += 1
        return self._variables

    def state(self, option: int) -> int:
        """Return the variable of an option."""
        return self._before + option + 1

    def find(self, assumptions: Sequence[int], stop: Stop) -> tuple[int, ...] | None:
        """Return the options of a solution with some assumptions, or None if there is none."""
        return self._read(self.solver.solve(assumptions, self.state(self._options - 1), stop))

    def find_on(self, stop: Stop) -> tuple[bool, tuple[int, ...] | None]:
        """Search for a while; return whether the answer is known, and the answer as :meth:`find` does."""
        is_known, chosen = self.solver.search_on((), self.state(self._options - 1), stop)
        return is_known, self._read(chosen)

    def _read(self, model: Sequence[int] | None) -> tuple[int, ...] | None:
        """Return the options that a model chooses."""
        if model is None:
            return None
        first = self.state(0)
        return tuple(variable - first for variable in model if variable >= first)

    def exclude(self, solution: Sequence[int], switch: int = 0) -> None:
        """Exclude a solution from now on, or as long as a variable is true."""
        taken = set(solution)
        others = () if self._exact else (self.state(k) for k in range(self._options) if k not in taken)
        self.solver.add([*(-self.state(k) for k in solution), *others, *([-switch] if switch else [])])


class LearningRun(EngineRun):
    """A run that excludes each solution that it delivers."""

    def __init__(self, formula: _Formula, stop: Stop, most: int | None) -> None:
        super().__init__()
        self._formula, self._stop, self._most = formula, stop, most
        self._done = False

    def __next__(self) -> tuple[int, ...]:
        self._check_end()
        return self._deliver(self._formula.find((), self._stop))

    def search_on(self) -> tuple[int, ...] | None:
        self._check_end()
        is_known, solution = self._formula.find_on(self._stop)
        return self._deliver(solution) if is_known else None

    def _check_end(self) -> None:
        if self._done or self._delivered == self._most:
            raise StopIteration

    def _deliver(self, solution: tuple[int, ...] | None) -> tuple[int, ...]:
        """Exclude a solution from now on, and return it."""
        if solution is None:
            self._done = True
            raise StopIteration
        self._formula.exclude(solution)
        self._delivered += 1
        return solution

    @property
    def nodes(self) -> int:
        return self._formula.solver.decisions

    @property
    def work(self) -> int:
        return self._formula.solver.propagations

    def explored(self) -> float:
        return float(self._done)

    @property
    def details(self) -> Mapping[str, int | str]:
        return {"conflicts": self._formula.solver.conflicts}

    def close(self) -> None:
        self._formula.solver.close()


class LearningReusableRun:
    """A search that keeps what it has learned between instances."""

    def __init__(self, formula: _Formula) -> None:
        self._formula = formula

    def solve(self, given: Sequence[int], without: Sequence[int], limit: int, stop: Stop) -> list[tuple[int, ...]]:
        formula = self._formula
        switch = formula.add_switch() if limit > 1 else 0
        assumptions = [*map(formula.state, given), *(-formula.state(k) for k in without)]
        assumptions += [switch] if switch else []
        found: list[tuple[int, ...]] = []
        while len(found) < limit and (solution := formula.find(assumptions, stop)) is not None:
            found.append(solution)
            if switch:
                formula.exclude(solution, switch)
        if switch:
            formula.solver.add([-switch])  # which no later instance needs
        return found


class LearningEngine(Engine):
    """Conflict-driven clause learning, by a SAT solver of PySAT. A search for one solution gives it turns.

    Parameters
    ----------
    bounded
        Whether a search uses a solver that knows how many options may cover an item. It is faster on tilings, and a
        solver of clauses alone on designs.
    """

    name = "learning"

    def __init__(self, *, bounded: bool = False) -> None:
        self._bounded = bounded

    def obstacle(self, matrix: Matrix) -> str | None:
        if matrix.costs:
            return "it does not minimize costs"
        return None if len(matrix.entries) < _MAX_ENTRIES else "it has too many items in options"

    def start(
        self,
        matrix: Matrix,
        stop: Stop,
        options: SearchOptions | None = None,
        goal: Goal = ALL,
        observers: Observers = NOBODY,
    ) -> LearningRun:
        return LearningRun(_Formula(matrix, stop, bounded=self._bounded), stop, goal.cheapest)

    def reusable(self, matrix: Matrix, stop: Stop) -> LearningReusableRun:
        return LearningReusableRun(_Formula(matrix, stop))
