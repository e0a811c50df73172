"""How the work on a run begins: a count of the whole, for a while; then its division into cubes."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from math import inf

from exactcover.control.memory import half_of_free_memory
from exactcover.control.options import Goal, SearchOptions
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy, RunPolicy
from exactcover.control.statistics import Status
from exactcover.control.stop import InnerStop, Stop
from exactcover.counting.direct import DirectCount
from exactcover.counting.scheduler import Scheduler
from exactcover.counting.task import TimedTask
from exactcover.engines.registry import ENGINES
from exactcover.engines.trees import ROOT, SubtreeSearch
from exactcover.model.matrix import Matrix
from exactcover.runs.cube import NodeBuffer, Outcome, mark_subtree
from exactcover.runs.cut import cut, measure_rate
from exactcover.runs.planned import PlannedSearch
from exactcover.runs.scheduler import Forecast
from exactcover.runs.store import Store
from exactcover.runs.summary import RunSummary
from exactcover.runs.worker import make_search, name_worker
from exactcover.version import __version__

__all__ = ["begin"]


def begin(
    store: Store,
    planned: PlannedSearch,
    engine: str,
    goal: Goal,
    workers: int,
    stop: Stop,
    policy: RunPolicy,
    show: Callable[[RunSummary], None] = lambda summary: None,
) -> list[Outcome]:
    """Count a run as a whole, or cut it into cubes, if nothing has been done yet; return what was stored.

    Parameters
    ----------
    store, planned, engine, goal
        The store, and what is searched, by which engine, and what for.
    workers
        The number of workers for which there shall be cubes.
    stop
        Polled often.
    policy
        How long the whole is counted, and how small cubes may be.
    show
        Called with how far the count of the whole has come.

    Raises
    ------
    Stopped
        If `stop` asks for it; nothing is stored then.
    """
    cubes = store.cubes("open")
    if [cube.path for cube in cubes] != [()] or goal.limit == 1:
        return []
    whole = planned.problem_of(None)
    if whole.any_way and engine == "native":
        counted = _count_directly(whole.matrix, policy.direct_seconds, workers, stop, show)
        if counted is not None:
            return _save(store, [counted])
    nodes = NodeBuffer() if whole.records else None

    @cache
    def start(part: int | None) -> SubtreeSearch:
        return make_search(engine, planned.problem_of(part), stop, nodes)

    roots = range(planned.parts) if planned.parts else [None]
    rate = measure_rate(start(None))
    return _save(store, cut(start, roots, workers, rate, stop, nodes, policy))


def _save(store: Store, outcomes: list[Outcome]) -> list[Outcome]:
    store.save([(outcome, __version__) for outcome in outcomes])
    return outcomes


def _count_directly(
    matrix: Matrix,
    seconds: float,
    jobs: int,
    stop: Stop,
    show: Callable[[RunSummary], None],
    policy: CountingPolicy = DEFAULT_POLICY,
) -> Outcome | None:
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
    return Outcome((), mark_subtree(ROOT), *found, worker=name_worker())


def _describe(direct: DirectCount, seconds: float, jobs: int) -> RunSummary:
    """Return how far a count of the whole has come."""
    left, nodes = direct.left(), direct.nodes
    known = left if left < inf else None
    forecast = Forecast(direct.spent / (direct.spent + left), nodes / max(seconds, 1e-9), known, known)
    return RunSummary(Status.RUNNING, direct.solutions, nodes, seconds, 1, 1, 0, 0, jobs, forecast)
