"""A problem as an integer linear program, in the LP and MPS formats that most solvers read.

Variable x1 is 1 if the first option is chosen. Further variables, for colors, depend on these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import TextIO

from exactcover.control.arguments import check_arguments
from exactcover.formats.models import list_constraints
from exactcover.model.costs import cost_of_units
from exactcover.pictures.text import printable
from exactcover.problem import Problem

_TERMS_PER_LINE = 10
_SENSES = {"=": "E", ">=": "G"}


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
