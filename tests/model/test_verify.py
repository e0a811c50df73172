from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover import Colored, Problem
from oracles import brute_force
from strategies import problems


def test_every_fault_is_said() -> None:
    red, blue = Colored("s", "red"), Colored("s", "blue")
    options: dict[str, list[Any]] = {"A": [1, red], "B": [1, 2], "C": [3, blue], "D": [4]}
    problem = Problem(options, secondary=["s"])
    verdict = problem.verify(["A", "B", "C", "C", "E"])
    assert not verdict
    assert verdict.unknown == ("E",)
    assert verdict.repeated == ("C",)
    assert verdict.uncovered == (4,)
    assert verdict.overcovered == {1: ("A", "B"), "s": ("A", "C")}
    assert str(verdict) == (
        "'E' is not an option of this problem; option 'C' is chosen more than once; item '4' is not covered; "
        "item '1' is taken by 'A' and 'B'; item 's' is taken by 'A' and 'C'"
    )


def test_a_verdict_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Problem({"A": [1]}).verify([]).uncovered = ()  # type: ignore[misc]


def test_options_that_agree_on_a_color_do_not_clash() -> None:
    red, blue, plain = Colored("s", "red"), Colored("s", "blue"), "s"
    options: dict[str, list[Any]] = {"A": [1, red], "B": [2, red], "C": [2, blue], "D": [2, plain], "E": [1, plain]}
    problem = Problem(options, secondary=["s"])
    assert problem.verify(["A", "B"])
    for clash in (["A", "C"], ["A", "D"], ["E", "D"]):
        assert problem.verify(clash).overcovered == {"s": tuple(clash)}


@pytest.mark.parametrize(
    ("bounds", "taken", "message"),
    [
        ((1, 3), 0, "item 'x' is covered 0 times instead of 1 to 3"),
        ((1, 3), 1, "a solution"),
        ((1, 3), 2, "a solution"),
        ((1, 3), 3, "a solution"),
        ((1, 3), 4, "item 'x' is covered 4 times instead of 1 to 3 by 'A' and 'B' and 'C' and 'D'"),
        ((2, 2), 1, "item 'x' is covered 1 time instead of 2"),
        ((2, 2), 2, "a solution"),
        ((2, 2), 3, "item 'x' is covered 3 times instead of 2 by 'A' and 'B' and 'C'"),
        ((0, 1), 2, "item 'x' is covered 2 times instead of 0 to 1 by 'A' and 'B'"),
    ],
)
def test_items_that_are_covered_several_times(bounds: tuple[int, int], taken: int, message: str) -> None:
    problem = Problem({label: ["x"] for label in "ABCD"}, multiplicity={"x": bounds})
    verdict = problem.verify([*"ABCD"[:taken]])
    assert str(verdict) == message
    assert bool(verdict) == (message == "a solution")


@given(problems(most_options=8), st.data())
def test_it_agrees_with_the_definition(problem: Problem, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from(problem.labels), unique=True)) if problem.labels else []
    assert bool(problem.verify(chosen)) == (frozenset(chosen) in brute_force(problem))
