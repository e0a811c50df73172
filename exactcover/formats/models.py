"""A problem as constraints for other solvers: DIMACS CNF, pseudo-Boolean OPB, and a bare matrix.

Variable k, from 1, is the k-th option: true where it is chosen. There are no other variables, so models and
solutions correspond one to one.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TextIO

from exactcover.model.matrix import Matrix
from exactcover.problem import Problem

__all__ = ["write_cnf", "write_matrix_market", "write_opb"]


def write_cnf(problem: Problem, out: TextIO) -> None:
    """Write DIMACS CNF: a clause for each primary item, and one for each two options that exclude each other.

    Raises
    ------
    ValueError
        If an item is not to be covered exactly once, or options have costs: clauses neither count nor weigh.

    Notes
    -----
    An item with d options makes d (d - 1) / 2 clauses; a pair is written for each item that both hold.

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
        raise ValueError("clauses cannot count, and this problem has multiplicities; OPB can")
    if problem.matrix.costs:
        raise ValueError("clauses cannot weigh, and this problem has costs; OPB can")
    for number, label in enumerate(problem.labels, 1):
        out.write(f"c {number} {_line(label)}\n")
    clauses = sum(1 for _ in _clauses(problem.matrix))
    out.write(f"p cnf {len(problem.labels)} {clauses}\n")
    for clause in _clauses(problem.matrix):
        out.write(f"{' '.join(map(str, clause))} 0\n")


def write_opb(problem: Problem, out: TextIO) -> None:
    """Write pseudo-Boolean constraints: exactly one option for each primary item, at most one for a secondary one.

    An item with a multiplicity has two constraints, one for each bound. Where a secondary item has colors, each two
    options that give it different ones exclude each other. Costs become an objective, in the smallest unit.

    Examples
    --------
    >>> import sys
    >>> write_opb(Problem({"A": ["a", "x"], "B": ["a"]}, secondary=["x"]), sys.stdout)
    * #variable= 2 #constraint= 1
    * x1 A
    * x2 B
    +1 x1 +1 x2 = 1 ;
    """
    constraints = sum(1 for _ in _constraints(problem.matrix))
    out.write(f"* #variable= {max(1, len(problem.labels))} #constraint= {constraints}\n")
    for number, label in enumerate(problem.labels, 1):
        out.write(f"* x{number} {_line(label)}\n")
    if problem.matrix.costs:
        terms = " ".join(f"+{cost} x{number}" for number, cost in enumerate(problem.matrix.costs, 1) if cost)
        out.write(f"min: {terms} ;\n")
    for options, relation in _constraints(problem.matrix):
        sign = "-1" if relation.startswith(">= -") else "+1"
        terms = " ".join(f"{sign} x{option}" for option in options) or "+0 x1"
        out.write(f"{terms} {relation} ;\n")


def write_matrix_market(problem: Problem, out: TextIO) -> None:
    """Write a Matrix Market file: a row for each option, a column for each item, ones as a pattern.

    Raises
    ------
    ValueError
        If the problem has secondary items, multiplicities or costs, which a bare matrix cannot tell.

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
        raise ValueError("a bare matrix cannot tell secondary items from primary ones")
    if problem.multiplicity or matrix.costs:
        raise ValueError("a bare matrix holds no multiplicities or costs")
    out.write("%%MatrixMarket matrix coordinate pattern general\n")
    out.write(f"{len(matrix)} {matrix.items} {len(matrix.entries)}\n")
    for row in range(len(matrix)):
        for item, _ in sorted(matrix.option(row)):
            out.write(f"{row + 1} {item + 1}\n")


def _line(label: object) -> str:
    return " ".join(str(label).split())


def _holders(matrix: Matrix) -> list[list[tuple[int, int]]]:
    """Return for each item the options that hold it, from 1, with the color they give it."""
    holders: list[list[tuple[int, int]]] = [[] for _ in range(matrix.items)]
    for k in range(len(matrix)):
        for item, color in matrix.option(k):
            holders[item].append((k + 1, color))
    return holders


def _clauses(matrix: Matrix) -> Iterator[tuple[int, ...]]:
    for item, holders in enumerate(_holders(matrix)):
        if item < matrix.primary:
            yield tuple(option for option, _ in holders)
        for one, other in _exclusions(holders):
            yield -one, -other


def _exclusions(holders: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for (one, color), (other, other_color) in itertools.combinations(holders, 2):
        if color == 0 or color != other_color:
            yield one, other


def _constraints(matrix: Matrix) -> Iterator[tuple[tuple[int, ...], str]]:
    for item, holders in enumerate(_holders(matrix)):
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
            yield from ((pair, ">= -1") for pair in _exclusions(holders))
        elif len(options) > 1:
            yield options, ">= -1"
