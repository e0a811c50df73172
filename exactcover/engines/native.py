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
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Self

import exactcover._native as _native
from exactcover.control.options import DEFAULTS, SearchOptions
from exactcover.control.recorder import NOBODY, Observers
from exactcover.control.statistics import Status
from exactcover.control.stop import InnerStop, Stop, Stopped
from exactcover.engines.base import Engine, MatrixQuery, TextRun
from exactcover.engines.cursor import MAX_BATCH, ROOT, ChoicePoint, Cursor, EngineRun, Subtree
from exactcover.errors import EngineUnavailableError, nearest
from exactcover.model.matrix import Matrix
from exactcover.rules import MatrixRule
from exactcover.steps.step import StepResult, restrict

if TYPE_CHECKING:
    from exactcover.model.text_form import TextForm

LEAST_DECIDED = 1 / 6
"""The share of options that must be decided for probing to pay."""

_LEAST_TRIED = 64  # options until that is judged
_STEPS_PER_UNIT = 512  # of trials that count as a unit of work of a search, far more than take as long, since they pay
_STEPS_AT_ONCE = 1 << 18
_BYTES_PER_PROBED_ENTRY = 32
_NO_CEILING = (1 << 63) - 1
_ANY_NUMBER = 1 << 62
_NO_END, _ANY_END = 0xFFFFFFFF, 0xFFFFFFFE  # of a path; the first one also stands for no limit of a size
_NODES_PER_WORK = 64  # that are forced, at most, in most problems


class NativeCursor(Cursor):
    """A cursor of the native search.

    Observers see no nodes that :meth:`probe` and :meth:`divide` visit.
    """

    finds_cheapest = makes_arrays = True
    probed: Matrix | None = None  # if options may be removed where a few solutions of a subtree take long
    work = 0

    def __init__(
        self,
        make_search: Callable[[], _native.Search],
        instructions: str,
        stop: Stop,
        options: SearchOptions,
        observers: Observers,
    ) -> None:
        super().__init__(stop)
        self._make_search, self._search, self._instructions = make_search, make_search(), instructions
        self._options, self._observers, self.log = options, observers, observers.log
        if observers:
            self._search.watch(self.log is not None, self.log is not None and self.log.skips_leaves)
        self._subtree = ROOT
        self._cheapest = self._listing = False
        self._earlier_nodes = self._earlier_solutions = 0
        self._before: _native.SearchCounters | None = None  # the counters when the current subtree was begun

    def make_another(self) -> Self:
        return type(self)(self._make_search, self._instructions, self.stop, self._options, self._observers)

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

    def begin(self, subtree: Subtree = ROOT, cheapest: int = 0, ceiling: int | None = None) -> None:
        self._end()
        self._drop_nodes()
        self._before = self._search.counters()
        self._subtree, self._cheapest, self._waiting = subtree, cheapest > 0, []
        limit = _NO_CEILING if ceiling is None else min(ceiling, _NO_CEILING)
        self._search.begin(subtree.chosen, self._options.named_heuristic, subtree.excluded, cheapest, limit)

    def search(self, work: int, most: int = MAX_BATCH, *, listing: bool = True) -> bool:
        amount = min(work, self._find_most_work())
        self.work += amount
        self._listing = listing or self._options.nodes is not None  # a count may visit several nodes at once
        try:
            more = self._search.advance(amount, most, self._listing, self.stop.poll)
            if not listing and self._listing:
                self._search.take()
        finally:
            self._record()
            profile = self._observers.profile
            if profile is not None:
                profile.levels, profile.most_choices = self._search.profile()
        return more

    def _find_most_work(self) -> int:
        """Return how much work may be done before the nodes are compared with their limit again.

        A unit of work visits one node, and all those after it at which the choice is forced. Close to the limit, there
        is one unit in a slice, so the search always ends at the same node.
        """
        if self._options.nodes is None:
            return _ANY_NUMBER
        left = self._options.nodes - self.nodes
        if left <= 0:
            raise Stopped(Status.NODES)
        return max(1, left // _NODES_PER_WORK)

    def take(self) -> list[tuple[int, ...]]:
        return self._search.cheapest() if self._cheapest else super().take() + self._search.take()

    def take_arrays(self) -> tuple[array[int], array[int]]:
        if self._waiting:  # which only a division leaves
            raise RuntimeError("solutions that a division has left would be lost")
        starts, options = map(array, "qI", self._search.take_arrays())
        return starts, options

    def find_dead(self, subtree: Subtree) -> list[int]:
        if self.probed is None:
            return []
        left = restrict(self.probed, subtree.chosen, {*subtree.excluded})
        if left.reason is not None or not Probe.has_memory(left.matrix, self.stop):
            return []
        probe = Probe(left.matrix, self.stop)
        while not probe.advance():
            if not probe.pays:
                return []
        return sorted({*left.lift(probe.list_removed())}.difference(subtree.chosen))

    def explored(self) -> float:
        return self._search.explored()

    def memory(self) -> int:
        return self._search.memory()

    @property
    def details(self) -> Mapping[str, int | str]:
        counters = self._search.counters()
        return {
            "updates": counters.updates,
            "compactions": counters.compactions,
            "instructions": self._instructions,
        }

    def divide(self) -> list[list[Subtree]]:
        while (path := self._search.path()) is None:
            if not self._search.advance(1, _ANY_NUMBER, self._listing):
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
        if self.log is not None:
            self._search.log()

    def _record(self) -> None:
        """Record the nodes visited since the last call."""
        if self.log is not None:
            self.log.extend(self._search.log())

    def _list_children(self, subtree: Subtree) -> list[Subtree]:
        self._end()
        found = self._search.children(subtree.chosen, self._options.named_heuristic, subtree.excluded)
        return [Subtree(tuple(chosen), tuple(excluded)) for chosen, excluded in found]

    def probe(self, subtree: Subtree, seed: int, *, listing: bool = False) -> list[ChoicePoint]:
        self._end()
        self.stop.poll()
        return self._search.probe(seed, self.stop.poll, subtree.chosen, subtree.excluded, listing)


def _check_left(left: list[Subtree], chosen: set[int], options: list[int]) -> None:
    """Check that the children computed anew are those that the search had left, so that no solution can get lost."""
    expected = [chosen | {option} for option in options] + [chosen] * (len(left) - len(options))
    if [set(child.chosen) for child in left] != expected:
        raise RuntimeError("a search cannot be divided: the tree has changed since it began")


def pick_instructions(wanted: str | None = None) -> str:
    """Return the instruction set to search with, one of ``_native.instruction_sets``.

    By default, it is the one that the environment variable ``EXACTCOVER_INSTRUCTIONS`` names, or else the best one.
    Raise ``EngineUnavailableError`` if this processor or this build does not support it.
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
    """Bit-parallel search with compaction, in C++; instructions are as for :func:`pick_instructions`.

    Searches of problems with more than `most_dense_options` options begin with sparse sets in any case.
    """

    name = "native"
    searches = True
    divides = takes_rules = True
    supports = frozenset({"heuristic", "jobs", "nodes", "restarts", "profile", "log", "within"})

    def __init__(self, most_dense_options: int = 1 << 16, instructions: str | None = None) -> None:
        self._most_dense_options = most_dense_options
        self._wanted = instructions

    @functools.cached_property
    def _instructions(self) -> str:
        return pick_instructions(self._wanted)

    def find_obstacle(self, matrix: Matrix) -> str | None:
        is_large = sum(matrix.costs) >= 1 << 63
        return super().find_obstacle(matrix) or ("its costs need more than 64 bits" if is_large else None)

    def start(self, query: MatrixQuery) -> EngineRun:
        matrix, stop, options, _, observers, _ = query
        if options.jobs == 1:
            return super().start(query)
        from exactcover.engines.threads import PartsRun  # seldom needed

        inner = InnerStop(stop)
        return PartsRun(self.cursor(matrix, inner, options, observers), inner, stop, options.jobs, observers.log)

    def cursor(
        self, matrix: Matrix, stop: Stop, options: SearchOptions = DEFAULTS, observers: Observers = NOBODY
    ) -> NativeCursor:
        return self.cursor_of(self.problem(matrix, stop), stop, options, observers)

    def cursor_of(
        self,
        problem: _native.Problem,
        stop: Stop,
        options: SearchOptions = DEFAULTS,
        observers: Observers = NOBODY,
    ) -> NativeCursor:
        """Return a cursor over a matrix in the form of the native library."""
        make_search = functools.partial(self.search, problem, stop)
        return NativeCursor(make_search, self._instructions, stop, options, observers)

    def reusable(self, matrix: Matrix, stop: Stop) -> Cursor:
        # Ties go to the item that failed most often, which finds the few solutions of a hard instance sooner.
        cursor = self.cursor(matrix, stop, SearchOptions(heuristic="weighted"))
        cursor.probed = None if matrix.rules or matrix.weighted else matrix
        return cursor

    def text_run(self, matrix: Matrix, form: TextForm, table: array[int], stop: Stop) -> TextRun:
        problem = self.problem(matrix, stop)
        most, instructions = self._most_dense_options, self._instructions
        solver = _native.InstanceSolver(problem, list(form.layouts), table, most, instructions, stop.poll)
        return TextRun(solver, form.blanks)

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
            [make_rule(stated) for stated in matrix.rules],
        )

    def search(self, problem: _native.Problem, stop: Stop) -> _native.Search:
        """Return a native search that has not begun yet."""
        return _native.Search(problem, self._most_dense_options, self._instructions, stop.poll)


def make_rule(stated: MatrixRule) -> _native.GraphRule:
    """Return a rule in the form of the native library."""
    numbered = stated.rule.number_vertices()
    partners = [_NO_END] * numbered.vertices
    for pair in numbered.ends:
        for end, partner in (pair, pair[::-1]):
            if end is not None:
                partners[end] = _ANY_END if partner is None else partner
    return _native.GraphRule(
        numbered.kind,
        numbered.vertices,
        numbered.elements,
        stated.switches,
        sorted(stated.lit),
        numbered.or_none,
        partners if numbered.kind == "paths" else [],
        numbered.ends.count((None, None)),
        numbered.neighbors,
        [(low, _NO_END if high is None else high) for low, high in numbered.sizes],
        numbered.weights,
    )


def make_trials(matrix: Matrix) -> _native.Trials:
    """Return trials of the options of a matrix, in no position yet."""
    rules = [make_rule(stated) for stated in matrix.rules]
    return _native.Trials(matrix.starts, matrix.entries, matrix.colors, *matrix.list_bounds(), rules)


class Probe:
    """Decides options of a matrix by trials.

    An option that leads to a dead end by what it forces is removed. It is chosen if its absence does.

    References
    ----------
    J. Freeman, *Improvements to propositional satisfiability search algorithms* (1995), on literals that fail.
    """

    def __init__(self, matrix: Matrix, stop: Stop) -> None:
        self._matrix, self._stop, self._items = matrix, stop, range(matrix.primary)
        self._trials = make_trials(matrix)
        self._trials.enter(((1 << len(matrix)) - 1).to_bytes(len(matrix) // 8 + 1, "little"), b"")
        self._is_done = False

    @staticmethod
    def has_memory(matrix: Matrix, stop: Stop) -> bool:
        """Return whether memory suffices for it."""
        return stop.has_memory(_BYTES_PER_PROBED_ENTRY * len(matrix.entries))

    @property
    def work(self) -> int:
        """The work so far, in units of a search."""
        return self._trials.counters()[0] // _STEPS_PER_UNIT

    @property
    def pays(self) -> bool:
        """True if many options are decided at the end, or half of that share so far, unless few were tried."""
        _, tried, decided = self._trials.counters()
        if self._is_done:
            return decided >= LEAST_DECIDED * len(self._matrix)
        return tried < _LEAST_TRIED or decided >= LEAST_DECIDED / 2 * min(tried, len(self._matrix))

    def advance(self) -> bool:
        """Go on for about a millisecond; return whether no option that is left can be decided."""
        self._is_done = self._trials.decide(self._items, _STEPS_AT_ONCE, self._stop.poll)
        return self._is_done

    def list_removed(self) -> list[int]:
        """Return the options that were removed; all of them if an item has too few."""
        return sorted({*range(len(self._matrix))}.difference(*self._trials.position()))

    def restrict(self) -> StepResult:
        """Choose and remove the options that are decided: a step."""
        _, chosen = self._trials.position()
        return restrict(self._matrix, chosen, {*self.list_removed()})
