"""Cycles and paths against networkx; puzzles with one loop against all cycles of a grid."""

import random
from collections import Counter
from collections.abc import Iterable
from functools import partial
from itertools import islice, pairwise, product
from typing import Any

import networkx as nx
import pytest

from exactcover import Encoder, SearchOptions, generate
from exactcover.encoders.instances import group_givens
from exactcover.pictures import render
from problems import Loops, Masyu, Slitherlink
from problems.graphs import read_graph

Cycle = frozenset[frozenset[Any]]


def close(points: Iterable[Any]) -> Cycle:
    """The edges of a cycle whose vertices are given in order."""
    listed = list(points)
    return frozenset(frozenset(pair) for pair in pairwise([*listed, listed[0]]))


def cycles(rows: int, columns: int, first: int = 0) -> set[Cycle]:
    """All simple cycles of a lattice of points, by networkx."""
    grid = nx.grid_2d_graph(range(first, rows + first), range(first, columns + first))
    return {close(one) for one in nx.simple_cycles(grid)}


@pytest.mark.parametrize("name", ["petersen", "complete 5", "cube", "wheel 6", "bipartite 2 4", "path 4", "cycle 3"])
def test_cycles_and_paths_of_graphs_by_networkx(name: str) -> None:
    graph = read_graph(name)
    found = list(map(set, nx.simple_cycles(graph)))
    assert Loops(graph=name).count() == len(found)
    assert Loops(graph=name, visit="all").count() == sum(len(one) == len(graph) for one in found)
    one, *_, other = graph
    paths = [len(path) for path in nx.all_simple_paths(graph, one, other)]
    assert Loops(graph=name, of="paths", ends=(one, other)).count() == len(paths)
    assert Loops(graph=name, of="paths", ends=(one, other), visit="all").count() == paths.count(len(graph))


def test_paths_with_free_ends() -> None:
    graph = nx.grid_2d_graph(3, 3)
    paths = {frozenset(map(frozenset, pairwise(path))) for one in graph for other in graph if one != other
             for path in nx.all_simple_paths(graph, one, other)}  # fmt: skip
    assert Loops(board="2x2", of="paths").count() == len(paths)
    assert Loops(board="2x2", of="paths", visit="all").count() == sum(len(path) == 8 for path in paths)


def test_a_loop_and_a_path_as_their_points() -> None:
    square, path = Loops(board="1x1"), Loops(board="1x1", of="paths", ends=("r1c1", "r1c2"), visit="all")
    (loop,), (way,) = square.solve(), path.solve()
    assert square.decode(loop) == ("r1c1", "r1c2", "r2c2", "r2c1")
    assert path.decode(way) == ("r1c1", "r2c1", "r2c2", "r1c2")
    assert square.unparse(loop) == "+-+\n| |\n+-+"
    assert render(path.draw(way)).splitlines() == ["│   │", "│   │", "└───┘"]
    named = Loops(graph=(("a", "b"), ("b", "c"), ("c", "a")))
    assert [named.unparse(one) for one in named.solve()] == ["a - b, a - c, b - c"]


def test_a_graph_without_edges_between_ends_has_no_path() -> None:
    assert Loops(graph=(("a", "b"), ("c", "d")), of="paths", ends=("a", "c")).count() == 0
    assert Loops(graph="path 1").count() == 0


@pytest.mark.parametrize("seed", range(12))
def test_slitherlinks_have_the_loops_that_fit_their_numbers(seed: int) -> None:
    rng, wanted = random.Random(seed), set[Cycle]()
    clues = {(row, column): rng.randrange(4) for row in range(3) for column in range(3) if rng.random() < 0.35}
    for cycle in cycles(4, 4):
        if all(count_sides(cycle, *cell) == number for cell, number in clues.items()):
            wanted.add(cycle)
    rows = tuple("".join(str(clues.get((row, column), ".")) for column in range(3)) for row in range(3))
    puzzle = Slitherlink(rows)
    found = [close(puzzle.decode(solution)) for solution in puzzle.solve()]
    assert Counter(found) == Counter(wanted if clues else {one for one in wanted if len(one) > 4})


def count_sides(cycle: Cycle, row: int, column: int) -> int:
    corners = [(row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column)]
    return len(close(corners) & cycle)


@pytest.mark.parametrize("seed", range(12))
def test_masyus_have_the_loops_that_fit_their_pearls(seed: int) -> None:
    rng, known = random.Random(seed), cycles(4, 4, 1)
    places = [(row, column) for row in range(1, 5) for column in range(1, 5)]
    if seed % 3:  # pearls of a loop, so that there is a solution
        cycle = rng.choice(sorted(known, key=lambda one: sorted(map(sorted, one))))
        fitting = {place: pearl for place in places if (pearl := find_pearl(cycle, place))}
        pearls = {place: pearl for place, pearl in fitting.items() if rng.random() < 0.7}
    else:
        pearls = {place: rng.choice("WB") for place in rng.sample(places, 2)}
    wanted = {one for one in known if all(find_pearl(one, place) == pearl for place, pearl in pearls.items())}
    rows = tuple("".join(pearls.get((row, column), ".") for column in range(1, 5)) for row in range(1, 5))
    puzzle = Masyu(rows)
    found = [close(puzzle.decode(solution)) for solution in puzzle.solve()]
    assert Counter(found) == Counter(wanted)


def find_pearl(cycle: Cycle, place: tuple[int, int]) -> str:
    """The pearl that may lie at a place; empty for none."""

    def turn(point: tuple[int, int]) -> bool | None:
        ends = [other for edge in cycle if point in edge for other in edge if other != point]
        return None if not ends else ends[0][0] != ends[1][0] and ends[0][1] != ends[1][1]

    around = [turn(other) for edge in cycle if place in edge for other in edge if other != place]
    if turn(place) is None:
        return ""
    return "B" * (not any(around)) if turn(place) else "W" * any(around)


def test_a_board_without_clues_has_long_loops() -> None:
    known = cycles(4, 4)
    touched = [len({cell for cell in product(range(3), repeat=2) if count_sides(one, *cell)}) for one in known]
    largest = [max(count_sides(one, *cell) for cell in product(range(3), repeat=2)) for one in known]
    wanted = sum(some >= 9 - 2 and most < 4 for some, most in zip(touched, largest, strict=True))
    assert Slitherlink("3x3").boards().count() == wanted
    assert Slitherlink("1x1").boards().count() == 1
    assert Masyu("4x4").boards().count() == sum(len(one) >= 16 - 4 for one in known)


@pytest.mark.parametrize("encoder", [Slitherlink("5x5"), Masyu("5x5")], ids=["slitherlink", "masyu"])
def test_generated_puzzles_have_one_loop(encoder: Encoder) -> None:
    groups = partial(group_givens, encoder)
    puzzles = generate(encoder.problem(), seed=1, together=groups, boards=encoder.boards().problem())
    for puzzle in islice(puzzles, 8):
        text = encoder.unparse(puzzle.givens)
        again = encoder.parse(text)
        assert again.unparse(again.givens()) == text
        assert again.count() == 1


def test_pearls_in_all_their_spellings() -> None:
    boards = ["W.B/...", "w - b\n- - -", "2 3\no . *\n. . .", "1-2/---", "○·●\n···"]
    assert {Masyu(board).unparse(Masyu(board).givens()) for board in boards} == {"W.B\n..."}


@pytest.mark.parametrize("encoder", [Slitherlink("5x5"), Masyu("6x6")], ids=["slitherlink", "masyu"])
def test_a_sweep_counts_the_loops_of_an_empty_board(encoder: Encoder) -> None:
    assert encoder.problem().count(options=SearchOptions(engine="diagram", strategy="sweep")) == 1222363  # A140517
