"""Every format gives the same problem back, whatever the names are, or its writer refuses the problem."""

import io
import random
from collections.abc import Callable, Hashable
from decimal import Decimal
from typing import Any, TextIO

import pytest

from damage import write_text
from exactcover import Colored, ConfigError, Problem, ProblemError
from exactcover.formats import csv_problem, diagrams, dlx, json_problem, solutions
from exactcover.formats.solution_tables import JsonLinesWriter, WriterSettings
from soft_problems import random_problem

NAMES: tuple[Hashable, ...] = (
    *("red", "red ", " red", "re d", "re_d", "re\td", "re\nd", "re\r\nd", "re\u2028d", "re\x85d", "re\x1fd", "red_2"),
    *(2, "2", 2.5, "2.5", -1, "-1", 0, "0", 1, "1", "01", "1e5", "x", "X", "-", "+", "=1+1", "@", "'", '"', '""', '"a'),
    *(b"a", "b'a'", "", " ", None, "None", "null", "~", True, "True", "yes", "no", (), "()", (1, 2), frozenset([1])),
    *("cost", "Cost", "option", "?x", "#x", "#1", "|", "|5", "2|a", "a:b", "a;b;c", "a,b", "a\\", "\\n", "//", "%"),
    *("ä", "a\u0308", "日本", "\u200b", "\u00a0", "\ufeff", "\ufeffred", "\0", "\x7f", "\ud800", "😀", "r1c1", "[2]", "red [2]"),
)  # fmt: skip
"""Names that some format could change, or confuse with others."""


def make_odd_problem(chance: random.Random) -> Problem:
    """Return a small random problem of any kind with odd names."""
    few = chance.sample(NAMES, chance.choice([6, 12, len(NAMES)]))
    items = list(dict.fromkeys(chance.choices(few, k=chance.randint(1, 7))))
    primary, secondary = items[: (middle := chance.randint(1, len(items)))], items[middle:]
    colors = chance.choices(few, k=4)
    options: dict[Hashable, list[Any]] = {}
    for label in dict.fromkeys(chance.choices(few, k=chance.randint(0, 8))):
        chosen: list[Any] = chance.sample(primary, chance.randint(1, min(3, len(primary))))
        for item in chance.sample(secondary, chance.randint(0, len(secondary))):
            color = chance.choice(colors)
            chosen.append(item if color is None or chance.random() < 0.2 else Colored(item, color))
        options[label] = chosen
    bounds: list[Any] = [1, 2, (0, 1), (0, 2), (1, 3)]
    costs: list[Any] = [0, 1, 7, -3, Decimal("2.5"), Decimal("1E+3"), 10**30]
    return Problem(
        options,
        primary=primary,
        secondary=secondary,
        multiplicity={item: chance.choice(bounds) for item in primary if chance.random() < 0.2},
        costs={label: chance.choice(costs) for label in options if chance.random() < 0.3},
        preferred=[item for item in primary if chance.random() < 0.1],
    )


def _through(
    write: Callable[[Problem, TextIO], None], read: Callable[[TextIO], Problem]
) -> Callable[[Problem], Problem]:
    def make_round_trip(problem: Problem) -> Problem:
        content = io.BytesIO()
        with io.TextIOWrapper(content, "utf-8", newline="\n", write_through=True) as out:
            write(problem, out)
            content = io.BytesIO(content.getvalue())
        with io.TextIOWrapper(content, "utf-8-sig") as lines:
            return read(lines)

    return make_round_trip


def _through_diagram(problem: Problem) -> Problem:
    content = io.BytesIO()
    diagrams.write(problem.diagram(), content, version="1.0")
    diagram = diagrams.read(content).diagram()
    assert diagram.count == problem.count()
    return diagram.problem


def _through_solutions(problem: Problem) -> Problem:
    """Write the solutions and read them; return the problem if they are still its solutions."""
    search, out = problem.solve(), io.StringIO()
    found = list(search.positions())
    writer = JsonLinesWriter(out, problem, None, search, WriterSettings("odd", {}, render=str))
    for positions in found:
        writer.write_solution(positions)
    writer.close()
    recorded = solutions.read(out.getvalue())
    assert not recorded.faults, recorded.faults
    assert [tuple(entry["options"]) for _, entry in recorded.solutions] == [tuple(positions) for positions in found]
    labels = [[str(problem.labels[position]) for position in positions] for positions in found]
    assert [entry["labels"] for _, entry in recorded.solutions] == labels
    return problem


ROUND_TRIPS: dict[str, Callable[[Problem], Problem]] = {
    "json": _through(json_problem.write, lambda lines: json_problem.read(lines.read())),
    "csv": _through(csv_problem.write, csv_problem.read),
    "dlx": _through(dlx.write, dlx.read),
    "zdd": _through_diagram,
    "jsonl": _through_solutions,
}
"""For each format, a function that writes a problem and reads it again."""


def _sort_options(problem: Problem) -> Problem:
    """Return the problem with the items of each option in the order of the problem, which is that of columns."""
    place = {item: number for number, item in enumerate(problem.items)}
    return problem.derive(
        (label, sorted(entries, key=lambda entry: place[entry.item if isinstance(entry, Colored) else entry]))
        for label, entries in problem.options.items()
    )


def find_difference(problem: Problem, name: str) -> str | None:
    """Return how a problem differs after it was written in a format and read again; None if it does not."""
    try:
        again = ROUND_TRIPS[name](problem)
    except ConfigError as error:
        return f"what was written cannot be read: {error}"
    if again.count() != problem.count():
        return f"{problem.count()} solutions became {again.count()}"
    expected = _sort_options(problem) if name == "csv" else problem
    if name != "dlx" and again.fingerprint() != expected.fingerprint():  # a .dlx file may give other names
        return "the fingerprint has changed"
    least, least_again = [one.cost(next(one.cheapest(), ())) for one in (problem, again)]
    return None if least == least_again else f"the least cost {least} became {least_again}"


@pytest.mark.parametrize("name", ROUND_TRIPS)
def test_odd_names_come_back_or_are_refused(name: str) -> None:
    chance = random.Random(f"odd {name}")
    kept = 0
    for _ in range(150):
        problem = make_odd_problem(chance)
        try:
            difference = find_difference(problem, name)
        except (ProblemError, UnicodeEncodeError):  # the writer refuses it
            continue
        assert difference is None, f"{problem.options!r}: {difference}"
        kept += 1
    assert kept >= 15  # the writer does not refuse too much


@pytest.mark.parametrize("form", [csv_problem, json_problem])
def test_soft_items_that_are_written_are_read(form: Any) -> None:
    softened = 0
    for number in range(400, 480):
        problem = random_problem(number)
        read: Problem = form.read(io.StringIO(write_text(form.write, problem)))
        assert read.soft == problem.soft and read.multiplicity == problem.multiplicity
        totals = [[each.cost(one) + each.price(one) for one in each.cheapest(3)] for each in (problem, read)]
        assert totals[0] == totals[1]
        softened += bool(problem.soft)
    assert softened > 40
