"""The engine ``sets``: the dictionary-of-sets core, which works wherever Python does."""

from __future__ import annotations

import math
import random
from bisect import insort
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from exactcover.algorithm_x import Cover, Level
from exactcover.control.options import ALL, Goal, SearchOptions
from exactcover.control.stop import Stop
from exactcover.engines.base import ChoicePoint, Engine, Run
from exactcover.engines.cheapest import CheapestRun
from exactcover.model.matrix import Matrix

__all__ = ["SetsEngine"]

C = TypeVar("C", bound=Cover)


class SetsRun(Run):
    """A run that lists the solutions of a :class:`~exactcover.algorithm_x.Cover`."""

    def __init__(self, cover: Cover, options: SearchOptions) -> None:
        super().__init__()
        self._cover, self._found = cover, iter(cover)
        self._details = {"jobs": 1} if options.jobs > 1 else {}  # shows that only one thread searches

    def __next__(self) -> tuple[int, ...]:
        solution = next(self._found)
        self._delivered += 1
        return solution

    @property
    def nodes(self) -> int:
        return self._cover.nodes

    def explored(self) -> float:
        return self._cover.explored()

    @property
    def details(self) -> Mapping[str, int | str]:
        return self._details


class _BoundedCover(Cover):
    """A search for solutions that cost less than a ceiling, which may be lowered during the search."""

    costs: Sequence[int] = ()
    ceiling: float = math.inf

    def cost(self, options: Iterable[int | None]) -> int:
        return sum(self.costs[option] for option in options if option is not None)

    def branch(self) -> Level:
        """Return the item to branch on, without the choices that cost too much."""
        level = super().branch()
        left = self.ceiling - self.cost(above.choices[above.tried - 1] for above in self.levels)
        level.choices = [choice for choice in level.choices if self.cost([choice]) < left]
        return level


class SetsCheapestRun(CheapestRun):
    """A run that finds the cheapest solutions by a bounded cover."""

    def __init__(self, cover: _BoundedCover, most: int, options: SearchOptions) -> None:
        super().__init__(SetsRun(cover, options))
        self._cover, self._most = cover, most
        self._cheapest: list[tuple[int, int, tuple[int, ...]]] = []  # cost, number in the order of finding, solution

    def search_all(self) -> None:
        best = self._cheapest
        for number, solution in enumerate(self._run):
            insort(best, (self._cover.cost(solution), number, solution))
            if len(best) >= self._most:
                del best[self._most :]
                self._cover.ceiling = best[-1][0]

    def cheapest(self) -> list[tuple[int, ...]]:
        return [solution for _, _, solution in self._cheapest]


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


class SetsEngine(Engine):
    """Algorithm X with dictionaries of sets, in pure Python."""

    name = "sets"
    searches = True

    def start(self, matrix: Matrix, stop: Stop, options: SearchOptions | None = None, goal: Goal = ALL) -> Run:
        options = options or SearchOptions()
        if goal.cheapest is not None:
            bounded = self._make_cover(_BoundedCover, matrix, stop, options)
            bounded.costs = matrix.costs or [0] * len(matrix)
            return SetsCheapestRun(bounded, goal.cheapest, options)
        return SetsRun(self._make_cover(Cover, matrix, stop, options), options)

    def _make_cover(self, kind: type[C], matrix: Matrix, stop: Stop, options: SearchOptions) -> C:
        rows = [{item: color or None for item, color in matrix.option(k)} for k in stop.watch(range(len(matrix)))]
        preferred, heuristic = matrix.preferred, options.heuristic
        cover = kind(rows, range(matrix.primary), matrix.multiplicity, stop.poll, heuristic, preferred)
        if options.profile is not None:
            cover.note = options.profile.note
        return cover

    def tree(self, matrix: Matrix, stop: Stop) -> SetsTree:
        return SetsTree(self._make_cover(Cover, matrix, stop, SearchOptions()))
