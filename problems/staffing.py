"""Staffing: who works which shift on which day, from tables of people, shifts and requests."""

from __future__ import annotations

import csv
import io
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import gcd
from typing import Annotated, Any, NamedTuple, Self, TypeAlias

from annotated_types import Ge, Le

from exactcover import Encoder, Item, ParameterError, Picture, Weighted, pictures
from exactcover.errors import nearest
from exactcover.formats.csv_problem import TableRows

Range: TypeAlias = tuple[int, int]
"""At least, and at most."""

Day: TypeAlias = int | date
"""A day in a label: its number, from 1, or its date."""

Days: TypeAlias = Annotated[int, Ge(1), Le(366)]
"""A number of days."""

OFF = "-"
NO_SHIFTS = (OFF, "free", "away")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
WEEK, WEEKEND = len(WEEKDAYS), frozenset((5, 6))

_DAY = r"\d{4}-\d\d-\d\d|\d{1,9}"
_DAYS = re.compile(rf"({_DAY})(?:(?:-|\.\.)({_DAY}))?", re.ASCII)
_NO_SHIFT = "there is no shift"
_SUMS = ("shifts", "hours")
_LIMITS = {"week": 1, "total": 1, "hours": 60, "total hours": 60}  # columns, and the parts that are counted
_MAX_PATTERNS = 20_000
_DAY_LONG = 24 * 60  # minutes


# -- days --------------------------------------------------------------------------------------------


def read_weekdays(text: str) -> frozenset[int]:
    """Return the weekdays, from 0, that a text names; none if it is something else.

    >>> sorted(read_weekdays("Fr-Mo")), sorted(read_weekdays("sun")), sorted(read_weekdays("S"))
    ([0, 4, 5, 6], [6], [])
    """
    names = [name.lower() for name in WEEKDAYS]
    ends = [next((k for k, name in enumerate(names) if name.startswith(end)), -1) for end in text.lower().split("-")]
    if len(ends) > 2 or -1 in ends or min(map(len, text.split("-"))) < 2:
        return frozenset()
    return frozenset(day % WEEK for day in range(ends[0], ends[-1] + 1 + WEEK * (ends[-1] < ends[0])))


@dataclass(frozen=True)
class Calendar:
    """The days of a plan, from 1; without a date, the first is a Monday."""

    days: int
    start: date | None

    def __iter__(self) -> Iterator[int]:
        return iter(range(1, self.days + 1))

    def weekday(self, day: int) -> int:
        """Return the weekday, from 0 for Monday."""
        return (day - 1 + (self.start.weekday() if self.start else 0)) % WEEK

    def name(self, day: int) -> Day:
        """Return a day as labels have it."""
        return self.start + timedelta(day - 1) if self.start else day

    def number(self, day: Day) -> int:
        """Return the number of a day in a label."""
        return (day - self.start).days + 1 if isinstance(day, date) and self.start else int(str(day))

    def head(self, day: int) -> str:
        """Return a day as the head of a column, so that spreadsheets leave it as it is: they change dates."""
        return f"{WEEKDAYS[self.weekday(day)][:2]} {self.name(day)}" if self.start else str(day)

    def text(self, first: int, last: int | None = None) -> str:
        """Return a day, or days, as items have them."""
        words = f"{self.name(first)}" if last is None else f"{self.name(first)} to {self.name(last)}"
        return words if self.start else f"day{'s' * (last is not None)} {words}"

    def week(self, day: int) -> str:
        """Return the name of the week of a day."""
        monday = day - self.weekday(day)
        return f"week of {self.name(monday)}" if self.start else f"week {monday // WEEK + 1}"

    def count_beside(self, day: int) -> int:
        """Return the number of days of the week of a day that are not in the plan."""
        monday = day - self.weekday(day)
        return max(0, 1 - monday) + max(0, monday + WEEK - 1 - self.days)

    def read(self, text: str) -> frozenset[int]:
        """Return the days of a text; dates outside the plan are left out, and a ``ValueError`` says what is no day.

        >>> sorted(Calendar(14, date(2026, 12, 1)).read("2 10-11 Su 2026-12-14..2026-12-31"))
        [2, 6, 10, 11, 13, 14]
        """
        days = set[int]()
        for word in text.split():
            weekdays, match = read_weekdays(word), _DAYS.fullmatch(word)
            low, high = (self._parse(match[1]), self._parse(match[2] or match[1])) if match else (None, None)
            if weekdays:
                days |= {day for day in self if self.weekday(day) in weekdays}
            elif low is not None and high is not None and low <= high:
                days.update(range(max(low, 1), min(high, self.days) + 1))
            elif low is not None and high is not None:
                raise ValueError(f"{word[:50]!r}: expected the earlier day first")
            else:
                dates = ", 2026-12-24..2026-12-26" if self.start else ""
                need = "; dates need the parameter start" if "-" in word[4:5] and not self.start else ""
                raise ValueError(
                    f"{word[:50]!r}: expected days from 1 to {self.days}, such as 3 or 10-14{dates}, or Su{need}"
                )
        return frozenset(days)

    def is_day(self, name: str) -> bool:
        """Return whether the head of a column is meant to be a day, or days."""
        return name[0].isdigit() or name.lower() == "weekend" or bool(read_weekdays(name.split()[0]))

    def read_cell(self, rows: TableRows, row: Mapping[str, str], name: str) -> frozenset[int]:
        """Return the days in a cell."""
        try:
            return self.read(row.get(name, ""))
        except ValueError as error:
            raise rows.fault(name, str(error)) from None

    def read_head(self, rows: TableRows, name: str) -> frozenset[int]:
        """Return the days of a column with a head such as ``weekend``, ``Mo-Fr`` or ``Tu 2026-12-01``."""
        text = re.sub(r"^[A-Za-z]{2,9}\s+(?=\d)", "", name)
        return self.read_cell(rows, {name: "Sa-Su" if name.lower() == "weekend" else text}, name)

    def _parse(self, text: str) -> int | None:
        """Return the number of a day; that of a date may be outside the plan."""
        if "-" not in text:
            return int(text) if 1 <= int(text) <= self.days else None
        try:
            return self.number(date.fromisoformat(text)) if self.start else None
        except ValueError:
            return None


# -- tables ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Person:
    """A row of the table of people; days are numbers, hours minutes; `wanted` are the shifts that are wished for."""

    skills: frozenset[str]
    limits: Mapping[str, Range | None]
    shifts: frozenset[str]
    away: frozenset[int]
    free: frozenset[int]
    avoid: frozenset[str]
    wanted: Mapping[int, frozenset[str]] = field(default_factory=dict)

    def can_work(self, day: int, shift: str) -> bool:
        """Return whether the person can work a shift on a day."""
        return day not in self.away and self.works(shift)

    def works(self, shift: str) -> bool:
        """Return whether a shift is one that the person can work, on some day."""
        return not self.shifts or shift in self.shifts

    def loses_wish(self, day: int, shift: str) -> bool:
        """Return whether the person wishes something else than this shift, or this day off."""
        if shift == OFF:
            return day in self.wanted
        return day in self.free or shift in self.avoid or shift not in self.wanted.get(day, (shift,))

    def add_request(self, day: int, words: frozenset[str]) -> Person:
        """Return the person with what a cell of the table of requests says."""
        if words == {"away"}:
            return replace(self, away=self.away | {day})
        if words <= set(NO_SHIFTS):
            return replace(self, free=self.free | {day})
        return replace(self, wanted={**self.wanted, day: words})


@dataclass(frozen=True)
class Shift:
    """A row of the table of shifts: people on each day, minutes, of which the end may be beyond 24 hours, skills."""

    needs: Mapping[int, Range]
    span: Range | None
    skills: Mapping[str, int]

    @property
    def minutes(self) -> int:
        """The length of the shift; 0 if it has no hours."""
        return self.span[1] - self.span[0] if self.span else 0


def read_people(table: str | tuple[str, ...], shifts: Mapping[str, Shift], calendar: Calendar) -> dict[str, Person]:
    """Return the people by name."""
    columns = ("who", "skills", *_LIMITS, "shifts", "away", "free", "avoid")
    rows = TableRows(table, "people", ("who",), columns)
    people: dict[str, Person] = {}
    skills = sorted({skill for shift in shifts.values() for skill in shift.skills})
    for row in rows:
        who = row["who"]
        if not who or who in people:
            raise rows.fault("who", f"{who!r} is listed twice" if who else "a person has no name")
        people[who] = Person(
            skills=rows.read_names(row, "skills", skills, "no shift has a column for the skill"),
            limits={name: rows.read_range(row, name, at_most=True, parts=parts) for name, parts in _LIMITS.items()},
            shifts=rows.read_names(row, "shifts", shifts, _NO_SHIFT),
            away=calendar.read_cell(rows, row, "away"),
            free=calendar.read_cell(rows, row, "free"),
            avoid=rows.read_names(row, "avoid", shifts, _NO_SHIFT),
        )
    if not people:
        raise rows.mistake("expected at least one person")
    return people


def read_shifts(table: str | tuple[str, ...], calendar: Calendar) -> dict[str, Shift]:
    """Return the shifts by name."""
    rows = TableRows(table, "shifts", ("shift", "needs"))
    others = [name for name in rows.names if name not in ("shift", "needs", "hours")]
    days = {name: calendar.read_head(rows, name) for name in others if calendar.is_day(name)}
    skills = [name for name in others if name not in days]
    shifts: dict[str, Shift] = {}
    for row in rows:
        name = row["shift"]
        if not name or name in shifts or len(name.split()) > 1 or name in (*NO_SHIFTS, "weekend", "total", "hours"):
            fault = "is listed twice" if name in shifts else "is not a name of a shift; expected one word"
            raise rows.fault("shift", f"{name!r} {fault}")
        usual = rows.read_range(row, "needs")
        if usual is None:
            raise rows.fault("needs", "the number of people is missing")
        needs: dict[int, Range] = dict.fromkeys(calendar, usual)
        least: dict[str, int] = {}
        for column, some in days.items():
            needs |= dict.fromkeys(some if row[column] else (), rows.read_range(row, column) or usual)
        most = max(high for _, high in needs.values())
        for skill in skills:
            low, high = rows.read_range(row, skill) or (0, 0)
            if low != high:
                raise rows.fault(skill, f"{row[skill]!r}: expected how many people need the skill at least")
            if low > most > 0:
                raise rows.fault(skill, f"{low} of the people need the skill {skill!r}, but there are at most {most}")
            least[skill] = low
        shifts[name] = Shift(needs, _read_span(rows, row), least)
    if not shifts:
        raise rows.mistake("expected at least one shift")
    return shifts


def _read_span(rows: TableRows, row: Mapping[str, str]) -> Range | None:
    """Return the minutes of hours such as 6-14 or 22:30-6; an end before the start is on the next day."""
    text = row.get("hours", "")
    if not text:
        return None
    match = re.fullmatch(r"(\d\d?)(?::(\d\d))?\s*(?:-|\.\.)\s*(\d\d?)(?::(\d\d))?", text, re.ASCII)
    hours = [int(match[k]) for k in (1, 3)] if match else []
    minutes = [int(match[k] or 0) for k in (2, 4)] if match else []
    if not match or max(hours) > 24 or max(minutes) > 59:
        raise rows.fault("hours", f"{text[:50]!r}: expected hours such as 6-14 or 22:30-6")
    start, end = (60 * hour + minute for hour, minute in zip(hours, minutes, strict=True))
    return start, end if end > start else end + _DAY_LONG


def read_grid(
    rows: TableRows, people: Collection[str], shifts: Collection[str], calendar: Calendar
) -> Iterator[tuple[str, int, frozenset[str]]]:
    """Yield the person, the day and the words of each cell of the first table of people and days that is not empty.

    A person may be unknown, unless the name may be mistyped.
    """
    columns: dict[str, frozenset[int]] = {}
    for name in [name for name in rows.names if name not in ("who", *_SUMS)]:
        if calendar.is_day(name):
            columns[name] = calendar.read_head(rows, name)
        else:
            rows.leave_out(name)
    if not any(columns.values()):
        raise rows.mistake(f"no column is a day of the plan, such as {calendar.head(1)!r}")
    seen = set[str]()
    for row in rows:
        who = row["who"]
        if who.casefold() == "who":
            return  # of the next table
        if who.startswith("people ") and who not in people:
            continue  # it counts them
        if who not in people and (near := nearest(who, people)):
            raise rows.fault("who", f"there is no person {who!r}{near}")
        if who in seen:
            raise rows.fault("who", f"{who!r} is listed twice")
        seen.add(who)
        for name, days in columns.items():
            words = rows.read_names(row, name, (*shifts, *NO_SHIFTS), _NO_SHIFT)
            if len(words) > 1 and not words.isdisjoint(NO_SHIFTS):
                raise rows.fault(name, f"{row[name][:50]!r}: expected shifts, or one of {', '.join(NO_SHIFTS)}")
            yield from ((who, day, words) for day in sorted(days) if words)


def write_lines(frame: Any, parameter: str) -> tuple[str, ...]:
    """Return the lines of a CSV file from a data frame of any library, or a mapping from columns to lists."""
    names = list(getattr(frame, "column_names", None) or getattr(frame, "columns", frame))
    columns = [[_write_cell(value) for value in frame[name]] for name in names]
    if len({len(column) for column in columns}) > 1:
        raise ParameterError(parameter, "expected columns of the same length")
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([names, *zip(*columns, strict=True)])
    return tuple(text.getvalue().removesuffix("\n").split("\n"))  # splitlines would also split at rare separators


def _write_cell(value: Any) -> str:
    """Return a value as the text of a cell; what is missing in any library is empty."""
    value = value.as_py() if hasattr(value, "as_py") else value  # of Arrow
    if value is None or value != value or str(value) in ("nan", "<NA>", "NaT"):
        return ""
    if isinstance(value, set | frozenset | list | tuple):
        return " ".join(sorted(map(str, value)) if isinstance(value, set | frozenset) else map(str, value))
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


# -- patterns ----------------------------------------------------------------------------------------


def read_patterns(texts: Sequence[str], shifts: Collection[str], days: int) -> list[str]:
    """Return the patterns, without those in which nobody works.

    >>> read_patterns(["day  day -", "- - -"], ["day"], days=6)
    ['day day -']
    """
    found: list[str] = []
    for number, text in enumerate(texts):
        words = [] if text == "all" else text.split()
        unknown = next((word for word in words if word not in (*shifts, OFF)), None)
        if unknown is not None:
            message = f"there is no shift {unknown!r}, and it is not - for a day off{nearest(unknown, shifts)}"
            raise ParameterError(("patterns", number), message)
        if text == "all" and (len(shifts) + 1) ** WEEK > _MAX_PATTERNS:
            message = f"there are too many patterns of {len(shifts)} shifts; list those that are worked"
            raise ParameterError(("patterns", number), message)
        found += map(" ".join, product((*shifts, OFF), repeat=WEEK) if text == "all" else [words])
    lengths = {len(text.split()) for text in found}
    if len(lengths) > 1 or 0 in lengths:
        raise ParameterError("patterns", "expected patterns of the same length, at least one day")
    if lengths and days % max(lengths):
        raise ParameterError("days", f"expected a multiple of {max(lengths)}, the length of the patterns")
    return [text for text in dict.fromkeys(found) if set(text.split()) != {OFF}]


class Duty(NamedTuple):
    """A person works a shift on a day, or a pattern of shifts from a day on; as text ``Ann: day 3 early``."""

    who: str
    day: Day
    shift: str

    def __str__(self) -> str:
        return f"{self.who}: {'day ' * isinstance(self.day, int)}{self.day} {self.shift}"


# -- the family --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Staffing(Encoder):
    """Plan who works when, so that each shift has enough people, with rest between shifts and few lost wishes.

    Examples
    --------
    >>> plan = Staffing(people=("who,free", "Ann,1", "Bob,2"), shifts=("shift,needs", "day,1"), days=2)
    >>> [str(duty) for duty in next(plan.problem().cheapest())]
    ['Ann: day 2 day', 'Bob: day 1 day']
    """

    people: str | tuple[str, ...] = ("who,skills,week,free", "Ann,nurse,5,3", "Bob,,5,6 7", "Cid,,4,", "Dora,nurse,4,1")
    """A CSV file, relative to the YAML file, or its lines. The column who is needed. Further columns: skills; week and
    total, how many shifts a person works in a week and in all, as 5 for at most five or 3-5 for a range; hours and
    total hours, the same for hours, such as 30-38.5; shifts, which the person can work; away, days on which the person
    cannot work; free, days that the person wishes to have off; and avoid, shifts that the person does not wish to
    work. Blanks separate several values in a cell. Days are numbers, dates and weekdays, such as 3 10-14 Su
    2026-12-24. In all tables, a column note is for you."""

    shifts: str | tuple[str, ...] = ("shift,hours,needs,weekend,nurse", "early,6-14,1-2,1,1", "late,14-22,1,1,0")
    """A CSV file, or its lines. The columns shift and needs are needed: how many people each day, as 2 or 2-4. Further
    columns: hours, as 6-14 or 22:30-6; the needs of some days, with names such as Su, Mo-Fr, weekend or 2026-12-24; and
    one for each skill, with how many people need it at least; of a day that needs fewer people at most, all do."""

    days: Days = 7
    """The number of days."""

    start: str = ""
    """The date of the first day, such as 2026-12-01; without it, days are numbers, and day 1 is a Monday."""

    requests: str | tuple[str, ...] = ()
    """A CSV file, or its lines: a row for each person, and a column for each day. A cell names shifts of which the
    person wishes to work one on that day, or says free for a wish to have it off, or away."""

    rest: Annotated[int, Ge(0), Le(72)] = 11
    """The least number of hours between two shifts of a person, if the shifts have hours."""

    run: Days | tuple[Days, Days] | None = None
    """On how many days in a row a person may work, or at least and at most; without it, on any number."""

    days_off: Days = 1
    """How many days in a row off a person has at least."""

    wish: Annotated[int | Decimal, Ge(0)] = 10
    """The cost of a day on which a person loses wishes."""

    fair: Mapping[str, Annotated[int | Decimal, Ge(0)]] = field(default_factory=dict)
    """For a shift, for weekend, total or hours: the cost of each one that a person works beyond an equal share."""

    patterns: tuple[str, ...] = ()
    """Patterns of shifts, such as `early early - late -`, of equal length. Each person then works one of them, or
    nothing, in each block of that many days. The word `all` stands for all patterns of a week that keep the rules."""

    @classmethod
    def from_frame(cls, people: Any, shifts: Any, **parameters: Any) -> Self:
        """Make it from data frames of any library, or mappings from columns to lists, with the columns of the files.

        Examples
        --------
        >>> people, shifts = {"who": ["Ann", "Bob"], "free": [1, None]}, {"shift": ["day"], "needs": [1]}
        >>> plan = Staffing.from_frame(people, shifts, days=1)
        >>> next(plan.problem().cheapest())
        (Duty(who='Bob', day=1, shift='day'),)
        """
        return cls(people=write_lines(people, "people"), shifts=write_lines(shifts, "shifts"), **parameters)

    def __post_init__(self) -> None:
        self._people, self._needs, self._patterns  # noqa: B018 - reports mistakes now
        least, most = self._run
        if most is not None and least > most:
            raise ParameterError("run", f"expected the smaller number first, got [{least}, {most}]")
        counted = [*self._shifts, "weekend", "total", "hours"]
        for name in self.fair:
            if name not in counted:
                raise ParameterError(("fair", name), f"there is no shift {name!r}{nearest(name, counted)}")
        if self.patterns and most is not None and most >= self._size:
            raise ParameterError("run", f"a run must be shorter than the patterns, which have {self._size} days")
        needy = [who for who, one in self._people.items() if one.limits["hours"] or one.limits["total hours"]]
        vague = next((name for name, shift in self._shifts.items() if not shift.span), None)
        if vague is not None and (needy or "hours" in self.fair):
            which = f"those of {needy[0]}" if needy else "fair hours"
            raise ParameterError("shifts", f"the shift {vague!r} has no hours, which {which} need")
        if (Fraction(self.fair.get("hours", 0)) * self._unit / 60).denominator % 3 == 0:
            message = f"expected a multiple of 3, because hours are counted in {self._name_unit('hours')}"
            raise ParameterError(("fair", "hours"), message)
        for (row, who), day in product(enumerate(self._people, 1), self._calendar):
            empty = [item for item, _, (low, high) in self._list_limits(who, day) if low > high]
            if empty:
                raise ParameterError(("people", row), f"{empty[0]}: no whole number of them is within the limits")

    # -- what the tables say ---------------------------------------------------------------------

    @cached_property
    def _calendar(self) -> Calendar:
        try:
            start = date.fromisoformat(self.start) if self.start else None
            return Calendar(self.days, start and start + timedelta(self.days) and start)
        except (ValueError, OverflowError):
            raise ParameterError("start", f"expected a date such as 2026-12-01, got {self.start[:50]!r}") from None

    @cached_property
    def _shifts(self) -> dict[str, Shift]:
        return read_shifts(self.shifts, self._calendar)

    @cached_property
    def _people(self) -> dict[str, Person]:
        people = read_people(self.people, self._shifts, self._calendar)
        if not self.requests:
            return people
        rows = TableRows(self.requests, "requests", ("who",))
        for who, day, words in read_grid(rows, people, self._shifts, self._calendar):
            if who not in people:
                raise rows.fault("who", f"there is no person {who!r}")
            people[who] = people[who].add_request(day, words)
        return people

    @cached_property
    def _needs(self) -> dict[tuple[int, str], Range]:
        """The number of people that each shift of each day needs, at least and at most."""
        return {(day, name): shift.needs[day] for day in self._calendar for name, shift in self._shifts.items()}

    @property
    def _run(self) -> tuple[int, int | None]:
        """The least and the greatest number of days in a row on which a person works."""
        return self.run if isinstance(self.run, tuple) else (1, self.run)

    # -- items and options -----------------------------------------------------------------------

    @cached_property
    def _patterns(self) -> list[str]:
        """The patterns in which somebody works: without the parameter, one for each shift."""
        patterns = read_patterns(self.patterns, self._shifts, self.days)
        return patterns if self.patterns else list(self._shifts)

    @property
    def _size(self) -> int:
        """The number of days of a pattern."""
        return 1 if not self.patterns else WEEK if self.patterns[0] == "all" else len(self.patterns[0].split())

    @property
    def _firsts(self) -> range:
        """The first days of patterns."""
        return range(1, self.days + 1, self._size)

    def _must_choose(self, who: str, first: int) -> bool:
        """Return whether to be off is an option, because it has a cost or ends a run."""
        wanted = not self._people[who].wanted.keys().isdisjoint(range(first, first + self._size))
        inner = self._list_inner_limits(who, first)
        return self._run[0] > 1 or self.days_off > 1 or wanted or any(low for _, (low, _) in inner)

    def _name_block(self, who: str, first: int) -> str:
        block = f"pattern of {self._calendar.text(first, first + self._size - 1)}" if self.patterns else ""
        return f"{who}, {block or self._calendar.text(first)}"

    def options(self) -> list[tuple[Duty, list[Item]]]:
        return self._options

    @cached_property
    def _options(self) -> list[tuple[Duty, list[Item]]]:
        options: list[tuple[Duty, list[Item]]] = []
        free = [" ".join([OFF] * self._size)]
        for who, person in self._people.items():
            for first in self._firsts:
                block = range(first, first + self._size)
                able = [one for one in product(block, self._shifts) if person.can_work(*one)]
                covered = {one: self._count_items(who, *one) for one in able} | {(day, OFF): {} for day in block}
                for pattern in self._patterns + free * self._must_choose(who, first):
                    worked = [covered[one] for one in enumerate(pattern.split(), first) if one in covered]
                    items = self._join_items(who, first, pattern, worked) if len(worked) == self._size else []
                    if items:
                        options.append((Duty(who, self._calendar.name(first), pattern), items))
        return options

    def _join_items(self, who: str, first: int, pattern: str, days: Iterable[Mapping[str, int]]) -> list[Item]:
        """Return the items of a pattern, from those of its days; none if it breaks a rule."""
        marks = "".join(OFF if shift == OFF else "x" for shift in pattern.split())
        times = Counter([self._name_block(who, first)])
        for items in (*days, dict.fromkeys(self._list_runs(who, first, marks), 1)):
            times.update(items)
        inner = [low <= times.pop(item, 0) <= high for item, (low, high) in self._list_inner_limits(who, first)]
        over = (item for item, often in times.items() if often > self._bounds.get(item, (0, 1))[1])
        if not all(inner) or "x" * ((self._run[1] or self.days) + 1) in marks or not self._prices.keys() >= set(over):
            return []
        return [item if often == 1 else Weighted(item, often) for item, often in times.items()]

    def _list_inner_limits(self, who: str, first: int) -> list[tuple[str, Range]]:
        """Return the limits of whole weeks, which each pattern keeps or breaks alone; they need no items."""
        days = range(first, first + self._size, WEEK) if self._size % WEEK == 0 == self._calendar.weekday(1) else ()
        limits = (limit for day in days for limit in self._list_limits(who, day))
        return [(item, bounds) for item, _, bounds in limits if not item.startswith(f"{who}, in all")]

    def _count_items(self, who: str, day: int, name: str) -> dict[str, int]:
        """Return how often a shift of a person covers each of its items."""
        counts = {item: counted for item, counted, _ in self._list_limits(who, day)}
        counts |= {f"{self._name_unit(counted)} of {who}": counted for counted in self.fair}
        sizes = {item: size for item, counted in counts.items() if (size := self._measure(counted, day, name))}
        return dict.fromkeys(self._list_items(who, day, name), 1) | sizes

    def _list_items(self, who: str, day: int, name: str) -> Iterator[str]:
        """Yield the items of a duty besides those that count how often a person works."""
        text, skills = self._calendar.text, self._people[who].skills
        yield f"{text(day)} {name}"
        wanted = (f"{text(day)} {name} {skill}" for skill in self._shifts[name].skills if skill in skills)
        yield from (item for item in wanted if item in self._bounds)
        span = self._shifts[name].span
        if span is None:
            return
        yield f"{who}, rest before {text(day)}: {span[0] / 60:g}"
        end, starts = span[1] + 60 * self.rest, sorted({one.span[0] for one in self._shifts.values() if one.span})
        for later in range(day + 1, min(self.days, day + 1 + end // _DAY_LONG) + 1):
            soon = end - _DAY_LONG * (later - day)
            yield from (f"{who}, rest before {text(later)}: {start / 60:g}" for start in starts if start < soon)

    def _list_limits(self, who: str, day: int) -> Iterator[tuple[str, str, Range]]:
        """Yield the items that limit what a person works in a week and in all, what they count, and their bounds."""
        limits, week = self._people[who].limits, self._calendar.week(day)
        beside = self._calendar.count_beside(day)  # days that may be worked, too
        weekly = f"{who}, {week}", beside, limits["week"], limits["hours"]
        for name, days, shifts, hours in (weekly, (f"{who}, in all", 0, limits["total"], limits["total hours"])):
            if shifts is not None:
                yield name, "total", (max(0, shifts[0] - days), shifts[1])
            if hours is not None:
                least = max(0, hours[0] - days * max(shift.minutes for shift in self._shifts.values()))
                yield f"{name}, {self._name_unit('hours')}", "hours", (-(-least // self._unit), hours[1] // self._unit)

    def _list_runs(self, who: str, first: int, marks: str) -> Iterator[str]:
        """Yield the items by which no run is too short or too long, of days that are worked, x, or off."""
        text, most, last = self._calendar.text, self._run[1], first + len(marks) - 1
        for day, mark in enumerate(marks, first):
            yield from self._list_short_runs(who, day, works=mark == "x")
        if most is not None and not self.patterns:
            starts = range(max(1, first - most), min(first, self.days - most) + 1) if marks == "x" else ()
            yield from (f"{who}, {text(start, start + most)}" for start in starts)
        elif most is not None:  # the end of a pattern and the start of the next one are not too long together
            early, late = (len(marks) - len(some) for some in (marks.lstrip("x"), marks.rstrip("x")))
            yield from (f"{who}, run around {text(last)}: {k}" for k in range(1, late + 1) if last < self.days)
            starts = range(most + 1 - early, most + 1) if first > 1 else ()
            yield from (f"{who}, run around {text(first - 1)}: {k}" for k in starts)

    def _list_short_runs(self, who: str, day: int, *, works: bool) -> Iterator[str]:
        """Yield the items by which no run is too short, of a day on which the person works or is off.

        Such an item forbids one run of days on, or off: one of its days is otherwise, or a day beside it is like it.
        """
        for kind, least in (("on", self._run[0]), ("off", self.days_off)):
            for length in range(1, least):
                inside, beside = range(day - length + 1, day + 1), (day - length, day + 1)
                for first in beside if works == (kind == "on") else inside:
                    if 1 < first <= self.days - length:
                        yield f"{who}, not {length} {kind} from {self._calendar.text(first)}"

    def _measure(self, counted: str, day: int, name: str) -> int:
        """Return how much a shift is of what is counted: 1 or 0, or a number of units of hours."""
        if counted == "hours":
            return self._shifts[name].minutes // self._unit
        return int(counted in (name, "total") or (counted == "weekend" and self._calendar.weekday(day) in WEEKEND))

    @cached_property
    def _unit(self) -> int:
        """The number of minutes of which the lengths of all shifts are multiples; 0 if no shift has hours."""
        return gcd(*(shift.minutes for shift in self._shifts.values()))

    def _name_unit(self, counted: str) -> str:
        is_other = counted == "hours" and self._unit != 60
        return f"units of {self._unit // 60}:{self._unit % 60:02} hours" if is_other else counted

    @cached_property
    def _bounds(self) -> dict[str, Range]:
        """The bounds of the primary items."""
        days, most = self._calendar, self._run[1]
        bounds: dict[str, Range] = {}
        for (day, name), needed in self._needs.items():
            item = f"{self._calendar.text(day)} {name}"
            bounds[item] = needed
            for skill, least in self._shifts[name].skills.items():
                if least and needed[1]:  # of fewer people at weekends and on special days, all
                    bounds[f"{item} {skill}"] = (min(least, needed[1]), len(self._people))
        for who in self._people:
            firsts = [first for first in self._firsts if self._must_choose(who, first)]
            bounds |= {self._name_block(who, first): (1, 1) for first in firsts}
            bounds |= {f"{self._name_unit(counted)} of {who}": (0, share) for counted, share in self._shares.items()}
            for day in days:
                bounds |= {item: limit for item, _, limit in self._list_limits(who, day)}
                for works in (True, False):
                    bounds |= dict.fromkeys(self._list_short_runs(who, day, works=works), (1, self.days))
                if most is not None and day + most <= self.days and not self.patterns:
                    bounds[f"{who}, {days.text(day, day + most)}"] = (0, most)
            for item, _ in (limit for first in self._firsts for limit in self._list_inner_limits(who, first)):
                del bounds[item]
        return bounds

    @cached_property
    def _shares(self) -> dict[str, int]:
        """An equal share of what is counted; who can work less than that leaves more to the others."""
        shares: dict[str, int] = {}
        for counted in self.fair:
            sizes = {one: self._measure(counted, *one) for one in self._needs}
            limits = [self._find_most(counted, who, sizes) for who in self._people]
            missing = sum(low * sizes[one] for one, (low, _) in self._needs.items())
            levels = range(1, max(1, *limits))
            shares[counted] = 1 + bisect_left(levels, missing, key=lambda level: sum(min(level, one) for one in limits))
        return shares

    def _find_most(self, counted: str, who: str, sizes: Mapping[tuple[int, str], int]) -> int:
        """Return how much a person can work of what is counted, as far as single limits say."""
        person, weeks = self._people[who], len(set(map(self._calendar.week, self._calendar)))
        able = ([sizes[day, name] for name in self._shifts if person.can_work(day, name)] for day in self._calendar)
        most = {name: limit[1] * (1 if "total" in name else weeks) for name, limit in person.limits.items() if limit}
        shifts = [most[name] for name in ("week", "total") if name in most]
        hours = [most[name] // self._unit for name in ("hours", "total hours") if name in most and counted == "hours"]
        return min([sum(sorted(map(max, filter(None, able)), reverse=True)[: min(shifts, default=None)]), *hours])

    def primary(self) -> Iterator[str]:
        return (item for item, (_, most) in self._bounds.items() if most)

    def secondary(self) -> Iterator[str]:
        seen = dict.fromkeys(item for _, items in self._options for item in items if isinstance(item, str))
        return (item for item in seen if item not in self._bounds)

    def multiplicity(self) -> dict[str, Range]:
        return {item: bounds for item, bounds in self._bounds.items() if bounds[1]}

    def costs(self) -> dict[Duty, int | Decimal]:
        lost = {label: sum(self._list_lost(label)) for label, _ in self._options}
        return {label: number * self.wish for label, number in lost.items() if number and self.wish}

    def _list_lost(self, label: Duty) -> list[bool]:
        """Return, for each day of a pattern, whether a wish is lost."""
        person, first = self._people[label.who], self._calendar.number(label.day)
        return [person.loses_wish(day, shift) for day, shift in enumerate(label.shift.split(), first)]

    def soft(self) -> dict[str, tuple[None, int | Decimal]]:
        return self._prices

    @cached_property
    def _prices(self) -> dict[str, tuple[None, int | Decimal]]:
        """The prices of what is worked beyond equal shares."""
        prices = {
            one: price * self._unit / Decimal(60) if one == "hours" else price for one, price in self.fair.items()
        }
        return {
            f"{self._name_unit(one)} of {who}": (None, price) for who in self._people for one, price in prices.items()
        }

    def additions(self) -> Iterator[tuple[list[Item], str, int]]:
        """Yield duties that break one rule: how many, which shifts, skills, or, least plausible, days away."""
        for who, (day, name) in () if self.patterns else product(self._people, self._needs):
            for times, change, cost in self._list_breaches(who, day, name):
                if items := self._join_items(who, day, name, [times]):
                    yield items, f"let {who} work {name} on {self._calendar.text(day)}, {change}", cost

    def _list_breaches(self, who: str, day: int, name: str) -> Iterator[tuple[Mapping[str, int], str, int]]:
        person, items = self._people[who], self._count_items(who, day, name)
        if not person.can_work(day, name):
            if person.works(name):
                yield items, "although away", 10
            elif day not in person.away:  # else two rules would be broken
                yield items, f"a shift that {who} does not work", 2
            return
        if limits := {item for item, _, _ in self._list_limits(who, day)}:
            yield {item: items[item] for item in items if item not in limits}, "one shift more", 1
        for skill in self._shifts[name].skills:
            item = f"{self._calendar.text(day)} {name} {skill}"
            if item in self._bounds and item not in items:
                yield {**items, item: 1}, f"without the skill {skill}", 3

    def describe_rules(self) -> str:
        needs = [f"{_describe_needs(shift.needs.values())} {name}" for name, shift in self._shifts.items()]
        rules = [f"Each day needs {' and '.join(needs)}."]
        skilled = [
            f"{number} {skill} {name}"
            for name, one in self._shifts.items()
            for skill, number in one.skills.items()
            if number
        ]
        rules += [f"Of these, at least {' and '.join(skilled)}."] * bool(skilled)
        most = self._run[1]
        rules += [f"Nobody works more than {most} days in a row."] * (most is not None)
        rules += [f"There are at least {self.rest} hours between two shifts."] * any(
            one.span for one in self._shifts.values()
        )
        return " ".join([*rules, "Wishes that are lost cost something."])

    # -- solutions -------------------------------------------------------------------------------

    def decode(self, solution: Iterable[Duty]) -> dict[str, dict[Day, str]]:
        """Return the shift of each person on each day on which the person works."""
        found: dict[str, dict[Day, str]] = {who: {} for who in self._people}
        for who, first, pattern in solution:
            days = enumerate(pattern.split(), self._calendar.number(first))
            found[who] |= {self._calendar.name(day): shift for day, shift in days if shift != OFF}
        return found

    def tabulate(self, solution: Iterable[Duty]) -> Iterator[list[str]]:
        """Yield a row with the shift of each day for each person, and then how many people work each shift.

        Then come the numbers of shifts, and of hours if all shifts have hours.
        """
        found, days = self.decode(solution), list(map(self._calendar.name, self._calendar))
        hours = {name: shift.minutes / 60 for name, shift in self._shifts.items() if shift.span}
        size = 1 + (len(hours) == len(self._shifts))
        yield ["who", *map(self._calendar.head, self._calendar), *_SUMS[:size]]
        for who, worked in found.items():
            sums = [str(len(worked)), f"{sum(hours.get(name, 0) for name in worked.values()):g}"]
            yield [who, *(worked.get(day, "") for day in days), *sums[:size]]
        for name in self._shifts:
            counts = [sum(worked.get(day) == name for worked in found.values()) for day in days]
            sums = [str(sum(counts)), f"{hours.get(name, 0) * sum(counts):g}"]
            yield [f"people {name}", *map(str, counts), *sums[:size]]

    def read_table(self, lines: Iterable[str], source: str) -> Iterator[Duty]:
        """Yield the options of a table of people and days, which a spreadsheet may have changed."""
        rows = TableRows(tuple(lines), "", ("who",), source=source)
        cells = read_grid(rows, self._people, self._shifts, self._calendar)
        plan = {(who, day): " ".join(sorted(words)) for who, day, words in cells if words.isdisjoint(NO_SHIFTS)}
        for who in dict.fromkeys([*self._people, *(who for who, _ in plan)]):
            for first in self._firsts:
                pattern = [plan.get((who, day), OFF) for day in range(first, first + self._size)]
                if set(pattern) != {OFF} or (who in self._people and self._must_choose(who, first)):
                    yield Duty(who, self._calendar.name(first), " ".join(pattern))

    def draw(self, solution: Iterable[Duty]) -> Picture:
        """Return the plan: a row for each person, a column for each day; lost wishes are strong."""
        heads, *table = [row[1 : self.days + 1] for row in self.tabulate(solution)]
        tints = {name: tint for tint, name in enumerate(self._shifts)}
        marks = _shorten(self._shifts)
        rows: dict[str, list[tuple[str, int, bool]]] = {}
        for (who, person), cells in zip(self._people.items(), table, strict=False):
            lost = self._list_lost(Duty(who, self._calendar.name(1), " ".join(name or OFF for name in cells)))
            free = [pictures.BLOCKED if day in person.away else pictures.PAPER for day in self._calendar]
            texts = [marks.get(name, OFF * is_lost) for name, is_lost in zip(cells, lost, strict=True)]
            rows[who] = list(zip(texts, map(tints.get, cells, free), lost, strict=True))
        number = sum(is_lost for row in rows.values() for _, _, is_lost in row)
        caption = f"{', '.join(f'{marks[name]} {name}' for name in self._shifts)}; lost wishes: {number}"
        title = f"{pictures.format_count(self.days, 'day')} of {len(rows)} people"
        lines = [[head[:2] for head in heads], [head[-2:] for head in heads]] if self.start else [heads]
        return draw_rows(title, caption, [["", *line] for line in lines], rows)


def _describe_needs(needs: Iterable[Range]) -> str:
    """Return in words how many people a shift needs: the least and the greatest number on any day."""
    lows, highs = zip(*needs, strict=True)
    return f"{min(lows)}" if min(lows) == max(highs) else f"{min(lows)} to {max(highs)}"


def _shorten(names: Collection[str]) -> dict[str, str]:
    """Return starts of names, of one length, that differ, with a capital; none is a bare bar.

    >>> _shorten(["early", "late"]), _shorten(["early", "ill"]), _shorten(["a", "A"])
    ({'early': 'E', 'late': 'L'}, {'early': 'Ea', 'ill': 'Il'}, {'a': 'a', 'A': 'A'})
    """
    starts = [{name: name[:1].upper() + name[1:size] for name in names} for size in range(1, 1 + max(map(len, names)))]
    apart = (some for some in starts if len(set(some.values())) == len(some) and "I" not in some.values())
    return next(apart, {name: name for name in names})


def draw_rows(
    title: str, caption: str, heads: Sequence[Sequence[str]], rows: Mapping[str, Sequence[tuple[str, int, bool]]]
) -> Picture:
    """Return a picture of a table: lines of heads, and named rows of cells: a text, a tint, and if it is strong."""
    head = [[(text, pictures.SHADED, True) for text in line] for line in heads]
    lines = [*head, *([(name, pictures.SHADED, True), *cells] for name, cells in rows.items())]
    shapes: list[pictures.Shape] = []
    for row, line in enumerate(lines):
        for column, (text, tint, strong) in enumerate(line):
            label = "head" if tint == pictures.SHADED else ""
            shapes.append(pictures.Cell(row, column, label, tint))
            if text or label:
                shapes.append(pictures.Text(row, column, text, strong=strong))
    return Picture(title, tuple(shapes), grid=True, caption=caption)
