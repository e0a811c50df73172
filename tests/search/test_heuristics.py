"""A heuristic may be a function: it sees names and positions, decides where to branch, and cannot change the solutions."""

import io
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from exactcover import EngineUnavailableError, Goal, Problem, Profile, SearchLog, SearchLogWriter, SearchOptions, Status
from exactcover.algorithm_x import item_of
from exactcover.engines.base import ENGINES
from oracles import assert_each_once, brute_force
from problems import Queens
from strategies import problems

Choices = Mapping[Any, Sequence[int]]


def choose_last(choices: Choices) -> Any:
    return list(choices)[-1]


def choose_most(choices: Choices) -> Any:
    return max(choices, key=lambda item: len(choices[item]))


def choose_any(choices: Choices) -> Any:
    return random.Random(len(choices)).choice(list(choices))


@pytest.mark.parametrize("function", [choose_last, choose_most, choose_any])
@given(problem=problems(), seed=st.none() | st.integers(0, 3), reduce=st.booleans(), data=st.data())
def test_solutions_are_the_same_with_any_function(
    function: Callable[[Choices], Any], problem: Problem, seed: int | None, reduce: bool, data: st.DataObject
) -> None:
    assume(problem.labels)
    chosen = data.draw(st.lists(st.sampled_from(problem.labels), max_size=1), label="given")
    without = data.draw(st.lists(st.sampled_from(problem.labels), max_size=1), label="without")
    covered = {label: {*map(item_of, row)} for label, row in problem.options.items()}
    given_items = {item for label in chosen for item in covered[label]}

    def check(choices: Choices) -> Any:
        assert list(choices) == [item for item in order if item in choices] or seed is not None
        for item, positions in choices.items():
            for position in positions:
                label = problem.labels[position]
                assert item in covered[label]
                assert label not in chosen
                assert label not in without
            assert item not in given_items or problem.matrix.multiplicity
        return function(choices)

    order = problem.primary
    options = SearchOptions(engine="sets", heuristic=check, seed=seed, reduce=reduce)
    expected = {one for one in brute_force(problem) if one.issuperset(chosen) and one.isdisjoint(without)}
    assert_each_once(problem.solve(options=options, given=chosen, without=without), expected)
    assert problem.count(options=options, given=chosen, without=without) == len(expected)


def test_a_function_can_do_what_the_default_does() -> None:
    problem = Queens(n=6).problem()
    ends = []
    for heuristic in ("mrv", lambda choices: min(choices, key=lambda item: len(choices[item]))):
        search = problem.solve(options=SearchOptions(engine="sets", heuristic=heuristic))
        ends.append((list(search), search.statistics.nodes))
    assert ends[0] == ends[1]


def test_one_solution_the_cheapest_and_classes_are_found_with_a_function() -> None:
    problem = Problem({"A": [1], "B": [1], "C": [2, 3], "D": [2], "E": [3]}, costs={"A": 2, "B": 1, "C": 4})
    options = SearchOptions(heuristic=choose_last)
    assert problem.find(options=options) is not None
    assert list(problem.search(Goal("cheapest", 1), options)) == [("B", "D", "E")]
    queens = Queens(n=6).problem()
    assert len(list(queens.solve(options=replace(options, distinct=True)))) == 1
    assert queens.count(distinct=True, options=options) == 1
    assert queens.count(options=options) == 4


@pytest.mark.parametrize("name", ENGINES)
def test_only_the_engine_in_python_calls_functions(name: str) -> None:
    problem, options = Queens(n=5).problem(), SearchOptions(engine=name, heuristic=choose_last)
    if name == "sets":
        search = problem.solve(options=replace(options, engine="auto"))
        assert len(list(search)) == problem.count(options=options) == 10
        assert search.statistics.engine == "sets"
        options = replace(options, engine="auto", jobs=2)
    refusal = "no engine can run this" if name == "sets" else f"'{name}' does not support a function as heuristic"
    for ask in (problem.solve, problem.count):
        with pytest.raises(EngineUnavailableError, match=refusal):
            ask(options=options)


@pytest.mark.parametrize("nonsense", [None, "row 1", "nowhere", 0, 2.5, [], {}, ("row 1", "row 2")], ids=repr)
def test_nonsense_is_an_error_that_names_it(nonsense: object) -> None:
    """Also an item that is covered already."""

    def talk_nonsense(choices: Choices) -> Any:
        return nonsense if len(choices) < 6 else next(iter(choices))

    search = Queens(n=6).problem().solve(options=SearchOptions(engine="sets", heuristic=talk_nonsense))
    with pytest.raises(ValueError, match=r"talk_nonsense returned .*, which is not an item that is left") as error:
        list(search)
    assert repr(nonsense) in str(error.value)
    assert search.status is Status.INTERRUPTED
    assert list(search) == []


@pytest.mark.parametrize("error", [KeyError("mine"), StopIteration(), ZeroDivisionError()], ids=repr)
def test_an_error_of_a_function_is_never_an_answer(error: Exception) -> None:
    def fail(choices: Choices) -> Any:
        raise error

    search = Queens(n=6).problem().solve(options=SearchOptions(engine="sets", heuristic=fail))
    with pytest.raises((type(error), RuntimeError)):
        list(search)
    assert search.status is Status.INTERRUPTED


def test_what_a_function_does_to_its_argument_changes_nothing() -> None:
    def clear(choices: dict[Any, Sequence[int]]) -> Any:
        item = next(iter(choices))
        choices.clear()
        return item

    assert Queens(n=6).problem().count(options=SearchOptions(engine="sets", heuristic=clear)) == 4


def test_logs_and_profiles_show_the_search_of_a_function() -> None:
    problem, profile, file = Queens(n=6).problem(), Profile(), io.BytesIO()
    options = SearchOptions(engine="sets", heuristic=choose_last)
    search = problem.search(options=options, profile=profile, log=SearchLogWriter(file))
    assert len(list(search)) == 4
    log = SearchLog(file.getvalue())
    assert log.header["heuristic"] == "choose_last"
    assert len(list(log.nodes())) == sum(profile.levels) == search.statistics.nodes
