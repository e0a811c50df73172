"""Processes that die, executors that break, and cubes that are asked for."""

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, process
from pathlib import Path
from typing import Any

import psutil
import pytest

import classics
from commands import PATIENCE, has_ended, wait_until
from exactcover import Run, Status, Stop
from exactcover.control.options import ALL
from exactcover.control.policy import RunPolicy
from exactcover.runs import pool
from exactcover.runs.coordinator import Flag
from exactcover.runs.cube import Cube
from exactcover.runs.cube_worker import CubeTask, search_cube
from exactcover.runs.pool import ProcessWorkers
from small_runs import InlineExecutor, cut_run


def test_a_process_that_dies_is_replaced_outside_of_callbacks() -> None:
    """Later versions of Python hold a lock of the pool while they call back."""
    with ProcessWorkers(1) as workers:
        for _ in range(2):
            with pytest.raises(BrokenExecutor):
                workers.submit(os._exit, 3).result(60)
            wait_until(lambda: bool(workers._idle))
        assert workers.submit(os.getpid).result(60) > 0


def test_a_death_that_python_does_not_notice_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "GRACE", 0.0)
    monkeypatch.setattr(process._ExecutorManagerThread, "terminate_broken", lambda self, cause: None)
    with ProcessWorkers(1) as workers:
        doomed = workers.submit(os._exit, 3)

        def look() -> bool:
            workers.fail_dead_workers()
            return doomed.done()

        wait_until(look)
        with pytest.raises(BrokenExecutor, match="ended without a result"):
            doomed.result()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process that is stopped stays")
def test_a_stopped_worker_ends_when_its_coordinator_is_killed() -> None:
    script = """
import os, signal, time
from exactcover.runs.pool import ProcessWorkers
if __name__ == "__main__":
    worker = ProcessWorkers(1).submit(os.getpid).result()
    os.kill(worker, signal.SIGSTOP)
    print(worker, flush=True)
    time.sleep(1000)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as coordinator:
        assert coordinator.stdout is not None
        worker = psutil.Process(int(coordinator.stdout.readline()))
        assert worker.is_running()
        coordinator.kill()
    wait_until(lambda: has_ended(worker))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # both ends note the death
def test_a_process_whose_call_never_reaches_it_is_killed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(pool, "GRACE", 0.0)
    monkeypatch.setattr(pool, "STALL", 0.0)
    os.mkfifo(tmp_path / "never")
    with ProcessWorkers(1) as workers:
        stuck = workers.submit(Path(tmp_path / "never").read_text)

        def look() -> bool:
            workers.fail_dead_workers()
            return stuck.done()

        wait_until(look)
        with pytest.raises(BrokenExecutor):
            stuck.result()


def refuse(*_: object) -> Future[Any]:
    raise OSError("Resource temporarily unavailable")


def test_a_process_that_cannot_be_started_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProcessPoolExecutor, "submit", refuse)
    with ProcessWorkers(1) as workers, pytest.raises(OSError, match="no worker process can be started: Resource"):
        workers.submit(os.getpid)


def test_what_threads_share_is_changed_with_the_lock_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that cannot be started becomes idle again, and a death is noted, while callbacks change the same."""
    monkeypatch.setattr(pool, "is_alive", lambda _: False)
    with ProcessWorkers(1) as workers:
        lock, unlocked = workers._lock, list[str]()

        class Watched(list[Any]):
            def append(self, value: Any) -> None:
                unlocked.extend([] if lock.locked() else ["idle"])
                super().append(value)

        class WatchedTimes(dict[Any, float]):
            def setdefault(self, key: Any, value: float = 0.0) -> float:
                unlocked.extend([] if lock.locked() else ["dead"])
                return super().setdefault(key, value)

        workers._idle, workers._dead = Watched(workers._idle), WatchedTimes()
        workers._busy[ProcessPoolExecutor(1)] = Future()
        workers.fail_dead_workers()
        assert len(workers._dead) == 1
        monkeypatch.setattr(ProcessPoolExecutor, "submit", refuse)
        with pytest.raises(OSError, match="Resource"):
            workers.submit(os.getpid)
        assert (unlocked, len(workers._idle)) == ([], 1)


class Doomed(Executor):
    """Breaks with all that it has, now and then, or for good."""

    def __init__(self, batches: int, *, for_good: bool = False) -> None:
        self.batches, self.for_good, self.now = batches, for_good, InlineExecutor()
        self.waiting: list[Future[Any]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        if not self.batches:
            return self.now.submit(fn, *args, **kwargs)
        if self.batches < 0:
            raise BrokenExecutor("not usable any more")
        self.waiting.append(Future())
        if len(self.waiting) == 4:
            self.batches = -1 if self.for_good else self.batches - 1
            waiting, self.waiting = self.waiting, []
            for future in waiting:
                future.set_exception(BrokenExecutor("a process was terminated abruptly"))
            return waiting[-1]
        return self.waiting[-1]


def test_the_death_of_a_shared_process_is_no_failure_of_all_its_cubes(tmp_path: Path, cut_finely: None) -> None:
    run = Run.create(tmp_path / "some.run", classics.langford(7))
    cut_run(run, 4)
    assert run.work(Doomed(5), workers=2) is Status.COMPLETE
    assert (run.count(), run.status().failed) == (52, 0)
    with run._open_for_work(Stop()) as store:
        assert not [event for event in store.events() if event.kind == "failure"]


def test_an_executor_that_is_broken_is_an_error_and_loses_nothing(tmp_path: Path, cut_finely: None) -> None:
    for doomed in (Doomed(10**6), Doomed(1, for_good=True)):
        run = Run.create(tmp_path / f"{doomed.batches}.run", classics.langford(7))
        cut_run(run, 4)
        with pytest.raises(BrokenExecutor):
            run.work(doomed, workers=2)
        assert run.status().failed == 0
        assert run.work(InlineExecutor()) is Status.COMPLETE
        assert run.count() == 52


def test_cubes_on_a_foreign_executor_are_handed_back_at_a_stop(tmp_path: Path) -> None:
    policy = RunPolicy(hand_back_seconds=60.0)
    run = Run.create(tmp_path / "some.run", classics.langford(12), ALL, engine="sets", policy=policy)
    stop, lines = Stop(), list[str]()
    cut_run(run, 1)
    started = threading.Event()

    class Noting(ThreadPoolExecutor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            lines.append(args[0].flag)
            started.set()
            return super().submit(fn, *args, **kwargs)

    def request() -> None:
        started.wait(60)
        stop.request()

    threading.Thread(target=request).start()
    with Noting(1) as executor:
        assert run.work(executor, workers=1, stop=stop) is Status.INTERRUPTED
    assert run.status().searched == 0
    assert lines
    assert [file.name for file in tmp_path.iterdir()] == ["some.run"]


def test_the_flag_is_removed_when_the_last_cube_is_back(tmp_path: Path) -> None:
    flag, late = Flag(tmp_path / "some.run"), Future[Any]()
    flag.raise_flag()
    flag.remove_after([late])
    assert Path(flag.path).exists()
    late.set_result(None)
    assert list(tmp_path.iterdir()) == []


def test_a_flag_that_was_left_asks_for_nothing(tmp_path: Path) -> None:
    run, seen = Run.create(tmp_path / "some.run", classics.langford(7), ALL), list[bool]()
    left = Flag(run.path)  # by a coordinator that was killed
    left.raise_flag()

    def look(number: int, task: CubeTask) -> None:
        seen.append(Path(task.flag).exists())

    assert run.work(InlineExecutor(look), workers=1) is Status.COMPLETE
    assert set(seen) == {False}
    assert {str(file) for file in tmp_path.iterdir()} == {str(run.path), left.path}


def test_a_raised_flag_returns_a_cube_early(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "some.run", classics.langford(8), ALL, engine="sets")
    task = CubeTask(
        Cube(), run.problem.searched.to_bytes(), "sets", listing=True, seconds=1e9, flag=str(tmp_path / "flag")
    )
    whole = search_cube(task)
    assert (whole.count, whole.children) == (300, ())
    (tmp_path / "flag").touch()
    early = search_cube(task)
    assert early.count < 300
    assert early.children


def read_mask() -> set[int]:
    return {int(one) for one in signal.pthread_sigmask(signal.SIG_BLOCK, [])}


def test_the_signals_of_a_terminal_reach_the_coordinator_alone() -> None:
    """Also while workers start, when they could not say anything but a traceback."""
    before = read_mask()
    with ProcessWorkers(1) as workers:
        assert {signal.SIGINT, signal.SIGHUP} <= workers.submit(read_mask).result(PATIENCE)
        assert read_mask() == before
