"""The native module is fed what no Problem would ever hand it, in an order nobody would choose."""

import itertools
import threading
from array import array
from typing import Any

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from exactcover.engines.base import ENGINES

if "native" not in ENGINES:
    pytest.skip("installed without a C++ compiler", allow_module_level=True)

import exactcover._native as _native
from exactcover.algorithm_x import Cover
from native_problems import arrays, complete, listed, make, total

Rows = list[list[tuple[int, int]]]

SEARCHES = [(instructions, dense) for instructions in _native.instruction_sets for dense in (0, 3, 1 << 16)]


@st.composite
def rows(draw: st.DrawFn) -> tuple[int, int, Rows]:
    """Sound problems as bare numbers: options without items or without a primary one are among them."""
    items = draw(st.integers(0, 12))
    primary = draw(st.integers(0, items))
    number = st.integers(0, max(items - 1, 0))
    option = st.lists(number, max_size=min(items, 5), unique=True)
    colors = st.integers(-2, 2)
    found: Rows = []
    for held in draw(st.lists(option, max_size=draw(st.sampled_from([4, 12, 90])))):
        found.append([(item, 0 if item < primary else draw(colors)) for item in held])
    return items, primary, found


def test_what_is_not_done_has_no_total() -> None:
    problem = make([[0], [1], [0, 1]], 2)
    sweep, memo, diagrams = _native.Sweep(problem), _native.Memo(problem), _native.Diagrams([0, 1, 2], 1 << 20)
    for unfinished in (sweep.total, memo.total, lambda: diagrams.of_sweep(sweep)):
        with pytest.raises(ValueError, match=r"not done|not recorded"):
            unfinished()


def test_trials_take_no_numbers_that_do_not_exist() -> None:
    for starts, entries, low, high in [([0, 1], [1], [1], [1]), ([0, 2], [0], [1], [1]), ([0], [], [1], [])]:
        with pytest.raises(ValueError, match=r"no such item|two bounds|starts must end"):
            _native.Trials(array("q", starts), array("i", entries), array("i", [0] * len(entries)), low, high, [])
    with pytest.raises(ValueError, match="starts must ascend"):
        _native.Trials(array("q", [0, 2, 1]), array("i", [0]), array("i", [0]), [1], [1], [])
    with pytest.raises(ValueError, match="an option that does not exist"):
        rule = _native.GraphRule("loop", 2, [(0, 1)], [[0]], [])
        _native.Trials(array("q", [0]), array("i"), array("i"), [], [], [rule])
    trials = _native.Trials(*arrays([[0], [0]]), [1], [1], [])
    trials.enter(b"\1", b"")
    calls: list[Any] = [
        lambda: trials.enter(b"\4", b""),
        lambda: trials.refute([1]),
        lambda: trials.refute([0], [1]),
        lambda: trials.shrink(1, [0], [0]),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"no such|cannot be chosen"):
            call()
    assert trials.refute([0]) == []


def test_a_count_may_be_looked_at_from_another_thread() -> None:
    """Whatever is asked of it then, it counts on and is right in the end."""
    problem = make(list(itertools.combinations(range(14), 2)), 14)
    for count in (_native.Sweep(problem), _native.Memo(problem)):
        done = threading.Event()
        looks = [getattr(count, name) for name in ("memory", "progress", "counters", "explored", "entries", "bits")
                 if hasattr(count, name)]  # fmt: skip

        def look(looks: list[Any] = looks, done: threading.Event = done) -> None:
            while not done.is_set():
                for one in looks:
                    one()

        watcher = threading.Thread(target=look)
        watcher.start()
        complete(count, 7)
        done.set()
        watcher.join()
        assert total(count) == 135135


Bounds = list[tuple[int, int]]


@st.composite
def bounds(draw: st.DrawFn, primary: int) -> Bounds:
    """How often each item must and may be covered; empty for exactly once."""
    pair = st.sampled_from([(0, 1), (1, 1), (0, 3), (1, 2), (2, 2), (2, 40)])
    return draw(st.just([]) | st.lists(pair, min_size=primary, max_size=primary))


def native_problem(items: int, primary: int, options: Rows, often: Bounds) -> _native.Problem:
    starts, entries, colors = array("q", [0]), array("i"), array("i")
    for option in options:
        entries.extend(item for item, _ in option)
        colors.extend(color for _, color in option)
        starts.append(len(entries))
    low, high = [one for one, _ in often], [other for _, other in often]
    return _native.make_problem(items, primary, starts, entries, colors, low, high)


def by_the_core(primary: int, options: Rows, often: Bounds) -> list[tuple[int, ...]]:
    """Return all solutions, or at least 2000."""
    rows = [{item: color or None for item, color in option} for option in options]
    return sorted(itertools.islice(Cover(rows, range(primary), dict(enumerate(often))), 2000))


@pytest.mark.parametrize(("instructions", "dense"), SEARCHES)
@given(problem=rows(), heuristic=st.sampled_from(["mrv", "leftmost", "weighted"]), data=st.data())
def test_any_order_of_calls(
    instructions: str, dense: int, problem: tuple[int, int, Rows], heuristic: str, data: st.DataObject
) -> None:
    """Whatever was done before, after begin there come exactly the solutions with what is given."""
    items, primary, options = problem
    often = data.draw(bounds(primary))
    expected = by_the_core(primary, options, often)
    assume(len(expected) < 2000)
    search = _native.Search(native_problem(items, primary, options, often), dense, instructions)
    for _ in range(data.draw(st.integers(1, 4))):
        given_ones = data.draw(
            st.lists(st.sampled_from([k for k, option in enumerate(options) if option] or [0]), max_size=2, unique=True)
            if options
            else st.just([])
        )
        if any(all(item >= primary for item, _ in options[k]) for k in given_ones):
            continue  # an option that can never be chosen
        left_out = data.draw(st.lists(st.integers(0, len(options) - 1), max_size=3)) if options and often else []
        left_out = [option for option in left_out if option not in given_ones]
        with_given = [
            solution for solution in expected if set(given_ones) <= set(solution) and set(left_out).isdisjoint(solution)
        ]
        action = data.draw(st.sampled_from(["list", "count", "some", "children"]))
        event(action)
        if action == "children":
            parts = search.children(given_ones, heuristic, left_out)
            found = []
            for chosen, excluded in parts:
                search.begin(chosen, heuristic, excluded)
                found += listed(search, data.draw(st.integers(1, 50)))
            assert sorted(found) == with_given
            continue
        more = search.begin(given_ones, heuristic, left_out)
        if action == "count":
            before = search.counters().solutions
            while more:
                more = search.advance(data.draw(st.integers(1, 1000)), 1, False)
            assert search.counters().solutions - before == len(with_given)
        elif action == "some":
            for _ in range(3):
                more = more and search.advance(2, 1, True)
            assert set(search.take()) <= set(with_given)
        else:
            assert sorted(listed(search, 7)) == with_given


@given(
    starts=st.lists(st.integers(-3, 8), max_size=6),
    entries=st.lists(st.integers(-3, 6), max_size=8),
    colors=st.lists(st.integers(-(2**31), 2**31 - 1), max_size=8),
    items=st.integers(0, 6),
    primary=st.integers(0, 7),
)
def test_any_arrays(starts: list[int], entries: list[int], colors: list[int], items: int, primary: int) -> None:
    """Arrays that do not fit together are refused; those that do make a search that ends."""
    try:
        problem = _native.make_problem(items, primary, array("q", starts), array("i", entries), array("i", colors))
    except ValueError:
        return
    options = [list(zip(entries[a:b], colors[a:b], strict=True)) for a, b in itertools.pairwise(starts)]
    search = _native.Search(problem)
    search.begin(())
    assert sorted(listed(search)) == by_the_core(primary, options, [])


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ({"low": [1]}, "bounds for each primary item"),
        ({"low": [1], "high": [1]}, "bounds for each primary item"),
        ({"low": [1, 2], "high": [1, 1]}, "0 <= low <= high"),
        ({"low": [0, 0], "high": [1, 0]}, "0 <= low <= high"),
        ({"low": [-1, 0], "high": [1, 1]}, "0 <= low <= high"),
        ({"costs": [1]}, "a cost for each option"),
        ({"costs": [2, 1]}, "costs must ascend from 0"),
        ({"costs": [-1, 1]}, "costs must ascend from 0"),
        ({"costs": [2**62, 2**62]}, "costs are too large"),
        ({"preferred": [2]}, "no such primary item"),
    ],
)
def test_bounds_and_costs_that_do_not_fit(what: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make([[0], [1]], 2, **what)


@pytest.mark.parametrize("size", [64, 65, 128, 129, 512, 513])
def test_a_poll_ends_setting_up_at_any_time(size: int) -> None:
    calls = 0

    def poll() -> None:
        nonlocal calls
        calls += 1
        if calls > size // 100:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        make([[k % 1000, k % 1000 + 1] for k in range(0, 200_000, 2)], 1000, poll=poll)
    assert calls == size // 100 + 1
