"""Goals and options are values: validated when they are made, and usable for any number of searches."""

import io
from typing import Any

import pytest

from exactcover import Goal, Problem, Profile, SearchLogWriter, SearchOptions, Status
from problems import Queens

PROBLEM = Problem({"A": [1], "B": [2], "C": [1, 2]}, costs={"A": 1, "B": 1, "C": 5})


@pytest.mark.parametrize("kind", ["all", "count", "diagram"])
def test_a_goal_without_a_number_takes_none(kind: Any) -> None:
    with pytest.raises(ValueError, match="has no number; got 5"):
        Goal(kind, 5)


def test_a_search_for_the_cheapest_solutions_does_not_count_all() -> None:
    search = PROBLEM.cheapest(1)
    with pytest.raises(ValueError, match="for the cheapest solutions cannot count all"):
        search.count()
    assert list(search) == [("A", "B")]
    assert search.status is Status.OPTIMAL
    with pytest.raises(ValueError, match="for the cheapest solutions cannot count all"):
        search.count()
    assert PROBLEM.count() == 2


def test_a_search_with_a_limit_does_not_count_all_even_at_its_end() -> None:
    search = PROBLEM.solve(limit=3)
    assert len(list(search)) == 2
    with pytest.raises(ValueError, match="with a limit cannot count all"):
        search.count()


@pytest.mark.parametrize("kind", ["count", "diagram"])
def test_a_search_that_counts_lists_nothing(kind: Any) -> None:
    search = PROBLEM.search(Goal(kind))
    for deliver in (search.__next__, lambda: next(search.positions()), lambda: next(search.batches())):
        with pytest.raises(ValueError, match=f"with the goal '{kind}' does not deliver solutions"):
            deliver()
    assert search.status is Status.RUNNING


def test_options_are_used_again(tree_engine: str) -> None:
    options, problem = SearchOptions(engine=tree_engine, heuristic="leftmost"), Queens(n=5).problem()
    logs = [io.BytesIO(), io.BytesIO()]
    for file in logs:
        assert len(list(problem.search(Goal("all"), options, log=SearchLogWriter(file)))) == 10
    assert logs[0].getvalue() == logs[1].getvalue()


def test_a_profile_shows_the_search_that_began_last(tree_engine: str) -> None:
    profile = Profile()
    for n, number in ((6, 4), (5, 10), (5, 10)):
        search = Queens(n=n).problem().solve(engine=tree_engine, profile=profile)
        assert len(list(search)) == number
        assert sum(profile.levels) == search.statistics.nodes


def test_a_profile_shows_the_last_attempt(tree_engine: str) -> None:
    profile = Profile()
    search = (
        Queens(n=12)
        .problem()
        .solve(engine=tree_engine, profile=profile, limit=1, seed=5, options=SearchOptions(restarts=True))
    )
    assert len(list(search)) == 1
    assert profile.levels[0] == 1
