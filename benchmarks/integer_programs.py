"""The cheapest solution as an integer program, by HiGHS and SCIP with one thread each."""

from __future__ import annotations

from typing import Any

from exactcover import Problem
from exactcover.model.linear import LinearModel, state_linear_model
from exactcover.steps.soft import relax

__all__ = ["solve_by_highs", "solve_by_scip"]


def _state(problem: Problem) -> LinearModel:
    """Return the program that the engines ``highs`` and ``cpsat`` solve, too."""
    return state_linear_model((relax(problem).model if problem.soft_prices else problem).matrix)


def solve_by_highs(problem: Problem, timeout: float) -> int | None:
    """Return the least cost, if it is proved in time."""
    import highspy
    import numpy

    stated, program, infinity = _state(problem), highspy.HighsLp(), highspy.kHighsInf
    program.num_row_, program.num_col_ = len(stated.rows), stated.variables
    program.col_cost_ = numpy.array([*stated.costs, *[0] * len(stated.colors)], float)
    program.col_lower_, program.col_upper_ = numpy.zeros(stated.variables), numpy.ones(stated.variables)
    program.row_lower_ = numpy.array([-infinity if row.low is None else row.low for row in stated.rows], float)
    program.row_upper_ = numpy.array([infinity if row.high is None else row.high for row in stated.rows], float)
    rows = program.a_matrix_
    rows.format_ = highspy.MatrixFormat.kRowwise
    rows.start_ = numpy.cumsum([0, *(len(row.weights) for row in stated.rows)]).astype(numpy.int32)
    rows.index_ = numpy.array([variable for row in stated.rows for variable in row.weights], numpy.int32)
    rows.value_ = numpy.array([weight for row in stated.rows for weight in row.weights.values()], float)
    program.integrality_ = [highspy.HighsVarType.kInteger] * stated.variables
    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    for name, value in {
        "output_flag": False, "threads": 1, "time_limit": timeout, "mip_rel_gap": 0.0, "mip_abs_gap": 0.5,
    }.items():  # fmt: skip
        solver.setOptionValue(name, value)
    solver.passModel(program)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    return round(float(solver.getInfo().objective_function_value))


def solve_by_scip(problem: Problem, timeout: float) -> int | None:
    """Return the least cost, if it is proved in time."""
    from pyscipopt import Model, quicksum

    stated, model = _state(problem), Model()
    model.hideOutput()
    model.setParam("limits/time", timeout)
    model.setParam("limits/absgap", 0.5)
    variables = [model.addVar(vtype="B", obj=cost) for cost in [*stated.costs, *[0] * len(stated.colors)]]
    for weights, low, high, _ in stated.rows:
        total = quicksum(weight * variables[variable] for variable, weight in weights.items())
        if low is not None:
            model.addCons(total >= low)
        if high is not None:
            model.addCons(total <= high)
    model.optimize()
    return round(model.getObjVal()) if model.getStatus() in ("optimal", "gaplimit") else None
