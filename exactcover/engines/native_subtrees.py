"""The native search of subtrees."""

from __future__ import annotations

from collections.abc import Mapping

import exactcover._native as _native
from exactcover.control.options import Heuristic
from exactcover.control.recorder import TreeRecorder
from exactcover.control.stop import Stop
from exactcover.engines.pace import MAX_BATCH, Pace
from exactcover.engines.trees import ChoicePoint, Subtree, SubtreeSearch

__all__ = ["NativeSubtreeSearch"]

_NO_CEILING = (1 << 63) - 1


class NativeSubtreeSearch(SubtreeSearch):
    """A native search that can be divided."""

    def __init__(
        self, search: _native.Search, stop: Stop, log: TreeRecorder | None = None, heuristic: Heuristic = "mrv"
    ) -> None:
        self._search, self._stop, self._log, self._pace = search, stop, log, Pace()
        self._heuristic = heuristic
        if log is not None:
            search.watch(True, log.skips_leaves)
        self._subtree = Subtree()
        self._cheapest = self._listing = False
        self._waiting: list[tuple[int, ...]] = []
        self._earlier_nodes = self._earlier_solutions = 0
        self._before: _native.SearchCounters | None = None  # the counters when the current subtree was begun

    @property
    def nodes(self) -> int:
        before = self._before
        return self._earlier_nodes + (0 if before is None else self._search.counters().nodes - before.nodes)

    @property
    def solutions(self) -> int:
        before = self._before
        return self._earlier_solutions + (0 if before is None else self._search.counters().solutions - before.solutions)

    def _end(self) -> None:
        """End the search of a subtree; what probes and divisions visit from now on does not count."""
        earlier = self.nodes, self.solutions
        self._before = None  # first, because another thread may read the numbers, which must never be too high
        self._earlier_nodes, self._earlier_solutions = earlier

    def begin(self, subtree: Subtree, cheapest: int = 0, ceiling: int | None = None) -> None:
        self._end()
        self._drop_nodes()
        self._before = self._search.counters()
        self._subtree, self._cheapest, self._waiting = subtree, cheapest > 0, []
        limit = _NO_CEILING if ceiling is None else min(ceiling, _NO_CEILING)
        self._search.begin(subtree.chosen, self._heuristic, subtree.excluded, cheapest, limit)

    def advance(self, *, listing: bool) -> bool:
        self._stop.poll()
        return self._pace.advance(lambda amount: self.work(amount, listing=listing))

    def work(self, amount: int, *, listing: bool) -> bool:
        """Search for this many units of work; return whether there is more to do."""
        self._listing = listing
        more = self._search.advance(amount, MAX_BATCH if listing else 1, listing, self._stop.poll)
        self._record()
        return more

    def explored(self) -> float:
        """Return the share of the subtree that has been searched."""
        return self._search.explored()

    def memory(self) -> int:
        """Return how many bytes the search holds."""
        return self._search.memory()

    @property
    def details(self) -> Mapping[str, int | str]:
        """Further counters, by name."""
        counters = self._search.counters()
        return {"updates": counters.updates, "compactions": counters.compactions}

    def take(self) -> list[tuple[int, ...]]:
        if self._cheapest:
            return self._search.cheapest()
        taken, self._waiting = self._waiting + self._search.take(), []
        return taken

    def divide(self) -> list[list[Subtree]]:
        while (path := self._search.path()) is None:
            if not self._search.advance(1, 1 << 40, self._listing):
                return []
        self._waiting += self._search.take()
        self._record()
        self._end()
        chosen, nodes = path
        levels: list[list[Subtree]] = []
        subtree = self._subtree
        for depth, options, none in nodes:
            children = self._list_children(subtree)
            first = len(children) - len(options) - none
            left = children[first:]
            _check_left(left, set(chosen[:depth]), options)
            levels.append(left)
            if first == 0:  # no child of the last node has been tried
                break
            subtree = children[first - 1]
        return levels

    def children(self, subtree: Subtree) -> list[Subtree]:
        self._drop_nodes()
        children = self._list_children(subtree)
        self._record()
        return children

    def _drop_nodes(self) -> None:
        """Drop the nodes that probes and divisions have visited."""
        if self._log is not None:
            self._search.log()

    def _record(self) -> None:
        """Record the nodes visited since the last call."""
        if self._log is not None:
            self._log.extend(self._search.log())

    def _list_children(self, subtree: Subtree) -> list[Subtree]:
        self._end()
        found = self._search.children(subtree.chosen, self._heuristic, subtree.excluded)
        return [Subtree(tuple(chosen), tuple(excluded)) for chosen, excluded in found]

    def probe(self, subtree: Subtree, seed: int) -> list[ChoicePoint]:
        self._end()
        return self._search.probe(seed, self._stop.poll, subtree.chosen, subtree.excluded)


def _check_left(left: list[Subtree], chosen: set[int], options: list[int]) -> None:
    """Check that the children computed anew are those that the search had left, so that no solution can get lost."""
    expected = [chosen | {option} for option in options] + [chosen] * (len(left) - len(options))
    if [set(child.chosen) for child in left] != expected:
        raise RuntimeError("a search cannot be divided: the tree has changed since it began")
