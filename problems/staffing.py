"""Staffing: who works which shift on which day, from rules about people, shifts and days."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from itertools import product
from typing import Annotated, Any, NamedTuple, Self

from annotated_types import Ge, Le

from exactcover import Encoder, ParameterError, Picture, pictures
from exactcover.errors import nearest
from problems.staffing_tables import Person, Range, Shift, read_people, read_shifts, read_special_days, write_lines

__all__ = ["Block", "Duty", "Staffing"]

OFF = "-"
"""A day off in a pattern."""

WEEK = 7
"""The days of a week."""

_MAX_PATTERNS = 20_000

_WEEKEND = (6, 7)  # days of a week


def read_patterns(texts: Sequence[str], shifts: Collection[str], *, run: int | None, days: int) -> list[str]:
    """Return the patterns, without those in which nobody works or a run is too long.

    Raises
    ------
    ParameterError
        If a pattern is not valid, or does not fit the run or the days.

    Examples
    --------
    >>> read_patterns(["day  day -", "- - -", "day day day"], ["day"], run=2, days=6)
    ['day day -']
    """
    found: list[str] = []
    for number, text in enumerate(texts):
        found += _list_all(shifts, number) if text == "all" else [_read_pattern(text, shifts, number)]
    lengths = {len(text.split()) for text in found}
    if len(lengths) > 1 or 0 in lengths:
        raise ParameterError("patterns", "expected patterns of the same length, at least one day")
    if lengths and run is not None and run >= max(lengths) > 0:
        raise ParameterError("run", f"a run must be shorter than the patterns, which have {max(lengths)} days")
    if lengths and days % max(lengths):
        raise ParameterError("days", f"expected a multiple of {max(lengths)}, the length of the patterns")
    return [text for text in dict.fromkeys(found) if set(text.split()) != {OFF} and _keeps_run(text, run)]


def _list_all(shifts: Collection[str], number: int) -> Iterator[str]:
    """Return all patterns of a week."""
    if (len(shifts) + 1) ** WEEK > _MAX_PATTERNS:
        message = f"there are too many patterns of {len(shifts)} shifts; list those that are worked"
        raise ParameterError(("patterns", number), message)
    return (" ".join(one) for one in product((*shifts, OFF), repeat=WEEK))


def _read_pattern(text: str, shifts: Collection[str], number: int) -> str:
    unknown = next((word for word in text.split() if word not in (*shifts, OFF)), None)
    if unknown is not None:
        near = nearest(unknown, shifts)
        message = f"there is no shift {unknown!r}, and it is not - for a day off{near}"
        raise ParameterError(("patterns", number), message)
    return " ".join(text.split())


def _keeps_run(pattern: str, run: int | None) -> bool:
    worked = "".join("-" if shift == OFF else "x" for shift in pattern.split())
    return run is None or "x" * (run + 1) not in worked


def list_run_items(who: str, first: int, pattern: str, *, run: int, days: int) -> Iterator[str]:
    """Yield the items by which runs at the end of a block and the start of the next one are too long together."""
    worked = [shift != OFF for shift in pattern.split()]
    starts, ends = (_count_first(some) for some in (worked, worked[::-1]))
    after = first + len(worked) - 1
    if after < days:
        yield from (f"{who}, run around day {after}: {k}" for k in range(1, ends + 1))
    if first > 1:
        yield from (f"{who}, run around day {first - 1}: {k}" for k in range(run + 1 - starts, run + 1))


def _count_first(days: Sequence[bool]) -> int:
    """Return how many elements at the start are true."""
    return days.index(False) if False in days else len(days)


class Duty(NamedTuple):
    """A person works a shift on a day; as text ``Ann: day 3 early``."""

    who: str
    day: int
    shift: str

    def __str__(self) -> str:
        return f"{self.who}: day {self.day} {self.shift}"


class Block(NamedTuple):
    """A person works a pattern of shifts from a day on; as text ``Ann: from day 1 early early - late``."""

    who: str
    day: int
    pattern: str

    def __str__(self) -> str:
        return f"{self.who}: from day {self.day} {self.pattern}"

    def duties(self) -> Iterator[Duty]:
        """Yield the duties of the days on which the person works."""
        for day, shift in enumerate(self.pattern.split(), self.day):
            if shift != OFF:
                yield Duty(self.who, day, shift)


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
    total, how many shifts a person works in a week and in all, as 5 for at most five or 3-5 for a range; shifts, which
    the person can work; away, days on which the person cannot work; free, days that the person wishes to have off; and
    avoid, shifts that the person does not wish to work. Blanks separate several values in a cell."""

    shifts: str | tuple[str, ...] = ("shift,hours,needs,weekend,nurse", "early,6-14,1-2,1,1", "late,14-22,1,1,0")
    """A CSV file, or its lines. The columns shift and needs are needed: how many people each day, as 2 or 2-4. Further
    columns: hours, as 6-14 or 22:30-6; weekend, the needs on days 6 and 7 of a week; and one for each skill, with how
    many people need it at least; on a weekend or special day with fewer people, all of them need it."""

    days: Annotated[int, Ge(1), Le(366)] = 7
    """The number of days; day 1 is the first day of a week."""

    special: str | tuple[str, ...] = ()
    """A CSV file, or its lines, with the columns day, shift, needs: days with other needs."""

    rest: Annotated[int, Ge(0), Le(72)] = 11
    """The least number of hours between two shifts of a person, if the shifts have hours."""

    run: Annotated[int, Ge(1)] | None = None
    """On how many days in a row a person may work; without it, on any number."""

    wish: Annotated[int | Decimal, Ge(0)] = 10
    """The cost of a lost wish."""

    fair: Mapping[str, Annotated[int | Decimal, Ge(0)]] = field(default_factory=dict)
    """For a shift, or for weekend: the cost of each one that a person works beyond an equal share."""

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
        for name in self.fair:
            if name not in (*self._shifts, "weekend"):
                near = nearest(name, [*self._shifts, "weekend"])
                raise ParameterError(("fair", name), f"there is no shift {name!r}{near}")
        if self.patterns:
            self._check_beside_patterns()

    def _check_beside_patterns(self) -> None:
        if self.fair:
            raise ParameterError("fair", "shifts of a pattern are not counted one by one; leave out fair or patterns")
        for row, person in enumerate(self._people.values(), 1):
            if person.total is not None or (person.week is not None and self._length != WEEK):
                column = "week" if person.total is None else "total"
                message = f"{person.who}: the column {column} cannot be kept with patterns of {self._length} days"
                raise ParameterError(("people", row), message)

    # -- what the tables say ---------------------------------------------------------------------

    @cached_property
    def _shifts(self) -> dict[str, Shift]:
        return read_shifts(self.shifts)

    @cached_property
    def _people(self) -> dict[str, Person]:
        return read_people(self.people, self._shifts, self.days)

    @cached_property
    def _needs(self) -> dict[tuple[int, str], Range]:
        """The number of people that each shift of each day needs, at least and at most."""
        needs = {
            (day, name): shift.weekend if self._is_weekend(day) else shift.needs
            for day in self._all_days
            for name, shift in self._shifts.items()
        }
        return needs | (read_special_days(self.special, self._shifts, self.days) if self.special else {})

    @property
    def _all_days(self) -> range:
        return range(1, self.days + 1)

    def _is_weekend(self, day: int) -> bool:
        return (day - 1) % WEEK + 1 in _WEEKEND

    # -- patterns --------------------------------------------------------------------------------

    @cached_property
    def _patterns(self) -> list[str]:
        """The patterns, without those in which nobody works."""
        return read_patterns(self.patterns, self._shifts, run=self.run, days=self.days)

    @property
    def _length(self) -> int:
        """The number of days of a pattern."""
        return WEEK if self.patterns[0] == "all" else len(self.patterns[0].split())

    def _list_blocks(self) -> Iterator[tuple[Block, list[str]]]:
        for person in self._people.values():
            for first in range(1, self.days + 1, self._length):
                for pattern in self._patterns:
                    block = Block(person.who, first, pattern)
                    duties = list(block.duties())
                    if not all(person.can_work(duty.day, duty.shift) for duty in duties):
                        continue
                    if person.week is not None and not person.week[0] <= len(duties) <= person.week[1]:
                        continue
                    items = [item for duty in duties for item in self._list_items(duty)]
                    if len(set(items)) == len(items) and self._may_cover(items):  # else there is too little rest
                        if self.run is not None:
                            items += list_run_items(*block, run=self.run, days=self.days)
                        yield block, [f"{person.who}, days {first} to {first + self._length - 1}", *items]

    # -- items and options -----------------------------------------------------------------------

    def options(self) -> Iterator[tuple[Duty | Block, list[str]]]:
        yield from self._options

    @cached_property
    def _options(self) -> tuple[tuple[Duty | Block, list[str]], ...]:
        return tuple(self._list_blocks() if self.patterns else self._list_duties())

    def _list_duties(self) -> Iterator[tuple[Duty, list[str]]]:
        for person in self._people.values():
            for day, name in self._needs:
                if person.can_work(day, name):
                    duty = Duty(person.who, day, name)
                    items = [*self._list_items(duty), *self._list_counts(duty)]
                    if self._may_cover(items):
                        yield duty, items

    def _may_cover(self, items: Iterable[str]) -> bool:
        """Return whether none of these items must stay open."""
        return all(item not in self._bounds or self._bounds[item][1] > 0 for item in items)

    def _list_items(self, duty: Duty) -> Iterator[str]:
        """Yield the items of a duty besides those that count how often a person works."""
        who, day, name = duty
        yield f"day {day} {name}"
        skills = self._people[who].skills
        wanted = (f"day {day} {name} {skill}" for skill in self._shifts[name].skills if skill in skills)
        yield from (item for item in wanted if item in self._bounds)
        yield f"{who}, day {day}"
        span = self._shifts[name].span
        if span is None:
            return
        yield f"{who}, rest before day {day}: {span[0]:g}"
        for later in range(day + 1, min(self.days, day + 1 + int(span[1] + self.rest) // 24) + 1):
            soon = span[1] + self.rest - 24 * (later - day)
            yield from (f"{who}, rest before day {later}: {start:g}" for start in self._starts if start < soon)

    @cached_property
    def _starts(self) -> list[float]:
        return sorted({shift.span[0] for shift in self._shifts.values() if shift.span is not None})

    def _list_counts(self, duty: Duty) -> Iterator[str]:
        """Yield the items that count how often a person works."""
        who, day, name = duty
        person = self._people[who]
        if person.week is not None:
            yield f"{who}, week {(day - 1) // WEEK + 1}"
        if person.total is not None:
            yield f"{who}, in all"
        if self.run is not None:
            starts = range(max(1, day - self.run), min(day, self.days - self.run) + 1)
            yield from (f"{who}, days {start} to {start + self.run}" for start in starts)
        for counted in self.fair:
            if counted == name or (counted == "weekend" and self._is_weekend(day)):
                yield f"{who}, {counted}"

    @cached_property
    def _bounds(self) -> dict[str, Range]:
        """The bounds of the primary items."""
        bounds: dict[str, Range] = {}
        for (day, name), needed in self._needs.items():
            bounds[f"day {day} {name}"] = needed
            for skill, least in self._shifts[name].skills.items():
                if least and needed[1]:
                    # fewer people at weekends and on special days: all of them
                    bounds[f"day {day} {name} {skill}"] = (min(least, needed[1]), len(self._people))
        if self.patterns:
            return bounds
        for person in self._people.values():
            if person.week is not None:
                for week in range(1, (self.days - 1) // WEEK + 2):
                    bounds[f"{person.who}, week {week}"] = person.week
            if person.total is not None:
                bounds[f"{person.who}, in all"] = person.total
            if self.run is not None:
                for start in range(1, self.days - self.run + 1):
                    bounds[f"{person.who}, days {start} to {start + self.run}"] = (0, self.run)
            bounds |= {f"{person.who}, {counted}": (0, self._find_share(counted)) for counted in self.fair}
        return bounds

    def _find_share(self, counted: str) -> int:
        """Return an equal share, rounded up, of the shifts that are counted."""
        shifts = {
            (day, name): low
            for (day, name), (low, _) in self._needs.items()
            if counted == name or (counted == "weekend" and self._is_weekend(day))
        }
        able = sum(any(person.can_work(day, name) for day, name in shifts) for person in self._people.values())
        return max(1, -(-sum(shifts.values()) // max(1, able)))

    def primary(self) -> Iterator[str]:
        return (item for item, (_, most) in self._bounds.items() if most)

    def secondary(self) -> Iterator[str]:
        seen = dict.fromkeys(item for _, items in self._options for item in items)
        return (item for item in seen if item not in self._bounds)

    def multiplicity(self) -> dict[str, Range]:
        return {item: bounds for item, bounds in self._bounds.items() if bounds[1]}

    def costs(self) -> dict[Duty | Block, int | Decimal]:
        costs: dict[Duty | Block, int | Decimal] = {}
        for label, _ in self._options:
            lost = sum(map(self._loses_wish, [label] if isinstance(label, Duty) else label.duties()))
            if lost and self.wish:
                costs[label] = lost * self.wish
        return costs

    def soft(self) -> dict[str, tuple[None, int | Decimal]]:
        return {f"{who}, {counted}": (None, price) for who in self._people for counted, price in self.fair.items()}

    def _loses_wish(self, duty: Duty) -> bool:
        person = self._people[duty.who]
        return duty.day in person.free or duty.shift in person.avoid

    def additions(self) -> Iterator[tuple[list[str], str]]:
        """Yield duties that a person cannot have, except that one rule is broken: days, shifts, skills, or how many."""
        if self.patterns:
            return
        for who in self._people:
            for day, name in self._needs:
                breaches = self._list_breaches(Duty(who, day, name))
                yield from ((items, change) for items, change in breaches if self._may_cover(items))

    def _list_breaches(self, duty: Duty) -> Iterator[tuple[list[str], str]]:
        who, day, name = duty
        person, place = self._people[who], f"{name} on day {day}"
        items, counts = list(self._list_items(duty)), list(self._list_counts(duty))
        if day in person.away and not person.works(name):
            return  # two rules would be broken
        if day in person.away:
            yield [*items, *counts], f"let {who} work {place}, although away"
            return
        if not person.works(name):
            yield [*items, *counts], f"let {who} work {place}, a shift that {who} does not work"
            return
        limits = {f"{who}, week {(day - 1) // WEEK + 1}", f"{who}, in all"}
        if not limits.isdisjoint(counts):
            more = [item for item in counts if item not in limits]
            yield [*items, *more], f"let {who} work one shift more, {place}"
        for skill in self._shifts[name].skills:
            item = f"day {day} {name} {skill}"
            if item in self._bounds and item not in items:
                yield [*items, item, *counts], f"let {who} work {place}, without the skill {skill}"

    # -- solutions -------------------------------------------------------------------------------

    def decode(self, solution: Iterable[Duty | Block]) -> dict[str, dict[int, str]]:
        """Return the shift of each person on each day on which the person works."""
        found: dict[str, dict[int, str]] = {who: {} for who in self._people}
        for label in solution:
            for duty in [label] if isinstance(label, Duty) else label.duties():
                found[duty.who][duty.day] = duty.shift
        return found

    def tabulate(self, solution: Iterable[Duty | Block]) -> Iterator[list[str]]:
        """Yield a row with the shift of each day for each person, and then how many people work each shift."""
        found = self.decode(solution)
        yield ["who", *map(str, self._all_days), "shifts"]
        for who, worked in found.items():
            yield [who, *(worked.get(day, "") for day in self._all_days), str(len(worked))]
        for name in self._shifts:
            counts = [sum(worked.get(day) == name for worked in found.values()) for day in self._all_days]
            yield [f"people {name}", *map(str, counts), str(sum(counts))]

    def draw(self, solution: Iterable[Duty | Block]) -> Picture:
        """Return the plan: a row for each person, a column for each day; lost wishes are strong."""
        found = self.decode(solution)
        marks, tints = _shorten(list(self._shifts)), {name: tint for tint, name in enumerate(self._shifts)}
        shapes: list[pictures.Shape] = [pictures.Cell(0, 0, "head", pictures.SHADED)]
        for day in self._all_days:
            shapes += [pictures.Cell(0, day, "head", pictures.SHADED), pictures.Text(0, day, str(day), strong=True)]
        lost = 0
        for row, (who, worked) in enumerate(found.items(), 1):
            shapes += [pictures.Cell(row, 0, "head", pictures.SHADED), pictures.Text(row, 0, who, strong=True)]
            for day in self._all_days:
                name = worked.get(day)
                is_away = day in self._people[who].away
                tint = pictures.BLOCKED if is_away else pictures.PAPER if name is None else tints[name]
                shapes.append(pictures.Cell(row, day, "", tint))
                if name is not None:
                    is_lost = self._loses_wish(Duty(who, day, name))
                    lost += is_lost
                    shapes.append(pictures.Text(row, day, marks[name], strong=is_lost))
        legend = ", ".join(f"{marks[name]} {name}" for name in self._shifts)
        title = f"{pictures.format_count(self.days, 'day')} of {len(found)} people"
        caption = f"{legend}; lost wishes: {lost}"
        return Picture(title, tuple(shapes), grid=True, caption=caption)


def _shorten(names: Sequence[str]) -> dict[str, str]:
    """Return the shortest starts of names that differ, with a capital; none of them is a bare bar.

    Examples
    --------
    >>> _shorten(["early", "late", "long", "ill"])
    {'early': 'E', 'late': 'La', 'long': 'Lo', 'ill': 'Il'}
    """
    capitals = {name: name[:1].upper() + name[1:] for name in names}
    short: dict[str, str] = {}
    for name, capital in capitals.items():
        starts = [capital[:size] for size in range(1, len(name) + 1) if capital[:size] != "I"]
        others = [other for another, other in capitals.items() if another != name]
        short[name] = next((one for one in starts if not any(other.startswith(one) for other in others)), name)
    return short
