"""The tables of a staffing problem: people, shifts and special days."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from exactcover import ConfigError, ParameterError, read_data
from exactcover.errors import Mistake, nearest
from exactcover.formats import csv_problem

__all__ = ["Person", "Range", "Shift", "TableRows", "read_people", "read_shifts", "read_special_days", "write_lines"]

Range = tuple[int, int]
"""At least, and at most."""

_PEOPLE = ("who", "skills", "week", "total", "shifts", "away", "free", "avoid")
_BREAK = re.compile(r"[\r\n]")
_MOST = 100_000  # people of a shift, or shifts of a person


@dataclass(frozen=True)
class Person:
    """A row of the table of people; days are numbers."""

    who: str
    skills: frozenset[str]
    week: Range | None
    total: Range | None
    shifts: frozenset[str]
    away: frozenset[int]
    free: frozenset[int]
    avoid: frozenset[str]

    def can_work(self, day: int, shift: str) -> bool:
        """Return whether the person can work a shift on a day."""
        return day not in self.away and self.works(shift)

    def works(self, shift: str) -> bool:
        """Return whether a shift is one that the person can work, on some day."""
        return not self.shifts or shift in self.shifts


@dataclass(frozen=True)
class Shift:
    """A row of the table of shifts.

    `needs` are the people of a day, and `weekend` those at weekends; `span` are the hours at which it starts and ends,
    where the end may be beyond 24; `skills` are how many people need each skill at least.
    """

    needs: Range
    weekend: Range
    span: tuple[float, float] | None
    skills: Mapping[str, int]


def _read_lines(table: str | tuple[str, ...], parameter: str) -> Iterable[str]:
    """Return the lines of a file, or of a parameter, with their ends, which belong to cells in quotation marks."""
    if isinstance(table, str):
        return io.StringIO(read_data(table, parameter), newline="")  # splitlines would also split at rare separators
    return (f"{line}\n" for line in table)


class TableRows:
    """The rows of a table, in a file or in a parameter.

    Parameters
    ----------
    table
        The file, or its lines.
    parameter
        The parameter that holds the table.

    Attributes
    ----------
    names
        The cells of the first row.
    line
        The line of the current row, from 1.

    Raises
    ------
    ParameterError
        If the file cannot be read, or is not valid CSV.
    """

    def __init__(self, table: str | tuple[str, ...], parameter: str) -> None:
        self._table, self._parameter = table, parameter
        text = _read_lines(table, parameter)
        self._reader = csv_problem.Table(text, table if isinstance(table, str) else parameter)
        try:
            lines = list(self._reader)
        except ConfigError as error:
            raise ParameterError(parameter, "; ".join(map(str, error.mistakes))) from None
        self.line, self.names = lines[0] if lines else (1, [])
        self._lines = lines[1:]

    def cells(self) -> Iterator[list[str]]:
        """Yield the cells of each row but the first."""
        for line, cells in self._lines:
            self.line = line
            if len(cells) != len(self.names):
                raise self.mistake(f"expected {len(self.names)} cells, got {len(cells)}")
            yield cells

    def parse_cost(self, cell: str, column: int) -> Decimal:
        """Return the cost in a cell of a column, from 1."""
        try:
            return self._reader.parse_cost(cell)
        except ValueError as error:
            raise self.mistake(str(error), column) from None

    def mistake(self, message: str, column: int | None = None) -> ParameterError:
        """Return an error in the current row, and in a cell of it, from 1."""
        if isinstance(self._table, str):
            return ParameterError(self._parameter, str(Mistake(message, self._table, self.line, column)))
        where = f"row {self.line}" if column is None else f"row {self.line}, column {column}"
        return ParameterError((self._parameter, self.line - 1), f"{where}: {message}")


class _Rows(TableRows):
    """The rows of a table, as cells by the name of their column."""

    def __init__(
        self, table: str | tuple[str, ...], parameter: str, needed: Collection[str], known: Collection[str]
    ) -> None:
        super().__init__(table, parameter)
        missing = next((name for name in needed if name not in self.names), None)
        if missing is not None:
            columns = f"the column{'s' * (len(needed) > 1)} {', '.join(map(repr, needed))}"
            raise self.mistake(f"expected a header with {columns}; {missing!r} is missing")
        seen = set[str]()
        for column, name in enumerate(self.names, 1):
            if known and name not in known:
                near = nearest(name, known)
                raise self.mistake(f"there is no column {name!r}; expected {', '.join(known)}{near}", column)
            if not name or name in seen:
                raise self.mistake(f"two columns have the name {name!r}" if name else "a column has no name", column)
            seen.add(name)

    def __iter__(self) -> Iterator[dict[str, str]]:
        for cells in self.cells():
            broken = next((column for column, cell in enumerate(cells, 1) if _BREAK.search(cell)), None)
            if broken is not None:
                raise self.mistake("a cell cannot contain a line break", broken)
            yield dict(zip(self.names, cells, strict=True))

    def fault(self, name: str, message: str) -> ParameterError:
        """Return an error in a cell of the current row, by the name of its column."""
        return self.mistake(message, self.names.index(name) + 1)

    def read_range(self, row: Mapping[str, str], name: str, usual: Range | None, *, at_most: bool) -> Range | None:
        """Return a range such as 3-5; a single number is the greatest one, or the only one."""
        text = row.get(name, "")
        if not text:
            return usual
        match = re.fullmatch(r"(\d{1,9})(?:\s*-\s*(\d{1,9}))?", text, re.ASCII)
        if match is None:
            raise self.fault(name, f"{text[:50]!r}: expected a number, or a range such as 2-4")
        low, high = int(match[1]), int(match[2] or match[1])
        if at_most and match[2] is None:
            low = 0
        if low > high or high > _MOST:
            raise self.fault(name, f"{text!r}: expected at most {_MOST:,}, and the smaller number first")
        return low, high

    def read_names(self, row: Mapping[str, str], name: str, known: Collection[str] | None = None) -> frozenset[str]:
        """Return the words of a cell."""
        words = row.get(name, "").split()
        unknown = next((word for word in words if known is not None and word not in known), None)
        if unknown is not None:
            raise self.fault(name, f"there is no shift {unknown!r}{nearest(unknown, known or ())}")
        return frozenset(words)

    def read_days(self, row: Mapping[str, str], name: str, last: int) -> frozenset[int]:
        """Return the days in a cell, such as 3 6 10-14."""
        days: set[int] = set()
        for word in row.get(name, "").split():
            match = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", word, re.ASCII)
            low, high = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
            if not 1 <= low <= high <= last:
                raise self.fault(name, f"{word[:50]!r}: expected days from 1 to {last}, such as 3 or 10-14")
            days.update(range(low, high + 1))
        return frozenset(days)


def read_people(table: str | tuple[str, ...], shifts: Mapping[str, Shift], days: int) -> dict[str, Person]:
    """Return the people by name.

    Raises
    ------
    ParameterError
        If the table is not valid.
    """
    rows = _Rows(table, "people", ("who",), _PEOPLE)
    people: dict[str, Person] = {}
    skills = {skill for shift in shifts.values() for skill in shift.skills}
    for row in rows:
        who = row["who"]
        if not who or who in people:
            raise rows.fault("who", f"{who!r} is listed twice" if who else "a person has no name")
        own = rows.read_names(row, "skills")
        unknown = next((skill for skill in sorted(own) if skill not in skills), None)
        if unknown is not None:
            near = nearest(unknown, sorted(skills))
            raise rows.fault("skills", f"no shift has a column for the skill {unknown!r}{near}")
        people[who] = Person(
            who,
            own,
            rows.read_range(row, "week", None, at_most=True),
            rows.read_range(row, "total", None, at_most=True),
            rows.read_names(row, "shifts", shifts),
            rows.read_days(row, "away", days),
            rows.read_days(row, "free", days),
            rows.read_names(row, "avoid", shifts),
        )
    if not people:
        raise rows.mistake("expected at least one person")
    return people


def read_shifts(table: str | tuple[str, ...]) -> dict[str, Shift]:
    """Return the shifts by name.

    Raises
    ------
    ParameterError
        If the table is not valid.
    """
    rows = _Rows(table, "shifts", ("shift", "needs"), ())
    skills = [name for name in rows.names if name not in ("shift", "needs", "weekend", "hours")]
    shifts: dict[str, Shift] = {}
    for row in rows:
        name = row["shift"]
        if not name or name in shifts or len(name.split()) > 1 or name in ("-", "weekend"):
            fault = "is listed twice" if name in shifts else "is not a name of a shift; expected one word"
            raise rows.fault("shift", f"{name!r} {fault}")
        needs = rows.read_range(row, "needs", None, at_most=False)
        if needs is None:
            raise rows.fault("needs", "the number of people is missing")
        least: dict[str, int] = {}
        for skill in skills:
            low, high = rows.read_range(row, skill, (0, 0), at_most=False) or (0, 0)
            if low != high:
                raise rows.fault(skill, f"{row[skill]!r}: expected how many people need the skill at least")
            least[skill] = low
        weekend = rows.read_range(row, "weekend", needs, at_most=False) or needs
        most = needs[1] or weekend[1]
        short = next((skill for skill in skills if least[skill] > most > 0), None)
        if short is not None:
            raise rows.fault(
                short, f"{least[short]} of the people need the skill {short!r}, but there are at most {most}"
            )
        shifts[name] = Shift(needs, weekend, _read_span(rows, row), least)
    if not shifts:
        raise rows.mistake("expected at least one shift")
    return shifts


def _read_span(rows: _Rows, row: Mapping[str, str]) -> tuple[float, float] | None:
    """Return the hours of a shift, such as 6-14 or 22:30-6; an end before the start is on the next day."""
    text = row.get("hours", "")
    if not text:
        return None
    match = re.fullmatch(r"(\d\d?)(?::(\d\d))?\s*-\s*(\d\d?)(?::(\d\d))?", text, re.ASCII)
    hours = [int(match[k]) for k in (1, 3)] if match else []
    minutes = [int(match[k] or 0) for k in (2, 4)] if match else []
    if not match or max(hours) > 24 or max(minutes) > 59:
        raise rows.fault("hours", f"{text[:50]!r}: expected hours such as 6-14 or 22:30-6")
    start, end = (hour + minute / 60 for hour, minute in zip(hours, minutes, strict=True))
    return start, end if end > start else end + 24


def read_special_days(
    table: str | tuple[str, ...], shifts: Mapping[str, Shift], last: int
) -> dict[tuple[int, str], Range]:
    """Return the needs of special days.

    Raises
    ------
    ParameterError
        If the table is not valid.
    """
    columns = ("day", "shift", "needs")
    rows = _Rows(table, "special", columns, columns)
    needs: dict[tuple[int, str], Range] = {}
    for row in rows:
        names = rows.read_names(row, "shift", shifts)
        needed = rows.read_range(row, "needs", None, at_most=False)
        if needed is None or not names:
            raise rows.mistake("expected a day, a shift, and how many people it needs")
        needs |= {(day, name): needed for day in sorted(rows.read_days(row, "day", last)) for name in sorted(names)}
    return needs


def write_lines(frame: Any, parameter: str) -> tuple[str, ...]:
    """Return the lines of a CSV file from a data frame of any library, or a mapping from columns to lists.

    Raises
    ------
    ParameterError
        If a column has another length than the first, or a cell contains a line break.
    """
    names = list(getattr(frame, "column_names", None) or getattr(frame, "columns", frame))
    columns = [[_write_cell(value) for value in frame[name]] for name in names]
    if len({len(column) for column in columns}) > 1:
        raise ParameterError(parameter, "expected columns of the same length")
    rows = [list(map(str, names)), *map(list, zip(*columns, strict=True))]
    broken = next((cell for row in rows for cell in row if _BREAK.search(cell)), None)
    if broken is not None:
        raise ParameterError(parameter, f"{broken[:50]!r}: a cell cannot contain a line break")
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return tuple(text.getvalue().removesuffix("\n").split("\n"))  # splitlines would also split at rare separators


def _write_cell(value: Any) -> str:
    """Return a value as the text of a cell; what is missing in any library is empty."""
    value = value.as_py() if hasattr(value, "as_py") else value  # of Arrow
    if value is None or value != value or str(value) in ("nan", "<NA>", "NaT"):
        return ""
    if isinstance(value, set | frozenset):
        return " ".join(sorted(map(str, value)))
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
