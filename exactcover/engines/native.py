"""Search in C++: bit vectors that shrink with the problem, below a trunk of sparse sets.

The live options are one bit vector; every item has the vector of its options; choosing an option removes
all that share a column with it. When the live options have shrunk to half the words or less, the
subproblem is written out anew, so that deep nodes, where nearly all the work is, fit into one word; when
solutions are only counted, many of those are looked at together.

Where every item has few options, as in Sudoku, live options are kept as planes instead: plane k says for each item
whether its k-th option is live, so that all items are looked at together.

References
----------
D. E. Knuth, "Dancing cells", *The Art of Computer Programming*, pre-fascicle 7A (section 7.2.2.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import length_hint

import exactcover._native as _native
from exactcover.control.stop import Stop
from exactcover.engines.base import Run, Step, Tactics
from exactcover.engines.cheapest import CheapestFirst
from exactcover.engines.pace import MOST, Pace
from exactcover.engines.threads import PartsRun, split
from exactcover.model.matrix import Matrix

__all__ = ["NativeEngine", "NativeRestart", "NativeRun"]

_RESTART_WORK = 1 << 14  # nodes between two looks at the stop where a run is short
_PARTS_A_JOB = 64


class NativeRun(Iterator[tuple[int, ...]]):
    """One native search, driven in slices so that stops and Ctrl-C are obeyed."""

    resumable = True

    def __init__(self, search: _native.Search, stop: Stop, tactics: Tactics, instructions: str) -> None:
        self._search, self._stop, self._instructions = search, stop, instructions
        self._profile = tactics.profile
        self._pace = Pace(steady=tactics.steady)
        self._more = True
        self.waiting: Iterator[tuple[int, ...]] = iter(())
        self._size = 1
        self._counters = _native.SearchCounters()
        self._explored = 0.0

    def __next__(self) -> tuple[int, ...]:
        solution = next(self.waiting, None)
        while solution is None:
            if not self._more:
                raise StopIteration
            self._advance(listing=True)
            self.waiting = iter(self._search.take())
            self._size = min(2 * self._size, MOST)
            solution = next(self.waiting, None)
        return solution

    def count(self) -> int:
        before = self.solutions
        self.waiting = iter(())
        while self._more:
            self._advance(listing=False)
        return self.solutions - before

    def _advance(self, *, listing: bool) -> None:
        """Search for about one slice of time."""
        self._stop.poll()
        try:
            self._more = self._pace.advance(lambda work: self._search.advance(work, self._size, listing))
        finally:
            self._counters = self._search.counters()
            if self._profile is not None:
                self._profile.levels, self._profile.most_choices = self._search.profile()
                self._profile.write(self._search.trace())
        self._explored = self._search.explored() if self._more else 1.0

    @property
    def solutions(self) -> int:
        return self._counters.solutions - length_hint(self.waiting)

    @property
    def nodes(self) -> int:
        return self._counters.nodes

    def explored(self) -> float:
        return self._explored

    @property
    def details(self) -> Mapping[str, int | str]:
        return {
            "updates": self._counters.updates,
            "compactions": self._counters.compactions,
            "memory": self._search.memory(),
            "instructions": self._instructions,
        }

    def close(self) -> None:
        pass


class NativeCheapestRun(CheapestFirst, NativeRun):
    """One native search for the cheapest solutions."""

    def __init__(self, search: _native.Search, stop: Stop, tactics: Tactics, instructions: str) -> None:
        CheapestFirst.__init__(self)
        NativeRun.__init__(self, search, stop, tactics, instructions)

    def seek(self) -> None:
        while self._more:
            self._advance(listing=True)

    def cheapest(self) -> list[tuple[int, ...]]:
        return self._search.cheapest()


class NativeTree:
    """The tree of a native search that counts."""

    def __init__(self, search: _native.Search, stop: Stop) -> None:
        self._search, self._stop = search, stop

    def probe(self, seed: int) -> Sequence[Step]:
        self._stop.poll()
        return self._search.probe(seed, self._stop.poll)


class NativeRestart:
    """A native search over one problem that begins again and again.

    Ties go to the item that failed most often: that finds the few solutions of a hard instance sooner.
    """

    def __init__(self, search: _native.Search) -> None:
        self._search = search

    def solve(self, given: Sequence[int], limit: int, stop: Stop) -> list[tuple[int, ...]]:
        search = self._search
        found: list[tuple[int, ...]] = []
        more = search.begin(list(dict.fromkeys(given)), "weighted")
        while more and len(found) < limit:
            stop.poll()
            more = search.advance(_RESTART_WORK, limit - len(found), True)
            found += search.take()
        return found[:limit]


class NativeEngine:
    """Bit-parallel search with compaction, in C++.

    Parameters
    ----------
    most_dense_options
        Problems with more options begin with sparse sets.
    instructions
        The instruction set, one of ``_native.instruction_sets``; None for the best.
    """

    name = "native"

    def __init__(self, most_dense_options: int = 1 << 16, instructions: str | None = None) -> None:
        self._most_dense_options = most_dense_options
        self._instructions = instructions or _native.instruction_sets[0]

    def supports(self, matrix: Matrix) -> str | None:
        return "its costs need more than 64 bits" if sum(matrix.costs) >= 1 << 63 else None

    def start(self, matrix: Matrix, stop: Stop, tactics: Tactics) -> Run:
        problem = self.problem(matrix, stop)
        search = self.search(problem, stop)
        if tactics.jobs > 1:
            parts = split(search, tactics.heuristic, _PARTS_A_JOB * tactics.jobs, stop)
            return PartsRun(parts, lambda: self.search(problem, stop), tactics, stop, self._instructions)
        if tactics.profile is not None:
            search.watch(tactics.profile.shape is not None)
        search.begin((), tactics.heuristic, (), tactics.cheapest or 0)
        if tactics.cheapest is not None:
            return NativeCheapestRun(search, stop, tactics, self._instructions)
        return NativeRun(search, stop, tactics, self._instructions)

    def tree(self, matrix: Matrix, stop: Stop) -> NativeTree:
        return NativeTree(self.search(self.problem(matrix, stop), stop), stop)

    def restart(self, matrix: Matrix, stop: Stop) -> NativeRestart:
        return NativeRestart(self.search(self.problem(matrix, stop), stop))

    def problem(self, matrix: Matrix, stop: Stop) -> _native.Problem:
        """Return the matrix as the native engines want it."""
        bounds = [matrix.bounds(item) for item in range(matrix.primary)] if matrix.multiplicity else []
        return _native.make_problem(
            matrix.items,
            matrix.primary,
            matrix.starts,
            matrix.entries,
            matrix.colors,
            [min(low, len(matrix) + 1) for low, _ in bounds],  # they may have any size
            [min(high, len(matrix) + 1) for _, high in bounds],
            matrix.costs,
            sorted(matrix.preferred),
            stop.poll,
        )

    def search(self, problem: _native.Problem, stop: Stop) -> _native.Search:
        """Return a search that has not begun yet."""
        return _native.Search(problem, self._most_dense_options, self._instructions, stop.poll)
