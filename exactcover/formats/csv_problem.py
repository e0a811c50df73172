"""A problem as a table, as spreadsheets write it: an option a row, an item a column.

::

    crew,cost,flight 1,flight 2,0:2|standby,?hotel
    Ann,300,x,,1,Paris
    Bob,250,,x,1,Paris

The first column names the options, a column ``cost`` holds what they cost. Every other column is an item: one that must
be covered exactly once, ``2|item`` twice, ``0:3|item`` at most three times, ``?item`` if it may stay uncovered. A cell
that is empty, ``0`` or ``-`` says that the option does not hold the item, ``1`` or ``x`` that it does; any other text
is the color that the option gives to an item that may stay uncovered. Semicolons or tabs may separate the cells as
well; with semicolons a cost may have a decimal comma.
"""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from typing import TextIO

from exactcover.algorithm_x import Colored, Item, Label
from exactcover.control.stop import Stop
from exactcover.errors import ConfigError, Mistake, ProblemError
from exactcover.formats.dlx import bounds_of, bounds_text
from exactcover.model.matrix import Bounds
from exactcover.problem import Cost, Problem

__all__ = ["escape_formula", "read", "write"]

_NOT_HELD, _HELD = ("", "0", "-"), ("1", "x", "X")
_MOST_MISTAKES = 20
_MOST_DIGITS = 1000  # of a cost


def read(lines: Iterable[str], source: str = "<text>", *, stop: Stop | None = None) -> Problem:
    """Read a table, streaming; polls `stop`.

    Raises
    ------
    ConfigError
        With line and column of up to twenty mistakes: no header, an item without a name or named twice, a multiplicity
        that is none, a row of another length, an option without a name or named twice, a color for an item that must
        be covered, a cost that is no number; or if it breaks another rule of a :class:`~exactcover.Problem`.

    Examples
    --------
    >>> problem = read(["crew,cost,mo,tu", "Ann,3,x,", "Bob,1,,x", "Cid,5,x,x"])
    >>> next(problem.cheapest())
    ('Ann', 'Bob')
    """
    lines = (stop or Stop()).watch(lines)
    first = next(lines, "")
    delimiter = max(",;\t", key=first.count)
    reader = _Reader(source, decimal_comma=delimiter == ";")
    rows = csv.reader(itertools.chain([first], lines), delimiter=delimiter)
    try:
        reader.header(next(rows, []))
        options = list(reader.options(rows))
    except csv.Error as error:
        raise ConfigError([Mistake(f"this is no table: {error}", source, rows.line_num)]) from None
    if reader.mistakes:
        raise ConfigError(reader.mistakes)
    try:
        return Problem(
            options,
            primary=reader.primary,
            secondary=reader.secondary,
            multiplicity=reader.multiplicity,
            costs=reader.costs,
        )
    except ProblemError as error:
        raise ConfigError([Mistake(str(error), source)]) from None


class _Reader:
    """Reads row by row, and collects mistakes; columns count from 1."""

    def __init__(self, source: str, *, decimal_comma: bool) -> None:
        self.source, self.decimal_comma = source, decimal_comma
        self.columns: list[str | None] = []  # the item of each column, None for names and costs
        self.cost_column: int | None = None
        self.primary: list[Item] = []
        self.secondary: list[Item] = []
        self.multiplicity: dict[Item, Bounds] = {}
        self.costs: dict[Label, Cost] = {}
        self.mistakes: list[Mistake] = []

    def wrong(self, message: str, line: int, column: int) -> None:
        """Note a mistake."""
        if len(self.mistakes) < _MOST_MISTAKES:
            self.mistakes.append(Mistake(message, self.source, line, column))

    def header(self, names: list[str]) -> None:
        """Read the row that names the items."""
        if len(names) < 2:
            self.wrong("expected a first row with a name for the options and one for each item", 1, 1)
        self.columns = [None]
        for column, text in enumerate(map(str.strip, names[1:]), 2):
            if text.lower() == "cost" and self.cost_column is None:
                self.cost_column = column
                self.columns.append(None)
                continue
            optional, often = text.startswith("?"), None
            name = text.removeprefix("?").strip()
            if not optional and "|" in text:
                times, _, name = text.rpartition("|")
                often = bounds_of(times)
                if often is None:
                    self.wrong(f"{text!r}: expected v|NAME or u:v|NAME, covered v times, or from u to v", 1, column)
            if not name:
                self.wrong("an item has no name", 1, column)
            elif name in self.columns:
                self.wrong(f"item {name!r} is named twice", 1, column)
            else:
                (self.secondary if optional else self.primary).append(name)
                if often is not None:
                    self.multiplicity[name] = often
            self.columns.append(name)

    def options(self, rows: Iterable[list[str]]) -> Iterator[tuple[Label, list[Item]]]:
        """Yield the options; rows without any text mean nothing."""
        seen: set[str] = set()
        optional = set(self.secondary)
        for line, row in enumerate(rows, 2):
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if len(cells) != len(self.columns):
                self.wrong(f"expected {len(self.columns)} cells, found {len(cells)}", line, 1)
                continue
            label = cells[0]
            if not label or label in seen:
                self.wrong(f"option {label!r} is named twice" if label else "an option has no name", line, 1)
            seen.add(label)
            items: list[Item] = []
            for column, (name, cell) in enumerate(zip(self.columns, cells, strict=True), 1):
                if column == self.cost_column:
                    self._cost(label, cell, line, column)
                elif name is None or cell in _NOT_HELD:
                    continue
                elif cell in _HELD:
                    items.append(name)
                elif name in optional:
                    items.append(Colored(name, cell))
                else:
                    self.wrong(f"{cell!r}: expected 1 or x, or nothing; only items with ? have colors", line, column)
            yield label, items

    def _cost(self, label: Label, cell: str, line: int, column: int) -> None:
        try:
            cost = Decimal((cell.replace(",", ".") if self.decimal_comma else cell) or 0)
        except InvalidOperation:
            cost = Decimal("NaN")
        if cost.is_finite() and cost >= 0 and abs(cost.adjusted()) < _MOST_DIGITS:
            self.costs[label] = cost
        else:
            self.wrong(f"the cost {cell[:60]!r} is not a number from 0 up", line, column)


def escape_formula(text: str) -> str:
    """Return the text of a cell so that a spreadsheet does not take it for a formula.

    Examples
    --------
    >>> escape_formula("=1+1"), escape_formula("Ann")
    ("'=1+1", 'Ann')
    """
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def write(problem: Problem, out: TextIO, *, escape_formulas: bool = False) -> None:
    """Write a table.

    Parameters
    ----------
    problem
    out
        Where to; text.
    escape_formulas
        Put ``'`` before names that a spreadsheet would take for formulas. They are read as other names then.

    Raises
    ------
    ValueError
        If names would be read as something else: two are the same text or empty, an item is called ``cost`` or begins
        with ``?``, holds ``|``, or a color reads like a mark.

    Examples
    --------
    >>> import sys
    >>> write(Problem({"A": ["a", Colored("x", "red")]}, secondary=["x"], costs={"A": 2}), sys.stdout)
    option,cost,a,?x
    A,2,x,red
    """
    items = [str(item).strip() for item in problem.items]
    labels = [str(label).strip() for label in problem.labels]
    for kind, names in (("items", items), ("labels", labels)):
        if len(set(names)) < len(names) or not all(names):
            raise ValueError(f"two {kind} are the same as text, or one is empty, so a table cannot tell them apart")
    strange = next((item for item in items if item.lower() == "cost" or item.startswith("?") or "|" in item), None)
    if strange is not None:
        raise ValueError(f"in a table an item cannot be called {strange!r}")
    if escape_formulas:
        items, labels = ([escape_formula(name) for name in names] for names in (items, labels))
    costs, bounds, position = problem.costs, problem.multiplicity, {item: k for k, item in enumerate(problem.items)}
    rows = csv.writer(out, lineterminator="\n")
    heads = [f"{bounds_text(*bounds[item])}|{name}" if item in bounds else name
             for item, name in zip(problem.primary, items, strict=False)]  # fmt: skip
    heads += [f"?{name}" for name in items[len(problem.primary) :]]
    rows.writerow(["option", *(["cost"] if costs else []), *heads])
    for label, (key, entries) in zip(labels, problem.options.items(), strict=True):
        cells = [""] * len(items)
        for entry in entries:
            color = str(entry.color).strip() if isinstance(entry, Colored) else "x"
            if isinstance(entry, Colored) and color in (*_HELD, *_NOT_HELD):
                raise ValueError(f"in a table a color cannot be {color!r}")
            cells[position[entry.item if isinstance(entry, Colored) else entry]] = color
        rows.writerow([label, *([str(costs.get(key, 0))] if costs else []), *cells])
