"""Paths between equal symbols, and through numbers in order, against brute force."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from typing import Any

import networkx as nx
import pytest

from exactcover.pictures import render
from problems import Numberlink

Cell = tuple[int, int]


def draw_board(rng: random.Random, symbols: list[str], blocked: int = 0) -> dict[Cell, str]:
    cells = [(row, column) for row in range(1, 4) for column in range(1, 5)]
    return dict(zip(rng.sample(cells, len(symbols) + blocked), [*symbols, *"#" * blocked], strict=True))


def write(board: dict[Cell, str]) -> str:
    return "/".join("".join(board.get((row, column), ".") for column in range(1, 5)) for row in range(1, 4))


def make_grid(board: dict[Cell, str]) -> nx.Graph[Cell]:
    grid = nx.grid_2d_graph(range(1, 4), range(1, 5))
    grid.remove_nodes_from([cell for cell, symbol in board.items() if symbol == "#"])
    return grid


def find_links(board: dict[Cell, str], *, fill: bool) -> set[frozenset[Any]]:
    """All sets of disjoint paths, by trying each path for each symbol."""
    grid, found = make_grid(board), set[frozenset[Any]]()
    symbols = sorted({one for one in board.values() if one != "#"})
    ends = {symbol: [cell for cell, one in board.items() if one == symbol] for symbol in symbols}

    def extend(left: list[str], chosen: tuple[tuple[Cell, ...], ...]) -> None:
        taken = {cell for path in chosen for cell in path}
        if not left:
            if not fill or len(taken) == len(grid):
                found.add(frozenset(frozenset(pair) for path in chosen for pair in pairwise(path)))
            return
        others = taken | {cell for symbol in left[1:] for cell in ends[symbol]}
        one, other = ends[left[0]]
        for path in nx.all_simple_paths(grid.subgraph(set(grid) - others), one, other):
            extend(left[1:], (*chosen, tuple(path)))

    extend(symbols, ())
    return found


@pytest.mark.parametrize("fill", [True, False])
@pytest.mark.parametrize("seed", range(10))
def test_all_paths_by_brute_force(seed: int, fill: bool) -> None:
    rng = random.Random(seed)
    board = draw_board(rng, [*"AABB", *"CC" * (seed % 2)], seed % 3 == 0)
    puzzle = Numberlink(write(board), fill=fill)
    paths = [puzzle.decode(solution).values() for solution in puzzle.solve()]
    found = [frozenset(frozenset(pair) for path in one for pair in pairwise(path)) for one in paths]
    assert Counter(found) == Counter(find_links(board, fill=fill))


@pytest.mark.parametrize("fill", [True, False])
@pytest.mark.parametrize("seed", range(10))
def test_all_paths_through_numbers_in_order_by_brute_force(seed: int, fill: bool) -> None:
    rng = random.Random(seed)
    numbers = [str(number) for number in range(1, 3 + seed % 4)]
    board = draw_board(rng, numbers, seed % 3 == 0)
    if seed % 2:  # so that there is a solution
        way = [(1, 1), (1, 2), (1, 3), (1, 4), (2, 4), (2, 3), (2, 2), (2, 1), (3, 1), (3, 2), (3, 3), (3, 4)]
        chosen = [0, *sorted(rng.sample(range(1, 11), len(numbers) - 2)), 11]
        board = {way[k]: number for k, number in zip(chosen, numbers, strict=True)}
    places = {symbol: cell for cell, symbol in board.items()}
    grid, wanted = make_grid(board), set[tuple[Cell, ...]]()
    for path in nx.all_simple_paths(grid, places["1"], places[numbers[-1]]):
        met = [board[cell] for cell in path if cell in board]
        if met == numbers and (not fill or len(path) == len(grid)):
            wanted.add(tuple(path))
    puzzle = Numberlink(write(board), kind="zip", fill=fill)
    found = [puzzle.decode(solution)["1"] for solution in puzzle.solve()]
    assert Counter(found) == Counter(wanted)


def test_a_solution_is_written_in_a_frame_that_is_read_again() -> None:
    puzzle = Numberlink("10 . 10 / 2 # 2 / . . .")
    (solution,) = puzzle.solve()
    text = puzzle.unparse(solution)
    assert text.splitlines() == [
        "+  +  +  +",
        " 10-. -10",
        "+  +  +  +",
        " 2  #  2",
        "+| +  +| +",
        " . -. -.",
        "+  +  +  +",
    ]
    again = Numberlink().parse(text)
    assert [again.unparse(one) for one in again.solve()] == [text]
    assert puzzle.unparse([]).splitlines() == ["10  . 10", " 2  #  2", " .  .  ."]
    assert render(puzzle.draw(solution)).splitlines()[1] == "│ 10────10│"
