"""Searches of subtrees: divided anywhere, they find every solution once, and in the order of the tree."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import classics
from exactcover import Problem, Stop
from exactcover.engines.base import ENGINES
from exactcover.engines.cursor import ROOT, Cursor, Subtree
from oracles import solve_matrix
from strategies import priced, problems


def make_search(engine: str, problem: Problem) -> Cursor:
    search = ENGINES[engine].cursor(problem.matrix, Stop())
    assert search is not None
    return search


def search_in_pieces(search: Cursor, seed: int, *, listing: bool = True) -> list[tuple[int, ...]]:
    """Search the whole tree; after some slices divide what is left, and after others take children at once."""
    generator = random.Random(seed)
    found: list[tuple[int, ...]] = []
    todo = [ROOT]
    while todo:
        subtree = todo.pop(0)
        if generator.random() < 0.5 and (children := search.children(subtree)) != [subtree]:
            todo[:0] = children
            continue
        search.begin(subtree)
        more = search.advance(listing=listing)
        if more:
            todo[:0] = [left for level in reversed(search.divide()) for left in level]
        found += search.take()
    return found


@given(problem=problems(), seed=st.integers(0, 100))
def test_children_are_a_partition_in_order(tree_engine: str, problem: Problem, seed: int) -> None:
    expected = [tuple(sorted(one)) for one in problem.search().positions()]
    search = make_search(tree_engine, problem)
    found = search_in_pieces(search, seed)
    assert sorted(found) == sorted(expected)
    assert found == search_in_pieces(search, seed + 1)


CLASSICS = {
    "Langford 8": (classics.langford(8), 300),
    "matrices with two ones": (classics.binary_matrices(5, 2), 2040),
    "graphs of degree 4": (classics.regular_graphs(7, 4), 465),
    "queens by twos": (classics.queens_by_twos(5), None),
    "Latin squares": (classics.latin_squares(4), 576),
    "rings": (classics.rings(5, 36), 13 * 2**5),
    "domination": (classics.queen_domination(5, 3), 186),
}


@pytest.mark.parametrize("name", CLASSICS)
def test_divisions_in_the_middle_lose_nothing(tree_engine: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With slices of a few nodes, searches are divided deep inside the tree, where leaves are worked on."""
    work = 40 if tree_engine == "native" else 40 << 10
    monkeypatch.setattr("exactcover.engines.cursor.Pace", lambda **_: FewNodes(work))
    problem, expected = CLASSICS[name]
    search = make_search(tree_engine, problem)
    found = search_in_pieces(search, 7)
    assert len(found) == len(set(found)) == (expected or problem.count())
    assert all(problem.verify([problem.labels[option] for option in one]) for one in found[:100])
    assert search.solutions == len(found)


class FewNodes:
    """A pace with slices of a few nodes."""

    def __init__(self, work: int) -> None:
        self.work = work

    def advance(self, step: Callable[[int], bool]) -> bool:
        return step(self.work)


def test_counts_of_parts_add_up(tree_engine: str) -> None:
    problem = classics.langford(7)
    search = make_search(tree_engine, problem)
    search_in_pieces(search, 3, listing=False)
    assert search.solutions == 52
    for seed in range(10):  # what probes visit does not count
        search.probe(ROOT, seed)
    assert search.solutions == 52


def test_probes_of_children_estimate_the_whole(tree_engine: str) -> None:
    problem = classics.langford(7)
    search = make_search(tree_engine, problem)

    def estimate(subtree: Subtree, seeds: range) -> float:
        total = 0.0
        for seed in seeds:
            share = 1.0
            for children, _, solutions in search.probe(subtree, seed):
                share *= children
                total += share * solutions
        return total / len(seeds)

    parts = [estimate(child, range(200)) for child in search.children(ROOT)]
    assert sum(parts) == pytest.approx(52, rel=0.5)


def test_contradictions_leave_nothing(tree_engine: str) -> None:
    search = make_search(tree_engine, Problem({"A": [1], "B": [1, 2], "C": [2]}))
    for subtree in (Subtree((0, 1)), Subtree((0,), (0,))):
        search.begin(subtree)
        assert not search.advance(listing=True)
        assert search.take() == []
        assert search.children(subtree) == []
    assert list(search.probe(Subtree((0, 1)), 1)) == []


@given(problem=priced(), k=st.integers(1, 4), ceiling=st.integers(0, 30))
def test_the_cheapest_below_a_ceiling(tree_engine: str, problem: Problem, k: int, ceiling: int) -> None:
    from exactcover.steps.step import sort_by_cost

    matrix = sort_by_cost(problem.matrix).matrix
    costs = matrix.costs
    search = ENGINES[tree_engine].cursor(matrix, Stop())
    assert search is not None
    search.begin(ROOT, k, ceiling)
    while search.advance(listing=True):
        pass
    found = [sum(costs[option] for option in one) for one in search.take()]
    everything = (sum(costs[option] for option in one) for one in solve_matrix(matrix))
    assert found == sorted(cost for cost in everything if cost < ceiling)[:k]
