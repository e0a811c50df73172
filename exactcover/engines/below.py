"""Runs that find the cheapest solutions of those that cost less than a ceiling."""

from __future__ import annotations

from exactcover.engines.cheapest import CheapestRun
from exactcover.engines.trees import ROOT, SubtreeSearch

__all__ = ["BelowRun"]


class BelowRun(CheapestRun):
    """A run that finds the cheapest solutions of those that cost less than a ceiling, by a search of the whole tree."""

    def __init__(self, search: SubtreeSearch, wanted: int, ceiling: int) -> None:
        super().__init__()
        self._search = search
        search.begin(ROOT, wanted, ceiling)

    def search_all(self) -> None:
        while self._search.advance(listing=True):
            pass

    def cheapest(self) -> list[tuple[int, ...]]:
        return self._search.take()

    @property
    def nodes(self) -> int:
        return self._search.nodes
