"""The engine ``bounds``, which finds the cheapest solutions of large problems by prices of items.

The linear relaxation of many problems with costs has solutions that are nearly as cheap as the best one, and its dual
prices show which options such solutions can contain. See :mod:`exactcover.engines.price_search`.
"""

from __future__ import annotations

import exactcover._native  # noqa: F401  # which searches; without it, this engine is missing
from exactcover.control.observers import NOBODY, Observers
from exactcover.control.options import ALL, Goal, SearchOptions
from exactcover.control.stop import Stop
from exactcover.engines.base import Engine
from exactcover.engines.runs import EngineRun
from exactcover.model.matrix import Matrix

__all__ = ["BoundsEngine"]

_MOST_COST = 1 << 46  # of all options together, so that prices fit into 64 bits


class BoundsEngine(Engine):
    """A search by prices. It requires HiGHS."""

    name = "bounds"
    supports = frozenset({"race", "within"})

    def obstacle(self, matrix: Matrix) -> str | None:
        if len(matrix) and not matrix.costs:
            return "it searches only for the cheapest solutions, where options have costs"
        return "its costs are too large" if sum(matrix.costs) >= _MOST_COST else None

    def start(
        self,
        matrix: Matrix,
        stop: Stop,
        options: SearchOptions | None = None,
        goal: Goal = ALL,
        observers: Observers = NOBODY,
    ) -> EngineRun:
        from exactcover.engines.bounds_run import BoundsRun  # seldom needed

        return BoundsRun(matrix, goal.cheapest or 1, stop, is_race=options is not None and options.race)

    def start_below(self, matrix: Matrix, stop: Stop, wanted: int, ceiling: int) -> EngineRun:
        from exactcover.engines.bounds_run import BoundsRun  # seldom needed

        return BoundsRun(matrix, wanted, stop, ceiling)
