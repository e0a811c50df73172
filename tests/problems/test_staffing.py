"""Staffing problems against every plan that keeps the rules; tables in and out."""

import csv
import io
import itertools
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import assert_refused, invoke
from exactcover import ParameterError, Status, Stop, explain
from exactcover.analysis import find_additions, find_repair, list_additions
from exactcover.errors import FormatWarning
from exactcover.pictures import render
from problems import Staffing
from problems.staffing import Duty

Plan = tuple[tuple[str, ...], ...]
"""The shift of each person on each day; - for none."""

HOURS = {"a": (6, 14), "b": (14, 22), "c": (22, 30)}
UNEQUAL_HOURS = {"a": (6, 13.5), "b": (14, 22.25), "c": (22, 28)}


def draw_staff(chance: random.Random) -> dict[str, Any]:
    """Return the facts of a random problem: at most three people, four days and three shifts."""
    shifts = list(HOURS)[: chance.randint(1, 3)]
    sizes = [(1, 4), (2, 3), (2, 4), (3, 2)] if len(shifts) < 3 else [(1, 4), (2, 2), (2, 3), (3, 2)]
    people, days = chance.choice(sizes)

    def some_days() -> list[int]:
        return [day for day in range(1, days + 1) if chance.random() < 0.2]

    def maybe_range(most: int) -> tuple[int, int] | None:
        low = chance.randint(0, 1)
        return None if chance.random() < 0.5 else (low, chance.randint(max(1, low), most))

    hours = chance.choice([HOURS, UNEQUAL_HOURS, UNEQUAL_HOURS, None])

    def maybe_hours() -> tuple[float, float] | None:
        low = chance.choice([0, 0, 0, 7.5, 8])
        return None if hours is None or chance.random() < 0.6 else (low, low + chance.choice([0.25, 8, 16, 23.5, 31]))

    blocks = [size for size in (2, 3, 4) if days % size == 0]
    size = chance.choice(blocks) if days > 1 and chance.random() < 0.4 else 1
    words = [" ".join(word) for word in itertools.product(("-", *shifts), repeat=size)]
    run = chance.choice([(1, None), (1, None), (1, 1), (1, 2), (2, 3), (2, 2)])
    return {
        "days": days,
        "patterns": chance.sample(words, chance.randint(len(words) // 2, len(words))) if size > 1 else [],
        "rest": chance.choice([0, 8, 11, 24, 40]),
        "run": run if size == 1 or (run[1] or 0) < size else (1, None),
        "days_off": chance.choice([1, 1, 1, 2]),
        "start": chance.choice([None, date(2026, 12, chance.randint(1, 7))]),
        "wish": chance.choice([1, 10]),
        "hours": hours,
        "shifts": {
            name: {"needs": (low := chance.choice([0, 0, 1, 1, 2]), low + chance.choice([0, 1, 1]) or 1),
                   "skilled": chance.choice([0, 0, 1])}
            for name in shifts
        },
        "special": {(chance.randint(1, days), shifts[0]): (0, 1)} if chance.random() < 0.3 else {},
        "people": [
            {"skilled": chance.random() < 0.5, "week": maybe_range(days), "total": maybe_range(days),
             "week hours": maybe_hours(), "total hours": maybe_hours(),
             "shifts": [one for one in shifts if chance.random() < 0.8], "away": some_days(), "free": some_days(),
             "avoid": [one for one in shifts if chance.random() < 0.2],
             "wanted": {day: chance.choice(shifts) for day in some_days()}}
            for _ in range(people)
        ],
    }  # fmt: skip


def name_day(facts: dict[str, Any], day: int) -> int | date:
    """Return a day as labels have it."""
    return facts["start"] + timedelta(day - 1) if facts["start"] else day


def write_staff(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts as parameters of the family."""

    def range_text(pair: tuple[float, float] | None) -> str:
        return "" if pair is None else f"{pair[0]}-{pair[1]}"

    def words(values: list[Any]) -> str:
        return " ".join(map(str, values))

    people = [
        ",".join([f"P{k}", "skill" * one["skilled"], range_text(one["week"]), range_text(one["total"]),
                  range_text(one["week hours"]), range_text(one["total hours"]),
                  words(one["shifts"]), words(one["away"]), words([name_day(facts, day) for day in one["free"]]), words(one["avoid"])])
        for k, one in enumerate(facts["people"])
    ]  # fmt: skip
    shifts = []
    for name, one in facts["shifts"].items():
        minutes = [round(60 * hour) % 1440 for hour in facts["hours"][name]] if facts["hours"] else []
        hours = "-".join(f"{one // 60}:{one % 60:02}" for one in minutes)
        special = [range_text(pair) if on == name else "" for (_, on), pair in facts["special"].items()]
        shifts.append(",".join([name, hours, range_text(one["needs"]), str(one["skilled"]), *special]))
    days = range(1, facts["days"] + 1)
    wanted = [[one["wanted"].get(day, "") for day in days] for one in facts["people"]]
    requests = [",".join([f"P{k}", *own]) for k, own in enumerate(wanted)]
    least, most = facts["run"]
    return {
        "people": ("who,skills,week,total,hours,total hours,shifts,away,free,avoid", *people),
        "shifts": (
            ",".join(["shift,hours,needs,skill", *(str(name_day(facts, k)) for k, _ in facts["special"])]),
            *shifts,
        ),
        "requests": (",".join(["who", *(str(name_day(facts, day)) for day in days)]), *requests),
        "run": most if least == 1 else (least, most),
        "patterns": tuple(facts["patterns"]),
        "start": str(facts["start"] or ""),
        **{name: facts[name] for name in ("days", "rest", "days_off", "wish")},
    }


def list_plans(facts: dict[str, Any]) -> Iterator[tuple[Plan, int]]:
    """Yield each plan that keeps the rules, with what its lost wishes cost."""
    for flat in itertools.product(("-", *facts["shifts"]), repeat=len(facts["people"]) * facts["days"]):
        days, size = facts["days"], len(facts["patterns"][0].split()) if facts["patterns"] else 0
        plan = tuple(flat[start : start + days] for start in range(0, len(flat), days))
        blocks = {" ".join(row[first : first + size]) for row in plan for first in range(0, days, size or days)}
        if facts["patterns"] and not blocks <= {*facts["patterns"], " ".join("-" * size)}:
            continue
        if _has_people(plan, facts) and all(map(_may_work, plan, facts["people"], itertools.repeat(facts))):
            lost = sum(
                person["wanted"].get(day, shift) != shift
                or (shift != "-" and (day in person["free"] or shift in person["avoid"]))
                for row, person in zip(plan, facts["people"], strict=True)
                for day, shift in enumerate(row, 1)
            )
            yield plan, lost * facts["wish"]


def _has_people(plan: Plan, facts: dict[str, Any]) -> bool:
    for day in range(1, facts["days"] + 1):
        for name, shift in facts["shifts"].items():
            there = [person for row, person in zip(plan, facts["people"], strict=True) if row[day - 1] == name]
            low, high = facts["special"].get((day, name), shift["needs"])
            if not low <= len(there) <= high or sum(one["skilled"] for one in there) < min(shift["skilled"], high):
                return False
    return True


def _may_work(row: tuple[str, ...], person: dict[str, Any], facts: dict[str, Any]) -> bool:
    worked = [(day, shift) for day, shift in enumerate(row, 1) if shift != "-"]
    for day, shift in worked:
        if day in person["away"] or (person["shifts"] and shift not in person["shifts"]):
            return False
    if person["total"] is not None and not person["total"][0] <= len(worked) <= person["total"][1]:
        return False
    monday = facts["start"].weekday() if facts["start"] else 0
    weeks = [[day for day, _ in worked if (day + monday - 1) // 7 == week] for week in (0, 1)]
    if person["week"] is not None and any(len(week) > person["week"][1] for week in weeks):
        return False  # at least one or none a week is no rule, because the days around the plan may be worked
    spans = facts["hours"]
    if spans:
        lengths = {name: spans[name][1] - spans[name][0] for name in facts["shifts"]}
        weekly, total = (person[name] or (0, 1000) for name in ("week hours", "total hours"))
        sums = {(day + monday) // 7: 0.0 for day in range(facts["days"])}
        for day, shift in worked:
            sums[(day + monday - 1) // 7] += lengths[shift]
        if not total[0] <= sum(sums.values()) <= total[1]:
            return False
        for week, hours in sums.items():
            others = 7 - sum((day + monday) // 7 == week for day in range(facts["days"]))
            if not weekly[0] - others * max(lengths.values()) <= hours <= weekly[1]:
                return False
        for (day, shift), (later, other) in itertools.combinations(worked, 2):
            if 24 * later + spans[other][0] - 24 * day - spans[shift][1] < facts["rest"]:
                return False
    least, most = facts["run"]
    marks = "".join("-" if shift == "-" else "x" for shift in row)
    runs = [(mark, len(list(some))) for mark, some in itertools.groupby(marks)]
    if any(mark == "x" and length > (most or 4) for mark, length in runs):
        return False
    return all(length >= {"x": least, "-": facts["days_off"]}[mark] for mark, length in runs[1:-1])


WARD = Path(__file__).parents[1] / "files" / "ward"


@given(st.randoms(use_true_random=False))
def test_plans_are_those_that_keep_the_rules(chance: random.Random) -> None:
    facts = draw_staff(chance)
    truth = dict(list_plans(facts))
    try:
        staffing = Staffing(**write_staff(facts))
    except ParameterError as error:
        assert (truth, "no whole number of them is within the limits" in error.message) == ({}, True)
        return
    problem, found = staffing.problem(), {}
    for solution in problem.solve():
        rows = staffing.decode(solution).values()
        days = [name_day(facts, day) for day in range(1, staffing.days + 1)]
        found[tuple(tuple(row.get(day, "-") for day in days) for row in rows)] = solution
        lines = [",".join(row) for row in staffing.tabulate(solution)]
        assert set(staffing.read_table(lines, "plan.csv")) == set(solution)
    assert {plan: problem.cost(solution) for plan, solution in found.items()} == truth
    assert problem.count() == len(truth)


def test_patterns_are_chosen_once_for_each_block() -> None:
    people, shifts = ("who,week", "Ann,", "Bob,2"), ("shift,hours,needs", "early,6-14,0-2", "late,14-22,0-2")
    patterns = ("late early - - - - -", "late late - - - - -", "early late - - - - -", "early late late - - - -")
    plan = Staffing(people=people, shifts=shifts, days=14, patterns=patterns)
    labels = [str(label) for label in plan.problem().labels]
    assert "Ann: day 8 early late late - - - -" in labels
    assert not any("late early" in label for label in labels)  # too little rest
    assert not any(label.startswith("Bob") and "late late -" in label and "early" in label for label in labels)
    both = Duty("Ann", 8, "early late - - - - -")
    assert plan.decode([both]) == {"Ann": {8: "early", 9: "late"}, "Bob": {}}
    everything = Staffing(people=("who", "Ann"), shifts=("shift,needs", "day,0-1"), patterns=("all",), run=2)
    runs = [label for label in everything.problem().labels if "day day day" in str(label)]
    assert len(everything.problem().labels) == 80  # the binary words of length 7 without three ones in a row, but one
    assert runs == []


def test_unfair_plans_cost_more() -> None:
    plan = Staffing(people=("who,free", "Ann,1-7", "Bob,"), shifts=("shift,needs", "late,1"), fair={"late": 7}, wish=2)
    problem = plan.problem()
    cheapest = next(problem.cheapest())
    late = [duty.who for duty in cheapest].count("Bob")
    assert (late, problem.cost(cheapest), problem.price(cheapest)) == (4, 6, 0)
    cheap = Staffing(people=plan.people, shifts=plan.shifts, fair={"late": 1}, wish=2).problem()
    cheapest = next(cheap.cheapest())
    assert (len(cheapest), cheap.cost(cheapest), cheap.price(cheapest)) == (7, 0, 3)
    weekend = Staffing(people=("who", "Ann", "Bob"), shifts=("shift,needs", "late,1"), fair={"weekend": 1}).problem()
    assert sum(duty.day > 5 and duty.who == "Ann" for duty in next(weekend.cheapest())) == 1
    away = replace(plan, people=("who,away", "Ann,6-7", "Bob,"), fair={"weekend": 3}).problem()
    assert away.price(next(away.cheapest())) == 0, "who can work on no weekend has no share"


def test_shares_of_all_shifts_are_equal_for_those_who_can_work_them() -> None:
    people, shifts = ("who,total,shifts", "Ann,1,", "Bob,,", "Cid,,", "Dora,,b"), ("shift,needs", "a,1", "b,0-1")
    problem = Staffing(people=people, shifts=shifts, fair={"total": 3, "a": 2}).problem()
    assert {item: bounds for item, bounds in problem.multiplicity.items() if " of " in str(item)} == {
        f"{counted} of {who}": (0, share)
        for counted, share in (("total", 2), ("a", 3))
        for who in ("Ann", "Bob", "Cid", "Dora")
    }
    plan = next(problem.cheapest())
    assert sorted(Counter(label.who for label in plan if label.shift == "a").values()) == [1, 3, 3]
    assert problem.price(plan) == 2 * 3


def test_days_are_dates_and_weekdays() -> None:
    people = ("Who,away,free,note", "Ann,Sa-Su 2026-12-24..2027-01-03,2,", "Bob,2026-11-01..2026-12-02 Mo,We,new")
    shifts = ("shift,needs,Su,Mo-Tu,2026-12-06,note", "day,1,0,2,1,long", "late,0-1,,,,")
    plan = Staffing(people=people, shifts=shifts, start="2026-12-01", days=7)
    problem = plan.problem()
    assert {item: problem.multiplicity.get(item, (1, 1)) for item in problem.primary if str(item).endswith("day")} == {
        f"2026-12-0{day} day": (needed, needed) for day, needed in enumerate([2, 1, 1, 1, 1, 1, 2], 1)
    }
    duties = [label for label in problem.labels if label.shift == "day"]
    assert [str(one) for one in duties if one.who == "Ann"] == [f"Ann: 2026-12-0{day} day" for day in (1, 2, 3, 4, 7)]
    assert [one.day.day for one in duties if one.who == "Bob"] == [3, 4, 5, 6]
    assert [str(label) for label in problem.costs] == ["Ann: 2026-12-02 day", "Ann: 2026-12-02 late"]
    assert next(iter(plan.tabulate(()))) == ["who", "Tu 2026-12-01", "We 2026-12-02", "Th 2026-12-03", "Fr 2026-12-04",
                                             "Sa 2026-12-05", "Su 2026-12-06", "Mo 2026-12-07", "shifts"]  # fmt: skip
    picture = render(plan.draw([Duty("Ann", date(2026, 12, 2), "late")])).split("\n")
    assert picture[1].replace("│", "").split() == ["Tu", "We", "Th", "Fr", "Sa", "Su", "Mo"]
    assert picture[-1] == "D day, L late; lost wishes: 1"


def test_hours_of_a_week_add_up() -> None:
    shifts = ("shift,hours,needs", "long,6-18,0-1", "short,8-14:30,0-1")
    plan = Staffing(people=("who,hours", "Ann,20-32"), shifts=shifts, patterns=("all",), rest=8)
    sums = [sum({"long": 12, "short": 6.5, "-": 0}[one] for one in week) for week in itertools.product(
        ("long", "short", "-"), repeat=7)]  # fmt: skip
    assert len(plan.problem().labels) == sum(20 <= hours <= 32 for hours in sums)
    assert replace(plan, patterns=()).problem().count() == sum(20 <= hours <= 32 for hours in sums)
    table = list(plan.tabulate([Duty("Ann", 1, "long - short - short - -")]))
    assert [row[-2:] for row in table] == [["shifts", "hours"], ["3", "25"], ["1", "12"], ["2", "13"]]


@pytest.mark.parametrize("patterns", [(), ("all",)])
def test_weights_are_used_for_hours_only(patterns: tuple[str, ...]) -> None:
    shifts, people = ("shift,hours,needs", "a,6-14,0-1", "b,14-21:30,0-1"), ("who,week", "Ann,3-4")
    plan = Staffing(people=people, shifts=shifts, patterns=patterns, run=(1, 3), days_off=2)
    search = plan.problem().solve()
    by_hours = replace(plan, people=("who,week,hours", "Ann,3-4,24-31.5"))
    hours = [(sum({"a": 8, "b": 7.5}[one] for one in plan.decode(found)["Ann"].values())) for found in search]
    assert search.statistics.engine == "native"
    assert by_hours.problem().count() == sum(24 <= one <= 31.5 for one in hours) > 0
    search = replace(by_hours, shifts=(*shifts[:2], "b,14-22,0-1")).problem().solve()
    assert next(search, None) is not None
    assert search.statistics.engine == "native", "shifts of one length are counted"


def test_hours_are_shared_fairly() -> None:
    person = {"skilled": False, "shifts": [], "avoid": [], "wanted": {}, "away": [], "free": []}
    person |= dict.fromkeys(["week", "total", "week hours", "total hours"])
    facts = {
        "days": 3, "rest": 0, "run": (1, None), "days_off": 1, "start": None, "wish": 10, "hours": UNEQUAL_HOURS, "special": {},
        "patterns": [], "people": [{**person, "free": [1]}, {**person, "away": [3]}],
        "shifts": {"a": {"needs": (1, 1), "skilled": 0}, "b": {"needs": (0, 1), "skilled": 0}},
    }  # fmt: skip
    lengths, share = {"a": 7.5, "b": 8.25, "-": 0}, 11.25  # of 22.5 hours
    for price in (1, 8):
        problem = Staffing(**write_staff(facts), fair={"hours": price}).problem()
        plan = next(problem.cheapest())
        least = min(
            wishes + price * sum(max(0, sum(lengths[one] for one in row) - share) for row in found)
            for found, wishes in list_plans(facts)
        )
        assert problem.cost(plan) + problem.price(plan) == least


def test_requests_count_in_patterns_too() -> None:
    plan = Staffing(
        people=("who", "Ann"), shifts=("shift,needs", "a,0-1", "b,0-1"), days=4, patterns=("a a", "b -"), wish=3,
        requests=("who,1,2,4,note", "Ann,a,free,a b,x"),
    )  # fmt: skip
    problem = plan.problem()
    costs = {str(one): problem.costs.get(one, 0) for one in problem.labels}
    assert costs == {"Ann: day 1 a a": 3, "Ann: day 1 b -": 3, "Ann: day 1 - -": 3,
                     "Ann: day 3 a a": 0, "Ann: day 3 b -": 3, "Ann: day 3 - -": 3}  # fmt: skip
    assert problem.count() == 9


def test_a_plan_comes_back_from_a_spreadsheet(tmp_path: Path) -> None:
    args = ["solve", "staffing", 'people=["who", "Ann", "Bob"]', 'shifts=["shift,needs", "a,1", "b,0-1"]', "days=2"]
    args += ["start=2026-12-01", 'requests=["who,2", "Ann,free"]']
    file = tmp_path / "plan.csv"
    assert invoke(*args, "--cheapest", "1", "--format", "csv-table", "-o", str(file)).returncode == 0
    head, *_ = file.read_text().splitlines()
    assert head == "who,Tu 2026-12-01,We 2026-12-02,shifts"
    assert invoke(*args, "--keep", str(file), "-q").stdout.startswith("no changes\n")
    file.write_bytes(
        b"\xef\xbb\xbfWho;Tu 2026-12-01;2026-12-02;note;shifts\r\nAnn;a;b;agreed;2\r\nBob;;a;;1\r\npeople a;1;1;;2\r\n"
    )
    assert invoke(*args, "--keep", str(file), "-q").stdout.startswith("no changes\n")
    file.write_text(f"{file.read_text()}Zoe;a;;left;1\n")
    assert invoke(*args, "--keep", str(file), "-q").stdout.startswith("Zoe: dropped 2026-12-01 a\n")
    assert_refused(f"{file}:5:1: there is no person 'Zoe'", *args[:-1], f"requests={file}")
    file.write_text(file.read_text().replace("Zoe;a;;left;1\n", ""))
    done = invoke(*args, "--keep", str(file), "--without", "Ann: 2026-12-02 b", "-q")
    assert done.stdout.startswith("Ann: dropped 2026-12-02 b\n")
    done = invoke(*args, "--keep", str(file), "--given", "Ann: 2026-12-02 a", "-q")
    assert done.stdout.startswith("Ann: 2026-12-02 b -> a\nBob: dropped 2026-12-02 a\n")


def test_workbooks_are_read_and_written(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    book, out = openpyxl.Workbook(), tmp_path / "plan.xlsx"
    first, second = ["Jörg", 1.0, datetime(2026, 12, 1), None], ["=1+1", "0..2", None, True]
    for row in (["who", "week", "free", "note"], first, second):
        book.active.append(row)
    book.active["A3"].data_type = "s"
    book.save(tmp_path / "people.xlsx")
    args = ["solve", "staffing", f"people={tmp_path / 'people.xlsx'}", 'shifts=["shift,hours,needs", "day,6..14,1"]']
    args += ["start=2026-12-01", "days=2"]
    assert invoke(*args, "--all", "-o", str(out)).returncode == 0
    rows = [[cell.value for cell in row] for row in openpyxl.load_workbook(out).active]
    assert rows[0] == ["who", "Tu 2026-12-01", "We 2026-12-02", "shifts", "hours"]
    one_each = [("=1+1", "day", None, 1, 8), ("Jörg", None, "day", 1, 8)]
    other = [("=1+1", None, "day", 1, 8), ("Jörg", "day", None, 1, 8)]
    both = [("=1+1", "day", "day", 2, 16), ("Jörg", None, None, 0, 0)]
    starts = [number for number, row in enumerate(rows) if row[0] == "who"]
    plans = [sorted(map(tuple, rows[start + 1 : start + 3])) for start in starts]
    assert len(plans) == 3 and all(plan in plans for plan in (one_each, other, both))
    assert openpyxl.load_workbook(out).active["A3"].data_type == "s"
    assert invoke(*args, "--keep", str(out), "-q").stdout.startswith("no changes\n")


@pytest.mark.parametrize(("text", "message"), [
    ("who,1\nAnn,early\nBop,late\n", "3:1: there is no person 'Bop'; did you mean 'Bob'?"),
    ("who,1\nAnn,early\nBob,\nAnn,late\n", "4:1: 'Ann' is listed twice"),
    ("who,1\nAnn,erly\n", "2:2: there is no shift 'erly'; did you mean 'early'?"),
    ("who,1\nAnn,early away\n", "2:2: 'early away': expected shifts, or one of -, free, away"),
    ("who,9\nAnn,early\n", "1:2: '9': expected days from 1 to 7, such as 3 or 10-14, or Su"),
    ("who,2026-12-01\nAnn,early\n", "or Su; dates need the parameter start"),
    ("who,note\nAnn,early\n", "1: no column is a day of the plan, such as '1'"),
    ("name,1\nAnn,early\n", "1: expected a header with the column 'who'; 'who' is missing"),
    ("who,1,1\nAnn,early,\n", "1:3: two columns have the name '1'"),
])  # fmt: skip
def test_tables_of_people_and_days_that_are_not_valid(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "plan.csv"
    file.write_text(text)
    for args in (["--keep", str(file)], [f"requests={file}"]):
        done = invoke("solve", "staffing", *args)
        assert done.returncode == 2 and f"{file}:" in done.stderr and message in done.stderr


def test_columns_of_other_names_are_left_out() -> None:
    people = ("Who,phone,Week,,Note", 'Ann,123,3,,"two', 'lines"')
    with pytest.warns(FormatWarning, match="row 1, column 2: the column 'phone' is left out"):
        assert Staffing(people=people).problem().labels == Staffing(people=("who,week", "Ann,3")).problem().labels
    with pytest.raises(ParameterError, match="a column has no name"):
        Staffing(people=("who,", "Ann,3"))
    with pytest.warns(FormatWarning, match="row 1, column 3: the column 'phone' is left out"):
        Staffing(requests=("who,1,phone", "Ann,late,1"))


@pytest.mark.parametrize("library_name", ["", "pandas", "polars"])
def test_people_from_a_frame(library_name: str) -> None:
    library: Any = pytest.importorskip(library_name).DataFrame if library_name else dict
    people = library({"who": ["Ann", "Bob"], "skills": ["nurse", None], "week": [3, 4], "free": [None, "2 3"]})
    shifts = library({"shift": ["day"], "needs": ["1-2"], "nurse": [1]})
    plan = Staffing.from_frame(people, shifts, days=3)
    assert plan.people == ("who,skills,week,free", "Ann,nurse,3,", "Bob,,4,2 3")
    assert plan.shifts == ("shift,needs,nurse", "day,1-2,1")
    assert plan.problem().labels == tuple(Duty(who, day, "day") for who in ("Ann", "Bob") for day in (1, 2, 3))
    assert plan.problem().costs == {Duty("Bob", 2, "day"): 10, Duty("Bob", 3, "day"): 10}


@pytest.mark.parametrize("separator", ["\u2028", "\x85", "\x0b"])
def test_lines_end_at_line_feeds_only(separator: str, tmp_path: Path) -> None:
    who, shifts = f"B{separator}C", {"shift": ["day"], "needs": [1]}
    plan = Staffing.from_frame({"who": ["Ann", who]}, shifts, days=1)
    assert plan.people == ("who", "Ann", who)
    path = tmp_path / "people.csv"
    path.write_bytes(f"who\r\nAnn\r\n{who}\r\n".encode())
    assert Staffing(people=str(path), shifts=plan.shifts, days=1).problem().labels == plan.problem().labels
    path.write_text('who\n"Ann\nX"\n')
    with pytest.raises(ParameterError, match="2:1: a cell cannot contain a line break"):
        Staffing(people=str(path), shifts=plan.shifts, days=1)


def test_cells_of_frames() -> None:
    shifts: dict[str, list[Any]] = {"shift": ["day"], "needs": [1], "n": [0], "m": [0], "k": [0]}
    for skills in ({"n", "m", "k"}, frozenset("nmk"), ["k", "m", "n"]):
        assert Staffing.from_frame({"who": ["Ann"], "skills": [skills]}, shifts).people[1] == "Ann,k m n"
    with pytest.raises(ParameterError, match="row 2, column 1: a cell cannot contain a line break"):
        Staffing.from_frame({"who": ["Ann\nX"]}, shifts)


def test_additions_break_one_rule() -> None:
    people = ("who,shifts,away,week", "Ann,b,1,", "Bob,,,1", "Cid,b,,0")
    plan = Staffing(people=people, shifts=("shift,needs", "a,1", "b,1"), days=1)
    assert [(change, cost) for _, change, cost in plan.additions()] == [
        ("let Ann work b on day 1, although away", 10),
        ("let Bob work a on day 1, one shift more", 1),
        ("let Bob work b on day 1, one shift more", 1),
        ("let Cid work b on day 1, one shift more", 1),
    ]


def test_plans_as_tables() -> None:
    done = invoke("solve", "staffing.yaml", "--format", "csv-table")
    assert done.returncode == 0, done.stderr
    head, *rows = csv.reader(io.StringIO(done.stdout))
    assert head == ["who", *"1234567", "shifts", "hours"]
    assert [row[0] for row in rows] == ["Ann", "Bob", "Cid", "Dora", "Eve", "people early", "people late"]
    late = [sum(row[day] == "late" for row in rows[:5]) for day in range(1, 8)]
    assert late == [int(cell) for cell in rows[6][1:8]] == [1] * 7
    assert [int(row[8]) for row in rows[:5]] == [sum(map(bool, row[1:8])) for row in rows[:5]]
    both = invoke("solve", "staffing", 'people=["who", "A", "B"]', 'shifts=["shift,needs", "x,1"]', "days=1", "--all",
                    "--format", "csv-table")  # fmt: skip
    tables = ["who,1,shifts\nA,,0\nB,x,1\npeople x,1,1\n", "who,1,shifts\nA,x,1\nB,,0\npeople x,1,1\n"]
    assert sorted(f"{one.strip()}\n" for one in both.stdout.split("\n\n")) == tables
    assert_refused("has no tables", "solve", "queens", "n=4", "--format", "csv-table")


@pytest.mark.parametrize(("parameters", "message"), [
    ({"people": ("name", "Ann")}, "expected a header with the column 'who'; 'who' is missing"),
    ({"people": ("who,skils", "Ann,")}, "row 1, column 2: there is no column 'skils'; expected who, skills, "),
    ({"people": ("who,week", "Ann,x")}, "row 2, column 2: 'x': expected a number, or a range such as 2-4"),
    ({"people": ("who,week", "Ann,5-3")}, "row 2, column 2: '5-3': expected at most 100,000, and the smaller number first"),
    ({"people": ("who,week", "Ann,99999999999")}, "row 2, column 2: '99999999999': expected at most 100,000, and"),
    ({"people": ("who,away", "Ann,9")}, "row 2, column 2: '9': expected days from 1 to 7, such as 3 or 10-14"),
    ({"people": ("who,away", "Ann,5-3")}, "row 2, column 2: '5-3': expected the earlier day first"),
    ({"people": ("who,shifts", "Ann,lat")}, "there is no shift 'lat'; did you mean 'late'?"),
    ({"people": ("who,skills", "Ann,nuse")}, "no shift has a column for the skill 'nuse'; did you mean 'nurse'?"),
    ({"people": ("who", "Ann", "Ann")}, "row 3, column 1: 'Ann' is listed twice"),
    ({"people": ("who",)}, "expected at least one person"),
    ({"shifts": ("shift,needs", "a b,1")}, "'a b' is not a name of a shift; expected one word"),
    ({"shifts": ("shift,needs,hours", "a,1,6-25")}, "'6-25': expected hours such as 6-14 or 22:30-6"),
    ({"shifts": ("shift,needs", "a,")}, "the number of people is missing"),
    ({"people": ("who", '"Ann', 'X"')}, "row 2, column 1: a cell cannot contain a line break"),
    ({"shifts": ("shift,needs,nurse", "a,1,2")}, "row 2, column 3: 2 of the people need the skill 'nurse', but there are at most 1"),
    ({"shifts": ("shift,needs,weekend,nurse", "a,0,1,2")}, "2 of the people need the skill 'nurse', but there are at most 1"),
    ({"people": ("who", "Ann"), "shifts": ("shift,needs", "a,1", "b,1", "c,1", "d,1"), "patterns": ("all",)}, "there are too many patterns of 4 shifts"),
    ({"shifts": ("shift,needs,8", "a,1,2")}, "row 1, column 3: '8': expected days from 1 to 7, such as 3 or 10-14, or Su"),
    ({"fair": {"lat": 1}}, "there is no shift 'lat'"),
    ({"patterns": ("early lat",)}, "there is no shift 'lat', and it is not - for a day off; did you mean 'late'?"),
    ({"patterns": ("early", "early late")}, "expected patterns of the same length, at least one day"),
    ({"patterns": ("early late",)}, "expected a multiple of 2, the length of the patterns"),
    ({"patterns": ("early early - late late - -",), "run": 7}, "a run must be shorter than the patterns, which have 7 days"),
    ({"people": ("who,hours", "Ann,38.5-38.7")}, "Ann, week 1, units of 8:00 hours: no whole number of them is within the limits"),
    ({"people": ("who,total hours", 'Ann,"7,5"')}, "row 2, column 2: '7,5': expected a number, or a range such as 2-4"),
    ({"people": ("who;hours", "Ann;38,5-38,7")}, "Ann, week 1, units of 8:00 hours: no whole number"),
    ({"people": ("who,total hours", "Ann,38:30")}, "row 2, column 2: '38:30': expected a number, or a range such as 2-4"),
    ({"people": ("who,week", "Ann,4.5")}, "row 2, column 2: '4.5': expected a number, or a range such as 2-4"),
    ({"people": ("who", "Ann"), "fair": {"hours": 5}, "shifts": ("shift,hours,needs", "a,6-12:20,1", "b,14-21:40,1")}, "expected a multiple of 3, because hours are counted in units of 0:20 hours"),
    ({"people": ("who", "Ann"), "fair": {"hours": 5}, "shifts": ("shift,hours,needs", "a,6-12:20,1", "b,,1")}, "the shift 'b' has no hours, which fair hours need"),
    ({"people": ("who,hours", "Ann,38"), "shifts": ("shift,needs", "a,1")}, "the shift 'a' has no hours, which those of Ann need"),
    ({"start": "9999-12-30"}, "expected a date such as 2026-12-01, got '9999-12-30'"),
    ({"start": "1.12.2026"}, "expected a date such as 2026-12-01, got '1.12.2026'"),
    ({"run": (3, 2)}, "expected the smaller number first, got [3, 2]"),
])  # fmt: skip
def test_tables_that_are_not_valid(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        Staffing(**{"people": ("who,skills,week", "Ann,nurse,5"), **parameters})
    assert message in caught.value.message


@pytest.mark.slow
def test_a_ward_of_thirty_people_is_fair_and_repaired() -> None:
    people = (WARD / "thirty.csv").read_text().splitlines()
    rows = [row.split(",") for row in people[1:]]
    ill = [f"{who},{skill},{week},{'5' if skill else ''}" for who, skill, week, _ in rows]
    shifts = ("shift,hours,needs,weekend,nurse", "early,6-14,6,4,1", "late,14-22,5,4,1")
    ward = Staffing(people=tuple(people), shifts=shifts, days=28, run=5, fair={"late": 5, "weekend": 3})
    search = ward.problem().cheapest(timeout=60)
    (plan,) = search
    assert search.status is Status.OPTIMAL
    assert ward.problem().cost(plan) + ward.problem().price(plan) == 0
    ward = Staffing(people=("who,skills,week,away", *ill), shifts=shifts, days=7, run=5)
    problem = ward.problem()
    stop = Stop(timeout=60)
    assert list(find_repair(problem, stop=stop).describe()) == ["leave open 'day 5 early nurse', 'day 5 late nurse'"]
    added = find_additions(problem, list_additions(problem, ward.additions()), stop=stop)
    assert added is not None
    assert len(added) == 2 and all("on day 5" in one.change for one in added)


def ward(staff: str = "staff.csv", **params: Any) -> Staffing:
    """The plan of a ward for two weeks."""
    return Staffing(people=str(WARD / staff), shifts=str(WARD / "shifts.csv"), days=14, **params)


NEEDED = (
    "14 are needed for 'day 8 early nurse', 'day 8 late nurse', 'day 9 early nurse', 'day 9 late nurse' and 10 more, "
    "but 13 are available from 'Dora, week 2', 'Fay, week 2' and 'Hal, week 2'"
)


def test_a_nurse_away_is_too_few_nurses() -> None:
    pytest.importorskip("highspy")
    healthy, sick = ward().problem(), ward("staff_sick.csv").problem()
    plan = next(healthy.cheapest())
    for search in (sick.solve(), sick.cheapest(), sick.cheapest(near=plan)):
        assert (list(search), search.status, search.proof) == ([], Status.UNSATISFIABLE, "exact")
        assert search.reason == NEEDED
    explanation = explain(sick)
    assert explanation.reason == NEEDED
    assert len(explanation.items) == 14 and all(str(item).startswith("day") for item in explanation.items)


def test_who_is_away_is_asked_last() -> None:
    sick = ward("staff_sick.csv")
    added = find_additions(sick.problem(), list_additions(sick.problem(), sick.additions()))
    assert added is not None
    assert [one.change.partition(", ")[2] for one in added] == ["one shift more"]


def test_a_fair_plan_is_the_best_one() -> None:
    pytest.importorskip("highspy")
    search = ward(fair={"late": 5, "weekend": 3}).problem().cheapest()
    assert len(list(search)) == 1
    assert (search.statistics.best, search.status, search.proof) == (22, Status.OPTIMAL, "exact")
