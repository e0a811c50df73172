"""A problem as a CSV table, as spreadsheets write it: one row per option, one column per item.

::

    crew,cost,flight 1,flight 2,0:2|standby,?hotel
    Ann,300,x,,1,Paris
    Bob,250,,x,1,Paris

The first column contains the labels of the options. A column ``cost`` contains their costs; an option without one costs
nothing. Every other column is an item: ``item`` is a primary item that must be covered exactly once, ``2|item`` twice,
``0:3|item`` at most three times. A soft item has its price after a tilde: ``~5|item`` may stay open at a price of 5,
``2~5|item`` at that price for each time that is missing, ``~5~3|item`` may also be covered too often at a price of 3,
and ``~~3|item`` only that. ``?item`` is a secondary item. An empty cell, ``0``, ``0.0``, ``-``, ``no`` or
``FALSE`` means that the option does not cover the item; ``1``, ``1.0``, ``x``, ``yes``, ``TRUE`` or a check mark means
that it does. A greater number says how often it covers an item with such bounds; any other text is the color that it
gives to a secondary item. Cells may also be separated by semicolons or tabs; with semicolons, costs may have a decimal
comma.

A file that begins with a row of 0 and 1 is a matrix without names, one row per option; its options and items are the
numbers of rows and columns, from 1. Then cells may also be separated by blanks, or by nothing, and a line with the
numbers of rows and columns may come first.
"""

from __future__ import annotations

import csv
import io
import itertools
import math
import re
import warnings
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Literal, TextIO

from exactcover.algorithm_x import Colored, Item, Label, Weighted, item_of
from exactcover.control.arguments import check_arguments, check_instance
from exactcover.control.stop import Stop
from exactcover.errors import ConfigError, FormatWarning, Mistake, ParameterError, ProblemError, nearest
from exactcover.files.read import read_data
from exactcover.formats.dlx import bounds_of, bounds_text, describe_bounds_fault
from exactcover.model.costs import SoftPrice, parse_cost
from exactcover.model.matrix import ONCE, StatedBounds
from exactcover.model.names import distinct_texts
from exactcover.model.sources import is_covered
from exactcover.pictures.text import format_count, show_value
from exactcover.problem import Cost, Problem

__all__ = ["Table", "TableRows", "escape_formula", "is_covered", "read", "write"]

_BITS = {"0": False, "1": True, "0.0": False, "1.0": True}
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_TIMES = re.compile(r"([0-9]{1,5})(\.0)?")
_SIZE = re.compile(r"[0-9]{1,9}")
_MAX_MISTAKES = 20
_MOST = 100_000  # in a range


@check_arguments
def read(lines: Iterable[str], source: str = "<text>", *, stop: Stop | None = None) -> Problem:
    """Read a table line by line.

    Parameters
    ----------
    lines
        The lines of a file.
    source
        The name used in errors.
    stop
        Polled while reading.

    Raises
    ------
    ConfigError
        If the table has no header, an item or an option has no name or a duplicate name, a multiplicity is not valid,
        a row has the wrong number of cells, a primary item has a color, a cost is not a number, or the
        table breaks another rule of a :class:`~exactcover.Problem`. The error lists up to twenty mistakes with line
        and column.

    Examples
    --------
    >>> problem = read(["crew,cost,mo,tu", "Ann,3,x,", "Bob,1,,x", "Cid,5,x,x"])
    >>> next(problem.cheapest())
    ('Ann', 'Bob')
    """
    table = Table((stop or Stop()).watch(lines), source)
    reader = _CsvReader(source, table)
    rows = iter(table)
    head = list(itertools.islice(rows, 2))
    size = _find_size(head)
    rows = itertools.chain(head[1:] if size else head, rows)
    if size is not None:
        options = list(reader.read_matrix(rows, size))
    else:
        reader.read_header(next(rows, (1, []))[1])
        options = list(reader.read_options(rows))
    if reader.mistakes:
        raise ConfigError(reader.mistakes)
    try:
        return Problem(
            options,
            primary=reader.primary,
            secondary=reader.secondary,
            multiplicity=reader.multiplicity,
            costs=reader.costs,
            soft=reader.soft,
        )
    except ProblemError as error:
        raise ConfigError([Mistake(str(error), source)]) from None


def _split(cells: list[str]) -> list[str]:
    """Return the cells of a row of a matrix, which may also be separated by blanks or by nothing."""
    words = re.split(r"[;\s]+", cells[0]) if len(cells) == 1 else cells
    return list(words[0]) if len(words) == 1 and set(words[0]) <= _BITS.keys() else words


def _find_size(head: list[tuple[int, list[str]]]) -> list[str] | None:
    """Return the first line of a matrix without names if it states the size, an empty list if not; None for a table."""
    rows = [_split(cells) for _, cells in head]
    are_bits = [len(row) > 1 and _BITS.keys() >= set(row) for row in rows]
    if len(rows) == 2 and len(rows[0]) == 2 and all(_SIZE.fullmatch(word) for word in rows[0]):
        is_row = are_bits[0] and len(rows[1]) == 2
        is_width = len(head[0][1]) == 1 or int(rows[0][1]) == len(rows[1])  # a header may contain numbers, too
        if _BITS.keys() >= set(rows[1]) and is_width and not is_row:
            return rows[0]
    return [] if are_bits[:1] == [True] else None


class Table:
    """The rows of a CSV file, whose cells are separated by commas, semicolons or tabs; the first row decides.

    Iteration yields the line, from 1, and the cells of each row, without the blanks around them. Empty rows are left
    out. It raises a :class:`~exactcover.ConfigError` if the text is not valid CSV.

    Parameters
    ----------
    lines
        The lines of a file.
    source
        The name used in errors.

    Examples
    --------
    >>> table = Table(["crew;cost", "Ann;2,5"])
    >>> [cells for _, cells in table], table.parse_cost("2,5")
    ([['crew', 'cost'], ['Ann', '2,5']], Decimal('2.5'))
    """

    @check_arguments
    def __init__(self, lines: Iterable[str], source: str = "<text>") -> None:
        lines = iter(lines)
        first = next(lines, "").removeprefix("\ufeff")
        delimiter = max(",;\t", key=re.sub(r'"[^"]*("|$)', "", first).count)
        self._source, self._decimal_comma = source, delimiter == ";"
        self._rows = csv.reader(itertools.chain([first], lines), delimiter=delimiter)

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        line = 1
        try:
            for row in self._rows:
                cells = [cell.strip() for cell in row]
                if any(cells):
                    yield line, cells
                line = self._rows.line_num + 1
        except csv.Error as error:
            raise ConfigError([Mistake(f"invalid CSV: {error}", self._source, self._rows.line_num)]) from None

    def parse_cost(self, cell: str, *, signed: bool = False) -> Decimal:
        """Return the cost in a cell, as :func:`parse_cost`. With semicolons, it may have a decimal comma.

        Raises
        ------
        ValueError
            As there.
        """
        return parse_cost(cell, signed=signed, decimal_comma=self._decimal_comma)


class TableRows:
    """The rows of a table of an encoder, by the names of its columns; a column ``note`` is left out.

    Parameters
    ----------
    table, parameter
        A file, or lines, and the parameter that holds it; empty if `source` does.
    needed, known
        The columns that it must have, and those that it may have; without `known`, it may have any. A column of
        another name is left out with a warning, unless the name may be mistyped.
    source
        The file from which lines come that are no parameter.

    Attributes
    ----------
    names
        The names of the columns.

    Raises
    ------
    ParameterError, ConfigError
        If the table is not valid; it says where. It is a `ConfigError` if the table is no parameter.

    Examples
    --------
    >>> [row["who"] for row in TableRows(("Who,note", "Ann,new"), "people", ["who"])]
    ['Ann']
    """

    @check_arguments
    def __init__(
        self,
        table: str | tuple[str, ...],
        parameter: str,
        needed: Sequence[str],
        known: Sequence[str] = (),
        source: str = "",
    ) -> None:
        self._source, self._parameter = table if isinstance(table, str) else source, parameter
        # splitlines would also split at rare separators
        lines = (
            io.StringIO(read_data(table, parameter), newline="")
            if isinstance(table, str)
            else map("{}\n".format, table)
        )
        self._reader = Table(lines, self._source or parameter)
        try:
            (self.line, head), *self._lines = list(self._reader) or [(1, [])]
        except ConfigError as error:
            raise ParameterError(parameter, "; ".join(map(str, error.mistakes))) if parameter else error from None
        usual = {name.casefold(): name for name in (*needed, *known, "note")}
        self._columns: dict[str, int] = {}
        for column, cell in enumerate(head):
            name = usual.get(cell.casefold(), cell)
            if name in self._columns:
                raise self.mistake(f"two columns have the name {name!r}", column + 1)
            if name:
                self._columns[name] = column
            elif any(any(cells[column : column + 1]) for _, cells in self._lines):
                raise self.mistake("a column has no name", column + 1)
        self.names = [name for name in self._columns if name != "note"]
        missing = next((name for name in needed if name not in self._columns), None)
        if missing is not None:
            columns = f"the column{'s' * (len(needed) > 1)} {', '.join(map(repr, needed))}"
            raise self.mistake(f"expected a header with {columns}; {missing!r} is missing")
        for name in [name for name in self.names if known and name not in known]:
            if near := nearest(name, known):
                raise self.fault(name, f"there is no column {name!r}; expected {', '.join(known)}{near}")
            self.leave_out(name)

    def leave_out(self, name: str) -> None:
        """Leave out a column, with a warning."""
        self.names.remove(name)
        warnings.warn(str(self.fault(name, f"the column {name!r} is left out")), FormatWarning, stacklevel=3)

    def __iter__(self) -> Iterator[dict[str, str]]:
        width = max(self._columns.values()) + 1
        for line, cells in self._lines:
            self.line = line
            if len(cells) < width or any(cells[width:]):
                raise self.mistake(f"expected {width} cells, got {len(cells)}")
            row = {name: cells[self._columns[name]] for name in self.names}
            broken = next((name for name, cell in row.items() if re.search(r"[\r\n]", cell)), None)
            if broken is not None:
                raise self.fault(broken, "a cell cannot contain a line break")
            yield row

    def mistake(self, message: str, column: int | None = None) -> ParameterError | ConfigError:
        """Return an error in the current row, and in a cell of it, from 1."""
        if not self._parameter:
            return ConfigError([Mistake(message, self._source, self.line, column)])
        if self._source:
            return ParameterError(self._parameter, str(Mistake(message, self._source, self.line, column)))
        where = f"row {self.line}" if column is None else f"row {self.line}, column {column}"
        return ParameterError((self._parameter, self.line - 1), f"{where}: {message}")

    def fault(self, name: str, message: str) -> ParameterError | ConfigError:
        """Return an error in a cell of the current row, by the name of its column."""
        return self.mistake(message, self._columns[name] + 1)

    def read_cost(self, row: Mapping[str, str], name: str) -> Decimal:
        """Return the cost in a cell."""
        try:
            return self._reader.parse_cost(row[name])
        except ValueError as error:
            raise self.fault(name, str(error)) from None

    def read_range(
        self, row: Mapping[str, str], name: str, *, at_most: bool = False, parts: int = 1
    ) -> tuple[int, int] | None:
        """Return a range such as 3-5, or None; a single number is the greatest one, or the only one.

        If a unit has several `parts`, they are counted, and numbers may have decimals: 1.5-2 is 90 to 120 of 60 parts.
        """
        text = row.get(name, "")
        if not text:
            return None
        number = r"(\d{1,99}(?:[.,]\d{1,9})?)" if parts > 1 else r"(\d{1,99})"
        match = re.fullmatch(rf"{number}(?:\s*(?:-|\.\.)\s*{number})?", text, re.ASCII)
        try:
            ends = [parts * self._reader.parse_cost(end) for end in (match[1], match[2] or match[1])] if match else []
        except ValueError:
            ends = []  # a decimal comma in a table with commas
        if match is None or not ends:
            raise self.fault(name, f"{text[:50]!r}: expected a number, or a range such as 2-4")
        low, high = math.ceil(ends[0]), int(ends[1])
        if low > high or high > _MOST * parts:
            raise self.fault(name, f"{text!r}: expected at most {_MOST:,}, and the smaller number first")
        return 0 if at_most and match[2] is None else low, high

    def read_names(self, row: Mapping[str, str], name: str, known: Collection[str], lacks: str) -> frozenset[str]:
        """Return the words of a cell, which must be known; `lacks` says that one is not."""
        words = row.get(name, "").split()
        unknown = next((word for word in words if word not in known), None)
        if unknown is not None:
            raise self.fault(name, f"{lacks} {unknown!r}{nearest(unknown, known)}")
        return frozenset(words)


class _CsvReader:
    """Reads the rows and collects mistakes; lines and columns count from 1."""

    def __init__(self, source: str, table: Table) -> None:
        self.source, self.table = source, table
        self.columns: list[str | None] = []  # the item of each column; None for labels and costs
        self.cost_column: int | None = None
        self.primary: list[Item] = []
        self.secondary: list[Item] = []
        self.multiplicity: dict[Item, StatedBounds] = {}
        self.costs: dict[Label, Cost] = {}
        self.soft: dict[Item, SoftPrice] = {}
        self.mistakes: list[Mistake] = []

    def add_mistake(self, message: str, line: int, column: int) -> None:
        """Add a mistake, unless there are twenty."""
        if len(self.mistakes) < _MAX_MISTAKES:
            self.mistakes.append(Mistake(message, self.source, line, column))

    def read_header(self, names: list[str]) -> None:
        if len(names) < 2:
            self.add_mistake("expected a header: a name for the column of labels, and one for each item", 1, 1)
        self.columns = [None]
        known = set[str]()
        for column, text in enumerate(names[1:], 2):
            if text.lower() == "cost" and self.cost_column is None:
                self.cost_column = column
                self.columns.append(None)
                continue
            secondary, bounds, price = text.startswith("?"), None, None
            name = text.removeprefix("?").strip()
            if not secondary and "|" in text:
                stated, _, name = text.rpartition("|")
                times, tilde, prices = stated.partition("~")
                bounds = bounds_of(times) if times or not tilde else ONCE
                price = self._read_price(prices, text, column) if tilde else None
                if bounds is None:
                    self.add_mistake(f"{show_value(text)}: {describe_bounds_fault(times)}", 1, column)
            if not name:
                self.add_mistake("the item has no name", 1, column)
            elif name in known:
                hint = "; a matrix without a header contains nothing but 0 and 1" if name in _BITS else ""
                self.add_mistake(f"duplicate item {show_value(name)}{hint}", 1, column)
            else:
                known.add(name)
                (self.secondary if secondary else self.primary).append(name)
                if bounds is not None:
                    self.multiplicity[name] = bounds
                if price is not None:
                    self.soft[name] = price
            self.columns.append(name)

    def _read_price(self, text: str, header: str, column: int) -> SoftPrice | None:
        """Return the prices that follow the first tilde of a header: of too few, and perhaps of too many."""
        under, _, over = text.partition("~")
        try:
            if not under and not over:
                raise ValueError("expected a price after ~, as in ~5|NAME or ~5~3|NAME")
            prices = [self.table.parse_cost(one) if one else None for one in (under, over)]
        except ValueError as error:
            self.add_mistake(f"{show_value(header)}: {error}", 1, column)
            return None
        return prices[0], prices[1]

    def read_options(self, rows: Iterable[tuple[int, list[str]]]) -> Iterator[tuple[Label, list[Item]]]:
        seen: set[str] = set()
        secondary = set(self.secondary)
        for line, cells in rows:
            if len(cells) != len(self.columns):
                self.add_mistake(f"expected {format_count(len(self.columns), 'cell')}, got {len(cells)}", line, 1)
                continue
            label = cells[0]
            if not label or label in seen:
                self.add_mistake(
                    f"duplicate label {show_value(label)}" if label else "the option has no label", line, 1
                )
            seen.add(label)
            items: list[Item] = []
            for column, (name, cell) in enumerate(zip(self.columns, cells, strict=True), 1):
                if column == self.cost_column:
                    self._read_cost(label, cell, line, column)
                elif name is None or (covered := is_covered(cell)) is False:
                    continue
                elif covered:
                    items.append(name)
                elif name in secondary:
                    items.append(Colored(name, cell))
                elif (match := _TIMES.fullmatch(cell)) and name in self.multiplicity:
                    items.append(Weighted(name, int(match[1])))
                else:
                    often = "a number of times, " if name in self.multiplicity else ""
                    only = "secondary items (?NAME) have colors, and those with bounds, such as 1:|NAME, numbers"
                    expected = f"{often}1, x, yes or true, or an empty cell; only {only}"
                    self.add_mistake(f"{show_value(cell)}: expected {expected}", line, column)
            yield label, items

    def read_matrix(self, rows: Iterable[tuple[int, list[str]]], size: list[str]) -> Iterator[tuple[Label, list[Item]]]:
        """Yield the options of a matrix without names; `size` has the numbers of rows and columns, if stated."""
        height, width = (int(one) for one in size) if size else (None, None)
        number, line = 0, 1
        for number, (line, cells) in enumerate(rows, 1):
            marks = _split(cells)
            width = len(marks) if width is None else width
            if len(marks) != width:
                self.add_mistake(f"expected {format_count(width, 'cell')}, got {len(marks)}", line, 1)
            for column, mark in enumerate(marks, 1):
                if mark not in _BITS:
                    message = f"{show_value(mark)}: expected 0 or 1, as in the first row; names of items need a header"
                    self.add_mistake(message, line, column)
            yield str(number), [str(column) for column, mark in enumerate(marks, 1) if _BITS.get(mark)]
        if height is not None and number != height:
            self.add_mistake(f"expected {format_count(height, 'row')}, as the first line says, got {number}", line, 1)
        self.primary = [str(column) for column in range(1, (width or 0) + 1)]

    def _read_cost(self, label: Label, cell: str, line: int, column: int) -> None:
        if not cell:
            return
        try:
            self.costs[label] = self.table.parse_cost(cell, signed=True)
        except ValueError as error:
            self.add_mistake(str(error), line, column)


def escape_formula(text: str) -> str:
    """Return the text for a cell, escaped with ``'`` if a spreadsheet would treat it as a formula.

    Examples
    --------
    >>> escape_formula("=1+1"), escape_formula("Ann")
    ("'=1+1", 'Ann')
    """
    check_instance("text", text, str, "text")
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


@check_arguments
def write(problem: Problem, out: TextIO, *, escape_formulas: bool = False) -> None:
    """Write a table.

    Parameters
    ----------
    problem
        The problem.
    out
        A file open for text.
    escape_formulas
        Put ``'`` before names and colors that a spreadsheet would treat as formulas. Reading the table then gives
        different names.

    Raises
    ------
    ProblemError
        If the table could not be read back: there is no item; two items, labels or colors have the same text; one is
        empty, begins or ends with a blank, or contains a control character; an item is called ``cost``, begins with
        ``?`` or contains ``|``; a color is a mark such as ``1``, ``x`` or ``no``; or two names would be equal
        after they are escaped.

    Examples
    --------
    >>> import sys
    >>> write(Problem({"A": ["a", Colored("x", "red")]}, secondary=["x"], costs={"A": 2}), sys.stdout)
    option,cost,a,?x
    A,2,x,red
    """
    items, labels, colors = (
        _cells_of(kind, names)
        for kind, names in (("item", problem.items), ("label", problem.labels), ("color", problem.colors))
    )
    problem.refuse_rules("a .csv file")
    if not items:
        raise ProblemError("a table needs at least one item")
    reserved = next((item for item in items if item.lower() == "cost" or item.startswith("?") or "|" in item), None)
    if reserved is not None:
        raise ProblemError(f"a table cannot contain an item called {reserved!r}")
    reserved = next((color for color in colors if is_covered(color) is not None), None)
    if reserved is not None:
        raise ProblemError(f"a table cannot contain the color {reserved!r}")
    if escape_formulas:
        items, labels, colors = (
            _escape(kind, names) for kind, names in (("item", items), ("label", labels), ("color", colors))
        )
    cell_of = dict(zip(problem.colors, colors, strict=True))
    costs, bounds, position = problem.costs, problem.multiplicity, {item: k for k, item in enumerate(problem.items)}
    soft = problem.soft
    if problem.matrix.weighted:  # a number of times is for items with bounds
        weighted = (one.item for entries in problem.options.values() for one in entries if isinstance(one, Weighted))
        bounds = dict.fromkeys(weighted, ONCE) | {**bounds}
    prefixes = [(bounds_text(*bounds[item]) if item in bounds else "") + _format_price(soft.get(item))
                for item in problem.primary]  # fmt: skip
    headers = [f"{prefix}|{name}" if prefix else name for prefix, name in zip(prefixes, items, strict=False)]
    headers += [f"?{name}" for name in items[len(problem.primary) :]]
    header = ["option", *(["cost"] if costs else []), *headers]
    quoting: Literal[0, 1] = (
        csv.QUOTE_ALL if any(mark in name for mark in ";\t" for name in header) else csv.QUOTE_MINIMAL
    )
    csv.writer(out, lineterminator="\n", quoting=quoting).writerow(header)  # so that a reader finds the commas
    rows = csv.writer(out, lineterminator="\n")
    for label, (key, entries) in zip(labels, problem.options.items(), strict=True):
        cells = [""] * len(items)
        for entry in entries:
            times = str(entry.times) if isinstance(entry, Weighted) else "x"
            cells[position[item_of(entry)]] = cell_of[entry.color] if isinstance(entry, Colored) else times
        rows.writerow([label, *([str(costs.get(key, 0))] if costs else []), *cells])


def _format_price(pair: tuple[Cost | None, Cost | None] | None) -> str:
    """Return the prices of a soft item as they stand in its header."""
    if pair is None:
        return ""
    under, over = ("" if one is None else f"{Decimal(one):f}" for one in pair)
    return f"~{under}~{over}" if over else f"~{under}"


def _cells_of(kind: str, names: Iterable[Hashable]) -> list[str]:
    """Return the names as cells; refuse those that would be read as something else."""
    texts = distinct_texts(kind, names)
    altered = next((text for text in texts if not text or text != text.strip() or _CONTROL.search(text)), None)
    if altered is not None:
        raise ProblemError(
            f"a table cannot contain the {kind} {altered!r}; names are not empty, contain no control characters, and "
            "neither begin nor end with a blank"
        )
    return texts


def _escape(kind: str, texts: list[str]) -> list[str]:
    """Return the texts with formulas escaped; refuse those that would be the same then."""
    escaped = [escape_formula(text) for text in texts]
    taken = set(texts)
    both = next((text for text, other in zip(texts, escaped, strict=True) if text != other in taken), None)
    if both is not None:
        raise ProblemError(f"the {kind} {both!r} cannot be escaped, because there is a {kind} {escape_formula(both)!r}")
    return escaped
