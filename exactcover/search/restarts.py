"""Searching for one solution with restarts, each in another random order, with growing budgets.

After a wrong choice near the root, a search may take very long to return there, while another order may lead to a
solution at once. Attempt k may do u L(k) work, where u is a unit and L is Luby's sequence 1, 1, 2, 1, 1, 2, 4, ...
No strategy that knows nothing about the problem is better by more than a constant factor. The budgets grow without
limit, so some attempt can visit the whole tree; then "no solution" is proved, as in any other search. Every other
attempt leaves the items in their order, which often says what belongs together. The unit is small, but for a large
matrix such that most of the time goes into searches, and not into new orders.

References
----------
M. Luby, A. Sinclair, D. Zuckerman, "Optimal speedup of Las Vegas algorithms", Information Processing Letters 47 (1993).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from exactcover.control.observers import NOBODY, Observers
from exactcover.control.options import ALL, SearchOptions
from exactcover.control.statistics import Status
from exactcover.control.stop import InnerStop, Stop, Stopped
from exactcover.engines.base import Engine
from exactcover.engines.runs import EngineRun, SerialRun
from exactcover.model.matrix import Matrix
from exactcover.steps.order import shuffle
from exactcover.steps.step import Lift

__all__ = ["Attempt", "RestartsRun"]

_UNIT = 1 << 13  # of work
_WORK_PER_ENTRY = 36  # of the unit, at least; to shuffle an entry takes about a third of this


class _OverBudgetError(Exception):
    """An attempt has done as much work as it may; never leaves this module."""


class _Budget(InnerStop):
    """Ends an attempt after this much work."""

    def __init__(self, stop: Stop, work: int) -> None:
        super().__init__(stop)
        self._work = work
        self.run: EngineRun | None = None

    def poll(self) -> None:
        super().poll()
        if self.run is not None and self.run.work >= self._work:
            raise _OverBudgetError


def luby(k: int) -> int:
    """Return the k-th number of Luby's sequence, counted from 1.

    Examples
    --------
    >>> [luby(k) for k in range(1, 16)]
    [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    """
    while k & (k + 1):
        k -= (1 << k.bit_length() - 1) - 1
    return (k + 1) // 2


class Attempt:
    """An attempt in one random order.

    Attributes
    ----------
    run
        Its run.
    """

    def __init__(self, run: EngineRun, lift: Lift, budget: _Budget) -> None:
        self.run, self._lift, self._budget = run, lift, budget
        budget.run = run

    def finish(self) -> tuple[int, ...] | None:
        """Return a solution; None if the budget is used up before one is found; raise if there is none."""
        try:
            return tuple(sorted(self._lift(next(self.run))))
        except _OverBudgetError:
            return None
        finally:
            self._budget.run = None  # so that the memory of the attempt is freed at once


class RestartsRun(SerialRun):
    """A run that looks for one solution of a matrix in one random order after another.

    Parameters
    ----------
    engine, matrix, stop
        The engine that makes the attempts, and what it searches.
    options
        The random orders depend only on its seed. Every attempt uses the heuristic ``"weighted"``.
    observers
        Observers of each attempt.
    """

    def __init__(
        self, engine: Engine, matrix: Matrix, stop: Stop, options: SearchOptions, observers: Observers = NOBODY
    ) -> None:
        super().__init__()
        self._engine, self._matrix, self._stop, self._seed = engine, matrix, stop, options.seed or 0
        self._options = dataclasses.replace(options, heuristic="weighted")
        self._observers = observers
        self._attempts = 0

    def __next__(self) -> tuple[int, ...]:
        if self._delivered:
            raise StopIteration
        return self.search_until_found()

    def search_on(self) -> tuple[int, ...] | None:
        """Make another attempt."""
        options = self._options
        if options.nodes is not None:
            if self.nodes >= options.nodes:
                raise Stopped(Status.NODES)
            options = dataclasses.replace(options, nodes=options.nodes - self.nodes)
        self._attempts += 1
        solution = self._make_attempt(self._attempts, options)
        if solution is None:
            super().close()
            return None
        self._delivered = 1
        return solution

    def _make_attempt(self, number: int, options: SearchOptions) -> tuple[int, ...] | None:
        """Return what attempt `number` finds, and let its run be the current one."""
        if self._observers.profile is not None:
            self._observers.profile.clear()
        attempt = self._begin(number, options)
        self._run = attempt.run
        return attempt.finish()

    def _begin(self, number: int, options: SearchOptions) -> Attempt:
        """Return attempt `number`, which depends on nothing but the seed."""
        unit = max(_UNIT, _WORK_PER_ENTRY * len(self._matrix.entries))
        budget = _Budget(self._stop, unit * luby(number))
        shuffled = shuffle(self._matrix, self._seed + number, items=number % 2 == 0)
        run = self._engine.start(shuffled.matrix, budget, options, ALL, self._observers)
        return Attempt(run, shuffled.lift, budget)

    def count(self) -> int:
        raise ValueError("a search with restarts cannot count")

    @property
    def details(self) -> Mapping[str, int | str]:
        details = {} if self._run is None else self._run.details
        return {**details, "attempts": self._attempts}

    def close(self) -> None:
        if self._run is not None:  # the details of the last attempt are read later
            self._run.close()
