"""The branch and bound of HiGHS in a process that works for another one; see :mod:`exactcover.engines.programs`.

A script that :mod:`exactcover.engines.worker_main` runs. It imports the standard library, NumPy and HiGHS alone.
"""

from collections.abc import Callable
from typing import Any

__all__ = ["Solver"]

_CHOSEN = 0.5  # of an option; more means that a solution contains it
_WRONG_RULE = 1 << 16  # of the presolve: by enumeration, HiGHS 1.16 loses solutions, or finds none
_SETTINGS = {"output_flag": False, "threads": 1, "mip_rel_gap": 0.0, "presolve_rule_off": _WRONG_RULE}


def _build_program(stated: dict[str, Any]) -> Any:
    """Return a program for HiGHS; see :mod:`exactcover.engines.programs`."""
    import highspy
    import numpy

    program, variables, infinity = highspy.HighsLp(), stated["variables"], highspy.kHighsInf
    program.num_col_, program.num_row_ = variables, len(stated["lows"])
    costs = numpy.zeros(variables)
    costs[: len(stated["costs"])] = stated["costs"]
    program.col_cost_, program.col_lower_, program.col_upper_ = costs, numpy.zeros(variables), numpy.ones(variables)
    lows, highs = stated["lows"], stated["highs"]
    program.row_lower_ = numpy.array([-infinity if low is None else low for low in lows], float)
    program.row_upper_ = numpy.array([infinity if high is None else high for high in highs], float)
    rows = program.a_matrix_
    rows.format_ = highspy.MatrixFormat.kRowwise
    rows.start_, rows.index_ = (numpy.array(stated[name], numpy.int32) for name in ("starts", "indices"))
    rows.value_ = numpy.array(stated["weights"], float)
    return program


class Solver:
    """A program that is solved again and again, each time without the solutions of before."""

    def __init__(self, answer: Callable[..., None]) -> None:
        self._answer = answer

    def solve(self, stated: dict[str, Any]) -> tuple[str, object, int]:
        """Take a program, and solve it."""
        import highspy
        import numpy

        self._options, self._is_exclusive = stated["options"], stated["exclusive"]
        self._names, self._infinity = highspy.HighsModelStatus, highspy.kHighsInf
        self._solver = solver = highspy.Highs()  # type: ignore[no-untyped-call]
        for name, value in _SETTINGS.items():
            solver.setOptionValue(name, value)
        program, variables = _build_program(stated), stated["variables"]
        program.integrality_ = [highspy.HighsVarType.kInteger] * variables
        solver.passModel(program)
        if stated["hint"] is not None:
            values = numpy.zeros(variables)
            values[stated["hint"]] = 1
            solver.setSolution(variables, numpy.arange(variables, dtype=numpy.int32), values)
        solver.cbMipImprovingSolution += self._tell_solution
        solver.cbMipInterrupt += self._tell_bound
        self._bound = -self._infinity
        return self._search()

    def _read(self, values: Any) -> list[int]:
        """Return the options of a solution."""
        import numpy

        return numpy.flatnonzero(numpy.array(values)[: self._options] > _CHOSEN).tolist()

    def _tell_solution(self, event: Any) -> None:
        self._answer(("solution", self._read(event.data_out.mip_solution)))

    def _tell_bound(self, event: Any) -> None:
        if self._bound < event.data_out.mip_dual_bound < self._infinity:
            self._bound = event.data_out.mip_dual_bound
            self._answer(("bound", self._bound))

    def solve_without(self, options: list[int]) -> tuple[str, object, int]:
        """Exclude a solution, and solve the program again."""
        import numpy

        indices = numpy.array(options, numpy.int32)
        weights = numpy.ones(len(options))
        if not self._is_exclusive:
            weights = numpy.full(self._options, -1.0)
            weights[options] = 1.0
            indices = numpy.arange(self._options, dtype=numpy.int32)
        self._solver.addRow(-self._infinity, len(options) - 1.0, len(indices), indices, weights)
        return self._search()

    def _search(self) -> tuple[str, object, int]:
        solver, names = self._solver, self._names
        solver.run()
        if solver.getModelStatus() == names.kSolveError:  # which its presolve may be to blame for
            solver.setOptionValue("presolve", "off")
            solver.clearSolver()
            solver.run()
        status = solver.getModelStatus()
        nodes = max(0, solver.getInfo().mip_node_count)
        if status in (names.kOptimal, names.kModelEmpty):
            return "best", self._read(solver.getSolution().col_value), nodes
        if status == names.kInfeasible:
            return "none", None, nodes
        return "failure", solver.modelStatusToString(status), nodes
