"""The cheapest solutions, on every engine; the oracle is to list all of them."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classics import langford
from exactcover import EngineUnavailableError, Goal, Problem, ProblemError, Profile, SearchOptions, Status
from exactcover.control.options import Heuristic
from strategies import COSTS, instances, priced


@given(problem=instances(priced(prices=COSTS)), k=st.integers(1, 5))
def test_the_cheapest_are_the_first_of_all_by_cost(tree_engine: str, problem: Problem, k: int) -> None:
    everything = list(problem.solve())
    search = problem.cheapest(k, engine=tree_engine)
    found = list(search)
    assert len(set(found) & set(everything)) == len(found)
    assert [problem.cost(solution) for solution in found] == sorted(map(problem.cost, everything))[:k]
    ending = Status.OPTIMAL if len(found) == k else Status.COMPLETE if found else Status.UNSATISFIABLE
    assert search.status is ending
    assert found == list(problem.cheapest(k, engine=tree_engine))


def test_costs_are_exact(tree_engine: str) -> None:
    problem = Problem({"A": [1], "B": [2], "C": [1, 2]}, costs={"A": Decimal("0.1"), "B": Decimal("0.2"), "C": 1})
    assert problem.cost(["A", "B"]) == Decimal("0.3")
    assert next(problem.cheapest(engine=tree_engine)) == ("A", "B")
    large = Problem({"A": [1], "B": [1]}, costs={"A": 10**30 + 1, "B": 10**30})
    assert next(large.cheapest()) == ("B",)
    assert large.cost(["A"]) == 10**30 + 1


def test_a_stopped_search_delivers_the_cheapest_it_has_seen(tree_engine: str) -> None:
    plain = langford(12)
    problem = Problem(plain.options, costs={label: position % 17 for position, label in enumerate(plain.labels)})
    search = problem.cheapest(3, timeout=0.2, engine=tree_engine)
    costs_found = list(map(problem.cost, search))
    assert costs_found == sorted(costs_found)
    assert search.status in (Status.TIMEOUT, Status.OPTIMAL)


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ({"A": True}, "expected a number, such as an int, a Decimal or a float"),
        ({"A": Decimal("NaN")}, "finite"),
        ({"AA": 1}, "costs name 'AA', which is not an option; did you mean 'A'?"),
    ],
)
def test_wrong_costs(costs: dict[str, Any], message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        Problem({"A": [1]}, costs=costs)


LARGE = [2**62, 2**63 - 1, 2**63, 2**64, 10**40, Decimal("1e27"), Decimal("9223372036854775808.5")]


@pytest.mark.parametrize("large", LARGE, ids=str)
@pytest.mark.parametrize("name", ["sets", "native", "diagram", "highs", "cpsat", "auto"])
def test_costs_of_any_size_give_the_right_answer_or_say_why_not(name: str, large: int | Decimal) -> None:
    """Two pairs of options, no two solutions at the same cost."""
    costs = {"A": large, "B": large + 1, "C": 1, "D": 3}
    problem = Problem({"A": [1], "B": [1], "C": [2], "D": [2], "E": [1, 2]}, costs={**costs, "E": 2 * large})
    cheapest = [("A", "C"), ("B", "C"), ("A", "D"), ("B", "D"), ("E",)]
    try:
        assert list(problem.cheapest(5, engine=name)) == cheapest
    except EngineUnavailableError as error:
        if "there is no engine called" in str(error) or "needs OR-Tools" in str(error):
            pytest.skip("not installed")
        assert name in ("native", "highs", "cpsat")
        assert "costs" in str(error)
    if name != "cpsat":
        assert problem.count(engine=name) == 5
    assert len(list(problem.solve(engine=name))) == 5


@pytest.mark.parametrize("heuristic", ["mrv", "leftmost", "weighted"])
def test_the_cheapest_with_every_heuristic(tree_engine: str, heuristic: Heuristic) -> None:
    problem = Problem({"A": [1], "B": [2], "C": [1, 2], "D": [1, 2]}, costs={"A": 2, "B": 2, "C": 3, "D": 1})
    profile, options = Profile(), SearchOptions(engine=tree_engine, heuristic=heuristic)
    search = problem.search(Goal("cheapest", 2), options, profile=profile)
    assert (list(search), search.status) == ([("D",), ("C",)], Status.OPTIMAL)
    assert sum(profile.levels) == search.statistics.nodes
