"""The search of subtrees by the dictionary-of-sets core."""

from __future__ import annotations

import math
import time
from bisect import insort
from collections.abc import Callable

from exactcover.algorithm_x import Level
from exactcover.engines.covers import BoundedCover, SetsTree
from exactcover.engines.trees import ROOT, ChoicePoint, Subtree, SubtreeSearch

__all__ = ["SetsSubtreeSearch"]

SLICE_SECONDS = 0.005  # seconds


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
