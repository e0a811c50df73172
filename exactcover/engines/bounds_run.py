"""The run of the engine ``bounds``: a plain search and a search by prices, in turns."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING

from exactcover.control.stop import Stop
from exactcover.engines.cheapest import CheapestRun, LeastCost
from exactcover.engines.native import NativeEngine
from exactcover.engines.price_search import PriceSearch
from exactcover.engines.trees import ROOT
from exactcover.model.matrix import Matrix
from exactcover.steps.slack import Slack, add_slack

if TYPE_CHECKING:  # seldom needed
    from exactcover.engines.highs_process import HighsProcess

__all__ = ["BoundsRun"]

_FIRST_NODES = 1 << 15  # of the plain search, before prices are found
_FIRST_WORK = 1 << 32  # entries that it may look at before the search by prices is divided
_LEAST_NODES, _MOST_NODES = 1 << 10, 1 << 19  # what that means in nodes
_SHARE = 0.5  # of the work by prices that it may do afterwards
_SLICE = 1 << 10  # units of its work
_ANY_NUMBER = 1 << 62


class BoundsRun(CheapestRun):
    """A plain search and a search by prices, in turns.

    Many problems are small enough for the plain search, or have prices that leave next to nothing to search. Therefore
    it begins, and goes on when the search by prices turns out to be long. Whatever ends first gives the answer.

    In a race, HiGHS searches beside them in a process of its own. When it finds solutions depends on the clock, and
    so does which one of several solutions of the same cost is the answer.
    """

    def __init__(
        self, matrix: Matrix, wanted: int, stop: Stop, ceiling: int | None = None, *, is_race: bool = False
    ) -> None:
        super().__init__()
        self._is_race = is_race
        self._found_by_highs, self._no_highs = 0, ""  # how much it found, or why it did not search
        self._matrix, self._wanted, self._stop, self._ceiling = matrix, wanted, stop, ceiling
        self._plain = NativeEngine().subtrees(matrix, stop)
        self._plain.begin(ROOT, wanted, ceiling)
        self._slack: Slack | None = None
        self._least = LeastCost(matrix.costs, self._plain.take)
        self._is_plain = True  # whether the plain search has found the answer
        self._by_prices: PriceSearch | None = None

    def search_all(self) -> None:
        is_priced = any(self._matrix.costs)
        if not self._search_plainly(_FIRST_NODES if is_priced else _ANY_NUMBER):
            return
        self._slack = slack = add_slack(self._matrix)
        try:
            self._by_prices = search = PriceSearch(slack.matrix, self._wanted, self._stop, ceiling=self._ceiling)
        except (MemoryError, ImportError):  # of HiGHS; the plain search needs neither much memory nor libraries
            self._search_plainly(_ANY_NUMBER)
            return
        self._is_plain = False
        with ExitStack() as closing:
            highs = self._begin_highs()
            if highs is not None:
                closing.callback(highs.close)
                closing.callback(self._note_found, highs, search)  # also at a stop
            self._search_by_prices(search, highs)

    def _begin_highs(self) -> HighsProcess | None:
        if not self._is_race or self._slack is None:
            return None
        from exactcover.engines.highs_process import HighsProcess  # seldom needed

        try:
            return HighsProcess(self._slack.matrix, self._stop)
        except MemoryError as error:  # the others go on without it
            self._no_highs = str(error)
            return None

    def _note_found(self, highs: HighsProcess, search: PriceSearch) -> None:
        """Note what HiGHS has found since the last call."""
        for options in highs.take():
            self._found_by_highs += 1
            search.note(options)

    def _search_by_prices(self, search: PriceSearch, highs: HighsProcess | None) -> None:
        """Search by prices, and plainly in turns, and note what both and HiGHS find."""
        assert self._slack is not None
        nodes = min(_MOST_NODES, max(_LEAST_NODES, _FIRST_WORK // (1 + len(self._matrix.entries))))
        noted = 0  # nodes of the plain search when its solutions were noted
        while search.advance():
            if search.is_divided and not self._search_plainly(max(nodes, int(_SHARE * search.work))):
                self._is_plain = True
                return
            if self._plain.nodes > noted:
                noted = self._plain.nodes
                for solution in self._slack.complete(self._plain.take()):
                    search.note(solution)
            if highs is not None:
                self._note_found(highs, search)

    def _search_plainly(self, nodes: int) -> bool:
        """Go on with the plain search up to this many nodes; return whether there is more to do."""
        more = True
        while more and self._plain.nodes < nodes:
            self._stop.poll()
            more = self._plain.work(_SLICE, listing=True)
            self._least.note(self._plain.nodes, more=more)
        return more

    def cheapest(self) -> list[tuple[int, ...]]:
        if self._is_plain or self._by_prices is None or self._slack is None:
            return self._plain.take()
        for solution in self._slack.complete(self._plain.take()):
            self._by_prices.note(solution)
        options = len(self._matrix)
        return [tuple(option for option in solution if option < options) for solution in self._by_prices.cheapest]

    @property
    def best(self) -> int | None:
        known = [self._least.cost, None if self._by_prices is None else self._by_prices.best]
        return min((cost for cost in known if cost is not None), default=None)

    @property
    def bound(self) -> int:
        return 0 if self._by_prices is None else self._by_prices.bound

    @property
    def nodes(self) -> int:
        return self._plain.nodes + (0 if self._by_prices is None else self._by_prices.nodes)

    @property
    def details(self) -> Mapping[str, int | str]:
        if self._by_prices is None:
            return self._plain.details
        found = {"found by HiGHS": self._no_highs or self._found_by_highs} if self._is_race else {}
        return {"prices": self._by_prices.prices, **found}
