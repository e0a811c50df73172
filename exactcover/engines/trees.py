"""Search trees: random paths down a tree, and searches of subtrees that can be divided."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

__all__ = ["ROOT", "ChoicePoint", "Subtree", "SubtreeSearch", "Tree"]

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
