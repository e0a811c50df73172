"""The engine ``cpsat``, which uses OR-Tools CP-SAT to find a few solutions of least cost of a large problem.

Every option is a Boolean variable. The model is solved once per solution, and each solution is excluded from then on.
If costs matter, the model minimizes the cost, so solutions come in ascending order of cost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactcover.control.memory import reserve_for_library
from exactcover.control.observers import NOBODY, Observers
from exactcover.control.options import ALL, DEFAULTS, Goal, SearchOptions
from exactcover.control.stop import Stop
from exactcover.engines.base import Engine
from exactcover.engines.runs import EngineRun
from exactcover.engines.thread_group import ThreadGroup
from exactcover.model.matrix import Matrix

if TYPE_CHECKING:  # slow to import, and an extra
    from ortools.sat.python import cp_model

__all__ = ["CpSatEngine"]

_POLL_SECONDS = 0.01  # between two polls of the stop
_MAX_COST = 1 << 60
_LIBRARY_MEMORY = 640 << 20  # bytes of address space


class CpSatRun(EngineRun):
    """A run that solves one model repeatedly."""

    def __init__(self, matrix: Matrix, stop: Stop, jobs: int, cheapest: int | None) -> None:
        super().__init__()
        reserve_for_library("OR-Tools", _LIBRARY_MEMORY)
        from ortools.sat.python import cp_model

        self._stop, self._most, self._jobs = stop, cheapest, jobs
        self._model = cp_model.CpModel()
        self._chosen = [self._model.new_bool_var("") for _ in stop.watch(range(len(matrix)))]
        self._exact = not matrix.multiplicity
        self._done = False
        self._branches = 0
        self._add_rules(matrix)
        if cheapest is not None and matrix.costs:
            self._model.minimize(sum(cost * self._chosen[k] for k, cost in enumerate(matrix.costs) if cost))

    def _add_rules(self, matrix: Matrix) -> None:
        """Add one constraint per item, and one variable for each color of an item."""
        model = self._model
        uncolored: list[list[cp_model.IntVar]] = [[] for _ in range(matrix.items)]
        colors: list[dict[int, cp_model.IntVar]] = [{} for _ in range(matrix.items)]
        for option in self._stop.watch(range(len(matrix))):
            for item, color in matrix.option(option):
                if color:
                    shared = colors[item].get(color)
                    if shared is None:
                        shared = colors[item][color] = model.new_bool_var("")
                    model.add_implication(self._chosen[option], shared)
                else:
                    uncolored[item].append(self._chosen[option])
        for item in range(matrix.items):
            if item < matrix.primary:
                model.add_linear_constraint(sum(uncolored[item]), *matrix.capped(item))
            else:
                model.add_at_most_one([*uncolored[item], *colors[item].values()])

    def __next__(self) -> tuple[int, ...]:
        if self._done or self._delivered == self._most:
            raise StopIteration
        solver = self._solve()
        if solver is None:
            self._done = True
            raise StopIteration
        solution = tuple(k for k, variable in enumerate(self._chosen) if solver.boolean_value(variable))
        taken = set(solution)
        others = () if self._exact else (v for k, v in enumerate(self._chosen) if k not in taken)
        self._model.add_bool_or([*(self._chosen[k].negated() for k in solution), *others])
        self._delivered += 1
        return solution

    def _solve(self) -> cp_model.CpSolver | None:
        """Solve the model in a separate thread, so that a stop is obeyed; return None if it has no solution.

        Raises
        ------
        Stopped
            If the stop asks for it.
        MemoryError
            If CP-SAT ends without a result.
        """
        from ortools.sat.python import cp_model

        solver = cp_model.CpSolver()
        solver.parameters.num_workers = self._jobs
        solver.parameters.catch_sigint_signal = False  # its handler aborts in other threads, and ours would be lost
        status: list[int] = []
        errors: list[BaseException] = []

        def solve() -> None:
            try:
                status.append(int(solver.solve(self._model)))
            except BaseException as error:  # raised again below, in the thread that waits
                errors.append(error)

        threads = ThreadGroup(solver.stop_search)
        threads.start([solve])
        try:
            while threads.is_alive():
                self._stop.poll()
                threads.join(_POLL_SECONDS)
        finally:
            threads.end()
        if errors:
            raise errors[0]
        self._branches += solver.num_branches
        if status[0] == cp_model.INFEASIBLE:
            return None
        if status[0] != cp_model.OPTIMAL:
            raise MemoryError(f"CP-SAT gave up: {solver.status_name()}")
        return solver

    @property
    def nodes(self) -> int:
        return self._branches

    def explored(self) -> float:
        return float(self._done)


class CpSatEngine(Engine):
    """CP-SAT. It requires OR-Tools (extra ``cpsat``), and is never picked automatically."""

    name = "cpsat"
    supports = frozenset({"jobs"})

    def obstacle(self, matrix: Matrix) -> str | None:
        return "its costs are too large" if sum(matrix.costs) >= _MAX_COST else None

    def start(
        self,
        matrix: Matrix,
        stop: Stop,
        options: SearchOptions = DEFAULTS,
        goal: Goal = ALL,
        observers: Observers = NOBODY,
        ceiling: int | None = None,
    ) -> CpSatRun:
        return CpSatRun(matrix, stop, options.jobs, goal.cheapest)
