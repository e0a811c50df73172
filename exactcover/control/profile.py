"""The profile of a search tree: nodes per level, and the largest number of choices."""

from __future__ import annotations

__all__ = ["SOLUTION", "Profile"]

SOLUTION = -1
"""The number of choices that is recorded for a node that is a solution."""


class Profile:
    """A count of the nodes of a search tree, for a search that is asked for it; it can be read while the search runs.

    It shows the search that began last, and of a search with restarts the last attempt. It is for one search at a time:
    an earlier one that goes on would be counted too.

    Attributes
    ----------
    levels
        The number of nodes at each level. The level of a node is the number of options chosen so far.
    most_choices
        The largest number of choices at a node.

    Examples
    --------
    >>> from exactcover import Problem
    >>> profile = Profile()
    >>> list(Problem({"A": [1], "B": [1], "C": [2], "D": [2]}).solve(limit=2, profile=profile, engine="sets"))
    [('A', 'C'), ('A', 'D')]
    >>> profile.levels, profile.most_choices
    ([1, 1, 2], 2)
    """

    def __init__(self) -> None:
        self.levels: list[int] = []
        self.most_choices = 0

    def clear(self) -> None:
        """Forget what was counted."""
        self.levels, self.most_choices = [], 0

    def note(self, depth: int, choices: int) -> None:
        """Count one node."""
        if depth == len(self.levels):
            self.levels.append(0)
        self.levels[depth] += 1
        self.most_choices = max(self.most_choices, choices)
