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

- *search* visits every solution (:mod:`exactcover.engines.native`).
- *sweep* covers the items in a fixed order. Partial solutions with the same remaining work are merged, and their count
  is stored. It is the fastest on boards and graphs of small width.
- *memo* searches, but stores the count of each subproblem, and splits subproblems into independent parts.

All three count in whole numbers of any size.

References
----------
M. Nishino, N. Yasuda, S. Minato, M. Nagata, "Dancing with decision diagrams", AAAI 2017.
D. E. Knuth, *The Art of Computer Programming* 4B, section 7.2.2.1, Algorithm Z.
"""

from __future__ import annotations

import functools
import math
import os
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import length_hint

import exactcover._native as _native
from exactcover.control.observers import NOBODY, Observers
from exactcover.control.options import ALL, DEFAULTS, Goal, Heuristic, SearchOptions
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.control.recorder import TreeRecorder
from exactcover.control.statistics import Status
from exactcover.control.stop import Stop, Stopped
from exactcover.engines.base import Engine
from exactcover.engines.runs import MAX_BATCH, CheapestRun, DelegatingRun, EngineRun, Pace
from exactcover.engines.trees import (
    ROOT,
    ChoicePoint,
    DivisibleLeaf,
    Leaf,
    LeafMaker,
    Subtree,
    SubtreeSearch,
    TooLargeError,
)
from exactcover.errors import EngineUnavailableError, nearest
from exactcover.model.matrix import Matrix
from exactcover.steps.order import drop_costs

__all__ = [
    "Memo",
    "NativeEngine",
    "NativeReusableRun",
    "NativeRun",
    "NativeSubtreeSearch",
    "Sweep",
    "pick_instructions",
]

_NO_CEILING = (1 << 63) - 1

_REUSED_WORK = 1 << 14  # nodes between two polls of the stop in a reusable run
_PARTS_PER_JOB = 64
_STEADY_WORK = 1 << 13  # in a slice that must not depend on the clock
_MAX_WORK = 1 << 62  # in a slice
_NODES_PER_WORK = 64  # that are forced, at most, in most problems


class SearchAll(DivisibleLeaf):
    """A search that visits every solution below a node.

    Parameters
    ----------
    make
        Makes the native search, or returns one that has ended.
    subtree
        What is searched first.
    """

    name, seconds_per_work = "search", 1e-7

    def __init__(self, make: Callable[[], NativeSubtreeSearch], subtree: Subtree = ROOT) -> None:
        super().__init__(1 << 8)
        self._make, self._subtree = make, subtree
        self._search: NativeSubtreeSearch | None = None
        self._begun = False
        self._earlier = 0, 0  # solutions and nodes of the search before it was made for this leaf

    def begin(self, subtree: Subtree) -> None:
        self._subtree, self._begun = subtree, False

    def take_rest(self) -> list[list[Subtree]]:
        return [] if self._search is None else self._search.divide()

    def make_another(self, subtree: Subtree) -> SearchAll:
        return SearchAll(self._make, subtree)

    def prepare(self) -> None:
        if self._search is None:
            self._search = self._make()
            self._earlier = self._search.solutions, self._search.nodes
        if not self._begun:
            self._search.begin(self._subtree)
            self._begun = True

    def work(self, amount: int) -> bool:
        assert self._search is not None
        return self._search.work(amount, listing=False)

    def explored(self) -> float:
        return 0.0 if self._search is None else self._search.explored()

    def total(self) -> int:
        return 0 if self._search is None else self._search.solutions - self._earlier[0]

    found = total

    def memory(self) -> int:
        return 0 if self._search is None else self._search.memory()

    @property
    def nodes(self) -> int:
        return 0 if self._search is None else self._search.nodes - self._earlier[1]

    @property
    def details(self) -> Mapping[str, int | str]:
        return {} if self._search is None else self._search.details


class Sweep(Leaf):
    """A sweep over the items."""

    name = rule = "sweep"
    vague, seconds_per_work = True, 5e-8

    def __init__(self, make: Callable[[], _native.Sweep], policy: CountingPolicy = DEFAULT_POLICY) -> None:
        super().__init__(1 << 11)
        self._make, self._policy = make, policy
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
        return self._policy.sweep_caution * expected * self.spent / max(1, states)

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


class NativeSubtreeSearch(SubtreeSearch):
    """A native search that can be divided."""

    def __init__(
        self, search: _native.Search, stop: Stop, log: TreeRecorder | None = None, heuristic: Heuristic = "mrv"
    ) -> None:
        self._search, self._stop, self._log, self._pace = search, stop, log, Pace()
        self._heuristic = heuristic
        if log is not None:
            search.watch(True, log.skips_leaves)
        self._subtree = Subtree()
        self._cheapest = self._listing = False
        self._waiting: list[tuple[int, ...]] = []
        self._earlier_nodes = self._earlier_solutions = 0
        self._before: _native.SearchCounters | None = None  # the counters when the current subtree was begun

    @property
    def nodes(self) -> int:
        before = self._before
        return self._earlier_nodes + (0 if before is None else self._search.counters().nodes - before.nodes)

    @property
    def solutions(self) -> int:
        before = self._before
        return self._earlier_solutions + (0 if before is None else self._search.counters().solutions - before.solutions)

    def _end(self) -> None:
        """End the search of a subtree; what probes and divisions visit from now on does not count."""
        earlier = self.nodes, self.solutions
        self._before = None  # first, because another thread may read the numbers, which must never be too high
        self._earlier_nodes, self._earlier_solutions = earlier

    def begin(self, subtree: Subtree, cheapest: int = 0, ceiling: int | None = None) -> None:
        self._end()
        self._drop_nodes()
        self._before = self._search.counters()
        self._subtree, self._cheapest, self._waiting = subtree, cheapest > 0, []
        limit = _NO_CEILING if ceiling is None else min(ceiling, _NO_CEILING)
        self._search.begin(subtree.chosen, self._heuristic, subtree.excluded, cheapest, limit)

    def advance(self, *, listing: bool) -> bool:
        self._stop.poll()
        return self._pace.advance(lambda amount: self.work(amount, listing=listing))

    def work(self, amount: int, *, listing: bool) -> bool:
        """Search for this many units of work; return whether there is more to do."""
        self._listing = listing
        more = self._search.advance(amount, MAX_BATCH if listing else 1, listing, self._stop.poll)
        self._record()
        return more

    def explored(self) -> float:
        """Return the share of the subtree that has been searched."""
        return self._search.explored()

    def memory(self) -> int:
        """Return how many bytes the search holds."""
        return self._search.memory()

    @property
    def details(self) -> Mapping[str, int | str]:
        """Further counters, by name."""
        counters = self._search.counters()
        return {"updates": counters.updates, "compactions": counters.compactions}

    def take(self) -> list[tuple[int, ...]]:
        if self._cheapest:
            return self._search.cheapest()
        taken, self._waiting = self._waiting + self._search.take(), []
        return taken

    def divide(self) -> list[list[Subtree]]:
        while (path := self._search.path()) is None:
            if not self._search.advance(1, 1 << 40, self._listing):
                return []
        self._waiting += self._search.take()
        self._record()
        self._end()
        chosen, nodes = path
        levels: list[list[Subtree]] = []
        subtree = self._subtree
        for depth, options, none in nodes:
            children = self._list_children(subtree)
            first = len(children) - len(options) - none
            left = children[first:]
            _check_left(left, set(chosen[:depth]), options)
            levels.append(left)
            if first == 0:  # no child of the last node has been tried
                break
            subtree = children[first - 1]
        return levels

    def children(self, subtree: Subtree) -> list[Subtree]:
        self._drop_nodes()
        children = self._list_children(subtree)
        self._record()
        return children

    def _drop_nodes(self) -> None:
        """Drop the nodes that probes and divisions have visited."""
        if self._log is not None:
            self._search.log()

    def _record(self) -> None:
        """Record the nodes visited since the last call."""
        if self._log is not None:
            self._log.extend(self._search.log())

    def _list_children(self, subtree: Subtree) -> list[Subtree]:
        self._end()
        found = self._search.children(subtree.chosen, self._heuristic, subtree.excluded)
        return [Subtree(tuple(chosen), tuple(excluded)) for chosen, excluded in found]

    def probe(self, subtree: Subtree, seed: int) -> list[ChoicePoint]:
        self._end()
        return self._search.probe(seed, self._stop.poll, subtree.chosen, subtree.excluded)


def _check_left(left: list[Subtree], chosen: set[int], options: list[int]) -> None:
    """Check that the children computed anew are those that the search had left, so that no solution can get lost."""
    expected = [chosen | {option} for option in options] + [chosen] * (len(left) - len(options))
    if [set(child.chosen) for child in left] != expected:
        raise RuntimeError("a search cannot be divided: the tree has changed since it began")


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
        from exactcover.engines.runs import LeastCost  # seldom needed

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
