"""Killer cages and thermometers, against every square of order 4, CP-SAT and a published puzzle."""

import functools
import itertools
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ortools.sat.python import cp_model

from exactcover import Goal, Problem, SearchOptions
from exactcover.config.configuration import read_file
from exactcover.encoders.discovery import find_config
from exactcover.pictures import Tile
from problems import Sudoku
from problems.grids.board import Chosen

Square = dict[tuple[int, int], int]

PLACES = [(row, column) for row in range(1, 5) for column in range(1, 5)]


@functools.cache
def list_squares() -> list[Square]:
    """Return all squares, by trying every four rows."""
    found = []
    for square in itertools.product(itertools.permutations(range(1, 5)), repeat=4):
        houses = [*zip(*square, strict=True)]
        houses += [square[r][c : c + 2] + square[r + 1][c : c + 2] for r in (0, 2) for c in (0, 2)]
        if all(len(set(house)) == 4 for house in houses):
            found.append({(row, column): square[row - 1][column - 1] for row, column in PLACES})
    return found


def write_square(square: Square) -> tuple[str, ...]:
    """Return the rows of a square as text."""
    return tuple("".join(str(square[row, column]) for column in range(1, 5)) for row in range(1, 5))


def draw_rules(chance: random.Random) -> dict[str, Any]:
    """Return cages that fit a random square, and thermometers that mostly do."""
    square, letters = chance.choice(list_squares()), dict.fromkeys(PLACES, ".")
    sums: dict[str, int] = {}
    for letter in "ABCDE"[: chance.randint(0, 5)]:
        own = [cell for cell in _walk(chance, chance.randint(1, 4)) if letters[cell] == "."]
        values = {square[cell] for cell in own}
        if own and len(values) == len(own):
            letters |= dict.fromkeys(own, letter)
            sums[letter] = sum(values)
    thermometers = []
    for _ in range(chance.randint(0, 3)):
        cells = [chance.choice(PLACES)]
        for _ in range(chance.randint(1, 3)):
            around = [cell for cell in PLACES if _touch(cell, cells[-1]) and cell not in cells]
            rising = [cell for cell in around if square[cell] > square[cells[-1]]]
            cells.append(chance.choice(rising or around))
        thermometers.append(" ".join(f"r{row}c{column}" for row, column in cells))
    drawing = " ".join("".join(letters[row, column] for column in range(1, 5)) for row in range(1, 5))
    return {"cages": drawing, "sums": sums, "thermometers": tuple(thermometers)}


def _walk(chance: random.Random, steps: int) -> list[tuple[int, int]]:
    """Return different cells, each of which touches one before it."""
    cells = [chance.choice(PLACES)]
    for _ in range(steps - 1):
        cells.append(chance.choice([cell for cell in PLACES if any(_touch(cell, one) for one in cells)]))
    return list(dict.fromkeys(cells))


def _touch(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one != other and max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1


def keeps_rules(square: Square, cages: str, sums: dict[str, int], thermometers: tuple[str, ...]) -> bool:
    """Return whether a square keeps the rules."""
    letter = {(row, column): line[column - 1] for row, line in enumerate(cages.split(), 1) for column in range(1, 5)}
    for name, total in sums.items():
        inside = [square[cell] for cell in PLACES if letter[cell] == name]
        if len(set(inside)) < len(inside) or sum(inside) != total:
            return False
    for text in thermometers:
        along = [square[int(word[1]), int(word[3])] for word in text.split()]
        if any(one >= other for one, other in itertools.pairwise(along)):
            return False
    return True


@given(st.randoms(use_true_random=False))
def test_solutions_are_the_squares_that_keep_the_rules(chance: random.Random) -> None:
    params = draw_rules(chance)
    puzzle = Sudoku(box="2x2", **params)
    found = [puzzle.decode(one) for one in puzzle.problem().solve()]
    expected = {write_square(square) for square in list_squares() if keeps_rules(square, **params)}
    assert len(found) == len(expected)
    assert set(found) == expected


def count_by_constraints(
    box: tuple[int, int], cages: list[tuple[int, list[tuple[int, int]]]], ascending: list[list[tuple[int, int]]]
) -> int:
    """Count the squares with these cages and thermometers by CP-SAT, which knows none of our encodings."""
    side, model = box[0] * box[1], cp_model.CpModel()
    cell = {(r, c): model.new_int_var(1, side, f"{r} {c}") for r in range(side) for c in range(side)}
    for k in range(side):
        model.add_all_different(cell[k, c] for c in range(side))
        model.add_all_different(cell[r, k] for r in range(side))
        top, left = k // box[0] * box[0], k % box[0] * box[1]
        model.add_all_different(cell[top + i, left + j] for i in range(box[0]) for j in range(box[1]))
    for total, cells in cages:
        model.add_all_different(cell[place] for place in cells)
        model.add(sum(cell[place] for place in cells) == total)
    for cells in ascending:
        for one, other in itertools.pairwise(cells):
            model.add(cell[one] < cell[other])

    class Counter(cp_model.CpSolverSolutionCallback):
        found = 0

        def on_solution_callback(self) -> None:
            self.found += 1

    solver, counter = cp_model.CpSolver(), Counter()
    solver.parameters.enumerate_all_solutions = True
    solver.solve(model, counter)
    return counter.found


def test_a_square_of_side_six_against_constraints() -> None:
    puzzle = Sudoku(
        box="2x3",
        cages="AAB... .AB..C DDB..C .D...C ...... ......",
        sums={"A": 11, "B": 8, "C": 11, "D": 11},
        thermometers=("r4c4 r3c4 r2c4", "r5c1 r6c2 r5c3", "r6c6 r5c6"),
    )
    cages = [(11, [(0, 0), (0, 1), (1, 1)]), (8, [(0, 2), (1, 2), (2, 2)]), (11, [(1, 5), (2, 5), (3, 5)]),
             (11, [(2, 0), (2, 1), (3, 1)])]  # fmt: skip
    ascending = [[(3, 3), (2, 3), (1, 3)], [(4, 0), (5, 1), (4, 2)], [(5, 5), (4, 5)]]
    assert puzzle.problem().count() == count_by_constraints((2, 3), cages, ascending) == 396


@pytest.mark.parametrize("name", ["killer_sudoku.yaml", "thermometer_sudoku.yaml"])
def test_bundled_puzzles_have_the_one_solution_that_keeps_the_rules(name: str) -> None:
    path = find_config(name)
    assert path is not None
    puzzle = read_file(path).encoder
    assert isinstance(puzzle, Sudoku)
    (solution,) = puzzle.problem().solve()
    rows = puzzle.decode(solution)
    if name.startswith("killer"):  # as the article prints it
        assert "".join(rows) == "215647398368952174794381652586274931142593867973816425821739546659428713437165289"
    for text in puzzle.thermometers:
        along = [rows[int(word[1]) - 1][int(word[3]) - 1] for word in text.split()]
        assert along == sorted(set(along))
    sums = {shape.text for shape in puzzle.draw(()).shapes if isinstance(shape, Tile) and shape.text}
    assert sums == set(map(str, puzzle.sums.values()))


def test_combinations_are_options_of_their_own() -> None:
    puzzle = Sudoku(box="2x2", cages="AAA. .... .... ....", sums={"A": 6}, grid="1...............")
    problem = puzzle.problem()
    chosen = {label for solution in problem.solve() for label in solution if isinstance(label, Chosen)}
    assert chosen == {Chosen("cage A", "1 2 3")}
    assert str(*chosen) == "cage A: 1 2 3"
    solution = next(problem.solve())
    assert len(puzzle.unparse(solution).replace(".", "")) == 16
    assert puzzle.parse("2" + "." * 15).sums == {"A": 6}
    assert puzzle.frame() != Sudoku(box="2x2").frame()
    letters = Sudoku(box="2x2", symbols="ABCD", cages="XX.. .... .... ....", sums={"X": 7})
    assert {one.how for one in letters.problem().labels if isinstance(one, Chosen)} == {"C D"}
    zeros = Sudoku(box="2x2", symbols="0123", cages="XX.. .... .... ....", sums={"X": 1})
    assert {one.how for one in zeros.problem().labels if isinstance(one, Chosen)} == {"0 1"}


def test_a_square_with_thermometers_is_reduced_before_the_search() -> None:
    path = find_config("thermometer_sudoku.yaml")
    assert path is not None
    problem = read_file(path).encoder.problem()
    nodes = {}
    for reduce in (None, True, False):
        search = problem.search(Goal("count"), SearchOptions(reduce=reduce))
        assert search.count() == 1
        nodes[reduce] = search.statistics.nodes
    assert nodes[None] == nodes[True] < nodes[False] // 50
    assert not Sudoku().problem().reduces
    assert Problem({"A": [1]}, reduce=True).instance().derive({"A": [1]}.items()).reduces
    with pytest.raises(TypeError, match="reduce must be True or False"):
        Problem({"A": [1]}, reduce=1)  # type: ignore[arg-type]
