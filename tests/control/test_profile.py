"""What is noted of the tree is what was visited."""

from hypothesis import given

from exactcover import Problem
from exactcover.control.recorder import Profile
from problems import Queens
from strategies import problems


@given(problem=problems(most_options=15, most_primary=8))
def test_the_levels_are_those_of_the_nodes(tree_engine: str, problem: Problem) -> None:
    profile = Profile()
    search = problem.solve(engine=tree_engine, profile=profile)
    found = list(search)
    assert sorted(found) == sorted(problem.solve(engine=tree_engine))
    assert sum(profile.levels) == search.statistics.nodes


def test_a_count_with_a_profile_visits_every_node(tree_engine: str) -> None:
    problem = Queens(n=6).problem()
    listed, counted = Profile(), Profile()
    assert len(list(problem.solve(profile=listed, engine=tree_engine))) == 4
    assert problem.count(profile=counted, engine=tree_engine) == problem.count(profile=Profile()) == 4
    assert counted.levels == listed.levels
    assert counted.levels[6] == 4
