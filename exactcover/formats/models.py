"""A problem as input for other solvers: DIMACS CNF, pseudo-Boolean OPB, and a Matrix Market file.

Variable k, from 1, is true if the k-th option is chosen. There are no other variables, so models and solutions
correspond one to one.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TextIO

from exactcover.model.matrix import Matrix
from exactcover.problem import Problem

__all__ = ["write_cnf", "write_matrix_market", "write_opb"]


def write_cnf(problem: Problem, out: TextIO) -> None:
    """Write DIMACS CNF: one clause per primary item, and one per pair of options that exclude each other.

    Raises
    ------
    ValueError
        If the problem has multiplicities or costs, which clauses cannot express.

    Notes
    -----
    An item in d options leads to d (d - 1) / 2 clauses. A pair of options is written once for each item in both.

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
    if problem.multiplicity:
        raise ValueError("CNF cannot express multiplicities; use OPB")
    if problem.matrix.costs:
        raise ValueError("CNF cannot express costs; use OPB")
    for number, label in enumerate(problem.labels, 1):
        out.write(f"c {number} {_single_line(label)}\n")
    clauses = sum(1 for _ in _list_clauses(problem.matrix))
    out.write(f"p cnf {len(problem.labels)} {clauses}\n")
    for clause in _list_clauses(problem.matrix):
        out.write(f"{' '.join(map(str, clause))} 0\n")


def write_opb(problem: Problem, out: TextIO) -> None:
    """Write pseudo-Boolean constraints: exactly one option per primary item, at most one per secondary item.

    An item with a multiplicity has one constraint per bound. For a secondary item with colors, any two options that
    give it different colors exclude each other. Costs become the objective, as integers in the smallest unit.

    Examples
    --------
    >>> import sys
    >>> write_opb(Problem({"A": ["a", "x"], "B": ["a"]}, secondary=["x"]), sys.stdout)
    * #variable= 2 #constraint= 1
    * x1 A
    * x2 B
    +1 x1 +1 x2 = 1 ;
    """
    constraints = sum(1 for _ in _list_constraints(problem.matrix))
    out.write(f"* #variable= {max(1, len(problem.labels))} #constraint= {constraints}\n")
    for number, label in enumerate(problem.labels, 1):
        out.write(f"* x{number} {_single_line(label)}\n")
    if problem.matrix.costs:
        terms = " ".join(f"+{cost} x{number}" for number, cost in enumerate(problem.matrix.costs, 1) if cost)
        out.write(f"min: {terms} ;\n")
    for options, relation in _list_constraints(problem.matrix):
        sign = "-1" if relation.startswith(">= -") else "+1"
        terms = " ".join(f"{sign} x{option}" for option in options) or "+0 x1"
        out.write(f"{terms} {relation} ;\n")


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


def _single_line(label: object) -> str:
    return " ".join(str(label).split())


def _list_holders(matrix: Matrix) -> list[list[tuple[int, int]]]:
    """Return for each item the options that contain it, numbered from 1, each with the color it gives the item."""
    return [[(option + 1, color) for option, color in holders] for holders in matrix.holders()]


def _list_clauses(matrix: Matrix) -> Iterator[tuple[int, ...]]:
    for item, holders in enumerate(_list_holders(matrix)):
        if item < matrix.primary:
            yield tuple(option for option, _ in holders)
        for one, other in _list_exclusions(holders):
            yield -one, -other


def _list_exclusions(holders: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for (one, color), (other, other_color) in itertools.combinations(holders, 2):
        if color == 0 or color != other_color:
            yield one, other


def _list_constraints(matrix: Matrix) -> Iterator[tuple[tuple[int, ...], str]]:
    for item, holders in enumerate(_list_holders(matrix)):
        options = tuple(option for option, _ in holders)
        if item < matrix.primary:
            low, high = matrix.bounds(item)
            if low == high:
                yield options, f"= {low}"
                continue
            if low > 0:
                yield options, f">= {low}"
            if high < len(options):
                yield options, f">= -{high}"
        elif any(color for _, color in holders):
            yield from ((pair, ">= -1") for pair in _list_exclusions(holders))
        elif len(options) > 1:
            yield options, ">= -1"
