"""The engine ``diagram``: counting in several ways, and building the diagram of all solutions.

- *search* visits every solution (:mod:`exactcover.engines.native`).
- *sweep* covers the items in a fixed order. Partial solutions with the same remaining work are merged, and their count
  is stored. It is the fastest on boards and graphs of small width.
- *memo* searches, but stores the count of each subproblem, and splits subproblems into independent parts.

All three count in whole numbers of any size.

To list solutions, the engine builds the diagram and then walks through it, so solutions come in lexicographic order, or
in the order of their costs if the cheapest are wanted.

References
----------
M. Nishino, N. Yasuda, S. Minato, M. Nagata, "Dancing with decision diagrams", AAAI 2017.
D. E. Knuth, *The Art of Computer Programming* 4B, section 7.2.2.1, Algorithm Z.
"""

from __future__ import annotations

import math
import operator
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

import exactcover._native as _native
from exactcover.control.memory import half_of_free_memory
from exactcover.control.options import Goal, SearchOptions
from exactcover.control.policy import CountingPolicy
from exactcover.control.recorder import Observers, TreeRecorder
from exactcover.control.stop import Stop
from exactcover.engines.base import Engine, MatrixQuery
from exactcover.engines.cursor import EngineRun, Pace
from exactcover.engines.leaves import Leaf, SearchLeaf, TooLargeError
from exactcover.engines.native import NativeEngine
from exactcover.errors import EngineUnavailableError
from exactcover.model.matrix import Matrix
from exactcover.steps.step import drop_costs

if TYPE_CHECKING:  # seldom needed
    from exactcover.diagram.zdd import Zdd

_MAX_LISTED = 1 << 20  # with at most this many solutions, a diagram may be built from a list of them
_CHUNK = 1 << 14  # solutions added to a diagram at once
_FEW_BITS = 12  # a sweep whose states have at most so many bits is quick in any case


class Sweep(Leaf):
    """A sweep over the items."""

    name = rule = "sweep"
    vague, seconds_per_work = True, 5e-8

    def __init__(self, make: Callable[[], _native.Sweep]) -> None:
        super().__init__(1 << 11)
        self._make = make
        self._sweep: _native.Sweep | None = None
        self._bits: list[int] = []
        self._is_done = False

    def work(self, amount: int) -> bool:
        if self._sweep is None:
            try:
                self._sweep = self._make()
            except _native.TooLargeError as error:
                raise TooLargeError(str(error)) from None
            self._bits = self._sweep.bits()
        more = self._sweep.advance(amount)
        self._is_done = not more
        return more

    def left(self) -> float:
        """Return an estimate of the seconds that are left.

        The logarithm of the number of states is taken as the mean of two predictions: that it grows per item as it has
        so far, and that it grows with the number of bits that distinguish the states.
        """
        if self._sweep is None or self._is_done:
            return 0.0  # nothing is known before it begins
        item, states, waiting = self._sweep.progress()
        now = math.log2(waiting + 1)
        growth, density = now / (item + 1), now / max(1, *self._bits[item : item + 2], 1)
        logs = (min(bits, (now + growth * ahead + density * bits) / 2) for ahead, bits in enumerate(self._bits[item:]))
        expected = max(sum(math.exp2(min(log, 200)) for log in logs), waiting)
        return expected * self.spent / max(1, states)

    def left_for_sure(self) -> float:
        is_early = self._sweep is None or 2 * self._sweep.progress()[0] < len(self._bits)
        return math.inf if is_early else self.left()

    def explored(self) -> float:
        left = self.left()
        return self.spent / (self.spent + left) if self.spent > 0 else 0.0

    def total(self) -> int:
        return 0 if self._sweep is None else int.from_bytes(self._sweep.total(), "little")

    def memory(self) -> int:
        return 0 if self._sweep is None else self._sweep.memory()

    def is_hopeless(self, most_memory: Callable[[], int]) -> bool:
        return self.memory() > most_memory()

    def item_order(self) -> list[int]:
        return [] if self._sweep is None else self._sweep.order()

    @property
    def nodes(self) -> int:
        return 0 if self._sweep is None else self._sweep.progress()[1]

    @property
    def details(self) -> Mapping[str, int | str]:
        return {"width": max(self._bits, default=0)}


class Memo(Leaf):
    """A search with a memo of the counts of subproblems."""

    name = rule = "memo"

    def __init__(self, make: Callable[[], _native.Memo], policy: CountingPolicy, seconds_per_work: float) -> None:
        super().__init__(1 << 6)
        self._make, self._policy, self.seconds_per_work = make, policy, seconds_per_work
        self._memo: _native.Memo | None = None

    def work(self, amount: int) -> bool:
        if self._memo is None:
            try:
                self._memo = self._make()
            except _native.TooLargeError as error:
                raise TooLargeError(str(error)) from None
        return self._memo.advance(amount)

    def left(self) -> float:
        if self._memo is None or self._memo.counters().nodes <= 1:
            return 0.0  # nothing is known before it begins
        return super().left()

    def left_for_sure(self) -> float:
        return super().left()

    def explored(self) -> float:
        return 0.0 if self._memo is None else self._memo.explored()

    def total(self) -> int:
        return 0 if self._memo is None else int.from_bytes(self._memo.total(), "little")

    def memory(self) -> int:
        return 0 if self._memo is None else self._memo.memory()

    def is_hopeless(self, most_memory: Callable[[], int]) -> bool:
        if self._memo is None:
            return False
        if self.memory() > most_memory():
            self._memo.thin()
        counters, policy = self._memo.counters(), self._policy
        return (
            counters.nodes > policy.memo_trial and counters.hits + counters.splits < policy.least_hits * counters.nodes
        )

    @property
    def nodes(self) -> int:
        return 0 if self._memo is None else self._memo.counters().nodes

    @property
    def details(self) -> Mapping[str, int | str]:
        if self._memo is None:
            return {}
        counters = self._memo.counters()
        return {
            "hits": counters.hits,
            "splits": counters.splits,
            "entries": self._memo.entries(),
            "thinned": counters.thinned,
        }


class DiagramEngineRun(EngineRun):
    """A run that builds the diagram of the solutions of a matrix, and lists them from it."""

    count_first: Callable[[], object] | None = None  # counts before the diagram is built, and notes it

    def __init__(self, engine: NativeEngine, matrix: Matrix, stop: Stop, options: SearchOptions, goal: Goal) -> None:
        super().__init__()
        self._engine, self._matrix, self._stop, self._cheapest = engine, matrix, stop, goal.cheapest
        # The diagram handles costs, because they may be too large for the native engine.
        self._problem = engine.problem(drop_costs(matrix).matrix, stop)
        self._memory = options.memory or stop.memory or half_of_free_memory()
        self._total, self._way = 0, "sweep"
        self._listed = self._list()

    def _list(self) -> Iterator[tuple[int, ...]]:
        matrix, cheapest = self._matrix, self._cheapest
        zdd = self.build_diagram(range(len(matrix)), len(matrix))
        self._total = 0  # from now on, those that are delivered count
        costs = matrix.costs or [0] * len(matrix)
        listed = zdd if cheapest is None else (chosen for _, chosen in islice(zdd.cheapest(costs), cheapest))
        yield from self._stop.watch(listed)

    def note_count(self, total: int, way: str) -> None:
        """Note the number of solutions, and the name of the way in which they were counted."""
        self._total, self._way = total, way

    def build_diagram(self, levels: Sequence[int], height: int) -> Zdd:
        """Return the diagram of all solutions, given the level of each option, and the number of levels."""
        from exactcover.diagram.zdd import Zdd  # seldom needed

        if self.count_first is not None:
            self.count_first()
        diagrams = _native.Diagrams(levels, self._memory, poll=self._stop.poll)
        listed = self._way == "search" and self._total <= _MAX_LISTED
        root = self._add_solutions(diagrams) if listed else self._build_root(diagrams)
        level, lo, hi = (array("I", column) for column in diagrams.nodes(root))
        return Zdd(height, level, lo, hi, min(root, len(level) + 1))

    @property
    def solutions(self) -> int:
        return self._total or self._delivered

    @property
    def details(self) -> Mapping[str, int | str]:
        return {"strategy": self._way}

    def compact_order(self, matrix: Matrix) -> list[int]:
        """Return the options of a matrix in an order that keeps diagrams small, with neighboring items together."""
        return _native.compact_order(self._engine.problem(matrix, self._stop), self._stop.poll)

    def _add_solutions(self, diagrams: _native.Diagrams) -> int:
        from exactcover.diagram.zdd import EMPTY  # seldom needed

        solutions = self._engine.start(MatrixQuery(drop_costs(self._matrix).matrix, self._stop))
        root = EMPTY
        while chunk := list(islice(solutions, _CHUNK)):
            root = diagrams.add(root, diagrams.of_sets(chunk))
        return root

    def _build_root(self, diagrams: _native.Diagrams) -> int:
        """Build the diagram by a sweep or a memo; if the problem is too large for the better one, by the other."""
        limits = []
        names = ["sweep", "memo"] if self._prefers_sweep() else ["memo", "sweep"]
        for name in ["sweep"] if self._matrix.rules else names:
            try:
                return self._sweep(diagrams) if name == "sweep" else diagrams.of_memo(self._problem)
            except _native.TooLargeError as error:
                limits.append(str(error))
        raise EngineUnavailableError(f"the problem is too large to be built as a diagram: {'; '.join(limits)}")

    def _prefers_sweep(self) -> bool:
        """Tell whether a sweep is better than a memo, which takes quadratic time for many components."""
        if self._way != "components":
            return self._way == "sweep"
        try:
            bits = _native.Sweep(self._problem, poll=self._stop.poll).bits()
        except _native.TooLargeError:
            return False
        return max(bits, default=0) <= _FEW_BITS

    def _sweep(self, diagrams: _native.Diagrams) -> int:
        sweep, pace = _native.Sweep(self._problem, recorded=True, poll=self._stop.poll), Pace()
        while pace.advance(sweep.advance):
            self._stop.poll()
            if sweep.memory() > self._memory:
                raise MemoryError("the record of a sweep needs more memory than the limit allows")
        return diagrams.of_sweep(sweep)


class DiagramEngine(Engine):
    """Counts by the strategy that finishes first, and lists solutions from a diagram.

    It uses one thread, and branches in its own ways. A log records what it searches, or nothing if it sweeps or
    remembers; so only certificates, which have steps for these, use one.
    """

    name = "diagram"
    takes_rules = True
    supports = frozenset({"strategy", "memory"})
    supports_counts = frozenset({"jobs"})

    def __init__(self) -> None:
        self._native = NativeEngine()

    def start(self, query: MatrixQuery) -> DiagramEngineRun:
        return DiagramEngineRun(self._native, query.matrix, query.stop, query.options, query.goal)

    def leaves(
        self,
        matrix: Matrix,
        stop: Stop,
        options: SearchOptions,
        policy: CountingPolicy,
        log: TreeRecorder | None = None,
    ) -> list[Leaf]:
        # A memo can be thinned, so it takes over where there is not enough memory for a sweep.
        strategy = options.strategy
        names = {"auto": ["search", "sweep", "memo"], "sweep": ["sweep", "memo"]}.get(strategy, [strategy])
        if matrix.rules:
            names = [name for name in names if name != "memo"]
        if not names:
            raise EngineUnavailableError("the strategy 'memo' does not know rules about graphs; use search or sweep")
        if strategy == "auto" and matrix.primary < policy.fewest_swept_items and not matrix.rules:
            names.remove("sweep")
        items_by_options = matrix.items * -(-len(matrix) // 64)
        observers, poll = Observers(log=log), stop.poll

        @cache
        def make_problem() -> _native.Problem:
            return self._native.problem(drop_costs(matrix).matrix, stop)

        @cache
        def find_delay() -> float:
            """Return for how many seconds one way is tried before the next one, which may need an order, begins."""
            return max(policy.strategy_patience, policy.order_seconds * _measure_order(matrix))

        leaves: dict[str, Leaf] = {
            "search": SearchLeaf(lambda: self._native.cursor_of(make_problem(), stop, observers=observers)),
            "sweep": Sweep(lambda: _native.Sweep(make_problem(), poll=poll)),
            "memo": Memo(
                lambda: _native.Memo(make_problem(), poll=poll), policy, policy.memo_word_seconds * items_by_options
            ),
        }
        for name in names if strategy == "auto" else ():
            leaves[name].find_delay = find_delay
        return [leaves[name] for name in names]


def _measure_order(matrix: Matrix) -> int:
    """Return how much work it is to find an order of the items for a sweep."""
    sizes = list(map(operator.sub, matrix.starts[1:], matrix.starts))
    squares: int = sum(map(operator.mul, sizes, sizes))
    return squares * matrix.primary
