"""A run that looks for what is cheaper than a solution that is known already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from exactcover.control.stop import Stopped
from exactcover.engines.runs import EngineRun

__all__ = ["CheaperRun", "Known"]


@dataclass(frozen=True)
class Known:
    """A solution that is known before a search: the positions of its options, and the nodes visited for it."""

    positions: tuple[int, ...]
    nodes: int


class CheaperRun(EngineRun):
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
        super().__init__()
        self._known, self._cost, self._nodes, self._run = known, cost, nodes, run
        self._is_done = False
        self._cheapest = self._search()

    def __next__(self) -> tuple[int, ...]:
        solution = next(self._cheapest)
        self._delivered += 1
        return solution

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

    def explored(self) -> float:
        return self._run.explored()

    @property
    def best(self) -> int:
        return self._cost if self._run.best is None else min(self._cost, self._run.best)

    @property
    def bound(self) -> int | None:
        return self.best if self._is_done else self._run.bound

    @property
    def details(self) -> Mapping[str, int | str]:
        return self._run.details

    def close(self) -> None:
        self._run.close()
