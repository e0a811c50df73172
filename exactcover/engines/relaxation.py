"""Dual prices of items: how much of its cost each option must pay for each of its items.

The dual prices of the linear relaxation bound best what solutions cost. HiGHS finds them in floating point; here they
become whole numbers, and are lowered until no option costs less than the prices of its items. So what follows from them
is exact, whatever HiGHS has returned.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx

from exactcover.control.memory import reserve_for_library
from exactcover.control.stop import Stop
from exactcover.engines.thread_group import ThreadGroup
from exactcover.model.matrix import Matrix
from exactcover.steps.step import Imbalance

if TYPE_CHECKING:  # slow to import
    import numpy

__all__ = [
    "Basis",
    "DualPrices",
    "Relaxation",
    "bound_by_rows",
    "find_imbalance",
    "find_prices",
    "make_exact",
    "narrow",
]

_FINEST = 1 << 16  # parts of a unit of cost
_MOST_SUM = 1 << 60  # of the prices of an option
_LARGEST = 1 << 62  # number that does not wrap around
_LARGEST_FLOAT = 1e4  # of the costs that HiGHS sees, because its tolerances are absolute
_POLL_SECONDS = 0.01  # between two polls of the stop
_MOST_SCALE = 12  # by which dual prices are multiplied to make them whole
_LIBRARY_MEMORY = 256 << 20  # bytes of address space


@dataclass(frozen=True, eq=False)
class DualPrices:
    """Dual prices of items, in parts of a unit of cost.

    Attributes
    ----------
    scale
        The number of parts of a unit.
    prices
        The price of each item. It may be negative.
    reduced_costs
        The cost of each option, less the prices of its items: at least 0.
    paid
        The sum of the prices that every solution pays for its items.
    shares
        The value of each option in the solution of the relaxation, from 0 to 1.
    """

    scale: int
    prices: numpy.ndarray[Any, Any]
    reduced_costs: numpy.ndarray[Any, Any]
    paid: int
    shares: numpy.ndarray[Any, Any]


def find_prices(matrix: Matrix, stop: Stop, most: int) -> DualPrices:
    """Return prices of the items of a matrix that are covered a fixed number of times.

    All solutions pay the same for these items, so their order by cost is that by the sums of `reduced_costs`.

    Parameters
    ----------
    matrix
        The matrix, for which the engine ``bounds`` has no obstacle.
    stop
        Polled often.
    most
        The highest cost of solutions that matter.

    Raises
    ------
    Stopped
        If `stop` asks for it.
    MemoryError
        If there is too little memory for HiGHS.

    References
    ----------
    R. E. Marsten, "An algorithm for large set partitioning problems", *Management Science* 20 (1974).
    """
    reserve_for_library("HiGHS", _LIBRARY_MEMORY)
    penalty = 4 * most + 1  # so that bounds soon exceed `most` where items cannot be covered
    if not len(matrix) or not _list_covers(matrix).any():
        return make_exact(matrix, [0.0] * matrix.items, [0.0] * len(matrix), penalty)
    return make_exact(matrix, *Relaxation(matrix, penalty).solve(stop), penalty)


def make_exact(
    matrix: Matrix,
    duals: Sequence[float],
    shares: Sequence[float],
    most: int,
    allowed: numpy.ndarray[Any, Any] | None = None,
) -> DualPrices:
    """Return valid prices from any numbers, the better the nearer these are to the dual prices of the relaxation.

    Parameters
    ----------
    matrix
        The matrix.
    duals
        A number for each item, which matters only for items that are covered a fixed number of times.
    shares
        A number for each option.
    most
        DualPrices may be as large as this, or larger if they can be so without a coarser scale.
    allowed
        The options that solutions may contain; the reduced costs of others may be negative. None for all.
    """
    import numpy

    starts, entries = numpy.frombuffer(matrix.starts, numpy.int64), numpy.frombuffer(matrix.entries, numpy.int32)
    costs, covers = numpy.array(matrix.costs, numpy.int64), _list_covers(matrix)
    width = int(numpy.diff(starts).max(initial=1))
    wished = numpy.where(covers > 0, numpy.nan_to_num(duals), 0.0)
    largest = float(numpy.abs(wished).max(initial=0.0))
    # Dual prices of both signs may be large where little is left.
    most = max(most, int(min(largest + 1, _MOST_SUM // (width * _FINEST))))
    scale = max(1, min(_FINEST, _MOST_SUM // (width * most)))
    if largest > most:  # a share of valid prices is valid, too, as no cost is negative
        wished = wished * (most / largest)
    prices = numpy.floor(numpy.clip(wished, -most, most) * scale).astype(numpy.int64)

    def find_reduced_costs() -> Any:
        sums = numpy.concatenate([[0], numpy.cumsum(prices[entries])])  # may wrap around, but differences are right
        return costs * scale - (sums[starts[1:]] - sums[starts[:-1]])

    reduced_costs = find_reduced_costs()
    negative = numpy.flatnonzero(reduced_costs < 0 if allowed is None else (reduced_costs < 0) & allowed)
    if len(negative):
        priced = covers[entries] > 0
        before = numpy.concatenate([[0], numpy.cumsum(priced)])
        first = entries[numpy.flatnonzero(priced)[before[starts[negative]]]]  # item of each option that has a price
        excess = numpy.zeros(matrix.items, numpy.int64)
        numpy.maximum.at(excess, first, -reduced_costs[negative])
        prices -= excess
        if int(numpy.abs(prices).max()) > _LARGEST // (2 * width):  # sums might be wrong
            prices = numpy.zeros(matrix.items, numpy.int64)
        reduced_costs = find_reduced_costs()
    paid = sum(price * cover for price, cover in zip(prices.tolist(), covers.tolist(), strict=True))
    return DualPrices(scale, prices, reduced_costs, paid, numpy.asarray(shares))


def _list_covers(matrix: Matrix) -> numpy.ndarray[Any, Any]:
    """Return how often each item is covered; 0 for those for which that may vary."""
    import numpy

    covers = numpy.zeros(matrix.items, numpy.int64)
    covers[: matrix.primary] = 1
    for item in matrix.multiplicity:
        low, high = matrix.capped(item)
        covers[item] = low if low == high else 0
    return covers


class Basis(NamedTuple):
    """The basis of a solution: the options that took part, and the basis of HiGHS."""

    options: numpy.ndarray[Any, Any]
    basis: Any


class Relaxation:
    """The linear relaxation of a matrix, in which an item may also be covered by paying a penalty.

    It can be solved again and again for some of the options; each time, HiGHS goes on from where it ended, or from a
    basis.

    Parameters
    ----------
    matrix
        The matrix, which has options and items that are covered a fixed number of times.
    penalty
        The cost of covering an item without an option.
    start
        The basis to begin with; only its options take part. None for all.
    """

    def __init__(self, matrix: Matrix, penalty: int, start: Basis | None = None) -> None:
        import highspy
        import numpy

        starts, entries = numpy.frombuffer(matrix.starts, numpy.int64), numpy.frombuffer(matrix.entries, numpy.int32)
        covers = _list_covers(matrix)
        self._priced, self._size = covers > 0, len(matrix)
        self._options = numpy.arange(len(matrix)) if start is None else start.options
        kept, items = self._priced[entries], int(self._priced.sum())
        if start is not None:
            takes_part = numpy.zeros(len(matrix), bool)
            takes_part[self._options] = True
            kept &= numpy.repeat(takes_part, numpy.diff(starts))
        before = numpy.concatenate([[0], numpy.cumsum(kept)])
        self._factor = factor = max(1.0, max(matrix.costs) / _LARGEST_FLOAT)
        program = highspy.HighsLp()
        program.num_row_, program.num_col_ = items, len(self._options) + items
        costs = numpy.array(matrix.costs, float)[self._options]
        program.col_cost_ = numpy.concatenate([costs, numpy.full(items, float(penalty))]) / factor
        program.col_lower_ = numpy.zeros(program.num_col_)
        program.col_upper_ = numpy.full(program.num_col_, highspy.kHighsInf)
        program.row_lower_ = program.row_upper_ = covers[self._priced].astype(float)
        columns = program.a_matrix_
        columns.format_ = highspy.MatrixFormat.kColwise
        ends = before[-1] + numpy.arange(items + 1)
        columns.start_ = numpy.concatenate([before[starts[self._options]], ends]).astype(numpy.int32)
        columns.index_ = numpy.concatenate([(numpy.cumsum(self._priced) - 1)[entries[kept]], numpy.arange(items)])
        columns.value_ = numpy.ones(len(columns.index_))
        self._solver = solver = _make_solver(highspy.Highs)
        solver.passModel(program)
        if start is not None:
            solver.setBasis(start.basis)
        self._all = numpy.arange(len(self._options), dtype=numpy.int32)
        self._infinity = highspy.kHighsInf

    def allow(self, allowed: numpy.ndarray[Any, Any], basis: Basis | None = None) -> None:
        """Allow these options of those that take part, and go on from a basis of this relaxation."""
        import numpy

        upper = numpy.where(allowed[self._options], self._infinity, 0.0)
        self._solver.changeColsBounds(len(self._all), self._all, numpy.zeros(len(self._all)), upper)
        if basis is not None:
            self._solver.setBasis(basis.basis)

    @property
    def basis(self) -> Basis:
        """The basis of the last solution, for :meth:`allow`."""
        return Basis(self._options, self._solver.getBasis())

    def exclude(self, clique: Sequence[int]) -> None:
        """Allow no more than one of these options."""
        import numpy

        options = numpy.array(clique, numpy.int32)
        self._solver.addRow(-self._infinity, 1.0, len(options), options, numpy.ones(len(options)))

    @property
    def value(self) -> float:
        """The cost of the last solution."""
        return float(self._solver.getInfo().objective_function_value) * self._factor

    @property
    def prices_of_cliques(self) -> Sequence[float]:
        """The dual prices of what :meth:`exclude` has added, which are not positive; 0 if they are not known."""
        solution, items = self._solver.getSolution(), int(self._priced.sum())
        cliques = self._solver.getNumRow() - items
        return list(solution.row_dual)[items:] if solution.dual_valid else [0.0] * cliques

    def solve(self, stop: Stop) -> tuple[Any, Any]:
        """Solve it.

        Returns
        -------
        tuple
            The dual price of each item, and the share of each option.

        Raises
        ------
        Stopped
            If `stop` asks for it.
        """
        import numpy

        _run(self._solver, stop)
        solution, duals, shares = self._solver.getSolution(), numpy.zeros(len(self._priced)), numpy.zeros(self._size)
        if not (solution.value_valid and solution.dual_valid):
            return duals, shares
        duals[self._priced] = numpy.array(solution.row_dual)[: int(self._priced.sum())] * self._factor
        shares[self._options] = numpy.array(solution.col_value)[: len(self._options)]
        return duals, shares


def narrow(basis: Basis, allowed: numpy.ndarray[Any, Any]) -> Basis:
    """Return a basis in which only those options take part that are allowed, or that the basis needs."""
    import highspy
    import numpy

    columns, size = basis.basis.col_status, len(basis.options)
    basic = highspy.HighsBasisStatus.kBasic
    kept = numpy.flatnonzero(allowed[basis.options] | numpy.array([status == basic for status in columns[:size]], bool))
    smaller = highspy.HighsBasis()
    smaller.valid, smaller.row_status = True, basis.basis.row_status
    smaller.col_status = [*(columns[place] for place in kept.tolist()), *columns[size:]]
    return Basis(basis.options[kept], smaller)


def bound_by_rows(matrix: Matrix, stop: Stop) -> tuple[float, int]:
    """Return bounds on the cost of every solution from the rows of all items, also of those with ranges.

    Returns
    -------
    tuple
        The least cost of the relaxation, in floating point, infinity if it has no solution; and a bound in whole
        numbers that dual prices prove.

    Raises
    ------
    Stopped
        If `stop` asks for it.

    Examples
    --------
    >>> from exactcover import Problem
    >>> sets = Problem({"A": [1, 2], "B": [2, 3], "C": [1, 3]}, multiplicity=dict.fromkeys([1, 2, 3], (1, None)))
    >>> bound_by_rows(replace(sets.matrix, costs=[2, 2, 2]), Stop())
    (3.0, 3)
    """
    value, duals = _solve_rows(matrix, matrix.costs, stop)
    scale = _FINEST
    prices = [int(scale * dual) for dual in duals]
    bounds = (matrix.bounds(item) if item < matrix.primary else (0, 1) for item in range(matrix.items))
    paid = sum(price * (low if price > 0 else high) for price, (low, high) in zip(prices, bounds, strict=True))
    sums = [*accumulate((prices[item] for item in matrix.entries), initial=0)]
    ends = (sums[end] - sums[begin] for begin, end in pairwise(matrix.starts))
    paid += sum(min(0, scale * cost - weight) for cost, weight in zip(matrix.costs, ends, strict=True))
    return value, -(-max(0, paid) // scale)


def find_imbalance(matrix: Matrix, stop: Stop) -> Imbalance | None:
    """Return weights which prove that the items of a matrix cannot be covered within their bounds, or None.

    The relaxation in which each row may be missed at a price of 1 has dual prices from -1 to 1. Where it misses
    something, they are such weights (Farkas). They are rounded to whole numbers, and what they prove is checked.

    Raises
    ------
    Stopped
        If `stop` asks for it.

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
    reserve_for_library("HiGHS", _LIBRARY_MEMORY)
    _, weights = _solve_rows(matrix, None, stop)
    for scale in range(1, _MOST_SCALE + 1):
        whole = [round(scale * weight) for weight in weights]
        proofs = [one for one in _weigh_parts(matrix, whole, stop) if one.needed > one.available]
        if proofs:
            least = min(proofs, key=lambda one: (len(one.demands) + len(one.limits), sorted(one.demands)))
            demands, limits = (_number_by_origin(matrix, side) for side in (least.demands, least.limits))
            return replace(least, demands=demands, limits=limits)
    return None


def _number_by_origin(matrix: Matrix, weights: Mapping[int, int]) -> dict[int, int]:
    return {matrix.origin(item): weight for item, weight in weights.items()}


def _solve_rows(matrix: Matrix, costs: Sequence[int] | None, stop: Stop) -> tuple[float, Sequence[float]]:
    """Solve the relaxation with the rows of all items, in which any colors meet.

    Parameters
    ----------
    matrix
        The matrix.
    costs
        The costs of its options; None to minimize by how much rows are missed.
    stop
        Polled often.

    Returns
    -------
    tuple
        The least cost, infinity if there is no solution; and the dual price of each item, 0 if it is not known or the
        item has colors.
    """
    import highspy
    import numpy

    options, items, misses = len(matrix), matrix.items, 0 if costs is not None else 2 * matrix.items
    colored = numpy.zeros(items, bool)
    colored[numpy.array(matrix.entries)[numpy.array(matrix.colors) > 0]] = True
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = options + misses, items
    program.col_cost_ = numpy.concatenate([numpy.array(costs or [0] * options, float), numpy.ones(misses)])
    program.col_lower_ = numpy.zeros(program.num_col_)
    program.col_upper_ = numpy.concatenate([numpy.ones(options), numpy.full(misses, highspy.kHighsInf)])
    rows = [matrix.capped(item) if item < matrix.primary else (0, 1) for item in range(items)]
    program.row_lower_ = numpy.array([low for low, _ in rows], float)
    program.row_upper_ = numpy.where(colored, highspy.kHighsInf, numpy.array([high for _, high in rows], float))
    columns = program.a_matrix_
    columns.format_ = highspy.MatrixFormat.kColwise
    starts, entries = numpy.frombuffer(matrix.starts, numpy.int64), numpy.array(matrix.entries, numpy.int32)
    times = numpy.ones(len(entries))
    if matrix.weighted:
        covers = [Counter(item for item, _ in matrix.option(option)) for option in range(options)]
        starts = numpy.cumsum([0, *map(len, covers)])
        entries = numpy.array([item for one in covers for item in one], numpy.int32)
        times = numpy.array([often for one in covers for often in one.values()], float)
    columns.start_ = numpy.concatenate([starts, starts[-1] + numpy.arange(1, misses + 1)]).astype(numpy.int32)
    columns.index_ = numpy.concatenate([entries, numpy.arange(misses, dtype=numpy.int32) // 2])
    columns.value_ = numpy.concatenate([times, 1.0 - 2 * (numpy.arange(misses) % 2)])
    solver = _make_solver(highspy.Highs)
    solver.passModel(program)
    _run(solver, stop)
    solution = solver.getSolution()
    is_solved = solver.getModelStatus() in (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kModelEmpty)
    value = float(solver.getInfo().objective_function_value) if is_solved else inf
    duals = numpy.where(colored, 0.0, solution.row_dual) if is_solved and solution.dual_valid else numpy.zeros(items)
    return value, duals.tolist()


def _weigh_parts(matrix: Matrix, weights: list[int], stop: Stop) -> Iterator[Imbalance]:
    """Yield what weights of items say of each connected part, where options connect the items that weigh something."""
    graph: Any = networkx.Graph()
    graph.add_nodes_from(item for item, weight in enumerate(weights) if weight)
    heavy: dict[int, dict[int, int]] = {}  # for an item, the options that weigh more than 0
    for option in stop.watch(range(len(matrix))):
        items = [item for item, _ in matrix.option(option) if weights[item]]
        graph.add_edges_from(pairwise(items))
        weight = sum(weights[item] for item in items)
        if weight > 0:
            heavy.setdefault(items[0], {})[option] = weight
    for part in networkx.connected_components(graph):
        items = sorted(part)
        bounds = {item: matrix.bounds(item) if item < matrix.primary else (0, 1) for item in items}
        demands = {item: weights[item] for item in items if weights[item] > 0}
        limits = {item: -weights[item] for item in items if weights[item] < 0}
        options = {option: weight for item in items for option, weight in heavy.get(item, {}).items()}
        needed = sum(weight * bounds[item][0] for item, weight in demands.items())
        available = sum(weight * bounds[item][1] for item, weight in limits.items()) + sum(options.values())
        yield Imbalance(demands, limits, options, needed, available)


def _run(solver: Any, stop: Stop) -> None:
    """Run a solver in a thread, so that a stop is obeyed; raise ``Stopped`` then."""
    solver.setOptionValue("threads", 1)
    solver.HandleUserInterrupt = True
    ended = threading.Event()

    def run() -> None:
        try:
            solver.run()
        finally:
            ended.set()

    def cancel() -> None:
        if not ended.is_set():  # else the next run would be cancelled
            solver.cancelSolve()

    threads = ThreadGroup(cancel)
    threads.start([run])
    try:
        while threads.is_alive():
            stop.poll()
            threads.join(_POLL_SECONDS)
    finally:
        threads.end()


def _make_solver(base: Any) -> Any:
    """Return a solver that prints nothing; by itself, it prints its name as soon as it is made."""

    class SilentSolver(base):  # type: ignore[misc]  # highspy has no types
        def enableCallbacks(self) -> None:  # noqa: N802  # named by highspy
            self.silent()
            super().enableCallbacks()

    return SilentSolver()
