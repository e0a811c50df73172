"""Queens that do not attack each other."""

from functools import partial
from itertools import permutations
from typing import Literal

import pytest

from exactcover import SearchOptions
from problems import Queens


def test_queens_have_6n_minus_2_items_from_the_middle_outward() -> None:
    problem = Queens(n=8).problem()
    assert len(problem.items) == 6 * 8 - 2
    assert problem.primary[:6] == ("row 4", "column 4", "row 5", "column 5", "row 3", "column 3")


@pytest.mark.parametrize(
    "blocked", [((1, 1),), ((1, 1), (7, 7)), ((2, 3), (3, 6), (6, 5), (5, 2)), ((4, 4), (1, 2)), ((1, 1),) * 2, ()]
)
def test_no_queen_stands_on_a_blocked_square(blocked: tuple[tuple[int, int], ...]) -> None:
    """Counts and classes, against permutations; symmetries are those of the board with its blocked squares."""
    solutions = {
        frozenset(enumerate(columns, 1))
        for columns in permutations(range(1, 8))
        if len({row + column for row, column in enumerate(columns)}) == 7
        and len({row - column for row, column in enumerate(columns)}) == 7
        and not set(enumerate(columns, 1)).intersection(blocked)
    }
    board = Queens(n=7, blocked=blocked)
    problem = board.problem()
    assert {frozenset(enumerate(board.decode(one), 1)) for one in problem.solve()} == solutions
    assert problem.count(options=SearchOptions(symmetry=True)) == len(solutions)
    ways: list[tuple[Literal["rotations", True], list[bool]]] = [(True, [False, True]), ("rotations", [False])]
    for distinct, flips in ways:
        turns = (partial(turned, times=times, flip=flip) for times in range(4) for flip in flips)
        maps = [turn for turn in turns if set(map(turn, blocked)) == set(blocked)]
        classes = {frozenset(frozenset(map(turn, solution)) for turn in maps) for solution in solutions}
        assert problem.count(distinct=distinct) == len(classes)


def turned(square: tuple[int, int], times: int, flip: bool) -> tuple[int, int]:
    """A square of a 7 x 7 board after quarter turns, and perhaps a reflection."""
    row, column = square[::-1] if flip else square
    for _ in range(times):
        row, column = 8 - column, row
    return row, column
