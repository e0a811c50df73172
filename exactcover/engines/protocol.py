"""What every engine offers; the search knows nothing else of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from exactcover.matrix import Matrix
from exactcover.stop import Stop

__all__ = ["Engine", "Restart", "Run"]


class Run(Iterator[tuple[int, ...]], Protocol):
    """One search under way: an iterator over solutions as ascending option numbers.

    ``next`` raises ``Stopped`` when the :class:`~exactcover.stop.Stop` says so, after every
    solution found until then has been handed over, and ``StopIteration`` when there are no more.
    """

    def count(self) -> int:
        """Run to the end without handing over solutions; return how many there were.

        Raises ``Stopped``; ``solutions`` then holds what was seen.
        """
        ...

    @property
    def solutions(self) -> int:
        """How many solutions have been found, handed over or counted."""
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


class Restart(Protocol):
    """A search over one matrix that begins again and again, with other givens each time."""

    def solve(self, given: Sequence[int], limit: int, stop: Stop) -> list[tuple[int, ...]]:
        """Return at most `limit` solutions with these options, ascending; raises ``Stopped``."""
        ...


class Engine(Protocol):
    """A way to search. All engines find the same set of solutions."""

    name: str

    def supports(self, matrix: Matrix) -> str | None:
        """Return None if this engine can search `matrix`, else the reason why not."""
        ...

    def start(self, matrix: Matrix, stop: Stop) -> Run:
        """Begin a search; polls `stop`, while setting up too."""
        ...

    def restart(self, matrix: Matrix) -> Restart | None:
        """Return a search that begins again at little cost, or None if this engine has none."""
        ...
