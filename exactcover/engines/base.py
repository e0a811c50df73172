"""The interface of engines, which is all that a search knows of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import ClassVar, Protocol

from exactcover.control.observers import NOBODY, Observers
from exactcover.control.options import ALL, Goal, SearchOptions
from exactcover.control.policy import CountingPolicy
from exactcover.control.search_log import TreeRecorder
from exactcover.control.stop import Stop
from exactcover.diagram.zdd import Zdd
from exactcover.engines.demands import Demands, describe_demands
from exactcover.engines.trees import SubtreeSearch, Tree
from exactcover.model.matrix import Matrix

__all__ = ["DelegatingRun", "DiagramRun", "Engine", "EngineRun", "ReusableRun"]


class EngineRun(Iterator[tuple[int, ...]], ABC):
    """A search in progress: an iterator over solutions, each a tuple of ascending option numbers.

    ``next`` raises ``Stopped`` soon after the :class:`~exactcover.Stop` asks for it. Solutions that other threads have
    found by then are not delivered any more; a search on one thread may still deliver those in `waiting`. The delivered
    solutions are always the first ones in the order of the run. ``next`` raises ``StopIteration`` if there are no more.

    Attributes
    ----------
    resumable
        Whether a count that was stopped can continue where it stopped.
    """

    resumable: ClassVar[bool] = False

    def __init__(self) -> None:
        self._delivered = 0

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

    def explored(self) -> float:
        """Return the share of the search tree that has been searched, by Knuth's estimate."""
        return 0.0

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
    def details(self) -> Mapping[str, int | str]:
        return self._run.details

    def close(self) -> None:
        self._run.close()


class SerialRun(EngineRun):
    """A run that consists of other runs, one after another."""

    def __init__(self) -> None:
        super().__init__()
        self._run: EngineRun | None = None  # the current one
        self._earlier_nodes = 0

    @property
    def nodes(self) -> int:
        return self._earlier_nodes + (0 if self._run is None else self._run.nodes)

    def explored(self) -> float:
        return 0.0 if self._run is None else self._run.explored()

    def close(self) -> None:
        if self._run is not None:
            self._earlier_nodes += self._run.nodes
            self._run.close()
            self._run = None


class DiagramRun(EngineRun):
    """A run that can build the diagram of all solutions."""

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


class ReusableRun(Protocol):
    """A search over one matrix that can be repeated with different givens."""

    def solve(self, given: Sequence[int], without: Sequence[int], limit: int, stop: Stop) -> list[tuple[int, ...]]:
        """Return at most `limit` solutions that contain all of `given` and none of `without`.

        Returns
        -------
        list of tuple
            Ascending option numbers.

        Raises
        ------
        Stopped
            If `stop` asks for it.
        """
        ...


class TextRun(Protocol):
    """A search over one problem that can be repeated for instances that are written as text."""

    def answer(self, texts: list[str], seconds: float, stop: Stop) -> list[tuple[int, str] | None]:
        """Return the answers to the first of some instances, as many as are found in about this time, at least one.

        Returns
        -------
        list of tuple or None
            The number of solutions, 1 or 2, where 2 stands for more as well, and the first solution as text. None if
            there is no solution, or the text has another form.

        Raises
        ------
        Stopped
            If `stop` asks for it.
        """
        ...


class Engine(ABC):
    """A way to search. All engines find the same set of solutions.

    Attributes
    ----------
    name
        The name by which users request it.
    searches
        Whether ``engine="auto"`` may pick it to search. Of such engines, the first one registered that can search the
        matrix is picked.
    divides
        Whether it can search subtrees; see :meth:`subtrees`.
    supports
        The names of the options and observers that it can honor; see :mod:`exactcover.engines.demands`.
    counts
        Whether ``engine="auto"`` may pick it if only the number of solutions is wanted.
    """

    name: str
    searches: ClassVar[bool] = False
    divides: ClassVar[bool] = False
    supports: ClassVar[frozenset[str]] = frozenset()
    counts: ClassVar[bool] = False

    def obstacle(self, matrix: Matrix) -> str | None:
        """Return why this engine cannot search a matrix, or None if it can."""
        return None

    @abstractmethod
    def start(
        self,
        matrix: Matrix,
        stop: Stop,
        options: SearchOptions | None = None,
        goal: Goal = ALL,
        observers: Observers = NOBODY,
    ) -> EngineRun:
        """Start a search. It polls `stop`, also during the setup.

        Options and observers that the engine does not support are refused before; see :func:`pick_engine`.
        """

    def tune(self, policy: CountingPolicy) -> Engine:
        """Return this engine with a policy for counting."""
        return self

    def refusal(self, demands: Demands) -> str | None:
        """Return which demands this engine does not support, in words, or None if it supports them all."""
        refused = {name: value for name, value in demands.items() if name not in self.supports}
        return f"does not support {describe_demands(refused)}" if refused else None

    def tree(self, matrix: Matrix, stop: Stop) -> Tree | None:
        """Return the tree of the search, or None if this engine cannot probe it; polls `stop` during the setup."""
        return None

    def reusable(self, matrix: Matrix, stop: Stop) -> ReusableRun | None:
        """Return a search that can be repeated cheaply, or None if this engine has none; polls `stop`."""
        return None

    def text_run(self, matrix: Matrix, layouts: list[str], table: array[int], stop: Stop) -> TextRun | None:
        """Return a search for instances that are written as text, or None if this engine has none; polls `stop`.

        Parameters
        ----------
        matrix
            The matrix.
        layouts, table
            How instances are written; see :class:`~exactcover.model.text_form.TextForm`.
        stop
            Polled during the setup.
        """
        return None

    def subtrees(self, matrix: Matrix, stop: Stop, log: TreeRecorder | None = None) -> SubtreeSearch | None:
        """Return a search of subtrees, or None if this engine cannot divide a search; both poll `stop`.

        Parameters
        ----------
        matrix
            The matrix.
        stop
            Polled often.
        log
            Records the nodes that searches and :meth:`SubtreeSearch.children` visit.
        """
        return None
