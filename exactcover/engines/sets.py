"""The engine ``sets``: the dictionary-of-sets core, which works wherever Python does."""

from __future__ import annotations

from bisect import insort
from functools import partial
from typing import TypeVar

from exactcover.algorithm_x import Cover
from exactcover.control.observers import NOBODY, Observers
from exactcover.control.options import ALL, DEFAULTS, Goal, HeuristicFunction, SearchOptions
from exactcover.control.profile import SOLUTION
from exactcover.control.recorder import TreeRecorder
from exactcover.control.statistics import Status
from exactcover.control.stop import Stop, Stopped
from exactcover.engines.base import Engine
from exactcover.engines.cheapest import CheapestRun
from exactcover.engines.covers import BoundedCover, SetsTree
from exactcover.engines.runs import DelegatingRun, EngineRun
from exactcover.engines.sets_subtrees import SetsSubtreeSearch
from exactcover.engines.trees import SubtreeSearch
from exactcover.model.matrix import Matrix

__all__ = ["SetsEngine"]

C = TypeVar("C", bound=Cover)

_WORK_PER_NODE = 1 << 10  # in units of the engine `native`


class SetsRun(EngineRun):
    """A run that lists the solutions of a :class:`~exactcover.algorithm_x.Cover`."""

    def __init__(self, cover: Cover) -> None:
        super().__init__()
        self._cover, self._listed = cover, iter(cover)

    @property
    def nodes(self) -> int:
        return self._cover.nodes

    @property
    def work(self) -> int:
        return self._cover.nodes * _WORK_PER_NODE

    def explored(self) -> float:
        return self._cover.explored()


class SetsCheapestRun(CheapestRun, DelegatingRun):
    """A run that finds the cheapest solutions by a bounded cover."""

    def __init__(self, cover: BoundedCover, most: int) -> None:
        super().__init__(SetsRun(cover))
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

    @property
    def best(self) -> int | None:
        return self._cheapest[0][0] if self._cheapest else None


def _note_node(observers: Observers, cover: Cover, depth: int, choices: int, item: int) -> None:
    """Add a node to the profile and to the log of a search."""
    if observers.profile is not None:
        observers.profile.note(depth, choices)
    if observers.log is None:
        return
    if isinstance(cover, BoundedCover) and cover.ceiling <= cover.spent:
        observers.log.add_pruned()
    elif choices == SOLUTION:
        observers.log.add_solution()
    else:
        observers.log.add(item, choices)


def _ask(heuristic: HeuristicFunction, cover: Cover) -> int:
    """Return the item that a function chooses."""
    left = sorted(cover.uncovered, key=cover.primary.__getitem__)
    number: int = heuristic({item: sorted(cover.live[item]) for item in left})
    return number


def _poll_within(stop: Stop, cover: Cover, nodes: int) -> None:
    """Poll a stop, and stop a cover that has visited this many nodes."""
    stop.poll()
    if cover.nodes >= nodes:
        raise Stopped(Status.NODES)


class SetsEngine(Engine):
    """Algorithm X with dictionaries of sets, in pure Python."""

    name = "sets"
    searches = True
    divides = True
    supports = frozenset({"function", "heuristic", "nodes", "restarts", "profile", "log", "within"})

    def start(
        self,
        matrix: Matrix,
        stop: Stop,
        options: SearchOptions | None = None,
        goal: Goal = ALL,
        observers: Observers = NOBODY,
    ) -> EngineRun:
        options = options or DEFAULTS
        if goal.cheapest is not None:
            bounded = self._make_cover(BoundedCover, matrix, stop, options, observers)
            bounded.costs = matrix.costs or [0] * len(matrix)
            return SetsCheapestRun(bounded, goal.cheapest)
        return SetsRun(self._make_cover(Cover, matrix, stop, options, observers))

    def _make_cover(
        self,
        kind: type[C],
        matrix: Matrix,
        stop: Stop,
        options: SearchOptions = DEFAULTS,
        observers: Observers = NOBODY,
    ) -> C:
        rows = [matrix.row(k) for k in stop.watch(range(len(matrix)))]
        cover = kind(
            rows, range(matrix.primary), matrix.multiplicity, stop.poll, options.named_heuristic, matrix.preferred
        )
        if callable(options.heuristic):
            cover.pick = partial(_ask, options.heuristic, cover)
        if options.nodes is not None:
            cover.poll = partial(_poll_within, stop, cover, options.nodes)
        if observers:
            cover.note = partial(_note_node, observers, cover)
        return cover

    def tree(self, matrix: Matrix, stop: Stop) -> SetsTree:
        return SetsTree(self._make_cover(Cover, matrix, stop))

    def subtrees(self, matrix: Matrix, stop: Stop, log: TreeRecorder | None = None) -> SubtreeSearch:
        def make_cover() -> BoundedCover:
            cover = self._make_cover(BoundedCover, matrix, stop, observers=Observers(log=log))
            cover.costs = matrix.costs or [0] * len(matrix)
            return cover

        return SetsSubtreeSearch(make_cover)
