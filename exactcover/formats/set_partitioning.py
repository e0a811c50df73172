"""Set partitioning files, as the OR-Library and problem 022 of CSPLib have them.

The first line has the numbers of rows and columns, and possibly a third number, which is ignored. A line for each
column follows: its cost, how many rows it covers, and these rows, counted from 1, or from 0 if any row is 0::

    4 3
    30 2  1 3
    20 2  2 4
    55 4  1 2 3 4

Rows are items, and columns are options.

References
----------
J. E. Beasley, "OR-Library: distributing test problems by electronic mail", *Journal of the Operational Research
Society* 41 (1990).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import TextIO

from exactcover.control.arguments import check_arguments
from exactcover.control.stop import Stop
from exactcover.errors import ConfigError, Mistake
from exactcover.model.costs import Cost, cost_of_units
from exactcover.pictures.text import digits, format_count, show_value
from exactcover.problem import Problem

_MOST = 10_000_000  # rows, and columns
_NUMBER = re.compile(r"[0-9]{1,18}")
_COST = re.compile(r"-?[0-9]{1,1000}(\.[0-9]{1,1000})?")


@check_arguments
def read(lines: Iterable[str], source: str = "<text>", *, stop: Stop | None = None) -> Problem:
    """Read a set partitioning problem from lines with or without line ends; errors name the source.

    Items are the numbers of the rows, and labels those of the columns, from 1, all as text. Raise ``ConfigError``, with
    line and column, if a line does not have the form that the module describes, a row is unknown or occurs twice,
    or there are more or fewer columns than the first line says.

    Examples
    --------
    >>> problem = read(["4 3", "30 2 1 3", "20 2 2 4", "55 4 1 2 3 4"])
    >>> [(problem.cost(solution), solution) for solution in problem.cheapest(2)]
    [(50, ('1', '2')), (55, ('3',))]
    """
    watched = enumerate((stop or Stop()).watch(lines), 1)
    reader = _PartitioningReader(source)
    meaningful = ((number, line) for number, line in watched if line.strip())
    first = next(meaningful, None)
    if first is None:
        raise reader.error(1, 1, "missing line with the numbers of rows and columns")
    rows, columns = reader.read_head(*first)
    options = list[tuple[str, list[int]]]()
    costs = dict[str, Cost]()
    last = first[0]
    for last, line in meaningful:
        if len(options) == columns:
            raise reader.error(last, 1, f"expected {format_count(columns, 'column')}, got more")
        label = str(len(options) + 1)
        costs[label], covered = reader.read_column(last, line, rows)
        options.append((label, covered))
    if len(options) < columns:
        found = digits(len(options), grouped=True)
        raise reader.error(last, 1, f"expected {format_count(columns, 'column')}, got {found}")
    first_row = reader.find_first_row(rows)
    named = [(label, [str(row) for row in covered]) for label, covered in options]
    return Problem(named, primary=map(str, range(first_row, first_row + rows)), costs=costs)


class _PartitioningReader:
    """Reads the lines of a file."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._edges = dict[int, tuple[int, int]]()  # where the rows 0 and the last one occur, of which one must not

    def error(self, line: int, column: int, message: str) -> ConfigError:
        return ConfigError([Mistake(message, self._source, line, column)])

    def read_head(self, number: int, line: str) -> tuple[int, int]:
        """Return the numbers of rows and columns."""
        words = list(re.finditer(r"\S+", line))
        if len(words) not in (2, 3):
            raise self.error(number, 1, "expected the numbers of rows and columns")
        rows, columns, *_ = (self._read_whole(number, word) for word in words)
        for name, count, word in (("rows", rows, words[0]), ("columns", columns, words[1])):
            if count > _MOST:
                raise self.error(number, word.start() + 1, f"expected at most {digits(_MOST, grouped=True)} {name}")
        return rows, columns

    def read_column(self, number: int, line: str, rows: int) -> tuple[Cost, list[int]]:
        """Return the cost and the rows of a column."""
        words = list(re.finditer(r"\S+", line))
        cost = words[0]
        if not _COST.fullmatch(cost[0]):
            raise self.error(number, cost.start() + 1, f"{show_value(cost[0])} is not a valid cost")
        if len(words) < 2:
            raise self.error(number, cost.end() + 1, "missing how many rows the column covers")
        covered = dict[int, None]()
        expected = self._read_whole(number, words[1])
        for word in words[2:]:
            row = self._read_whole(number, word)
            if row > rows:
                raise self.error(number, word.start() + 1, f"row {row} is not one of the {digits(rows, grouped=True)}")
            if row in covered:
                raise self.error(number, word.start() + 1, f"row {row} occurs twice")
            covered[row] = None
            if row in (0, rows):
                self._edges.setdefault(row, (number, word.start() + 1))
        if len(covered) != expected:
            found = len(covered)
            raise self.error(
                number, words[1].start() + 1, f"expected {format_count(expected, 'row')}, as the line says, got {found}"
            )
        return (Decimal(cost[0]) if "." in cost[0] else int(cost[0])), list(covered)

    def find_first_row(self, rows: int) -> int:
        """Return by which number rows begin."""
        if len(self._edges) == 2:
            line, column = max(self._edges.values())
            raise self.error(line, column, f"rows are counted from 0 or from 1, so there cannot be rows 0 and {rows}")
        return 0 if 0 in self._edges else 1

    def _read_whole(self, line: int, word: re.Match[str]) -> int:
        if not _NUMBER.fullmatch(word[0]):
            raise self.error(line, word.start() + 1, f"expected a whole number, got {show_value(word[0])}")
        return int(word[0])


@check_arguments
def write(problem: Problem, out: TextIO) -> None:
    """Write a set partitioning problem; rows are numbered in the order of the items.

    Raise ``ValueError`` if the problem has secondary items or multiplicities, which the format cannot express.

    Examples
    --------
    >>> import sys
    >>> write(Problem({"A": ["a", "b"], "B": ["b"]}, costs={"A": 3}), sys.stdout)
    2 2
    3 2 1 2
    0 1 2
    """
    problem.refuse_soft("a set partitioning file")
    problem.refuse_rules("a set partitioning file")
    problem.refuse_weights("a set partitioning file")
    matrix = problem.matrix
    if problem.secondary or problem.multiplicity:
        raise ValueError("set partitioning cannot express secondary items or multiplicities")
    out.write(f"{matrix.items} {len(matrix)}\n")
    for option in range(len(matrix)):
        cost = cost_of_units(matrix.costs[option], problem.cost_units) if matrix.costs else 0
        rows = sorted(item + 1 for item, _ in matrix.option(option))
        out.write(f"{Decimal(cost):f} {' '.join(map(str, (len(rows), *rows)))}\n")
