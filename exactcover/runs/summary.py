"""The progress of a run, read from its store alone."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from math import floor

from exactcover.control.options import Goal
from exactcover.control.statistics import Status
from exactcover.errors import StoreError
from exactcover.model.costs import Cost
from exactcover.pictures.text import digits
from exactcover.runs.cube_scheduler import Forecast
from exactcover.runs.run_problem import PlannedSearch, RunProblem
from exactcover.runs.store import Store

__all__ = ["RunSummary", "summarize"]


@dataclass(frozen=True)
class RunSummary:
    """The state of a run, and the known part of its answer.

    Attributes
    ----------
    status
        ``COMPLETE``, ``UNSATISFIABLE``, ``OPTIMAL`` or ``LIMIT`` if the answer is known, else ``RUNNING``.
    solutions
        The number of solutions found so far; of a limited listing or of the cheapest ones, those that are the answer.
    nodes, seconds
        The number of nodes visited, and the seconds that all workers together have searched.
    open, searched, done, failed
        The numbers of cubes: open in all, being searched at the moment, done, and set aside.
    workers
        The number of workers at work now; 0 if there is no coordinator.
    forecast
        The estimated progress, if there is a coordinator and it knows; else None.
    digest
        A hash that two runs of one problem share if they have the same answer; None if the answer is not known.
    memory
        The number of bytes that the workers held when they last reported; 0 if there is no coordinator.
    reasons
        The reasons why cubes were set aside, or why there is no solution.
    waits
        Cubes that are waited for much longer than usual, as sentences, if there is a coordinator.
    best, bound
        If the cheapest solutions are searched for: the cost of the incumbent, and the lower bound on the cost of every
        solution. None if that is not known, or costs do not matter.
    """

    status: Status
    solutions: int
    nodes: int
    seconds: float
    open: int
    searched: int
    done: int
    failed: int
    workers: int = 0
    forecast: Forecast | None = None
    digest: str | None = None
    memory: int = 0
    reasons: tuple[str, ...] = ()
    waits: tuple[str, ...] = ()
    best: Cost | None = None
    bound: Cost | None = None


def summarize(store: Store, goal: Goal, problem: RunProblem, planned: PlannedSearch, *, alive: bool) -> RunSummary:
    """Return how far a run has come; `alive` says whether a coordinator works on it.

    Raises
    ------
    StoreError
        If the store is damaged.
    """
    totals = store.totals(planned.weight_of)
    if bool(totals.cubes) != (problem.reason is None):
        raise StoreError(f"{store.path}: the cubes are not those of the problem")
    solutions = _count_answer(store, goal, floor(totals.count), len(problem.matrix))
    left = totals.open + totals.failed
    status = Status.RUNNING
    if goal.limit is not None and solutions >= goal.limit:
        status = Status.LIMIT
    elif left == 0:
        complete = Status.OPTIMAL if solutions == goal.cheapest else Status.COMPLETE
        status = complete if solutions else Status.UNSATISFIABLE
    progress = store.progress() if alive else None
    best = _find_best(store, problem) if goal.cheapest is not None else None
    bound = None
    if goal.cheapest is not None and problem.reason is None:
        bound = best if status is not Status.RUNNING else problem.least_cost
        bound = bound if best is None or bound is None else min(best, bound)
    reasons = [problem.reason] if problem.reason is not None else store.reasons()
    return RunSummary(
        status,
        solutions,
        totals.nodes,
        totals.seconds,
        totals.open,
        progress.searched if progress else 0,
        totals.done,
        totals.failed,
        progress.workers if progress else 0,
        progress.forecast if progress else None,
        None if status is Status.RUNNING else _digest(problem, goal, solutions, totals.digest),
        progress.memory if progress else 0,
        tuple(reasons),
        progress.waits if progress else (),
        best,
        bound,
    )


def _find_best(store: Store, problem: RunProblem) -> Cost | None:
    """Return the cost of the cheapest solution found."""
    return min((problem.cost_of(solution) for _, solution in store.solutions(len(problem.matrix))), default=None)


def _count_answer(store: Store, goal: Goal, count: int, options: int) -> int:
    """Return the number of solutions that are part of the answer."""
    if goal.cheapest is not None:
        return min(goal.cheapest, len({solution for _, solution in store.solutions(options)}))
    if goal.limit is None:
        return count
    first = store.first_left()
    records = store.records("WHERE state = 'done'")
    before = sum(record.count for record in records if first is None or record.cube.path < first)
    return min(goal.limit, before)


def _digest(problem: RunProblem, goal: Goal, solutions: int, digest: int) -> str:
    """Return a hash of the answer; the listed solutions enter it where the answer is the set of all of them."""
    listed = digest if goal.kind == "all" else 0
    stated = solutions if solutions < 1 << 64 else digits(solutions)  # JSON has no room for thousands of digits
    parts = [problem.key, goal.kind, goal.number, stated, listed]
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).hexdigest()
