"""Options that cover items several times, and negative costs, against the definition of a solution."""

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import assert_refused, invoke
from damage import write_text
from exactcover import Colored, EngineUnavailableError, Label, Problem, SearchOptions, Weighted
from exactcover.analysis.explain import explain
from exactcover.engines.base import ENGINES
from exactcover.formats import csv_problem, json_problem
from exactcover.model import reader
from oracles import assert_each_once, try_all
from soft_problems import random_problem

ABLE = [name for name in ("auto", "sets", "highs", "cpsat") if name == "auto" or name in ENGINES]


WEIGHTED = st.integers(0, 1 << 40).map(lambda number: random_problem(number, weighted=True))
"""Small problems with weights, ranges, colors, costs of both signs and soft items."""


@pytest.mark.parametrize("name", ABLE)
@given(problem=WEIGHTED)
def test_solutions_with_weights(name: str, problem: Problem) -> None:
    expected = set(try_all(problem, {}))
    found = list(problem.solve(engine=name))
    assert_each_once(found, expected)
    assert all(problem.verify(solution) for solution in found)
    assert problem.count(engine=name) == len(expected)
    one = problem.find(engine=name)
    assert (one is None) == (not expected)
    for label in problem.labels[:1]:
        assert problem.count(given=[label], engine=name) == sum(label in chosen for chosen in expected)


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("name", ABLE)
@given(problem=WEIGHTED, wanted=st.integers(1, 3))
def test_least_and_highest_costs_with_weights(name: str, maximize: bool, problem: Problem, wanted: int) -> None:
    values = {
        chosen: total - (2 * problem.cost(chosen) if maximize else 0) for chosen, total in try_all(problem).items()
    }
    search = problem.cheapest(wanted, engine=name, maximize=maximize)
    found = [frozenset(solution) for solution in search]
    assert len({*found}) == len(found)
    assert [values[one] for one in found] == sorted(values.values())[:wanted]
    if found and search.statistics.best is not None:
        assert (-1 if maximize else 1) * search.statistics.best == values[found[0]]


@given(problem=WEIGHTED)
def test_other_ways_with_weights(problem: Problem) -> None:
    expected = set(try_all(problem, {}))
    assert_each_once(problem.diagram(), expected)
    assert bool(explain(problem).solutions) == bool(expected)
    for label in problem.labels[:1]:
        holding = [chosen for chosen in expected if label in chosen]
        assert len(list(problem.search(project=[label]))) == len({label in chosen for chosen in expected})
        assert_each_once(problem.reusable_solver().solutions(given=[label], limit=200), holding)
    for module in (json_problem, csv_problem):
        again = module.read(io.StringIO(write_text(module.write, problem)))
        assert {frozenset(map(int, solution)) for solution in again.solve()} == expected


def test_no_solution_is_lost_by_the_presolve_of_highs() -> None:
    """HiGHS 1.16 says that there is none but the first one."""
    pytest.importorskip("highspy")
    rows = {"A": {"q": 5, "r": 5, "p": 2}, "B": {"p": 5, "s": 1}, "C": {"r": 5, "s": 1}, "D": {"o": 1, "r": 1},
            "E": {"r": 2, "s": 1}, "F": {"q": 2, "r": 1}}  # fmt: skip
    options: dict[Label, list[Any]] = {one: [Weighted(*pair) for pair in row.items() if pair[0] != "s"]
                                       + ["s"] * ("s" in row) for one, row in rows.items()}  # fmt: skip
    options["F"].append(Colored("s", "b"))
    soft = {"p": (None, 0), "q": (0, None), "r": (None, 3)}
    problem = Problem(options, primary=list("opqr"), secondary=["s"], multiplicity={"q": (6, 10)}, soft=soft)
    expected = sorted(try_all(problem).values())[:3]
    assert [problem.price(one) for one in problem.cheapest(3, engine="highs")] == expected


SHIFTS = Problem({"A": [Weighted("hours", 8)], "B": [Weighted("hours", 4)]}, multiplicity={"hours": (4, 8)})


def test_changes_with_weights_and_negative_costs() -> None:
    """What is kept and what is charged are different items, though they have the same option."""
    shifts: dict[str, list[Any]] = {
        "A": [Weighted("h", 2), "a"],
        "B": ["h", "a"],
        "C": ["h", "b"],
        "D": [Weighted("h", 3), "b"],
    }
    problem = Problem(shifts, multiplicity={"h": (3, 4)}, costs={"A": -3, "B": 1, "C": 2, "D": -2})
    assert list(problem.cheapest(3, near=["A", "C"])) == [("A", "C"), ("B", "D")]
    assert list(problem.cheapest(3, near=["A"], change=1)) == [("A", "C"), ("B", "D")]
    for near in (problem.near(["A"]), problem.near(["A"], 1)):
        with pytest.raises(ValueError, match="an earlier solution: the fewest changes are wanted"):
            near.cheapest(maximize=True)
    assert explain(problem, ["A", "D"]).reason == "the givens 'A' and 'D' conflict: both take item 'h', which allows 4"


def test_the_presolve_of_highs_loses_no_solution() -> None:
    """HiGHS 1.16 finds no more than 13 of them if its presolve enumerates."""
    red = Colored("s", "red")
    hours: list[list[Any]] = [["h"], [Weighted("h", 2), "s"], ["h"], [Weighted("h", 3)], ["h", red], ["h"], ["h", red]]
    problem = Problem(enumerate(hours), secondary=["s"], multiplicity={"h": (6, 7)})
    assert problem.count() == 21
    if "highs" in ENGINES:
        assert len(list(problem.solve(engine="highs"))) == 21


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: SHIFTS.count(distinct=True), "one solution of each class has no place for weights"),
        (lambda: SHIFTS.count(options=SearchOptions(symmetry=True)), "a search by symmetry has no place for weights"),
        (lambda: SHIFTS.count(engine="native"), "takes no options that cover an item several times"),
        (lambda: Problem({"A": [Weighted("a", -1)]}), "covers 'a' -1 times; expected a whole number from 0"),
        (lambda: Problem({"A": ["b", Weighted("a", 2)]}, secondary=["a"]), "only primary items have weights"),
        (lambda: Problem({"A": ["a"]}, at_least=10**1000), "must have at most 1,000 digits"),
        (lambda: Problem({k: [Weighted("a", 10_000)] for k in range(4)}), "together cover items over 30,000 times"),
        (lambda: SHIFTS.residual(["A", "B"]), "'A' and 'B' conflict"),
        (
            lambda: Problem({"A": [Weighted("a", 3)]}, multiplicity={"a": 2}).residual(["A"]),
            "option 'A' covers too much",
        ),
    ],
)
def test_what_has_no_place_for_weights(ask: Any, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "_MOST_ENTRIES", 30_000)
    with pytest.raises((ValueError, EngineUnavailableError), match=message):
        ask()


def test_hours_on_the_command_line(tmp_path: Any) -> None:
    file = tmp_path / "hours.csv"
    file.write_text("shift,cost,mo,tu,we,8:12|Ann,4:12|Bob\nAnn mo,3,x,,,8,\nAnn tu,2,,x,,6,\nAnn we,1,,,x,4,\n"
                    "Bob mo,1,x,,,,8\nBob tu,2,,x,,,6\nBob we,3,,,x,,4\n", encoding="utf-8")  # fmt: skip
    assert invoke("count", str(file)).stdout == "3\n"
    assert invoke("solve", str(file), "--cheapest", "1").stdout == "Ann tu, Ann we, Bob mo (cost 4)\n"
    assert invoke("solve", str(file), "--most", "1").stdout == "Ann mo, Bob tu, Bob we (cost 8)\n"
    for suffix in ("dlx", "spp", "cnf", "mtx"):
        message = "has no place for weights; option 'Ann mo' covers 'Ann' 8 times"
        assert_refused(message, "convert", str(file), "--format", suffix)
    for arguments in (["view", "-o", str(tmp_path / "page.html")], ["count", "--certificate", str(tmp_path / "c")]):
        assert_refused("no place for weights", arguments[0], str(file), *arguments[1:])


def test_missing_hours_are_the_reason() -> None:
    """The weights of days say how many hours are needed."""
    days = {"mo": 8, "tu": 6, "we": 4}
    shifts = {f"{who} {day}": [day, Weighted(who, hours)] for who in ("Ann", "Bob") for day, hours in days.items()}
    problem = Problem(shifts, multiplicity={"Ann": (0, 8), "Bob": (0, 9)})
    reason = explain(problem).reason
    assert reason is not None
    assert "18 are needed" in reason
    assert "17 are available from 'Ann' and 'Bob'" in reason
