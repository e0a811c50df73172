"""The branch and bound of HiGHS in a process that works for another one; see :mod:`exactcover.engines.programs`.

A script that :mod:`exactcover.engines.worker_main` runs. It imports the standard library, NumPy and HiGHS alone.
"""

from collections.abc import Callable
from typing import Any

_CHOSEN = 0.5  # of an option; more means that a solution contains it
_WRONG_RULE = 1 << 16  # of the presolve: by enumeration, HiGHS 1.16 loses solutions, or finds none
_LEAST_MISS = 1e-6  # of rows that contradict each other


def _make_solver(stated: dict[str, Any]) -> Any:
    """Return HiGHS with the relaxation of a program; see :mod:`exactcover.engines.programs`."""
    import highspy
    import numpy

    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    for name, value in {
        "output_flag": False, "threads": 1, "mip_rel_gap": 0.0, "presolve_rule_off": _WRONG_RULE,
    }.items():  # fmt: skip
        solver.setOptionValue(name, value)
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
    solver.passModel(program)
    return solver


class Solver:
    """A program, which may be solved."""

    def __init__(self, answer: Callable[..., None]) -> None:
        self._answer = answer

    def solve(self, stated: dict[str, Any]) -> tuple[object, ...]:
        """Solve a program."""
        import highspy
        import numpy

        self._options = stated["options"]
        names, self._infinity = highspy.HighsModelStatus, highspy.kHighsInf
        solver, variables = _make_solver(stated), stated["variables"]
        places = numpy.arange(variables, dtype=numpy.int32)
        solver.changeColsIntegrality(variables, places, numpy.full(variables, highspy.HighsVarType.kInteger))
        solver.setOptionValue("mip_abs_gap", 0.5)  # between bounds that mean the same cost
        solver.setOptionValue("presolve", "choose" if stated["presolve"] else "off")
        if stated["hint"] is not None:
            values = numpy.zeros(variables)
            values[stated["hint"]] = 1
            solver.setSolution(variables, places, values)
        solver.cbMipImprovingSolution += self._tell_solution
        solver.cbMipInterrupt += self._tell_bound
        self._bound = -self._infinity
        solver.run()
        if solver.getModelStatus() in (names.kSolveError, names.kInfeasible):  # which presolve may be to blame for
            solver.setOptionValue("presolve", "off")
            solver.clearSolver()
            solver.run()
        status = solver.getModelStatus()
        nodes = max(0, solver.getInfo().mip_node_count)
        if status in (names.kOptimal, names.kModelEmpty):
            best, prices = self._read(solver.getSolution().col_value), list[float]()
            if stated["proves"] and nodes <= 1:  # else they hardly prove that it is the best one
                solver.setOptionValue("solve_relaxation", True)
                solver.run()
                relaxed = solver.getSolution()
                prices += relaxed.row_dual if relaxed.dual_valid else []
            return "best", best, nodes, prices
        if status == names.kInfeasible:
            return "none", None, nodes
        return "failure", solver.modelStatusToString(status), nodes

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

    def find_conflict(self, stated: dict[str, Any]) -> dict[int, float]:
        """Return rows of the relaxation that contradict each other, but any one less do not, and their dual prices.

        Each row may be missed at a price of 1. Rows that can be left out are left out one by one (a deletion filter);
        there are none if all rows can be fulfilled.
        """
        import numpy

        solver, rows = _make_solver(stated), len(stated["lows"])
        infinity, nothing = solver.getInfinity(), numpy.zeros(1, numpy.int32)
        for row in range(rows):
            for sign in (1.0, -1.0):
                solver.addCol(1.0, 0.0, infinity, 1, nothing + row, numpy.array([sign]))
        left = dict.fromkeys(range(rows), 0.0)

        def find_prices() -> dict[int, float]:
            solver.run()
            missed = solver.getInfo().objective_function_value > _LEAST_MISS
            return {
                row: price
                for row, price in enumerate(solver.getSolution().row_dual)
                if missed and abs(price) > _LEAST_MISS
            }

        def keep(kept: dict[int, float]) -> dict[int, float]:
            for other in left.keys() - kept.keys():
                solver.changeRowBounds(other, -infinity, infinity)
            return kept

        left = keep(find_prices())
        for row in sorted(left):
            if row in left:
                solver.changeRowBounds(row, -infinity, infinity)
                fewer = find_prices()
                if fewer:
                    left = keep(fewer)
                else:
                    low, high = stated["lows"][row], stated["highs"][row]
                    solver.changeRowBounds(row, -infinity if low is None else low, infinity if high is None else high)
        return left
