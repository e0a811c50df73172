"""A limit on nodes ends a search at the same node every time, and never looks like an answer."""

import itertools
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from classics import binary_matrices, langford
from commands import assert_refused, invoke
from exactcover import Goal, Problem, SearchOptions, Status, StoppedError
from exactcover.control.policy import DEFAULT_POLICY
from exactcover.engines.base import ENGINES
from policies import start_search
from problems import Langford, Queens
from strategies import problems

MOST_FORCED = 40  # nodes at which choices are forced, one after another


def list_all(problem: Problem, **options: Any) -> tuple[list[tuple[Any, ...]], Status, int]:
    search = problem.solve(options=SearchOptions(**options))
    return list(search), search.status, search.statistics.nodes


@pytest.mark.parametrize("heuristic", ["mrv", "leftmost", "weighted"])
@pytest.mark.parametrize("problem", [Queens(n=7).problem(), binary_matrices(4, 2), langford(7)], ids=str)
def test_solutions_within_a_limit_are_the_first_ones(tree_engine: str, heuristic: str, problem: Problem) -> None:
    every, status, nodes = list_all(problem, engine=tree_engine, heuristic=heuristic)
    assert status is Status.COMPLETE
    before = 0
    for limit in (*range(1, 20), *range(20, nodes, 61)):
        found, status, visited = list_all(problem, engine=tree_engine, heuristic=heuristic, nodes=limit)
        assert found == every[: len(found)]
        assert before <= len(found)
        before = len(found)
        if status is Status.NODES:
            assert limit <= visited < limit + (1 if tree_engine == "sets" else MOST_FORCED)
        else:
            assert (found, status, visited) == (every, Status.COMPLETE, nodes)
    end = every, Status.COMPLETE, nodes
    assert list_all(problem, engine=tree_engine, heuristic=heuristic, nodes=nodes + 1) == end


def test_lists_batches_and_counts_end_at_the_same_node(tree_engine: str) -> None:
    problem, options = Queens(n=8).problem(), SearchOptions(engine=tree_engine, nodes=300)
    found, status, nodes = list_all(problem, engine=tree_engine, nodes=300)
    assert status is Status.NODES
    assert 0 < len(found) < 92
    batches = problem.solve(options=options)
    assert sum(map(len, batches.batches())) == len(found)
    assert (batches.status, batches.statistics.nodes) == (status, nodes)
    with pytest.raises(StoppedError) as stopped:
        problem.count(options=options)
    assert (stopped.value.at_least, stopped.value.statistics.nodes) == (len(found), nodes)
    assert stopped.value.status is Status.NODES


@given(problem=problems(), nodes=st.integers(1, 30), seed=st.none() | st.integers(0, 3))
@settings(deadline=None)
def test_a_limit_on_nodes_never_proves_anything(problem: Problem, nodes: int, seed: int | None) -> None:
    every = {frozenset(one) for one in problem.solve()}
    for goal in (None, Goal("first", 1), Goal("cheapest", 1)):
        options = SearchOptions(nodes=nodes, seed=None if goal == Goal("cheapest", 1) else seed)
        ends = []
        for _ in range(2):
            search = problem.search(goal or Goal("all"), options)
            found = list(search)
            ends.append((found, search.status, search.statistics.nodes))
            assert {frozenset(one) for one in found} <= every
            assert search.status is not Status.UNSATISFIABLE or not every
            assert search.status is not Status.COMPLETE or len(found) == len(every)
        assert ends[0] == ends[1]


@pytest.mark.skipif("native" not in ENGINES, reason="it would take long")
@pytest.mark.parametrize("nodes", [1, 1000, 1 << 19])
def test_several_ways_to_find_a_solution_add_up_their_nodes(nodes: int) -> None:
    problem = Langford(n=29).problem()  # no way finds the proof that there is none
    problem = Problem(problem.options, primary=problem.primary)
    ends, policy = set(), replace(DEFAULT_POLICY, weight_work=0)  # weights would prove it
    for _ in range(2):
        search = start_search(problem, policy, SearchOptions(nodes=nodes), goal=Goal("first", 1))
        assert list(search) == []
        statistics = search.statistics
        ends.add((search.status, statistics.nodes, statistics.details.get("work")))
    ((status, visited, shares),) = ends
    assert status is Status.NODES
    assert nodes <= visited
    assert (shares is None) == (nodes < 1 << 19)


def test_attempts_of_restarts_add_up_their_nodes(tree_engine: str) -> None:
    ends, limit = set(), 6_000 if tree_engine == "sets" else 100_000
    for _ in range(2):
        options = SearchOptions(engine=tree_engine, restarts=True, nodes=limit, seed=1)
        search = langford(13).solve(limit=1, options=options)
        assert list(search) == []
        ends.add((search.status, search.statistics.nodes, search.statistics.details["attempts"]))
    ((status, nodes, attempts),) = ends
    assert status is Status.NODES
    assert int(attempts) > 1
    assert limit <= nodes < limit + MOST_FORCED


def test_the_cheapest_so_far_are_delivered() -> None:
    queens = Queens(n=6).problem()
    problem = queens.derive(queens.options.items(), costs={label: 100 - sum(label[:2]) for label in queens.labels})
    for nodes in itertools.count(1):
        search = problem.search(Goal("cheapest", 1), SearchOptions(nodes=nodes))
        found = list(search)
        if search.status is Status.OPTIMAL:
            break
        assert search.status is Status.NODES
        assert all(problem.verify(one) for one in found)
    assert nodes > 1


def test_the_command_line_says_that_the_limit_was_reached() -> None:
    for verb in ("solve", "count"):
        assert_refused("stopped by the limit on nodes", verb, "queens", "n=30", "--nodes", "5", status=3)
    result = invoke("solve", "queens", "n=8", "--all", "--nodes", "300", "--format", "jsonl", "-q")
    assert (result.returncode, '"status": "nodes"' in result.stdout) == (3, True)
    for n, nodes, status in (("4", "1000", 0), ("3", "1000", 20), ("8", "0", 2)):
        assert invoke("solve", "queens", f"n={n}", "--nodes", nodes).returncode == status
