"""Set partitioning files, in the two forms that libraries of test problems have."""

import io

import pytest
from hypothesis import given

from damage import write_text
from exactcover import ConfigError, Problem
from exactcover.formats import set_partitioning
from strategies import COSTS, priced


@given(problem=priced(prices=COSTS))
def test_what_is_written_is_read_again(problem: Problem) -> None:
    options = {label: [item for item in items if item in problem.primary] for label, items in problem.options.items()}
    problem = Problem(options, primary=problem.primary, costs=problem.costs)
    again = set_partitioning.read(write_text(set_partitioning.write, problem).splitlines())
    assert again.matrix.starts == problem.matrix.starts
    assert [problem.cost(one) for one in problem.cheapest(3)] == [again.cost(one) for one in again.cheapest(3)]


def test_rows_may_be_counted_from_0() -> None:
    problem = set_partitioning.read(["3 3 2", "1 2  0 2", "", "1 1 1", "1 3 0 1 2"])  # the third number is the optimum
    assert problem.primary == ("0", "1", "2")
    assert sorted(problem.solve()) == [("1", "2"), ("3",)]


def test_a_row_that_no_column_covers_is_an_item() -> None:
    assert set_partitioning.read(["3 1", "1 2 1 2"]).count() == 0


@pytest.mark.parametrize(("text", "message"), [
    ("", "x.spp:1:1: missing line with the numbers of rows and columns"),
    ("3", "x.spp:1:1: expected the numbers of rows and columns"),
    ("3 x", "x.spp:1:3: expected a whole number, got 'x'"),
    ("3 99999999999", "x.spp:1:3: expected at most 10,000,000 columns"),
    ("3 2\n1 1 1", "x.spp:2:1: expected 2 columns, got 1"),
    ("3 1\n1 1 1\n1 1 2", "x.spp:3:1: expected 1 column, got more"),
    ("3 1\n1- 1 1", "x.spp:2:1: '1-' is not a valid cost"),
    ("3 1\n5", "x.spp:2:2: missing how many rows the column covers"),
    ("3 1\n5 2 1", "x.spp:2:3: expected 2 rows, as the line says, got 1"),
    ("3 1\n5 2 1 1", "x.spp:2:7: row 1 occurs twice"),
    ("3 1\n5 1 4", "x.spp:2:5: row 4 is not one of the 3"),
    ("3 2\n5 1 0\n5 1 3", "x.spp:3:5: rows are counted from 0 or from 1, so there cannot be rows 0 and 3"),
])  # fmt: skip
def test_mistakes_have_a_place(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        set_partitioning.read(text.splitlines(), "x.spp")
    assert str(caught.value) == message


def test_what_it_cannot_express() -> None:
    for problem in (Problem({"A": [1, 2]}, secondary=[2]), Problem({"A": [1], "B": [1]}, multiplicity={1: 2})):
        with pytest.raises(ValueError, match="cannot express secondary items or multiplicities"):
            set_partitioning.write(problem, io.StringIO())
