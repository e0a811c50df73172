"""Counts of problems that consist of independent components, or that weights show to be impossible."""

import inspect
from math import prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classics import put_together
from commands import StopWhen
from exactcover import Colored, Problem, SearchOptions, StoppedError
from exactcover.control.policy import CountingPolicy
from exactcover.counting.count import find_components
from oracles import brute_force
from policies import start_search
from problems import Queens
from strategies import problems

AT_ONCE = CountingPolicy(root_patience=0, weigh_seconds=0)
"""Looks for components and weights before anything is counted."""


@pytest.mark.parametrize("jobs", [1, 2])
def test_numbers_of_components_are_multiplied(jobs: int) -> None:
    search = put_together(*[Queens(n=10).problem()] * 8).solve(options=SearchOptions(jobs=jobs))
    assert search.count() == 724**8
    assert (search.statistics.details["strategy"], search.statistics.details["components"]) == ("components", 8)


@pytest.mark.parametrize("symmetry", [None, False])
@given(several=st.lists(problems(most_options=7), min_size=1, max_size=3))
def test_products_are_what_brute_force_finds(symmetry: bool | None, several: list[Problem]) -> None:
    problem = put_together(*several)
    found = start_search(problem, AT_ONCE, SearchOptions(symmetry=symmetry)).count()
    assert found == prod(len(brute_force(one)) for one in several)


def test_components_have_the_items_and_options_of_the_whole_between_them() -> None:
    options: dict[str, list[Any]] = {"A": [1, "x"], "B": [2, Colored("x", 1)], "C": [3], "D": [3, 4]}
    found = find_components(Problem(options, primary=[1, 2, 3, 4], secondary=["x"]).matrix)
    assert [(list(part.items), len(part.matrix)) for part in found] == [([0, 1, 4], 2), ([2, 3], 2)]
    assert [[part.matrix.origin(item) for item in range(part.matrix.items)] for part in found] == [[0, 1, 4], [2, 3]]


def test_a_count_that_finds_nothing_looks_for_weights() -> None:
    """More people on one side than on the other: a search would try all ways to leave some of them alone."""
    edges = Problem({(a, b): [("left", a), ("right", b)] for a in range(50) for b in range(47) if (a + b) % 7 < 6})
    search = edges.search()
    assert search.count() == 0
    assert (
        search.reason
        == "if 47 items weigh -1 and 50 items weigh 1, each option weighs 0, but all that must be covered weighs 3"
    )


def test_a_stop_that_comes_while_weights_are_looked_for_is_a_stop() -> None:
    late = StopWhen(lambda: any(frame.function == "find_weights" for frame in inspect.stack(0)))
    uneven = Problem({(left, right): [f"l{left}", f"r{right}"] for left in range(9) for right in range(8)})
    with start_search(uneven, AT_ONCE, stop=late) as search, pytest.raises(StoppedError):
        search.count()
