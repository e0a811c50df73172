"""A search: one pass over the solutions of a problem, and a status that says how it ended."""

from __future__ import annotations

import sys
import threading
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from itertools import islice
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from exactcover.algorithm_x import Label
from exactcover.control.arguments import check_arguments, read_whole
from exactcover.control.options import COUNT, DIAGRAM, Goal, Heuristic, Margin
from exactcover.control.statistics import Statistics, Status
from exactcover.control.stop import Stop, Stopped
from exactcover.engines.base import pick_engine
from exactcover.engines.cursor import EngineRun
from exactcover.errors import EngineUnavailableError, StoppedError
from exactcover.model.costs import Cost, cost_of_units
from exactcover.model.matrix import native
from exactcover.model.model import Model
from exactcover.pictures.text import format_count, make_table
from exactcover.search.query import Launch, Query, builds_diagrams, describe_search, find_first, prepare
from exactcover.steps.step import unchanged

if TYPE_CHECKING:
    from exactcover.diagram.zdd import Zdd
    from exactcover.symmetry.classes import SymmetryClasses

LIBRARIES: Mapping[str, str] = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}
"""The function that makes a frame of columns in each library."""

EXACT = "exact"
_PROVED = (Status.OPTIMAL, Status.COMPLETE, Status.UNSATISFIABLE)

T = TypeVar("T")

_MAX_IN_BATCH = 1 << 30  # solutions
_CHECK_EVERY = 16  # solutions of a batch that are delivered between two checks of the stop


def name_prover(search: Search) -> str:
    """Return on whose word the result of a search rests, for the end of a sentence; empty for an exact proof."""
    return "" if search.proof in (None, EXACT) else f", as {search.proof} says"


def list_columns(model: Model, batches: Iterable[SolutionBatch]) -> dict[str, list[Any]]:
    """Return a table with one row per chosen option: the number of its solution, its label, and its cost if any."""
    labels: Sequence[Any] = model.labels
    if not (all(type(label) is str for label in labels) or all(type(label) is int for label in labels)):
        labels = [str(label) for label in labels]  # columns have one type
    numbers, chosen = list[int](), list[int]()
    last = 0
    for batch in batches:
        for solution in batch:
            last += 1
            numbers += [last] * len(solution)
            chosen += solution
    columns: dict[str, list[Any]] = {"solution": numbers, "option": [labels[position] for position in chosen]}
    if model.matrix.costs:
        columns["cost"] = [model.cost_of([position]) for position in chosen]
    return columns


def make_frame(columns: Mapping[str, list[Any]], library: str | None) -> Any:
    """Return a frame of a library; None for the first of pandas, polars and pyarrow that is loaded, or else installed.

    Raise ``ValueError`` if there is no such library, and ``EngineUnavailableError`` if it is not installed, or none is.
    """
    if library is not None and library not in LIBRARIES:
        raise ValueError(f"there is no library called {library!r} (available: {', '.join(LIBRARIES)})")
    loaded = [name for name in LIBRARIES if sys.modules.get(name) is not None]
    for name in [library] if library is not None else [*loaded, *LIBRARIES]:
        try:
            make = getattr(import_module(name), LIBRARIES[name])
        except ImportError:
            continue
        return make(dict(columns))
    wanted = library or "pandas"
    raise EngineUnavailableError(f"a frame needs {wanted}; install it with: python -m pip install {wanted}")


@dataclass(frozen=True, eq=False)
class SolutionBatch:
    """Several solutions as arrays of positions of options.

    Attributes
    ----------
    starts
        ``array('q')``: where the options of each solution begin, and the end of the last one.
    options
        ``array('I')``: the positions of the options of all solutions, ascending in each.

    Examples
    --------
    >>> from exactcover import Problem
    >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2]})
    >>> batch = next(problem.solve().batches())
    >>> len(batch), list(batch), batch.options
    (2, [(0, 1), (2,)], array('I', [0, 1, 2]))
    """

    starts: array[int]
    options: array[int]

    def __len__(self) -> int:
        """Return the number of solutions."""
        return len(self.starts) - 1

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Yield the solutions as ascending positions."""
        for begin, end in zip(self.starts, self.starts[1:], strict=False):
            yield tuple(self.options[begin:end])

    def to_numpy(self) -> tuple[Any, Any]:
        """Return `starts` and `options` as numpy arrays without copying; needs numpy."""
        import numpy

        return numpy.frombuffer(self.starts, numpy.int64), numpy.frombuffer(self.options, numpy.uint32)

    def to_arrow(self) -> Any:
        """Return an Arrow array of lists of positions without copying; needs pyarrow."""
        import pyarrow

        starts, options = map(pyarrow.py_buffer, (self.starts, self.options))
        values = pyarrow.Array.from_buffers(pyarrow.uint32(), len(self.options), [None, options])
        return pyarrow.LargeListArray.from_buffers(
            pyarrow.large_list(pyarrow.uint32()), len(self), [None, starts], children=[values]
        )


class Search(Iterator[tuple[Label, ...]]):
    """A search for solutions of a problem, which finds them as they are requested; made by :meth:`Problem.solve`.

    It is an iterator for one pass, and a context manager. After the last solution, `status` says why there are no more.
    If time or memory runs out, the iteration ends, but the status never says that there is no solution.

    Attributes
    ----------
    status : Status
        The state of the search: running, or the reason why it ended.
    total : int or None
        The number of solutions, if it is known beforehand.
    ties : int
        How many of the solutions that were delivered cost as little as the first one, if the cheapest are looked for.
    shortage : str
        The purpose of the memory that was missing, if the status is ``MEMORY`` and that is known; else empty.
    """

    total: int | None = None
    ties: int = 0
    shortage: str = ""
    _least_cost: Cost = 0

    def __init__(self, problem: Model, query: Query, stop: Stop, model: Model | None = None, paid: int = 0) -> None:
        counting = not query.goal.lists and not query.options.distinct and query.project is None
        optimizing = query.goal.kind == "cheapest"
        # Only what it refuses matters; the matrix is not known yet.
        pick_engine(query.options.engine, None, query.demands, counting=counting, optimizing=optimizing)
        if query.options.symmetry and native is None:
            raise EngineUnavailableError("symmetry=True needs the native module")
        if query.options.distinct == "rotations" and problem.stated_rotations is None:
            from exactcover.symmetry.permutations import rotations  # seldom needed

            rotations(problem)  # raises the error that explains this
        self.status = Status.RUNNING
        self._problem, self._query, self._stop = problem, query, stop
        self._model, self._paid = model or problem, paid  # what is searched in its place, and what that costs less
        self._launch: Launch | None = None
        self._run: EngineRun | None = None
        self._start_time, self._ready_time, self._end_time = time.monotonic(), 0.0, 0.0
        self._busy = threading.Lock()

    # -- one pass ------------------------------------------------------------------------------

    def __next__(self) -> tuple[Label, ...]:
        try:
            positions = self._next_positions()
            if positions is not None:
                return self._problem.labels_of(positions)
        except BaseException as error:
            self._note_interrupt(error)
            raise
        raise StopIteration

    def positions(self) -> Iterator[tuple[int, ...]]:
        """Yield the remaining solutions as ascending positions of options, without labels."""
        try:
            while (solution := self._next_positions()) is not None:
                yield solution
                run = self._run
                if self._query.goal.limit is None and run is not None and self._lifts_nothing():
                    for number, waiting in enumerate(run.waiting):  # a fast path without work for each solution
                        yield waiting
                        if number % _CHECK_EVERY == 0 and self._stop.status is not None:
                            break
        except GeneratorExit:
            raise
        except BaseException as error:
            self._note_interrupt(error)
            raise

    def batches(self, size: int = 1 << 12) -> Iterator[SolutionBatch]:
        """Yield the remaining solutions in batches, which is much faster than one by one if there are millions.

        Parameters
        ----------
        size
            The number of solutions in a batch, about; the last one may contain fewer.

        Raises
        ------
        ValueError
            If `size` is less than 1.
        """
        size = read_whole("size", size, 1)
        return iter(partial(self._next_batch, min(size, _MAX_IN_BATCH)), None)

    @check_arguments
    def frame(self, library: str | None = None) -> Any:
        """Return the remaining solutions as a data frame with one row per chosen option.

        Its columns are ``solution``, the number of the solution from 1; ``option``, the label; and ``cost``, if options
        have costs. Labels that are neither all texts nor all whole numbers become texts. After a stop, `status` shows
        that there may be more.

        Parameters
        ----------
        library
            ``"pandas"``, ``"polars"`` or ``"pyarrow"``; None for the first of them that is loaded, or else installed.

        Raises
        ------
        ValueError
            If there is no such library.
        EngineUnavailableError
            If it is not installed, or none of them is.

        Examples
        --------
        >>> from exactcover import Problem
        >>> problem = Problem({"A": [1], "B": [2], "C": [1, 2]}, costs={"A": 3})
        >>> problem.solve().frame("pyarrow").to_pydict()
        {'solution': [1, 1, 2], 'option': ['A', 'B', 'C'], 'cost': [3, 0, 0]}
        """
        empty = make_frame(list_columns(self._problem, ()), library)  # before a long search
        try:
            columns = list_columns(self._problem, self.batches())
        except BaseException as error:
            self._note_interrupt(error)
            raise
        return make_frame(columns, library) if columns["solution"] else empty

    def _next_batch(self, size: int) -> SolutionBatch | None:
        try:
            batch = self._take_batch(size)
            if batch is None:
                starts, options = array("q", [0]), array("I")
                for solution in islice(self.positions(), size):
                    options.extend(solution)
                    starts.append(len(options))
                batch = SolutionBatch(starts, options)
            return batch if len(batch) else None
        except BaseException as error:
            self._note_interrupt(error)
            raise

    def _take_batch(self, size: int) -> SolutionBatch | None:
        """Return a batch as the engine makes it; None if it makes none, or its solutions have to be changed."""
        if self.status is not Status.RUNNING or self._query.goal.kind != "all":
            return None
        self._enter()
        try:
            run = self._ensure_run()
            arrays = run.take_batch(size) if self._lifts_nothing() else None
            if arrays is None:
                return None
            batch = SolutionBatch(*arrays)
            if not len(batch):
                self._end(self._final_status())
            return batch
        except BaseException as error:
            self._end_early(error)
            return None
        finally:
            self._busy.release()

    def _lifts_nothing(self) -> bool:
        """Return whether solutions of the prepared matrix are also solutions of the problem, without any change."""
        return self._launch is None or self._launch.prepared.lift is unchanged

    def _next_positions(self) -> tuple[int, ...] | None:
        if not self._query.goal.lists:
            raise ValueError(f"a search with the goal {self._query.goal.kind!r} does not deliver solutions")
        if self.status is not Status.RUNNING:
            return None
        self._enter()
        try:
            return self._advance()
        finally:
            self._busy.release()

    def _enter(self) -> None:
        """Refuse a second caller, as generators do: two callers would get some solutions twice and miss others."""
        if not self._busy.acquire(blocking=False):
            raise ValueError("this search is already running, in another thread or in a caller of this one")

    def _advance(self) -> tuple[int, ...] | None:
        if self.status is not Status.RUNNING:  # another thread has ended it
            return None
        if self._stop.status is not None and self._query.goal.cheapest is None:
            self._end(self._stop.status)  # solutions that the engine may have found are not delivered
            return None
        try:
            run, launch = self._ensure_run(), self._ensure_launch()
            solution = next(run) if self._found else find_first(run, launch.query, launch.prepared, self._stop)
        except StopIteration:
            self._end(self._final_status())
            if self._run is not None and self._run.prover:
                self._explain()  # in place of the word of a solver
            return None
        except BaseException as error:
            self._end_early(error)
            return None
        if not self._lifts_nothing():
            solution = tuple(launch.prepared.lift(solution))
        if self._found == self._query.goal.limit:
            self._end(Status.LIMIT)
        if self._query.goal.kind == "cheapest":
            self._note_cost(self._model.cost_of(solution))
        return solution

    def _explain(self) -> None:
        """Look for a reason if there is no solution."""
        if self.status is Status.UNSATISFIABLE:
            with suppress(Stopped):
                prepared = self._ensure_launch().prepared
                prepared.look_for_reason(self._query.policy.weight_work, self._stop, is_over=True)

    def _note_cost(self, cost: Cost) -> None:
        if self._found == 1:
            self._least_cost = cost
        self.ties += cost == self._least_cost

    def _final_status(self) -> Status:
        """Return the status of a search that has delivered all its solutions."""
        if not self._found:
            return Status.UNSATISFIABLE
        goal = self._query.goal
        return Status.OPTIMAL if goal.within is not None or self._found == goal.cheapest else Status.COMPLETE

    # -- to the end ----------------------------------------------------------------------------

    def count(self) -> int:
        """Run to the end without delivering solutions; return the number of all solutions.

        Raises
        ------
        ValueError
            If the goal is the first or the cheapest solutions.
        StoppedError
            If it was stopped before the end; `at_least` is the number of solutions found so far.
        """
        self._check_unlimited("count")
        if self.status in (Status.COMPLETE, Status.UNSATISFIABLE):
            return self._found
        return self._run_to_the_end(self._count)

    def _count(self) -> int:
        launch = self._ensure_launch(COUNT)
        run = self._run
        if run is None:
            run = launch.start_count()
            self._note_run(run)
        run.count()
        self._end(Status.COMPLETE if self._found else Status.UNSATISFIABLE)
        return self._found

    def build_diagram(self, *, compact: bool) -> tuple[Zdd, Sequence[int]]:
        """Run to the end; return the diagram of all solutions, and the positions of its options from the top down.

        Raises
        ------
        ValueError
            If the goal is the first or the cheapest solutions.
        StoppedError
            If it was stopped before the end; `at_least` is the number of solutions found or counted so far.
        """
        self._check_unlimited("build the diagram of")
        return self._run_to_the_end(partial(self._build_diagram, compact=compact))

    def _build_diagram(self, *, compact: bool) -> tuple[Zdd, Sequence[int]]:
        """Build the diagram; the options of a compact one have an order that keeps it small.

        Solutions are read only if the engine cannot build diagrams.
        """
        prepared, run = self._ensure_launch(DIAGRAM).prepared, self._ensure_run()
        full = replace(prepared.model.matrix, costs=())
        height = len(full)
        order: Sequence[int] = range(height)
        if compact:
            sort_by_item = partial(sorted, order, key=lambda option: min(full.option(option)))
            order = run.compact_order(full) if builds_diagrams(run) else sort_by_item()
        level = {position: place for place, position in enumerate(order)}
        if builds_diagrams(run):
            levels = [level[position] for position in prepared.find_positions()]
            chosen = [level[position] for position in prepared.lift(())]
            zdd = run.build_diagram(levels, height).add_levels(chosen)
        else:
            from exactcover.diagram.zdd import ZddBuilder  # seldom needed

            builder, solutions = ZddBuilder(height), iter(self._advance, None)
            sets = sorted(tuple(sorted(level[position] for position in found)) for found in solutions)
            zdd = builder.zdd(builder.family(sets))
        if self.status not in (Status.RUNNING, Status.COMPLETE, Status.UNSATISFIABLE):
            raise Stopped(self.status)
        self._end(Status.COMPLETE if zdd.count else Status.UNSATISFIABLE)
        return zdd, order

    def _check_unlimited(self, what: str) -> None:
        goal = self._query.goal
        if goal.number is not None:
            kind = "with a limit" if goal.kind == "first" else "for the cheapest solutions"
            raise ValueError(f"a search {kind} cannot {what} all solutions")

    def _run_to_the_end(self, task: Callable[[], T]) -> T:
        """Run a task to the end; raise ``StoppedError`` if it is stopped."""
        if self.status is Status.RUNNING:
            self._enter()
            try:
                if self.status is Status.RUNNING:
                    return task()
            except BaseException as error:
                self._end_early(error)
            finally:
                self._busy.release()
        raise StoppedError(self.status, self._found, self.statistics)

    def close(self) -> None:
        """End the search; if it was still running, its status becomes ``INTERRUPTED``."""
        if self.status is Status.RUNNING:
            self._end(Status.INTERRUPTED)

    def __enter__(self) -> Search:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- statistics and properties -------------------------------------------------------------

    @property
    def statistics(self) -> Statistics:
        """A snapshot of the counters; it may be read from another thread while the search runs."""
        launch, run = self._launch, self._run
        seconds = (self._end_time or time.monotonic()) - self._start_time
        done = self.status in (Status.COMPLETE, Status.UNSATISFIABLE)
        if launch is None or run is None:
            return Statistics(seconds=seconds, explored=float(done), proof=EXACT if done else "")
        best, bound = self._find_costs(run)
        removed = launch.prepared.removed
        return Statistics(
            engine=launch.engine,
            why=launch.why,
            nodes=run.nodes,
            solutions=run.solutions,
            explored=1.0 if done else run.explored(),
            seconds=seconds,
            setup_seconds=(self._ready_time or time.monotonic()) - self._start_time,
            build_seconds=self._problem.build_seconds,
            best=best,
            bound=bound,
            proof=self._name_proof(run),
            details=dict(run.details) | ({"removed": removed} if removed else {}),
        )

    def _name_proof(self, run: EngineRun) -> str:
        is_explained = self._launch is not None and self._launch.prepared.reason is not None
        return (EXACT if is_explained else run.prover or EXACT) if self.status in _PROVED else ""

    def _find_costs(self, run: EngineRun) -> tuple[Cost | None, Cost | None]:
        """Return the cost of the best solution, and the lower bound on the cost of every solution."""
        launch = self._launch
        best, bound = run.best, run.bound  # each is read once, because the run may go on
        if launch is None or launch.query.goal.kind != "cheapest" or bound is None:
            return None, None
        if best is None and self.maximizes:
            return None, None  # or nobody would know that this is an upper bound
        if best is not None:
            bound = best if self.status in (Status.OPTIMAL, Status.COMPLETE) else min(best, bound)
        paid, units, sign = launch.prepared.paid, self._model.cost_units, -1 if self.maximizes else 1
        best_cost = None if best is None else cost_of_units(sign * (paid + best), units)
        return best_cost, cost_of_units(sign * (paid + bound), units)

    @property
    def stop(self) -> Stop:
        """The stop of the search and of what belongs to it, such as a count of what it has found only in part."""
        return self._stop

    @property
    def cheapest(self) -> int | None:
        """The number of cheapest solutions that are looked for; None if costs do not matter."""
        return self._query.goal.cheapest

    @property
    def within(self) -> Margin | None:
        """The margin above the cheapest cost within which solutions are wanted; None for any cost."""
        return self._query.goal.within

    @property
    def maximizes(self) -> bool:
        """True if the solutions of highest cost are looked for, in place of the cheapest."""
        return self._query.goal.maximize

    @property
    def is_projection(self) -> bool:
        """True if solutions that choose the same of some options count as one."""
        return self._query.project is not None

    @property
    def is_best_effort(self) -> bool:
        """True if any item may stay open, and the covers that leave least open are looked for."""
        return False

    @property
    def advantage(self) -> str:
        """The advantage of a better solution, in a search for the cheapest: a verb with its object."""
        return "costs more" if self.maximizes else "is cheaper"

    @property
    def gap(self) -> Cost | None:
        """The optimality gap: by how much a solution may be cheaper than the best one found so far.

        None if that is not known, because nothing is found yet, or the engine does not bound what solutions cost.
        """
        return self.statistics.gap

    @property
    def proof(self) -> str | None:
        """The proof that no solution, or no cheaper one, was missed: ``"exact"``, or a solver's name; None without one.

        Examples
        --------
        >>> from exactcover import Problem
        >>> search = Problem({"A": [1]}).solve()
        >>> list(search), search.proof
        ([('A',)], 'exact')
        """
        return self.statistics.proof or None

    @property
    def seed(self) -> int | None:
        """The seed of the order of the search, or None for the fixed order."""
        return self._query.options.seed

    @property
    def heuristic(self) -> Heuristic:
        """The rule by which the search picks the item to branch on; the default in place of a function."""
        return self._query.options.named_heuristic

    @property
    def classes(self) -> SymmetryClasses | None:
        """The classes of solutions, if one solution of each is looked for and the search has begun; else None."""
        return None if self._launch is None else self._launch.prepared.classes

    @property
    def reason(self) -> str | None:
        """The reason why there is no solution, if a short one is known; else None.

        After a search without a solution, weights of the items are tried as a reason, which takes about 0.1 s at most.
        """
        if self.status is Status.RUNNING:
            try:
                self._ensure_launch()
            except Stopped as stopped:
                self._end(stopped.status)
        self._explain()
        return None if self._launch is None else self._launch.prepared.reason

    def __repr__(self) -> str:
        return f"<Search: {self.status.value}, {format_count(self._found, 'solution')}>"

    def _repr_html_(self) -> str:
        statistics = self.statistics
        total = statistics.solutions if self.total is None else self.total
        rows: list[tuple[str, str | int]] = [
            ("status", self.status.words),
            ("solutions", total),
            ("nodes", statistics.nodes),
            ("explored", f"{statistics.explored:.2%}"),
            ("seconds", f"{statistics.seconds:.1f}"),
            ("engine", statistics.engine),
        ]
        return make_table("Search", rows)

    # -- inside --------------------------------------------------------------------------------

    def _ensure_launch(self, goal: Goal | None = None) -> Launch:
        """Return what starts the run, after the preparation, for a goal in place of that of the search if one is given.

        It raises ``Stopped`` at a stop, like all that prepares and runs.
        """
        launch = self._launch
        if launch is None or (goal is not None and self._run is None):
            query = self._query if goal in (None, self._query.goal) else replace(self._query, goal=goal)
            prepared = launch.prepared if launch else prepare(self._model, query, self._stop, self._paid)
            self._launch = launch = Launch(prepared, query, self._stop)
        return launch

    def _ensure_run(self) -> EngineRun:
        if self._run is None:
            self._note_run(self._ensure_launch().start())
        assert self._run is not None
        return self._run

    def _note_run(self, run: EngineRun) -> None:
        self._run, self._ready_time = run, time.monotonic()

    @property
    def _found(self) -> int:
        """The number of solutions found, or known to exist if the run only counts."""
        return 0 if self._run is None else self._run.solutions

    def _end(self, status: Status) -> None:
        self.status, self._end_time = status, time.monotonic()
        if self._run is not None:
            self._run.close()
        log = self._query.observers.log
        if log is not None:
            if self._launch is None:  # it was stopped before the preparation had ended
                log.begin(describe_search(self._model, None, self._query.options))
            elif not self._launch.has_log:  # no search was needed
                self._launch.begin_log(log)
            log.end(status, self._found)

    def _note_interrupt(self, error: BaseException) -> None:
        """End the search if it was interrupted, since that may have lost a solution."""
        if not isinstance(error, Exception):
            self.close()

    def _end_early(self, error: BaseException) -> None:
        """Note why the search ended; re-raise what must not be hidden."""
        if isinstance(error, Stopped):
            self._end(error.status)
        elif isinstance(error, MemoryError):
            self.shortage = str(error)
            self._end(Status.MEMORY)
        else:
            self._end(Status.INTERRUPTED)
            raise error
