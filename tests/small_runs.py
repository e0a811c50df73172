"""Runs of small problems, cut into as many cubes as possible, without other processes."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import pytest

from exactcover.runs import cut, database, scheduler, worker
from exactcover.runs.worker import Task


class InlineExecutor(Executor):
    """Calls functions at once.

    Parameters
    ----------
    fail
        Returns the error that a call ends with, or None; it receives the number of the call and the task.
    """

    def __init__(self, fail: Callable[[int, Task], Exception | None] = lambda number, task: None) -> None:
        self._fail, self._calls = fail, 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._calls += 1
        error = self._fail(self._calls, args[0])
        if error is None:
            future.set_result(fn(*args, **kwargs))
        else:
            future.set_exception(error)
        return future


def cut_finely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let cubes be divided as early as possible; do not wait for the disk."""
    monkeypatch.setattr(database, "_SYNCHRONOUS", "OFF")
    monkeypatch.setattr(cut, "SMALLEST", 0.0)
    monkeypatch.setattr(worker, "_SMALL", 0.0)
    monkeypatch.setattr(worker, "_LATE", 0.0)
    monkeypatch.setattr(scheduler, "_SHORTEST", 0.0)
    monkeypatch.setattr(scheduler, "_MESSAGE", 0.0)
    monkeypatch.setattr(scheduler, "_LONGEST", 0.0)
