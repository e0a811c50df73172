"""Rectangles in a rectangle: the article's example, and published numbers."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from exactcover import Encoder, ParameterError
from problems import Rectangles

PUBLISHED: list[tuple[str, Callable[[], Encoder], int]] = [
    *((f"squares in a square of {n}", lambda n=n: Rectangles(f"{n}x{n}", {f"{k}x{k}": "any" for k in range(1, n + 1)}), count)
      for n, count in enumerate([1, 2, 6, 40, 472, 10668], 1)),  # OEIS A045846
    *((f"squares in 3x{n}", lambda n=n: Rectangles(f"3x{n}", {f"{k}x{k}": "any" for k in range(1, 4)}), count)
      for n, count in enumerate([1, 3, 6, 13, 28, 60, 129], 1)),  # OEIS A002478
]  # fmt: skip


@pytest.mark.parametrize(("name", "make", "count"), PUBLISHED, ids=[row[0] for row in PUBLISHED])
def test_published_numbers(name: str, make: Callable[[], Encoder], count: int) -> None:
    encoder = make()
    assert encoder.problem().count(given=encoder.givens()) == count


def test_the_articles_rectangle(installed_engine: str) -> None:
    """Its nine options in its order; its solutions are {7, 8} and {5, 9}."""
    problem = Rectangles().problem()
    cells = {f"r{row}c{column}": 3 * row + column - 3 for row in (1, 2) for column in (1, 2, 3)}
    items = [sorted(cells.get(str(item), {"1x2": 7, "2x2": 8}.get(str(item), 0)) for item in option)
             for option in problem.options.values()]  # fmt: skip
    assert items == [
        [1, 2, 7], [2, 3, 7], [4, 5, 7], [5, 6, 7], [1, 4, 7], [2, 5, 7], [3, 6, 7], [1, 2, 4, 5, 8], [2, 3, 5, 6, 8]
    ]  # fmt: skip
    found = {frozenset(position + 1 for position in one) for one in problem.solve(engine=installed_engine).positions()}
    assert found == {frozenset({7, 8}), frozenset({5, 9})}


def test_equal_rectangles_are_not_told_apart(installed_engine: str) -> None:
    for pieces, count in [({"1x2": 3}, 3), ({"1x2": 1, "1x1": 4}, 7), ({"1x1": 6}, 1), ({"1x2": 2, "1x1": 2}, 11)]:
        assert Rectangles("2x3", pieces).problem().count(engine=installed_engine) == count
    assert Rectangles("6x6", {"1x2": 18}).problem().count() == 6728
    mixed = [solution for solution in Rectangles("3x4", {"1x2": "any", "1x1": "any"}).problem().solve(engine=installed_engine)
             if [len(place.cells) for place in solution].count(2) == 3]  # fmt: skip
    assert Rectangles("3x4", {"1x2": 3, "1x1": 6}).problem().count(engine=installed_engine) == len(mixed)
    assert Rectangles("3x4", {"1x2": 3, "1x1": 5, "1x3": 0}).problem().count(engine=installed_engine) == 0
    dominoes = Rectangles("4x4", {"1x2": 8})
    assert dominoes.problem().count(engine=installed_engine) == 36
    assert Rectangles("4x4", {"1x2": "any"}).problem().count(engine=installed_engine) == 36
    assert Rectangles("4x4", {"2x2": 2, "1x2": "any", "1x4": 0}).problem().count(engine=installed_engine) > 0


def test_packings_of_all_numbers_of_squares_add_up(installed_engine: str) -> None:
    """With so many squares of each side, over all such numbers, there are as many as with any: OEIS A045846."""
    sides = range(1, 5)
    numbers = itertools.product(*(range(16 // side**2 + 1) for side in sides))
    total = sum(
        Rectangles("4x4", {f"{side}x{side}": often for side, often in zip(sides, some, strict=True)})
        .problem()
        .count(engine=installed_engine)
        for some in numbers
        if sum(often * side**2 for side, often in zip(sides, some, strict=True)) == 16
    )
    assert total == 40


@pytest.mark.parametrize(
    ("make", "path", "message"),
    [
        (lambda: Rectangles("2x3", {"1x2": 7}), ("pieces", "1x2"), "7 pieces are too many for a board of 6 cells"),
        (lambda: Rectangles("2x3", {"1x2": 1, "2x1": 1}), ("pieces", "2x1"), "the rectangle 2x1 is listed twice"),
    ],
)  # fmt: skip
def test_parameters_are_refused(make: Callable[[], Encoder], path: tuple[object, ...], message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        make()
    assert (caught.value.path, caught.value.message) == (path, message)
