from typing import Any

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


def test_a_solution_says_so() -> None:
    assert str(Problem({"A": [1]}).verify(["A"])) == "a solution"


@given(problems(most_options=8), st.data())
def test_it_agrees_with_the_definition(problem: Problem, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from(problem.labels), unique=True)) if problem.labels else []
    assert bool(problem.verify(chosen)) == (frozenset(chosen) in brute_force(problem))
