"""The engine ``native``, a search in C++ with bit vectors that shrink with the problem, below a trunk of sparse sets.

The live options are one bit vector, and every item has the bit vector of its options. Choosing an option removes all
options that conflict with it. When the live options need at most half as many words as before, the subproblem is
rewritten (compacted). So deep nodes, where almost all the work is done, fit into one word. If solutions are only
counted, many such nodes are processed together.

If every item has few options, as in Sudoku, the live options are stored as planes instead: plane k says for each item
whether its k-th option is live, so that all items are examined at once.

If the problem is large, and a choice touches little of what such vectors hold, the options of each item are sparse
sets: a node takes as long as what the choice changes.

References
----------
D. E. Knuth, "Dancing cells", *The Art of Computer Programming*, pre-fascicle 7A (section 7.2.2.3).
"""

from __future__ import annotations

import functools
import os
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import length_hint

import exactcover._native as _native
from exactcover.control.observers import NOBODY, Observers
from exactcover.control.options import ALL, DEFAULTS, Goal, SearchOptions
from exactcover.control.policy import CountingPolicy
from exactcover.control.recorder import TreeRecorder
from exactcover.control.statistics import Status
from exactcover.control.stop import Stop, Stopped
from exactcover.engines.base import Engine
from exactcover.engines.cheapest import CheapestRun
from exactcover.engines.leaves import LeafMaker
from exactcover.engines.native_leaves import SearchAll
from exactcover.engines.native_subtrees import NativeSubtreeSearch
from exactcover.engines.pace import MAX_BATCH, Pace
from exactcover.engines.runs import DelegatingRun, EngineRun
from exactcover.engines.trees import ChoicePoint, Subtree, SubtreeSearch
from exactcover.errors import EngineUnavailableError, nearest
from exactcover.model.matrix import Matrix
from exactcover.steps.order import drop_costs

__all__ = ["NativeEngine", "NativeReusableRun", "NativeRun", "pick_instructions"]

_REUSED_WORK = 1 << 14  # nodes between two polls of the stop in a reusable run
_PARTS_PER_JOB = 64
_STEADY_WORK = 1 << 13  # in a slice that must not depend on the clock
_MAX_WORK = 1 << 62  # in a slice
_NODES_PER_WORK = 64  # that are forced, at most, in most problems


class _SlicedSearch:
    """A native search that advances in slices, so that stops and Ctrl-C are obeyed."""

    def __init__(
        self,
        search: _native.Search,
        stop: Stop,
        observers: Observers,
        instructions: str,
        *,
        steady_work: int | None = None,
        most_nodes: int | None = None,
    ) -> None:
        self.search, self._stop, self._instructions = search, stop, instructions
        self.most_nodes = most_nodes
        self._profile, self._log = observers.profile, observers.log
        self.most = MAX_BATCH if observers.log is None else 1  # a log ends with the last solution that was asked for
        self._pace = Pace() if steady_work is None else Pace(steady=True, work=steady_work)
        self.more = True
        self.counters = _native.SearchCounters()
        self.explored = 0.0
        self.work = 0

    def advance(self, solutions: int, *, listing: bool) -> None:
        """Search for about one slice of time, or until this many solutions are found; stop at the limit on nodes."""
        self._stop.poll()
        most_work = self._find_most_work()

        def search(work: int) -> bool:
            amount = min(work, most_work)
            self.work += amount
            return self.search.advance(amount, solutions, listing, self._stop.poll)

        try:
            self.more = self._pace.advance(search)
        finally:
            self.counters = self.search.counters()
            if self._profile is not None:
                self._profile.levels, self._profile.most_choices = self.search.profile()
            if self._log is not None:
                self._log.extend(self.search.log())
        self.explored = self.search.explored() if self.more else 1.0

    def _find_most_work(self) -> int:
        """Return how much work may be done before the nodes are compared with their limit again.

        A unit of work visits one node, and all those after it at which the choice is forced. Close to the limit, there
        is one unit in a slice, so the search always ends at the same node.
        """
        if self.most_nodes is None:
            return _MAX_WORK
        left = self.most_nodes - self.counters.nodes
        if left <= 0:
            raise Stopped(Status.NODES)
        return max(1, left // _NODES_PER_WORK)

    @property
    def details(self) -> Mapping[str, int | str]:
        """Further counters, by name."""
        return {
            "updates": self.counters.updates,
            "compactions": self.counters.compactions,
            "memory": self.search.memory(),
            "instructions": self._instructions,
        }


class NativeRun(EngineRun):
    """A run of a native search for all solutions."""

    def __init__(self, search: _SlicedSearch) -> None:
        super().__init__()
        self._native = search
        self._waiting: Iterator[tuple[int, ...]] = iter(())
        self._size = 1

    def __next__(self) -> tuple[int, ...]:
        solution = next(self._waiting, None)
        return self.search_until_found() if solution is None else solution

    def search_on(self) -> tuple[int, ...] | None:
        solution = next(self._waiting, None)
        if solution is None:
            if not self._native.more:
                raise StopIteration
            self._native.advance(self._size, listing=True)
            self._waiting = iter(self._native.search.take())
            self._size = min(2 * self._size, self._native.most)
            solution = next(self._waiting, None)
        return solution

    @property
    def has_batches(self) -> bool:
        return not length_hint(self._waiting) and self._native.most > 1

    def take_batch(self, size: int) -> tuple[array[int], array[int]]:
        if not self.has_batches:
            return super().take_batch(size)
        starts, options = array("q", [0]), array("I")
        while self._native.more and len(starts) == 1:
            self._native.advance(size, listing=True)
            starts, options = map(array, "qI", self._native.search.take_arrays())
        return starts, options

    def count(self) -> int:
        before = self.solutions
        self._waiting = iter(())
        listing = self._native.most_nodes is not None  # else several nodes at once are visited, as the processor can
        while self._native.more:
            self._native.advance(MAX_BATCH, listing=listing)
            if listing:
                self._native.search.take()
        return self.solutions - before

    @property
    def waiting(self) -> Iterator[tuple[int, ...]]:
        return self._waiting

    @property
    def solutions(self) -> int:
        return self._native.counters.solutions - length_hint(self._waiting)

    @property
    def nodes(self) -> int:
        return self._native.counters.nodes

    @property
    def work(self) -> int:
        return self._native.work

    def explored(self) -> float:
        return self._native.explored

    @property
    def details(self) -> Mapping[str, int | str]:
        return self._native.details


class NativeCheapestRun(CheapestRun, DelegatingRun):
    """A run of a native search for the cheapest solutions."""

    def __init__(self, search: _SlicedSearch, costs: Sequence[int]) -> None:
        from exactcover.engines.cheapest import LeastCost  # seldom needed

        super().__init__(NativeRun(search))
        self._native, self._least = search, LeastCost(costs, search.search.cheapest)

    def search_all(self) -> None:
        while self._native.more:
            self._native.advance(1, listing=True)
            self._least.note(self._native.counters.nodes, more=self._native.more)

    @property
    def best(self) -> int | None:
        return self._least.cost

    def cheapest(self) -> list[tuple[int, ...]]:
        return self._native.search.cheapest()


class NativeTree:
    """The tree that a native search visits when it lists."""

    def __init__(self, search: _native.Search, stop: Stop) -> None:
        self._search, self._stop = search, stop

    def probe(self, seed: int) -> Sequence[ChoicePoint]:
        self._stop.poll()
        return self._search.probe(seed, self._stop.poll, listing=True)


class NativeReusableRun:
    """A native search over one problem that can be repeated.

    Ties go to the item that failed most often, which finds the few solutions of a hard instance sooner.
    """

    def __init__(self, search: _native.Search) -> None:
        self._search = search

    def solve(self, given: Sequence[int], without: Sequence[int], limit: int, stop: Stop) -> list[tuple[int, ...]]:
        search = self._search
        found: list[tuple[int, ...]] = []
        more = search.begin(given, "weighted", without)
        while more and len(found) < limit:
            stop.poll()
            more = search.advance(_REUSED_WORK, limit - len(found), True, stop.poll)
            found += search.take()
        return found[:limit]


class NativeTextRun:
    """A native search for instances that are written as text."""

    def __init__(self, solver: _native.InstanceSolver) -> None:
        self._solver = solver

    def answer(self, texts: list[str], seconds: float, stop: Stop) -> list[tuple[int, str] | None]:
        answers = self._solver.answer(texts, seconds, stop.poll)
        return [None if answer is None or answer[0] == 0 else answer for answer in answers]


def pick_instructions(wanted: str | None = None) -> str:
    """Return the instruction set to search with.

    Parameters
    ----------
    wanted
        One of ``_native.instruction_sets``; None for the one that the environment variable ``EXACTCOVER_INSTRUCTIONS``
        names, or else the best one.

    Raises
    ------
    EngineUnavailableError
        If this processor or this build does not support the set.
    """
    known = _native.instruction_sets
    name = wanted or os.environ.get("EXACTCOVER_INSTRUCTIONS") or known[0]
    if name not in known:
        raise EngineUnavailableError(
            f"this processor or build does not support the instructions {name!r}{nearest(name, known)}"
            f" (available: {', '.join(known)})"
        )
    return name


class NativeEngine(Engine):
    """Bit-parallel search with compaction, in C++.

    Parameters
    ----------
    most_dense_options
        Searches of problems with more options than this begin with sparse sets in any case.
    instructions
        The instruction set, one of ``_native.instruction_sets``; None for the one that the environment variable
        ``EXACTCOVER_INSTRUCTIONS`` names, or else the best one.
    """

    name = "native"
    searches = True
    divides = True
    supports = frozenset({"heuristic", "jobs", "nodes", "restarts", "profile", "log", "within"})

    def __init__(self, most_dense_options: int = 1 << 16, instructions: str | None = None) -> None:
        self._most_dense_options = most_dense_options
        self._wanted = instructions

    @functools.cached_property
    def _instructions(self) -> str:
        return pick_instructions(self._wanted)

    def obstacle(self, matrix: Matrix) -> str | None:
        return "its costs need more than 64 bits" if sum(matrix.costs) >= 1 << 63 else None

    def start(
        self,
        matrix: Matrix,
        stop: Stop,
        options: SearchOptions | None = None,
        goal: Goal = ALL,
        observers: Observers = NOBODY,
    ) -> EngineRun:
        options = options or DEFAULTS
        problem = self.problem(matrix, stop)
        search = self.search(problem, stop)
        log = observers.log
        if observers:
            search.watch(log is not None, log is not None and log.skips_leaves)
        if options.jobs > 1:
            from exactcover.engines.threads import PartsRun, split  # seldom needed

            segments = split(search, options, _PARTS_PER_JOB * options.jobs, stop, records=log is not None)
            return PartsRun(segments, lambda: self.search(problem, stop), options, stop, log, self._instructions)
        search.begin((), options.named_heuristic, (), goal.cheapest or 0)
        is_steady = options.restarts or goal.limit == 1 or options.nodes is not None
        steady_work = _STEADY_WORK if is_steady else None
        sliced = _SlicedSearch(
            search, stop, observers, self._instructions, steady_work=steady_work, most_nodes=options.nodes
        )
        return NativeRun(sliced) if goal.cheapest is None else NativeCheapestRun(sliced, matrix.costs)

    def leaves(
        self,
        matrix: Matrix,
        stop: Stop,
        options: SearchOptions,
        policy: CountingPolicy,
        log: TreeRecorder | None = None,
    ) -> list[LeafMaker]:
        problem = functools.cache(lambda: self.problem(drop_costs(matrix).matrix, stop))
        return [LeafMaker("search", lambda: self.search_leaf(problem, stop, options, log))]

    def search_leaf(
        self,
        problem: Callable[[], _native.Problem],
        stop: Stop,
        options: SearchOptions,
        log: TreeRecorder | None = None,
    ) -> SearchAll:
        """Return a leaf of a count that searches."""
        return SearchAll(lambda: NativeSubtreeSearch(self.search(problem(), stop), stop, log, options.named_heuristic))

    def subtree_leaf(self, search: SubtreeSearch, subtree: Subtree) -> SearchAll | None:
        return SearchAll(lambda: search, subtree) if isinstance(search, NativeSubtreeSearch) else None

    def tree(self, matrix: Matrix, stop: Stop) -> NativeTree:
        return NativeTree(self.search(self.problem(matrix, stop), stop), stop)

    def reusable(self, matrix: Matrix, stop: Stop) -> NativeReusableRun:
        return NativeReusableRun(self.search(self.problem(matrix, stop), stop))

    def text_run(self, matrix: Matrix, layouts: list[str], table: array[int], stop: Stop) -> NativeTextRun:
        problem = self.problem(matrix, stop)
        most, instructions = self._most_dense_options, self._instructions
        return NativeTextRun(_native.InstanceSolver(problem, layouts, table, most, instructions, stop.poll))

    def subtrees(self, matrix: Matrix, stop: Stop, log: TreeRecorder | None = None) -> NativeSubtreeSearch:
        return NativeSubtreeSearch(self.search(self.problem(matrix, stop), stop), stop, log)

    def problem(self, matrix: Matrix, stop: Stop) -> _native.Problem:
        """Return the matrix in the form of the native library."""
        if matrix.rows is not None:
            return _native.problem_of_rows(matrix.rows, stop.poll)
        return _native.make_problem(
            matrix.items,
            matrix.primary,
            matrix.starts,
            matrix.entries,
            matrix.colors,
            *matrix.capped_bounds(),
            matrix.costs,
            sorted(matrix.preferred),
            stop.poll,
        )

    def search(self, problem: _native.Problem, stop: Stop) -> _native.Search:
        """Return a native search that has not begun yet."""
        return _native.Search(problem, self._most_dense_options, self._instructions, stop.poll)
