"""The native module is fed what no Problem would ever hand it, in an order nobody would choose."""

import itertools
from array import array

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from exactcover.engines import ENGINES

if "native" not in ENGINES:
    pytest.skip("installed without a C++ compiler", allow_module_level=True)

import exactcover._native as _native
from exactcover.algorithm_x import Cover

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


def native_problem(items: int, primary: int, options: Rows) -> _native.Problem:
    starts, entries, colors = array("q", [0]), array("i"), array("i")
    for option in options:
        entries.extend(item for item, _ in option)
        colors.extend(color for _, color in option)
        starts.append(len(entries))
    return _native.make_problem(items, primary, starts, entries, colors)


def by_the_core(primary: int, options: Rows) -> list[tuple[int, ...]]:
    return sorted(Cover([{item: color or None for item, color in option} for option in options], range(primary)))


@pytest.mark.parametrize(("instructions", "dense"), SEARCHES)
@given(problem=rows(), heuristic=st.sampled_from(["mrv", "leftmost", "weighted"]), data=st.data())
def test_any_order_of_calls(
    instructions: str, dense: int, problem: tuple[int, int, Rows], heuristic: str, data: st.DataObject
) -> None:
    """Whatever was done before, after begin there come exactly the solutions with what is given."""
    items, primary, options = problem
    expected = by_the_core(primary, options)
    assume(len(expected) < 2000)
    search = _native.Search(native_problem(items, primary, options), dense, instructions)
    for _ in range(data.draw(st.integers(1, 4))):
        given_ones = data.draw(
            st.lists(st.sampled_from([k for k, option in enumerate(options) if option] or [0]), max_size=2, unique=True)
            if options
            else st.just([])
        )
        if any(all(item >= primary for item, _ in options[k]) for k in given_ones):
            continue  # an option that can never be chosen
        with_given = [solution for solution in expected if set(given_ones) <= set(solution)]
        action = data.draw(st.sampled_from(["list", "count", "some", "children"]))
        event(action)
        if action == "children":
            parts = search.children(given_ones, heuristic)
            found = []
            for part in parts:
                found += listed(search, part, heuristic, data.draw(st.integers(1, 50)))
            assert sorted(found) == with_given
            continue
        more = search.begin(given_ones, heuristic)
        if action == "count":
            before = search.counters()[3]
            while more:
                more = search.advance(data.draw(st.integers(1, 1000)), 1, False)
            assert search.counters()[3] - before == len(with_given)
        elif action == "some":
            for _ in range(3):
                more = more and search.advance(2, 1, True)
            assert set(search.take()) <= set(with_given)
        else:
            assert sorted(listed(search, given_ones, heuristic, 7)) == with_given


def listed(search: _native.Search, chosen: list[int], heuristic: str, most: int) -> list[tuple[int, ...]]:
    found = []
    more = search.begin(chosen, heuristic)
    while more:
        more = search.advance(100, most, True)
        found += search.take()
    return found


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
    assert sorted(listed(_native.Search(problem), [], "mrv", 10)) == by_the_core(primary, options)


@pytest.mark.parametrize("size", [64, 65, 128, 129, 512, 513])
def test_a_poll_ends_setting_up_at_any_time(size: int) -> None:
    calls = 0

    def poll() -> None:
        nonlocal calls
        calls += 1
        if calls > size // 100:
            raise InterruptedError

    starts = array("q", range(0, 200_001, 2))
    entries = array("i", [item % 1000 for item in range(200_000)])
    with pytest.raises(InterruptedError):
        _native.make_problem(1000, 1000, starts, entries, array("i", bytes(800_000)), poll)
    assert calls == size // 100 + 1
