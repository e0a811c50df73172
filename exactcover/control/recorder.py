"""What records the tree of a search while it runs, and how a node is written as bytes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

from exactcover.control.statistics import Status

__all__ = ["FIRST_ITEM", "PRUNED", "SOLUTION", "UNRECORDED", "TreeRecorder", "encode_numbers"]

SOLUTION, PRUNED, UNRECORDED, FIRST_ITEM = range(4)
"""Nodes: a solution, one that was pruned because of costs, a subtree that is not recorded, a branch on item 0."""


class TreeRecorder(ABC):
    """Records the tree of one search; :class:`SearchLogWriter` writes it to a file.

    Examples
    --------
    >>> from exactcover import Problem
    >>> from exactcover.analysis import TreeRecorder
    >>> class Sizes(TreeRecorder):
    ...     def begin(self, header):
    ...         self.size = 0
    ...     def extend(self, nodes):
    ...         self.size += len(nodes)
    ...     def end(self, status, solutions):
    ...         print(f"{self.size} bytes, {solutions} solutions")
    >>> Problem({"A": [1], "B": [1]}).count(log=Sizes())
    4 bytes, 2 solutions
    2

    Attributes
    ----------
    skips_leaves
        Whether a count may leave small subtrees unrecorded; each becomes one node, with its numbers of nodes and
        solutions.
    """

    skips_leaves = False

    @abstractmethod
    def begin(self, header: Mapping[str, Any]) -> None:
        """Note what is searched; see :func:`~exactcover.search.log_header.describe_search`."""

    @abstractmethod
    def extend(self, nodes: bytes | bytearray) -> None:
        """Add nodes as bytes."""

    @abstractmethod
    def end(self, status: Status, solutions: int) -> None:
        """Note how the search ended, and how many solutions it has found."""

    def add(self, item: int, children: int) -> None:
        """Add a branch or a dead end."""
        self.extend(encode_numbers((item + FIRST_ITEM, children)))

    def add_solution(self) -> None:
        """Add a solution."""
        self.extend(bytes((SOLUTION,)))

    def add_pruned(self) -> None:
        """Add a node below which all solutions cost too much."""
        self.extend(bytes((PRUNED,)))


def encode_numbers(numbers: Iterable[int]) -> bytes:
    """Return numbers in groups of seven bits, the lowest first; the high bit says that another group follows."""
    result = bytearray()
    for number in numbers:
        while number >= 128:
            result.append(number & 127 | 128)
            number >>= 7
        result.append(number)
    return bytes(result)
