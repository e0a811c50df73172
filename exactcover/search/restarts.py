"""Searching for one solution again and again, in other random orders, with growing patience.

A search that has gone astray near the root may take forever to come back, where another order would have had a
solution at once. Attempt k may visit as many nodes as the k-th number of Luby's sequence 1, 1, 2, 1, 1, 2, 4, ...
says, times a unit: within a constant factor nobody does better without knowing the problem. As attempts grow, some
attempt visits the whole tree, so that no solution is a proof as ever.

References
----------
M. Luby, A. Sinclair, D. Zuckerman, "Optimal speedup of Las Vegas algorithms", Information Processing Letters 47 (1993).
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping

from exactcover.control.options import SearchOptions
from exactcover.control.stop import InnerStop, Stop
from exactcover.engines.base import Engine, Run
from exactcover.model.matrix import Matrix
from exactcover.steps.order import shuffle

__all__ = ["RestartsRun"]

_UNIT = 5_000  # nodes


class _SpentError(Exception):
    """An attempt has visited as many nodes as it may; never leaves this module."""


class _Budget(InnerStop):
    """Ends an attempt after so many nodes."""

    def __init__(self, stop: Stop, nodes: int) -> None:
        super().__init__(stop)
        self._nodes = nodes
        self.run: Run | None = None

    def poll(self) -> None:
        super().poll()
        if self.run is not None and self.run.nodes >= self._nodes:
            raise _SpentError


def luby(k: int) -> int:
    """Return the k-th number of Luby's sequence, from 1.

    Examples
    --------
    >>> [luby(k) for k in range(1, 16)]
    [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    """
    while k & (k + 1):
        k -= (1 << k.bit_length() - 1) - 1
    return (k + 1) // 2


class RestartsRun(Run):
    """One solution of a matrix, looked for in one random order after another.

    Parameters
    ----------
    options
        Chance depends on its seed alone. Every attempt branches by the heuristic ``"weighted"``.
    """

    def __init__(self, engine: Engine, matrix: Matrix, stop: Stop, options: SearchOptions) -> None:
        super().__init__()
        self._engine, self._matrix, self._stop, self._seed = engine, matrix, stop, options.seed or 0
        self._options = dataclasses.replace(options, heuristic="weighted")
        self._run: Run | None = None
        self._earlier, self._attempts = 0, 0

    def __next__(self) -> tuple[int, ...]:
        if self._delivered:
            raise StopIteration
        for attempt in itertools.count(1):
            self._attempts = attempt
            budget = _Budget(self._stop, _UNIT * luby(attempt))
            shuffled = shuffle(self._matrix, self._seed + attempt)
            self._run = budget.run = self._engine.start(shuffled.matrix, budget, self._options)
            try:
                solution = next(self._run)
            except _SpentError:
                self._earlier += self._run.nodes
                continue
            self._delivered = 1
            return tuple(sorted(shuffled.lift(solution)))
        raise AssertionError

    def count(self) -> int:
        raise ValueError("a search with restarts cannot count")

    @property
    def nodes(self) -> int:
        return self._earlier + (0 if self._run is None else self._run.nodes)

    def explored(self) -> float:
        return 0.0 if self._run is None else self._run.explored()

    @property
    def details(self) -> Mapping[str, int | str]:
        details = {} if self._run is None else self._run.details
        return {**details, "attempts": self._attempts}

    def close(self) -> None:
        if self._run is not None:
            self._run.close()
