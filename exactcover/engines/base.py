"""What every engine offers; a search knows nothing else of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Protocol, TypeAlias

from exactcover.control.options import ALL, Goal, SearchOptions
from exactcover.control.stop import Stop
from exactcover.diagram.zdd import Zdd
from exactcover.model.matrix import Matrix

__all__ = ["ChoicePoint", "DiagramRun", "Engine", "ReusableRun", "Run", "Tree"]


class Run(Iterator[tuple[int, ...]], ABC):
    """One search under way: an iterator over solutions as ascending option numbers.

    ``next`` raises ``Stopped`` soon after the :class:`~exactcover.Stop` says so. Solutions that other threads have
    found by then are not delivered any more; a search on one thread may deliver those in `waiting`. What was delivered
    is the beginning of all there is. It raises ``StopIteration`` when there are no more.

    Attributes
    ----------
    resumable
        Whether a count that was stopped can go on where it was.
    """

    resumable: ClassVar[bool] = False

    def __init__(self) -> None:
        self._delivered = 0

    def count(self) -> int:
        """Run to the end without delivering solutions; return how many there were.

        Raises ``Stopped``; `solutions` then holds what was seen.
        """
        return sum(1 for _ in self)

    @property
    def solutions(self) -> int:
        """How many solutions have been delivered, or counted."""
        return self._delivered

    @property
    def waiting(self) -> Iterator[tuple[int, ...]]:
        """Solutions that need no more searching; to take one is to have it delivered."""
        return iter(())

    @property
    def nodes(self) -> int:
        """How many subproblems have been visited."""
        return 0

    def explored(self) -> float:
        """Return the share of the search tree that is done, by Knuth's estimate."""
        return 0.0

    @property
    def details(self) -> Mapping[str, int | str]:
        """Further counters, by name."""
        return {}

    def close(self) -> None:
        """End it; afterwards only its counters are read."""


class DiagramRun(Run):
    """A run that can build the diagram of all solutions."""

    @abstractmethod
    def build_diagram(self, levels: Sequence[int], height: int) -> Zdd:
        """Return the diagram, given the level of each option; raises ``Stopped``, and ``MemoryError``."""

    @abstractmethod
    def compact_order(self, matrix: Matrix) -> list[int]:
        """Return the options of a matrix in an order that keeps diagrams small: neighboring items near each other."""


class ReusableRun(Protocol):
    """A search over one matrix that begins again and again, with other givens each time."""

    def solve(self, given: Sequence[int], without: Sequence[int], limit: int, stop: Stop) -> list[tuple[int, ...]]:
        """Return at most `limit` solutions with `given` and without `without`, ascending; raises ``Stopped``."""
        ...


ChoicePoint: TypeAlias = tuple[int, int, int]
"""One child on a way down a tree: among how many it was picked, and how many nodes and solutions a search that counts
would count from there to the next choice, forced moves and dead ends among them."""


class Tree(Protocol):
    """The tree that a search visits."""

    def probe(self, seed: int) -> Sequence[ChoicePoint]:
        """Go down from the root, each time to a child picked at random; raises ``Stopped``.

        The first entry is the root. All that chance depends on is `seed`, from 0 to 2**64 - 1. The sum over the entries
        of what each counts, times the numbers of children up to it, is on the average what a whole search counts.
        """
        ...


class Engine(ABC):
    """A way to search. All engines find the same set of solutions.

    Attributes
    ----------
    name
        By which it is asked for.
    searches
        Whether ``engine="auto"`` may pick it to search; of those that can, the first registered is picked.
    counts
        Whether ``engine="auto"`` may pick it where only the number of solutions is wanted.
    """

    name: str
    searches: ClassVar[bool] = False
    counts: ClassVar[bool] = False

    def obstacle(self, matrix: Matrix) -> str | None:
        """Return why this engine cannot search a matrix, or None if it can."""
        return None

    @abstractmethod
    def start(self, matrix: Matrix, stop: Stop, options: SearchOptions | None = None, goal: Goal = ALL) -> Run:
        """Begin a search; polls `stop`, while setting up too. An engine without threads uses one."""

    def tree(self, matrix: Matrix, stop: Stop) -> Tree | None:
        """Return the tree of the search, or None if it cannot be looked at; polls `stop` while setting up."""
        return None

    def reusable(self, matrix: Matrix, stop: Stop) -> ReusableRun | None:
        """Return a search that begins again at little cost, or None if this engine has none; polls `stop`."""
        return None
