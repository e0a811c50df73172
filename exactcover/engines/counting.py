"""The engine ``diagram``: counting by a portfolio of strategies, and building the diagram of all solutions.

:mod:`exactcover.engines.portfolio` describes how it counts. To list solutions, the engine builds the diagram and then
walks through it, so solutions come in lexicographic order, or in the order of their costs if the cheapest are wanted.
"""

from __future__ import annotations

import math
import operator
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

import exactcover._native as _native
from exactcover.control.memory import half_of_free_memory
from exactcover.control.observers import NOBODY, Observers
from exactcover.control.options import ALL, Goal, SearchOptions
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.control.search_log import TreeRecorder
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

_MOST_LISTED = 1 << 20  # with at most this many solutions, a diagram may be built from a list of them
_CHUNK = 1 << 14  # solutions added to a diagram at once
_POLL_EVERY = 1 << 10  # solutions


class CountingRun(DiagramRun):
    """A run that counts the solutions of a matrix, or builds their diagram."""

    resumable = True

    def __init__(
        self,
        engine: NativeEngine,
        matrix: Matrix,
        stop: Stop,
        options: SearchOptions,
        goal: Goal,
        log: TreeRecorder | None,
        policy: CountingPolicy,
    ) -> None:
        super().__init__()
        self._policy = policy
        self._engine, self._matrix, self._stop, self._cheapest = engine, matrix, stop, goal.cheapest
        # The diagram handles costs, because they may be too large for the native engine.
        self._problem = engine.problem(replace(matrix, costs=()), stop)
        self._most_memory = options.memory or stop.memory
        self._portfolio = self._make_portfolio(options.strategy, log)
        self._listing: Iterator[tuple[int, ...]] | None = None
        self._total: int | None = None

    def _memory(self) -> int:
        """Return how many bytes the run may hold; most short counts never need to know."""
        if self._most_memory is None:
            self._most_memory = half_of_free_memory()
        return self._most_memory

    def _make_portfolio(self, strategy: str, log: TreeRecorder | None) -> Portfolio:
        makers: dict[str, Callable[[], CountingStrategy]] = {
            "search": lambda: SearchAll(self._engine.search(self._problem, self._stop), log, self._stop.clock),
            "sweep": partial(Sweep, self._problem, self._stop, self._policy),
            "memo": partial(Memo, self._problem, self._stop, self._policy),
        }
        # A memo can be thinned, so it takes over where there is not enough memory for a sweep.
        chosen = {"auto": ["search", "sweep", "memo"], "sweep": ["sweep", "memo"]}.get(strategy, [strategy])
        if strategy == "auto" and self._matrix.primary < self._policy.fewest_swept_items:
            chosen.remove("sweep")
        if log is not None:  # a memo has no tree, and no order of items
            chosen = [name for name in chosen if name != "memo"] or ["search"]
        patience = (
            max(self._policy.strategy_patience, _estimate_order_seconds(self._matrix))
            if strategy == "auto"
            else math.inf
        )
        return Portfolio([makers[name] for name in chosen], patience, self._memory, self._stop, self._policy)

    @property
    def swept(self) -> list[int] | None:
        """The items in the order in which a sweep has counted; None if something else has."""
        return self._portfolio.leader.order() if isinstance(self._portfolio.leader, Sweep) else None

    def __next__(self) -> tuple[int, ...]:
        if self._listing is None:
            matrix, cheapest = self._matrix, self._cheapest
            zdd = self.build_diagram(range(len(matrix)), len(matrix))
            costs = matrix.costs or [0] * len(matrix)
            self._listing = (
                iter(zdd) if cheapest is None else (chosen for _, chosen in islice(zdd.cheapest(costs), cheapest))
            )
        if self._delivered % _POLL_EVERY == 0:
            self._stop.poll()
        solution = next(self._listing)
        self._delivered += 1
        return solution

    def count(self) -> int:
        if self._listing is not None:  # some solutions have been listed, so only the others are counted
            return sum(1 for _ in self)
        self._total = self._portfolio.count()
        return self._total

    def build_diagram(self, levels: Sequence[int], height: int) -> Zdd:
        """Count the solutions, which shows how to build the diagram fastest, and build it."""
        diagrams = _native.Diagrams(levels, self._memory())
        total = self.count()
        strategy = self._portfolio.leader.name if self._portfolio.leader is not None else "memo"
        listed = strategy == "search" and total <= _MOST_LISTED
        root = self._add_solutions(diagrams) if listed else self._build_root(diagrams, strategy)
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

    def _build_root(self, diagrams: _native.Diagrams, strategy: str) -> int:
        """Build the diagram by a sweep or a memo; the other one is tried if the problem is too large for `strategy`."""
        limits = []
        for name in ("sweep", "memo") if strategy == "sweep" else ("memo", "sweep"):
            try:
                return self._sweep(diagrams) if name == "sweep" else diagrams.of_memo(self._problem, self._stop.poll)
            except _native.TooLargeError as error:
                limits.append(str(error))
        raise EngineUnavailableError(f"the problem is too large to be built as a diagram: {'; '.join(limits)}")

    def _sweep(self, diagrams: _native.Diagrams) -> int:
        sweep, pace = _native.Sweep(self._problem, recorded=True, poll=self._stop.poll), Pace()
        while pace.advance(sweep.advance):
            self._stop.poll()
            if sweep.memory() > self._memory():
                raise MemoryError("the record of a sweep needs more memory than the limit allows")
        return diagrams.of_sweep(sweep, self._stop.poll)

    @property
    def solutions(self) -> int:
        if self._listing is not None:
            return self._delivered
        return self._portfolio.lower_bound() if self._total is None else self._total

    @property
    def nodes(self) -> int:
        return self._portfolio.nodes

    def explored(self) -> float:
        return self._portfolio.explored()

    @property
    def details(self) -> Mapping[str, int | str]:
        return self._portfolio.details


class CountingEngine(Engine):
    """Counts by the strategy that finishes first, and lists solutions from a diagram.

    It uses one thread, and branches in its own ways. A log records what it searches, or nothing if it sweeps; so only
    certificates, which have a step for sweeps, use one.
    """

    name = "diagram"
    counts = True
    supports = frozenset({"strategy", "memory"})

    def __init__(self, policy: CountingPolicy = DEFAULT_POLICY) -> None:
        self._native, self._policy = NativeEngine(), policy

    def tune(self, policy: CountingPolicy) -> CountingEngine:
        return self if policy is self._policy else CountingEngine(policy)

    def start(
        self,
        matrix: Matrix,
        stop: Stop,
        options: SearchOptions | None = None,
        goal: Goal = ALL,
        observers: Observers = NOBODY,
    ) -> CountingRun:
        return CountingRun(self._native, matrix, stop, options or SearchOptions(), goal, observers.log, self._policy)


def _estimate_order_seconds(matrix: Matrix) -> float:
    """Return a small multiple of the seconds that it takes to find an order of the items for a sweep."""
    sizes = list(map(operator.sub, matrix.starts[1:], matrix.starts))
    squares: int = sum(map(operator.mul, sizes, sizes))
    return 9e-9 * squares * matrix.primary
