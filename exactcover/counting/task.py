"""Tasks: what a count consists of, and turns, in which they are done."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable
from typing import TypeAlias

from exactcover.engines.leaves import Leaf

__all__ = ["Fiber", "Flow", "Group", "Step", "Task", "TimedTask", "Turn"]


class Task(ABC):
    """Something that is done in turns. Its methods are called by one thread at a time; turns are taken outside."""

    @property
    @abstractmethod
    def is_done(self) -> bool:
        """Whether there is nothing more to do."""

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
    """Some seconds of work on a leaf.

    Parameters
    ----------
    leaf
        The leaf, which is busy from now on.
    seconds
        The time.
    note_end
        Called at the end of the turn with the seconds that it has taken, whether there is more to do, and an error if
        the leaf cannot be used.
    """

    def __init__(
        self, leaf: Leaf, seconds: float, note_end: Callable[[Leaf, float, bool, Exception | None], object]
    ) -> None:
        self.leaf, self.seconds = leaf, seconds
        self._note_end = note_end
        self._is_taken = self._is_done = False
        leaf.busy = True

    @property
    def is_done(self) -> bool:
        return self._is_done

    def next_turn(self) -> Turn | None:
        if self._is_taken:
            return None
        self._is_taken = True
        return self

    def end(self, seconds: float, *, more: bool, error: Exception | None = None) -> None:
        """End the turn."""
        self.leaf.busy, self._is_done = False, True
        self._note_end(self.leaf, seconds, more, error)


class Step(Leaf):
    """A step that cannot be interrupted, such as a search for symmetries.

    Parameters
    ----------
    do
        Does it.
    seconds
        About how long it takes, by the clock of work.
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
"""What a task does, one thing after another: each task that it yields is done before it goes on."""


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
    """Several tasks, in any order and beside each other.

    Parameters
    ----------
    flows
        What each of them does; they begin in this order.
    """

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
    """A task that goes on for about some seconds.

    Parameters
    ----------
    task
        The task.
    read
        Returns the seconds so far, by any clock.
    seconds
        The time.
    """

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
