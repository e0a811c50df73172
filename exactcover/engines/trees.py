"""Search trees: random paths down a tree, and searches of subtrees that can be divided.

A strategy for which a problem is too large raises :class:`TooLargeError`, and the others go on.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from exactcover.engines.runs import CheapestRun, EngineRun

__all__ = [
    "ROOT",
    "BelowRun",
    "ChoicePoint",
    "CountStrategy",
    "DivisibleLeaf",
    "Leaf",
    "LeafMaker",
    "RunLeaf",
    "Subtree",
    "SubtreeSearch",
    "TooLargeError",
    "Tree",
]

ChoicePoint: TypeAlias = tuple[int, int, int]
"""A child on a path down a tree: the number of children from which it was picked, and the numbers of nodes and
solutions that a search counts from there to the next choice, including forced moves and dead ends."""


class Tree(Protocol):
    """The tree that a search visits when it lists all solutions."""

    def probe(self, seed: int) -> Sequence[ChoicePoint]:
        """Go down from the root, each time to a random child, and return the path.

        Multiply the counts of each entry by the product of the numbers of children up to it, and add them up: the
        expected value of this sum is the count of the whole search.

        Parameters
        ----------
        seed
            From 0 to 2**64 - 1; the path depends only on this number.

        Returns
        -------
        sequence of ChoicePoint
            The path; its first entry is the root.

        Raises
        ------
        Stopped
            If the stop asks for it.
        """
        ...


@dataclass(frozen=True)
class Subtree:
    """The part of a search tree below one node.

    Attributes
    ----------
    chosen, excluded
        The options that are chosen at the node, and those that are excluded there.
    """

    chosen: tuple[int, ...] = ()
    excluded: tuple[int, ...] = ()


ROOT = Subtree()


class SubtreeSearch(ABC):
    """A search of one subtree after another, in the order of the tree.

    The subtree below a node depends only on the options that are chosen and excluded there, so every process that
    searches the same matrix by the same engine finds the same solutions in the same order.
    """

    @property
    @abstractmethod
    def nodes(self) -> int:
        """The number of nodes visited in all subtrees."""

    @property
    @abstractmethod
    def solutions(self) -> int:
        """The number of solutions found in all subtrees, including those that have not been taken."""

    @abstractmethod
    def begin(self, subtree: Subtree, cheapest: int = 0, ceiling: int | None = None) -> None:
        """Begin with a subtree.

        Parameters
        ----------
        subtree
            What to search.
        cheapest
            How many solutions of least cost to look for; 0 for all solutions. The costs of the matrix then ascend.
        ceiling
            What solutions of least cost must cost less than, or None.
        """

    @abstractmethod
    def advance(self, *, listing: bool) -> bool:
        """Search for a few milliseconds; return whether there is more to do.

        Raises
        ------
        Stopped
            If the stop of the search asks for it.
        """

    @abstractmethod
    def take(self) -> list[tuple[int, ...]]:
        """Return the solutions found since the last call, or the cheapest solutions of the subtree so far."""

    @abstractmethod
    def divide(self) -> list[list[Subtree]]:
        """End the search of a subtree; return the remaining subtrees of each level, from the top down.

        A search for the cheapest solutions cannot be divided.
        """

    @abstractmethod
    def children(self, subtree: Subtree) -> list[Subtree]:
        """Return the parts of a subtree, in order; one that is a solution is its own part."""

    @abstractmethod
    def probe(self, subtree: Subtree, seed: int) -> Sequence[ChoicePoint]:
        """Go down at random, as a count would; see :meth:`Tree.probe`."""


class TooLargeError(Exception):
    """Raised by the work of a leaf whose problem is too large; never leaves the package."""


class CountStrategy(ABC):
    """A way to count the solutions of a matrix.

    Attributes
    ----------
    name
        Its name in options and statistics.
    vague
        Whether its estimate of the time left may be wrong by orders of magnitude.
    can_divide
        Whether it can be divided between threads.
    rule
        The rule of certificates that proves its number.
    """

    name: str
    vague: bool = False
    can_divide: bool = False
    rule: str = "search"

    @property
    @abstractmethod
    def spent(self) -> float:
        """The seconds spent on it so far."""

    @abstractmethod
    def idle_leaf(self) -> Leaf | None:
        """Return a leaf on which nobody works, or None."""

    @abstractmethod
    def total(self) -> int:
        """Return the number of solutions; it is complete when there is nothing more to do."""

    @abstractmethod
    def explored(self) -> float:
        """Return the estimated share of the work that is done."""

    def left(self) -> float:
        """Return the estimated number of seconds that are left, by which the time is shared."""
        explored = self.explored()
        return self.spent / explored - self.spent if explored > 0 else math.inf

    def left_for_sure(self) -> float:
        """Return the same for people; infinity as long as the estimate would be worth nothing."""
        return self.left()

    def found(self) -> int:
        """Return a lower bound on the number of solutions."""
        return 0

    def memory(self) -> int:
        """Return how many bytes it holds."""
        return 0

    def is_hopeless(self, most_memory: Callable[[], int]) -> bool:
        """Return whether it is useless to continue; reduce the memory if it exceeds `most_memory()`, where possible."""
        return False

    def item_order(self) -> list[int]:
        """Return the items in the order in which a sweep covers them; empty if it is something else."""
        return []

    @property
    @abstractmethod
    def nodes(self) -> int:
        """The number of subproblems or states visited."""

    @property
    def details(self) -> Mapping[str, int | str]:
        """Further counters, by name."""
        return {}

    def has_more(self, leaf: Leaf, *, more: bool) -> bool:
        """Note whether a leaf has more to do; return whether the way has."""
        return more

    def divide(self) -> bool:
        """Make work for another thread; return whether there is some."""
        return False

    @property
    def is_exhausted(self) -> bool:
        """Whether a division has shown that there is nothing more to do."""
        return False

    def close(self) -> None:  # noqa: B027 - most need nothing
        """End the work; afterwards only the counters may be read."""


class Leaf(CountStrategy):
    """A way that one thread at a time works on. Nothing happens before it is prepared, or before the first slice.

    Attributes
    ----------
    seconds_per_work
        About how many seconds a unit of work takes.
    amount
        How much work the next slice has.
    busy
        Whether a thread is working on it.
    """

    seconds_per_work: float = 0.0

    def __init__(self, amount: int = 1) -> None:
        self.amount = amount
        self.busy = False
        self._spent = 0.0

    @property
    def spent(self) -> float:
        return self._spent

    def charge(self, seconds: float) -> None:
        """Note how long some work has taken."""
        self._spent += seconds

    def idle_leaf(self) -> Leaf | None:
        return None if self.busy else self

    def prepare(self) -> None:
        """Make what the next slice needs; nothing if that is there. Called before each turn, and not timed."""

    @abstractmethod
    def work(self, amount: int) -> bool:
        """Do a slice of work; return whether there is more to do.

        Raises
        ------
        TooLargeError
            If the problem is too large for this way.
        Stopped
            If the stop of the count asks for it.
        """


class DivisibleLeaf(Leaf):
    """A search of one subtree after another, which several threads can share."""

    @abstractmethod
    def begin(self, subtree: Subtree) -> None:
        """Search this subtree next; what has been found so far counts too."""

    @abstractmethod
    def take_rest(self) -> list[list[Subtree]]:
        """End the search, and return the subtrees that are left, by level from the top down."""

    @abstractmethod
    def make_another(self, subtree: Subtree) -> DivisibleLeaf:
        """Return a search of another subtree of the same problem."""


@dataclass(frozen=True)
class LeafMaker:
    """What makes a leaf when it is time for it.

    Attributes
    ----------
    name
        The name of the leaf.
    make
        Makes the leaf.
    find_delay
        Returns for how many seconds each way is tried that began before, at least for the patience of the policy;
        infinity if all of them must have failed.
    """

    name: str
    make: Callable[[], Leaf]
    find_delay: Callable[[], float] = lambda: math.inf


class RunLeaf(Leaf):
    """A count by a run of any engine, which lists the solutions.

    Parameters
    ----------
    start
        Starts the run.
    """

    name, seconds_per_work = "list", 1e-5

    def __init__(self, start: Callable[[], EngineRun]) -> None:
        super().__init__()
        self._start = start
        self._run: EngineRun | None = None

    def work(self, amount: int) -> bool:
        if self._run is None:
            self._run = self._start()
        return len(self._run.take_batch(amount)[0]) > 1

    def total(self) -> int:
        return 0 if self._run is None else self._run.solutions

    found = total

    def explored(self) -> float:
        return 0.0 if self._run is None else self._run.explored()

    @property
    def nodes(self) -> int:
        return 0 if self._run is None else self._run.nodes

    @property
    def details(self) -> Mapping[str, int | str]:
        return {} if self._run is None else self._run.details

    def close(self) -> None:
        if self._run is not None:
            self._run.close()


class BelowRun(CheapestRun):
    """A run that finds the cheapest solutions of those that cost less than a ceiling, by a search of the whole tree."""

    def __init__(self, search: SubtreeSearch, wanted: int, ceiling: int) -> None:
        super().__init__()
        self._search = search
        search.begin(ROOT, wanted, ceiling)

    def search_all(self) -> None:
        while self._search.advance(listing=True):
            pass

    def cheapest(self) -> list[tuple[int, ...]]:
        return self._search.take()

    @property
    def nodes(self) -> int:
        return self._search.nodes
