"""A run that looks for what is cheaper than a solution that is known already."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from exactcover.control.stop import Stopped
from exactcover.engines.runs import DelegatingRun, EngineRun

__all__ = ["CheaperRun", "Known"]


@dataclass(frozen=True)
class Known:
    """A solution that is known before a search: the positions of its options, and the nodes visited for it."""

    positions: tuple[int, ...]
    nodes: int


class CheaperRun(DelegatingRun):
    """A run that delivers the cheapest solution.

    Parameters
    ----------
    known
        The solution that is known, as options of the matrix that is searched.
    cost
        What it costs.
    nodes
        The nodes that were visited for it.
    run
        Finds the cheapest solution of those that cost less.
    """

    def __init__(self, known: tuple[int, ...], cost: int, nodes: int, run: EngineRun) -> None:
        super().__init__(run)
        self._known, self._cost, self._nodes = known, cost, nodes
        self._is_done = False
        self._listed = self._search()

    def _search(self) -> Iterator[tuple[int, ...]]:
        cheaper, stopped = None, None
        try:
            cheaper = next(self._run, None) if self._cost else None
            if cheaper is not None:
                next(self._run, None)  # to the end, so that it is proved
        except Stopped as reason:
            stopped = reason
        self._is_done = stopped is None
        yield self._known if cheaper is None else cheaper
        if stopped is not None:
            raise stopped

    @property
    def nodes(self) -> int:
        return self._nodes + self._run.nodes

    @property
    def best(self) -> int:
        return self._cost if self._run.best is None else min(self._cost, self._run.best)

    @property
    def bound(self) -> int | None:
        return self.best if self._is_done else self._run.bound
