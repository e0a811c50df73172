"""The engine ``sets``: the dictionary-of-sets core, which works wherever Python does."""

from __future__ import annotations

import math
import random
import time
from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from exactcover.algorithm_x import Cover, Level
from exactcover.control.observers import NOBODY, Observers
from exactcover.control.options import ALL, DEFAULTS, Goal, HeuristicFunction, SearchOptions
from exactcover.control.recorder import SOLUTION_FOUND, TreeRecorder
from exactcover.control.statistics import Status
from exactcover.control.stop import Stop, Stopped
from exactcover.engines.base import Engine
from exactcover.engines.runs import CheapestRun, DelegatingRun, EngineRun
from exactcover.engines.trees import ROOT, ChoicePoint, Subtree, SubtreeSearch
from exactcover.model.matrix import Matrix

__all__ = ["SetsEngine"]

SLICE_SECONDS = 0.005  # seconds

C = TypeVar("C", bound=Cover)

_WORK_PER_NODE = 1 << 10  # in units of the engine `native`


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


class SetsSubtreeSearch(SubtreeSearch):
    """A search by a cover that can be divided.

    Parameters
    ----------
    make_cover
        Makes a cover of the whole problem.
    """

    def __init__(self, make_cover: Callable[[], BoundedCover]) -> None:
        self._make_cover = make_cover
        self._nodes = self._solutions = self._most = 0
        self._waiting: list[tuple[int, ...]] = []
        self._best: list[tuple[int, int, tuple[int, ...]]] = []  # cost, number in the order of finding, solution
        self._subtree = ROOT
        self._cover: BoundedCover | None = None

    @property
    def nodes(self) -> int:
        return self._nodes

    @property
    def solutions(self) -> int:
        return self._solutions

    def begin(self, subtree: Subtree, cheapest: int = 0, ceiling: int | None = None) -> None:
        self._subtree, self._most, self._waiting, self._best = subtree, cheapest, [], []
        self._cover = self._enter(subtree)
        if self._cover is not None and cheapest:
            self._cover.ceiling = math.inf if ceiling is None else ceiling - self._cover.cost(subtree.chosen)

    def advance(self, *, listing: bool) -> bool:
        cover, end = self._cover, time.perf_counter() + SLICE_SECONDS
        while cover is not None:  # visits one node at least, however busy the machine is
            cover.poll()
            self._nodes += 1
            if cover.uncovered:
                level = cover.branch()
                cover.note(len(cover.levels), len(level.choices), level.item)
                cover.levels.append(level)
            else:
                self._add(tuple(sorted((*self._subtree.chosen, *cover.solution()))), listing=listing)
            while cover.levels and not cover.next_child(cover.levels[-1]):
                cover.levels.pop()
            if not cover.levels:
                self._cover = cover = None
            if time.perf_counter() >= end:
                break
        return cover is not None

    def _add(self, solution: tuple[int, ...], *, listing: bool) -> None:
        cover = self._cover
        assert cover is not None
        cover.note(len(cover.levels), -1, -1)
        if self._most and cover.cost(cover.solution()) >= cover.ceiling:
            return
        self._solutions += 1
        if self._most:
            insort(self._best, (cover.cost(solution), self._solutions, solution))
            if len(self._best) >= self._most:
                del self._best[self._most :]
                cover.ceiling = self._best[-1][0] - cover.cost(self._subtree.chosen)
        elif listing:
            self._waiting.append(solution)

    def take(self) -> list[tuple[int, ...]]:
        if self._most:
            return [solution for _, _, solution in self._best]
        taken, self._waiting = self._waiting, []
        return taken

    def divide(self) -> list[list[Subtree]]:
        if self._cover is None:
            return []
        levels: list[list[Subtree]] = []
        subtree = self._subtree
        for level in self._cover.levels:
            children = self._list_children(level, subtree)
            levels.append(children[level.tried :])
            subtree = children[level.tried - 1]
        self._cover = None
        return [*levels, self.children(subtree)]

    def _list_children(self, level: Level, subtree: Subtree) -> list[Subtree]:
        """Return the child for each choice of a level; later ones leave out the options of earlier ones."""
        chosen, excluded = subtree.chosen, subtree.excluded
        children: list[Subtree] = []
        for option in level.choices:
            children.append(Subtree(chosen if option is None else (*chosen, option), excluded))
            if option is not None:
                excluded = (*excluded, option)
        return children

    def children(self, subtree: Subtree) -> list[Subtree]:
        cover = self._enter(subtree)
        while cover is not None and cover.uncovered:
            level = cover.branch()
            cover.note(len(cover.levels), len(level.choices), level.item)
            children = self._list_children(level, subtree)
            if len(children) != 1:
                return children
            subtree = children[0]
            cover.levels.append(level)
            cover.next_child(level)
        return [] if cover is None else [subtree]

    def probe(self, subtree: Subtree, seed: int) -> list[ChoicePoint]:
        cover = self._enter(subtree)
        return [] if cover is None else SetsTree(cover).probe(seed)

    def _enter(self, subtree: Subtree) -> BoundedCover | None:
        """Return a cover of a subtree, or None if the chosen options exclude each other."""
        cover = self._make_cover()
        live = set(range(len(cover.options)))
        for option in subtree.chosen:
            if option not in live:
                return None
            live.difference_update(cover.select(option))
        if not live.isdisjoint(subtree.chosen):
            raise ValueError("an option is chosen twice")
        for option in live.intersection(subtree.excluded):
            cover.discard(option)
        return cover if set(subtree.chosen).isdisjoint(subtree.excluded) else None


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
    elif choices == SOLUTION_FOUND:
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
