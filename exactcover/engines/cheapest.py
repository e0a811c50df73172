"""The base class of runs that find the cheapest solutions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence

from exactcover.control.stop import Stopped
from exactcover.engines.runs import EngineRun

__all__ = ["CheapestRun"]


class CheapestRun(EngineRun):
    """A run that delivers the solutions of least cost at the end of the search, or when the search is stopped."""

    _stopped: Stopped | None = None
    _best: Iterator[tuple[int, ...]] | None = None

    @abstractmethod
    def search_all(self) -> None:
        """Search to the end; raise ``Stopped`` if the stop asks for it."""

    @abstractmethod
    def cheapest(self) -> Sequence[tuple[int, ...]]:
        """Return the cheapest solutions found so far, the cheapest first."""

    def __next__(self) -> tuple[int, ...]:
        if self._best is None:
            try:
                self.search_all()
            except Stopped as stopped:
                self._stopped = stopped
            self._best = iter(self.cheapest())
        solution = next(self._best, None)
        if solution is None:
            raise self._stopped or StopIteration
        self._delivered += 1
        return solution
