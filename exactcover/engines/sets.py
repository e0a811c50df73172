"""The dictionary-of-sets core as an engine: it works wherever Python does."""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Iterable, Iterator, Mapping, Sequence

from exactcover.algorithm_x import Cover, Level
from exactcover.engines.cheapest import CheapestFirst
from exactcover.engines.protocol import Run, Tactics
from exactcover.matrix import Matrix
from exactcover.stop import Stop

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

    def children(self, chosen: Sequence[int], excluded: Sequence[int]) -> list[tuple[list[int], list[int]]]:
        cover = self._cover
        undo = [(option, cover.select(option)) for option in chosen]
        out = [option for option in excluded if any(option in cover.live[item] for item in cover.options[option])]
        for option in out:
            cover.discard(option)
        children = self._children([*chosen], [*excluded])
        for option in out:
            cover.restore(option)
        for option, removed in reversed(undo):
            cover.deselect(option, removed)
        return children

    def _children(self, chosen: list[int], excluded: list[int]) -> list[tuple[list[int], list[int]]]:
        """Return the children of the node where the cover stands; items that need no more are passed over."""
        cover = self._cover
        done = {item for item in cover.uncovered if cover.need[item] <= 0 and not cover.live[item]}
        cover.uncovered -= done
        level = cover.branch() if cover.uncovered else None
        cover.uncovered |= done
        if level is None:
            return [(chosen, excluded)]
        tried: list[int] = []
        children = []
        for option in level.choices:
            children.append((chosen if option is None else [*chosen, option], [*excluded, *tried]))
            tried += [] if option is None else [option]
        return children


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
