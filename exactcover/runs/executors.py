"""Executors that search cubes: processes of this machine, and the workers of a dask scheduler.

A process that dies is replaced, and only its own cube goes back. Workers of dask may come and go, and their scheduler
may die and come back.
"""

from __future__ import annotations

import logging
import threading
import time
import warnings
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import Any

from exactcover.control.stop import Stop
from exactcover.engines.worker_process import CallProcess, LostProcessError
from exactcover.errors import CoverError

_TIMEOUT = "5s"  # for one attempt to connect
_WATCH = 0.2  # seconds between two looks at the connection
_PAUSE = 0.5  # seconds between two attempts


class LostWorkersError(BrokenExecutor, MemoryError):
    """Workers have ended, or cannot be started; most often for lack of memory."""


class ProcessWorkers(Executor):
    """An executor with a process for each worker, or for as many as can be started by the first call.

    A pool of the standard library breaks as a whole when one of its processes dies. Here that is replaced by the next
    call.
    """

    def __init__(self, workers: int) -> None:
        self._workers, self._threads, self._is_ending = workers, ThreadPoolExecutor(workers), False
        self._processes: list[CallProcess] = []
        self._idle = SimpleQueue[CallProcess]()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Let a worker call a function. The future fails with a LostProcessError if its process dies.

        Raise ``BrokenExecutor`` if no process or no thread that waits for it can be started.
        """
        if not self._processes:
            self._start_all()
        try:
            return self._threads.submit(self._call, partial(fn, *args, **kwargs))
        except RuntimeError as error:
            raise LostWorkersError(f"no worker can be started: {error}") from None

    def _start_all(self) -> None:
        """Start as many processes as possible, and let as many threads wait for them."""
        for number in range(self._workers):
            try:
                self._idle.put(self._start())
            except LostWorkersError:
                if number == 0:
                    raise
                self._threads = ThreadPoolExecutor(number)
                break

    def _start(self) -> CallProcess:
        try:
            process = CallProcess("a worker")
        except LostProcessError as error:
            raise LostWorkersError(f"no worker process can be started: {error}") from None
        self._processes.append(process)
        if self._is_ending:
            process.end()
        return process

    def _call(self, function: Callable[[], Any]) -> Any:
        process = self._idle.get()  # there are no more threads than processes
        try:
            if not process.is_alive():
                time.sleep(_PAUSE)  # perhaps memory did not suffice
                new = self._start()
                self._processes.remove(process)
                process = new
            process.call(function)
            return process.take()
        finally:
            self._idle.put(process)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all processes at once; what they search is lost, unless they have handed it back."""
        self._is_ending = True
        for process in list(self._processes):
            process.end()
        self._threads.shutdown(wait, cancel_futures=cancel_futures)


class _SchedulerError(CoverError, ConnectionError):
    """There is no dask, or no scheduler at the address."""


class DaskExecutor(Executor):
    """An executor that lets the workers of a dask scheduler call functions.

    The address of the scheduler is like ``tcp://10.0.0.1:8786``. If the scheduler is lost, all futures are cancelled,
    so that their cubes are searched again, and the next call waits until there is a scheduler at the address again, or
    the stop asks to end. Raise ``CoverError`` if dask is not installed, or no scheduler answers.
    """

    def __init__(self, address: str, stop: Stop) -> None:
        try:
            import distributed  # noqa: F401
        except ImportError:
            raise _SchedulerError(
                "--dask needs distributed; install it with: python -m pip install distributed"
            ) from None
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # tracebacks of a lost scheduler
        self._address, self._stop = address, stop
        self._futures: set[Future[Any]] = set()
        self._lock, self._ended = threading.Lock(), threading.Event()
        try:
            self._client: Any = self._connect()
        except (OSError, ValueError) as error:
            raise _SchedulerError(f"no dask scheduler answers at {address}: {error}") from None
        threading.Thread(target=self._watch, daemon=True).start()

    def _connect(self) -> Any:
        from distributed import Client

        connect: Any = Client
        client = connect(self._address, timeout=_TIMEOUT, set_as_default=False, name="exactcover")
        self._scheduler = client.scheduler_info().get("id")
        return client

    def _watch(self) -> None:
        """Notice when the scheduler is lost; a client of dask connects to a new one without a word."""
        while not self._ended.wait(_WATCH):
            client = self._client
            with suppress(Exception):  # the client may just be closed
                if client is not None and (
                    client.status != "running" or client.scheduler_info().get("id") != self._scheduler
                ):
                    self._lose_client()

    @property
    def _max_workers(self) -> int:
        """The number of threads of all workers, at least 1; what `Run.work` asks executors for."""
        threads = sum(self._client.nthreads().values()) if self._client is not None else 0
        return max(1, threads)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Let a worker call a function; wait for a scheduler if there is none."""
        while True:
            client = self._ensure_client()
            try:
                remote = client.submit(fn, *args, **kwargs, pure=False, retries=0)
            except Exception:  # the scheduler has just been lost
                self._lose_client()
                continue
            future: Future[Any] = Future()
            future.set_running_or_notify_cancel()
            with self._lock:
                if self._client is not client:  # lost meanwhile
                    continue
                self._futures.add(future)
            remote.add_done_callback(partial(self._finish, future))
            return future

    def _finish(self, future: Future[Any], remote: Any) -> None:
        """Pass a result on; a future that was lost counts as cancelled."""
        self._futures.discard(future)
        if future.done():
            return
        with suppress(Exception):  # it may have been finished meanwhile
            if remote.status == "finished":  # its worker may die before the result is fetched
                future.set_result(remote.result(timeout=_TIMEOUT))
                return
            if remote.status == "error":
                future.set_exception(remote.exception(timeout=_TIMEOUT))
                return
        future.set_exception(CancelledError())

    def _ensure_client(self) -> Any:
        """Return a client that is connected; wait for it, until the stop asks to end."""
        if self._client is None or self._client.status != "running":
            message = f"the dask scheduler at {self._address} is lost; the run goes on when one answers there"
            warnings.warn(message, RuntimeWarning, stacklevel=2)
            self._lose_client()
        while self._client is None:
            self._stop.poll()
            try:
                self._client = self._connect()
            except (OSError, ValueError):
                time.sleep(_PAUSE)
        return self._client

    def _lose_client(self) -> None:
        """Drop a client that has lost its scheduler; cubes that were with it can be searched again."""
        with self._lock:
            client, self._client = self._client, None
            futures, self._futures = self._futures, set()
        for future in futures:
            if not future.done():
                future.set_exception(CancelledError())
        if client is not None:  # in a thread, because it may wait for a scheduler that is gone
            threading.Thread(target=_close, args=(client,), daemon=True).start()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect from the scheduler, which goes on."""
        self._ended.set()
        self._lose_client()


def _close(client: Any) -> None:
    with suppress(Exception):
        client.close(timeout=1)
