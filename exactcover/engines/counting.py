"""Counting by a memo or a sweep where that pays, and the whole solution set as a diagram.

See :mod:`exactcover.engines.portfolio` for how it counts. A listing draws the diagram first, then walks through it, so
solutions come in lexicographic order; so do the cheapest, by their cost.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

import exactcover._native as _native
from exactcover.control.stop import Stop
from exactcover.diagram.zdd import EMPTY, Zdd
from exactcover.engines.base import Tactics
from exactcover.engines.native import NativeEngine
from exactcover.engines.pace import Pace
from exactcover.engines.portfolio import Contest
from exactcover.engines.strategies import Contender, Memo, SearchAll, Sweep
from exactcover.errors import EngineUnavailableError
from exactcover.model.matrix import Matrix

__all__ = ["DiagramEngine", "DiagramRun"]

_FEW = 1 << 20  # solutions that are listed, not drawn, where a search is the quickest way to them
_CHUNK = 1 << 14
_POLL_EVERY = 1 << 10  # solutions
_ITEMS_TO_SWEEP = 4  # with fewer, covered often, every partial solution is a state of its own
_PATIENCE = 0.0002  # seconds of search before anything else is thought of


class DiagramRun(Iterator[tuple[int, ...]]):
    """One problem, to be counted, or to be drawn as a diagram."""

    waiting: Iterator[tuple[int, ...]] = iter(())
    resumable = True

    def __init__(self, engine: NativeEngine, matrix: Matrix, stop: Stop, tactics: Tactics) -> None:
        self._engine, self._matrix, self._stop, self._tactics = engine, matrix, stop, tactics
        self._problem = engine.problem(replace(matrix, costs=()), stop)  # they may have any size; they are seen to here
        self._memory = _free_memory() if tactics.memory is None else tactics.memory
        self._contest = self._contenders(tactics.strategy)
        self._walk: Iterator[tuple[int, ...]] | None = None
        self._handed_over = 0
        self._total: int | None = None

    def _contenders(self, strategy: str) -> Contest:
        ways: dict[str, Callable[[], Contender]] = {
            "search": lambda: SearchAll(self._engine.search(self._problem, self._stop)),
            "sweep": partial(Sweep, self._problem, self._stop),
            "memo": partial(Memo, self._problem, self._stop),
        }
        # Where there is no memory for a sweep, a memo goes on: that can be thinned.
        chosen = {"auto": ["search", "sweep", "memo"], "sweep": ["sweep", "memo"]}.get(strategy, [strategy])
        if strategy == "auto" and self._matrix.primary < _ITEMS_TO_SWEEP:
            chosen.remove("sweep")
        patience = max(_PATIENCE, _order_seconds(self._matrix)) if strategy == "auto" else math.inf
        return Contest([ways[name] for name in chosen], patience, self._memory, self._stop)

    def __next__(self) -> tuple[int, ...]:
        if self._walk is None:
            matrix, cheapest = self._matrix, self._tactics.cheapest
            drawn = self.draw(range(len(matrix)), len(matrix))
            costs = matrix.costs or [0] * len(matrix)
            self._walk = (
                iter(drawn) if cheapest is None else (chosen for _, chosen in islice(drawn.cheapest(costs), cheapest))
            )
        if self._handed_over % _POLL_EVERY == 0:
            self._stop.poll()
        solution = next(self._walk)
        self._handed_over += 1
        return solution

    def count(self) -> int:
        if self._walk is not None:  # some have been listed; so must be the rest
            return sum(1 for _ in self)
        self._total = self._contest.count()
        return self._total

    def draw(self, levels: Sequence[int], height: int) -> Zdd:
        """Count first, and so know what is the best way to draw."""
        diagrams = _native.Diagrams(levels, self._memory)
        total = self.count()
        way = self._contest.leader.name if self._contest.leader is not None else "memo"
        listed = way == "search" and total <= _FEW
        root = self._listed(diagrams) if listed else self._drawn(diagrams, way)
        level, lo, hi = (array("I", column) for column in diagrams.nodes(root))
        return Zdd(height, level, lo, hi, min(root, len(level) + 1))

    def compact_order(self, matrix: Matrix) -> list[int]:
        return _native.compact_order(self._engine.problem(matrix, self._stop), self._stop.poll)

    def _listed(self, diagrams: _native.Diagrams) -> int:
        solutions = self._engine.start(replace(self._matrix, costs=()), self._stop, Tactics())
        root = EMPTY
        while chunk := list(islice(solutions, _CHUNK)):
            root = diagrams.add(root, diagrams.of_sets(chunk))
        return root

    def _drawn(self, diagrams: _native.Diagrams, first: str) -> int:
        """Draw by a sweep or a memo, whichever takes so large a problem; `first` is tried first."""
        limits = []
        for way in ("sweep", "memo") if first == "sweep" else ("memo", "sweep"):
            try:
                return self._swept(diagrams) if way == "sweep" else diagrams.of_memo(self._problem, self._stop.poll)
            except _native.TooLargeError as error:
                limits.append(str(error))
        raise EngineUnavailableError(f"the problem is too large to be drawn as a diagram: {'; '.join(limits)}")

    def _swept(self, diagrams: _native.Diagrams) -> int:
        sweep, pace = _native.Frontier(self._problem, recorded=True, poll=self._stop.poll), Pace()
        while pace.advance(sweep.advance):
            self._stop.poll()
            if sweep.memory() > self._memory:
                raise MemoryError("the steps of a sweep need more memory")
        return diagrams.of_frontier(sweep, self._stop.poll)

    @property
    def solutions(self) -> int:
        if self._walk is not None:
            return self._handed_over
        return self._contest.seen() if self._total is None else self._total

    @property
    def nodes(self) -> int:
        return self._contest.nodes

    def explored(self) -> float:
        return self._contest.explored()

    @property
    def details(self) -> Mapping[str, int | str]:
        return self._contest.details

    def close(self) -> None:
        pass


class DiagramEngine:
    """Counts by what gets there first, lists by way of a diagram; on one thread, whatever the heuristic."""

    name = "diagram"

    def __init__(self) -> None:
        self._native = NativeEngine()

    def supports(self, matrix: Matrix) -> str | None:
        return None

    def start(self, matrix: Matrix, stop: Stop, tactics: Tactics) -> DiagramRun:
        return DiagramRun(self._native, matrix, stop, tactics)

    def tree(self, matrix: Matrix, stop: Stop) -> None:
        return None

    def restart(self, matrix: Matrix, stop: Stop) -> None:
        return None


def _free_memory() -> int:
    """Return how many bytes may be held where nobody says: half of what is free."""
    import psutil  # slow to import

    return int(psutil.virtual_memory().available // 2)


def _order_seconds(matrix: Matrix) -> float:
    """Return some times what it takes to find an order for a sweep."""
    squares = sum((end - start) ** 2 for start, end in zip(matrix.starts, matrix.starts[1:], strict=False))
    return 9e-9 * squares * matrix.primary
