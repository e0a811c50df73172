"""The processes of this machine that search cubes. A worker that dies is replaced, and only its own cube goes back."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing.synchronize import Event
from typing import Any

from exactcover.runs.worker import HandBack

__all__ = ["ProcessWorkers"]


class ProcessWorkers(Executor):
    """An executor with one process for each worker.

    A pool of the standard library breaks as a whole when one of its processes dies. Therefore each worker is a pool of
    one process, which is made anew when it breaks.

    Parameters
    ----------
    workers
        The number of processes.
    """

    def __init__(self, workers: int) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._event: Event = self._context.Event()
        self._idle = [self._make_pool() for _ in range(workers)]
        self._busy: set[ProcessPoolExecutor] = set()
        self._lock = threading.Lock()
        self._ended = False

    def _make_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, self._context, _prepare_process, (self._event,))

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Let an idle worker call a function.

        Raises
        ------
        IndexError
            If no worker is idle.
        """
        with self._lock:
            pool = self._idle.pop()
            self._busy.add(pool)
        try:
            future = pool.submit(fn, *args, **kwargs)
        except BrokenProcessPool:  # it died while it was idle
            with self._lock:
                self._busy.discard(pool)
                pool.shutdown(wait=False)
                pool = self._make_pool()
                self._busy.add(pool)
            future = pool.submit(fn, *args, **kwargs)
        future.add_done_callback(partial(self._release, pool))
        return future

    def _release(self, pool: ProcessPoolExecutor, future: Future[Any]) -> None:
        """Let a worker be used again, or replace it if it died."""
        broken = not future.cancelled() and isinstance(future.exception(), BrokenProcessPool)
        with self._lock:
            self._busy.discard(pool)
            if broken and not self._ended:
                pool.shutdown(wait=False)
                pool = self._make_pool()
            self._idle.append(pool)

    def hand_back(self) -> None:
        """Ask all workers to return their cubes as soon as possible."""
        self._event.set()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all processes at once; what they search is lost, unless they have handed it back."""
        self._event.set()
        with self._lock:
            pools, self._ended = [*self._idle, *self._busy], True
        processes = [process for pool in pools for process in (getattr(pool, "_processes", None) or {}).values()]
        for process in processes:
            process.kill()
        for pool in pools:
            pool.shutdown(wait=False, cancel_futures=True)


def _prepare_process(event: Event) -> None:
    """Prepare a process to search cubes: only the coordinator ends it, and it ends with the coordinator."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    HandBack.is_requested = staticmethod(event.is_set)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: Any) -> None:
    """End this process when its parent has ended, however that happened."""
    parent.join()
    os._exit(1)
