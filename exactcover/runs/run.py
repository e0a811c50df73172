"""The class :class:`Run`: a search that outlives its process, spread over workers.

A fixed depth would not do: the subtrees of one level differ in size by orders of magnitude. Therefore the largest cube
is divided again and again, by estimates from random paths, until all are small.
"""

from __future__ import annotations

import contextlib
import heapq
import os
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import cache
from math import inf
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from exactcover.control.arguments import check_arguments, read_number, read_whole
from exactcover.control.memory import half_of_free_memory
from exactcover.control.options import COUNT, Goal, SearchOptions
from exactcover.control.policy import DEFAULT_POLICY, DEFAULT_RUN_POLICY, CountingPolicy, RunPolicy
from exactcover.control.recorder import NodeBuffer
from exactcover.control.statistics import Statistics, Status
from exactcover.control.stop import InnerStop, Stop, Stopped
from exactcover.counting.direct import DirectCount
from exactcover.counting.scheduler import Scheduler, TimedTask
from exactcover.engines.base import ENGINES, check_engine_name
from exactcover.engines.cursor import ROOT, Cursor
from exactcover.errors import (
    DamagedStoreError,
    EngineUnavailableError,
    OutputError,
    ProblemError,
    StoppedError,
    StoreError,
)
from exactcover.files.write import hold_lock, read_lock
from exactcover.model.matrix import Matrix
from exactcover.problem import Problem
from exactcover.runs.coordinator import Coordinator
from exactcover.runs.cube import Child, Cube, CubeOutcome, CubePath, mark_subtree, pack_nodes
from exactcover.runs.cube_scheduler import CubeScheduler, Forecast
from exactcover.runs.cube_worker import estimate_nodes, make_search, name_worker
from exactcover.runs.executors import ProcessWorkers
from exactcover.runs.records import to_text
from exactcover.runs.run_certificate import certify_run
from exactcover.runs.run_problem import PlannedSearch, RunProblem, plan_search, prepare_run, to_goal
from exactcover.runs.store import RunSummary, Store, summarize
from exactcover.runs.store_check import CheckReport, check_store
from exactcover.version import __version__

_SAMPLE = 0.1  # seconds of search in which the rate is measured
_FIRST_PROBES = 64  # for the size of the whole tree

_IN_ADVANCE = 2  # cubes for each worker that are with an executor, so that none has to wait


def cut(
    make_search: Callable[[int | None], Cursor],
    roots: Sequence[int | None],
    workers: int,
    rate: float,
    stop: Stop,
    nodes: NodeBuffer | None = None,
    policy: RunPolicy = DEFAULT_RUN_POLICY,
) -> list[CubeOutcome]:
    """Return the division of whole trees, as outcomes without solutions; empty if the tree is too small to be divided.

    `roots` are the parts of a plan, which are the children of the root; or None alone, for the whole. The cubes shall
    suffice for so many workers, each of which visits `rate` nodes in a second. Each outcome replaces a cube by its
    children, the root first. The division takes some probes for each cube: about a millisecond, natively.
    """
    searches = {part: make_search(part) for part in stop.watch(roots)}
    sizes = {part: estimate_nodes(search, ROOT, _FIRST_PROBES) for part, search in searches.items()}
    outcomes, heap, total = list[CubeOutcome](), list[tuple[float, CubePath, Cube, int | None]](), sum(sizes.values())
    if None not in sizes:
        outcomes.append(CubeOutcome((), mark_subtree(ROOT), children=tuple(Child(ROOT, sizes[part]) for part in roots)))
    for part, size in sizes.items():
        path = () if part is None else (part,)
        heapq.heappush(heap, (-size, path, Cube(path, estimate=size), part))
    while heap and -heap[0][0] > max(total / (policy.cubes_per_worker * workers), policy.smallest_cube * rate):
        stop.poll()
        *_, cube, part = heapq.heappop(heap)
        search = searches[part]
        if nodes is not None:
            nodes.take()
        children = search.children(cube.subtree)
        if children == [cube.subtree]:  # a solution
            continue
        parts = tuple(Child(child, estimate_nodes(search, child)) for child in children)
        tree = b"" if nodes is None else pack_nodes(nodes)
        outcome = CubeOutcome(cube.path, mark_subtree(cube.subtree), children=parts, tree=tree)
        outcomes.append(outcome)
        total += sum(child.estimate for child in parts) - cube.estimate
        for child in outcome.cubes():
            heapq.heappush(heap, (-child.estimate, child.path, child, part))
    return outcomes


def measure_rate(search: Cursor) -> float:
    """Return how many nodes a search visits in a second, at least 1."""
    before, start = search.nodes, time.perf_counter()
    search.begin(ROOT)
    while search.advance(listing=False) and time.perf_counter() - start < _SAMPLE:
        pass
    return max(1.0, (search.nodes - before) / (time.perf_counter() - start))


def begin(
    store: Store,
    planned: PlannedSearch,
    engine: str,
    goal: Goal,
    workers: int,
    stop: Stop,
    policy: RunPolicy,
    show: Callable[[RunSummary], None] = lambda summary: None,
) -> list[CubeOutcome]:
    """Count a run as a whole, or cut it into cubes, if nothing has been done yet; return what was stored.

    If the stop asks to end, nothing is stored.
    """
    cubes = store.cubes("open")
    if [cube.path for cube in cubes] != [()] or goal.limit == 1:
        return []
    whole = planned.problem_of(None)
    if whole.any_way and engine == "native":
        counted = _count_directly(whole.matrix, policy.direct_seconds, workers, stop, show)
        if counted is not None:
            store.save([counted])
            return [counted]
    nodes = NodeBuffer() if whole.records else None

    @cache
    def start(part: int | None) -> Cursor:
        return make_search(engine, planned.problem_of(part), stop, nodes)

    roots = range(planned.parts) if planned.parts else [None]
    rate = measure_rate(start(None))
    outcomes = cut(start, roots, workers, rate, stop, nodes, policy)
    store.save(outcomes)
    return outcomes


def _count_directly(
    matrix: Matrix,
    seconds: float,
    jobs: int,
    stop: Stop,
    show: Callable[[RunSummary], None],
    policy: CountingPolicy = DEFAULT_POLICY,
) -> CubeOutcome | None:
    """Count a matrix for a while, and to the end if a way is expected to be the fastest that cannot be divided.

    Return None if a search is expected to be the fastest.
    """
    start, inner = time.monotonic(), InnerStop(stop)
    leaves = ENGINES["diagram"].leaves(matrix, inner, SearchOptions(), policy)
    direct = DirectCount(leaves, lambda: stop.memory or half_of_free_memory(), jobs, policy)
    try:
        scheduler = Scheduler(inner, jobs, policy)
        while direct.spent < seconds or (direct.spent and not direct.is_led_by_search):
            scheduler.run(TimedTask(direct, lambda: direct.spent, seconds))
            if direct.is_done:
                break
            show(_describe(direct, time.monotonic() - start, jobs))
    finally:
        direct.close()
    if not direct.is_done:
        return None
    found = direct.solutions, direct.nodes, time.monotonic() - start
    return CubeOutcome((), mark_subtree(ROOT), *found, worker=name_worker())


def _describe(direct: DirectCount, seconds: float, jobs: int) -> RunSummary:
    """Return how far a count of the whole has come."""
    left, nodes = direct.left(), direct.nodes
    known = left if left < inf else None
    forecast = Forecast(direct.spent / (direct.spent + left), nodes / max(seconds, 1e-9), known, known)
    return RunSummary(Status.RUNNING, direct.solutions, nodes, seconds, 1, 1, 0, 0, jobs, forecast)


class Run:
    """A search that is kept in a file, and that can be stopped, killed and resumed without losing what is finished.

    The search is cut into cubes, which are subtrees of the search tree. Workers search them, one coordinator keeps the
    store. Make a run with :meth:`create`, open it with the constructor, and let it :meth:`work` until it is complete.

    Parameters
    ----------
    path
        The file of the store.
    stop
        Polled while the store is read.
    policy
        The numbers by which the run is cut into cubes and searched; by default :data:`DEFAULT_RUN_POLICY`.

    Raises
    ------
    StoreError
        If the file does not exist, is not the store of a run, is damaged, or has another format.

    Examples
    --------
    >>> import tempfile
    >>> from exactcover import Problem, Run
    >>> folder = tempfile.TemporaryDirectory()
    >>> problem = Problem({"A": [1, 2], "B": [3], "C": [2, 3], "D": [1]})
    >>> run = Run.create(f"{folder.name}/small.run", problem)
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as executor:
    ...     run.work(executor)
    <Status.COMPLETE: 'complete'>
    >>> run.count()
    2
    >>> folder.cleanup()
    """

    @check_arguments
    def __init__(
        self, path: str | os.PathLike[str], stop: Stop | None = None, *, policy: RunPolicy | None = None
    ) -> None:
        self.path, self._stop, self._policy = Path(path), stop or Stop(), policy or DEFAULT_RUN_POLICY
        with self._open_reader() as store:
            facts = store.facts
        self._seal: bytes = facts["seal"]
        self._confirmed: PlannedSearch | None = None  # what is searched, if it follows from the problem
        try:
            goal = facts["goal"]
            self.goal, self.engine = to_goal(goal["kind"], goal["number"]), to_text(facts["engine"])
            self.problem = RunProblem.from_bytes(facts["problem"])
            if self.goal.kind == "cheapest" and min(self.problem.matrix.costs, default=0) < 0:
                raise ValueError("a cost is negative")
        except (ValueError, KeyError, TypeError) as error:
            raise DamagedStoreError(f"{self.path}: the stored problem is damaged: {error}") from None

    @classmethod
    @check_arguments
    def create(
        cls,
        path: str | os.PathLike[str],
        problem: Problem,
        goal: Goal = COUNT,
        *,
        engine: str = "auto",
        reduce: bool | None = None,
        records: bool = False,
        symmetry: bool | None = None,
        name: str = "",
        params: Mapping[str, Any] | None = None,
        stop: Stop | None = None,
        policy: RunPolicy | None = None,
    ) -> Run:
        """Create the store of a run.

        Parameters
        ----------
        path
            The file, which must not exist.
        problem
            The problem to search; the givens and exclusions of an instance apply.
        goal
            The goal of the run: the number, all solutions, the first ones, or the cheapest ones.
        engine
            An engine that can divide a search, ``"native"`` or ``"sets"``; or ``"auto"`` for the best one, which also
            counts in other ways than by a search where these are faster.
        reduce
            Whether to reduce the problem first; None to do so if that removes more than a few options.
        records
            Whether to keep all nodes of the search in the store, for :meth:`write_certificate`.
        symmetry
            Whether the problem is split into parts by its symmetries; None to do so if the run counts, and nobody has
            asked for an engine or for a reduction.
        name, params
            The name of the problem and its parameters, for people who look at the run later.
        stop
            Polled while the problem is prepared.
        policy
            The numbers by which the run is cut into cubes and searched; by default :data:`DEFAULT_RUN_POLICY`.

        Raises
        ------
        StoreError
            If the file exists, or would lie on a network file system.
        OutputError
            If the file cannot be written.
        EngineUnavailableError
            If the engine cannot divide a search of this problem.
        ProblemError
            If the problem states that it has no solution, and a store could not show that this is true; or if the
            cheapest solutions of a problem with soft items are wanted, because a run leaves nothing open.
        ValueError
            If the goal is a diagram; if symmetries are asked for, but the run lists solutions; or if nodes should be
            recorded although the problem is to be reduced, or the goal is neither to count nor to list all solutions.
        """
        if goal.kind == "diagram":
            raise ValueError("a run counts or lists solutions; it cannot build a diagram")
        if goal.kind == "cheapest" and problem.soft_prices:
            raise ProblemError(
                "a run leaves nothing open, so it cannot find the cheapest covers of a problem with soft items; "
                "write the problem with slack options (convert --soft, or Problem.relaxed())"
            )
        counts = goal.kind == "count"
        if symmetry and not counts:
            raise ValueError("symmetries speed up only a run that counts")
        if records and (reduce or goal.kind not in ("count", "all")):
            raise ValueError("only a run that counts or lists all solutions, and does not reduce, can record nodes")
        stop = stop or Stop()
        content, planned = prepare_run(
            problem,
            goal,
            reduced=reduce,
            records=records,
            symmetry=counts and (symmetry is True or (symmetry is None and engine == "auto" and reduce is None)),
            any_way=counts and not records and engine == "auto",
            stop=stop,
            name=name,
            params=params or {},
        )
        facts = {
            "problem": content.to_bytes(),
            "goal": {"kind": goal.kind, "number": goal.number},
            "engine": _pick_engine(engine, planned.whole.matrix),
            "version": __version__,
            "created": time.time(),
        }
        seal = Store.create(Path(path), facts, [] if content.reason is not None else [Cube()])
        made = cls(path, policy=policy)
        if made._seal == seal:
            made._confirmed = planned
        return made

    @check_arguments
    def work(
        self,
        executor: Executor | None = None,
        *,
        workers: int | None = None,
        timeout: float | None = None,
        memory: int | None = None,
        stop: Stop | None = None,
        log: TextIO | None = None,
        show: Callable[[RunSummary], None] = lambda summary: None,
    ) -> Status:
        """Search open cubes until none is left, or the stop asks to end.

        Parameters
        ----------
        executor
            The executor: any whose workers can import this package. By default, processes of this machine.
        workers
            The number of workers; by default that of the executor, or the number of processors.
        timeout, memory
            Limits for the search of a cube, in seconds and bytes. A cube that fails three times is set aside.
        stop
            Ends the work. What was finished by then is stored; another call continues.
        log
            The file for events, as JSON Lines.
        show
            Called every few seconds with how far the run has come, and at the end with what has come of it.

        Returns
        -------
        Status
            ``COMPLETE``, ``OPTIMAL``, ``UNSATISFIABLE`` or ``LIMIT`` if the answer is known; else why the work ended;
            ``RUNNING`` if cubes were set aside.

        Raises
        ------
        ValueError
            If the number of workers or a limit is out of range.
        StoreError
            If another process works on the run, the store is damaged, or what it searches, or a stored reason why
            there is no solution, does not follow from the problem.
        StoppedError
            If the stop asks to end before that is confirmed.
        OutputError
            If the store cannot be written, or was replaced while the run worked; or if it was removed. A run whose
            store is removed still works to its end, and shows what has come of it.
        BrokenExecutor
            If the executor is broken for good. What was finished by then is stored; another executor can continue.
        """
        read_whole("workers", 1 if workers is None else workers, 1, ", or None")
        read_whole("memory", 1 if memory is None else memory, 1, ", or None")
        read_number("timeout", 0 if timeout is None else timeout, 0, ", or None")
        stop = stop or Stop()
        workers = workers or getattr(executor, "_max_workers", None) or os.cpu_count() or 1
        with (
            self._open_for_work(stop) as store,
            ProcessWorkers(workers) if executor is None else contextlib.nullcontext(executor) as used,
        ):
            with contextlib.suppress(Stopped):
                begun = begin(store, self._planned, self.engine, self.goal, workers, stop, self._policy, show)
                done = store.totals(self._planned.weight_of)
                scheduler = CubeScheduler(
                    store.cubes("open"),
                    workers,
                    in_order=self.goal.limit is not None,
                    done_nodes=done.nodes,
                    done_seconds=done.seconds,
                    policy=self._policy,
                )
                coordinator = Coordinator(
                    *(store, self.problem, self._planned, self.engine, self.goal, scheduler),
                    *(used, stop, log, show, self._policy),
                    timeout=timeout,
                    memory=memory,
                )
                coordinator.log_outcomes(begun)
                coordinator.work(workers if executor is None else _IN_ADVANCE * workers)
            loss = store.find_loss()
            summary = None if loss is None else self._summarize(store, alive=False)
        summary = summary or self._summarize_again()
        status = summary.status
        show(summary)
        if loss is not None:
            kept = "; unless it was moved, what the run has found is lost" if not self.path.exists() else ""
            raise OutputError(f"{self.path}: {loss} while the run worked{kept}")
        return stop.status if status is Status.RUNNING and stop.status is not None else status

    # -- results -------------------------------------------------------------------------------

    def status(self) -> RunSummary:
        """Return how far the run has come; it may be called while another process works on the run."""
        with self._read() as store:
            return self._summarize(store, alive=self.owner() is not None)

    def owner(self) -> tuple[int, str] | None:
        """Return the number and the host of the process that works on the run, or None if nobody does."""
        with contextlib.suppress(ValueError):
            process, host = (read_lock(self._lock_path) or "").split()
            if int(process) > 1:  # others stand for groups of processes, or for the first one of the system
                return int(process), host
        return None

    def _summarize_again(self) -> RunSummary:
        """Return what has come of the run from its file, as whoever opens it next will read it."""
        try:
            with contextlib.closing(Store(self.path, writable=False)) as store:
                self._check_seal(store)
                return self._summarize(store, alive=False)
        except StoreError as error:
            raise OutputError(f"{error}; something else has written to it while the run worked") from None

    def _summarize(self, store: Store, *, alive: bool) -> RunSummary:
        """Return how far the run has come, if what it searches is confirmed."""
        self._confirm(self._stop)
        return summarize(store, self.goal, self.problem, self._planned, alive=alive)

    def count(self) -> int:
        """Return the number of solutions.

        Raises
        ------
        StoppedError
            If the run is not complete; `at_least` is the number found so far.
        """
        summary = self.status()
        if summary.status not in (Status.COMPLETE, Status.UNSATISFIABLE):
            status = Status.INTERRUPTED if summary.status is Status.RUNNING else summary.status
            statistics = Statistics(nodes=summary.nodes, solutions=summary.solutions, seconds=summary.seconds)
            raise StoppedError(status, summary.solutions, statistics)
        return summary.solutions

    def solutions(self) -> Iterator[tuple[int, ...]]:
        """Yield the solutions found so far as ascending positions of options, each once.

        They come in the order of the tree, whatever the workers did; the cheapest come in the order of their costs.

        Raises
        ------
        ValueError
            If the run only counts.
        """
        if not self.goal.lists:
            raise ValueError("the run only counts solutions; create one with the goal to list them")
        with self._read() as store:
            self._confirm(self._stop)
            if self.goal.cheapest is not None:
                options = len(self.problem.matrix)
                found = dict.fromkeys(solution for _, solution in store.solutions(options))
                yield from sorted(found, key=self.problem.cost_of)[: self.goal.cheapest]
                return
            yield from self._first_solutions(store)

    def _first_solutions(self, store: Store) -> Iterator[tuple[int, ...]]:
        """Yield solutions up to the limit; those after a cube that is open or set aside need not be the first."""
        limit = self.goal.limit
        left = None if limit is None else store.first_left()
        last: CubePath = ()  # of the cube with the last solution of all that are wanted
        for number, (path, solution) in enumerate(store.solutions(len(self.problem.matrix))):
            if limit is not None and left is not None and path > left:
                return
            if limit is None or number < limit:
                last = path
                yield solution
            elif path != last:  # before that, the rest of the cube is read, because only all of it can be checked
                return

    # -- the store ------------------------------------------------------------------------------

    @check_arguments
    def check(
        self, *, share: float = 0.01, seed: int = 0, stop: Stop | None = None, report: CheckReport | None = None
    ) -> Iterator[str]:
        """Check from the store alone that the answer is right; yield what is wrong, as sentences.

        Parameters
        ----------
        share
            The share of the cubes to count again with another engine, from 0 to 1.
        seed
            Determines which cubes these are.
        stop
            Polled often.
        report
            Filled in with what was checked.

        Raises
        ------
        ValueError
            If `share` is out of its range.
        """
        if not 0 <= share <= 1:
            raise ValueError(f"share must be from 0 to 1; got {share!r}")
        with self._read() as store:
            try:
                yield from check_store(
                    store, self.problem, self.goal, self.engine, share, seed, stop or Stop(), report or CheckReport()
                )
            except StoreError as error:  # so much is damaged that the rest cannot be checked
                yield str(error)

    @check_arguments
    def write_certificate(self, file: BinaryIO, stop: Stop | None = None) -> None:
        """Write a proof of the answer, which any checker of certificates can check; see docs/certificates.md.

        Raises
        ------
        ProblemError
            If the run does not record nodes, is not complete, or needed no search.
        StoreError
            If the nodes are damaged, or do not prove the answer; then nothing is written.
        """
        if self.status().status not in (Status.COMPLETE, Status.UNSATISFIABLE):
            raise ProblemError("the run is not complete, so there is nothing to certify")
        with self._read() as store:
            certify_run(file, self.problem, self._planned, store, self.goal, stop or Stop())

    def retry_failed(self) -> int:
        """Open the cubes that were set aside; return their number."""
        with self._open_for_work(self._stop) as store:
            return store.retry_failed()

    @contextlib.contextmanager
    def _open_for_work(self, stop: Stop) -> Iterator[Store]:
        """Open the store for writing, as the only process that does so, if what it searches is confirmed."""
        owner = f"{os.getpid()} {socket.gethostname()}\n"
        with contextlib.ExitStack() as held:
            try:
                held.enter_context(hold_lock(self._lock_path, owner, ""))
            except OSError as error:
                holder = self.owner()
                if holder is None and not isinstance(error, BlockingIOError):
                    raise OutputError(f"cannot write {self._lock_path}: {error.strerror or error}") from None
                who = "another process" if holder is None else f"process {holder[0]} on {holder[1]}"
                raise StoreError(f"{self.path}: {who} is already working on this run") from None
            with self._read():  # a damaged or foreign file is left alone
                self._confirm(stop)
            store = held.enter_context(contextlib.closing(Store(self.path, writable=True)))
            self._check_seal(store)
            yield store

    @contextlib.contextmanager
    def _read(self) -> Iterator[Store]:
        """Open the store for reading, if it is still the one of this run."""
        with self._open_reader() as store:
            self._check_seal(store)
            yield store

    @contextlib.contextmanager
    def _open_reader(self) -> Iterator[Store]:
        """Open the file for reading; a stop becomes a StoppedError."""
        try:
            with contextlib.closing(Store(self.path, writable=False, stop=self._stop)) as store:
                yield store
        except Stopped as stopped:
            raise StoppedError(stopped.status) from None

    def _check_seal(self, store: Store) -> None:
        """Raise a StoreError if the file has become the store of another run."""
        if store.facts["seal"] != self._seal:
            raise StoreError(f"{self.path}: the file has been replaced by the store of another run")

    def _confirm(self, stop: Stop) -> PlannedSearch:
        """Make what is searched, or the reason why nothing is, again from the problem, once for each run; return it.

        Raise ``StoreError`` if it is something else, and ``StoppedError`` if the stop asks to end.
        """
        if self._confirmed is not None:
            return self._confirmed
        try:
            self._confirmed = plan_search(self.problem, self.goal, stop)
        except ValueError as error:
            raise StoreError(f"{self.path}: {error}") from None
        except Stopped as stopped:
            raise StoppedError(stopped.status) from None
        return self._confirmed

    @property
    def _planned(self) -> PlannedSearch:
        """The problems to search, by part; the plan is confirmed first."""
        return self._confirm(self._stop)

    @property
    def _lock_path(self) -> Path:
        return Path(f"{os.path.realpath(self.path)}.exactcover-lock")

    def __repr__(self) -> str:
        return f"<Run: {self.problem.name or self.path}, {self.goal.kind}>"


def _pick_engine(name: str, matrix: Matrix) -> str:
    check_engine_name(name)
    for known, engine in ENGINES.items():
        if name in ("auto", known) and engine.find_obstacle(matrix) is None and engine.divides:
            return known
    raise EngineUnavailableError(f"the engine {name!r} cannot divide a search of this problem into cubes")


_WHOLE = (Status.COMPLETE, Status.OPTIMAL, Status.UNSATISFIABLE)


class RunDelivery:
    """The solutions that a run has found so far, delivered one after another; they need not fit into memory.

    All of them are read once before the first is delivered, so that damage is found before anything is written. `seed`
    and `total`, which a :class:`~exactcover.formats.solution_tables.Delivery` has, are None.
    """

    seed: int | None = None
    total: int | None = None

    def __init__(self, run: Run, stop: Stop) -> None:
        self._run, self._stop, self._summary, self._delivered = run, stop, run.status(), 0
        status = self._summary.status
        self.status = Status.INTERRUPTED if status is Status.RUNNING else status  # interrupted if incomplete
        deque(stop.watch(run.solutions()), maxlen=0)

    def positions(self) -> Iterator[tuple[int, ...]]:
        """Yield each solution as the positions of its options."""
        for solution in self._stop.watch(self._run.solutions()):
            self._delivered += 1
            yield solution

    @property
    def statistics(self) -> Statistics:
        """The statistics of the run, with the number of solutions delivered so far."""
        nodes, seconds, forecast = self._summary.nodes, self._summary.seconds, self._summary.forecast
        explored = float(self.status in _WHOLE) if forecast is None else forecast.share
        return Statistics(self._run.engine, "the engine of the run", nodes, self._delivered, explored, seconds)
