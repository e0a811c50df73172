"""Dual prices of items: how much of its cost each option must pay for each of its items.

The dual prices of the linear relaxation bound best what solutions cost. HiGHS finds them in floating point; here they
become whole numbers, and are lowered until no option costs less than the prices of its items. So what follows from them
is exact, whatever HiGHS has returned.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from exactcover.control.memory import reserve_for_library
from exactcover.control.stop import Stop
from exactcover.engines.thread_group import ThreadGroup
from exactcover.model.matrix import Matrix

if TYPE_CHECKING:  # slow to import
    import numpy

_FINEST = 1 << 16  # parts of a unit of cost
_MOST_SUM = 1 << 60  # of the prices of an option
_LARGEST = 1 << 62  # number that does not wrap around
_LARGEST_FLOAT = 1e4  # of the costs that HiGHS sees, because its tolerances are absolute
_LIBRARY_MEMORY = 256 << 20  # bytes of address space


@dataclass(frozen=True, eq=False)
class DualPrices:
    """Dual prices of items, in parts of a unit of cost."""

    scale: int  # the number of parts of a unit
    prices: numpy.ndarray[Any, Any]  # of each item; they may be negative
    reduced_costs: numpy.ndarray[Any, Any]  # of each option, less the prices of its items: at least 0
    paid: int  # the sum of the prices that every solution pays for its items
    shares: numpy.ndarray[Any, Any]  # of each option in the solution of the relaxation, from 0 to 1


def find_prices(matrix: Matrix, stop: Stop, most: int) -> DualPrices:
    """Return prices of the items of a matrix that are covered a fixed number of times.

    All solutions pay the same for these items, so their order by cost is that by the sums of `reduced_costs`. The
    engine ``bounds`` must have no obstacle, and `most` is the highest cost of solutions that matter. Raise
    ``MemoryError`` if there is too little memory for HiGHS.

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

    Prices may be as large as `most`, or larger if they can be so without a coarser scale. The reduced costs of options
    that are not allowed may be negative; None allows all. Of duals, those of items that are covered a fixed number of
    times matter.
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
    basis. Of the basis to begin with, only the options take part; without one, all do. The matrix has options, and
    items that are covered a fixed number of times.
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

    @property
    def value(self) -> float:
        """The cost of the last solution."""
        return float(self._solver.getInfo().objective_function_value) * self._factor

    def solve(self, stop: Stop) -> tuple[Any, Any]:
        """Solve it; return the dual price of each item, and the share of each option."""
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
        threads.wait(stop)
    finally:
        threads.end()


def _make_solver(base: Any) -> Any:
    """Return a solver that prints nothing; by itself, it prints its name as soon as it is made."""

    class SilentSolver(base):  # type: ignore[misc]  # highspy has no types
        def enableCallbacks(self) -> None:  # noqa: N802  # named by highspy
            self.silent()
            super().enableCallbacks()

    return SilentSolver()
