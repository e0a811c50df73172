"""Numbers, arrays, series and frames of other libraries are taken wherever Python's are; useless options are left out."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from damage import write_text
from exactcover import (
    Colored,
    Goal,
    Margin,
    ParameterError,
    Problem,
    ProblemError,
    SearchOptions,
    Stop,
    Weighted,
    estimate,
    generate,
)
from exactcover.errors import FormatWarning
from exactcover.formats import csv_problem, json_problem, set_partitioning
from exactcover.rules import Connected
from problems import Polyomino, Queens, Roster

numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")

TWO = {"a": ["x"], "b": ["x", "y"], "c": ["y"]}


@pytest.mark.parametrize("number", [numpy.int8(2), numpy.uint64(2), 2.0, numpy.float32(2), Fraction(2)])
def test_whole_numbers_of_any_type(number: Any) -> None:
    problem = Problem({label: ["x"] for label in "abcd"}, multiplicity={"x": number}, costs={"a": number, "b": 1})
    assert problem.multiplicity == {"x": (2, 2)} and problem.costs == {"a": 2, "b": 1}
    assert problem.count() == 6 and len(list(problem.solve(limit=number, seed=number))) == 2
    options = SearchOptions(seed=number, jobs=number, memory=number)
    assert [*map(type, (options.seed, options.jobs, options.memory, Goal("first", number).number))] == [int] * 4
    assert len(list(problem.cheapest(number))) == 2 and len(problem.diagram().sample(number, seed=number)) == 2
    assert Stop(timeout=number).status is None and Margin(number).amount == 2
    assert next(generate(problem, seed=number, attempts=number)).givens
    assert estimate(problem, probes=number, seed=number).solutions > 0  # type: ignore[operator]
    placed: Any = [[number / 2, number]]
    queens = Queens(n=number + number, placed=placed)
    assert queens == Queens(n=4, placed=((1, 2),)) and type(queens.n) is int and queens.count() == 1


@pytest.mark.parametrize("cost", [2.5, numpy.float32(2.5), numpy.float64(2.5), Decimal("2.5")])
def test_floats_are_costs_as_they_are_shown(cost: Any) -> None:
    problem = Problem(TWO, costs={"a": cost, "b": 4}, soft={"x": cost, "y": (None, cost)})
    assert problem.costs == {"a": Decimal("2.5"), "b": 4}
    assert problem.soft == {"x": (Decimal("2.5"), None), "y": (None, Decimal("2.5"))}
    assert len(list(problem.cheapest(within=cost))) == 3
    assert problem.near(["b"], change=cost).soft
    assert Problem(TWO, costs={"a": numpy.float32(0.1)}).costs == {"a": Decimal("0.1")}


@pytest.mark.parametrize("wrong", [True, numpy.True_, numpy.nan, "2", Fraction(1, 3)])
def test_what_is_no_number_or_not_exact_is_refused(wrong: Any) -> None:
    loose: Any = Problem
    for parameters in ({"costs": {"a": wrong}}, {"multiplicity": {"x": wrong}}, {"soft": {"x": wrong}}):
        with pytest.raises(ProblemError):
            loose(TWO, **parameters)
    with pytest.raises(ValueError, match="limit must be at least 1"):
        Problem(TWO).solve(limit=wrong)


def test_series_are_mappings_by_their_index_and_arrays_are_lists() -> None:
    by_label = pandas.Series({"c": 1, "a": 2.5})
    for costs in (by_label, by_label.to_dict(), [2.5, 0, 1], numpy.array([2.5, 0, 1]), pandas.Series([2.5, 0, 1])):
        assert Problem(TWO, costs=costs).costs == {"a": Decimal("2.5"), "c": 1}
    frame = pandas.DataFrame({"option": list("abbc"), "item": list("xxyy")})
    assert Problem.from_frame(frame, costs=by_label).costs == {"a": Decimal("2.5"), "c": 1}
    given = numpy.array(["a"])
    problem = Problem(TWO, multiplicity=pandas.Series({"x": 1.0}), soft=pandas.Series({"y": 3}), givens=given)
    assert (problem.soft, problem.givens) == ({"y": (3, None)}, ("a",))
    table = pandas.DataFrame({"c": [1, 2, 3]}, index=list(TWO))
    for wrong, message in (
        (table, r"costs: expected one cost per option, got a table of shape \(3, 1\)"),
        (numpy.array([1, 2]), "costs: expected 3 costs, one per option, got 2"),
        (pandas.Series({"a": 1, "z": 2}), "costs name 'z', which is not an option"),
        (pandas.Series([1, 2, 3], index=["a", "a", "b"]), "more than once in the index"),
    ):
        with pytest.raises(ProblemError, match=message):
            Problem(TWO, costs=wrong)
    with pytest.raises(ProblemError, match="row 1 contains <NA>; only 0 and 1 are allowed"):
        Problem.from_matrix(pandas.DataFrame({"x": [1, pandas.NA], "y": [0, 1]}))


def test_parameters_of_encoders_are_taken_from_arrays_series_and_frames() -> None:
    assert Queens(n=6, placed=numpy.array([[1, 2]])) == Queens(n=6, placed=((1, 2),))
    assert Polyomino("2x3", {"I": "###"}, copies=pandas.Series({"I": 2})).count() == 1
    assert Roster(needs=pandas.Series({"day": 1.0})).needs == {"day": 1}
    assert hash(Queens(placed=numpy.array([[1, 2]])))
    with pytest.raises(ParameterError, match=r"Queens: placed\.1\.0: expected a whole number"):
        Queens(placed=numpy.array([[1, 2], [1.5, 2]]))


def test_frames_name_items_and_options() -> None:
    frame = pandas.DataFrame([[1, 0, 0], [0, 1, 1], [1, 1, 0]], index=["p", "q", "r"], columns=["a", "b", "c"])
    same = {"p": ("a",), "q": ("b", "c"), "r": ("a", "b")}
    assert Problem.from_matrix(frame).options == same == Problem.from_frame(frame).options
    assert Problem.from_matrix(frame.astype(bool)).primary == ("a", "b", "c")
    long = pandas.DataFrame({"item": list("abc")}, index=list("pqq"))
    assert Problem.from_frame(long).options == {"p": ("a",), "q": ("b", "c")}
    with pytest.raises(ProblemError, match="no column 'option'"):
        Problem.from_frame(frame.reset_index(drop=True))
    problem = Problem.from_matrix(frame, secondary=["c"], costs=[1, 2, 3])
    assert (problem.primary, problem.secondary, problem.count()) == (("a", "b"), ("c",), 2)
    assert Problem.from_lists(numpy.array([[0, 2], [1, 2]]), secondary=[2]).count() == 0
    with pytest.raises(ProblemError, match="secondary names 'd', which is not a column"):
        Problem.from_matrix(frame, secondary=["d"])


READERS: dict[str, Callable[[], Problem]] = {
    "Problem": lambda: Problem([(0, ["a"]), (1, []), (2, ["b", "s"]), (3, ["s"])], secondary=["s"]),
    "generator": lambda: Problem(((n, iter(row)) for n, row in enumerate(("a", "", "bs", "s"))), secondary=["s"]),
    "from_lists": lambda: Problem.from_lists([["a"], [], ["b", "s"], ["s"]], secondary=["s"]),
    "from_matrix": lambda: Problem.from_matrix([[1, 0, 0], [0, 0, 0], [0, 1, 1], [0, 0, 1]], secondary=[2]),
    "from_arrays": lambda: Problem.from_arrays([[0, -1], [-1, -1], [1, 2], [2, -1]], secondary=[2]),
    "from_frame": lambda: Problem.from_frame(
        {"option": range(4), "a": [1, 0, 0, 0], "b": [0, 0, 1, 0], "s": ["", "", "x", "x"]}, secondary=["s"]
    ),
    "csv": lambda: csv_problem.read(["o,a,b,?s", "0,1,,", "1,,,", "2,,x,x", "3,,,x"]),
    "json": lambda: json_problem.read(
        '{"secondary": ["s"], "options": [{"label": "0", "items": ["a"]}, {"label": "1", "items": []},'
        ' {"label": "2", "items": ["b", "s"]}, {"label": "3", "items": ["s"]}]}'
    ),
}


@pytest.mark.parametrize("name", READERS)
def test_every_reader_leaves_out_options_without_a_primary_item(name: str) -> None:
    with pytest.warns(FormatWarning, match=r"2 options \('1', '3'\) have no primary item .*; left out"):
        problem = READERS[name]()
    assert [*map(str, problem.labels)] == ["0", "2"] and problem.count() == 1
    with pytest.raises(ProblemError, match="option '1' was left out: it has no primary item"):
        problem.solve(given=["1" if name in ("csv", "json") else 1])


def test_costs_count_options_that_are_left_out() -> None:
    with pytest.warns(FormatWarning, match="option '1' has no primary item") as caught:
        problem = Problem.from_lists([["a"], [], ["b"]], costs=[1, 2, 3])
    assert caught[0].filename == __file__
    assert problem.costs == {0: 1, 2: 3}
    with pytest.warns(FormatWarning, match="option '2' has no primary item"):
        assert set_partitioning.read(["1 2", "3 1 1", "5 0"]).costs == {"1": 3}


def test_an_item_with_multiplicity_zero_is_covered_by_nothing(engine: str) -> None:
    zeros: list[Any] = [0, (0, 0), numpy.int64(0), [0, 0]]
    for bounds in zeros:
        problem = Problem({"a": ["x"], "b": ["y"], "c": ["x", "y"], "d": ["y"]}, multiplicity={"x": bounds})
        assert problem.multiplicity == {"x": (0, 0)} and problem.items == ("x", "y")
        assert sorted(problem.solve(engine=engine)) == [("b",), ("d",)]
    with pytest.raises(ProblemError, match="option 'a' was left out: it contains 'x', whose multiplicity is 0"):
        problem.solve(without=["a"])
    assert problem.derive([*problem.options.items(), ("e", ["x", "y"])]).count() == 2
    with pytest.raises(ProblemError, match="soft item 'x' has the multiplicity 0"):
        problem.soften({"x": (None, 3)})
    assert json_problem.read(write_text(json_problem.write, problem)).multiplicity == {"x": (0, 0)}


def test_nothing_is_left_of_options_that_are_left_out() -> None:
    red, blue = Colored("s", "red"), Colored("s", "blue")
    options: dict[str, list[Any]] = {"A": ["p", blue, "q"], "B": ["p", red], "C": [Weighted("q", 2)], "D": ["p"]}
    rule = Connected([("u", "v")], on={"u": red, "v": blue}, or_none=True)
    problem = Problem(options, primary=["p", "q"], secondary=["s"], multiplicity={"q": 0}, rules=[rule])
    assert problem.colors == ("red",) and not problem.matrix.weighted
    again = json_problem.read(write_text(json_problem.write, problem))
    assert again.fingerprint() == problem.fingerprint()
    assert again.count() == problem.count() == problem.count(engine="native") == 2
    bare = Problem(options, primary=["p", "q"], secondary=["s"], multiplicity={"q": 0})
    assert bare.count(distinct=True) == bare.count(engine="diagram") == 2
    with pytest.raises(ProblemError, match="no option gives an item the color 'bleu'; did you mean 'blue'"):
        problem.derive(options.items(), rules=[Connected([("u", "v")], on={"u": Colored("s", "bleu")}, or_none=True)])
    with pytest.raises(ProblemError, match="no option gives an item the color 'bleu'"):
        problem.derive(options.items(), rules=[Connected([("u", "v")], on={"u": red, "v": Colored("s", "bleu")})])


def test_nobody_may_do_a_task_that_needs_nobody() -> None:
    table = ("who,shift,cost,Mo,Su", "Ann,a,3,x,", "Bob,b,1,x,x")
    assert [one.who for one in next(Roster(table=table, needs={"Su": 0}).problem().cheapest())] == ["Ann"]
    assert Roster(table=table, needs={"Su": (0, 0)}).count() == 1
