"""Options are read as they are when they are yielded, also if many are read together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from exactcover import Colored, Problem, ProblemError


def test_a_maker_of_options_may_reuse_a_list_or_be_lazy() -> None:
    def reuse() -> Iterator[tuple[int, list[int]]]:
        items: list[int] = []
        for number in range(5):
            items.append(number)
            yield number, items

    def lazy() -> Iterator[tuple[int, Any]]:
        for number in range(5):
            yield number, (one for one in range(number + 1))

    expected = {number: tuple(range(number + 1)) for number in range(5)}
    assert Problem(reuse()).options == Problem(lazy()).options == expected


@pytest.mark.parametrize("bad", [0, 4096])
@pytest.mark.parametrize(
    ("option", "message"),
    [
        (("x", [1, 1]), "option 'x' contains item '1' twice"),
        (("x", []), "option 'x' has no primary item"),
        (("x", ["s"]), "option 'x' has no primary item"),
        (("x", "ab"), "its items are one string"),
        (("x", 5), "its items are 5"),
        (("x", [[]]), "the item .* is not hashable"),
        (([], [1]), "the label .* is not hashable"),
        ((3, [1]), "option '3' occurs twice"),
        (("x", [Colored(1, "red")]), "gives a color to '1', a primary item"),
        (("x", [1], 2), "expected an option as"),
        (7, "expected an option as"),
    ],
)
def test_a_wrong_option_among_many_is_named(bad: int, option: Any, message: str) -> None:
    options: list[Any] = [(number, [number % 7, 7 + number % 5]) for number in range(4200)]
    options.insert(max(bad, 4 if option == (3, [1]) else 0), option)
    with pytest.raises(ProblemError, match=message):
        Problem(options, secondary=["s"])


def test_many_options_are_read_as_one_by_one() -> None:
    rows: dict[int, list[Any]] = {
        number: [number % 9, "s" if number % 2 else Colored("t", number % 3)] for number in range(10_000)
    }
    rows[5000] = ["s", 4]
    plain = {label: [one for one in row if not isinstance(one, Colored)] for label, row in rows.items()}
    problem = Problem(rows, secondary=["s", "t"])
    assert problem.options == {label: tuple(row) for label, row in rows.items()}
    assert (problem.primary, problem.secondary) == (tuple(range(9)), ("s", "t"))
    assert Problem(plain, secondary=["s"]).options == {label: tuple(row) for label, row in plain.items()}
    with pytest.raises(ProblemError, match="option '9' contains '0', which is neither"):
        Problem({number: [9 - number] for number in range(10)}, primary=range(1, 10))
