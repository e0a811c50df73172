"""One search on several threads. The first levels of its tree form parts; each idle thread takes the next part.

The subtree below a node depends only on the options that are chosen and excluded there, and the solutions of the parts
are delivered in the order of the tree. So the solutions and their order do not depend on the number of threads.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from exactcover.control.recorder import NodeBuffer, TreeRecorder
from exactcover.control.stop import InnerStop, Stop
from exactcover.engines.cursor import ROOT, Cursor, EngineRun, Subtree
from exactcover.engines.thread_group import LookAhead

_PARTS_PER_JOB = 64
_MAX_WAITING = 1 << 16  # solutions of later parts that wait to be delivered


@dataclass(eq=False)
class Piece:
    """The subtree below one node."""

    subtree: Subtree
    share: float  # of the tree, by Knuth's estimate
    explored: float = 0.0  # of this part
    done: bool = False  # whether it has been searched to the end
    log: NodeBuffer = field(default_factory=NodeBuffer)  # of the nodes that were visited, if they are recorded


def split(cursor: Cursor, least: int, *, records: bool) -> list[Piece | bytes]:
    """Split the tree into parts, in order, at the first level that has at least `least` nodes.

    If no level has that many nodes, the parts are the solutions. If the search is recorded, the nodes above the parts
    stand between them, as bytes.
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
                way = log.take()
                finer.append(way.removesuffix(b"\0") if children else way)  # a solution is a piece of its own
            finer += [Piece(child, segment.share / len(children)) for child in children]
        segments = finer
    return segments


def _search_part(cursor: Cursor, part: Piece, *, listing: bool, logged: bool) -> Iterator[list[tuple[int, ...]]]:
    """Search a part, and yield its solutions if they are listed; one of the tasks of a thread."""
    if logged:
        cursor.log = part.log
    cursor.begin(part.subtree)
    more = True
    while more:
        more = cursor.advance(listing=listing)
        part.explored = cursor.explored() if more else 1.0
        yield cursor.take() if listing else []
    part.done = True


def _deliver(solutions: Sequence[tuple[int, ...]], stop: Stop, delivered: list[int]) -> Iterator[tuple[int, ...]]:
    """Deliver solutions one by one, until the stop asks to end; `delivered` holds their number."""
    for solution in solutions:
        if stop.status is not None:
            return
        delivered[0] += 1
        yield solution


class PartsRun(EngineRun):
    """A run whose parts are searched by several threads. When it is stopped, the threads end.

    The first thread uses the cursor. The inner stop is that of the cursor; it ends when the run does, so it belongs to
    this run alone.
    """

    def __init__(self, cursor: Cursor, inner: InnerStop, stop: Stop, jobs: int, log: TreeRecorder | None) -> None:
        super().__init__()
        segments = split(cursor, _PARTS_PER_JOB * jobs, records=log is not None)
        parts = [segment for segment in segments if isinstance(segment, Piece)]
        others = [cursor.make_another() for _ in range(min(jobs, len(parts)) - 1)]
        self._parts, self._cursors = parts, [cursor, *others]
        self._log, self._unrecorded = log, deque(segments if log is not None else ())
        self._stop, self._inner = stop, inner
        self._ahead: LookAhead[Piece, tuple[int, ...]] | None = None
        self._tally = [0]  # the number of solutions delivered; what adds to it must not refer to this run
        self._counted = False

    def __next__(self) -> tuple[int, ...]:
        solution = next(self.waiting, None)
        while solution is None:
            try:
                batch = self._next_batch()
            except BaseException:
                self.close()
                raise
            self.waiting = _deliver(batch, self._stop, self._tally)
            solution = next(self.waiting, None)
        return solution

    @property
    def solutions(self) -> int:
        return sum(cursor.solutions for cursor in self._cursors) if self._counted else self._tally[0]

    def count(self) -> int:
        if self._ahead is not None:  # some solutions have been listed, so only the others are counted
            return super().count()
        self._counted = True
        super().count()
        return self.solutions

    def _next_batch(self) -> Sequence[tuple[int, ...]]:
        """Wait for the next solutions in order, and return them; raise ``StopIteration`` if there are no more.

        A stop is obeyed even if solutions are waiting.
        """
        if self._ahead is None:
            search = partial(_search_part, listing=not self._counted, logged=self._log is not None)
            self._ahead = LookAhead([partial(search, one) for one in self._cursors], self._inner, _MAX_WAITING)
            weakref.finalize(self, self._ahead.threads.cancel)  # if the run is abandoned
            self._ahead.add(*self._parts)
        self._stop.poll()
        batch = self._ahead.take()
        self._record()
        if batch is None:
            raise StopIteration
        return batch

    def close(self) -> None:
        if self._ahead is not None:
            self._ahead.threads.end()
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
        return sum(cursor.nodes for cursor in self._cursors)

    def explored(self) -> float:
        return sum(part.share * part.explored for part in self._parts)

    @property
    def details(self) -> Mapping[str, int | str]:
        cursors = self._cursors
        found = [cursor.details for cursor in cursors]
        totals = {
            name: sum(int(one[name]) for one in found) if isinstance(value, int) else value
            for name, value in found[0].items()
        }
        memory = sum(cursor.memory() for cursor in cursors)
        return {**totals, "memory": memory, "jobs": len(cursors), "parts": len(self._parts)}
