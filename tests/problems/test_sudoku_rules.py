"""Killer cages and thermometers, against every square of order 4 and a published puzzle."""

import functools
import itertools
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover import Goal, Problem, SearchOptions
from exactcover.config.configuration import read_file
from exactcover.encoders.discovery import find_configs
from exactcover.pictures import Tile
from oracles import latin_squares
from problems import Sudoku
from problems.grids.board import Chosen

Square = dict[tuple[int, int], int]

PLACES = [(row, column) for row in range(1, 5) for column in range(1, 5)]


@functools.cache
def list_squares() -> list[Square]:
    """All squares of side 4: Latin squares whose boxes have all symbols."""
    return [
        {(row, column): int(square[row - 1][column - 1]) for row, column in PLACES}
        for square in latin_squares(4)
        if all(len({*square[r][c : c + 2], *square[r + 1][c : c + 2]}) == 4 for r in (0, 2) for c in (0, 2))
    ]


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
    assert Counter(found) == Counter(expected)


@pytest.mark.parametrize("name", ["killer_sudoku.yaml", "thermometer_sudoku.yaml"])
def test_bundled_puzzles_have_the_one_solution_that_keeps_the_rules(name: str) -> None:
    puzzle = read_file(find_configs()[name]).encoder
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
    problem = read_file(find_configs()["thermometer_sudoku.yaml"]).encoder.problem()
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
