"""The engine ``sets``: the dictionary-of-sets core, which works wherever Python does."""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping
from functools import partial
from typing import TypeVar

from exactcover.algorithm_x import Cover
from exactcover.control.options import ALL, Goal, SearchOptions
from exactcover.control.profile import SOLUTION
from exactcover.control.search_log import TreeRecorder
from exactcover.control.stop import Stop
from exactcover.engines.base import Engine, EngineRun
from exactcover.engines.cheapest import CheapestRun
from exactcover.engines.covers import BoundedCover, SetsTree
from exactcover.engines.sets_subtrees import SetsSubtreeSearch
from exactcover.engines.trees import SubtreeSearch
from exactcover.model.matrix import Matrix

__all__ = ["SetsEngine"]

C = TypeVar("C", bound=Cover)


class SetsRun(EngineRun):
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


class SetsCheapestRun(CheapestRun):
    """A run that finds the cheapest solutions by a bounded cover."""

    def __init__(self, cover: BoundedCover, most: int, options: SearchOptions) -> None:
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


def _note_node(options: SearchOptions, cover: Cover, depth: int, choices: int, item: int) -> None:
    """Add a node to the profile and to the log of a search."""
    if options.profile is not None:
        options.profile.note(depth, choices)
    if options.log is not None and isinstance(cover, BoundedCover) and cover.ceiling <= cover.spent:
        options.log.add_pruned()
    elif options.log is not None and choices == SOLUTION:
        options.log.add_solution()
    elif options.log is not None:
        options.log.add(item, choices)


class SetsEngine(Engine):
    """Algorithm X with dictionaries of sets, in pure Python."""

    name = "sets"
    searches = True
    divides = True
    records = True

    def start(self, matrix: Matrix, stop: Stop, options: SearchOptions | None = None, goal: Goal = ALL) -> EngineRun:
        options = options or SearchOptions()
        if goal.cheapest is not None:
            bounded = self._make_cover(BoundedCover, matrix, stop, options)
            bounded.costs = matrix.costs or [0] * len(matrix)
            return SetsCheapestRun(bounded, goal.cheapest, options)
        return SetsRun(self._make_cover(Cover, matrix, stop, options), options)

    def _make_cover(self, kind: type[C], matrix: Matrix, stop: Stop, options: SearchOptions) -> C:
        rows = [matrix.row(k) for k in stop.watch(range(len(matrix)))]
        preferred, heuristic = matrix.preferred, options.heuristic
        cover = kind(rows, range(matrix.primary), matrix.multiplicity, stop.poll, heuristic, preferred)
        if options.profile is not None or options.log is not None:
            cover.note = partial(_note_node, options, cover)
        return cover

    def tree(self, matrix: Matrix, stop: Stop) -> SetsTree:
        return SetsTree(self._make_cover(Cover, matrix, stop, SearchOptions()))

    def subtrees(self, matrix: Matrix, stop: Stop, log: TreeRecorder | None = None) -> SubtreeSearch:
        def make_cover() -> BoundedCover:
            cover = self._make_cover(BoundedCover, matrix, stop, SearchOptions(log=log))
            cover.costs = matrix.costs or [0] * len(matrix)
            return cover

        return SetsSubtreeSearch(make_cover)
