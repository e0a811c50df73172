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


def test_a_search_for_some_solutions_does_not_count_all_even_at_its_end() -> None:
    for search, some in ((PROBLEM.cheapest(1), "for the cheapest solutions"), (PROBLEM.solve(limit=3), "with a limit")):
        for _ in range(2):
            with pytest.raises(ValueError, match=f"{some} cannot count all"):
                search.count()
            list(search)


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
        search = Queens(n=n).problem().search(options=SearchOptions(engine=tree_engine), profile=profile)
        assert len(list(search)) == number
        assert sum(profile.levels) == search.statistics.nodes


def test_a_profile_shows_the_last_attempt(tree_engine: str) -> None:
    profile, options = Profile(), SearchOptions(engine=tree_engine, restarts=True, seed=5)
    assert len(list(Queens(n=12).problem().search(Goal("first", 1), options, profile=profile))) == 1
    assert profile.levels[0] == 1
