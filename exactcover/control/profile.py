"""The shape of a search tree: nodes per level, the largest number of choices, and a file with one line per node."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

__all__ = ["SOLUTION", "Profile"]

SOLUTION = -1
"""The number of choices that is recorded for a node that is a solution."""


class Profile:
    """A record of a search tree, for a search that is asked to keep one; it can be read while the search runs.

    Parameters
    ----------
    shape
        A text file, or None. It gets one line per node, in preorder: the number of options chosen so far, and the
        number of choices. 0 choices mean a dead end, 1 means a forced move, and ``sol`` means a solution.

    Attributes
    ----------
    levels
        The number of nodes at each level. The level of a node is the number of options chosen so far.
    most_choices
        The largest number of choices at a node.

    Examples
    --------
    >>> import sys
    >>> from exactcover import Problem
    >>> profile = Profile(sys.stdout)
    >>> list(Problem({"A": [1], "B": [1], "C": [2], "D": [2]}).solve(limit=2, profile=profile, engine="sets"))
    0 2
    1 2
    2 sol
    2 sol
    [('A', 'C'), ('A', 'D')]
    >>> profile.levels, profile.most_choices
    ([1, 1, 2], 2)
    """

    def __init__(self, shape: TextIO | None = None) -> None:
        self.shape = shape
        self.levels: list[int] = []
        self.most_choices = 0

    def note(self, depth: int, choices: int) -> None:
        """Record one node, and write it to the file."""
        if depth == len(self.levels):
            self.levels.append(0)
        self.levels[depth] += 1
        self.most_choices = max(self.most_choices, choices)
        self.write([depth, choices])

    def write(self, trace: Iterable[int]) -> None:
        """Write nodes to the file; `trace` alternates between the depth and the number of choices of each node."""
        if self.shape is not None:
            numbers = iter(trace)
            self.shape.writelines(
                f"{depth} {'sol' if choices == SOLUTION else choices}\n"
                for depth, choices in zip(numbers, numbers, strict=True)
            )
