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

_MOST_FAVOR = 3  # how much more than its share a search that learns may get if items have few options
_OTHER_SHARES = 3  # what the shares of other ways to find a solution add up to, at least


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

    def learn(name: str, *, bounded: bool, begins: int, share: float, entry: int, propagation: int) -> Finder:
        cost, options_per_item = entry * size, size / max(1, matrix.items)
        share *= min(_MOST_FAVOR, policy.learned_degree / max(1, options_per_item))
        start = partial(LearningEngine(bounded=bounded).start, matrix, stop)
        begins = max(begins, int(cost * (1 + _OTHER_SHARES / share)))
        return Finder(name, start, begins, lambda run: cost + propagation * run.work, share)

    cost_of_attempt = policy.work_per_shuffled_entry * size

    def count_restarts(run: EngineRun) -> int:
        return run.work + cost_of_attempt * int(run.details["attempts"])

    begins, count_work = policy.restarts_begin, attrgetter("work")
    leftmost = partial(start, heuristic="leftmost")
    finders = [
        Finder("search", start, -1, count_work, is_tree=True),
        Finder("leftmost", leftmost, begins, count_work, policy.leftmost_share, is_tree=True),
        Finder("restarts", restart, max(begins, cost_of_attempt), count_restarts),
    ]
    if learning is not None and size <= policy.most_learned_entries and learning.obstacle(matrix) is None:
        finders += [
            learn(
                "bounded learning",
                bounded=True,
                begins=policy.bounded_begins,
                share=policy.bounded_share,
                entry=policy.work_per_bounded_entry,
                propagation=policy.work_per_bounded_propagation,
            ),
            learn(
                "learning",
                bounded=False,
                begins=policy.learning_begins,
                share=policy.learning_share,
                entry=policy.work_per_learned_entry,
                propagation=policy.work_per_propagation,
            ),
        ]
    return sorted(finders, key=attrgetter("begins"))
