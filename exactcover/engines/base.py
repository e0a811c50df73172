"""What every engine offers; the search knows nothing else of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, get_args, runtime_checkable

from exactcover.control.profile import Profile
from exactcover.control.stop import Stop
from exactcover.diagram.zdd import Zdd
from exactcover.model.matrix import Matrix

__all__ = ["Drawer", "Engine", "Heuristic", "Restart", "Run", "Step", "Strategy", "Tactics", "Tree"]

Heuristic: TypeAlias = Literal["mrv", "leftmost", "weighted"]
"""Which open item to branch on: the one with fewest options left (minimum remaining values), the first in
the order of the problem, or the one with fewest options and, of several, the one that failed most often."""

Strategy: TypeAlias = Literal["auto", "search", "sweep", "memo"]
"""How the engine `diagram` counts: by visiting every solution, by a sweep over the items, by a search with a memo, or
by whichever of them gets there first."""


@dataclass(frozen=True)
class Tactics:
    """How to search: what changes the time it takes, and perhaps the order of solutions, but never their set.

    Raises
    ------
    ValueError
        If there is no such heuristic or strategy, `jobs` or `memory` is less than 1, or several threads are to use a
        heuristic that learns from what came before, or to note the shape of the tree.

    Attributes
    ----------
    cheapest
        None to find all solutions; k to find the k of least cost, the cheapest first, of those that cost the same
        in the order in which they are met.
    profile
        What notes the shape of the tree, if anything.
    strategy
        How to count, for the engine that has a choice.
    memory
        How many bytes it may hold, about; None for half of what is free.
    steady
        Whether to look at the stop after fixed amounts of work, instead of what takes about the same time.
    """

    heuristic: Heuristic = "mrv"
    jobs: int = 1
    cheapest: int | None = None
    profile: Profile | None = None
    strategy: Strategy = "auto"
    memory: int | None = None
    steady: bool = False

    def __post_init__(self) -> None:
        for name, known in (("heuristic", get_args(Heuristic)), ("strategy", get_args(Strategy))):
            if getattr(self, name) not in known:
                raise ValueError(f"no {name} is called {getattr(self, name)!r} (there are: {', '.join(known)})")
        if self.memory is not None and not (isinstance(self.memory, int) and self.memory >= 1):
            raise ValueError(f"memory must be at least 1 byte, or None; got {self.memory!r}")
        if not (isinstance(self.jobs, int) and self.jobs >= 1):
            raise ValueError(f"jobs must be at least 1; got {self.jobs!r}")
        if self.profile is not None and self.jobs > 1:
            raise ValueError("the shape of the tree is noted by one job only")
        if self.heuristic == "weighted" and self.jobs > 1:
            raise ValueError("the heuristic 'weighted' learns from what came before, so it cannot use several jobs")


class Run(Iterator[tuple[int, ...]], Protocol):
    """One search under way: an iterator over solutions as ascending option numbers.

    ``next`` raises ``Stopped`` soon after the :class:`~exactcover.Stop` says so. What other threads have found
    until then is not handed over any more; a search on one thread may hand over what is in `waiting`. What was
    handed over is the beginning of all there is. It raises ``StopIteration`` when there are no more.
    """

    def count(self) -> int:
        """Run to the end without handing over solutions; return how many there were.

        Raises ``Stopped``; ``solutions`` then holds what was seen.
        """
        ...

    @property
    def solutions(self) -> int:
        """How many solutions have been handed over, or counted."""
        ...

    @property
    def waiting(self) -> Iterator[tuple[int, ...]]:
        """Solutions that need no more searching; to take one is to have it handed over."""
        ...

    @property
    def resumable(self) -> bool:
        """Whether a count that was stopped can go on where it was."""
        ...

    @property
    def nodes(self) -> int:
        """How many subproblems have been visited."""
        ...

    def explored(self) -> float:
        """Return the share of the search tree that lies behind, by Knuth's estimate."""
        ...

    @property
    def details(self) -> Mapping[str, int | str]:
        """Further counters, by name."""
        ...

    def close(self) -> None:
        """End it; nothing is asked of it after that but what it has counted."""
        ...


@runtime_checkable
class Drawer(Protocol):
    """A run that can draw the diagram of all solutions."""

    def draw(self, levels: Sequence[int], height: int) -> Zdd:
        """Return the diagram, given the level of each option; raises ``Stopped``, and ``MemoryError``."""
        ...

    def compact_order(self, matrix: Matrix) -> list[int]:
        """Return the options of a matrix in an order that keeps diagrams small: neighboring items near each other."""
        ...


class Restart(Protocol):
    """A search over one matrix that begins again and again, with other givens each time."""

    def solve(self, given: Sequence[int], limit: int, stop: Stop) -> list[tuple[int, ...]]:
        """Return at most `limit` solutions with these options, ascending; raises ``Stopped``."""
        ...


Step: TypeAlias = tuple[int, int, int]
"""One child on a way down a tree: among how many it was picked, and how many nodes and solutions a search that counts
would count from there to the next choice, forced moves and dead ends among them."""


class Tree(Protocol):
    """The tree that a search visits."""

    def probe(self, seed: int) -> Sequence[Step]:
        """Go down from the root, each time to a child picked at random; raises ``Stopped``.

        The first step is the root. All that chance depends on is `seed`, from 0 to 2**64 - 1. The sum over the steps of
        what each counts, times the numbers of children up to it, is on the average what a whole search counts.
        """
        ...


class Engine(Protocol):
    """A way to search. All engines find the same set of solutions."""

    name: str

    def supports(self, matrix: Matrix) -> str | None:
        """Return None if this engine can search `matrix`, else the reason why not."""
        ...

    def start(self, matrix: Matrix, stop: Stop, tactics: Tactics) -> Run:
        """Begin a search; polls `stop`, while setting up too. An engine that knows no threads uses one."""
        ...

    def tree(self, matrix: Matrix, stop: Stop) -> Tree | None:
        """Return the tree of the search, or None if there is none to look at; polls `stop` while setting up."""
        ...

    def restart(self, matrix: Matrix, stop: Stop) -> Restart | None:
        """Return a search that begins again at little cost, or None if this engine has none; polls `stop`."""
        ...
