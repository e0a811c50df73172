"""A problem as input for other solvers: CNF, OPB, integer programs as LP or MPS, and a Matrix Market file.

Variable k, from 1, is true if the k-th option is chosen. Further variables depend on these, so models and solutions
correspond one to one. Without multiplicities, the number of clauses or terms is proportional to the number of entries
of the matrix. A problem with soft items or rules about graphs is refused by a ``ProblemError``.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import TextIO

from exactcover.control.arguments import check_arguments
from exactcover.model.clauses import list_clauses
from exactcover.model.costs import cost_of_units
from exactcover.model.linear import state_linear_model
from exactcover.pictures.text import printable, show_value
from exactcover.problem import Problem

__all__ = ["list_constraints", "read_model", "write_cnf", "write_lp", "write_matrix_market", "write_mps", "write_opb"]

_TERMS_PER_LINE = 10
_SENSES = {"=": "E", ">=": "G"}
_WITH_MODEL = ("SATISFIABLE", "OPTIMUM FOUND")  # statements of solvers after which a model follows


@check_arguments
def write_cnf(problem: Problem, out: TextIO) -> None:
    """Write DIMACS CNF, with the clauses of :func:`~exactcover.model.clauses.list_clauses`.

    Raises
    ------
    ValueError
        If the problem has costs, which clauses cannot express.

    Examples
    --------
    >>> import sys
    >>> write_cnf(Problem({"A": ["a"], "B": ["a", "b"], "C": ["b"]}), sys.stdout)
    c 1 A
    c 2 B
    c 3 C
    p cnf 3 4
    1 2 0
    -1 -2 0
    2 3 0
    -2 -3 0
    """
    problem.refuse_soft("a CNF file")
    problem.refuse_rules("a CNF file")
    problem.refuse_weights("a CNF file")
    if problem.matrix.costs:
        raise ValueError("CNF cannot express costs; use OPB")
    for number, label in enumerate(problem.labels, 1):
        out.write(f"c {number} {printable(str(label))}\n")
    clauses, variables = 0, len(problem.labels)
    for clause in list_clauses(problem.matrix):
        clauses, variables = clauses + 1, max(variables, *map(abs, clause), 0)
    if variables > len(problem.labels):
        out.write(f"c variables from {len(problem.labels) + 1} on depend on the others\n")
    out.write(f"p cnf {variables} {clauses}\n")
    for clause in list_clauses(problem.matrix):
        out.write(f"{' '.join(map(str, clause))} 0\n")


@check_arguments
def write_opb(problem: Problem, out: TextIO) -> None:
    """Write pseudo-Boolean constraints: exactly one option per primary item, at most one per secondary item.

    An item with a multiplicity has one constraint per bound. Each color of a secondary item in several options has a
    variable of its own, which is true if one of these is chosen. Costs become the objective, as integers in the
    smallest unit.

    Examples
    --------
    >>> import sys
    >>> write_opb(Problem({"A": ["a", "x"], "B": ["a"]}, secondary=["x"]), sys.stdout)
    * #variable= 2 #constraint= 1
    * x1 A
    * x2 B
    +1 x1 +1 x2 = 1 ;
    """
    problem.refuse_soft("an OPB file")
    problem.refuse_rules("an OPB file")
    constraints = [*list_constraints(problem)]
    variables = max([len(problem.labels), 1, *itertools.chain.from_iterable(terms for terms, _, _ in constraints)])
    out.write(f"* #variable= {variables} #constraint= {len(constraints)}\n")
    for number, label in enumerate(problem.labels, 1):
        out.write(f"* x{number} {printable(str(label))}\n")
    if problem.matrix.costs:
        objective = " ".join(f"{cost:+d} x{number}" for number, cost in enumerate(problem.matrix.costs, 1) if cost)
        out.write(f"min: {objective} ;\n")
    for terms, relation, side in constraints:
        text = " ".join(f"{weight:+} x{variable}" for variable, weight in terms.items()) or "+0 x1"
        out.write(f"{text} {relation} {side} ;\n")


@check_arguments
def write_matrix_market(problem: Problem, out: TextIO) -> None:
    """Write a Matrix Market pattern matrix: one row per option, one column per item.

    Raises
    ------
    ValueError
        If the problem has secondary items, multiplicities or costs, which the format cannot express.

    Examples
    --------
    >>> import sys
    >>> write_matrix_market(Problem({"A": ["a"], "B": ["a", "b"]}), sys.stdout)
    %%MatrixMarket matrix coordinate pattern general
    2 2 3
    1 1
    2 1
    2 2
    """
    problem.refuse_soft("a Matrix Market file")
    problem.refuse_rules("a Matrix Market file")
    problem.refuse_weights("a Matrix Market file")
    matrix = problem.matrix
    if problem.secondary:
        raise ValueError("Matrix Market cannot express secondary items")
    if problem.multiplicity or matrix.costs:
        raise ValueError("Matrix Market cannot express multiplicities or costs")
    out.write("%%MatrixMarket matrix coordinate pattern general\n")
    out.write(f"{len(matrix)} {matrix.items} {len(matrix.entries)}\n")
    for row in range(len(matrix)):
        for item, _ in sorted(matrix.option(row)):
            out.write(f"{row + 1} {item + 1}\n")


@check_arguments
def read_model(text: str, options: int) -> list[int]:
    """Return the positions of the options that a model chooses, as solvers of CNF or OPB print it.

    Parameters
    ----------
    text
        Lines that begin with ``v``, with literals such as ``3``, ``-4``, ``x3`` or ``-x4``. Other lines are ignored.
    options
        The number of options of the problem; further variables are ignored.

    Raises
    ------
    ValueError
        If there is no such line, a literal is not valid, a variable is both true and false, or a line ``s`` says
        anything but ``SATISFIABLE`` or ``OPTIMUM FOUND``.

    Examples
    --------
    >>> read_model("s SATISFIABLE\\nv 1 -2 3\\nv -4 0\\n", 3)
    [0, 2]
    """
    lines = [line.split() for line in text.splitlines()]
    stated = [" ".join(words[1:]) for words in lines if words[:1] == ["s"]]
    if any("UNSAT" in statement for statement in stated):
        raise ValueError("the solver states that there is no model")
    unknown = next((statement for statement in stated if statement not in _WITH_MODEL), None)
    if unknown is not None:
        raise ValueError(f"the solver states {show_value(unknown)}; expected {' or '.join(_WITH_MODEL)}")
    values = [words[1:] for words in lines if words[:1] == ["v"]]
    if not values:
        raise ValueError("there is no line with values, which begins with v")
    signs: dict[int, bool] = {}
    for literal in itertools.chain.from_iterable(values):
        match = re.fullmatch(r"(-?)x?([0-9]{1,18})", literal)
        if match is None:
            raise ValueError(f"{show_value(literal)} is not a literal")
        variable, sign = int(match[2]), not match[1]
        if variable and signs.setdefault(variable, sign) != sign:
            raise ValueError(f"variable {variable} is both true and false")
    return sorted(variable - 1 for variable, sign in signs.items() if sign and variable <= options)


@check_arguments
def list_constraints(problem: Problem) -> Iterator[tuple[dict[int, int], str, int]]:
    """Yield the weights of variables, numbered from 1, and the relation of their sum, ``=`` or ``>=``, to a number."""
    for weights, low, high, _ in state_linear_model(problem.matrix).rows:
        terms = {variable + 1: weight for variable, weight in weights.items()}
        if low == high is not None:
            yield terms, "=", low or 0
            continue
        if low is not None:
            yield terms, ">=", low
        if high is not None:
            yield {variable: -weight for variable, weight in terms.items()}, ">=", -high


@check_arguments
def write_lp(problem: Problem, out: TextIO) -> None:
    """Write the LP format.

    Examples
    --------
    >>> import sys
    >>> write_lp(Problem({"A": ["a"], "B": ["a", "b"], "C": ["b"]}, costs={"B": 3}), sys.stdout)
    \\ x1 A
    \\ x2 B
    \\ x3 C
    minimize
     cost: +3 x2
    subject to
     c1: +1 x1 +1 x2 = 1
     c2: +1 x2 +1 x3 = 1
    binary
     x1 x2 x3
    end
    """
    problem.refuse_soft("an LP file")
    problem.refuse_rules("an LP file")
    out.writelines(f"\\ x{number} {printable(str(label))}\n" for number, label in enumerate(problem.labels, 1))
    variables = max(1, len(problem.labels))
    out.write("minimize\n")
    _write_terms(out, " cost:", [f"{cost:+f} x{variable}" for variable, cost in _list_costs(problem)] or ["+0 x1"], "")
    out.write("subject to\n")
    for number, (terms, relation, side) in enumerate(list_constraints(problem), 1):
        variables = max([variables, *terms])
        weighted = [f"{weight:+} x{variable}" for variable, weight in terms.items()] or ["+0 x1"]
        _write_terms(out, f" c{number}:", weighted, f" {relation} {side}")
    out.write("binary\n")
    _write_terms(out, "", [f"x{variable}" for variable in range(1, variables + 1)], "")
    out.write("end\n")


@check_arguments
def write_mps(problem: Problem, out: TextIO) -> None:
    """Write the free MPS format.

    Examples
    --------
    >>> import sys
    >>> write_mps(Problem({"A": ["a"], "B": ["a"]}, costs={"B": 3}), sys.stdout)
    * x1 A
    * x2 B
    NAME exactcover
    ROWS
     N cost
     E c1
    COLUMNS
     M1 'MARKER' 'INTORG'
     x1 c1 1
     x2 cost 3
     x2 c1 1
     M2 'MARKER' 'INTEND'
    RHS
     RHS c1 1
    BOUNDS
     BV BND x1
     BV BND x2
    ENDATA
    """
    problem.refuse_soft("an MPS file")
    problem.refuse_rules("an MPS file")
    out.writelines(f"* x{number} {printable(str(label))}\n" for number, label in enumerate(problem.labels, 1))
    out.write("NAME exactcover\nROWS\n N cost\n")
    columns: dict[int, list[tuple[str, object]]] = {k: [] for k in range(1, max(1, len(problem.labels)) + 1)}
    for variable, cost in _list_costs(problem):
        columns[variable].append(("cost", f"{cost:f}"))
    sides = []
    for number, (terms, relation, side) in enumerate(list_constraints(problem), 1):
        out.write(f" {_SENSES[relation]} c{number}\n")
        sides.append((f"c{number}", side))
        for variable, weight in terms.items():
            columns.setdefault(variable, []).append((f"c{number}", weight))
    out.write("COLUMNS\n M1 'MARKER' 'INTORG'\n")
    for variable, cells in columns.items():
        for row, value in cells or [("cost", 0)]:
            out.write(f" x{variable} {row} {value}\n")
    out.write(" M2 'MARKER' 'INTEND'\nRHS\n")
    out.writelines(f" RHS {row} {side}\n" for row, side in sides)
    out.write("BOUNDS\n")
    out.writelines(f" BV BND x{variable}\n" for variable in columns)
    out.write("ENDATA\n")


def _list_costs(problem: Problem) -> Iterator[tuple[int, Decimal]]:
    for number, cost in enumerate(problem.matrix.costs, 1):
        if cost:
            yield number, Decimal(cost_of_units(cost, problem.cost_units))


def _write_terms(out: TextIO, head: str, terms: Iterable[str], tail: str) -> None:
    """Write terms on lines that are not too long."""
    listed = list(terms)
    for first in range(0, len(listed), _TERMS_PER_LINE):
        line = " ".join(listed[first : first + _TERMS_PER_LINE])
        is_last = first + _TERMS_PER_LINE >= len(listed)
        out.write(f"{head if first == 0 else ' '} {line}{tail if is_last else ''}\n")
