"""The processes of this machine that search cubes. A worker that dies is replaced, and only its own cube goes back."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, InvalidStateError, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import resource_tracker
from typing import Any

from exactcover.errors import CoverError

_ATTEMPTS = 3  # to start a process
GRACE = 5.0  # seconds in which the standard library notices by itself that a process has died
STALL = 15.0  # seconds without any processor time, after which a process that should search never will
_LOOK = 1.0  # seconds between two looks at that
_PR_SET_PDEATHSIG = 1  # of prctl


class _WorkerError(CoverError, OSError):
    """No worker process can be started."""


class ProcessWorkers(Executor):
    """An executor with one process for each worker.

    A pool of the standard library breaks as a whole when one of its processes dies. Therefore each worker is a pool of
    one process. One that is broken is replaced when it is needed next, and not in a callback of its future, because a
    pool holds its locks while it calls back.

    Parameters
    ----------
    workers
        The number of processes.
    """

    def __init__(self, workers: int) -> None:
        self._context = multiprocessing.get_context("spawn")
        with shield_processes():
            resource_tracker.ensure_running()
        self._idle = [self._make_pool() for _ in range(workers)]
        self._busy: dict[ProcessPoolExecutor, Future[Any]] = {}
        self._dead: dict[ProcessPoolExecutor, float] = {}  # busy, with the time when they were first seen dead
        self._worked: dict[ProcessPoolExecutor, tuple[float, float]] = {}  # busy: processor time, and when it last grew
        self._next_look = 0.0
        self._lock = threading.Lock()

    def _make_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, self._context, prepare_process)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Let an idle worker call a function.

        Raises
        ------
        IndexError
            If no worker is idle.
        CoverError
            If its process cannot be started.
        """
        with self._lock:
            pool = self._idle.pop()
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                with shield_processes():
                    inner = pool.submit(fn, *args, **kwargs)
                break
            except (BrokenProcessPool, OSError) as error:  # it died while it was idle, or while it was started
                pool = self._make_pool()
                if attempt == _ATTEMPTS:
                    with self._lock:
                        self._idle.append(pool)
                    raise _WorkerError(f"no worker process can be started: {error}") from None
        future: Future[Any] = Future()  # a result that the standard library sets twice is an error in its thread
        future.set_running_or_notify_cancel()
        with self._lock:
            self._busy[pool] = future
        future.add_done_callback(partial(self._release, pool))
        inner.add_done_callback(partial(_hand_over, future))
        return future

    def _release(self, pool: ProcessPoolExecutor, _: Future[Any]) -> None:
        """Let a worker be used again."""
        with self._lock:
            self._busy.pop(pool, None)
            self._dead.pop(pool, None)
            self._worked.pop(pool, None)
            self._idle.append(pool)

    def fail_dead_workers(self) -> None:
        """Let the calls fail whose process died some time ago, if the standard library has not noticed it.

        A process that has not worked for a while, because its call has never reached it, is killed first.
        """
        now, lost = time.monotonic(), list[Future[Any]]()
        with self._lock:
            if now >= self._next_look:
                self._next_look = now + _LOOK
                self._kill_stalled_workers(now)
            for pool, future in self._busy.items():
                if is_alive(pool):
                    self._dead.pop(pool, None)
                elif now - self._dead.setdefault(pool, now) >= GRACE:
                    lost.append(future)
        for future in lost:  # without the lock, which its callback takes
            with suppress(InvalidStateError):  # it has just ended
                future.set_exception(BrokenProcessPool("the process has ended without a result"))

    def _kill_stalled_workers(self, now: float) -> None:
        for pool in self._busy:
            processes = list_processes(pool)
            spent, since = sum(map(find_processor_time, processes)), now
            known = self._worked.get(pool)
            if known is not None and known[0] == spent:
                since = known[1]
            self._worked[pool] = spent, since
            if now - since >= STALL:
                for process in processes:
                    process.kill()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all processes at once; what they search is lost, unless they have handed it back."""
        with self._lock:
            pools = [*self._idle, *self._busy]
        for pool in pools:
            for process in list_processes(pool):
                process.kill()
        for pool in pools:
            pool.shutdown(wait=False, cancel_futures=True)


def _hand_over(future: Future[Any], inner: Future[Any]) -> None:
    """Give a future what another one has ended with, unless it has ended before."""
    with suppress(InvalidStateError):
        if inner.cancelled():
            future.set_exception(CancelledError())
        elif (error := inner.exception()) is not None:
            future.set_exception(error)
        else:
            future.set_result(inner.result())


@contextmanager
def shield_processes() -> Iterator[None]:
    """Let processes that start here begin, and go on, without the signals of a terminal: the coordinator ends them.

    For threads that start here, writing to a process that has died is an error, even while the coordinator exits.
    """
    signals = {getattr(signal, name) for name in ("SIGINT", "SIGHUP", "SIGPIPE") if hasattr(signal, name)}
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def find_processor_time(process: Any) -> float:
    """Return how many seconds of processor time a process has used; 0 if it has ended.

    Without psutil, the process is taken to work all the time.
    """
    try:
        import psutil  # slow to import
    except ImportError:
        return time.monotonic()
    try:
        times = psutil.Process(process.pid).cpu_times()
    except (psutil.Error, OSError):
        return 0.0
    return float(times.user + times.system)


def list_processes(pool: ProcessPoolExecutor) -> list[Any]:
    """Return the processes of a pool."""
    return list((getattr(pool, "_processes", None) or {}).values())


def is_alive(pool: ProcessPoolExecutor) -> bool:
    """Return whether a process of a pool lives, and the thread that takes its results."""
    manager = getattr(pool, "_executor_manager_thread", None)
    return (manager is None or manager.is_alive()) and any(process.is_alive() for process in list_processes(pool))


def prepare_process() -> None:
    """Prepare a process that works for this one: only this one ends it, and it ends with this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    _end_with_parent()
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _end_with_parent() -> None:
    """Let the system end this process when the thread that started it ends, even while it is stopped. Linux can."""
    if sys.platform == "linux":
        import ctypes  # seldom needed

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _follow(parent: Any) -> None:
    """End this process when its parent has ended, however that happened."""
    parent.join()
    os._exit(1)
