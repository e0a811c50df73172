"""A search by several threads that is stopped, or cannot start."""

import threading
from itertools import islice

import pytest

from classics import langford
from exactcover import Problem, SearchOptions, Status, Stop, StoppedError
from exactcover.engines.base import ENGINES

if "native" not in ENGINES:
    pytest.skip("installed without a C++ compiler", allow_module_level=True)

from exactcover.engines.threads import PartsRun

MANY = Problem(((item, choice), [item]) for item in range(9) for choice in range(8))  # 8 ** 9 solutions
FOUR = SearchOptions(engine="native", jobs=4)


def run_of(search: object) -> PartsRun:
    run = search._run  # type: ignore[attr-defined]
    assert isinstance(run, PartsRun)
    return run


def wait_until_much_waits(run: PartsRun) -> None:
    """Until threads have found more than they may, and wait."""
    ahead = run._ahead
    assert ahead is not None
    with ahead._changed:
        assert ahead._changed.wait_for(lambda: ahead.waiting > 1 << 16, 60)


@pytest.mark.parametrize("way", ["labels", "positions"])
def test_what_waits_is_not_handed_over_after_a_stop(way: str) -> None:
    stop = Stop()
    search, alone = MANY.solve(options=FOUR, stop=stop), MANY.solve(engine="native")
    one, same = ((iter(each) if way == "labels" else each.positions()) for each in (search, alone))
    assert list(islice(one, 100)) == list(islice(same, 100))
    wait_until_much_waits(run_of(search))
    stop.request()
    assert list(one) == []
    assert search.status is Status.INTERRUPTED
    assert search.statistics.solutions == 100
    ahead = run_of(search)._ahead
    assert ahead is not None
    assert not any(thread.is_alive() for thread in ahead.threads._threads)


def test_a_stop_from_the_consumer_ends_it_at_once() -> None:
    """Each solution handed over is counted, and none comes after the stop."""
    for wanted in (1, 2, 1023, 1024, 1025, 3000):
        stop, found = Stop(), 0
        search = MANY.solve(options=SearchOptions(engine="native", jobs=2), stop=stop)
        for _ in search:
            found += 1
            if found == wanted:
                stop.request()
        assert found == search.statistics.solutions == wanted


class _Limited(threading.Thread):
    """A thread of which there are two at most."""

    started = 0
    error: type[BaseException] = RuntimeError

    def start(self) -> None:
        if _Limited.started == 2:
            raise self.error("can't start new thread")
        _Limited.started += 1
        super().start()


def limit_threads(monkeypatch: pytest.MonkeyPatch, error: type[BaseException]) -> None:
    monkeypatch.setattr(_Limited, "started", 0)
    monkeypatch.setattr(_Limited, "error", error)
    monkeypatch.setattr("exactcover.engines.thread_group.threading.Thread", _Limited)


@pytest.mark.parametrize("error", [RuntimeError, MemoryError])
def test_threads_that_cannot_start_are_lack_of_memory(
    error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = threading.active_count()
    limit_threads(monkeypatch, error)
    problem = langford(16)
    search = problem.solve(options=FOUR)
    assert list(search) == []
    assert search.status is Status.MEMORY
    assert threading.active_count() == before
    monkeypatch.setattr(_Limited, "started", 0)
    with pytest.raises(StoppedError) as stopped:
        problem.count(options=FOUR)
    assert stopped.value.status is Status.MEMORY
    assert threading.active_count() == before


def test_an_interrupt_while_threads_start_leaves_none(monkeypatch: pytest.MonkeyPatch) -> None:
    before = threading.active_count()
    limit_threads(monkeypatch, KeyboardInterrupt)
    search = langford(16).solve(options=FOUR)
    with pytest.raises(KeyboardInterrupt):
        next(search)
    assert search.status is Status.INTERRUPTED
    assert threading.active_count() == before


def test_counters_may_be_read_while_threads_write_them() -> None:
    """For the thread sanitizer, too: whatever can be looked at is looked at all the time."""
    for jobs in (1, 2):
        search = langford(11).solve(options=SearchOptions(engine="native", jobs=jobs, reduce=False))
        done, seen = threading.Event(), [0]

        def look(search: object = search, done: threading.Event = done, seen: list[int] = seen) -> None:
            while not done.is_set():
                statistics = search.statistics  # type: ignore[attr-defined]
                assert statistics.nodes >= seen[-1]
                seen.append(statistics.nodes)

        watcher = threading.Thread(target=look)
        watcher.start()
        assert search.count() == 35584
        done.set()
        watcher.join()
        assert seen[-1] <= search.statistics.nodes
