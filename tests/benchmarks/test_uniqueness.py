"""`benchmarks/uniqueness.py`: how it reads puzzles, their rules, what the programs find, and what it says about that."""

from collections.abc import Sequence

import pytest

from exactcover.engines.base import ENGINES
from libraries import is_there
from line_puzzles import Lines, Puzzle, read_puzzle
from line_solvers import PROGRAMS
from uniqueness import Answer, Outcome

pytestmark = pytest.mark.skipif("native" not in ENGINES, reason="it measures native code")


def read(kind: str, problem: str, solution: str = "") -> Puzzle:
    return read_puzzle(kind, "made up", problem, solution)


def draw(kind: str, problem: str, solution: str) -> Lines:
    """Return the lines of a solution as text."""
    lines = read(kind, problem, solution).published
    assert lines is not None
    return lines


@pytest.mark.parametrize("kind, problem, right, wrong", [
    ("Slitherlink", "2 2\n3 -\n- 3", "", ["x -\n- x", "x x\nx x", "- -\n- -"]),
    ("Slitherlink", "2 2\n3 -\n3 -", "x -\nx -", ["x x\nx -", "- -\nx -"]),
    ("Slitherlink", "1 5\n3 - - - 3", "x x x x x", ["x x - x x"]),
    ("Masyu", "3 3\n- w -\n- - -\n- - -", "se ew sw\nns - ns\nne ew nw", ["se sw -\nns ns -\nne nw -", "- - -\n" * 3]),
    ("Masyu", "2 5\n- - w - -\n- - - - -", "- se ew sw -\n- ne ew nw -", ["se ew ew ew sw\nne ew ew ew nw"]),
    ("Masyu", "3 3\nb - -\n- - -\n- - -", "se ew sw\nns - ns\nne ew nw", ["se sw -\nns ns -\nne nw -"]),
    ("NumberLink", "2 3\n1 - 1\n- - -", "s - s\nne ew nw", ["s - s\nne w n", "s - s\nn - n"]),
    ("NumberLink", "2 3\n1 - 1\n- - -", "", ["e ew w\n- - -"]),
    ("NumberLink", "2 2\n1 2\n1 2", "s s\nn n", ["e w\ne w"]),
    ("NumberLink", "3 2\n1 1\n- -\n- -", "s s\nns ns\nne nw", ["e w\nse sw\nne nw"]),
])  # fmt: skip
def test_only_lines_that_obey_the_rules_are_a_solution(
    kind: str, problem: str, right: str, wrong: Sequence[str]
) -> None:
    head = f"{problem.splitlines()[0]}\n"
    puzzle = read(kind, problem, head + right if right else "")
    assert not right or (puzzle.published and puzzle.is_solved_by(puzzle.published))
    for solution in wrong:
        assert not puzzle.is_solved_by(draw(kind, problem, head + solution)), solution


def test_paths_may_leave_out_cells_if_the_published_ones_do() -> None:
    text = "2 3\n1 - 1\n- - -"
    assert read("NumberLink", text).must_fill
    assert not read("NumberLink", text, "2 3\ne ew w\n- - -").must_fill


@pytest.mark.parametrize("kind, problem, number", [
    ("Slitherlink", "1 5\n3 - - - 3", 1),
    ("Slitherlink", "1 3\n- 3 -", 2),
    ("Slitherlink", "1 2\n0 3", 0),
    ("Masyu", "3 4\n- w - -\n- - - -\nb - - b", 1),
    ("Masyu", "2 4\n- w - -\n- - - -", 2),
    ("NumberLink", "2 2\n1 1\n- -", 1),
    ("NumberLink", "2 3\n1 - 1\n- - -", 0),
    ("NumberLink", "3 3\n1 - -\n- - -\n- - 1", 2),
])  # fmt: skip
def test_programs_find_two_solutions_if_there_are_so_many(kind: str, problem: str, number: int) -> None:
    puzzle = read(kind, problem)
    for name, program in PROGRAMS.items():
        if kind in program.kinds and is_there(program.module):
            solutions = program.solve(puzzle)
            assert (name, len(set(solutions))) == (name, number)
            assert all(map(puzzle.is_solved_by, solutions))


def make_outcome(puzzle: Puzzle, found: dict[str, Sequence[Lines] | None]) -> Outcome:
    answers: dict[str, Answer | str | None] = {
        name: None if one is None else Answer(tuple(one), 0.5) for name, one in found.items()
    }
    return Outcome(puzzle, answers)


TWO = "1 3\n- 3 -"
SHOWN = ("x x -", "- x x", "x x x")
"""A Slitherlink with two solutions, around its first two cells (A) or its last two (B); around all three (C) is none."""


@pytest.mark.parametrize("found, said", [
    ({"exactcover": "AB", "clingo": "BA"}, []),
    ({"exactcover": None, "clingo": None}, []),
    ({"exactcover": "A"}, []),
    ({"exactcover": "A", "clingo": "AB"}, ["the numbers of solutions differ: exactcover 1, clingo 2"]),
    ({"exactcover": "B"}, ["the published solution is right, but exactcover does not find it"]),
    ({"exactcover": "A", "clingo": "B"}, ["the published solution is right, but clingo does not find it",
                                          "the programs find different single solutions"]),
    ({"exactcover": ""}, ["the published solution is right, but exactcover does not find it"]),
    ({"exactcover": "AC", "clingo": "AB"}, ["what exactcover finds breaks the rules, or comes twice"]),
    ({"exactcover": "AB", "clingo": "AA"}, ["what clingo finds breaks the rules, or comes twice"]),
])  # fmt: skip
def test_what_cannot_be_true_is_a_mistake(found: dict[str, str | None], said: list[str]) -> None:
    lines = {name: draw("Slitherlink", TWO, f"1 3\n{row}") for name, row in zip("ABC", SHOWN, strict=True)}
    puzzle = read("Slitherlink", TWO, f"1 3\n{SHOWN[0]}")
    outcome = make_outcome(puzzle, {name: None if one is None else [lines[each] for each in one]
                                    for name, one in found.items()})  # fmt: skip
    assert [mistake.removeprefix("Slitherlink made up (1x3): ") for mistake in outcome.list_mistakes()] == said


def test_other_numbers_than_one_and_wrong_solutions_are_told() -> None:
    one, other, wrong = (draw("Slitherlink", TWO, f"1 3\n{row}") for row in SHOWN)
    head = "Slitherlink made up (1x3): "
    two = make_outcome(read("Slitherlink", TWO, f"1 3\n{SHOWN[2]}"), {"exactcover": [one, other], "clingo": None})
    assert [*two.list_findings()] == [
        f"{head}not one solution (2 are two or more): exactcover 2",
        f"{head}the published solution breaks the rules",
    ]
    assert wrong == two.puzzle.published
    unread = make_outcome(read("Slitherlink", TWO, "1 3\nx"), {"exactcover": [one]})
    assert [*unread.list_findings()] == [f"{head}the published solution cannot be read: expected 1 rows of 3 cells"]
