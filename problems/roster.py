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
from exactcover.formats.csv_problem import TableRows, is_covered
from problems.staffing import draw_rows


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

    def describe_rules(self) -> str:
        needs = ((task, self.needs.get(task, 1)) for task in self._tasks)
        words = [f"{task} {' to '.join(map(str, one)) if isinstance(one, tuple) else one}" for task, one in needs]
        return f"Choose at most one row for each person, so that each task gets its people: {', '.join(words)}."

    def __post_init__(self) -> None:
        self._rows  # noqa: B018 - reports mistakes now
        for task, needed in self.needs.items():
            low, high = needed if isinstance(needed, tuple) else (needed, needed)
            if not 0 <= low <= high:
                message = f"expected [low, high] with 0 <= low <= high, got [{low}, {high}]"
                raise ParameterError(("needs", task), message)
        for parameter, names, known in (("needs", self.needs, self._tasks), ("must", self.must, self._people)):
            unknown = next((name for name in names if name not in known), None)
            if unknown is not None:
                kind = "task" if parameter == "needs" else "person"
                raise ParameterError(parameter, f"the table has no {kind} {unknown!r}{nearest(unknown, known)}")
        for position, name in enumerate(self.must):
            if name in self.must[:position]:
                raise ParameterError(("must", position), f"{name!r} is listed twice")

    @cached_property
    def _read(self) -> tuple[dict[str, None], dict[Assignment, tuple[Decimal, list[str]]]]:
        """The tasks, and the cost and the tasks of each assignment."""
        table = TableRows(self.table, "table", ("who", "shift", "cost"))
        if len(table.names) < 4:
            raise table.mistake("expected a first line with who, shift, cost, and at least one task")
        tasks = dict.fromkeys(name for name in table.names if name not in ("who", "shift", "cost"))
        rows: dict[Assignment, tuple[Decimal, list[str]]] = {}
        for row in table:
            assignment = Assignment(row["who"], row["shift"])
            if assignment in rows:
                raise table.mistake(f"the assignment {assignment} is listed twice")
            marks = {task: is_covered(row[task]) for task in tasks}
            for task, mark in marks.items():
                if mark is None:
                    message = f"{row[task][:50]!r}: expected 1, x, yes or true, or an empty cell"
                    raise table.fault(task, message)
            rows[assignment] = table.read_cost(row, "cost"), [task for task, mark in marks.items() if mark]
        return tasks, rows

    @property
    def _tasks(self) -> dict[str, None]:
        return self._read[0]

    @property
    def _rows(self) -> dict[Assignment, tuple[Decimal, list[str]]]:
        return self._read[1]

    @cached_property
    def _people(self) -> dict[str, None]:
        return dict.fromkeys(one.who for one in self._rows)

    def primary(self) -> Iterator[str]:
        yield from (f"task {task}" for task in self._tasks)
        yield from (f"person {name}" for name in self.must)

    def secondary(self) -> Iterator[str]:
        return (f"person {name}" for name in self._people if name not in self.must)

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
        chosen = {one.who: (one.shift, f"{self._rows[one][0]:f}", self._rows[one][1]) for one in solution}
        yield ["who", "shift", "cost", *self._tasks]
        for who in self._people:
            shift, cost, tasks = chosen.get(who, ("", "", ()))
            yield [who, shift, cost, *("x" * (task in tasks) for task in self._tasks)]

    def read_table(self, lines: Iterable[str], source: str) -> Iterator[Assignment]:
        """Yield the assignments of a table that may have been changed."""
        rows = (row for row in TableRows(tuple(lines), "", ("who", "shift"), source=source) if row["shift"])
        return (Assignment(row["who"], row["shift"]) for row in rows if row["who"] != "who")

    def draw(self, solution: Iterable[Assignment]) -> Picture:
        """Return the plan: one row per person, one column per task, with the shift that includes it."""
        chosen = {assignment.who: assignment for assignment in solution}
        tints = {shift: tint for tint, shift in enumerate(dict.fromkeys(one.shift for one in self._rows))}
        rows: dict[str, list[tuple[str, int, bool]]] = {}
        for who, shift, cost, *marks in list(self.tabulate(chosen.values()))[1:]:
            cells = [(shift, tints[shift], False) if mark else ("", pictures.PAPER, False) for mark in marks]
            rows[who] = [*cells, (cost, pictures.PAPER, False)]
        total = add_costs(self._rows[one][0] for one in chosen.values())
        people = f"{len(chosen)} {'person' if len(chosen) == 1 else 'people'}"
        title = f"{people} for {pictures.format_count(len(self._tasks), 'task')}"
        return draw_rows(title, f"{title}, total cost {total:f}", [["", *self._tasks, "cost"]], rows)
