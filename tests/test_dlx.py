import io

import pytest

from exactcover import Colored, Problem
from exactcover.formats import dlx
from problems import Queens


def text(problem: Problem, *, short: bool = False) -> list[str]:
    out = io.StringIO()
    dlx.write(problem, out, short=short)
    return out.getvalue().splitlines()


def test_items_options_and_colors() -> None:
    problem = Problem([("A", ["a", Colored("x", "red")]), ("B", ["b", "x"])], secondary=["x"])
    assert text(problem) == ["a b | x", "a x:red", "b x"]
    assert text(problem, short=True) == ["1 2 | 3", "1 3:a", "2 3"]


def test_reserved_characters_are_replaced_unless_names_would_coincide() -> None:
    assert text(Problem({"A": ["row 1", "c:2"]})) == ["row_1 c_2", "row_1 c_2"]
    assert text(Problem({"A": ["a b", "a:b"]})) == ["1 2", "1 2"]
    options = [("A", ["p", Colored("x", "a b")]), ("B", ["q", Colored("x", "a_b")])]
    assert text(Problem(options, secondary=["x"])) == ["p q | x", "p x:a_b", "q x:a_b_2"]


def test_queens() -> None:
    lines = text(Queens(n=4).problem())
    assert len(lines) == 17
    assert lines[0].split("|")[0].split() == [f"{kind}_{line}" for line in (2, 3, 1, 4) for kind in ("row", "column")]


def test_too_many_colors_for_one_character() -> None:
    problem = Problem(((color, ["p", Colored("x", color)]) for color in range(63)), secondary=["x"])
    with pytest.raises(ValueError, match="more than 62 colors"):
        text(problem, short=True)
