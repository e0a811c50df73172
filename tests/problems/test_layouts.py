"""Random layouts: cages and regions that are drawn anew for each puzzle."""

import math
import random
from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover import ParameterError
from exactcover.config.configuration import read_file
from exactcover.encoders.discovery import find_configs
from problems import Grid, Sudoku
from problems.layouts import exchange_cells, grow_cages, grow_regions, list_areas, move_cell

LAID_OUT = ["killer_sudoku", "jigsaw_9x9", "queens_regions", "star_battle", "suguru", "kenken"]


def open_bundled(name: str) -> Sudoku | Grid:
    encoder = read_file(find_configs()[f"{name}.yaml"]).encoder
    assert isinstance(encoder, Sudoku | Grid)
    return encoder


def find_drawing(encoder: Sudoku | Grid) -> tuple[str, ...]:
    if isinstance(encoder, Sudoku):
        drawing = encoder.cages or encoder.regions
    else:
        drawing = next((one["cages"]["areas"] for one in encoder.constraints if "cages" in one), encoder.regions)
    return tuple(drawing.split()) if isinstance(drawing, str) else tuple(drawing)


def read_areas(drawing: Iterable[str]) -> dict[str, set[tuple[int, int]]]:
    areas: dict[str, set[tuple[int, int]]] = {}
    for row, line in enumerate(drawing, 1):
        for column, letter in enumerate(line, 1):
            areas.setdefault(letter, set()).add((row, column))
    return areas


def hangs_together(cells: set[tuple[int, int]]) -> bool:
    reached = {min(cells)}
    while more := {(r + d, c + e) for r, c in reached for d, e in ((0, 1), (1, 0), (0, -1), (-1, 0))} & cells - reached:
        reached |= more
    return reached == cells


@pytest.mark.parametrize("name", LAID_OUT)
def test_layouts_are_new_connected_and_the_same_for_the_same_seed(name: str) -> None:
    encoder = open_bundled(name)
    for seed in range(4):
        laid = encoder.lay_out(random.Random(seed))
        assert laid == encoder.lay_out(random.Random(seed))
        drawing, own = find_drawing(laid), find_drawing(encoder)
        areas = read_areas(drawing)
        assert drawing != own and "." not in areas and all(map(hangs_together, areas.values()))
        assert not laid.givens()
        if name in ("jigsaw_9x9", "suguru"):
            assert Counter(map(len, areas.values())) == Counter(map(len, read_areas(own).values()))


@pytest.mark.parametrize("name", ["killer_sudoku", "queens_regions", "kenken"])
def test_layouts_around_a_solution_have_one(name: str) -> None:
    encoder = open_bundled(name)
    for seed in range(4):
        laid = encoder.lay_out(random.Random(seed))
        assert next(laid.solve(limit=1), None) is not None


def test_layouts_of_counted_regions_hold_what_they_count() -> None:
    laid = open_bundled("queens_regions").lay_out(random.Random(5))
    areas = read_areas(find_drawing(laid))
    assert len(areas) == 8
    queens = {(one.row, one.column) for one in next(laid.solve(limit=1)) if one.symbol == "♛"}
    assert all(len(queens & area) == 1 for area in areas.values())


def test_kenken_totals_use_the_signs_of_the_puzzle() -> None:
    laid = open_bundled("kenken").lay_out(random.Random(1))
    assert isinstance(laid, Grid)
    totals = laid.constraints[1]["cages"]["totals"]
    signs = {total[-1] for total in totals.values() if not total.isdecimal()}
    assert signs and signs <= {*"x-+"}
    cages = read_areas(find_drawing(laid))
    symbols = {cell: int(symbol) for cell, symbol in laid.decode(next(laid.solve(limit=1))).items()}
    for letter, total in totals.items():
        values = sorted(symbols[cell] for cell in cages[letter])
        made = {"x": math.prod(values), "-": 2 * max(values) - sum(values)}.get(total[-1], sum(values))
        assert int(total.rstrip("x-+")) == made and (total[-1] != "-" or len(values) == 2)


@pytest.mark.parametrize("encoder", [Sudoku(), Grid("4x4", constraints=({"once": "rows columns"},))])
def test_puzzles_without_layouts_are_refused(encoder: Sudoku | Grid) -> None:
    with pytest.raises(ParameterError, match="neither cages nor regions"):
        encoder.lay_out(random.Random(1))


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 99))
def test_areas_cover_the_board_and_hang_together(rows: int, columns: int, seed: int) -> None:
    generator = random.Random(seed)
    cells = [(row, column) for row in range(1, rows + 1) for column in range(1, columns + 1)]
    symbols = {cell: generator.choice("123") for cell in cells}
    cages = grow_cages(symbols, [1, 2, 4], generator, repeat=False)
    assert sorted(cell for cage in cages for cell in cage) == cells
    assert all(hangs_together({*cage}) and len({symbols[cell] for cell in cage}) == len(cage) <= 4 for cage in cages)
    region = grow_regions(cells, generator.sample(cells, min(4, len(cells))), 1, generator)
    assert sorted(region) == cells
    sizes = Counter(region.values())
    exchange_cells(region, 20, generator)
    assert Counter(region.values()) == sizes
    for cell in cells:
        before = dict(region)
        assert move_cell(region, cell, generator) == (before != region)
    assert all(hangs_together({*area}) for area in list_areas(region))
    assert len(list_areas(region)) == len(sizes)
