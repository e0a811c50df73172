"""One native search on several threads: the first levels of its tree make parts, handed out as threads become free.

What lies below a node depends on the options chosen there alone, and parts are delivered in the order of
the tree; so there come the same solutions in the same order, however many threads there are.
"""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import exactcover._native as _native
from exactcover.control.options import SearchOptions
from exactcover.control.statistics import Status
from exactcover.control.stop import Stop, Stopped
from exactcover.engines.base import Run
from exactcover.engines.pace import MOST, Pace
from exactcover.engines.thread_group import ThreadGroup

__all__ = ["Part", "PartsRun", "split"]

_MOST_WAITING = 1 << 16  # solutions of later parts that wait for their turn
_LOOK = 0.01  # seconds between two looks at the stop


@dataclass(eq=False)
class Part:
    """What lies below one node of the tree.

    Attributes
    ----------
    chosen, excluded
        The options chosen there, and those that are out of the game.
    share
        Its share of the tree, by Knuth's estimate.
    """

    chosen: Sequence[int]
    excluded: Sequence[int]
    share: float
    waiting: deque[list[tuple[int, ...]]] = field(default_factory=deque)
    explored: float = 0.0
    done: bool = False


def split(search: _native.Search, heuristic: str, least: int, stop: Stop) -> list[Part]:
    """Return the parts that the tree falls into at the first level with at least so many, in order.

    A tree that is smaller falls into its solutions.
    """
    parts, grown = [Part((), (), 1.0)], True
    while grown and len(parts) < least:
        finer: list[Part] = []
        grown = False
        for part in parts:
            stop.poll()
            children = search.children(part.chosen, heuristic, part.excluded)
            grown = grown or children != [(part.chosen, part.excluded)]
            finer += [Part(chosen, excluded, part.share / len(children)) for chosen, excluded in children]
        parts = finer
    return parts


class _Work:
    """What the threads share. It knows nothing of the run, so that a run nobody wants any more ends."""

    def __init__(self, parts: Sequence[Part], heuristic: str, searches: Sequence[_native.Search]) -> None:
        self.parts, self.heuristic, self.searches = parts, heuristic, searches
        self.listing = False
        self.changed = threading.Condition()
        self.claimed = 0  # parts that a thread has taken up
        self.head = 0  # the part whose solutions are being delivered
        self.waiting = 0  # solutions found and not yet delivered
        self.delivered = 0
        self.cancelled = False
        self.error: BaseException | None = None

    def cancel(self) -> None:
        with self.changed:
            self.cancelled = True
            self.changed.notify_all()

    def claim(self) -> Part | None:
        with self.changed:
            if self.cancelled or self.claimed == len(self.parts):
                return None
            self.claimed += 1
            return self.parts[self.claimed - 1]

    def thread(self, search: _native.Search) -> None:
        """Search part after part."""
        try:
            pace = Pace()
            while (part := self.claim()) is not None:
                more = search.begin(part.chosen, self.heuristic, part.excluded)
                while more and not self.cancelled:
                    more = pace.advance(lambda work: search.advance(work, MOST, self.listing))
                    part.explored = search.explored() if more else 1.0
                    if self.listing:
                        self.deliver(part, search.take())
                with self.changed:
                    part.done = not more
                    self.changed.notify_all()
        except BaseException as error:  # whatever it is, it is raised where the solutions are asked for
            self.error = error
            self.cancel()

    def deliver(self, part: Part, batch: list[tuple[int, ...]]) -> None:
        """Let solutions wait for their turn; wait too while that are too many."""
        if not batch:
            return
        with self.changed:
            part.waiting.append(batch)
            self.waiting += len(batch)
            self.changed.notify_all()
            # The head goes on as long as nothing of it waits: somebody may be waiting for that.
            self.changed.wait_for(
                lambda: (
                    self.cancelled
                    or self.waiting <= _MOST_WAITING
                    or (part is self.parts[self.head] and not part.waiting)
                )
            )


def _deliver(work: _Work, batch: Sequence[tuple[int, ...]], stop: Stop) -> Iterator[tuple[int, ...]]:
    """Deliver solutions one by one, until there is a stop."""
    for solution in batch:
        if stop.status is not None:
            return
        work.delivered += 1
        yield solution


class PartsRun(Run):
    """A search whose parts are searched by several threads; once stopped they are gone.

    Parameters
    ----------
    parts
        In order.
    make_search
        Makes a native search over the problem; called once for each thread.
    """

    def __init__(
        self,
        parts: Sequence[Part],
        make_search: Callable[[], _native.Search],
        options: SearchOptions,
        stop: Stop,
        instructions: str,
    ) -> None:
        super().__init__()
        jobs = max(1, min(options.jobs, len(parts)))
        self._work = _Work(parts, options.heuristic, [make_search() for _ in range(jobs)])
        self._threads = ThreadGroup(self._work.cancel)
        self._instructions = instructions
        self._stop = stop
        self._waiting: Iterator[tuple[int, ...]] = iter(())
        self._counted = False
        self._abandoned = weakref.finalize(self, self._work.cancel)

    def __next__(self) -> tuple[int, ...]:
        solution = next(self._waiting, None)
        while solution is None:
            try:
                batch = self._next_batch()
            except BaseException:
                self.close()
                raise
            self._waiting = _deliver(self._work, batch, self._stop)
            solution = next(self._waiting, None)
        return solution

    @property
    def waiting(self) -> Iterator[tuple[int, ...]]:
        return self._waiting

    @property
    def solutions(self) -> int:
        return sum(counters.solutions for counters in self._counters()) if self._counted else self._work.delivered

    def count(self) -> int:
        if self._threads:  # some have been listed; so must be the rest
            return sum(1 for _ in self)
        self._counted = True
        work = self._work
        try:
            self._start(listing=False)
            while self._threads.alive():
                self._stop.poll()
                with work.changed:
                    work.changed.wait(_LOOK)
        finally:
            self.close()
        if work.error is not None:
            raise work.error
        return self.solutions

    def _start(self, *, listing: bool) -> None:
        self._work.listing = listing
        self._threads.start(partial(self._work.thread, search) for search in self._work.searches)

    def _next_batch(self) -> list[tuple[int, ...]]:
        """Return the next solutions in order, waiting for them; raises ``Stopped`` whatever else waits."""
        if not self._threads:
            self._start(listing=True)
        work = self._work
        while True:
            if work.error is not None:
                raise work.error
            self._stop.poll()
            with work.changed:
                if work.head == len(work.parts):
                    raise StopIteration
                part = work.parts[work.head]
                if part.waiting:
                    batch = part.waiting.popleft()
                    work.waiting -= len(batch)
                    work.changed.notify_all()
                    return batch
                if part.done:
                    work.head += 1
                    work.changed.notify_all()
                elif work.cancelled:
                    raise Stopped(Status.INTERRUPTED)
                else:
                    work.changed.wait(_LOOK)

    def close(self) -> None:
        self._threads.end()

    def _counters(self) -> Iterator[_native.SearchCounters]:
        return (search.counters() for search in self._work.searches)

    @property
    def nodes(self) -> int:
        return sum(counters.nodes for counters in self._counters())

    def explored(self) -> float:
        return sum(part.share * (1.0 if part.done else part.explored) for part in self._work.parts)

    @property
    def details(self) -> Mapping[str, int | str]:
        return {
            "updates": sum(counters.updates for counters in self._counters()),
            "compactions": sum(counters.compactions for counters in self._counters()),
            "memory": sum(search.memory() for search in self._work.searches),
            "instructions": self._instructions,
            "jobs": len(self._work.searches),
            "parts": len(self._work.parts),
        }
