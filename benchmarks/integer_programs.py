"""The cheapest solution as an integer program, by HiGHS, SCIP and CP-SAT with one thread each."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from exactcover import Problem

__all__ = ["solve_by_cpsat", "solve_by_highs", "solve_by_scip"]


def solve_by_highs(problem: Problem, timeout: float) -> int | None:
    """Return the least cost, if it is proved in time."""
    import highspy
    import numpy

    matrix = problem.matrix
    program = highspy.HighsLp()
    program.num_row_, program.num_col_ = matrix.items, len(matrix)
    program.col_cost_ = numpy.array(matrix.costs, float)
    program.col_lower_, program.col_upper_ = numpy.zeros(len(matrix)), numpy.ones(len(matrix))
    program.row_lower_ = program.row_upper_ = numpy.ones(matrix.items)
    columns = program.a_matrix_
    columns.format_ = highspy.MatrixFormat.kColwise
    columns.start_, columns.index_ = numpy.array(matrix.starts), numpy.array(matrix.entries)
    columns.value_ = numpy.ones(len(matrix.entries))
    program.integrality_ = [highspy.HighsVarType.kInteger] * len(matrix)
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

    matrix = problem.matrix
    model = Model()
    model.hideOutput()
    model.setParam("limits/time", timeout)
    model.setParam("limits/absgap", 0.5)
    chosen = [model.addVar(vtype="B", obj=cost) for cost in matrix.costs]
    holders: list[list[Any]] = [[] for _ in range(matrix.items)]
    for option, (start, end) in enumerate(pairwise(matrix.starts)):
        for item in matrix.entries[start:end]:
            holders[item].append(chosen[option])
    for variables in holders:
        model.addCons(quicksum(variables) == 1)
    model.optimize()
    return round(model.getObjVal()) if model.getStatus() in ("optimal", "gaplimit") else None


def solve_by_cpsat(problem: Problem, timeout: float) -> int | None:
    """Return the least cost, if it is proved in time."""
    from ortools.sat.python import cp_model

    matrix = problem.matrix
    model = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in matrix.costs]
    for held in matrix.holders()[: matrix.primary]:
        model.add_exactly_one(chosen[option] for option, _ in held)
    model.minimize(sum(cost * variable for cost, variable in zip(matrix.costs, chosen, strict=True)))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = timeout
    return round(solver.objective_value) if solver.solve(model) == cp_model.OPTIMAL else None
