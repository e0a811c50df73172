"""Runs: searches in progress, which is all that a search knows of an engine at work."""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from exactcover.control.stop import Stopped
from exactcover.model.matrix import Matrix

if TYPE_CHECKING:
    from exactcover.diagram.zdd import Zdd

__all__ = ["CheapestRun", "DelegatingRun", "DiagramRun", "EngineRun", "LeastCost", "SerialRun"]

_NODES_PER_SOLUTION = 64  # that are visited before solutions are looked at again


class EngineRun(Iterator[tuple[int, ...]]):
    """A search in progress: an iterator over solutions, each a tuple of ascending option numbers.

    ``next`` raises ``Stopped`` soon after the :class:`~exactcover.Stop` asks for it. Solutions that other threads have
    found by then are not delivered any more; a search on one thread may still deliver those in `waiting`. The delivered
    solutions are always the first ones in the order of the run. ``next`` raises ``StopIteration`` if there are no more.

    A run either sets `_listed` to the solutions to come, or defines ``next`` anew.
    """

    _listed: Iterator[tuple[int, ...]]

    def __init__(self) -> None:
        self._delivered = 0

    def __next__(self) -> tuple[int, ...]:
        solution = next(self._listed)
        self._delivered += 1
        return solution

    @property
    def has_batches(self) -> bool:
        """True if :meth:`take_batch` is faster than taking solutions one by one, and loses none at a stop."""
        return False

    def take_batch(self, size: int) -> tuple[array[int], array[int]]:
        """Deliver about this many solutions, or all that are left; none at the end.

        Returns
        -------
        tuple
            Where the options of each solution begin, and the end of the last one, as ``array('q')``; and the options
            of all solutions, ascending in each, as ``array('I')``.

        Raises
        ------
        Stopped
            If the stop asks for it.
        """
        starts, options = array("q", [0]), array("I")
        for solution in islice(self, size):
            options.extend(solution)
            starts.append(len(options))
        return starts, options

    def count(self) -> int:
        """Run to the end without delivering solutions; return how many were left.

        Raises
        ------
        Stopped
            If the stop asks for it; `solutions` is then the number of solutions found so far.
        """
        return sum(1 for _ in self)

    def search_on(self) -> tuple[int, ...] | None:
        """Go on for a few milliseconds, if the run can; return the next solution, or None if there is none yet.

        Raises
        ------
        StopIteration
            If there are no more.
        """
        return next(self)

    def search_until_found(self) -> tuple[int, ...]:
        """Go on with :meth:`search_on` up to the next solution; for runs that define it."""
        while (solution := self.search_on()) is None:
            pass
        return solution

    @property
    def solutions(self) -> int:
        """The number of solutions delivered or counted."""
        return self._delivered

    @property
    def waiting(self) -> Iterator[tuple[int, ...]]:
        """Solutions that are found but not delivered; taking one from this iterator delivers it."""
        return iter(())

    @property
    def nodes(self) -> int:
        """The number of subproblems visited."""
        return 0

    @property
    def work(self) -> int:
        """The work done so far, in units of which each takes about as long; this never depends on the clock."""
        return self.nodes

    @property
    def counts_work(self) -> bool:
        """True if what goes on beside the run is decided by its `work`, not by the clock."""
        return False

    def explored(self) -> float:
        """Return the share of the search tree that has been searched, by Knuth's estimate."""
        return 0.0

    @property
    def best(self) -> int | None:
        """The cost of the cheapest solution found so far, in units; None if costs do not matter, or there is none."""
        return None

    @property
    def bound(self) -> int | None:
        """The lower bound on the cost of every solution, in units; None if costs do not matter."""
        return None

    @property
    def prover(self) -> str:
        """The solver on whose word it rests that no solution, or no cheaper one, is missing; empty for a proof."""
        return ""

    @property
    def details(self) -> Mapping[str, int | str]:
        """Further counters, by name."""
        return {}

    def close(self) -> None:
        """End the run; afterwards only its counters may be read."""


class DelegatingRun(EngineRun):
    """A run over the solutions of another run, which does the search."""

    def __init__(self, run: EngineRun) -> None:
        super().__init__()
        self._run = run

    @property
    def nodes(self) -> int:
        return self._run.nodes

    def explored(self) -> float:
        return self._run.explored()

    @property
    def prover(self) -> str:
        return self._run.prover

    @property
    def details(self) -> Mapping[str, int | str]:
        return self._run.details

    def close(self) -> None:
        self._run.close()


class SerialRun(EngineRun):
    """A run that consists of other runs, one after another."""

    def __init__(self) -> None:
        super().__init__()
        self._run: EngineRun | None = None  # the current one
        self._earlier_nodes = self._earlier_work = 0
        self._earlier_prover = ""

    @property
    def nodes(self) -> int:
        return self._earlier_nodes + (0 if self._run is None else self._run.nodes)

    @property
    def work(self) -> int:
        return self._earlier_work + (0 if self._run is None else self._run.work)

    @property
    def prover(self) -> str:
        return self._earlier_prover if self._run is None else self._run.prover or self._earlier_prover

    def explored(self) -> float:
        return 0.0 if self._run is None else self._run.explored()

    def close(self) -> None:
        if self._run is not None:
            self._earlier_nodes += self._run.nodes
            self._earlier_work += self._run.work
            self._earlier_prover = self._run.prover or self._earlier_prover
            self._run.close()
            self._run = None


class DiagramRun(EngineRun):
    """A run that can build the diagram of all solutions.

    Attributes
    ----------
    count_first
        Called before the diagram is built; it counts the solutions, and calls :meth:`note_count`.
    """

    count_first: Callable[[], object] | None = None

    @abstractmethod
    def note_count(self, total: int, way: str) -> None:
        """Note the number of solutions, and the name of the way in which they were counted."""

    @abstractmethod
    def build_diagram(self, levels: Sequence[int], height: int) -> Zdd:
        """Return the diagram of all solutions.

        Parameters
        ----------
        levels
            The level of each option.
        height
            The number of levels.

        Raises
        ------
        Stopped
            If the stop asks for it.
        MemoryError
            If there is not enough memory.
        """

    @abstractmethod
    def compact_order(self, matrix: Matrix) -> list[int]:
        """Return the options of a matrix in an order that keeps diagrams small, with neighboring items together."""


class LeastCost:
    """The cost of the incumbent of a native search, for other threads, which must not ask the search itself.

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
            except StopIteration as error:  # of a poll; it must not look like the end of the search
                raise RuntimeError("StopIteration was raised during a search") from error
            self._best = iter(self.cheapest())
        solution = next(self._best, None)
        if solution is None:
            raise self._stopped or StopIteration
        self._delivered += 1
        return solution
