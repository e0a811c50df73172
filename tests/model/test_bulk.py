"""Options in bulk give the same problem as the same options one by one, and their labels are made when needed."""

from __future__ import annotations

import pickle
from array import array
from collections.abc import Callable
from itertools import chain
from typing import Any

import pytest

from exactcover import Colored, Problem, ProblemError
from exactcover.model.bulk import BulkOptions
from problems import Polyhex, Polyomino, Queens

ITEMS = ["a", "b", "s", "c"]


def make(entries: list[list[int]], label: Callable[[int], Any] = "option {}".format, items: Any = ITEMS) -> BulkOptions:
    starts = [0]
    for row in entries:
        starts.append(starts[-1] + len(row))
    return BulkOptions(items, array("q", starts), array("i", chain.from_iterable(entries)), label)


def test_options_in_bulk_give_the_same_problem() -> None:
    options = make([[0, 2], [1, 2, 0], [3], [1]])
    for primary in (None, ["c", "b", "a"]):
        costs = {"option 2": 5}
        bulk, plain = (
            Problem(one, primary=primary, secondary=["s"], costs=costs, givens=["option 0"])
            for one in (options, list(options))
        )
        assert bulk.fingerprint() == plain.fingerprint()
        assert bulk.options == plain.options
        assert list(bulk.solve()) == list(plain.solve()) == [("option 0", "option 2", "option 3")]
        assert bulk.givens == plain.givens


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([[0], [0, 1, 0]], "option 'option 1' contains item 'a' twice"),
        ([[0], [4]], r"option 'option 1' has the items \[4\]; there are 4 items"),
        ([[0], [-1]], r"option 'option 1' has the items \[-1\]"),
        ([[0], [3]], "option 'option 1' contains 'c', which is neither primary nor secondary"),
    ],
)
def test_a_wrong_option_in_bulk_is_named(entries: list[list[int]], message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        Problem(make(entries), primary=["a", "b"], secondary=["s"])


def test_an_item_named_twice_is_one_item() -> None:
    options = make([[0, 2], [1], [2]], items=["a", "a", "b"])
    assert Problem(options, primary=["a", "b"]).options == Problem(list(options), primary=["a", "b"]).options
    with pytest.raises(ProblemError, match="option 'option 0' contains item 'a' twice"):
        Problem(make([[0, 1]], items=["a", "a"]), primary=["a"])


@pytest.mark.parametrize("items", [{"a", "b"}, {"a": 1, "b": 2}, iter("ab")])
def test_items_without_an_order_are_refused(items: Any) -> None:
    with pytest.raises(TypeError, match="items"):
        make([[0, 1]], items=items)


def test_a_colored_name_is_not_an_item() -> None:
    options = make([[0, 1]], items=["a", Colored("s", "red")])
    for one in (options, list(options)):
        with pytest.raises(ProblemError, match="neither primary nor secondary"):
            Problem(one, primary=["a"], secondary=[Colored("s", "red")])


def test_labels_that_end_too_soon_are_an_error() -> None:
    def label(position: int) -> int:
        if position == 1:
            raise StopIteration
        return position

    problem = Problem(make([[0], [1]] * 20, label), primary=["a", "b"])
    with pytest.raises(RuntimeError, match="StopIteration"):
        next(problem.solve())
    with pytest.raises(RuntimeError, match="StopIteration"):
        _ = problem.labels


@pytest.mark.parametrize("all_first", [True, False])
def test_labels_of_positions_that_do_not_exist(all_first: bool) -> None:
    problem = Problem(make([[0]] * 40), primary=["a"])
    assert not all_first or problem.labels
    assert problem.labels_of([-1, 0]) == ("option 39", "option 0")
    for position in (40, -41):
        with pytest.raises(IndexError):
            problem.labels_of([position])


def test_an_item_that_no_option_has_need_not_be_an_item() -> None:
    assert Problem(make([[0, 1]]), primary=["b", "a"]).items == ("b", "a")


@pytest.mark.parametrize(
    ("starts", "entries"),
    [
        (array("q", [0, 1]), array("i")),
        (array("q"), array("i")),
        (array("i", [0]), array("i")),
        (array("q", [0, 1]), array("q", [0])),
    ],
)
def test_wrong_arrays_are_refused(starts: array[int], entries: array[int]) -> None:
    with pytest.raises(ProblemError, match="must"):
        BulkOptions(ITEMS, starts, entries, str)
    with pytest.raises(TypeError, match="starts"):
        BulkOptions(ITEMS, [0], entries, str)  # type: ignore[arg-type]
    with pytest.raises(ProblemError, match="starts must ascend"):
        Problem(BulkOptions(ITEMS, array("q", [0, 2, 1, 3]), array("i", [0, 1, 3]), str), primary=ITEMS)


def test_equal_labels_are_found_when_labels_are_needed() -> None:
    problem = Problem(make([[0], [1]], lambda position: "x"), primary=["a", "b"])
    with pytest.raises(ProblemError, match="option 'x' occurs twice"):
        problem.position("x")
    with pytest.raises(ProblemError, match="is not hashable"):
        _ = Problem(make([[0], [1]], lambda position: []), primary=["a", "b"]).labels


def test_few_labels_are_made_alone_and_many_all_at_once() -> None:
    made: list[int] = []

    def label(position: int) -> int:
        made.append(position)
        return position

    problem = Problem(make([[0]] * 40, label), primary=["a"])
    search = problem.solve()
    assert [next(search) for _ in range(5)] == [(0,), (1,), (2,), (3,), (4,)]
    assert made == [0, 1, 2, 3, 4]
    assert len(list(search)) == 35
    assert made.count(39) == 1
    assert len(made) < 60
    assert problem.labels == tuple(range(40))


def test_a_problem_with_options_in_bulk_can_be_pickled() -> None:
    problem = Queens(n=6).problem()
    again = pickle.loads(pickle.dumps(problem))
    assert again.fingerprint() == problem.fingerprint()
    assert again.labels == problem.labels


@pytest.mark.parametrize(
    "encoder",
    [
        Queens(n=1),
        Queens(n=9),
        Polyomino(board="5x12", pieces="pentominoes"),
        Polyomino(board="?..\n...\n..?", pieces=("dominoes", "trominoes"), copies=(0, 2)),
        Polyomino(board="4x4", pieces=("dominoes", "trominoes"), copies={"I": "any"}),
        Polyhex(board="5x9", pieces="tetrahexes"),
    ],
)
def test_families_in_bulk_are_the_same_without_native_code(encoder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = encoder.problem()
    monkeypatch.setattr("exactcover.model.reader.native", None)
    plain = encoder.problem()
    assert plain.fingerprint() == problem.fingerprint()
    assert plain.labels == problem.labels
