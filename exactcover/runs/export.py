"""The solutions of a run, as writers of solutions take them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from exactcover.control.statistics import Statistics, Status
from exactcover.control.stop import Stop
from exactcover.runs.run import Run

__all__ = ["RunDelivery"]

_WHOLE = (Status.COMPLETE, Status.OPTIMAL, Status.UNSATISFIABLE)


class RunDelivery:
    """The solutions that a run has found so far, delivered one after another; they need not fit into memory.

    All of them are read once before the first is delivered, so that damage is found before anything is written.

    Attributes
    ----------
    status
        The status of the run; interrupted, if it is not complete.
    seed, total
        None; see :class:`~exactcover.formats.solution_tables.Delivery`.
    """

    seed: int | None = None
    total: int | None = None

    def __init__(self, run: Run, stop: Stop) -> None:
        self._run, self._stop, self._summary, self._delivered = run, stop, run.status(), 0
        status = self._summary.status
        self.status = Status.INTERRUPTED if status is Status.RUNNING else status
        deque(stop.watch(run.solutions()), maxlen=0)

    def positions(self) -> Iterator[tuple[int, ...]]:
        """Yield each solution as the positions of its options."""
        for solution in self._stop.watch(self._run.solutions()):
            self._delivered += 1
            yield solution

    @property
    def statistics(self) -> Statistics:
        """The statistics of the run, with the number of solutions delivered so far."""
        nodes, seconds, forecast = self._summary.nodes, self._summary.seconds, self._summary.forecast
        explored = float(self.status in _WHOLE) if forecast is None else forecast.share
        return Statistics(self._run.engine, "the engine of the run", nodes, self._delivered, explored, seconds)
