"""The engine that others are begun from agrees with brute force, and refuses what it cannot do."""

from collections.abc import Iterator

import pytest
from hypothesis import given

from exactcover import EngineUnavailableError, Problem, SearchOptions, Status, StoppedError
from exactcover.engines.base import ENGINES
from exactcover.engines.template import TemplateEngine
from oracles import assert_each_once, brute_force
from problems import Queens
from strategies import problems


@pytest.fixture(autouse=True)
def template() -> Iterator[None]:
    ENGINES["template"] = TemplateEngine()
    yield
    del ENGINES["template"]


@given(problems())
def test_it_agrees_with_brute_force(problem: Problem) -> None:
    expected = brute_force(problem)
    assert_each_once(problem.solve(engine="template"), expected)
    assert problem.count(engine="template") == len(expected)


def test_givens_costs_and_stops_are_handled_above_it() -> None:
    problem = Queens(n=6).problem()
    first = problem.labels[0]
    assert problem.count(given=[first], engine="template") == problem.count(given=[first])
    assert len(problem.find(engine="template") or ()) == 6
    with pytest.raises(StoppedError) as caught:
        Queens(n=12).problem().count(timeout=0, engine="template")
    assert caught.value.status is Status.TIMEOUT
    with pytest.raises(EngineUnavailableError, match="'template' does not support heuristic='leftmost'"):
        problem.solve(options=SearchOptions(heuristic="leftmost", engine="template"))
    with pytest.raises(EngineUnavailableError, match="it does not minimize costs"):
        next(Problem({"A": [1], "B": [1]}, costs={"A": 1}).cheapest(engine="template"))
