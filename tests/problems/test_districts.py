"""Partitions of boards into connected districts, against brute force."""

from collections import Counter
from itertools import product
from typing import Any

import networkx as nx
import pytest

from exactcover.pictures import render
from problems import Districts
from problems.boards import cell_name


def partitions(cells: list[tuple[int, int]], districts: int, low: int, high: int) -> set[frozenset[Any]]:
    """All partitions, by trying every district for each cell."""
    grid, found = nx.grid_2d_graph(9, 9), set()
    for numbers in product(range(districts), repeat=len(cells)):
        parts = [[cell for cell, own in zip(cells, numbers, strict=True) if own == k] for k in range(districts)]
        if all(low <= len(part) <= high for part in parts) and all(nx.is_connected(grid.subgraph(p)) for p in parts):
            found.add(frozenset(map(frozenset, parts)))
    return found


@pytest.mark.parametrize(("rows", "districts", "sizes", "bounds"), [
    ("...\n..#\n...", 2, "3-5", (3, 5)),
    ("...\n...", 3, "any", (1, 6)),
    ("#..\n...\n..#", 3, "2 to 3", (2, 3)),
    ("..#..", 2, "any", (1, 4)),
    ("....", 1, 4, (4, 4)),
    ("...", 3, (0, 3), (1, 3)),
])  # fmt: skip
def test_all_partitions_by_brute_force(rows: str, districts: int, sizes: Any, bounds: tuple[int, int]) -> None:
    cells = [(r, c) for r, line in enumerate(rows.split("\n"), 1) for c, one in enumerate(line, 1) if one == "."]
    encoder = Districts(rows, districts, sizes)
    found = [frozenset(map(frozenset, encoder.decode(solution))) for solution in encoder.solve()]
    wanted = partitions(cells, districts, *bounds)
    assert Counter(found) == Counter(frozenset(frozenset(map(cell_name, part)) for part in one) for one in wanted)


def test_letters_join_and_part_cells() -> None:
    plain, marked = Districts("3x3", 3), Districts("A.B/.../A.B", 3)
    kept = [one for one in map(plain.decode, plain.solve())
            if any({"r1c1", "r3c1"} <= {*part} and "r1c3" not in part for part in one)
            and any({"r1c3", "r3c3"} <= {*part} for part in one)]  # fmt: skip
    assert sorted(kept) == sorted(map(marked.decode, marked.solve()))


def test_a_solution_is_the_only_one_of_its_letters() -> None:
    encoder = Districts("....\n.#..\n....", 3, "3-4")
    for solution in encoder.solve():
        text = encoder.unparse(solution)
        again = encoder.parse(text)
        assert [again.unparse(one) for one in again.solve()] == [text]
    picture = render(Districts("1x2", 2).draw(next(Districts("1x2", 2).solve())))
    assert picture.splitlines() == ["┌───┬───┐", "│   │   │", "└───┴───┘"]
