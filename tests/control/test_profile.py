"""What is noted of the tree is what was visited."""

import io

import pytest
from hypothesis import given

from exactcover import Problem
from exactcover.control.profile import Profile
from problems import Queens, Sudoku
from strategies import problems


@given(problem=problems(most_options=15, most_primary=8))
def test_the_levels_are_those_of_the_nodes(engine: str, problem: Problem) -> None:
    profile = Profile()
    search = problem.solve(engine=engine, profile=profile)
    found = list(search)
    assert sorted(found) == sorted(problem.solve(engine=engine))
    assert sum(profile.levels) == (0 if search.reason else search.statistics.nodes)


@given(problem=problems(most_options=15, most_primary=8))
def test_the_shape_is_a_tree_with_all_solutions(problem: Problem) -> None:
    shape = io.StringIO()
    profile = Profile(shape)
    search = problem.solve(profile=profile)
    found = list(search)
    if search.reason is not None:
        return
    assert sorted(found) == sorted(problem.solve(engine="sets"))
    nodes = [line.split() for line in shape.getvalue().splitlines()]
    assert sum(profile.levels) == search.statistics.nodes == len(nodes)
    assert sum(choices == "sol" for _, choices in nodes) == len(found)
    assert profile.most_choices == max((int(choices) for _, choices in nodes if choices != "sol"), default=0)
    for level, number in enumerate(profile.levels):
        assert sum(depth == str(level) for depth, _ in nodes) == number


def test_the_core_visits_one_node_for_each_choice() -> None:
    shape = io.StringIO()
    list(Queens(n=6).problem().solve(engine="sets", profile=Profile(shape)))
    choices = [line.split()[1] for line in shape.getvalue().splitlines()]
    assert len(choices) == 1 + sum(int(number) for number in choices if number != "sol")


def test_problems_that_would_be_searched_by_planes(engine: str) -> None:
    profile = Profile()
    assert sum(1 for _ in Sudoku(box="2x2").problem().solve(engine=engine, profile=profile)) == 288
    assert profile.levels[0] == 1
    assert profile.levels[16] == 288


def test_the_shape_is_that_of_a_plain_search_by_the_core() -> None:
    problem = Queens(n=6).problem()
    for asked in ({"engine": "native"}, {"reduce": True}, {"distinct": True}, {"restarts": True, "limit": 1}):
        with pytest.raises(ValueError, match="the shape"):
            problem.solve(profile=Profile(io.StringIO()), **asked)
    search = problem.solve(profile=Profile(io.StringIO()))
    assert search.count() == 4
    assert search.statistics.engine == "sets"


def test_one_job_only() -> None:
    with pytest.raises(ValueError, match="one job only"):
        Queens(n=6).problem().solve(jobs=2, profile=Profile())
