"""Options written out by hand, or read from a table."""

from pathlib import Path

import pytest

from exactcover import ParameterError, Weighted
from exactcover.config.configuration import read_file
from problems import Options


def test_options_may_be_colored() -> None:
    table = Options({"a": (1, "s:red"), "b": (2, "s:red"), "c": (2, "s:blue"), "d": ("12:30",)}, optional=("s",))
    assert list(table.problem().solve()) == [("a", "b", "d")]


@pytest.mark.parametrize(("entry", "item"), [
    ("x*3", Weighted("x", 3)),
    ("x * 3", Weighted("x", 3)),
    ("*3", "*3"),
    ("x*²", "x*²"),
    ("x*y", "x*y"),
    ("x*", "x*"),
])  # fmt: skip
def test_a_star_before_a_number_is_a_weight(entry: str, item: object) -> None:
    assert Options({"a": (entry,)}, at_most=3).problem().options == {"a": (item,)}


def test_options_from_a_table(tmp_path: Path) -> None:
    (tmp_path / "crews.csv").write_text("crew,cost,mo,tu\nAnn,3,x,\nBob,1,,x\nCid,5,x,x\n")
    file = tmp_path / "crews.yaml"
    file.write_text("# Crews\nproblem: options\nparams: {table: crews.csv, given: [Bob]}\n")
    encoder = read_file(file).encoder
    problem = encoder.problem()
    assert list(problem.solve(given=encoder.givens())) == [("Ann", "Bob")]
    assert [problem.full().cost(one) for one in problem.full().cheapest(2)] == [4, 5]
    (tmp_path / "crews.csv").write_text("crew,mo\nAnn,x\nAnn,x\n")
    with pytest.raises(ParameterError, match="Ann"):
        Options(str(tmp_path / "crews.csv"))
    with pytest.raises(ParameterError, match="already defines this; remove it here"):
        Options("crews.csv", cost={"Ann": 3})
