"""Leaves: ways to count that one thread at a time works on.

A strategy for which a problem is too large raises :class:`TooLargeError`, and the others go on.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping

from exactcover.engines.cursor import ROOT, Cursor, Subtree


class TooLargeError(Exception):
    """Raised by the work of a leaf whose problem is too large; never leaves the package."""


class CountStrategy(ABC):
    """A way to count the solutions of a matrix."""

    name: str  # in options and statistics
    vague: bool = False  # whether its estimate of the time left may be wrong by orders of magnitude
    can_divide: bool = False  # between threads
    rule: str = "search"  # of certificates, which proves its number

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
        """True if a division has shown that there is nothing more to do."""
        return False

    def close(self) -> None:  # noqa: B027 - most need nothing
        """End the work; afterwards only the counters may be read."""


class Leaf(CountStrategy):
    """A way that one thread at a time works on. Nothing happens before it is prepared, or before the first slice."""

    seconds_per_work: float = 0.0  # that a unit of work takes, about
    spent = 0.0

    def __init__(self, amount: int = 1) -> None:
        self.amount = amount  # of work in the next slice
        # The seconds for which each way that began before is tried, at least for the patience of the policy; infinity
        # if all of them must have failed.
        self.find_delay: Callable[[], float] = lambda: math.inf
        self.busy = False  # whether a thread is working on it

    def idle_leaf(self) -> Leaf | None:
        return None if self.busy else self

    def prepare(self) -> None:
        """Make what the next slice needs; nothing if that is there. Called before each turn, and not timed."""

    @abstractmethod
    def work(self, amount: int) -> bool:
        """Do a slice of work; return whether there is more to do.

        Raise ``TooLargeError`` if the problem is too large for this way.
        """


class SearchLeaf(Leaf):
    """A search that visits every solution of one subtree after another, which several threads can share.

    `make` makes the cursor, or returns one that has ended.
    """

    name, seconds_per_work = "search", 1e-7

    def __init__(self, make: Callable[[], Cursor], subtree: Subtree = ROOT) -> None:
        super().__init__(1 << 8)
        self._make, self._subtree = make, subtree
        self._cursor: Cursor | None = None
        self._has_begun = False
        self._earlier = 0, 0  # solutions and nodes of the cursor before it was made for this leaf

    def begin(self, subtree: Subtree) -> None:
        """Search this subtree next; what has been found so far counts too."""
        self._subtree, self._has_begun = subtree, False

    def take_rest(self) -> list[list[Subtree]]:
        """End the search, and return the subtrees that are left, by level from the top down."""
        return [] if self._cursor is None else self._cursor.divide()

    def make_another(self, subtree: Subtree) -> SearchLeaf:
        """Return a search of another subtree of the same problem."""
        return SearchLeaf(self._make if self._cursor is None else self._cursor.make_another, subtree)

    def prepare(self) -> None:
        if self._cursor is None:
            self._cursor = self._make()
            self._earlier = self._cursor.solutions, self._cursor.nodes
        if not self._has_begun:
            self._cursor.begin(self._subtree)
            self._has_begun = True

    def work(self, amount: int) -> bool:
        assert self._cursor is not None
        return self._cursor.search(amount, listing=False)

    def explored(self) -> float:
        return 0.0 if self._cursor is None else self._cursor.explored()

    def total(self) -> int:
        return 0 if self._cursor is None else self._cursor.solutions - self._earlier[0]

    found = total

    def memory(self) -> int:
        return 0 if self._cursor is None else self._cursor.memory()

    @property
    def nodes(self) -> int:
        return 0 if self._cursor is None else self._cursor.nodes - self._earlier[1]

    def close(self) -> None:
        if self._cursor is not None:
            self._cursor.close()

    @property
    def details(self) -> Mapping[str, int | str]:
        details = {} if self._cursor is None else self._cursor.details
        return {name: value for name, value in details.items() if isinstance(value, int)}
