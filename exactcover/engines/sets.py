"""The dictionary-of-sets core as an engine: it works wherever Python does."""

from __future__ import annotations

import math
import random
from bisect import insort
from collections.abc import Iterable, Iterator, Mapping, Sequence

from exactcover.algorithm_x import Cover, Level
from exactcover.control.stop import Stop
from exactcover.engines.base import Run, Step, Tactics
from exactcover.engines.cheapest import CheapestFirst
from exactcover.model.matrix import Matrix

__all__ = ["SetsEngine"]


class SetsRun(Iterator[tuple[int, ...]]):
    """One search by :class:`~exactcover.algorithm_x.Cover`."""

    waiting: Iterator[tuple[int, ...]] = iter(())
    resumable = False  # a generator that was stopped is over

    def __init__(self, cover: Cover, tactics: Tactics) -> None:
        self._cover = cover
        self._found = iter(cover)
        self.details: Mapping[str, int | str] = {"jobs": 1} if tactics.jobs > 1 else {}
        self._number = 0

    def __next__(self) -> tuple[int, ...]:
        solution = next(self._found)
        self._number += 1
        return solution

    @property
    def solutions(self) -> int:
        return self._number

    def count(self) -> int:
        return sum(1 for _ in self)

    @property
    def nodes(self) -> int:
        return self._cover.nodes

    def explored(self) -> float:
        return self._cover.explored()

    def close(self) -> None:
        pass


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


class CheapestRun(CheapestFirst, SetsRun):
    """One search by a bounded cover for the cheapest solutions."""

    def __init__(self, cover: _Bounded, tactics: Tactics) -> None:
        CheapestFirst.__init__(self)
        SetsRun.__init__(self, cover, tactics)
        self._bounded, self._most = cover, tactics.cheapest or 1
        self._best: list[tuple[int, int, tuple[int, ...]]] = []  # cost, which one it was, solution

    def seek(self) -> None:
        best = self._best
        for number, solution in enumerate(self._found):
            insort(best, (self._bounded.cost(solution), number, solution))
            if len(best) >= self._most:
                del best[self._most :]
                self._bounded.ceiling = best[-1][0]

    def cheapest(self) -> list[tuple[int, ...]]:
        return [solution for _, _, solution in self._best]


class SetsTree:
    """The tree that a cover visits."""

    def __init__(self, cover: Cover) -> None:
        self._cover = cover

    def probe(self, seed: int) -> list[Step]:
        chance = random.Random(seed)
        way: list[Level] = []
        try:
            return self._steps(way, chance)
        finally:
            while way:
                self._climb(way.pop())

    def _steps(self, way: list[Level], chance: random.Random) -> list[Step]:
        cover, children = self._cover, 1
        steps: list[Step] = []
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


class SetsEngine:
    """Algorithm X with dictionaries of sets, in pure Python."""

    name = "sets"

    def supports(self, matrix: Matrix) -> str | None:
        return None

    def start(self, matrix: Matrix, stop: Stop, tactics: Tactics) -> Run:
        cover = self._cover(matrix, stop, tactics)
        if tactics.profile is not None:
            cover.note = tactics.profile.note
        if isinstance(cover, _Bounded):
            cover.costs = matrix.costs or [0] * len(matrix)
            return CheapestRun(cover, tactics)
        return SetsRun(cover, tactics)

    def _cover(self, matrix: Matrix, stop: Stop, tactics: Tactics) -> Cover:
        options = [{item: color or None for item, color in matrix.option(k)} for k in stop.watch(range(len(matrix)))]
        kind = Cover if tactics.cheapest is None else _Bounded
        return kind(options, range(matrix.primary), matrix.multiplicity, stop.poll, tactics.heuristic, matrix.preferred)

    def tree(self, matrix: Matrix, stop: Stop) -> SetsTree:
        return SetsTree(self._cover(matrix, stop, Tactics()))

    def restart(self, matrix: Matrix, stop: Stop) -> None:
        return None
