"""The ways to find one solution, with their shares of the work; :mod:`exactcover.search.finding` gives them turns."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any

from exactcover.control.stop import Stop
from exactcover.engines.base import Engine
from exactcover.engines.learning import LearningEngine
from exactcover.engines.registry import ENGINES
from exactcover.engines.runs import EngineRun
from exactcover.model.matrix import Matrix
from exactcover.search.finding import Finder
from exactcover.search.query import Query
from exactcover.search.restarts import RestartsRun
from exactcover.search.restarts_threads import ThreadedRestartsRun

__all__ = ["list_ways"]


def list_ways(query: Query, engine: Engine, matrix: Matrix, stop: Stop) -> list[Finder]:
    """Return the ways to find one solution; making a matrix anew, or clauses, counts as work, too.

    Threads beyond one for each way make attempts with further random orders ahead of time.
    """
    size = len(matrix.entries)
    options, policy, learning = replace(query.options, jobs=1), query.policy, ENGINES.get("learning")

    def start(**changes: Any) -> EngineRun:
        return engine.start(matrix, stop, replace(options, **changes), query.goal)

    def restart() -> EngineRun:
        own, threads = replace(options, restarts=True), query.options.jobs - len(finders)
        if threads > 0:
            return ThreadedRestartsRun(engine, matrix, stop, own, threads)
        return RestartsRun(engine, matrix, stop, own)

    def learn(name: str, begins: int, share: float, entry: int, propagation: int) -> Finder:
        start = partial(LearningEngine(bounded=name != "learning").start, matrix, stop)
        return Finder(name, start, max(begins, entry * size), lambda run: propagation * run.work, share)

    cost_of_attempt = policy.work_per_shuffled_entry * size

    def count_restarts(run: EngineRun) -> int:
        return run.work + cost_of_attempt * int(run.details["attempts"])

    begins, count_work = policy.restarts_begin, attrgetter("work")
    leftmost = partial(start, heuristic="leftmost")
    finders = [
        Finder("search", start, 0, count_work),
        Finder("leftmost", leftmost, begins, count_work, policy.leftmost_share),
        Finder("restarts", restart, max(begins, cost_of_attempt), count_restarts),
    ]
    if learning is None or size > policy.most_learned_entries or learning.obstacle(matrix) is not None:
        return finders
    share, entry, propagation = 1.0, policy.work_per_bounded_entry, policy.work_per_bounded_propagation
    if not any(matrix.colors):  # which only clauses let a solver decide on first
        share -= policy.bounded_share
        finders.append(learn("bounded learning", policy.bounded_begins, policy.bounded_share, entry, propagation))
    entry, propagation = policy.work_per_learned_entry, policy.work_per_propagation
    return [*finders, learn("learning", policy.learning_begins, share, entry, propagation)]
