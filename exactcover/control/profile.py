"""The shape of a search tree: nodes by level, the most choices at a node, and each node in a file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

__all__ = ["SOLUTION", "Profile"]

SOLUTION = -1
"""Stands for the choices of a node that is a solution."""


class Profile:
    """What a search notes of its tree when it is asked to; it may be read while the search runs.

    Parameters
    ----------
    shape
        Where to write a line for each node in preorder: how many options have been chosen there, and how many choices
        it has; 0 is a dead end, 1 a forced move; ``sol`` stands for those of a solution.

    Attributes
    ----------
    levels
        How many nodes there are at each level, which is the number of options chosen.
    most_choices
        The most that a node has.

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
        """Note one node."""
        if depth == len(self.levels):
            self.levels.append(0)
        self.levels[depth] += 1
        self.most_choices = max(self.most_choices, choices)
        self.write([depth, choices])

    def write(self, trace: Iterable[int]) -> None:
        """Write nodes, each as its depth and its choices."""
        if self.shape is not None:
            numbers = iter(trace)
            self.shape.writelines(
                f"{depth} {'sol' if choices == SOLUTION else choices}\n"
                for depth, choices in zip(numbers, numbers, strict=True)
            )
