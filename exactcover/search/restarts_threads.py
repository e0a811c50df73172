"""Restarts of which some threads make the next attempts ahead of time.

An attempt depends on its number and the seed alone, so the solution is the same for any number of threads.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

from exactcover.control.options import SearchOptions
from exactcover.control.stop import InnerStop, Stop
from exactcover.engines.base import Engine
from exactcover.engines.runs import EngineRun
from exactcover.engines.thread_group import ThreadGroup
from exactcover.model.matrix import Matrix
from exactcover.search.restarts import RestartsRun

__all__ = ["ThreadedRestartsRun"]


@dataclass
class _Outcome:
    """What came of an attempt; its run is missing if it could not begin."""

    run: EngineRun | None = None
    solution: tuple[int, ...] | None = None
    error: BaseException | None = None


class ThreadedRestartsRun(RestartsRun):
    """Restarts with attempts ahead of time; without observers and without a limit on nodes.

    Parameters
    ----------
    engine, matrix, stop, options
        As for :class:`RestartsRun`.
    threads
        How many threads make attempts, besides the caller.
    """

    def __init__(self, engine: Engine, matrix: Matrix, stop: Stop, options: SearchOptions, threads: int) -> None:
        inner = InnerStop(stop)
        super().__init__(engine, matrix, inner, options)
        self._count = threads
        self._changed, self._is_ending = threading.Condition(), False
        self._outcomes: dict[int, _Outcome | None] = {}  # None for an attempt that is being made
        self._next = 1  # the first attempt that nobody has begun
        self._inner, self._threads = inner, ThreadGroup(self._cancel)

    def _make_attempt(self, number: int, options: SearchOptions) -> tuple[int, ...] | None:
        self._threads.check_owner()
        with self._changed:
            is_begun = number < self._next
            self._next = max(self._next, number + 1)
            self._changed.notify_all()
        if not self._threads:
            self._threads.start([self._work_ahead] * self._count)
        if not is_begun:
            return super()._make_attempt(number, options)
        with self._changed:
            while (outcome := self._outcomes[number]) is None:
                self._changed.wait()
            del self._outcomes[number]
        self._run = outcome.run
        if outcome.error is not None:
            raise outcome.error
        return outcome.solution

    def _work_ahead(self) -> None:
        """Make attempts until the run ends; what a thread does."""
        while True:
            with self._changed:
                while len(self._outcomes) >= 2 * self._count and not self._is_ending:
                    self._changed.wait()
                if self._is_ending:
                    return
                number, self._next = self._next, self._next + 1
                self._outcomes[number] = None
            outcome = _Outcome()
            try:
                attempt = self._begin(number, self._options)
                outcome.run = attempt.run
                outcome.solution = attempt.finish()
            except BaseException as error:
                outcome.error = error
            with self._changed:
                self._outcomes[number] = outcome
                self._changed.notify_all()
                if outcome.solution is not None or outcome.error is not None:
                    return  # what comes later does not matter

    def _cancel(self) -> None:
        """Make the threads end soon."""
        self._inner.request()
        with self._changed:
            self._is_ending = True
            self._changed.notify_all()

    def close(self) -> None:
        self._threads.end()
        super().close()
