"""CP-SAT in a process that works for another one; see :mod:`exactcover.engines.programs`.

A script that :mod:`exactcover.engines.worker_main` runs. It imports the standard library and OR-Tools alone.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

__all__ = ["Solver"]


class Solver:
    """A program that is solved again and again, each time without the solutions of before."""

    def __init__(self, answer: Callable[..., None]) -> None:
        self._answer = answer

    def solve(self, stated: dict[str, Any]) -> tuple[str, object, int]:
        """Take a program, and solve it."""
        from ortools.sat.python import cp_model

        self._library, self._jobs = cp_model, stated["jobs"]
        self._is_exclusive = stated["exclusive"]
        self._model = model = cp_model.CpModel()
        variables = [model.new_bool_var("") for _ in range(stated["variables"])]
        self._chosen = variables[: stated["options"]]
        indices, weights = stated["indices"], stated["weights"]
        bounds = zip(pairwise(stated["starts"]), stated["lows"], stated["highs"], strict=True)
        for (begin, end), low, high in bounds:
            row, places = [variables[k] for k in indices[begin:end]], weights[begin:end]
            least = cp_model.INT_MIN if low is None else low
            most = cp_model.INT_MAX if high is None else high
            model.add_linear_constraint(cp_model.LinearExpr.weighted_sum(row, places), least, most)
        if any(stated["costs"]):
            model.minimize(cp_model.LinearExpr.weighted_sum(self._chosen, stated["costs"]))
        for k in stated["hint"] or ():
            model.add_hint(variables[k], 1)
        return self._search()

    def solve_without(self, options: list[int]) -> tuple[str, object, int]:
        """Exclude a solution, and solve the program again."""
        others = [] if self._is_exclusive else [*{*range(len(self._chosen))}.difference(options)]
        literals = [self._chosen[k].negated() for k in options] + [self._chosen[k] for k in others]
        self._model.add_bool_or(literals)
        return self._search()

    def _search(self) -> tuple[str, object, int]:
        library, answer, chosen = self._library, self._answer, self._chosen

        class Callback(library.CpSolverSolutionCallback):  # type: ignore[misc, name-defined]
            def on_solution_callback(self) -> None:
                answer(("solution", [k for k, one in enumerate(chosen) if self.boolean_value(one)]))

        solver = library.CpSolver()
        solver.parameters.num_workers = self._jobs
        solver.best_bound_callback = lambda bound: answer(("bound", bound))
        status = solver.solve(self._model, Callback())
        if status == library.OPTIMAL:
            best = [k for k, one in enumerate(chosen) if solver.boolean_value(one)]
            return "best", best, solver.num_branches
        if status == library.INFEASIBLE:
            return "none", None, solver.num_branches
        return "failure", solver.status_name(), solver.num_branches
