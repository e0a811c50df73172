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
from exactcover.control.memory import half_of_free_memory
from exactcover.control.options import ALL, Goal, SearchOptions
from exactcover.control.stop import Stop
from exactcover.diagram.zdd import EMPTY, Zdd
from exactcover.engines.base import DiagramRun, Engine
from exactcover.engines.native import NativeEngine
from exactcover.engines.pace import Pace
from exactcover.engines.portfolio import Portfolio
from exactcover.engines.strategies import CountingStrategy, Memo, SearchAll, Sweep
from exactcover.errors import EngineUnavailableError
from exactcover.model.matrix import Matrix

__all__ = ["CountingEngine", "CountingRun"]

_FEW = 1 << 20  # solutions that are added one by one where a search is the fastest way to them
_CHUNK = 1 << 14
_POLL_EVERY = 1 << 10  # solutions
_ITEMS_TO_SWEEP = 4  # with fewer, covered often, every partial solution is a state of its own
_PATIENCE = 0.0002  # seconds of search before anything else is thought of


class CountingRun(DiagramRun):
    """One problem, to be counted, or to be drawn as a diagram."""

    resumable = True

    def __init__(self, engine: NativeEngine, matrix: Matrix, stop: Stop, options: SearchOptions, goal: Goal) -> None:
        super().__init__()
        self._engine, self._matrix, self._stop, self._cheapest = engine, matrix, stop, goal.cheapest
        self._problem = engine.problem(replace(matrix, costs=()), stop)  # they may have any size; they are seen to here
        self._memory = half_of_free_memory() if options.memory is None else options.memory
        self._portfolio = self._strategies(options.strategy)
        self._walk: Iterator[tuple[int, ...]] | None = None
        self._total: int | None = None

    def _strategies(self, strategy: str) -> Portfolio:
        ways: dict[str, Callable[[], CountingStrategy]] = {
            "search": lambda: SearchAll(self._engine.search(self._problem, self._stop)),
            "sweep": partial(Sweep, self._problem, self._stop),
            "memo": partial(Memo, self._problem, self._stop),
        }
        # Where there is no memory for a sweep, a memo goes on: that can be thinned.
        chosen = {"auto": ["search", "sweep", "memo"], "sweep": ["sweep", "memo"]}.get(strategy, [strategy])
        if strategy == "auto" and self._matrix.primary < _ITEMS_TO_SWEEP:
            chosen.remove("sweep")
        patience = max(_PATIENCE, _order_seconds(self._matrix)) if strategy == "auto" else math.inf
        return Portfolio([ways[name] for name in chosen], patience, self._memory, self._stop)

    def __next__(self) -> tuple[int, ...]:
        if self._walk is None:
            matrix, cheapest = self._matrix, self._cheapest
            built = self.build_diagram(range(len(matrix)), len(matrix))
            costs = matrix.costs or [0] * len(matrix)
            self._walk = (
                iter(built) if cheapest is None else (chosen for _, chosen in islice(built.cheapest(costs), cheapest))
            )
        if self._delivered % _POLL_EVERY == 0:
            self._stop.poll()
        solution = next(self._walk)
        self._delivered += 1
        return solution

    def count(self) -> int:
        if self._walk is not None:  # some have been listed; so must be the rest
            return sum(1 for _ in self)
        self._total = self._portfolio.count()
        return self._total

    def build_diagram(self, levels: Sequence[int], height: int) -> Zdd:
        """Count first: that shows the best way to build."""
        diagrams = _native.Diagrams(levels, self._memory)
        total = self.count()
        way = self._portfolio.leader.name if self._portfolio.leader is not None else "memo"
        listed = way == "search" and total <= _FEW
        root = self._add_solutions(diagrams) if listed else self._build(diagrams, way)
        level, lo, hi = (array("I", column) for column in diagrams.nodes(root))
        return Zdd(height, level, lo, hi, min(root, len(level) + 1))

    def compact_order(self, matrix: Matrix) -> list[int]:
        return _native.compact_order(self._engine.problem(matrix, self._stop), self._stop.poll)

    def _add_solutions(self, diagrams: _native.Diagrams) -> int:
        solutions = self._engine.start(replace(self._matrix, costs=()), self._stop)
        root = EMPTY
        while chunk := list(islice(solutions, _CHUNK)):
            root = diagrams.add(root, diagrams.of_sets(chunk))
        return root

    def _build(self, diagrams: _native.Diagrams, first: str) -> int:
        """Build by a sweep or a memo, whichever can take so large a problem; `first` is tried first."""
        limits = []
        for way in ("sweep", "memo") if first == "sweep" else ("memo", "sweep"):
            try:
                return self._sweep(diagrams) if way == "sweep" else diagrams.of_memo(self._problem, self._stop.poll)
            except _native.TooLargeError as error:
                limits.append(str(error))
        raise EngineUnavailableError(f"the problem is too large to be built as a diagram: {'; '.join(limits)}")

    def _sweep(self, diagrams: _native.Diagrams) -> int:
        sweep, pace = _native.Frontier(self._problem, recorded=True, poll=self._stop.poll), Pace()
        while pace.advance(sweep.advance):
            self._stop.poll()
            if sweep.memory() > self._memory:
                raise MemoryError("the steps of a sweep need more memory")
        return diagrams.of_frontier(sweep, self._stop.poll)

    @property
    def solutions(self) -> int:
        if self._walk is not None:
            return self._delivered
        return self._portfolio.seen() if self._total is None else self._total

    @property
    def nodes(self) -> int:
        return self._portfolio.nodes

    def explored(self) -> float:
        return self._portfolio.explored()

    @property
    def details(self) -> Mapping[str, int | str]:
        return self._portfolio.details


class CountingEngine(Engine):
    """Counts by the strategy that finishes first, lists by way of a diagram; on one thread, whatever the heuristic."""

    name = "diagram"
    counts = True

    def __init__(self) -> None:
        self._native = NativeEngine()

    def start(self, matrix: Matrix, stop: Stop, options: SearchOptions | None = None, goal: Goal = ALL) -> CountingRun:
        return CountingRun(self._native, matrix, stop, options or SearchOptions(), goal)


def _order_seconds(matrix: Matrix) -> float:
    """Return some times what it takes to find an order for a sweep."""
    squares = sum((end - start) ** 2 for start, end in zip(matrix.starts, matrix.starts[1:], strict=False))
    return 9e-9 * squares * matrix.primary
