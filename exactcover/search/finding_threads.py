"""Finding one solution in several ways beside each other, on several threads.

Threads take the turns of the ways ahead of time. The run counts them in the order in which one thread would have taken
them, and waits for those that are missing. So the solution is the same for any number of threads.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence

from exactcover.control.stop import InnerStop
from exactcover.engines.thread_group import ThreadGroup
from exactcover.search.finding import Finder, FindRun, Turn

__all__ = ["ThreadedFindRun"]

_MAX_AHEAD = 256  # turns of a way that are not counted yet
_WAIT_SECONDS = 0.01  # for a turn, before the caller may do something else


class _Ahead:
    """What threads have done for a way, whether it counts already or not."""

    def __init__(self, finder: Finder) -> None:
        self.finder = finder
        self.turns = deque[Turn]()
        self.work = 0
        self.is_busy = self.is_over = False

    @property
    def place(self) -> float:
        """Where it stands in the order of ways."""
        return self.finder.find_place(self.work)

    @property
    def may_go_on(self) -> bool:
        """Whether a thread may take the next turn."""
        return not self.is_busy and not self.is_over and len(self.turns) < _MAX_AHEAD


class ThreadedFindRun(FindRun):
    """A run that finds one solution on several threads; the same one as on one thread.

    Parameters
    ----------
    finders, most_nodes
        As for :class:`FindRun`.
    stop
        The stop that all of them poll. It ends when the run does, so it belongs to this run alone.
    jobs
        The number of threads.
    """

    def __init__(self, finders: Sequence[Finder], stop: InnerStop, jobs: int, most_nodes: int | None = None) -> None:
        super().__init__(finders, stop, most_nodes)
        self._all = [_Ahead(finder) for finder in finders]
        self._jobs = min(jobs, len(finders))
        self._changed, self._is_ending = threading.Condition(), False
        self._threads = ThreadGroup(self._cancel)

    def _get_turn(self, finder: Finder) -> Turn | None:
        if not self._threads:
            self._threads.start([self._work_ahead] * self._jobs)
        self._threads.check_owner()
        ahead = next(one for one in self._all if one.finder is finder)
        with self._changed:
            if not ahead.turns:
                self._changed.wait(_WAIT_SECONDS)
            if not ahead.turns:
                self._stop.poll()
                return None
            turn = ahead.turns.popleft()
            self._changed.notify_all()
        if turn.solution is not None or isinstance(turn.error, StopIteration):
            self._threads.end()
        return turn

    def _work_ahead(self) -> None:
        """Take turns until the run ends; what a thread does."""
        while True:
            with self._changed:
                while (ahead := self._choose()) is None and not self._is_ending:
                    self._changed.wait()
                if ahead is None or self._is_ending:
                    return
                ahead.is_busy = True
            turn = ahead.finder.take_turn()
            with self._changed:
                ahead.turns.append(turn)
                ahead.work, ahead.is_busy, ahead.is_over = turn.work, False, turn.is_last
                self._changed.notify_all()

    def _choose(self) -> _Ahead | None:
        """Return the way that goes on next, by the rule of one thread and by all that is done.

        The first way may go ahead of all others, and they may not go ahead of it, so that none begins early.
        """
        first = self._all[0]
        ready = [one for one in self._all if one.may_go_on and (first.is_over or one.place <= first.place)]
        return min(ready, key=lambda one: one.place, default=None)

    def _cancel(self) -> None:
        """Make the threads end soon."""
        self._stop.request()
        with self._changed:
            self._is_ending = True
            self._changed.notify_all()

    def close(self) -> None:
        self._threads.end()
        super().close()
