"""The native module is fed what no Problem would ever hand it, in an order nobody would choose."""

import itertools
import threading
from array import array
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.engines.base import ENGINES

if "native" not in ENGINES:
    pytest.skip("installed without a C++ compiler", allow_module_level=True)

import exactcover._native as _native
from exactcover.algorithm_x import Cover


def test_what_is_not_done_has_no_total() -> None:
    problem = _native.make_problem(2, 2, array("q", [0, 1, 2, 4]), array("i", [0, 1, 0, 1]), array("i", [0, 0, 0, 0]))
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
    trials = _native.Trials(array("q", [0, 1, 2]), array("i", [0, 0]), array("i", [0, 0]), [1], [1], [])
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
    size = 14
    pairs = list(itertools.combinations(range(size), 2))
    entries = array("i", [item for pair in pairs for item in pair])
    starts = array("q", range(0, len(entries) + 1, 2))
    problem = _native.make_problem(size, size, starts, entries, array("i", [0] * len(entries)))
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
        while count.advance(7):
            pass
        done.set()
        watcher.join()
        assert int.from_bytes(count.total(), "little") == 135135


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
    rows = [
        {item: color or None for item, color in zip(entries[a:b], colors[a:b], strict=True)}
        for a, b in itertools.pairwise(starts)
    ]
    search, found = _native.Search(problem), list[tuple[int, ...]]()
    more = search.begin([])
    while more:
        more = search.advance(100, 10, True)
        found += search.take()
    assert sorted(found) == sorted(Cover(rows, range(primary), {}))


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
        _native.make_problem(2, 2, array("q", [0, 1, 2]), array("i", [0, 1]), array("i", [0, 0]), **what)


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
        _native.make_problem(1000, 1000, starts, entries, array("i", bytes(800_000)), poll=poll)
    assert calls == size // 100 + 1
