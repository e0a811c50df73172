"""Processes that die, executors that break, and cubes that are asked for."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import pytest

import classics
from commands import StopAfter, has_ended, wait_until
from exactcover import Run, Status, Stop
from exactcover.control.options import ALL
from exactcover.control.policy import RunPolicy
from exactcover.control.stop import Stopped
from exactcover.engines.worker_process import CallProcess, LostProcessError
from exactcover.runs.coordinator import Flag
from exactcover.runs.cube import Cube
from exactcover.runs.cube_worker import CubeTask, search_cube
from exactcover.runs.executors import ProcessWorkers
from small_runs import InlineExecutor, cut_run


def fail_strangely() -> None:
    raise type("StrangeError", (Exception,), {})("no luck")  # which no other process knows


def test_a_process_that_dies_is_replaced() -> None:
    with ProcessWorkers(1) as workers:
        first = workers.submit(os.getpid).result()
        for _ in range(2):
            with pytest.raises(LostProcessError, match="a worker has ended with status 3"):
                workers.submit(os._exit, 3).result()
        assert first != workers.submit(os.getpid).result() != os.getpid()
        assert workers.submit(int, "12", base=3).result() == 5


def test_errors_of_calls_are_those_of_functions() -> None:
    with ProcessWorkers(1) as workers:
        with pytest.raises(ZeroDivisionError):
            workers.submit(divmod, 1, 0).result()
        with pytest.raises(RuntimeError, match="SystemExit: 3"):
            workers.submit(sys.exit, 3).result()
        with pytest.raises(RuntimeError, match="StrangeError: no luck"):
            workers.submit(fail_strangely).result()
        with pytest.raises(LostProcessError):  # what no process can give another one
            workers.submit(threading.Lock).result()


def read_and_write() -> str:
    subprocess.run(["echo", "noise"], check=True)
    print("noise", flush=True)
    return sys.stdin.read()


@pytest.mark.skipif(os.name != "posix", reason="there is no echo")
def test_what_functions_read_and_print_is_no_message(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("print('noise', flush=True)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with ProcessWorkers(1) as workers:
        assert workers.submit(read_and_write).result() == ""


def fork_and_die() -> None:
    if os.fork():
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(5)
    os._exit(0)


@pytest.mark.skipif(os.name != "posix", reason="there is no fork")
def test_the_death_of_a_process_that_has_started_others_is_noticed() -> None:
    with ProcessWorkers(1) as workers, pytest.raises(LostProcessError, match="ended with status -9"):
        workers.submit(fork_and_die).result()


def fork_and_sleep() -> None:
    os.fork()
    time.sleep(1000)


@pytest.mark.skipif(os.name != "posix", reason="there is no fork")
def test_a_process_that_owes_an_answer_has_ended_with_its_children() -> None:
    process = CallProcess("a test")
    process.call(fork_and_sleep)
    with pytest.raises(Stopped):
        process.take(StopAfter(20))
    with pytest.raises(LostProcessError, match="has ended"):
        process.call(abs, -1)
    for _ in range(2):
        with pytest.raises(LostProcessError, match="has ended"):
            process.take()


def test_as_many_processes_work_as_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    start, started = subprocess.Popen, list[object]()

    def start_one(*arguments: Any, **keywords: Any) -> Any:
        if started:
            raise OSError("Resource temporarily unavailable")
        started.append(None)
        return start(*arguments, **keywords)

    monkeypatch.setattr(subprocess, "Popen", start_one)
    with ProcessWorkers(3) as workers:
        assert list(workers.map(abs, range(20))) == [*range(20)]


def test_processes_end_with_their_executor() -> None:
    with ProcessWorkers(2) as workers:
        late = workers.submit(time.sleep, 1000)
        process = psutil.Process(workers.submit(os.getpid).result())
    assert has_ended(process)
    with pytest.raises(LostProcessError):
        late.result()


def test_a_process_that_cannot_be_started_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cut_finely: None
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("Resource temporarily unavailable")

    run = Run.create(tmp_path / "some.run", classics.langford(7))
    cut_run(run, 4)
    monkeypatch.setattr(subprocess, "Popen", refuse)
    with pytest.raises(BrokenExecutor, match=r"no worker process can be started: .* temporarily unavailable"):
        run.work(workers=2)
    monkeypatch.undo()
    assert run.status().failed == 0


@pytest.mark.skipif(os.name != "posix", reason="terminals send no signals")
def test_the_signals_of_a_terminal_reach_the_coordinator_alone() -> None:
    with ProcessWorkers(1) as workers:
        process = workers.submit(os.getpid).result()
        assert os.getpgid(process) not in (os.getpgid(0), 0)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process that is stopped stays")
def test_a_stopped_worker_ends_when_its_coordinator_is_killed() -> None:
    script = """
import os, signal, time
from exactcover.runs.executors import ProcessWorkers
workers = ProcessWorkers(1)
worker = workers.submit(os.getpid).result()
os.kill(worker, signal.SIGSTOP)
print(worker, flush=True)
time.sleep(1000)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as coordinator:
        assert coordinator.stdout is not None
        worker = psutil.Process(int(coordinator.stdout.readline()))
        threads = Path(f"/proc/{worker.pid}/task")
        wait_until(lambda: all(") T " in file.read_text() for file in threads.glob("*/stat")))
        coordinator.kill()
    wait_until(lambda: has_ended(worker))


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
        assert not [event for event in store.events() if event == "failure"]


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
    stop, started = Stop(), threading.Event()
    cut_run(run, 1)

    class Noting(ThreadPoolExecutor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            if args[0].flag:
                started.set()
            return super().submit(fn, *args, **kwargs)

    def request() -> None:
        started.wait(60)
        stop.request()

    threading.Thread(target=request).start()
    with Noting(1) as executor:
        assert run.work(executor, workers=1, stop=stop) is Status.INTERRUPTED
    assert run.status().searched == 0
    assert started.is_set()
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
    assert {*tmp_path.iterdir()} == {run.path, left.path}


def test_a_raised_flag_returns_a_cube_early(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "some.run", classics.langford(8), ALL, engine="sets")
    task = CubeTask(Cube(), run._planned.data_of(None), "sets", listing=True, seconds=1e9, flag=str(tmp_path / "flag"))
    whole = search_cube(task)
    assert (whole.count, whole.children) == (300, ())
    (tmp_path / "flag").touch()
    early = search_cube(task)
    assert early.count < 300
    assert early.children
