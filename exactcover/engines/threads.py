"""One search on several threads. The first levels of its tree form parts; each idle thread takes the next part.

The subtree below a node depends only on the options that are chosen and excluded there, and the solutions of the parts
are delivered in the order of the tree. So the solutions and their order do not depend on the number of threads.
"""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from exactcover.control.recorder import NodeBuffer, TreeRecorder
from exactcover.control.statistics import Status
from exactcover.control.stop import InnerStop, Stop, Stopped
from exactcover.engines.cursor import ROOT, Cursor, EngineRun, Subtree
from exactcover.engines.thread_group import ThreadGroup

__all__ = ["PartsRun"]

_PARTS_PER_JOB = 64
MAX_WAITING = 1 << 16  # solutions of later parts that wait to be delivered
_POLL_SECONDS = 0.01  # between two polls of the stop


@dataclass(eq=False)
class Piece:
    """The subtree below one node.

    Attributes
    ----------
    subtree
        The subtree.
    share
        Its share of the tree, by Knuth's estimate.
    waiting
        Batches of solutions that have been found but not delivered.
    explored
        The share of this part that has been searched.
    done
        Whether all of its solutions have been found.
    log
        The nodes that were visited, if they are recorded.
    """

    subtree: Subtree
    share: float
    waiting: deque[list[tuple[int, ...]]] = field(default_factory=deque)
    explored: float = 0.0
    done: bool = False
    log: NodeBuffer = field(default_factory=NodeBuffer)


def split(cursor: Cursor, least: int, *, records: bool) -> list[Piece | bytes]:
    """Split the tree into parts, in order, at the first level that has at least `least` nodes.

    If no level has that many nodes, the parts are the solutions. If the search is recorded, the nodes above the parts
    stand between them, as bytes.

    Raises
    ------
    Stopped
        If the stop of the cursor asks for it.
    """
    segments: list[Piece | bytes] = [Piece(ROOT, 1.0)]
    log = NodeBuffer()
    if records:
        cursor.log = log
    changed = True
    while changed and sum(isinstance(segment, Piece) for segment in segments) < least:
        finer: list[Piece | bytes] = []
        changed = False
        for segment in segments:
            if isinstance(segment, bytes):
                finer.append(segment)
                continue
            cursor.stop.poll()
            children = cursor.children(segment.subtree)
            changed = changed or children != [segment.subtree]
            if records:
                finer.append(_without_solution(log.take()) if children else log.take())
            finer += [Piece(child, segment.share / len(children)) for child in children]
        segments = finer
    return segments


def _without_solution(log: bytes) -> bytes:
    """Return the nodes on the way to a root, without the root itself if it is a solution, which is a part."""
    return log.removesuffix(b"\0")


class _SharedWork:
    """The data that threads share. It has no reference to the run, so that a run that is abandoned can end."""

    def __init__(self, parts: Sequence[Piece], cursors: Sequence[Cursor], stop: InnerStop, *, logged: bool) -> None:
        self.parts, self.cursors, self.stop, self.logged = parts, cursors, stop, logged
        self.listing = False
        self.changed = threading.Condition()
        self.claimed = 0  # number of parts that threads have taken
        self.head = 0  # number of the part whose solutions are being delivered
        self.waiting = 0  # number of solutions found but not delivered
        self.delivered = 0
        self.cancelled = False
        self.error: BaseException | None = None

    def cancel(self) -> None:
        self.stop.request()
        with self.changed:
            self.cancelled = True
            self.changed.notify_all()

    def claim(self) -> Piece | None:
        with self.changed:
            if self.cancelled or self.claimed == len(self.parts):
                return None
            self.claimed += 1
            return self.parts[self.claimed - 1]

    def search_parts(self, cursor: Cursor) -> None:
        """Search one part after another; the task of each thread."""
        try:
            while (part := self.claim()) is not None:
                if self.logged:
                    cursor.log = part.log
                cursor.begin(part.subtree)
                more = True
                while more and not self.cancelled:
                    more = cursor.advance(listing=self.listing)
                    part.explored = cursor.explored() if more else 1.0
                    if self.listing:
                        self.add_batch(part, cursor.take())
                with self.changed:
                    part.done = not more
                    self.changed.notify_all()
        except BaseException as error:  # raised again in the thread that consumes the solutions
            if not self.cancelled:
                self.error = error
                self.cancel()

    def add_batch(self, part: Piece, batch: list[tuple[int, ...]]) -> None:
        """Add solutions to those that wait; block while too many of them wait."""
        if not batch:
            return
        with self.changed:
            part.waiting.append(batch)
            self.waiting += len(batch)
            self.changed.notify_all()
            # The head never blocks while none of its solutions wait, because the consumer may be waiting for them.
            self.changed.wait_for(
                lambda: (
                    self.cancelled
                    or self.waiting <= MAX_WAITING
                    or (part is self.parts[self.head] and not part.waiting)
                )
            )


def _deliver(work: _SharedWork, batch: Sequence[tuple[int, ...]], stop: Stop) -> Iterator[tuple[int, ...]]:
    """Deliver solutions one by one, until the stop asks to end."""
    for solution in batch:
        if stop.status is not None:
            return
        work.delivered += 1
        yield solution


class PartsRun(EngineRun):
    """A run whose parts are searched by several threads. When it is stopped, the threads end.

    Parameters
    ----------
    cursor
        A cursor over the matrix, which the first thread uses.
    inner
        The stop of the cursor. It ends when the run does, so it belongs to this run alone.
    stop
        The stop of the whole search.
    jobs
        The number of threads.
    log
        The log of the search, or None.
    """

    def __init__(self, cursor: Cursor, inner: InnerStop, stop: Stop, jobs: int, log: TreeRecorder | None) -> None:
        super().__init__()
        segments = split(cursor, _PARTS_PER_JOB * jobs, records=log is not None)
        parts = [segment for segment in segments if isinstance(segment, Piece)]
        others = [cursor.make_another() for _ in range(min(jobs, len(parts)) - 1)]
        self._work = _SharedWork(parts, [cursor, *others], inner, logged=log is not None)
        self._log, self._unrecorded = log, deque(segments if log is not None else ())
        self._threads = ThreadGroup(self._work.cancel)
        self._stop = stop
        self._waiting: Iterator[tuple[int, ...]] = iter(())
        self._counted = False
        self._abandoned = weakref.finalize(self, self._threads.cancel)

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
        return sum(cursor.solutions for cursor in self._work.cursors) if self._counted else self._work.delivered

    def count(self) -> int:
        if self._threads:  # some solutions have been listed, so only the others are counted
            return super().count()
        self._counted = True
        super().count()
        return self.solutions

    def _next_batch(self) -> list[tuple[int, ...]]:
        """Wait for the next solutions in order, and return them.

        Raises
        ------
        Stopped
            If the stop asks for it, even if solutions are waiting.
        StopIteration
            If there are no more solutions.
        """
        if not self._threads:
            self._work.listing = not self._counted
            self._threads.start(partial(self._work.search_parts, cursor) for cursor in self._work.cursors)
        work = self._work
        while True:
            self._threads.check_owner()
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
                    self._record()
                    work.head += 1
                    work.changed.notify_all()
                elif work.cancelled:
                    raise Stopped(Status.INTERRUPTED)
                else:
                    work.changed.wait(_POLL_SECONDS)

    def close(self) -> None:
        self._threads.end()
        self._record(ended=True)

    def _record(self, *, ended: bool = False) -> None:
        """Add to the log what was searched, in the order of the tree; at the end, also a part that is not finished."""
        done = True
        while self._unrecorded and self._log is not None and done:
            segment = self._unrecorded[0]
            done = not isinstance(segment, Piece) or segment.done
            if done or ended:
                self._log.extend(segment.log.take() if isinstance(segment, Piece) else segment)
                self._unrecorded.popleft()
        if ended:
            self._unrecorded.clear()

    @property
    def nodes(self) -> int:
        return sum(cursor.nodes for cursor in self._work.cursors)

    def explored(self) -> float:
        return sum(part.share * (1.0 if part.done else part.explored) for part in self._work.parts)

    @property
    def details(self) -> Mapping[str, int | str]:
        cursors = self._work.cursors
        found = [cursor.details for cursor in cursors]
        totals = {
            name: sum(int(one[name]) for one in found) if isinstance(value, int) else value
            for name, value in found[0].items()
        }
        memory = sum(cursor.memory() for cursor in cursors)
        return {**totals, "memory": memory, "jobs": len(cursors), "parts": len(self._work.parts)}
