"""Projected solutions, against the set of all solutions."""

import random
from typing import Any

import pytest

from exactcover import Goal, Problem, ProblemError, SearchOptions, Status
from exactcover.algorithm_x import item_of
from exactcover.control.options import COUNT
from oracles import brute_force
from problems import Queens
from soft_problems import random_problem


@pytest.mark.parametrize("name", ["auto", "native", "sets", "learning"])
def test_each_projection_comes_once(name: str) -> None:
    for number in range(200, 320):
        problem = random_problem(number)
        solutions = brute_force(problem)
        generator = random.Random(number)
        labels = [label for label in problem.labels if generator.random() < 0.4]
        items = [item for item in problem.items if generator.random() < 0.3]
        matter = {*labels, *(label for label, row in problem.options.items() if {*items} & {*map(item_of, row)})}
        expected = {solution & matter for solution in solutions}
        names, options = [*items, *labels], SearchOptions(engine=name)
        search = problem.search(options=options, project=names)
        found = [frozenset(solution) for solution in search]
        assert all(solution in solutions for solution in found)
        projections = [solution & matter for solution in found]
        assert len(projections) == len(set(projections)) and set(projections) == expected
        assert search.status is (Status.COMPLETE if expected else Status.UNSATISFIABLE)
        assert problem.search(COUNT, options, project=names).count() == len(expected)
        if name == "auto":
            assert problem.diagram().project(names).count == len(expected)
            projected = problem.diagram(order="compact").project(names)
            assert {frozenset(one) for one in projected} == expected


@pytest.mark.parametrize("options", [SearchOptions(), SearchOptions(reduce=True), SearchOptions(seed=5)])
def test_the_rows_of_queens_are_projections(options: SearchOptions) -> None:
    problem = Queens(n=8).problem()
    expected = {tuple(str(one) for one in solution if str(one).startswith(("r1c", "r2c"))) for solution in
                (sorted(found, key=str) for found in problem.solve())}  # fmt: skip
    found = [
        tuple(sorted(str(one) for one in solution if str(one).startswith(("r1c", "r2c"))))
        for solution in problem.search(options=options, project=["row 1", "row 2"])
    ]
    assert len(found) == len(expected) and set(found) == expected
    search = problem.search(COUNT, options, project=["row 1"], given=["r2c4"])
    assert search.count() == len({one for one in expected if "r2c4" in one})


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
