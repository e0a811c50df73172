"""The dictionary-of-sets core as an engine: it works wherever Python does."""

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
    """One search by :class:`~exactcover.algorithm_x.Cover`."""

    def __init__(self, cover: Cover, options: SearchOptions) -> None:
        super().__init__()
        self._cover, self._found = cover, iter(cover)
        self._details = _details(options)

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


def _details(options: SearchOptions) -> Mapping[str, int | str]:
    """Say that one thread searches where several were asked for."""
    return {"jobs": 1} if options.jobs > 1 else {}


class _Bounded(Cover):
    """A search for solutions that cost less than a ceiling, which sinks while it runs."""

    costs: Sequence[int] = ()
    ceiling: float = math.inf

    def cost(self, options: Iterable[int | None]) -> int:
        return sum(self.costs[option] for option in options if option is not None)

    def branch(self) -> Level:
        """Leave out the choices that cost too much."""
        level = super().branch()
        left = self.ceiling - self.cost(above.choices[above.tried - 1] for above in self.levels)
        level.choices = [choice for choice in level.choices if self.cost([choice]) < left]
        return level


class SetsCheapestRun(CheapestRun):
    """One search by a bounded cover for the cheapest solutions."""

    def __init__(self, cover: _Bounded, most: int, options: SearchOptions) -> None:
        super().__init__()
        self._cover, self._most, self._details = cover, most, _details(options)
        self._cheapest: list[tuple[int, int, tuple[int, ...]]] = []  # cost, place in the order of finding, solution

    def search_all(self) -> None:
        best = self._cheapest
        for number, solution in enumerate(self._cover):
            insort(best, (self._cover.cost(solution), number, solution))
            if len(best) >= self._most:
                del best[self._most :]
                self._cover.ceiling = best[-1][0]

    def cheapest(self) -> list[tuple[int, ...]]:
        return [solution for _, _, solution in self._cheapest]

    @property
    def nodes(self) -> int:
        return self._cover.nodes

    def explored(self) -> float:
        return self._cover.explored()

    @property
    def details(self) -> Mapping[str, int | str]:
        return self._details


class SetsTree:
    """The tree that a cover visits."""

    def __init__(self, cover: Cover) -> None:
        self._cover = cover

    def probe(self, seed: int) -> list[ChoicePoint]:
        chance = random.Random(seed)
        way: list[Level] = []
        try:
            return self._steps(way, chance)
        finally:
            while way:
                self._climb(way.pop())

    def _steps(self, way: list[Level], chance: random.Random) -> list[ChoicePoint]:
        cover, children = self._cover, 1
        steps: list[ChoicePoint] = []
        while cover.uncovered:
            cover.poll()
            steps.append((children, 1, 0))
            level = cover.branch()
            children = len(level.choices)
            if not children:
                return steps
            self._descend(level, chance.randrange(children))
            way.append(level)
        return [*steps, (children, 1, 1)]

    def _descend(self, level: Level, number: int) -> None:
        """Go to one child; the choices before it are out of the game."""
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
            bounded = self._cover(_Bounded, matrix, stop, options)
            bounded.costs = matrix.costs or [0] * len(matrix)
            return SetsCheapestRun(bounded, goal.cheapest, options)
        return SetsRun(self._cover(Cover, matrix, stop, options), options)

    def _cover(self, kind: type[C], matrix: Matrix, stop: Stop, options: SearchOptions) -> C:
        rows = [{item: color or None for item, color in matrix.option(k)} for k in stop.watch(range(len(matrix)))]
        preferred, heuristic = matrix.preferred, options.heuristic
        cover = kind(rows, range(matrix.primary), matrix.multiplicity, stop.poll, heuristic, preferred)
        if options.profile is not None:
            cover.note = options.profile.note
        return cover

    def tree(self, matrix: Matrix, stop: Stop) -> SetsTree:
        return SetsTree(self._cover(Cover, matrix, stop, SearchOptions()))
