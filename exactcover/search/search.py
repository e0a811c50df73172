"""A search: one pass over the solutions of a problem, and an honest word on how it ended."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import TracebackType

from exactcover.algorithm_x import Label
from exactcover.control.statistics import Statistics, Status
from exactcover.control.stop import InnerStop, Stop, Stopped
from exactcover.diagram.zdd import Zdd, ZddBuilder
from exactcover.engines.base import Drawer, Run, Tactics
from exactcover.engines.registry import check_engine_name, pick_engine
from exactcover.errors import StoppedError
from exactcover.model.matrix import Matrix
from exactcover.model.model import Model
from exactcover.search.reasons import contradiction, uncoverable
from exactcover.search.restarts import RestartsRun
from exactcover.steps.order import by_cost, shuffle
from exactcover.steps.reduction import Reduction, reduce
from exactcover.steps.restriction import restrict
from exactcover.steps.step import Contradiction, Lift
from exactcover.symmetry.classes import Classes, Distinct, DistinctRun, find_classes
from exactcover.symmetry.permutations import rotations

__all__ = ["Search"]

_PATIENCE = 1.0  # seconds that a count may take before it is thought of reducing the problem
_NEARLY_DONE = 0.3  # so much explored by then, and it is not worth it
_LOOK_EVERY = 16  # solutions of a batch that are handed over between two looks at the stop
_WORTH_IT = 0.97  # nor if more of the options are left


class Search(Iterator[tuple[Label, ...]]):
    """The solutions of a problem, found as they are asked for; made by :meth:`Problem.solve`.

    Iterate over it once; it is also a context manager. After the last solution, `status` says why
    there are no more. A stop by time or memory ends the iteration, never as "no solution".

    Attributes
    ----------
    status : Status
        Where the search stands.
    total : int or None
        How many solutions there are, where that is known beforehand.
    """

    total: int | None = None

    def __init__(
        self,
        problem: Model,
        *,
        limit: int | None,
        seed: int | None,
        given: Sequence[int],
        without: Sequence[int],
        engine: str,
        tactics: Tactics,
        reduce: bool | None,
        stop: Stop,
        restarts: bool = False,
        distinct: Distinct = False,
    ) -> None:
        if distinct not in (False, True, "rotations"):
            raise ValueError(f"distinct must be True, False or 'rotations'; got {distinct!r}")
        if distinct == "rotations" and problem.stated_rotations is None:
            rotations(problem)  # says what is missing
        if distinct and (restarts or tactics.cheapest is not None):
            raise ValueError("one solution of each class cannot be looked for by restarts or costs")
        if restarts and limit != 1:
            raise ValueError("restarts are for one solution; limit must be 1")
        if restarts and tactics.jobs > 1:
            raise ValueError("a search with restarts uses one thread; jobs must be 1")
        if tactics.profile is not None and tactics.profile.shape is not None:
            if engine not in ("auto", "sets"):
                raise ValueError(f"the shape of the tree is that of the engine 'sets'; got engine {engine!r}")
            if reduce or restarts or distinct:
                raise ValueError(
                    "the shape of the tree is that of a plain search, without reduce, restarts or distinct"
                )
            engine, reduce = "sets", False
        if limit is not None and not (isinstance(limit, int) and limit >= 1):
            raise ValueError(f"limit must be at least 1, or None for all solutions; got {limit!r}")
        if seed is not None and not isinstance(seed, int):
            raise ValueError(f"seed must be a whole number, or None; got {seed!r}")
        check_engine_name(engine)
        self.status = Status.RUNNING
        self._reason: str | None = None
        self._prepared: Matrix | None = None
        self._problem, self._limit, self._seed = problem, limit, seed
        self._given, self._without = given, without
        self._asked, self._engine, self._why = engine, engine, ""
        self._tactics = tactics
        self._reduce, self._removed = reduce, 0
        self._restarts, self._distinct = restarts, distinct
        self._classes: Classes | None = None
        self._counting = False
        self._stop = stop
        self._run: Run | None = None
        self._lifts: list[Lift] = []
        self._began, self._set_up, self._ended = time.monotonic(), 0.0, 0.0
        self._busy = threading.Lock()

    # -- one pass ------------------------------------------------------------------------------

    def __next__(self) -> tuple[Label, ...]:
        positions = self._next_positions()
        if positions is None:
            raise StopIteration
        labels = self._problem.labels
        return tuple([labels[position] for position in positions])

    def positions(self) -> Iterator[tuple[int, ...]]:
        """Iterate over the solutions that are left as ascending positions of options, without labels."""
        while (solution := self._next_positions()) is not None:
            yield solution
            if self._limit is None and not self._lifts and self._run is not None:
                for taken, waiting in enumerate(self._run.waiting):  # nothing has to be done for each
                    yield waiting
                    if taken % _LOOK_EVERY == 0 and self._stop.status is not None:
                        break

    def _next_positions(self) -> tuple[int, ...] | None:
        self._enter()
        try:
            return self._advance()
        finally:
            self._busy.release()

    def _enter(self) -> None:
        """Refuse a second thread, as generators do: two of them would get some solutions twice and lose others."""
        if not self._busy.acquire(blocking=False):
            raise ValueError("this search is running already, in another thread or further up in this one")

    def _advance(self) -> tuple[int, ...] | None:
        if self.status is not Status.RUNNING:
            return None
        if self._stop.status is not None and self._tactics.cheapest is None:
            self._end(self._stop.status)  # what an engine has found besides is not waited for
            return None
        try:
            solution = next(self._run or self._started())
        except StopIteration:
            self._end(self._status_of_the_end())
            return None
        except BaseException as error:
            self._end_early(error)
            return None
        if self._lifts:
            solution = tuple(sorted(self._lifted(solution)))
        if self._found == self._limit:
            self._end(Status.LIMIT)
        return solution

    def _status_of_the_end(self) -> Status:
        """Return how a search ended that has no more solutions."""
        if not self._found:
            return Status.UNSATISFIABLE
        return Status.OPTIMAL if self._found == self._tactics.cheapest else Status.COMPLETE

    def count(self) -> int:
        """Run to the end without building solutions; return how many there are in all.

        Raises
        ------
        StoppedError
            If it was stopped before the end; `at_least` says what was seen.
        """
        if self._limit is not None:
            raise ValueError("a search with a limit cannot count all solutions")
        self._enter()
        try:
            if self.status is Status.RUNNING:
                self._counting = True
                self._count()
                self._end(Status.COMPLETE if self._found else Status.UNSATISFIABLE)
        except BaseException as error:
            self._end_early(error)
        finally:
            self._busy.release()
        if self.status not in (Status.COMPLETE, Status.UNSATISFIABLE):
            raise StoppedError(self.status, self._found, self.statistics)
        return self._found

    def draw(self, *, compact: bool) -> tuple[Zdd, Sequence[int]]:
        """Run to the end; return the diagram of all solutions, and its options from the top down as positions.

        Raises
        ------
        StoppedError
            If it was stopped before the end; `at_least` says how many solutions were seen or counted.
        """
        if self._limit is not None:
            raise ValueError("a search with a limit cannot draw all solutions")
        self._enter()
        try:
            if self.status is Status.RUNNING:
                self._counting = True
                zdd, order = self._draw(compact)
                self._end(Status.COMPLETE if zdd.count else Status.UNSATISFIABLE)
                return zdd, order
        except BaseException as error:
            self._end_early(error)
        finally:
            self._busy.release()
        raise StoppedError(self.status, self._found, self.statistics)

    def _draw(self, compact: bool) -> tuple[Zdd, Sequence[int]]:
        whole = replace(self._problem.matrix, costs=())
        height, run = len(whole), self._started()
        order: Sequence[int] = range(height)
        if compact:
            by_item = partial(sorted, order, key=lambda option: min(whole.option(option)))
            order = run.compact_order(whole) if isinstance(run, Drawer) else by_item()
        level = {position: place for place, position in enumerate(order)}
        if isinstance(run, Drawer):
            chosen = set(self._lifted(()))
            levels = [level[(set(self._lifted((k,))) - chosen).pop()] for k in range(len(self._prepare()))]
            return run.draw(levels, height).including(level[position] for position in chosen), order
        builder = ZddBuilder(height)
        sets = sorted(tuple(sorted(level[position] for position in found)) for found in iter(self._advance, None))
        if self.status not in (Status.RUNNING, Status.COMPLETE, Status.UNSATISFIABLE):
            raise Stopped(self.status)
        return builder.zdd(builder.family(sets)), order

    def _lifted(self, solution: Sequence[int]) -> Sequence[int]:
        """Return a solution of the matrix that is searched as one of the problem."""
        for lift in reversed(self._lifts):
            solution = lift(solution)
        return solution

    def _count(self) -> None:
        """Count; where that takes long, see first whether a smaller problem can be searched instead."""
        if self._reduce is None and self._run is None and not self._distinct:
            if self._tactics.jobs > 1:
                self._reduce = True
            else:
                patience = self._stop = _Patience(self._stop)
                run = self._started()
                patience.end = time.monotonic() + _PATIENCE
                try:
                    run.count()
                    return
                except _OutOfPatienceError:
                    patience.end = math.inf
                    self._restart_if_it_pays()
        self._started().count()

    def _restart_if_it_pays(self) -> None:
        run, matrix = self._run, self._prepared
        if run is None or matrix is None or (run.resumable and run.explored() > _NEARLY_DONE):
            return
        reduction = reduce(matrix, self._stop)
        pays = reduction.contradiction or len(reduction.matrix) <= _WORTH_IT * len(matrix)
        if pays or not run.resumable:
            run.close()
            self._run = None
            self._prepared = self._taken(reduction, len(matrix))

    def close(self) -> None:
        """End the search; if it was still running its status becomes ``INTERRUPTED``."""
        if self.status is Status.RUNNING:
            self._end(Status.INTERRUPTED)

    def __enter__(self) -> Search:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- what has been seen --------------------------------------------------------------------

    @property
    def statistics(self) -> Statistics:
        """A snapshot of the counters; may be read from another thread while the search runs."""
        run = self._run
        seconds = (self._ended or time.monotonic()) - self._began
        done = self.status in (Status.COMPLETE, Status.UNSATISFIABLE)
        if run is None:
            return Statistics(seconds=seconds, explored=float(done))
        return Statistics(
            engine=self._engine,
            why=self._why,
            nodes=run.nodes,
            solutions=run.solutions,
            explored=1.0 if done else run.explored(),
            seconds=seconds,
            setup_seconds=self._set_up - self._began,
            details=dict(run.details) | ({"removed": self._removed} if self._removed else {}),
        )

    @property
    def cheapest(self) -> int | None:
        """How many solutions of least cost are looked for, or None where it is not about costs."""
        return self._tactics.cheapest

    @property
    def seed(self) -> int | None:
        """The seed of the order in which is searched, or None for the fixed order."""
        return self._seed

    @property
    def classes(self) -> Classes | None:
        """The classes of which one solution each is looked for, once the search has begun; else None."""
        return self._classes

    @property
    def reason(self) -> str | None:
        """Why there is no solution, where that can be seen without searching; else None."""
        if self.status is Status.RUNNING:
            try:
                self._prepare()
            except Stopped as stopped:
                self._end(stopped.status)
        return self._reason

    def __repr__(self) -> str:
        return f"<Search: {self.status.value}, {self._found} solutions>"

    # -- inside --------------------------------------------------------------------------------

    @property
    def _found(self) -> int:
        return 0 if self._run is None else self._run.solutions

    def _end(self, status: Status) -> None:
        self.status, self._ended = status, time.monotonic()
        if self._run is not None:
            self._run.close()

    def _end_early(self, error: BaseException) -> None:
        """Note why the search ended; re-raise what is not ours to swallow."""
        if isinstance(error, Stopped):
            self._end(error.status)
        elif isinstance(error, MemoryError):
            self._end(Status.MEMORY)
        else:
            self._end(Status.INTERRUPTED)
            raise error

    def _started(self) -> Run:
        if self._run is None:
            self._run = self._start()
            self._set_up = time.monotonic()
        return self._run

    def _start(self) -> Run:
        matrix = self._prepare()
        if self._reason is not None:
            self._engine, self._why = "none", "no search was needed"
            return _NoRun()
        tactics = self._tactics
        counting = self._counting and (tactics.jobs, tactics.heuristic, tactics.profile) == (1, "mrv", None)
        counting = counting and (self._classes is None or self._classes.free)
        engine, self._why = pick_engine(self._asked, matrix, counting=counting)
        self._engine = engine.name
        if self._restarts:
            return RestartsRun(engine, matrix, self._stop, self._tactics, self._seed or 0)
        run = engine.start(matrix, self._stop, tactics)
        return run if self._classes is None else DistinctRun(run, self._lifted, self._classes)

    def _prepare(self) -> Matrix:
        """Take the straight way from the problem to the engine's door; a dead end becomes the reason."""
        if self._prepared is not None:
            return self._prepared
        self._stop.poll()
        matrix = self._problem.matrix
        if self._tactics.cheapest is None:
            matrix = replace(matrix, costs=())
        self._reason = self._problem.impossible
        try:
            without = self._without
            if self._distinct:
                self._classes = find_classes(self._problem, matrix, self._distinct, self._given, without, self._stop)
                without = [*without, *self._classes.left_out]
                matrix = self._classes.broken(matrix)
            if self._given or without:
                matrix, lift = restrict(matrix, self._given, without)
                self._lifts.append(lift)
            self._reason = self._reason or uncoverable(self._problem, matrix, self._given)
        except Contradiction as clash:
            self._reason = self._reason or contradiction(self._problem, clash)
        if self._reason is None and (self._reduce or (self._reduce is None and self._tactics.cheapest is not None)):
            matrix = self._taken(reduce(matrix, self._stop), len(matrix))
        if self._tactics.cheapest is not None and self._reason is None:
            matrix, lift = by_cost(matrix)
            self._lifts.append(lift)
        if self._seed is not None and self._reason is None and not self._restarts:
            matrix, lift = shuffle(matrix, self._seed)
            self._lifts.append(lift)
        self._prepared = matrix
        return matrix

    def _taken(self, reduction: Reduction, options: int) -> Matrix:
        """Return what a reduction has left of so many options, and note the way back."""
        self._reason = reduction.reason
        self._removed = options - len(reduction.matrix)
        self._lifts.append(reduction.lift)
        return reduction.matrix


class _OutOfPatienceError(Exception):
    """Time to think of something else; never leaves this module."""


class _Patience(InnerStop):
    """A time after which something else is tried."""

    end = math.inf

    def poll(self) -> None:
        super().poll()
        if time.monotonic() >= self.end:
            raise _OutOfPatienceError


class _NoRun(Iterator[tuple[int, ...]]):
    """What stands for a run where no search is needed: it has no solutions."""

    solutions = nodes = 0
    resumable = True
    waiting: Iterator[tuple[int, ...]] = iter(())
    details: Mapping[str, int | str] = {}

    def __next__(self) -> tuple[int, ...]:
        raise StopIteration

    def count(self) -> int:
        return 0

    def close(self) -> None:
        pass

    def explored(self) -> float:
        return 1.0
