"""Finding one solution or a few, or the proof that there are no more, in several ways that take turns.

- *search* branches on the item with the fewest options. Alone at first, it finds most solutions.
- *probing* removes options that lead to a dead end by what they force, chooses those whose absence does, and searches
  what is left.
- *restarts* begins again and again, in random orders, and remembers which items fail.
- *leftmost* branches on the items in their order, which often is the order in which people would go on.
- *learning* derives clauses from dead ends (:mod:`exactcover.engines.learning`).

Each is hopeless where another one is quick, and none says so beforehand. So they share the work: the way that is most
behind its share goes on next. A way begins when the others have done at least as much as it costs to begin. Nothing
depends on how far a way believes to be. Work is counted in units of the engines, not in seconds: the same problem and
seed give the same solution on every machine, whatever its load.

Threads take the turns of the ways ahead of time. The run counts them in the order in which one thread would have taken
them, and waits for those that are missing. So the solution is the same for any number of threads.

After a wrong choice near the root, a search may take very long to return there, while another order may lead to a
solution at once. Attempt k may do u L(k) work, where u is a unit and L is Luby's sequence 1, 1, 2, 1, 1, 2, 4, ...
No strategy that knows nothing about the problem is better by more than a constant factor. The budgets grow without
limit, so some attempt can visit the whole tree; then "no solution" is proved, as in any other search. Every other
attempt leaves the items in their order, which often says what belongs together. The unit is small, but for a large
matrix such that most of the time goes into searches, and not into new orders.

References
----------
M. Luby, A. Sinclair, D. Zuckerman, "Optimal speedup of Las Vegas algorithms", Information Processing Letters 47 (1993).

An attempt depends on its number and the seed alone, so the solution is the same for any number of threads.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

from exactcover.control.options import ALL, Goal, SearchOptions
from exactcover.control.policy import CountingPolicy
from exactcover.control.recorder import NOBODY, Observers
from exactcover.control.statistics import Status
from exactcover.control.stop import InnerStop, Stop, Stopped
from exactcover.engines.base import ENGINES, Engine, MatrixQuery
from exactcover.engines.cursor import EngineRun, SerialRun
from exactcover.engines.thread_group import LookAhead, ThreadGroup
from exactcover.model.matrix import Matrix, native
from exactcover.steps.step import Lift, shuffle, unchanged

_MAX_AHEAD = 256  # turns of a way that are not counted yet
_WAIT_SECONDS = 0.01  # for a turn, before the caller may do something else

_UNIT = 1 << 13  # of work
_WORK_PER_ENTRY = 36  # of the unit, at least; to shuffle an entry takes about a third of this


@dataclass
class Finder:
    """A way to find a solution."""

    name: str  # in statistics
    start: Callable[[], EngineRun]
    begins: int  # the work that a way with share 1 has done when it begins
    measure: Callable[[EngineRun], int]  # how much work its run has done
    share: float = 1.0  # of work, compared with the shares of others
    run: EngineRun | None = None  # once it has begun
    work: int = 0  # in the turns that count so far, as the nodes
    nodes: int = 0
    turns: deque[FinderTurn] = field(default_factory=deque)  # taken ahead by threads; they do not count yet
    work_ahead: int = 0  # with these turns
    is_busy: bool = False  # whether a thread takes another one
    is_over: bool = False  # whether there are no more

    def find_place(self, work: int) -> float:
        """Return where it stands in the order of ways if it has done so much work; the first one goes on."""
        return self.begins + work / self.share

    def take_turn(self) -> FinderTurn:
        """Begin or go on for a while; return what came of it."""
        solution, error = None, None
        try:
            if self.run is None:
                self.run = self.start()
            solution = self.run.search_on()
        except BaseException as raised:
            error = raised.with_traceback(None) if isinstance(raised, GivenUpError) else raised  # which holds the run
        if self.run is None:
            return FinderTurn(solution, error)
        return FinderTurn(solution, error, self.measure(self.run), self.run.nodes)


class FinderTurn(NamedTuple):
    """The result of a turn: a solution, an error, or neither; and the work and nodes of its way so far."""

    solution: tuple[int, ...] | None
    error: BaseException | None
    work: int = 0
    nodes: int = 0

    @property
    def is_last(self) -> bool:
        """True if its way does not go on after it."""
        return self.solution is not None or self.error is not None


class FindRun(EngineRun):
    """A run that finds one solution, or a few.

    Each way lists solutions in an order of its own; those that another one has found are passed over. The first way
    begins; those after it are given up if memory does not suffice for them. All of them poll the stop, and `most_nodes`
    limits the nodes of all.
    """

    def __init__(
        self, finders: Sequence[Finder], stop: Stop, most_nodes: int | None = None, limit: int | None = 1
    ) -> None:
        super().__init__()
        self._stop, self._most_nodes, self._limit = stop, most_nodes, limit
        self._found = set[tuple[int, ...]]()
        self._first, self._finders = finders[0], list(finders)
        self._winner: Finder | None = None

    def __next__(self) -> tuple[int, ...]:
        return self.search_until_found()

    def search_on(self) -> tuple[int, ...] | None:
        if self._winner is not None:
            raise StopIteration
        if self._most_nodes is not None and self.nodes >= self._most_nodes:
            raise Stopped(Status.NODES)
        finder = min(self._finders, key=lambda one: one.find_place(one.work))
        turn = self._get_turn(finder)
        if turn is None:
            return None
        finder.work, finder.nodes = turn.work, turn.nodes
        if turn.error is not None:
            self._note_error(finder, turn.error)
        elif turn.solution is not None:
            options = tuple(sorted(turn.solution))
            if options in self._found:
                return None
            self._found.add(options)
            self._delivered = len(self._found)
            self._winner = finder if self._delivered == self._limit else None
        return turn.solution

    def _get_turn(self, finder: Finder) -> FinderTurn | None:
        """Return the next turn of a way; None if it is not done yet."""
        return finder.take_turn()

    def _note_error(self, finder: Finder, error: BaseException) -> None:
        """Give up a way that does not pay or lacks memory; raise what ends the search."""
        if isinstance(error, StopIteration):
            self._winner = finder
            raise error
        is_given_up = isinstance(error, GivenUpError | MemoryError)
        if isinstance(error, Stopped):  # by a limit of its own, or of the search
            is_given_up = error.status is not Status.NODES and self._stop.status is None
        if not is_given_up or finder is self._first:
            raise error
        self._finders.remove(finder)
        if finder.run is not None:
            finder.run.close()

    @property
    def work(self) -> int:
        return sum(finder.work for finder in self._finders)

    @property
    def nodes(self) -> int:
        return sum(finder.nodes for finder in self._finders)

    def explored(self) -> float:
        return max((finder.run.explored() for finder in self._finders if finder.run is not None), default=0.0)

    @property
    def details(self) -> Mapping[str, int | str]:
        leader = self._winner or self._first
        own = {} if leader.run is None else leader.run.details
        begun = [finder for finder in self._finders if finder.work]
        if len(begun) < 2:
            return own
        shares = ", ".join(f"{finder.name} {finder.work:,}" for finder in begun)
        won = {} if self._winner is None else {"won by": self._winner.name}
        return {**own, **won, "work": shares}

    def close(self) -> None:
        for finder in self._finders:
            if finder.run is not None:
                finder.run.close()


class ThreadedFindRun(FindRun):
    """A run that finds one solution on several threads; the same one as on one thread.

    The stop ends when the run does, so it belongs to this run alone.
    """

    def __init__(self, finders: Sequence[Finder], stop: InnerStop, jobs: int, most_nodes: int | None = None) -> None:
        super().__init__(finders, stop, most_nodes)
        self._all, self._jobs = finders, min(jobs, len(finders))
        self._inner, self._changed, self._is_ending = stop, threading.Condition(), False
        self._threads = ThreadGroup(self._cancel)

    def _cancel(self) -> None:
        """Make the threads end soon."""
        self._inner.request()
        with self._changed:
            self._is_ending = True
            self._changed.notify_all()

    def close(self) -> None:
        self._threads.end()
        super().close()

    def _get_turn(self, finder: Finder) -> FinderTurn | None:
        if not self._threads:
            self._threads.start([self._work_ahead] * self._jobs)
        self._threads.check_owner()
        with self._changed:
            if not finder.turns:
                self._changed.wait(_WAIT_SECONDS)
            if not finder.turns:
                self._stop.poll()
                return None
            turn = finder.turns.popleft()
            self._changed.notify_all()
        if turn.solution is not None or isinstance(turn.error, StopIteration):
            self._threads.end()
        return turn

    def _work_ahead(self) -> None:
        """Take turns until the run ends; what a thread does."""
        while True:
            with self._changed:
                while (finder := self._choose()) is None and not self._is_ending:
                    self._changed.wait()
                if finder is None or self._is_ending:
                    return
                finder.is_busy = True
            turn = finder.take_turn()
            with self._changed:
                finder.turns.append(turn)
                finder.work_ahead, finder.is_busy, finder.is_over = turn.work, False, turn.is_last
                self._changed.notify_all()

    def _choose(self) -> Finder | None:
        """Return the way that goes on next, by the rule of one thread and by all that is done.

        The first way may go ahead of all others, and they may not go ahead of it, so that none begins early.
        """

        def find_place(finder: Finder) -> float:
            return finder.find_place(finder.work_ahead)

        first = self._first
        able = (one for one in self._all if not (one.is_busy or one.is_over) and len(one.turns) < _MAX_AHEAD)
        ready = [one for one in able if first.is_over or find_place(one) <= find_place(first)]
        return min(ready, key=find_place, default=None)


class _OverBudgetError(Exception):
    """An attempt has done as much work as it may; never leaves this module."""


class _Budget(InnerStop):
    """Ends an attempt after this much work."""

    def __init__(self, stop: Stop, work: int) -> None:
        super().__init__(stop)
        self._work = work
        self.run: EngineRun | None = None

    def poll(self) -> None:
        super().poll()
        if self.run is not None and self.run.work >= self._work:
            raise _OverBudgetError


def luby(k: int) -> int:
    """Return the k-th number of Luby's sequence, counted from 1.

    Examples
    --------
    >>> [luby(k) for k in range(1, 16)]
    [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    """
    while k & (k + 1):
        k -= (1 << k.bit_length() - 1) - 1
    return (k + 1) // 2


class RestartsRun(SerialRun):
    """A run that looks for one solution of a matrix in one random order after another.

    The orders depend only on the seed. Every attempt uses the heuristic ``"weighted"``, and is observed.
    """

    def __init__(
        self, engine: Engine, matrix: Matrix, stop: Stop, options: SearchOptions, observers: Observers = NOBODY
    ) -> None:
        super().__init__()
        self._engine, self._matrix, self._stop, self._seed = engine, matrix, stop, options.seed or 0
        self._options = replace(options, heuristic="weighted")
        self._observers = observers
        self._attempts = 0

    def __next__(self) -> tuple[int, ...]:
        if self._delivered:
            raise StopIteration
        return self.search_until_found()

    def search_on(self) -> tuple[int, ...] | None:
        """Make another attempt."""
        options = self._options
        if options.nodes is not None:
            if self.nodes >= options.nodes:
                raise Stopped(Status.NODES)
            options = replace(options, nodes=options.nodes - self.nodes)
        self._attempts += 1
        solution = self._make_attempt(self._attempts, options)
        if solution is None:
            self._end_run()
            return None
        self._delivered = 1
        return solution

    def _make_attempt(self, number: int, options: SearchOptions) -> tuple[int, ...] | None:
        """Return the result of attempt `number`, and let its run be the current one."""
        if self._observers.profile is not None:
            self._observers.profile.clear()
        self._run, finish = self._begin(number, options)
        return finish()

    def _begin(self, number: int, options: SearchOptions) -> tuple[EngineRun, Callable[[], tuple[int, ...] | None]]:
        """Begin attempt `number`, which depends on nothing but the seed; return its run, and what finishes it.

        That returns a solution, or None if the budget is used up before one is found; it raises if there is none.
        """
        unit = max(_UNIT, _WORK_PER_ENTRY * len(self._matrix.entries))
        budget = _Budget(self._stop, unit * luby(number))
        shuffled = shuffle(self._matrix, self._seed + number, items=number % 2 == 0)
        run = self._engine.start(MatrixQuery(shuffled.matrix, budget, options, ALL, self._observers))
        budget.run, lift = run, shuffled.lift

        def finish() -> tuple[int, ...] | None:
            try:
                return tuple(sorted(lift(next(run))))
            except _OverBudgetError:
                return None
            finally:
                budget.run = None  # so that the memory of the attempt is freed at once

        return run, finish

    @property
    def details(self) -> Mapping[str, int | str]:
        return {**super().details, "attempts": self._attempts}


class _AttemptResult(NamedTuple):
    """The result of an attempt: its run, and a solution, an error, or neither."""

    run: EngineRun
    solution: tuple[int, ...] | None = None
    error: Stopped | StopIteration | None = None


class ThreadedRestartsRun(RestartsRun):
    """Restarts with attempts ahead of time, on several threads; without observers and without a limit on nodes."""

    def __init__(self, engine: Engine, matrix: Matrix, stop: Stop, options: SearchOptions, threads: int) -> None:
        inner = InnerStop(stop)
        super().__init__(engine, matrix, inner, options)
        self._ahead = LookAhead[int, _AttemptResult]([self._try] * threads, inner)
        self._begun, self._most_begun = 0, 3 * threads

    def _make_attempt(self, number: int, options: SearchOptions) -> tuple[int, ...] | None:
        while len(self._ahead) < self._most_begun:
            self._begun += 1
            self._ahead.add(self._begun)
        results: Sequence[_AttemptResult] = ()
        while not results:
            results = self._ahead.take() or ()
        self._run = results[0].run
        if results[0].error is not None:
            raise results[0].error
        return results[0].solution

    def _try(self, number: int) -> Iterator[list[_AttemptResult]]:
        """Yield the result of an attempt; what a thread does."""
        run, finish = self._begin(number, self._options)
        try:
            yield [_AttemptResult(run, finish())]
        except (Stopped, StopIteration) as error:  # at the end of the tree, or of the search
            yield [_AttemptResult(run, error=error)]

    def close(self) -> None:
        self._ahead.threads.end()
        super().close()


class GivenUpError(Exception):
    """A way does not pay, and the others go on without it."""


class ProbingRun(SerialRun):
    """A search of what is left when options are decided by what they force; given up if few are.

    The matrix has no rules and weights. Raise ``GivenUpError`` if memory does not suffice.
    """

    def __init__(self, matrix: Matrix, stop: Stop, start: Callable[[Matrix], EngineRun]) -> None:
        from exactcover.engines.native import Probe  # only if it is there

        super().__init__()
        if not Probe.has_memory(matrix, stop):
            raise GivenUpError
        self._start = start
        self._lift: Lift = unchanged
        self._probe: Probe | None = Probe(matrix, stop)

    def __next__(self) -> tuple[int, ...]:
        return self.search_until_found()

    def search_on(self) -> tuple[int, ...] | None:
        if self._run is not None:
            solution = self._run.search_on()
            return None if solution is None else tuple(sorted(self._lift(solution)))
        probe = self._probe
        assert probe is not None  # until the run begins
        if probe.advance():
            rest = probe.restrict()
            if not probe.pays and rest.matrix.first_underfilled() is None:
                raise GivenUpError
            self._lift, self._run = rest.lift, self._start(rest.matrix)
            self._earlier_work, self._probe = probe.work, None
        elif not probe.pays:
            raise GivenUpError
        return None

    @property
    def work(self) -> int:
        return super().work if self._probe is None else self._probe.work


FEW = 10
"""The number of solutions up to which several ways look for them. With more, lists that overlap cost too much."""


def start_finding(
    engine: Engine, matrix: Matrix, stop: Stop, options: SearchOptions, policy: CountingPolicy, goal: Goal
) -> FindRun:
    """Start a search for a few solutions in several ways; several threads look for one alone."""
    jobs, most_nodes = options.jobs, options.nodes
    if jobs == 1 or goal.limit != 1:
        ways = list_ways(engine, matrix, stop, replace(options, jobs=1), policy, goal)
        return FindRun(ways, stop, most_nodes, goal.limit)
    stop = InnerStop(stop)
    return ThreadedFindRun(list_ways(engine, matrix, stop, options, policy, goal), stop, jobs, most_nodes)


def list_ways(
    engine: Engine, matrix: Matrix, stop: Stop, options: SearchOptions, policy: CountingPolicy, goal: Goal
) -> list[Finder]:
    """Return the ways to find solutions; making a matrix anew, or clauses, counts as work, too.

    Threads beyond one for each way make attempts with further random orders ahead of time.
    """
    size = len(matrix.entries)
    jobs, options, learning = options.jobs, replace(options, jobs=1), ENGINES.get("learning")

    def start(**changes: Any) -> EngineRun:
        return engine.start(MatrixQuery(matrix, stop, replace(options, **changes), goal))

    def restart() -> EngineRun:
        own, threads = replace(options, restarts=True), jobs - len(finders) + 1
        if threads > 1:
            return ThreadedRestartsRun(engine, matrix, stop, own, threads)
        return RestartsRun(engine, matrix, stop, own)

    cost_of_attempt = policy.work_per_shuffled_entry * size

    def count_restarts(run: EngineRun) -> int:
        return run.work + cost_of_attempt * int(run.details["attempts"])

    begins, count_work = policy.restarts_begin, attrgetter("work")
    leftmost = partial(start, heuristic="leftmost")
    finders = [
        Finder("search", start, 0, count_work),
        Finder("leftmost", leftmost, begins, count_work, policy.leftmost_share),
    ]
    if native is not None:
        probe = partial(ProbingRun, matrix, stop, lambda part: engine.start(MatrixQuery(part, stop, options, goal)))
        finders.append(Finder("probing", probe, policy.probing_begins + size, count_work))
    if goal.limit == 1:  # restarts find no further one
        finders.append(Finder("restarts", restart, max(begins, cost_of_attempt), count_restarts))
    if learning is None or size > policy.most_learned_entries or learning.find_obstacle(matrix) is not None:
        return finders
    learn, begins = partial(learning.start, MatrixQuery(matrix, stop)), policy.work_per_learned_entry * size
    begins = max(policy.learning_begins, begins)
    return [*finders, Finder("learning", learn, begins, lambda run: policy.work_per_propagation * run.work)]
