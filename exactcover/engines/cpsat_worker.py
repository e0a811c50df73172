"""CP-SAT in a process that works for another one; see :mod:`exactcover.engines.programs`.

A script that :mod:`exactcover.engines.worker_main` runs. It imports the standard library and OR-Tools alone.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

__all__ = ["serve"]


class _Program:
    """A program that is solved again and again, each time without the solutions of before."""

    def __init__(self, stated: dict[str, Any], answer: Callable[..., None]) -> None:
        from ortools.sat.python import cp_model

        self._library, self._answer, self._jobs = cp_model, answer, stated["jobs"]
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

    def exclude(self, options: list[int]) -> None:
        """Exclude a solution."""
        others = [] if self._is_exclusive else [*{*range(len(self._chosen))}.difference(options)]
        literals = [self._chosen[k].negated() for k in options] + [self._chosen[k] for k in others]
        self._model.add_bool_or(literals)

    def solve(self) -> None:
        """Solve it, and answer."""
        library, answer, chosen = self._library, self._answer, self._chosen

        class Callback(library.CpSolverSolutionCallback):  # type: ignore[misc, name-defined]
            def on_solution_callback(self) -> None:
                answer(("solution", [k for k, one in enumerate(chosen) if self.boolean_value(one)]), is_last=False)

        solver = library.CpSolver()
        solver.parameters.num_workers = self._jobs
        solver.best_bound_callback = lambda bound: answer(("bound", bound), is_last=False)
        status = solver.solve(self._model, Callback())
        if status == library.OPTIMAL:
            best = [k for k, one in enumerate(chosen) if solver.boolean_value(one)]
            answer(("best", best, solver.num_branches))
        elif status == library.INFEASIBLE:
            answer(("none", None, solver.num_branches))
        else:
            answer(("failure", solver.status_name(), solver.num_branches))


def serve(take: Callable[[], Any], answer: Callable[..., None]) -> None:
    """Solve one program after another; a list of options excludes a solution of the last program."""
    program = None
    while True:
        request = take()
        if isinstance(request, dict):
            program = _Program(request, answer)
        else:
            assert program is not None
            program.exclude(request)
        program.solve()
