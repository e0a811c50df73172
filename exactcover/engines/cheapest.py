"""The base class of runs that find the cheapest solutions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence

from exactcover.control.stop import Stopped
from exactcover.engines.runs import EngineRun

__all__ = ["CheapestRun", "LeastCost"]

_NODES_PER_SOLUTION = 64  # that are visited before solutions are looked at again


class LeastCost:
    """What the cheapest solution of a native search costs, for other threads, which must not ask the search itself.

    Parameters
    ----------
    costs
        The costs of the options.
    get_cheapest
        Returns the cheapest solutions found so far, the cheapest first.

    Attributes
    ----------
    cost
        The least cost that was noted; None if there is none yet.
    """

    def __init__(self, costs: Sequence[int], get_cheapest: Callable[[], Sequence[tuple[int, ...]]]) -> None:
        self._costs, self._get_cheapest = costs, get_cheapest
        self._next = 0  # the number of nodes at which to ask again, so that asking takes little of the time
        self.cost: int | None = None

    def note(self, nodes: int, *, more: bool) -> None:
        """Ask the search after this many nodes, if it is time to, or there is no more to do."""
        if nodes < self._next and more:
            return
        found = self._get_cheapest()
        self._next = nodes + _NODES_PER_SOLUTION * len(found)
        if found:
            self.cost = sum([self._costs[option] for option in found[0]]) if self._costs else 0


class CheapestRun(EngineRun):
    """A run that delivers the solutions of least cost at the end of the search, or when the search is stopped."""

    _stopped: Stopped | None = None
    _best: Iterator[tuple[int, ...]] | None = None

    @property
    def bound(self) -> int | None:
        return 0

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
