"""Polls and threads of the native module: what calls back or comes second is refused, and nothing is lost."""

import threading
from collections.abc import Callable

import pytest

from exactcover.engines.registry import ENGINES

if "native" not in ENGINES:
    pytest.skip("installed without a C++ compiler", allow_module_level=True)

import exactcover._native as _native
from native_problems import dominoes


def recorded() -> _native.Sweep:
    sweep = _native.Sweep(dominoes(8), recorded=True)
    while sweep.advance(1000):
        pass
    return sweep


def test_a_poll_that_calls_back_is_refused_and_may_look() -> None:
    diagrams, sweep = _native.Diagrams(range(40), 1 << 20), recorded()
    search = _native.Search(dominoes(200))
    refused = []

    def poll() -> None:
        assert sweep.progress()[2] == 0
        assert sweep.memory() > 0
        calls: list[Callable[[], object]] = [
            lambda: diagrams.add(0, 1),
            lambda: sweep.advance(1),
            lambda: search.begin(()),
        ]
        for call in calls:
            try:
                call()
            except RuntimeError as error:
                refused.append(str(error))

    diagrams.of_sweep(sweep, poll)
    assert len(refused) == 2
    refused.clear()
    diagrams.of_memo(dominoes(8), poll)
    search.probe(1, poll)
    assert set(refused) == {"this object is in use by another thread, or by the call that polls"}
    assert diagrams.add(0, 1) == 1
    assert search.begin(())


def test_a_poll_that_raises_leaves_what_can_be_used() -> None:
    def poll() -> None:
        raise InterruptedError

    problem, sweep = dominoes(200), recorded()
    diagrams, search = _native.Diagrams(range(600), 1 << 20), _native.Search(problem)
    for call in (
        lambda: diagrams.of_sweep(sweep, poll),
        lambda: diagrams.of_memo(problem, poll),
        lambda: _native.Memo(problem, poll=poll),
        lambda: _native.Sweep(problem, poll=poll),
        lambda: _native.compact_order(problem, poll),
        lambda: _native.Search(problem, 0, poll=poll),
        lambda: search.probe(1, poll),
    ):
        with pytest.raises(InterruptedError):
            call()
    assert diagrams.of_sweep(sweep) == diagrams.of_memo(dominoes(8))
    search.begin(())
    assert search.advance(10, 1, True)


@pytest.mark.parametrize("name", ["Search", "Sweep", "Memo"])
def test_two_threads_on_one_object(name: str) -> None:
    """One of them at a time gets on; the other is told so, and nothing is counted twice."""
    problem = dominoes(24)
    one = getattr(_native, name)(problem)
    if name == "Search":
        one.begin(())
    refused = [0, 0]

    def work(number: int) -> None:
        more = True
        while more:
            try:
                more = one.advance(50, 1, False) if name == "Search" else one.advance(3)
            except RuntimeError:
                refused[number] += 1

    threads = [threading.Thread(target=work, args=(number,)) for number in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (one.counters().solutions if name == "Search" else int.from_bytes(one.total(), "little")) == 75025
