"""Options are read as they are when they are yielded, also if many are read together."""

import warnings
from array import array
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover import Colored, Problem, ProblemError
from exactcover.errors import FormatWarning
from exactcover.model import reader
from strategies import problems


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


NATIVE: Any = vars(reader)["native"]
UNHASHABLE: Any = []
ODD: list[Any] = [
    (99, []), (99, ["s0"]), (99, ["p0", "p0"]), (99, "ab"), (99, 5), (99, [[]]), ([], ["p0"]), (0, ["p0"]), 7, (99,),
    (99, [Colored("p0", 1)]), (99, ["p0", Colored("s0", None)]), (99, ["p0", "s0", Colored("s0", 1)]), [99, ["p0"]],
    (99, iter(["p0", "s0"])), (99, {"p0": 1}), (99, ("p0", Colored("s0", 2))), (99, ["new"]), (99, [Colored(UNHASHABLE, 1)]),
    (99, ["p0", Colored("s0", UNHASHABLE)]), (99, ["p0", Colored("new", 1)]),
]  # fmt: skip


@pytest.mark.skipif(NATIVE is None, reason="installed without a C++ compiler")
@given(problems(), st.sampled_from(ODD), st.integers(0, 10), st.booleans())
def test_both_readers_read_the_same(problem: Problem, odd: Any, place: int, is_open: bool) -> None:
    options: list[Any] = [(label, list(items)) for label, items in problem.options.items()]
    options.insert(place, odd)

    def read() -> Any:
        own = [(odd[0], iter(["p0", "s0"])) if one is odd and hasattr(odd, "__len__") and len(odd) > 1
               and hasattr(odd[1], "__next__") else one for one in options]  # fmt: skip
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FormatWarning)  # of options without a primary item
                found = Problem(own, primary=None if is_open else problem.primary, secondary=problem.secondary)
        except ProblemError as error:
            return str(error), error.label
        return found.fingerprint(), found.items, found.labels, found.colors, [*found.matrix.colors]

    in_cpp = read()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "native", None)
        assert read() == in_cpp


@pytest.mark.skipif(NATIVE is None, reason="installed without a C++ compiler")
def test_the_reader_in_cpp_refuses_what_it_is_not_made_for() -> None:
    native = NATIVE
    with pytest.raises(TypeError, match="colored must be a class"):
        native.OptionReader({}, {}, {}, None, 5)
    made = native.OptionReader({}, {"a": 10**6, "b": "x", "c": -(10**9)}, {}, None, Colored)
    with pytest.raises(TypeError, match="options must be an iterator"):
        made.read([])
    for item, error in (("a", ValueError), ("b", TypeError), ("c", ValueError)):
        with pytest.raises(error):
            made.read(iter([("x", [item])]))
    with pytest.raises(ZeroDivisionError):
        made.read(1 / 0 for _ in range(1))
    assert made.read(iter([])) is None
    with pytest.raises(ValueError, match="must not be negative"):
        native.move_secondary(array("i", [1]), -1)
