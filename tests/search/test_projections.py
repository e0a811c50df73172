"""Projected solutions, against the set of all solutions."""

import random
from typing import Any

import pytest

from exactcover import Goal, Problem, ProblemError, SearchOptions, Status
from exactcover.algorithm_x import item_of
from exactcover.control.options import COUNT
from oracles import brute_force
from soft_problems import random_problem


@pytest.mark.parametrize("name", ["auto", "native", "sets", "learning"])
def test_each_projection_comes_once(name: str) -> None:
    for number in range(200, 340):
        problem = random_problem(number)
        generator = random.Random(1000 + number)
        given = problem.labels[:1] if generator.random() < 0.25 else ()
        solutions = {one for one in brute_force(problem) if one.issuperset(given)}
        labels = [label for label in problem.labels if generator.random() < 0.4]
        items = [item for item in problem.items if generator.random() < 0.3]
        matter = {*labels, *(label for label, row in problem.options.items() if {*items} & {*map(item_of, row)})}
        expected = {solution & matter for solution in solutions}
        reduce, seed = generator.choice([None, True]), generator.choice([None, 5])
        names, options = [*items, *labels], SearchOptions(engine=name, reduce=reduce, seed=seed)
        search = problem.search(options=options, project=names, given=given)
        found = [frozenset(solution) for solution in search]
        assert all(solution in solutions for solution in found)
        projections = [solution & matter for solution in found]
        assert len(projections) == len(set(projections)) and set(projections) == expected
        assert search.status is (Status.COMPLETE if expected else Status.UNSATISFIABLE)
        assert problem.search(COUNT, options, project=names, given=given).count() == len(expected)
        if name == "auto":
            assert problem.diagram(given=given).project(names).count == len(expected)
            projected = problem.diagram(given=given, order="compact").project(names)
            assert {frozenset(one) for one in projected} == expected


def test_a_limit_and_a_stop_end_a_projection() -> None:
    problem = Problem({f"option {number}": [number // 2] for number in range(20)})
    search = problem.search(Goal("first", 1), project=[0])
    assert len(list(search)) == 1 and search.status is Status.LIMIT
    search = problem.search(project=[0, 1], timeout=0)
    assert not list(search) and search.status is Status.TIMEOUT


def test_names_that_are_unknown_or_ambiguous_are_refused() -> None:
    problem = Problem({"A": ["a"], "b": ["b"], 1: ["1"]})
    twins = Problem({"A": [TwoNames(), TwoNames()]})
    wrong: list[tuple[Problem, Any, str]] = [
        (problem, ["aa"], "project names 'aa', which is neither an item nor a label"),
        (problem, ["b"], "both an item and the label"),
        (problem, "A", "project: expected a list of items and labels"),
        (problem, [["A"]], "neither"),
        (twins, ["2"], "several items have the text '2'"),
    ]
    for one, project, message in wrong:
        with pytest.raises(ProblemError, match=message):
            one.search(project=project)


class TwoNames:
    """An item whose text is that of others."""

    def __str__(self) -> str:
        return "2"
