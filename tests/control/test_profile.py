"""What is noted of the tree is what was visited."""

from hypothesis import given

from exactcover import Problem, Profile, SearchOptions
from exactcover.control.options import COUNT
from problems import Queens
from strategies import problems


@given(problem=problems(most_options=15, most_primary=8))
def test_the_levels_are_those_of_the_nodes(tree_engine: str, problem: Problem) -> None:
    profile = Profile()
    search = problem.search(options=SearchOptions(engine=tree_engine), profile=profile)
    found = list(search)
    assert sorted(found) == sorted(problem.solve(engine=tree_engine))
    assert sum(profile.levels) == search.statistics.nodes


def test_a_count_with_a_profile_visits_every_node(tree_engine: str) -> None:
    problem, options = Queens(n=6).problem(), SearchOptions(engine=tree_engine)
    listed, counted = Profile(), Profile()
    assert len(list(problem.search(options=options, profile=listed))) == 4
    assert problem.search(COUNT, options, profile=counted).count() == 4
    assert problem.search(COUNT, profile=Profile()).count() == 4
    assert counted.levels == listed.levels
    assert counted.levels[6] == 4
