"""The engine ``sets``: the dictionary-of-sets core, which works wherever Python does."""

from __future__ import annotations

import math
import random
from bisect import insort
from collections.abc import Iterable, Sequence
from functools import partial

from exactcover.algorithm_x import Cover, Level
from exactcover.control.options import DEFAULTS, HeuristicFunction, SearchOptions
from exactcover.control.recorder import NOBODY, SOLUTION_FOUND, Observers
from exactcover.control.statistics import Status
from exactcover.control.stop import Stop, Stopped
from exactcover.engines.base import Engine
from exactcover.engines.cursor import MAX_BATCH, ROOT, ChoicePoint, Cursor, Subtree
from exactcover.model.matrix import Matrix
from exactcover.rules import MatrixRule

_WORK_PER_NODE = 1 << 10  # in units of the engine `native`


class BoundedCover(Cover):
    """A search for solutions that cost less than a ceiling, which may be lowered during the search."""

    costs: Sequence[int] = ()
    ceiling: float = math.inf
    rules: Sequence[MatrixRule] = ()
    outside: tuple[int, ...] = ()  # options that are chosen before it begins
    is_broken = False  # whether a rule cannot hold at the newest node

    @property
    def spent(self) -> int:
        """The cost of the options chosen so far."""
        return self.cost(level.choices[level.tried - 1] for level in self.levels)

    def cost(self, options: Iterable[int | None]) -> int:
        return sum(self.costs[option] for option in options if option is not None)

    def branch(self) -> Level:
        """Return the item to branch on, without the choices that cost too much."""
        level = super().branch()
        self.is_broken = bool(self.rules) and self.breaks_rules()
        if self.is_broken:
            level.choices = []
        if self.ceiling == math.inf:
            return level
        left = self.ceiling - self.spent
        level.choices = [choice for choice in level.choices if self.cost([choice]) < left]
        return level

    def breaks_rules(self, *, is_over: bool = False) -> bool:
        """Return whether some rule is broken, whatever is chosen from the live options; `is_over` for no more."""
        chosen = {*self.outside, *self.solution()}
        possible = None if is_over else chosen.union(*self.live.values())
        return any(stated.find_faults(chosen, possible) for stated in self.rules)


class SetsCursor(Cursor):
    """A cursor that visits the nodes of a cover; each subtree has a cover of its own."""

    finds_cheapest = True

    nodes = solutions = 0

    def __init__(self, matrix: Matrix, stop: Stop, options: SearchOptions, observers: Observers) -> None:
        super().__init__(stop)
        self._matrix, self._options, self._observers, self.log = matrix, options, observers, observers.log
        self._rows = [matrix.row(option) for option in stop.watch(range(len(matrix)))]
        self._cheapest = 0
        self._best: list[tuple[int, int, tuple[int, ...]]] = []  # cost, number in the order of finding, solution
        self._subtree = ROOT
        self._cover: BoundedCover | None = None

    @property
    def work(self) -> int:
        return self.nodes * _WORK_PER_NODE

    def explored(self) -> float:
        cover = self._cover  # read once, because another thread may ask
        return 1.0 if cover is None else cover.explored()

    def begin(self, subtree: Subtree = ROOT, cheapest: int = 0, ceiling: int | None = None) -> None:
        self._subtree, self._cheapest, self._waiting, self._best = subtree, cheapest, [], []
        self._cover = self._enter(subtree)
        if self._cover is not None and ceiling is not None:
            self._cover.ceiling = ceiling - self._cover.cost(subtree.chosen)

    def search(self, work: int, most: int = MAX_BATCH, *, listing: bool = True) -> bool:
        visits = max(1, work // _WORK_PER_NODE)
        if self._options.nodes is not None and self._cover is not None:
            visits = min(visits, self._options.nodes - self.nodes)
            if visits <= 0:
                raise Stopped(Status.NODES)
        for _ in range(visits):
            # Nothing is polled between a solution and the caller.
            if self._cover is None or len(self._waiting) >= most or (self._waiting and self.stop.status is not None):
                break
            self._visit_node(self._cover, listing=listing)
        return self._cover is not None

    def _visit_node(self, cover: BoundedCover, *, listing: bool) -> None:
        if not self._waiting:
            cover.poll()
        self.nodes += 1
        if cover.uncovered:
            level = cover.branch()
            cover.note(len(cover.levels), len(level.choices), level.item)
            cover.levels.append(level)
        else:
            self._add_solution(cover, listing=listing)
        while cover.levels and not cover.next_child(cover.levels[-1]):
            cover.levels.pop()
        if not cover.levels:
            self._cover = None

    def _add_solution(self, cover: BoundedCover, *, listing: bool) -> None:
        cover.is_broken = bool(cover.rules) and cover.breaks_rules(is_over=True)
        cover.note(len(cover.levels), -1, -1)
        if cover.spent >= cover.ceiling or cover.is_broken:
            return
        self.solutions += 1
        solution = tuple(sorted((*self._subtree.chosen, *cover.solution())))
        if self._cheapest:
            insort(self._best, (cover.cost(solution), self.solutions, solution))
            if len(self._best) >= self._cheapest:
                del self._best[self._cheapest :]
                cover.ceiling = self._best[-1][0] - cover.cost(self._subtree.chosen)
        elif listing:
            self._waiting.append(solution)

    def take(self) -> list[tuple[int, ...]]:
        return [solution for _, _, solution in self._best] if self._cheapest else super().take()

    def divide(self) -> list[list[Subtree]]:
        if self._cover is None:
            return []
        levels: list[list[Subtree]] = []
        subtree = self._subtree
        for level in self._cover.levels:
            children = _list_children(level, subtree)
            levels.append(children[level.tried :])
            subtree = children[level.tried - 1]
        self._cover = None
        return [*levels, self.children(subtree)]  # of a node that was not visited yet

    def children(self, subtree: Subtree) -> list[Subtree]:
        cover = self._enter(subtree)
        while cover is not None and cover.uncovered:
            level = cover.branch()
            cover.note(len(cover.levels), len(level.choices), level.item)
            children = _list_children(level, subtree)
            if len(children) != 1:
                return children
            subtree = children[0]
            cover.levels.append(level)
            cover.next_child(level)
        return [] if cover is None else [subtree]

    def probe(self, subtree: Subtree, seed: int, *, listing: bool = False) -> list[ChoicePoint]:
        cover, children, generator = self._enter(subtree, is_observed=False), 1, random.Random(seed)
        points: list[ChoicePoint] = []
        while cover is not None and cover.uncovered:
            cover.poll()
            points.append((children, 1, 0))
            level = cover.branch()
            children = len(level.choices)
            if not children:
                return points
            number = generator.randrange(children)
            for choice in level.choices[:number]:  # as in a search
                if choice is not None:
                    cover.discard(choice)
            level.choices = level.choices[number:]
            cover.next_child(level)
        return [] if cover is None else [*points, (children, 1, 1)]

    def _enter(self, subtree: Subtree, *, is_observed: bool = True) -> BoundedCover | None:
        """Return a cover of a subtree, or None if the chosen options exclude each other."""
        matrix, options = self._matrix, self._options
        bounds, heuristic = matrix.multiplicity, options.named_heuristic
        cover = BoundedCover(
            self._rows, range(matrix.primary), bounds, lambda: self.stop.poll(), heuristic, matrix.preferred
        )
        cover.costs, cover.rules, cover.outside = matrix.costs or [0] * len(matrix), matrix.rules, subtree.chosen
        if callable(options.heuristic):
            cover.pick = partial(_ask, options.heuristic, cover)
        if is_observed and (self.log is not None or self._observers):
            cover.note = partial(self._note_node, cover)
        live = set(range(len(self._rows)))
        for option in subtree.chosen:
            if option not in live:
                return None
            live.difference_update(cover.select(option))
        if not live.isdisjoint(subtree.chosen):
            raise ValueError("an option is chosen twice")
        for option in live.intersection(subtree.excluded):
            cover.discard(option)
        return cover if set(subtree.chosen).isdisjoint(subtree.excluded) else None

    def _note_node(self, cover: BoundedCover, depth: int, choices: int, item: int) -> None:
        """Add a node to the profile and to the log of a search."""
        if self._observers.profile is not None:
            self._observers.profile.note(depth, choices)
        if self.log is None:
            return
        if cover.ceiling <= cover.spent or cover.is_broken:
            self.log.add_pruned()
        elif choices == SOLUTION_FOUND:
            self.log.add_solution()
        else:
            self.log.add(item, choices)


def _list_children(level: Level, subtree: Subtree) -> list[Subtree]:
    """Return the child for each choice of a level; later ones leave out the options of earlier ones."""
    chosen, excluded = subtree.chosen, subtree.excluded
    children: list[Subtree] = []
    for option in level.choices:
        children.append(Subtree(chosen if option is None else (*chosen, option), excluded))
        if option is not None:
            excluded = (*excluded, option)
    return children


def _ask(heuristic: HeuristicFunction, cover: Cover) -> int:
    """Return the item that a function chooses."""
    left = sorted(cover.uncovered, key=cover.primary.__getitem__)
    number: int = heuristic({item: sorted(cover.live[item]) for item in left})
    return number


class SetsEngine(Engine):
    """Algorithm X with dictionaries of sets, in pure Python."""

    name = "sets"
    searches = True
    divides = True
    takes_weights = takes_rules = True
    supports = frozenset({"function", "heuristic", "nodes", "restarts", "profile", "log", "within"})

    def cursor(
        self, matrix: Matrix, stop: Stop, options: SearchOptions = DEFAULTS, observers: Observers = NOBODY
    ) -> SetsCursor:
        return SetsCursor(matrix, stop, options, observers)
