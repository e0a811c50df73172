"""Options written out by hand, or read from a table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from exactcover import Encoder, ParameterError, Weighted
from exactcover.config.configuration import read_file
from problems import Options


def test_options_may_be_colored() -> None:
    table = Options({"a": (1, "s:red"), "b": (2, "s:red"), "c": (2, "s:blue"), "d": ("12:30",)}, optional=("s",))
    assert list(table.problem().solve()) == [("a", "b", "d")]


@pytest.mark.parametrize(
    ("entry", "item"),
    [
        ("x*3", Weighted("x", 3)),
        ("x * 3", Weighted("x", 3)),
        ("*3", "*3"),
        ("x*²", "x*²"),
        ("x*y", "x*y"),
        ("x*", "x*"),
    ],
)
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


@pytest.mark.parametrize(
    ("make", "path", "message"),
    [
        (lambda: Options({"a": (1,)}, multiplicities={"2": 3}), ("multiplicities",),
         "multiplicity names '2', which is not an item; expected a primary item"),
        (lambda: Options({"a": (1,)}, cost={"b": 3}), ("cost",), "costs name 'b', which is not an option"),
        (lambda: Options({"a": (1,)}, given=("b",)), ("given", 0), "no option is labeled 'b'"),
    ],
)  # fmt: skip
def test_parameters_are_refused(make: Callable[[], Encoder], path: tuple[object, ...], message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        make()
    assert (caught.value.path, caught.value.message) == (path, message)
