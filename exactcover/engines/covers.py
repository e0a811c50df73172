"""Covers with more than the core has: a bound on costs, and random paths down the tree."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence

from exactcover.algorithm_x import Cover, Level
from exactcover.engines.trees import ChoicePoint

__all__ = ["BoundedCover", "SetsTree"]


class BoundedCover(Cover):
    """A search for solutions that cost less than a ceiling, which may be lowered during the search."""

    costs: Sequence[int] = ()
    ceiling: float = math.inf

    @property
    def spent(self) -> int:
        """What the options chosen so far cost."""
        return self.cost(level.choices[level.tried - 1] for level in self.levels)

    def cost(self, options: Iterable[int | None]) -> int:
        return sum(self.costs[option] for option in options if option is not None)

    def branch(self) -> Level:
        """Return the item to branch on, without the choices that cost too much."""
        level = super().branch()
        left = self.ceiling - self.spent
        level.choices = [choice for choice in level.choices if self.cost([choice]) < left]
        return level


class SetsTree:
    """The tree that a cover visits."""

    def __init__(self, cover: Cover) -> None:
        self._cover = cover

    def probe(self, seed: int) -> list[ChoicePoint]:
        generator = random.Random(seed)
        path: list[Level] = []
        try:
            return self._walk_down(path, generator)
        finally:
            while path:
                self._climb(path.pop())

    def _walk_down(self, path: list[Level], generator: random.Random) -> list[ChoicePoint]:
        """Walk from the root to a leaf, and add each level to `path`; return the choice points."""
        cover, children = self._cover, 1
        points: list[ChoicePoint] = []
        while cover.uncovered:
            cover.poll()
            points.append((children, 1, 0))
            level = cover.branch()
            children = len(level.choices)
            if not children:
                return points
            self._descend(level, generator.randrange(children))
            path.append(level)
        return [*points, (children, 1, 1)]

    def _descend(self, level: Level, number: int) -> None:
        """Go to one child; the options of the choices before it are discarded, as in a search."""
        cover, option = self._cover, level.choices[number]
        level.tried = number + 1
        level.discarded = [choice for choice in level.choices[:number] if choice is not None]
        for choice in level.discarded:
            cover.discard(choice)
        if option is None:
            cover.uncovered.remove(level.item)
        else:
            level.removed = cover.select(option)

    def _climb(self, level: Level) -> None:
        """Undo :meth:`_descend`."""
        cover, option = self._cover, level.choices[level.tried - 1]
        if option is None:
            cover.uncovered.add(level.item)
        else:
            cover.deselect(option, level.removed)
        for choice in level.discarded:
            cover.restore(choice)
