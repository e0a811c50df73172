"""Steps are true in random positions of many families: what they choose is in every solution, what they exclude in none."""

import random
from functools import cache

import pytest
from hypothesis import given

from damage import chances
from exactcover import Label, Problem
from exactcover.config.configuration import read_file
from exactcover.encoders.discovery import find_configs
from exactcover.reasons.deductions import DeductionFinder
from exactcover.reasons.position import ShortError
from problems import Costas, Langford, Latin, Polyomino, Queens, Slitherlink, Sudoku
from ruled import random_ruled_problem

pytestmark = pytest.mark.slow

ENCODERS = [Sudoku(), Sudoku(box="2x2"), Queens(n=7), Polyomino(board="5x12"), Latin(n=5), Langford(n=8), Costas(n=5),
            Polyomino(board="6x6", pieces="dominoes", copies="any"), Slitherlink("4x4")]  # fmt: skip
FILES = ["killer_sudoku", "thermometer_sudoku", "soma_cube", "macmahon_2x3", "heads_and_tails", "crossword_5x5", "staffing",
         "slitherlink_7x7", "masyu_8x8", "numberlink_6x6", "zip_6x6", "districts_4x4", "coloring_map", "fano_plane", "tetrasticks_6x6", "squares_6x6_counted", "shifts", "y_pentominoes_5x10"]  # fmt: skip
MOST = 3  # conclusions of a position that are checked


@cache
def list_problems() -> list[Problem]:
    files = find_configs()
    return [encoder.problem() for encoder in ENCODERS] + [
        read_file(files[f"{name}.yaml"]).encoder.problem() for name in FILES
    ]


def pick_position(chance: random.Random) -> tuple[Problem, list[Label], list[Label]]:
    """Return a problem, part of a solution, and some options that are not in it."""
    while True:
        is_ruled = chance.random() < 0.3
        problem = random_ruled_problem(chance.randrange(1 << 30)) if is_ruled else chance.choice(list_problems())
        problem = problem.full()
        solution = next(problem.solve(limit=1, seed=chance.randrange(1 << 30)), None)
        if solution is not None:
            break
    given = chance.sample(solution, chance.randint(0, len(solution)))
    others = [one for one in chance.sample(problem.labels, min(10, len(problem.labels))) if one not in solution]
    return problem, given, others[: chance.randrange(10)]


@given(chance=chances)
def test_steps_are_true(chance: random.Random) -> None:
    problem, given, without = pick_position(chance)
    position = problem.instance(given, without)
    finder = DeductionFinder(position)
    for _ in range(chance.choice([1, 3, 8])):
        try:
            found = [finder.explain(one) for one in finder.find()]
        except ShortError as short:
            raise AssertionError(f"a position with a solution is said to have none: {short}") from short
        if not found:
            return
        for one in chance.sample(found, min(MOST, len(found))):
            for label in one.chosen[:MOST]:
                assert position.find(without=[label]) is None, one
            for label in one.excluded[:MOST]:
                assert position.find(given=[label]) is None, one
        for one in found:
            finder.take(one)
