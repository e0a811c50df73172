"""Cursors: what an engine is made of. A cursor searches one part of the tree after another, a slice at a time.

Everything else is written once above it: runs, which are searches in progress that list, or find the cheapest
solutions, here; counts in :mod:`exactcover.engines.leaves`; several threads in :mod:`exactcover.engines.threads`.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import length_hint
from typing import ClassVar, Self, TypeAlias

from exactcover.control.recorder import TreeRecorder
from exactcover.control.stop import Stop, Stopped

_NODES_PER_SOLUTION = 64  # that are visited before solutions are looked at again


class EngineRun(Iterator[tuple[int, ...]]):
    """A search in progress: an iterator over solutions, each a tuple of ascending option numbers.

    ``next`` raises ``Stopped`` soon after the :class:`~exactcover.Stop` asks for it. Solutions that other threads have
    found by then are not delivered any more; a search on one thread may still deliver those in `waiting`. The delivered
    solutions are always the first ones in the order of the run. ``next`` raises ``StopIteration`` if there are no more.

    A run either sets `_listed` to the solutions to come, or defines ``next`` anew.
    """

    _listed: Iterator[tuple[int, ...]]
    waiting: Iterator[tuple[int, ...]] = iter(())  # found but not delivered; taking one from it delivers it

    def __init__(self) -> None:
        self._delivered = 0

    def __next__(self) -> tuple[int, ...]:
        solution = next(self._listed)
        self._delivered += 1
        return solution

    def take_batch(self, size: int) -> tuple[array[int], array[int]] | None:
        """Deliver about this many solutions, or all that are left; none at the end.

        Return where the options of each solution begin, and the end of the last one, as ``array('q')``; and the options
        of all solutions, ascending in each, as ``array('I')``. None if it is as fast to take them one by one.
        """
        return None

    def count(self) -> int:
        """Run to the end without delivering solutions; return how many were left.

        After a stop, `solutions` is the number of solutions found so far.
        """
        return sum(1 for _ in self)

    def search_on(self) -> tuple[int, ...] | None:
        """Go on for a few milliseconds, if the run can; return the next solution, or None if there is none yet.

        Raise ``StopIteration`` if there are no more.
        """
        return next(self)

    def search_until_found(self) -> tuple[int, ...]:
        """Go on with :meth:`search_on` up to the next solution; for runs that define it."""
        while (solution := self.search_on()) is None:
            pass
        return solution

    @property
    def solutions(self) -> int:
        """The number of solutions delivered or counted."""
        return self._delivered

    @property
    def nodes(self) -> int:
        """The number of subproblems visited."""
        return 0

    @property
    def work(self) -> int:
        """The work done so far, in units of about the same time, by default nodes; it never depends on the clock."""
        return self.nodes

    def explored(self) -> float:
        """Return the share of the search tree that has been searched, by Knuth's estimate."""
        return 0.0

    @property
    def best(self) -> int | None:
        """The cost of the cheapest solution found so far, in units; None if costs do not matter, or there is none."""
        return None

    @property
    def bound(self) -> int | None:
        """The lower bound on the cost of every solution, in units; None if costs do not matter."""
        return None

    @property
    def prover(self) -> str:
        """The solver on whose word it rests that no solution, or no cheaper one, is missing; empty for a proof."""
        return ""

    @property
    def details(self) -> Mapping[str, int | str]:
        """Further counters, by name."""
        return {}

    def close(self) -> None:
        """End the run; afterwards only its counters may be read."""


class ListedRun(EngineRun):
    """A run that delivers known solutions, by default none; `number` is about how many they are."""

    def __init__(self, solutions: Iterable[tuple[int, ...]] = (), number: int = 0) -> None:
        super().__init__()
        self._listed, self._number = iter(solutions), number

    def explored(self) -> float:
        return self._delivered / self._number if self._number else 1.0


class SerialRun(EngineRun):
    """A run that leaves the search to other runs, one at a time; the first one may be made later."""

    def __init__(self, run: EngineRun | None = None) -> None:
        super().__init__()
        self._run = run  # the current one
        self._earlier_nodes = self._earlier_work = 0
        self._earlier_prover = ""

    @property
    def nodes(self) -> int:
        return self._earlier_nodes + (0 if self._run is None else self._run.nodes)

    @property
    def work(self) -> int:
        return self._earlier_work + (0 if self._run is None else self._run.work)

    @property
    def prover(self) -> str:
        return self._earlier_prover if self._run is None else self._run.prover or self._earlier_prover

    def explored(self) -> float:
        return 0.0 if self._run is None else self._run.explored()

    @property
    def details(self) -> Mapping[str, int | str]:
        return {} if self._run is None else self._run.details

    def _end_run(self) -> None:
        """End the current run, of which only counters are kept."""
        if self._run is not None:
            self._earlier_nodes, self._earlier_work, self._earlier_prover = self.nodes, self.work, self.prover
            self._run.close()
            self._run = None

    def close(self) -> None:
        if self._run is not None:
            self._run.close()


class CheapestRun(EngineRun):
    """A run that delivers the solutions of least cost at the end of the search, or when the search is stopped."""

    _stopped: Stopped | None = None
    _best: Iterator[tuple[int, ...]] | None = None
    _least: int | None = None  # cost so far, for other threads, which must not ask the search itself
    _next_look = 0  # the number of nodes at which to ask again, so that asking takes little of the time

    @property
    def best(self) -> int | None:
        return self._least

    @property
    def bound(self) -> int | None:
        return 0

    def _note_least(self, cursor: Cursor, costs: Sequence[int], *, more: bool) -> None:
        """Note what the cheapest solution of a cursor costs, if it is time to, or there is no more to do."""
        if cursor.nodes >= self._next_look or not more:
            found = cursor.take()
            self._next_look = cursor.nodes + _NODES_PER_SOLUTION * len(found)
            if found:
                self._least = sum([costs[option] for option in found[0]]) if costs else 0

    @abstractmethod
    def search_all(self) -> None:
        """Search to the end; raise ``Stopped`` if the stop asks for it."""

    @abstractmethod
    def cheapest(self) -> Sequence[tuple[int, ...]]:
        """Return the cheapest solutions found so far, the cheapest first."""

    def __next__(self) -> tuple[int, ...]:
        if self._best is None:
            try:
                self.search_all()
            except Stopped as stopped:
                self._stopped = stopped
            except StopIteration as error:  # of a poll; it must not look like the end of the search
                raise RuntimeError("StopIteration was raised during a search") from error
            self._best = iter(self.cheapest())
        solution = next(self._best, None)
        if solution is None:
            raise self._stopped or StopIteration
        self._delivered += 1
        return solution


MAX_BATCH = 1024
"""The largest number of solutions that are found before they are taken."""

_SLICE = 0.005  # seconds between two polls of the stop
_STEADY_WORK = 1 << 13  # in a slice that must not depend on the clock
_REUSED_WORK = 1 << 14  # between two polls of the stop in a search that is repeated
_SLICES_BEFORE_PROBING = 4  # of such work

ChoicePoint: TypeAlias = tuple[int, int, int]
"""A child on a path down a tree: the number of children from which it was picked, and the numbers of nodes and
solutions that a search counts from there to the next choice, including forced moves and dead ends."""


@dataclass(frozen=True)
class Subtree:
    """The part of a search tree below one node, where some options are chosen and some excluded."""

    chosen: tuple[int, ...] = ()
    excluded: tuple[int, ...] = ()


ROOT = Subtree()


class Pace:
    """Divides work into slices that take about the same time.

    If it is steady, all slices have the same amount of work instead, so that they do not depend on the clock.
    """

    def __init__(self, *, is_steady: bool = False) -> None:
        self._work, self._is_steady = _STEADY_WORK if is_steady else 1 << 10, is_steady

    def advance(self, step: Callable[[int], bool]) -> bool:
        """Do one slice of work, and adapt the next one so that a slice takes at most some milliseconds.

        `step` does the given amount of work. Both return whether there is more to do.
        """
        start = time.perf_counter()
        more = step(self._work)
        elapsed = time.perf_counter() - start
        if self._is_steady:
            return more
        if elapsed < _SLICE / 2:
            self._work = min(2 * self._work, 1 << 24)
        elif elapsed > _SLICE:
            self._work = max(self._work // 2, 1 << 4)
        return more


class Cursor(ABC):
    """A search of one subtree after another, in the order of the tree.

    The subtree below a node depends only on the options that are chosen and excluded there, so every process that
    searches the same matrix by the same engine finds the same solutions in the same order.

    An engine has to define :meth:`begin`, :meth:`search`, `nodes` and `solutions`; if it divides, also :meth:`divide`,
    :meth:`children` and :meth:`probe`; and if it supports several jobs, :meth:`make_another`. It polls the stop often.
    Stop, pace and log may be replaced between two calls.
    """

    finds_cheapest: ClassVar[bool] = False  # whether it can look for solutions of least cost
    makes_arrays: ClassVar[bool] = False  # whether `take_arrays` is faster than taking solutions one by one

    def __init__(self, stop: Stop) -> None:
        self.stop, self.pace = stop, Pace()
        self.log: TreeRecorder | None = None  # of the nodes that are visited
        self._waiting: list[tuple[int, ...]] = []

    @abstractmethod
    def begin(self, subtree: Subtree = ROOT, cheapest: int = 0, ceiling: int | None = None) -> None:
        """Begin with a subtree, to look for that many of the cheapest solutions, or for all if the number is 0.

        Where costs matter, those of the matrix ascend, and solutions must cost less than the ceiling, if there is one.
        """

    @abstractmethod
    def search(self, work: int, most: int = MAX_BATCH, *, listing: bool = True) -> bool:
        """Search for about so many units of work, which take about equally long; return whether there is more to do.

        With `listing`, solutions are kept until they are taken, and the search ends earlier after `most` of them.
        Otherwise they are only counted; a count cannot turn into a list.
        """

    def advance(self, most: int = MAX_BATCH, *, listing: bool = True) -> bool:
        """Search for a few milliseconds; as for :meth:`search`."""
        try:
            self.stop.poll()
            return self.pace.advance(lambda work: self.search(work, most, listing=listing))
        except StopIteration as error:  # of a poll, a log or a heuristic; it must not look like the end of a run
            raise RuntimeError("StopIteration was raised during a search") from error

    def take(self) -> list[tuple[int, ...]]:
        """Return the solutions found since the last call, or the cheapest solutions of the subtree so far."""
        taken, self._waiting = self._waiting, []
        return taken

    def take_arrays(self) -> tuple[array[int], array[int]]:
        """Return the solutions found since the last call as :meth:`EngineRun.take_batch` does, if `makes_arrays`."""
        raise NotImplementedError

    @property
    @abstractmethod
    def nodes(self) -> int:
        """The number of nodes visited in all subtrees."""

    @property
    @abstractmethod
    def solutions(self) -> int:
        """The number of solutions found in all subtrees, including those that have not been taken."""

    @property
    def work(self) -> int:
        """The number of units of work done, which never depends on the clock."""
        return self.nodes

    def explored(self) -> float:
        """Return the share of the subtree that has been searched, by Knuth's estimate."""
        return 0.0

    def memory(self) -> int:
        """Return how many bytes it holds."""
        return 0

    @property
    def details(self) -> Mapping[str, int | str]:
        """Further counters, by name."""
        return {}

    def close(self) -> None:  # noqa: B027 - most need nothing
        """End the search; afterwards only the counters may be read."""

    def list_first(self, subtree: Subtree, limit: int, stop: Stop) -> list[tuple[int, ...]]:
        """Begin with a subtree, and return at most `limit` solutions."""
        self.stop = stop
        self.begin(subtree)
        found: list[tuple[int, ...]] = []
        more, slices = True, 0
        while more and len(found) < limit:
            stop.poll()
            slices += 1
            if slices == _SLICES_BEFORE_PROBING and (dead := self.find_dead(subtree)):
                self.begin(Subtree(subtree.chosen, (*subtree.excluded, *dead)))
                found = []
            more = self.search(_REUSED_WORK, limit - len(found))
            found += self.take()
        return found[:limit]

    def find_dead(self, subtree: Subtree) -> Sequence[int]:
        """Return options that are in no solution of a subtree, if that is soon seen, and makes the search shorter."""
        return ()

    def prove_only(self, solution: Sequence[int], subtree: Subtree, stop: Stop) -> Sequence[int] | None:
        """Return options that a subtree chooses and that leave no other solution; None if there is another one."""
        return subtree.chosen if self.list_first(subtree, 2, stop) in ([], [tuple(solution)]) else None

    # -- of engines that divide ----------------------------------------------------------------

    def divide(self) -> list[list[Subtree]]:
        """End the search of a subtree; return the remaining subtrees of each level, from the top down.

        A search for the cheapest solutions cannot be divided.
        """
        raise NotImplementedError

    def children(self, subtree: Subtree) -> list[Subtree]:
        """Return the parts of a subtree, in order; one that is a solution is its own part."""
        raise NotImplementedError

    def probe(self, subtree: Subtree, seed: int, *, listing: bool = False) -> Sequence[ChoicePoint]:
        """Go down from the root of a subtree, each time to a random child, and return the path.

        Multiply the counts of each entry by the product of the numbers of children up to it, and add them up: the
        expected value of this sum is the count of the whole search.

        The path depends only on the seed, a number from 0 to 2**64 - 1; its first entry is the root. With `listing`,
        its nodes are those of a list, not those of a count, which may visit several at once.
        """
        raise NotImplementedError

    def make_another(self) -> Self:
        """Return another cursor over the same matrix, for another thread."""
        raise NotImplementedError


class CursorRun(EngineRun):
    """A run over what a cursor finds, which has begun.

    At most `most` solutions are found ahead; `limit` is the number of solutions that are wanted in all, or None.
    """

    def __init__(self, cursor: Cursor, most: int = MAX_BATCH, limit: int | None = None) -> None:
        super().__init__()
        self.cursor, self._most, self._limit, self._size = cursor, most, limit, 1
        self.more = True

    def advance(self, most: int, *, listing: bool = True) -> None:
        """Let the cursor advance."""
        self.more = self.cursor.advance(most, listing=listing)

    def __next__(self) -> tuple[int, ...]:
        solution = next(self.waiting, None)
        return self.search_until_found() if solution is None else solution

    def search_on(self) -> tuple[int, ...] | None:
        solution = next(self.waiting, None)
        if solution is None:
            if not self.more:
                raise StopIteration
            left = self._size if self._limit is None else self._limit - self.cursor.solutions
            self.advance(max(1, min(self._size, left)))
            self.waiting = iter(self.cursor.take())
            self._size = min(2 * self._size, self._most)
            solution = next(self.waiting, None)
        return solution

    def take_batch(self, size: int) -> tuple[array[int], array[int]] | None:
        if not self.cursor.makes_arrays or length_hint(self.waiting) or self._most == 1:
            return None
        starts, options = array("q", [0]), array("I")
        while self.more and len(starts) == 1:
            self.advance(size)
            starts, options = self.cursor.take_arrays()
        return starts, options

    def count(self) -> int:
        before = self.solutions
        self.waiting = iter(())
        while self.more:
            self.advance(self._most, listing=False)
        return self.solutions - before

    @property
    def solutions(self) -> int:
        return self.cursor.solutions - length_hint(self.waiting)

    @property
    def nodes(self) -> int:
        return self.cursor.nodes

    @property
    def work(self) -> int:
        return self.cursor.work

    def explored(self) -> float:
        return self.cursor.explored() if self.more else 1.0

    @property
    def details(self) -> Mapping[str, int | str]:
        memory = self.cursor.memory()
        return {**self.cursor.details, **({"memory": memory} if memory else {})}

    def close(self) -> None:
        self.cursor.close()


class CheapestCursorRun(CheapestRun, SerialRun):
    """A run over the cheapest solutions that the cursor of another run finds, which has begun."""

    def __init__(self, run: CursorRun, costs: Sequence[int]) -> None:
        super().__init__(run)
        self._run: CursorRun = run
        self._costs = costs

    def search_all(self) -> None:
        while self._run.more:
            self._run.advance(1)
            self._note_least(self._run.cursor, self._costs, more=self._run.more)

    def cheapest(self) -> list[tuple[int, ...]]:
        return self._run.cursor.take()
