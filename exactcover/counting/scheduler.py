"""The scheduler: it takes the turns of a task, on one thread or on several, and measures what they take."""

from __future__ import annotations

import math
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable
from contextlib import nullcontext
from functools import partial
from typing import TypeAlias

from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.control.stop import PROCESSOR_TIME, Clock, Stop
from exactcover.engines.leaves import Leaf, TooLargeError
from exactcover.engines.thread_group import ThreadGroup

_SLICE = 0.005  # seconds between two polls of the stop
_POLL_SECONDS = 0.01  # between two looks of a thread for a turn
_MAX_AMOUNT, _MIN_AMOUNT = 1 << 24, 1 << 4  # of work in a slice


class Task(ABC):
    """Work that is done in turns. Its methods are called by one thread at a time; turns are taken outside."""

    @property
    @abstractmethod
    def is_done(self) -> bool:
        """True if there is nothing more to do."""

    @abstractmethod
    def next_turn(self) -> Turn | None:
        """Return a turn to take now; None if the task is done, or goes on only when turns under way have ended."""

    def spare_turn(self) -> Turn | None:
        """Return a turn for a thread that has nothing to do, beside those under way; None if there is none."""
        return None

    def divide(self) -> bool:
        """Make work for another thread; return whether there is some now."""
        return False


class Turn(Task):
    """Some seconds of work on a leaf, which is busy from now on.

    At its end, `note_end` is called with the leaf, the seconds that it has taken, whether there is more to do, and an
    error if the leaf cannot be used.
    """

    is_done = False

    def __init__(
        self, leaf: Leaf, seconds: float, note_end: Callable[[Leaf, float, bool, Exception | None], object]
    ) -> None:
        self.leaf, self.seconds = leaf, seconds
        self._note_end = note_end
        self._is_taken = False
        leaf.busy = True

    def next_turn(self) -> Turn | None:
        if self._is_taken:
            return None
        self._is_taken = True
        return self

    def end(self, seconds: float, *, more: bool, error: Exception | None = None) -> None:
        """End the turn."""
        self.leaf.busy, self.is_done = False, True
        self._note_end(self.leaf, seconds, more, error)


class Step(Leaf):
    """A step that cannot be interrupted, such as a search for symmetries.

    It takes about so many seconds by the clock of work.
    """

    name = "step"

    def __init__(self, do: Callable[[], object], seconds: float = 0.0) -> None:
        super().__init__()
        self._do, self.seconds_per_work = do, seconds

    def work(self, amount: int) -> bool:
        self._do()
        return False

    def explored(self) -> float:
        return 0.0

    def total(self) -> int:
        return 0

    @property
    def nodes(self) -> int:
        return 0

    def turn(self, note_seconds: Callable[[float], object]) -> Turn:
        """Return the turn in which the step is done; `note_seconds` is called with its time."""
        return Turn(self, math.inf, lambda leaf, seconds, more, error: note_seconds(seconds))


Flow: TypeAlias = Generator[Task, None, None]
"""The steps of a task, one after another: each task that it yields is done before it goes on."""


class Fiber(Task):
    """A task that follows a flow."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._current: Task | None = None
        self._is_done = False

    @property
    def is_done(self) -> bool:
        return self._is_done

    def next_turn(self) -> Turn | None:
        while not self._is_done:
            if self._current is not None:
                turn = self._current.next_turn()
                if turn is not None or not self._current.is_done:
                    return turn
            self._current = next(self._flow, None)
            self._is_done = self._current is None
        return None

    def spare_turn(self) -> Turn | None:
        return None if self._current is None else self._current.spare_turn()

    def divide(self) -> bool:
        return self._current is not None and self._current.divide()


class Group(Task):
    """Several tasks, in any order and beside each other; their flows begin in this order."""

    def __init__(self, flows: Iterable[Flow]) -> None:
        self._waiting = iter(flows)
        self._begun: list[Fiber] = []
        self._all_begun = False

    @property
    def is_done(self) -> bool:
        return self._all_begun and not self._begun

    def next_turn(self) -> Turn | None:
        for fiber in self._begun:
            turn = fiber.next_turn()
            if turn is not None:
                return turn
        self._begun = [fiber for fiber in self._begun if not fiber.is_done]
        while (flow := next(self._waiting, None)) is not None:
            fiber = Fiber(flow)
            turn = fiber.next_turn()
            if not fiber.is_done:
                self._begun.append(fiber)
            if turn is not None:
                return turn
        self._all_begun = True
        return None

    def spare_turn(self) -> Turn | None:
        return next((turn for fiber in self._begun if (turn := fiber.spare_turn()) is not None), None)

    def divide(self) -> bool:
        return any(fiber.divide() for fiber in self._begun)


class TimedTask(Task):
    """A task that goes on for about some seconds, by any clock, which `read` reads."""

    def __init__(self, task: Task, read: Callable[[], float], seconds: float) -> None:
        self._task, self._read, self._end = task, read, read() + seconds

    @property
    def is_done(self) -> bool:
        return self._task.is_done or self._read() >= self._end

    def next_turn(self) -> Turn | None:
        turn = None if self.is_done else self._task.next_turn()
        if turn is not None:
            turn.seconds = min(turn.seconds, self._end - self._read())
        return turn

    def spare_turn(self) -> Turn | None:
        return None if self.is_done else self._task.spare_turn()

    def divide(self) -> bool:
        return not self.is_done and self._task.divide()


class Scheduler:
    """Does tasks on `jobs` threads, which start when the policy says; `clock` measures turns.

    If threads are interrupted, the stop is requested, so it belongs to this work alone.
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
        """Do a task to its end."""
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
                leaf.spent += seconds
                spent += seconds
                longest = min(turn.seconds, _SLICE)
                if seconds < longest / 2:
                    leaf.amount = min(2 * amount, _MAX_AMOUNT)
                elif seconds > longest:
                    leaf.amount = max(amount // 2, _MIN_AMOUNT)
                if self._hungry:
                    break
        finally:
            with nullcontext() if poll else self._changed:
                turn.end(spent, more=more, error=error)
        return spent

    # -- threads -------------------------------------------------------------------------------

    def _run_on_threads(self, task: Task) -> None:
        """Let threads do the task. This thread takes no lock of theirs, which an interrupt could leave locked."""
        self._cancelled, self._error = False, None
        threads = ThreadGroup(self._cancel)
        try:
            threads.start(partial(self._work, task) for _ in range(self._jobs))
            threads.wait(self._stop)
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
