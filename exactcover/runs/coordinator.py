"""The coordinator of a run: hands cubes to an executor, stores what comes back, and tries again what fails."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import suppress
from dataclasses import replace
from math import floor
from pathlib import Path
from queue import Empty
from typing import Any, TextIO

from exactcover.control.options import Goal
from exactcover.control.policy import RunPolicy
from exactcover.control.statistics import Status
from exactcover.control.stop import Stop, Stopped
from exactcover.engines.thread_group import WaitingQueue
from exactcover.errors import OutputError
from exactcover.files.write import open_own
from exactcover.pictures.text import digits, format_count
from exactcover.runs.cube import Cube, CubeOutcome, CubePath, unpack_solutions
from exactcover.runs.cube_scheduler import CubeScheduler
from exactcover.runs.cube_worker import CubeTask, search_cube
from exactcover.runs.executors import LostWorkersError
from exactcover.runs.records import RunProgress, format_path
from exactcover.runs.run_problem import PlannedSearch, RunProblem, SearchProblem
from exactcover.runs.store import RunSummary, Store

_WAIT = 0.1  # seconds between two looks at the stop
_HEARTBEAT = 1.0  # seconds between two notes on the progress
_OVERDUE = 120.0  # seconds after which a cube is reported as waited for; cubes last at most 30, and some wait in turn
_MAX_NAMED = 5  # cubes that are waited for, in a report
_MAX_DEATHS = 10  # of an executor whose processes are shared by all cubes


class Flag:
    """A file beside the store whose existence asks workers to hand back their cubes as soon as possible.

    Every process of this machine sees it, whatever executor started it. Workers of other machines do not; they hand
    back their cubes when their time is over. Each flag has a name of its own, so no other file is ever taken for it.
    """

    def __init__(self, store: Path) -> None:
        self.path = store.with_name(f".exactcover-{secrets.token_hex(8)}").absolute()

    def raise_flag(self) -> None:
        """Ask for the cubes."""
        with suppress(OSError):  # then they come later
            open_own(self.path, new=True).close()

    def remove_after(self, futures: Collection[Future[Any]]) -> None:
        """Remove the file when these futures are done, so that a worker that is late still sees it."""

        def remove_if_done(_: object) -> None:
            if all(future.done() for future in futures):
                with suppress(OSError):
                    self.path.unlink(missing_ok=True)

        remove_if_done(None)
        for future in futures:
            future.add_done_callback(remove_if_done)


class Coordinator:
    """One session of work on a run, by an executor, until nothing is open or `stop` asks to end.

    The log gets a line of JSON for each event. Every few seconds, `show` is called. The limits are those of a cube.
    """

    def __init__(
        self,
        store: Store,
        problem: RunProblem,
        planned: PlannedSearch,
        engine: str,
        goal: Goal,
        scheduler: CubeScheduler,
        executor: Executor,
        stop: Stop,
        log: TextIO | None,
        show: Callable[[RunSummary], None],
        policy: RunPolicy,
        *,
        timeout: float | None,
        memory: int | None,
    ) -> None:
        self._store, self._planned, self._engine, self._goal = store, planned, engine, goal
        self._scheduler, self._executor, self._stop = scheduler, executor, stop
        self._timeout, self._most_memory, self._log, self._show, self._policy = timeout, memory, log, show, policy
        self._totals = store.totals(planned.weight_of)
        self._flag = Flag(store.path)
        # The cube of each future, and how many were submitted before it.
        self._futures: dict[Future[CubeOutcome], tuple[CubePath, int]] = {}
        self._submitted = 0
        self._deaths, self._submitted_at_death, self._last_death = 0, 0, ""
        self._finished: WaitingQueue[Future[CubeOutcome]] = WaitingQueue()
        self._answer = _RunAnswer(problem, planned.whole, goal, store)
        self._memory: dict[str, int] = {}  # of each worker, the one heard of last at the end
        self._next_heartbeat = 0.0

    def work(self, most_submitted: int) -> None:
        """Work, on so many cubes at once, until nothing is open, the goal is reached, or the stop asks to end.

        Raise ``OutputError`` if the store cannot be written, and ``BrokenExecutor`` if the executor is broken for good;
        what was finished by then is stored.
        """
        try:
            while self._stop.status is None and not self._answer.is_known(self._scheduler):
                self._submit(most_submitted)
                if not self._futures:
                    break
                self._take(self._wait_for_some(), most_submitted)
                self._beat()
        finally:
            self._end()

    def _wait_for_some(self) -> list[Future[CubeOutcome]]:
        """Return the futures that are done, after a short wait if there is none."""
        done: list[Future[CubeOutcome]] = []
        with suppress(Empty):
            done.append(self._finished.get(timeout=_WAIT))
            while True:
                done.append(self._finished.get(0))
        return done

    def _submit(self, most: int) -> None:
        while self._scheduler and len(self._futures) < most:
            cube, seconds = self._scheduler.hand_out(time.monotonic())
            future = self._executor.submit(search_cube, self._make_task(cube, seconds))
            self._futures[future] = cube.path, self._submitted
            self._submitted += 1
            future.add_done_callback(self._finished.put)

    def _make_task(self, cube: Cube, seconds: float) -> CubeTask:
        return CubeTask(
            cube,
            self._planned.data_of(self._planned.part_of(cube.path)),
            self._engine,
            listing=self._goal.lists,
            cheapest=self._goal.cheapest or 0,
            ceiling=self._answer.ceiling,
            seconds=seconds,
            timeout=self._timeout,
            memory=self._most_memory,
            flag=str(self._flag.path),
            policy=self._policy,
        )

    def _take(self, done: Iterable[Future[CubeOutcome]], most_submitted: int = 0) -> None:
        """Store the results of futures that are done; workers get new cubes before that, so that they need not wait."""
        outcomes: list[CubeOutcome] = []
        failures: list[tuple[Cube, str, bool]] = []
        for future in done:
            path, number = self._futures.pop(future, (None, 0))
            if path is None:
                continue
            try:
                outcome = future.result()
            except CancelledError:
                self._scheduler.give_back(path)
            except BrokenExecutor as error:
                self._scheduler.give_back(path)
                self._note_death(number, error)
            except Stopped as stopped:  # at the limits of the cube
                failures.append(self._note_failure(path, f"stopped ({stopped.status.value})"))
            except Exception as error:  # whatever happened there, the cube can be searched again
                failures.append(self._note_failure(path, f"{type(error).__name__}: {error}"))
            else:
                if self._scheduler.complete(outcome):
                    outcomes.append(outcome)
                    self._answer.add(outcome)
                    self._add(outcome)
        try:
            self._submit(most_submitted)
        finally:
            self._save(outcomes, failures)
        if self._deaths >= _MAX_DEATHS:
            raise LostWorkersError(f"processes of the executor have died {self._deaths} times; {self._last_death}")

    def _save(self, outcomes: list[CubeOutcome], failures: list[tuple[Cube, str, bool]]) -> None:
        """Store outcomes and failures, and log them."""
        if outcomes or failures:
            self._store.save(outcomes, failures)
        self.log_outcomes(outcomes)
        for cube, reason, final in failures:
            self._write_log("set aside" if final else "failed", cube.path, reason=reason)

    def log_outcomes(self, outcomes: Iterable[CubeOutcome]) -> None:
        for one in outcomes:
            count = one.count if one.count < 1 << 64 else digits(one.count)  # which JSON has no room for
            self._write_log("done", one.path, count=count, nodes=one.nodes, left=len(one.children))

    def _note_death(self, number: int, error: BrokenExecutor) -> None:
        """Count the death of a process that takes many cubes with it, once for all cubes submitted before."""
        if number >= self._submitted_at_death:
            self._deaths, self._submitted_at_death, self._last_death = self._deaths + 1, self._submitted, str(error)
            self._write_log("executor broken", None, reason=str(error))

    def _add(self, outcome: CubeOutcome) -> None:
        """Add an outcome to the totals, which are shown while the run goes on."""
        self._memory.pop(outcome.worker, None)
        self._memory[outcome.worker] = outcome.memory
        if len(self._memory) > self._scheduler.workers:  # one that has ended
            del self._memory[next(iter(self._memory))]
        totals = self._totals
        self._totals = replace(
            totals,
            count=totals.count + outcome.count * self._planned.weight_of(outcome.path),
            nodes=totals.nodes + outcome.nodes,
            seconds=totals.seconds + outcome.seconds,
            done=totals.done + 1,
        )

    def _note_failure(self, path: CubePath, reason: str) -> tuple[Cube, str, bool]:
        cube, final = self._scheduler.fail(path)
        self._totals = replace(self._totals, failed=self._totals.failed + final)
        return cube, reason, final

    def _beat(self) -> None:
        """Note the progress for readers in other processes, and show it."""
        now = time.monotonic()
        if now < self._next_heartbeat:
            return
        self._next_heartbeat = now + _HEARTBEAT
        progress = RunProgress(
            len(self._scheduler.searched),
            self._scheduler.workers,
            sum(self._memory.values()),
            self._scheduler.forecast(now),
            tuple(self._list_waits(now)),
        )
        self._store.set_progress(progress)
        totals = self._totals
        self._show(
            RunSummary(
                Status.RUNNING,
                floor(totals.count),
                totals.nodes,
                totals.seconds,
                self._scheduler.open + progress.searched,
                progress.searched,
                totals.done,
                totals.failed,
                progress.workers,
                progress.forecast,
                memory=progress.memory,
                waits=progress.waits,
            )
        )

    def _list_waits(self, now: float) -> list[str]:
        """Return sentences about cubes that should have come back; the oldest first."""
        searched = sorted((start, path) for path, (_, start) in self._scheduler.searched.items())
        late = [(start, path) for start, path in searched if now - start > _OVERDUE]
        waits = [f"cube {format_path(path)}, for {now - start:.0f} seconds" for start, path in late[:_MAX_NAMED]]
        return waits + ([format_count(len(late) - _MAX_NAMED, "other cube")] if len(late) > _MAX_NAMED else [])

    def _end(self) -> None:
        """Let workers hand back what they search, and store it."""
        for future in self._futures:
            future.cancel()
        self._flag.raise_flag()
        done, late = wait(self._futures, timeout=self._policy.hand_back_seconds)
        try:
            self._take(done)
            self._store.set_progress(None)
        finally:
            self._flag.remove_after(late)

    def _write_log(self, event: str, path: CubePath | None, **values: object) -> None:
        if self._log is None:
            return
        cube = {} if path is None else {"cube": format_path(path)}
        try:
            self._log.write(json.dumps({"time": round(time.time(), 3), "event": event, **cube, **values}) + "\n")
            self._log.flush()
        except OSError as error:
            raise OutputError(f"cannot write the log: {error.strerror or error}") from None


class _RunAnswer:
    """The known part of the answer before all cubes are done: the end of a limited listing, a bound on costs."""

    def __init__(self, problem: RunProblem, searched: SearchProblem, goal: Goal, store: Store) -> None:
        self._goal = goal
        self._counts: dict[CubePath, int] = {}
        self._options = len(problem.matrix)
        self._costs: dict[tuple[int, ...], int] = {}
        self._cost_of = dict(zip(searched.positions, searched.matrix.costs, strict=False))
        if goal.cheapest is not None:
            for _, solution in store.solutions(len(problem.matrix)):
                self._add_cost(solution)
        if goal.limit is not None:
            self._counts = {record.cube.path: record.count for record in store.records("WHERE state = 'done'")}

    @property
    def ceiling(self) -> int | None:
        """The cost that further solutions must stay below; None if there is no such limit."""
        number = self._goal.cheapest
        return None if number is None or len(self._costs) < number else max(self._costs.values())

    def add(self, outcome: CubeOutcome) -> None:
        if self._goal.limit is not None:
            self._counts[outcome.path] = outcome.count
        if self._goal.cheapest is not None:
            for block in outcome.blocks:
                for solution in unpack_solutions(block, self._options):
                    self._add_cost(solution)

    def _add_cost(self, solution: tuple[int, ...]) -> None:
        self._costs[solution] = sum(self._cost_of.get(option, 0) for option in solution)
        if len(self._costs) > (self._goal.cheapest or 0):
            del self._costs[max(self._costs, key=self._costs.__getitem__)]

    def is_known(self, scheduler: CubeScheduler) -> bool:
        """Return whether a limited listing has all its solutions: as many come before the first cube that is left."""
        if self._goal.limit is None:
            return False
        first = scheduler.first_left()
        return first is None or sum(n for path, n in self._counts.items() if path < first) >= self._goal.limit
