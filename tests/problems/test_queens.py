"""Queens that do not attack each other."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from exactcover import Encoder, ParameterError
from problems import Queens


def test_queens_have_6n_minus_2_items_from_the_middle_outward() -> None:
    problem = Queens(n=8).problem()
    assert len(problem.items) == 6 * 8 - 2
    assert problem.primary[:6] == ("row 4", "column 4", "row 5", "column 5", "row 3", "column 3")


def test_placed_queens_stay(installed_engine: str) -> None:
    board = Queens(n=8, placed=((1, 5),))
    solutions = list(board.problem().solve(given=board.givens(), engine=installed_engine))
    assert len(solutions) == 18
    assert all(board.decode(one)[0] == 5 for one in solutions)


@pytest.mark.parametrize(
    ("make", "path", "message"),
    [
        (lambda: Queens(n=-1), ("n",), "expected at least 0, got -1"),
        (lambda: Queens(n=4, placed=((1, 1), (5, 1))), ("placed", 1), "row 5, column 1 is not on the 4 x 4 board"),
    ],
)  # fmt: skip
def test_parameters_are_refused(make: Callable[[], Encoder], path: tuple[object, ...], message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        make()
    assert (caught.value.path, caught.value.message) == (path, message)
