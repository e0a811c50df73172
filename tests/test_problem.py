from array import array
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from exactcover import Colored, Problem, ProblemError
from exactcover.errors import FormatWarning

FAULTY: list[tuple[Callable[[], object], str, object]] = [
    (lambda: Problem({"A": [1, 1]}), "option 'A' contains item '1' twice", "A"),
    (lambda: Problem([("A", [1]), ("A", [2])]), "option 'A' occurs twice; labels must be unique", "A"),
    (
        lambda: Problem({"A": ["row 1", "rwo 2"]}, primary=["row 1", "row 2"]),
        "option 'A' contains 'rwo 2', which is neither primary nor secondary; did you mean 'row 2'?",
        "A",
    ),
    (
        lambda: Problem({"A": [Colored(1, "red")]}),
        "option 'A' gives a color to '1', a primary item; only secondary items have colors",
        "A",
    ),
    (
        lambda: Problem({"A": [1, Colored("s", None)]}, secondary=["s"]),
        "option 'A' gives 's' the color None; leave out the color of an item that is not shared",
        "A",
    ),
    (lambda: Problem({}, primary=[1], secondary=[1]), "item '1' is both primary and secondary", None),
    (lambda: Problem({}, primary=[1, 1]), "item '1' is named twice", None),
    (lambda: Problem({}, secondary=[1, 1]), "item '1' is named twice", None),
    (lambda: Problem({"A": "xyz"}), "option 'A': its items are one string, 'xyz'; expected a list of items", "A"),
    (
        lambda: Problem({"A": ["paint"]}, secondary="paint"),
        "secondary: expected a list of items, got one string, 'paint'",
        None,
    ),
    (lambda: Problem({"A": [1]}).solve(given="A"), "given: expected a list of labels, got one string, 'A'", None),
    (lambda: Problem.from_matrix([[1, 0], [1]]), "row 1 has 1 column, but row 0 has 2", 1),
    (lambda: Problem.from_matrix([[1, 2]]), "row 0 contains 2; only 0 and 1 are allowed", 0),
]


@pytest.mark.parametrize(("make", "message", "label"), FAULTY, ids=[message for _, message, _ in FAULTY])
def test_what_is_wrong_is_named(make: Callable[[], object], message: str, label: object) -> None:
    with pytest.raises(ProblemError) as caught:
        make()
    assert str(caught.value) == message
    assert caught.value.label == label


def test_items_come_primary_first_in_order() -> None:
    options: dict[str, list[Any]] = {"A": ["x", "s", "y"], "B": ["z", Colored("t", 1)]}
    problem = Problem(options, secondary=["t", "s"])
    assert problem.primary == ("x", "y", "z")
    assert problem.secondary == ("t", "s")
    assert problem.items == ("x", "y", "z", "t", "s")
    assert dict(problem.options) == {"A": ("x", "s", "y"), "B": ("z", Colored("t", 1))}
    assert problem.matrix.option(0) == [(0, 0), (4, 0), (1, 0)]
    assert problem.matrix.option(1) == [(2, 0), (3, 1)]
    assert Problem({"A": [2]}, primary=[3, 2], secondary=[1]).items == (3, 2, 1)  # also without options


def test_a_generator_of_pairs_will_do() -> None:
    problem = Problem((label, iter([label])) for label in "abc")
    assert list(problem.solve()) == [("a", "b", "c")]


def test_any_hashable_names_items_options_and_colors() -> None:
    frozen = frozenset([1])
    options: dict[Any, list[Any]] = {frozen: [frozen, Colored((), 1.5)], None: [None]}
    problem = Problem(options, secondary=[()])
    assert list(problem.solve()) == [(frozen, None)]
    assert problem.options[frozen] == (frozen, Colored((), 1.5))


def test_columns_without_a_1_are_items() -> None:
    assert Problem.from_matrix([[1, 0]]).items == (0, 1)
    assert Problem.from_matrix([]).count() == 1
    array = SimpleNamespace(shape=(0, 3), tolist=list)  # three columns without rows
    assert Problem.from_matrix(array).count() == 0


class _Sparse:
    """A matrix as SciPy has them, with an entry that is stored twice until :meth:`tocsr` adds it up."""

    shape = (4, 3)
    row, col, data = (array("i", numbers) for numbers in ([0, 3, 0, 1], [1, 2, 0, 2], [1, 1, 1, 0]))

    def tocsr(self) -> "_Sparse":
        return self

    tocoo = tocsr


def test_sparse_matrices_and_rows_without_a_1() -> None:
    with pytest.warns(
        FormatWarning, match=r"2 options \('1', '2'\) have no primary item and could never be chosen; left out"
    ):
        problem = Problem.from_matrix(_Sparse())
    assert dict(problem.options) == {0: (0, 1), 3: (2,)}
    with pytest.warns(FormatWarning, match="option '1' has no primary item"):
        assert list(Problem.from_matrix([[1, 0], [0, 0], [0, 1]]).solve()) == [(0, 2)]
    with pytest.raises(ProblemError, match="row 0 is 1; expected a list"):
        Problem.from_matrix([1, 0])


def test_the_fingerprint_depends_on_order_names_and_colors() -> None:
    def fingerprint(options: Any, **kinds: Any) -> str:
        return Problem(options, **kinds).fingerprint()

    base = fingerprint({"A": [1, 2], "B": [3, Colored("s", "x")]}, secondary=["s"])
    assert base == fingerprint([("A", [1, 2]), ("B", [3, Colored("s", "x")])], secondary=["s"])
    others = [
        fingerprint({"B": [3, Colored("s", "x")], "A": [1, 2]}, secondary=["s"]),
        fingerprint({"A": [2, 1], "B": [3, Colored("s", "x")]}, secondary=["s"]),
        fingerprint({"A": [1, 2], "B": [3, Colored("s", "y")]}, secondary=["s"]),
        fingerprint({"A": [1, 2], "B": [3, "s"]}, secondary=["s"]),
        fingerprint({"A": [1, 2], "B": [3, "s"]}),
    ]
    assert len({base, *others}) == 6


def test_the_fingerprint_tells_names_apart_that_print_alike() -> None:
    def fingerprint(*colors: Any) -> str:
        return Problem({k: ["a", Colored("s", color)] for k, color in enumerate(colors)}, secondary=["s"]).fingerprint()

    assert len({fingerprint(2, "2"), fingerprint(2, 2), fingerprint("2", 3)}) == 3
    assert fingerprint(2, 2) == fingerprint("2", "2")  # the same problem
    assert Problem({"a\x1fb": ["c"]}).fingerprint() != Problem({"a": ["b\x1fc"]}).fingerprint()


def test_multiplicities_that_are_not_valid() -> None:
    huge = 10**5000
    invalid: list[Any] = [10**1000, huge, (0, huge), (huge, 1), (1, 2, 3), "12", None, 1.5, True, (2, 1), -1, (-1, 2)]
    for often in invalid:
        with pytest.raises(ProblemError, match=r"item 'a' has (the|a) multiplicity"):
            Problem({"A": ["a"]}, multiplicity={"a": often})


def test_unknown_labels_are_named_with_the_nearest() -> None:
    problem = Problem({"alpha": [1], "beta": [1]})
    with pytest.raises(ProblemError, match="no option is labeled 'alhpa'; did you mean 'alpha'"):
        problem.solve(given=["alhpa"])
    with pytest.raises(ProblemError, match="no option is labeled"):
        problem.count(without=[[1]])
