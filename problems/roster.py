"""Rosters: who works which shift, so that every task has as many people as it needs, at the least cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Annotated, NamedTuple

from annotated_types import Ge

from exactcover import Encoder, ParameterError, Picture, add_costs, pictures
from exactcover.errors import nearest
from exactcover.formats import csv_problem
from problems.staffing_tables import TableRows

__all__ = ["Assignment", "Roster"]


class Assignment(NamedTuple):
    """A person and a shift; as text ``Ann: early``."""

    who: str
    shift: str

    def __str__(self) -> str:
        return f"{self.who}: {self.shift}"


@dataclass(frozen=True)
class Roster(Encoder):
    """Choose shifts from a table so that every task is done by as many people as it needs.

    Examples
    --------
    >>> table = ("who,shift,cost,Mo,Tu", "Ann,all,5,x,x", "Ann,Mo,3,x,", "Bob,Tu,1,,x", "Cid,Mo,3,x,")
    >>> [str(one) for one in next(Roster(table=table).problem().cheapest())]
    ['Ann: Mo', 'Bob: Tu']
    """

    table: str | tuple[str, ...] = ("who,shift,cost,day,night", "Ann,early,2,x,", "Ann,late,3,,x", "Bob,double,4,x,x")
    """A CSV file, relative to the YAML file, or its lines. The columns are who, shift, cost, and one for each task,
    with x, 1, yes or true if the shift includes the task, and nothing, 0, -, no or false if not. Each person works at
    most one shift. Semicolons or tabs may separate cells; with semicolons, costs may have a decimal comma."""

    needs: Mapping[str, int | tuple[Annotated[int, Ge(0)], Annotated[int, Ge(0)]]] = field(default_factory=dict)
    """How many people a task needs, if not exactly one: a number, or [low, high]; 0 if nobody may do it."""

    must: tuple[str, ...] = ()
    """The people who must work a shift."""

    def __post_init__(self) -> None:
        self._rows  # noqa: B018 - reports mistakes now
        for task, needed in self.needs.items():
            low, high = needed if isinstance(needed, tuple) else (needed, needed)
            if not 0 <= low <= high:
                message = f"expected [low, high] with 0 <= low <= high, got [{low}, {high}]"
                raise ParameterError(("needs", task), message)
        for parameter, names, known in (("needs", self.needs, self._tasks), ("must", self.must, self._people)):
            stated = set(known)
            unknown = next((name for name in names if name not in stated), None)
            if unknown is not None:
                kind = "task" if parameter == "needs" else "person"
                raise ParameterError(parameter, f"the table has no {kind} {unknown!r}{nearest(unknown, known)}")

    @cached_property
    def _table(self) -> TableRows:
        rows = TableRows(self.table, "table")
        if [name.lower() for name in rows.names[:3]] != ["who", "shift", "cost"] or len(rows.names) < 4:
            raise rows.mistake("expected a first line with who, shift, cost, and at least one task")
        known = set[str]()
        for column, name in enumerate(rows.names[3:], 4):
            if name in known:
                raise rows.mistake(f"two tasks have the name {name!r}; task names must differ", column)
            known.add(name)
        return rows

    @property
    def _tasks(self) -> list[str]:
        return self._table.names[3:]

    @property
    def _people(self) -> list[str]:
        return list(dict.fromkeys(one.who for one in self._rows))

    @cached_property
    def _rows(self) -> dict[Assignment, tuple[Decimal, list[str]]]:
        """The cost and the tasks of each assignment."""
        rows: dict[Assignment, tuple[Decimal, list[str]]] = {}
        for who, shift, cost, *marks in self._table.cells():
            assignment = Assignment(who, shift)
            if assignment in rows:
                raise self._table.mistake(f"the assignment {assignment} is listed twice")
            rows[assignment] = self._table.parse_cost(cost, 3), self._read_tasks(marks)
        return rows

    def _read_tasks(self, marks: list[str]) -> list[str]:
        """Return the tasks that a row marks."""
        tasks: list[str] = []
        for column, (task, mark) in enumerate(zip(self._tasks, marks, strict=True), 4):
            covered = csv_problem.is_covered(mark)
            if covered is None:
                raise self._table.mistake(f"{mark[:50]!r}: expected 1, x, yes or true, or an empty cell", column)
            if covered:
                tasks.append(task)
        return tasks

    def primary(self) -> Iterator[str]:
        yield from (f"task {task}" for task in self._tasks)
        yield from (f"person {name}" for name in self.must)

    def secondary(self) -> Iterator[str]:
        must = set(self.must)
        return (f"person {name}" for name in self._people if name not in must)

    def multiplicity(self) -> dict[str, int | tuple[int, int]]:
        return {f"task {task}": needed for task, needed in self.needs.items()}

    def options(self) -> Iterator[tuple[Assignment, list[str]]]:
        for assignment, (_, tasks) in self._rows.items():
            yield assignment, [*(f"task {task}" for task in tasks), f"person {assignment.who}"]

    def costs(self) -> dict[Assignment, Decimal]:
        return {assignment: cost for assignment, (cost, _) in self._rows.items() if cost}

    def additions(self) -> Iterator[tuple[list[str], str]]:
        """Yield further shifts: each person with one task alone."""
        for who in self._people:
            for task in self._tasks:
                yield [f"task {task}", f"person {who}"], f"add a shift of {who} with {task}"

    def decode(self, solution: Iterable[Assignment]) -> dict[str, str]:
        """Return the shift of each person."""
        return {assignment.who: assignment.shift for assignment in solution}

    def tabulate(self, solution: Iterable[Assignment]) -> Iterator[list[str]]:
        """Yield one row for each person: the shift, its cost, and an x for each task."""
        chosen = {assignment.who: assignment for assignment in solution}
        yield ["who", "shift", "cost", *self._tasks]
        for who in self._people:
            cost, tasks = self._rows[chosen[who]] if who in chosen else (None, [])
            shift = chosen[who].shift if who in chosen else ""
            yield [who, shift, "" if cost is None else f"{cost:f}", *("x" * (task in tasks) for task in self._tasks)]

    def draw(self, solution: Iterable[Assignment]) -> Picture:
        """Return the plan: one row per person, one column per day, with the work of each person on that day."""
        chosen = {assignment.who: assignment for assignment in solution}
        days = list(dict.fromkeys(day for day, _ in self._days.values()))
        split = len(days) < len(self._tasks)
        heads = ["", *days, *(["shift"] if split else []), "cost"]
        shapes: list[pictures.Shape] = []
        for column, head in enumerate(heads):
            shapes += [pictures.Cell(0, column, "head", pictures.SHADED), pictures.Text(0, column, head, strong=True)]
        tints: dict[str, int] = {entry: tint for tint, (_, entry) in enumerate(self._days.values())}
        for row, who in enumerate(self._people, 1):
            shapes += [pictures.Cell(row, 0, "head", pictures.SHADED), pictures.Text(row, 0, who, strong=True)]
            cost, tasks = self._rows[chosen[who]] if who in chosen else (None, [])
            entries: dict[str, list[str]] = {}
            for task in tasks:
                day, entry = self._days[task]
                entries.setdefault(day, []).append(entry if split else chosen[who].shift)
            for column, day in enumerate(days, 1):
                text = " ".join(entries.get(day, ()))
                tint = tints.setdefault(text, len(tints)) if text else pictures.PAPER
                shapes += _cell(row, column, text, tint)
            if split:
                shapes += _cell(row, len(heads) - 2, chosen[who].shift if who in chosen else "")
            shapes += _cell(row, len(heads) - 1, "" if cost is None else f"{cost:f}")
        total = add_costs(self._rows[one][0] for one in chosen.values())
        title = f"{_quantity(len(chosen), 'person', 'people')} for {_quantity(len(self._tasks), 'task', 'tasks')}"
        return Picture(title, tuple(shapes), grid=True, caption=f"{title}, total cost {total:f}")

    @cached_property
    def _days(self) -> dict[str, tuple[str, str]]:
        """The day and the entry for each task: Mo and early for "Mo early", if several tasks share their first word."""
        parts = {task: task.split(maxsplit=1) for task in self._tasks}
        first_words = {part[0] for part in parts.values() if part}
        if len(first_words) == len(parts) or not all(len(part) == 2 for part in parts.values()):
            return {task: (task, "") for task in self._tasks}
        return {task: (day, entry) for task, (day, entry) in parts.items()}


def _quantity(number: int, singular: str, plural: str) -> str:
    return f"{number} {singular if number == 1 else plural}"


def _cell(row: int, column: int, text: str, tint: int = pictures.PAPER) -> list[pictures.Shape]:
    """Return the shapes of a table cell, with its text if there is any."""
    cell: list[pictures.Shape] = [pictures.Cell(row, column, "", tint)]
    return [*cell, pictures.Text(row, column, text)] if text else cell
