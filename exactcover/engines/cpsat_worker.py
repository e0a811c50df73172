"""CP-SAT in a process that works for another one; see :mod:`exactcover.engines.programs`.

A script that :mod:`exactcover.engines.worker_main` runs. It imports the standard library and OR-Tools alone.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any


class Solver:
    """A program, which may be solved."""

    def __init__(self, answer: Callable[..., None]) -> None:
        self._answer = answer

    def solve(self, stated: dict[str, Any]) -> tuple[object, ...]:
        """Solve a program."""
        from ortools.sat.python import cp_model

        model = cp_model.CpModel()
        variables = [model.new_bool_var("") for _ in range(stated["variables"])]
        indices, weights = stated["indices"], stated["weights"]
        bounds = zip(pairwise(stated["starts"]), stated["lows"], stated["highs"], strict=True)
        for (begin, end), low, high in bounds:
            row, places = [variables[k] for k in indices[begin:end]], weights[begin:end]
            least = cp_model.INT_MIN if low is None else low
            most = cp_model.INT_MAX if high is None else high
            model.add_linear_constraint(cp_model.LinearExpr.weighted_sum(row, places), least, most)
        if any(stated["costs"]):
            model.minimize(cp_model.LinearExpr.weighted_sum(variables[: stated["options"]], stated["costs"]))
        for k in stated["hint"] or ():
            model.add_hint(variables[k], 1)
        answer, chosen = self._answer, variables[: stated["options"]]

        class Callback(cp_model.CpSolverSolutionCallback):
            def on_solution_callback(self) -> None:
                answer(("solution", [k for k, one in enumerate(chosen) if self.boolean_value(one)]))

        solver = cp_model.CpSolver()
        solver.parameters.num_workers = stated["jobs"]
        solver.best_bound_callback = lambda bound: answer(("bound", bound))
        status = solver.solve(model, Callback())
        if status == cp_model.OPTIMAL:
            best = [k for k, one in enumerate(chosen) if solver.boolean_value(one)]
            return "best", best, solver.num_branches, []
        if status == cp_model.INFEASIBLE:
            return "none", None, solver.num_branches
        return "failure", solver.status_name(), solver.num_branches
