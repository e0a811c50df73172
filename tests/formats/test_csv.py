"""Problems as tables: mistakes have places."""

import io
from collections.abc import Hashable
from pathlib import Path

import pytest

from commands import invoke
from damage import write_text
from exactcover import Colored, ConfigError, Problem, ProblemError, Weighted
from exactcover.formats import csv_problem
from exactcover.formats.solutions import read_earlier_table

ROSTER = """crew,cost,flight 1,flight 2,flight 3,0:2|standby,?hotel
Ann,300,x,,,1,Paris
Bob,250,,X,0,1,Paris
Cid,420.50,-,x,x,,

Dee,180,,,x,,Rome
Eve,700,x,x,x,,
"""


@pytest.mark.parametrize("between", [",", ";", "\t"])
def test_a_roster(between: str) -> None:
    problem = csv_problem.read(ROSTER.replace(",", between).splitlines())
    assert problem.primary == ("flight 1", "flight 2", "flight 3", "standby")
    assert problem.multiplicity == {"standby": (0, 2)}
    assert problem.options["Ann"] == ("flight 1", "standby", Colored("hotel", "Paris"))
    assert [(problem.cost(found), found) for found in problem.cheapest(9)] == [(700, ("Eve",)), (720.5, ("Ann", "Cid"))]


def test_mistakes_have_places() -> None:
    with pytest.raises(ConfigError) as wrong:
        csv_problem.read(["a,b,b,9:2|c,,cost", "x,1,2", "y,q,,,,z", ",1,,,,", "y,1,,,,"], "some.csv")
    assert str(wrong.value).splitlines() == [
        "some.csv:1:3: duplicate item 'b'",
        "some.csv:1:4: '9:2|c': expected v|NAME (v times), u:v|NAME (u to v times) or u:|NAME (u times or more), with u <= v and v >= 1",
        "some.csv:1:5: the item has no name",
        "some.csv:2:1: expected 6 cells, got 3",
        "some.csv:3:2: 'q': expected 1, x, yes or true, or an empty cell; only secondary items (?NAME) have colors, "
        "and those with bounds, such as 1:|NAME, numbers",
        "some.csv:3:6: the cost 'z' is not a number",
        "some.csv:4:1: the option has no label",
        "some.csv:5:1: duplicate label 'y'",
    ]


@pytest.mark.parametrize(("lines", "message"), [
    ([], "expected a header"),
    (["crew"], "expected a header"),
    (["crew,a,cost", "Ann,1,3-"], "the cost '3-' is not a number"),
    (["crew,a", "Ann,8"],
     r"only secondary items \(.NAME\) have colors, and those with bounds, such as 1:.NAME, numbers"),
    (["crew,8|a", "Ann,8h"], "'8h': expected a number of times, 1, x, yes or true, or an empty cell"),
    (["1,0", "Ann,1"], "'Ann': expected 0 or 1, as in the first row; names of items need a header"),
    (["3 2", "1 0", "0 1"], "some.csv:3:1: expected 3 rows, as the first line says, got 2"),
    (["1 0 1", "0 1"], "some.csv:2:1: expected 3 cells, got 2"),
    (["Ann,1,0,1", "Bob,1,1,1"], "duplicate item '1'; a matrix without a header contains nothing but 0 and 1"),
    (["crew,a,cost", "Ann,1,NaN"], "the cost 'NaN' is not a number"),
    (["crew,a,cost", "Ann,1,Infinity"], "the cost 'Infinity' is not a number"),
    (["crew,a", 'Ann,"1"x"'], "invalid CSV|expected 1, x"),
])  # fmt: skip
def test_tables_that_are_none(lines: list[str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        csv_problem.read(lines, "some.csv")


def test_what_cannot_be_a_table() -> None:
    for items in (["cost"], ["?x"], ["a|b"], [""], ["a "], ["a\nb"]):
        with pytest.raises(ProblemError, match="table"):
            csv_problem.write(Problem({"A": items}), io.StringIO())
    with pytest.raises(ProblemError, match="cannot tell the items 1 and '1' apart"):
        csv_problem.write(Problem({"A": [1, "1"]}), io.StringIO())
    with pytest.raises(ProblemError, match="a table cannot contain the color 'x'"):
        csv_problem.write(Problem({"A": ["a", Colored("b", "x")]}, secondary=["b"]), io.StringIO())


def test_formulas_are_escaped_in_items_labels_and_colors() -> None:
    options: dict[str, list[Hashable]] = {"=A": ["+a", Colored("x", "@red")], "B": ["b", "x"]}
    written = write_text(csv_problem.write, Problem(options, secondary=["x"]), escape_formulas=True)
    assert written.splitlines() == ["option,'+a,b,?x", "'=A,x,,'@red", "B,,x,x"]


def test_names_that_escapes_would_make_equal_are_refused() -> None:
    options = {"A": ["a", Colored("x", "=red")], "B": ["b", Colored("x", "'=red")]}
    with pytest.raises(ProblemError, match="the color '=red' cannot be escaped, because there is a color \"'=red\""):
        csv_problem.write(Problem(options, secondary=["x"]), io.StringIO(), escape_formulas=True)


def test_an_option_without_a_cost_costs_nothing() -> None:
    assert csv_problem.read(["crew,cost,a", "Ann,,1", "Bob,2,1"]).costs == {"Bob": 2}


def test_semicolons_in_the_name_of_an_item_do_not_separate_cells() -> None:
    written = write_text(csv_problem.write, Problem({"A": ["a;b;c", "d"], "B": ["d"]}))
    assert csv_problem.read(io.StringIO(written)).items == ("a;b;c", "d")


def test_as_a_target(tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_bytes(b"\xef\xbb\xbf" + ROSTER.encode())
    assert invoke("solve", str(tmp_path / "roster.csv"), "--cheapest", "1").stdout == "Eve (cost 700)\n"
    assert invoke("convert", "queens", "n=4", "-o", str(tmp_path / "queens.csv")).returncode == 0
    assert invoke("count", str(tmp_path / "queens.csv")).stdout == "2\n"
    assert invoke("count", str(tmp_path / "queens.csv"), "n=5").returncode == 2


@pytest.mark.parametrize(("lines", "options"), [
    (["who,a,b", "Ann,TRUE,FALSE", "Bob,False,true", "Cid,yes,No"], {"Ann": ("a",), "Bob": ("b",), "Cid": ("a",)}),
    (["who;a;b", "Ann;1.0;0.0", "Bob;0.0;1.0", "Cid;X;-"], {"Ann": ("a",), "Bob": ("b",), "Cid": ("a",)}),
    (["who\ta\tb", "Ann\t✓\t☐", "Bob\t\t✔️", "Cid\t☑\t"], {"Ann": ("a",), "Bob": ("b",), "Cid": ("a",)}),
    (["crew,2:9|hours", "Ann,8", "Bob,2.0", "Cid,1.0"],  # numbers of times
     {"Ann": (Weighted("hours", 8),), "Bob": (Weighted("hours", 2),), "Cid": ("hours",)}),
    (["option,0,1", "A,1,", "B,,1"], {"A": ("0",), "B": ("1",)}),  # a header of numbers
    (["2,3", "A,1"], {"A": ("3",)}),
])  # fmt: skip
def test_cells_have_the_marks_that_people_write(lines: list[str], options: dict[str, tuple[object, ...]]) -> None:
    assert csv_problem.read(lines).options == options


@pytest.mark.parametrize("size", [[], ["4 4"]])
@pytest.mark.parametrize("separator", [",", ";", "\t", " ", ""])
def test_a_matrix_needs_no_header(separator: str, size: list[str]) -> None:
    rows = ["1001", "0110", "0100", "0010"]
    problem = csv_problem.read([*size, *(separator.join(row) for row in rows)])
    assert problem.options == {"1": ("1", "4"), "2": ("2", "3"), "3": ("2",), "4": ("3",)}
    assert problem.count() == 2


def test_a_wide_table_is_read_in_linear_time() -> None:
    columns = 100_000  # in quadratic time, this takes minutes
    header = ",".join(f"c{number}" for number in range(columns))
    assert len(csv_problem.read([f"o,{header}", "A" + ",1" * columns]).items) == columns


@pytest.mark.parametrize("label", ["A\u2028B", "A\x85B", "A\x0bB", "A\nB", "A\r\nB"])
def test_labels_with_line_separators(label: str) -> None:
    assert read_earlier_table(f'solution,option\r\n1,"{label}"\r\n1,C\r\n2,D\r\n', "plan.csv") == ([label, "C"], True)
