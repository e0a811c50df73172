"""The scheduler: it takes the turns of a task, on one thread or on several, and measures what they take."""

from __future__ import annotations

import threading
from functools import partial

from exactcover.control.clock import PROCESSOR_TIME, Clock
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.control.stop import Stop
from exactcover.counting.task import Task, Turn
from exactcover.engines.leaves import TooLargeError
from exactcover.engines.thread_group import ThreadGroup

__all__ = ["Scheduler"]

_SLICE = 0.005  # seconds between two polls of the stop
_POLL_SECONDS = 0.01  # the same while threads work
_MAX_AMOUNT, _MIN_AMOUNT = 1 << 24, 1 << 4  # of work in a slice


class Scheduler:
    """Does tasks.

    Parameters
    ----------
    stop
        Polled often. If threads are interrupted, it is requested, so it belongs to this work alone.
    jobs
        The number of threads.
    policy
        When threads start.
    clock
        What measures turns.
    """

    def __init__(
        self, stop: Stop, jobs: int = 1, policy: CountingPolicy = DEFAULT_POLICY, clock: Clock = PROCESSOR_TIME
    ) -> None:
        self._stop, self._jobs, self._policy, self._clock = stop, jobs, policy, clock
        self._changed = threading.Condition()
        self._hungry = self._working = 0  # threads that wait for a turn, and that take one
        self._cancelled = False
        self._error: BaseException | None = None

    def run(self, task: Task) -> None:
        """Do a task to its end.

        Raises
        ------
        Stopped
            If the stop asks for it.
        """
        spent = 0.0
        while not task.is_done:
            turn = task.next_turn()
            if turn is not None:
                spent += self._take(turn, poll=True)
            elif not task.is_done:
                raise RuntimeError("no task of the count can continue")
            if self._jobs > 1 and spent > self._policy.threads_seconds and not task.is_done:
                self._run_on_threads(task)

    def _take(self, turn: Turn, *, poll: bool) -> float:
        """Take a turn; return how many seconds it has taken."""
        leaf, more, error, spent = turn.leaf, True, None, 0.0
        try:
            leaf.prepare()
            began = self._clock.read()
            while more and not self._cancelled and (spent < turn.seconds or spent == 0):
                if poll:
                    self._stop.poll()
                amount = leaf.amount
                try:
                    more = leaf.work(amount)
                except TooLargeError as too_large:
                    more, error = False, too_large
                self._clock.charge(leaf.seconds_per_work * amount)
                now = self._clock.read()  # once for each slice, because it may take longer than a short one
                seconds, began = now - began, now
                leaf.charge(seconds)
                spent += seconds
                leaf.amount = _adapt(amount, seconds, min(turn.seconds, _SLICE))
                if self._hungry:
                    break
        finally:
            if poll:
                turn.end(spent, more=more, error=error)
            else:
                with self._changed:
                    turn.end(spent, more=more, error=error)
        return spent

    # -- threads -------------------------------------------------------------------------------

    def _run_on_threads(self, task: Task) -> None:
        """Let threads do the task. This thread takes no lock of theirs, which an interrupt could leave locked."""
        self._cancelled, self._error = False, None
        threads = ThreadGroup(self._cancel)
        try:
            threads.start(partial(self._work, task) for _ in range(self._jobs))
            while threads.is_alive():
                self._stop.poll()
                threads.join(_POLL_SECONDS)
        except BaseException:
            self._stop.request()  # for what polls it in the middle of a slice
            raise
        finally:
            threads.end()
            self._cancelled = False
        if self._error is not None and not task.is_done:
            raise self._error

    def _cancel(self) -> None:
        self._cancelled = True

    def _work(self, task: Task) -> None:
        """Take one turn after another; what each thread does."""
        try:
            while (turn := self._wait_for_turn(task)) is not None:
                try:
                    self._take(turn, poll=False)
                finally:
                    with self._changed:
                        self._working -= 1
                        if self._hungry and not self._cancelled:
                            task.divide()
                        self._changed.notify_all()
        except BaseException as error:  # raised again in the thread that waits for the result
            self._error = error
            self._cancel()

    def _wait_for_turn(self, task: Task) -> Turn | None:
        """Return the next turn; None if there will be no more."""
        with self._changed:
            while not self._cancelled and not task.is_done:
                turn = task.next_turn() or (None if task.is_done else task.spare_turn())
                if turn is not None:
                    self._working += 1
                    return turn
                if task.is_done:
                    break
                if not self._working:
                    raise RuntimeError("no task of the count can continue")
                self._hungry += 1
                self._changed.wait(_POLL_SECONDS)
                self._hungry -= 1
            self._changed.notify_all()
            return None


def _adapt(amount: int, seconds: float, slice_seconds: float) -> int:
    """Return how much work the next slice has, so that it takes at most about as long as it should."""
    if seconds < slice_seconds / 2:
        return min(2 * amount, _MAX_AMOUNT)
    return max(amount // 2, _MIN_AMOUNT) if seconds > slice_seconds else amount
