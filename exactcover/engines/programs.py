"""The engines ``highs`` and ``cpsat``: solvers of integer programs, which search in a process of their own.

They are best where items may be covered by ranges of numbers, where what an option costs is hardly related to what it
covers, and where deviations have prices. Each solution is checked. That no solution costs less is what the solver says:
HiGHS computes in floating point, CP-SAT with whole numbers.

A program is solved once per solution, and each solution is excluded from then on. With costs, solutions come in
ascending order of cost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain
from math import ceil
from typing import Any

from exactcover.control.stop import Stop, Stopped
from exactcover.engines.base import Engine, MatrixQuery
from exactcover.engines.cursor import EngineRun
from exactcover.engines.worker_process import WorkerProcess, return_worker, take_worker, wait_for_answer
from exactcover.model.costs import rank_costs
from exactcover.model.linear import LinearModel, Row, state_linear_model
from exactcover.model.matrix import Matrix
from exactcover.steps.step import Imbalance

_MOST_REUSED = 1 << 16  # entries after which a process is not used again, because it keeps its memory
_FEW_SOLUTIONS = 8  # HiGHS begins anew for each
_TOLERANCE = 1e-6  # of bounds in floating point, in parts of the bound
_FINEST = 1 << 32  # parts of a unit of cost
_MOST_SCALE = 12  # by which dual prices are multiplied to make them whole


class ProgramRun(EngineRun):
    """A run that solves one program repeatedly.

    The number of cheapest solutions that are wanted is None for all solutions. They must stay below the ceiling, if
    there is one; one of them may be known.
    """

    nodes = 0

    def __init__(
        self,
        matrix: Matrix,
        stop: Stop,
        engine: ProgramEngine,
        jobs: int = 1,
        wanted: int | None = None,
        ceiling: int | None = None,
        known: Sequence[int] | None = None,
    ) -> None:
        super().__init__()
        self._matrix, self._stop, self._engine, self._jobs, self._wanted = matrix, stop, engine, jobs, wanted
        self._costs: Sequence[int] = () if wanted is None else matrix.costs
        self._ranks = (rank_costs(matrix, engine.most_cost) if self._costs else None) or [(1, ())]
        self._bound, self._best = 0, None if known is None else _sum_up(self._costs, known)
        self._incumbent = None if known is None else tuple(known)  # of the current round
        self._stopped: Stopped | None = None
        self._last: tuple[int, ...] | None = None
        self._model = state_linear_model(matrix, stop)
        self._rows = [*self._model.rows]
        self._ceiling = ceiling
        if ceiling is not None:
            unit, costs = self._ranks[0]
            self._rows.append(_limit(costs, (ceiling - 1) // unit))
        self._is_done = self._is_proved = self._is_owed = False  # the last: whether the process owes an answer
        self._worker: WorkerProcess | None = take_worker(engine.script, engine.title)

    def __next__(self) -> tuple[int, ...]:
        if self._stopped is not None:
            raise self._stopped
        if self._is_done:
            raise StopIteration
        try:
            solution = self._find_next()
        except Stopped as stopped:
            if self._incumbent is None:
                raise
            solution, self._stopped = self._incumbent, stopped
        is_last = solution is None or self._delivered + 1 == self._wanted or not len(self._matrix)
        if is_last and self._stopped is None:
            self._is_done = True
            self.close()
        if solution is None:
            raise StopIteration
        self._delivered += 1
        return solution

    def _find_next(self) -> tuple[int, ...] | None:
        """Return the next solution, of least cost if costs matter; None if there are no more.

        The highest rank is minimized first, and limited to that from then on.
        """
        if self._last is not None:  # without ranges, no solution contains all options of another one
            others = dict.fromkeys(range(len(self._matrix) if self._matrix.multiplicity else 0), -1)
            self._rows.append(Row(others | dict.fromkeys(self._last, 1), None, len(self._last) - 1))
        rows, paid, is_proved = [*self._rows], 0, self._wanted == 1
        for unit, costs in self._ranks:
            found, prices = self._solve(rows, costs, unit, paid)
            if found is None and len(rows) == len(self._rows):
                return None
            if found is None:
                break
            value = _sum_up(costs, found)
            is_proved = is_proved and find_bound(rows, costs, prices) >= value
            rows.append(_limit(costs, value))
            paid += unit * value
        before = _sum_up(self._costs, self._last or ())
        if found is None or _sum_up(self._costs, found) != paid or paid < before:
            raise self._give_up("its answers contradict each other")
        if self._ceiling is not None and paid >= self._ceiling:
            return None
        if not self._delivered:
            self._bound, self._is_proved = paid, is_proved
        self._last, self._incumbent = found, None
        return found

    def _solve(
        self, rows: Sequence[Row], costs: Sequence[int], unit: int, paid: int
    ) -> tuple[tuple[int, ...] | None, Sequence[float]]:
        """Return the best solution of a program, or None, and prices of its rows; note what is found on the way."""
        assert self._worker is not None
        more = {
            "jobs": self._jobs,
            "hint": None if self._incumbent is None else self._model.complete(self._incumbent),
            "presolve": not self._delivered,  # with rows that exclude solutions, it loses some
            "proves": self._wanted == 1,
        }
        self._is_owed = True
        self._worker.send(("solve", _state_program(self._model, rows, costs) | more), answered=True)
        while True:
            kind, value, *others = wait_for_answer(self._worker, self._stop, polls=True)
            if kind == "bound":
                if not self._delivered:
                    least = max(0, ceil(value - _TOLERANCE * max(1.0, abs(value))))
                    self._bound = max(self._bound, paid + unit * least)
                continue
            if kind == "failure":
                raise self._give_up(value)
            found = None if kind == "none" else tuple(value)
            if found is not None and found != self._incumbent and self._matrix.is_solution(found):
                self._note(found)
            elif kind == "best" and found != self._incumbent:
                raise self._give_up("its best solution is none")
            if kind != "solution":
                self.nodes += others[0]
                self._is_owed = False
                return found, others[-1]

    def _give_up(self, why: str) -> MemoryError:
        return MemoryError(f"{self._engine.title} gave up: {why}")

    def _note(self, solution: tuple[int, ...]) -> None:
        """Note a solution, which may be the cheapest of its round so far."""
        cost = _sum_up(self._costs, solution)
        if self._incumbent is None or cost < _sum_up(self._costs, self._incumbent):
            self._incumbent = solution
        self._best = cost if self._best is None else min(self._best, cost)

    @property
    def best(self) -> int | None:
        return None if self._wanted is None else self._best

    @property
    def bound(self) -> int | None:
        return None if self._wanted is None else self._bound

    @property
    def prover(self) -> str:
        return "" if self._is_proved else self._engine.title

    def explored(self) -> float:
        return float(self._is_done)

    def close(self) -> None:
        """End the run; a process that owes no answer waits for another problem."""
        worker, self._worker = self._worker, None
        if worker is not None and self._is_owed:
            worker.end()
        elif worker is not None:
            return_worker(worker, small=len(self._matrix.entries) <= _MOST_REUSED)


def _sum_up(costs: Sequence[int], options: Iterable[int]) -> int:
    return sum([costs[option] for option in options]) if costs else 0


def _limit(costs: Sequence[int], most: int) -> Row:
    """Return the row that limits what a solution costs."""
    return Row({option: cost for option, cost in enumerate(costs) if cost}, None, most)


def _state_program(model: LinearModel, rows: Sequence[Row], costs: Sequence[int] = ()) -> dict[str, Any]:
    """Return a program with some rows as the plain values that a process gets."""
    return {
        "options": model.options,
        "variables": model.variables,
        "costs": [*costs],
        "starts": [*accumulate((len(row.weights) for row in rows), initial=0)],
        "indices": [*chain.from_iterable(row.weights for row in rows)],
        "weights": [*chain.from_iterable(row.weights.values() for row in rows)],
        "lows": [row.low for row in rows],
        "highs": [row.high for row in rows],
    }


def find_bound(rows: Sequence[Row], costs: Sequence[int], prices: Iterable[float]) -> int:
    """Return the bound on the cost of every solution that prices of rows prove, the best one for dual prices.

    Examples
    --------
    >>> pairs = [Row({0: 1, 1: 1}, 1, None), Row({1: 1, 2: 1}, 1, None), Row({0: 1, 2: 1}, 1, None)]
    >>> find_bound(pairs, [2, 2, 2], [1, 1, 1])
    3
    """
    paid, left = 0, Counter(dict(enumerate(cost * _FINEST for cost in costs)))
    for row, share in zip(rows, prices, strict=False):
        price = round(share * _FINEST)
        bound = row.low if price > 0 else row.high
        if price and bound is not None:
            paid += price * bound
            left.subtract({variable: price * weight for variable, weight in row.weights.items()})
    return -(-(paid + sum(min(0, cost) for cost in left.values())) // _FINEST)


def find_imbalance(matrix: Matrix, stop: Stop) -> Imbalance | None:
    """Return weights which prove that the items of a matrix cannot be covered within their bounds, or None.

    HiGHS looks for rows that contradict each other, none of which can be left out. Their dual prices are such weights
    (Farkas). They are rounded to whole numbers, and what they prove is checked.

    References
    ----------
    J. Farkas, "Theorie der einfachen Ungleichungen", *Journal fuer die reine und angewandte Mathematik* 124 (1902).

    Examples
    --------
    >>> from exactcover import Problem
    >>> shifts = {f"{who} {day}": [who, day] for who in ("Ann", "Bob") for day in range(5)}
    >>> matrix = Problem(shifts, multiplicity={"Ann": (0, 2), "Bob": (0, 2)}).matrix
    >>> found = find_imbalance(matrix, Stop())
    >>> found.needed, found.available
    (5, 4)
    """
    model = state_linear_model(matrix, stop)
    rows = [row for row in model.rows if row.item >= 0]
    worker = take_worker(HIGHS.script, HIGHS.title)
    try:
        worker.send(("find_conflict", _state_program(model, rows)), answered=True)
        found: dict[int, float] = wait_for_answer(worker, stop)
    except BaseException:
        worker.end()
        raise
    return_worker(worker, small=len(matrix.entries) <= _MOST_REUSED)
    for scale in range(1, _MOST_SCALE + 1) if found else ():
        weights, rests = dict[int, int](), Counter[int]()
        for place, price in found.items():
            row, weight = rows[place], round(scale * price)
            if (row.low if weight > 0 else row.high) is not None:
                weights[row.item] = weight
                rests.update({option: weight * times for option, times in row.weights.items()})
        options = {option: rest for option, rest in sorted(rests.items()) if rest > 0}
        demands = {item: weight for item, weight in weights.items() if weight > 0}
        limits = {item: -weight for item, weight in weights.items() if weight < 0}
        needed = sum(weight * matrix.bounds(item)[0] for item, weight in demands.items())
        available = sum(weight * matrix.bounds(item)[1] for item, weight in limits.items()) + sum(options.values())
        if needed > available:
            needs, bounds = (
                {matrix.origin(item): weight for item, weight in side.items()} for side in (demands, limits)
            )
            return Imbalance(needs, bounds, options, needed, available)
    return None


class ProgramEngine(Engine):
    """A solver of integer programs."""

    title: str  # of the solver, for messages
    script: str  # calls it; see :mod:`exactcover.engines.worker_main`
    most_cost: int  # the least sum of costs in units, of one rank, for which it is not exact
    takes_weights = True
    has_cursor = False

    def find_obstacle(self, matrix: Matrix) -> str | None:
        is_large = rank_costs(matrix, self.most_cost) is None
        return super().find_obstacle(matrix) or ("its costs are too large" if is_large else None)

    def start(self, query: MatrixQuery) -> EngineRun:
        return ProgramRun(query.matrix, query.stop, self, query.options.jobs, query.goal.cheapest, query.ceiling)


class HighsEngine(ProgramEngine):
    """The branch and bound of HiGHS. Its tolerances are too wide for costs that are large, or must be below a limit."""

    name = "highs"
    title, script, most_cost = "HiGHS", "highs_worker.py", 1 << 30


HIGHS = HighsEngine()

LARGE = 1 << 10
"""The entries from which HiGHS begins at once where it suits; if there are fewer, the work of a search before it."""


def suits_highs(matrix: Matrix, wanted: int) -> bool:
    """Return whether HiGHS is likely to be quicker than other searches for so many of the cheapest solutions."""
    often = any(matrix.capped(item)[1] > 1 for item in matrix.multiplicity)
    return often and wanted <= _FEW_SOLUTIONS and HIGHS.find_obstacle(matrix) is None


class CpSatEngine(ProgramEngine):
    """CP-SAT. It requires OR-Tools (extra ``cpsat``)."""

    name = "cpsat"
    title, script, most_cost = "CP-SAT", "cpsat_worker.py", 1 << 60
    supports = frozenset({"jobs", "within"})
