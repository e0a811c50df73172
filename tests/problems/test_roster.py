"""Rosters: the cheapest against brute force, and the drawn plan."""

import itertools
from decimal import Decimal, localcontext
from pathlib import Path

import pytest

from commands import invoke
from exactcover import ParameterError
from exactcover.pictures import render
from problems import CONFIGS, Roster


def test_the_cheapest_roster_by_brute_force() -> None:
    lines = (CONFIGS / "shifts.csv").read_text().splitlines()
    encoder = Roster(tuple(lines), needs={"Mo early": 2, "Tu early": (1, 2)}, must=("Ann",))
    rows = [line.split(",") for line in lines[1:]]
    people = sorted({row[0] for row in rows})
    costs = []
    for chosen in itertools.product(*([None, *(row for row in rows if row[0] == name)] for name in people)):
        taken = [row for row in chosen if row]
        done = [sum(bool(row[k]) for row in taken) for k in range(3, 9)]
        is_done = done[0] == 2 and 1 <= done[2] <= 2 and all(done[k] == 1 for k in (1, 3, 4, 5))
        if is_done and any(row[0] == "Ann" for row in taken):
            costs.append(sum(int(row[2]) for row in taken))
    problem = encoder.problem()
    assert sorted(costs) == sorted(int(problem.cost(one)) for one in problem.solve())
    assert problem.cost(next(problem.cheapest())) == min(costs)


def test_a_roster_is_drawn_as_a_plan() -> None:
    table = ("who,shift,cost,Mo early,Mo late,Tu early", "Ann,all,5,x,,x", "Bob,double,2.50,x,x,", "Cid,off,1,,,x")
    plan = Roster(table)
    chosen = [label for label in plan.problem().labels if label.who != "Cid"]
    assert render(plan.draw(chosen)).split("\n") == [
        "┌───────────────────────────────────────────────────┐",
        "│            Mo early  Mo late   Tu early    cost   │",
        "│          ┌────────────────────────────────────────┤",
        "│   Ann    │   all                 all        5     │",
        "│   Bob    │  double    double               2.50   │",
        "│   Cid    │                                        │",
        "└──────────┴────────────────────────────────────────┘",
        "2 people for 3 tasks, total cost 7.50",
    ]


@pytest.mark.parametrize("between", [",", ";", "\t"])
def test_tables_as_spreadsheets_in_other_countries_write_them(between: str, tmp_path: Path) -> None:
    lines = ["who,shift,cost,day,night", "Ann,early,2.5,x,", "Bob,late,3.25,,x"]
    file = tmp_path / "crew.csv"
    text = "\r\n".join(lines).replace(",", between)
    file.write_bytes(b"\xef\xbb\xbf" + (text.replace(".", ",") if between == ";" else text).encode())
    problem = Roster(str(file)).problem()
    assert problem.cost(next(problem.cheapest())) == Decimal("5.75")


@pytest.mark.parametrize(("text", "message"), [
    ("who;shift;cost;day\n\nAnn;early;2,x;1\n", "3:3: the cost '2,x' is not a number of at least 0"),
    ("who,shift,cost,day\nAnn,early,,1\n", "2:3: the cost '' is not a number of at least 0"),
])  # fmt: skip
def test_mistakes_in_a_file_have_its_name_with_row_and_column(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "crew.csv"
    file.write_text(text)
    with pytest.raises(ParameterError) as caught:
        Roster(str(file))
    assert str(caught.value) == f"Roster: table: {file}:{message}"


@pytest.mark.parametrize("mark", ["nein", "2", "x?", "xx"])
def test_what_is_no_mark_has_its_row_and_column(mark: str, tmp_path: Path) -> None:
    file = tmp_path / "crew.csv"
    lines = ("who,shift,cost,day,night", f"Ann,early,2,x,{mark}")
    file.write_text("\n".join(lines))
    for table, where in ((str(file), f"{file}:2:5"), (lines, "row 2, column 5")):
        with pytest.raises(ParameterError) as caught:
            Roster(table)
        assert caught.value.message == f"{where}: {mark!r}: expected 1, x, yes or true, or an empty cell"


@pytest.mark.parametrize(
    ("mark", "tasks"), [*((yes, 2) for yes in ("1", "x", "X")), *((no, 1) for no in ("", "0", "-"))]
)
def test_marks_are_those_of_a_problem_in_csv(mark: str, tasks: int) -> None:
    ((_, items),) = Roster(("who,shift,cost,day,night", f"Ann,early,2,x, {mark} ")).options()
    assert items == [*["task day", "task night"][:tasks], "person Ann"]


def test_the_total_of_a_plan_is_exact_whatever_the_context() -> None:
    plan = Roster(("who,shift,cost,Mo,Tu", "Ann,early,1234567.75,x,", "Bob,late,0.25,,x"))
    labels = plan.problem().labels
    with localcontext(prec=3):
        assert plan.draw(labels).caption == "2 people for 2 tasks, total cost 1234568.00"


def test_a_table_is_kept_as_far_as_possible(tmp_path: Path) -> None:
    args = ["solve", "roster", 'table=["who,shift,cost,day,night,note", "Ann,a,2,x,,", "Ann,b,3,,x,!", "Bob,c,4,x,x,"]']
    file = tmp_path / "plan.csv"
    assert invoke(*args, "--format", "csv-table", "--cheapest", "1", "-o", str(file)).returncode == 0
    assert file.read_text() == "who,shift,cost,day,night\nAnn,,,,\nBob,c,4,x,x\n"
    assert invoke(*args, "--keep", str(file), "-q").stdout.startswith("no changes")
    file.write_text("Who;Shift\nAnn;a\nBob;c\n")
    assert invoke(*args, "--keep", str(file), "-q").stdout.startswith("Ann: dropped a\n")
