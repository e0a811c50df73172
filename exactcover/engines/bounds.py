"""The engine ``bounds``, which finds the cheapest solutions of large problems by prices of items.

The linear relaxation of many problems with costs has solutions that are nearly as cheap as the best one, and its dual
prices show which options such solutions can contain.

If solutions cost at most so much, only options matter that cost little more than the prices of their items. These are
few, and a search among them is short. So it is repeated for higher and higher limits, until enough solutions are found.
Where it takes long, branch and bound follows.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing

import exactcover._native  # noqa: F401  # which searches; without it, this engine is missing
from exactcover.control.policy import DEFAULT_BRANCHING_POLICY, BranchingPolicy
from exactcover.control.stop import Stop
from exactcover.engines.base import Engine, MatrixQuery
from exactcover.engines.branching import Branching
from exactcover.engines.cursor import ROOT, CheapestRun, EngineRun
from exactcover.engines.incumbents import Incumbents
from exactcover.engines.native import NativeEngine
from exactcover.engines.programs import HIGHS, LARGE, ProgramRun, suits_highs
from exactcover.engines.relaxation import find_prices
from exactcover.model.matrix import Matrix
from exactcover.steps.soft import SlackMatrix, add_slack

_FIRST_WORK = 1 << 18  # of the plain search, before prices are found
_LEAST_WORK = 1 << 20  # when the search by prices is divided
_PLAIN_SHARE = 0.5  # of the work by prices that it may do afterwards
_PLAIN_SLICE = 1 << 10  # units of its work
_ANY_WORK = 1 << 62

_MOST_COST = 1 << 46  # of all options together, so that prices fit into 64 bits
_WORK_PER_ENTRY = 16  # of finding prices, where a node is 1
_FINENESS = 2000  # the first limits are apart by this part of the cost


class BoundsRun(CheapestRun):
    """A plain search and a search by prices, in turns.

    Many problems are small enough for the plain search, or have prices that leave next to nothing to search. Therefore
    it begins, and goes on when the search by prices turns out to be long. Whatever ends first gives the answer.

    Where items may be covered several times, prices say little, and searches are long. HiGHS, which knows all rows,
    goes on with the best solution so far.
    """

    def __init__(
        self, matrix: Matrix, wanted: int, stop: Stop, ceiling: int | None = None, *, may_hand_over: bool = False
    ) -> None:
        super().__init__()
        self._may_hand_over = may_hand_over
        self._program: ProgramRun | None = None
        self._found: list[tuple[int, ...]] = []  # by HiGHS
        self._matrix, self._wanted, self._stop, self._ceiling = matrix, wanted, stop, ceiling
        self._plain = NativeEngine().cursor(matrix, stop)
        self._plain.begin(ROOT, wanted, ceiling)
        self._by_prices: PriceSearch | None = None

    def search_all(self) -> None:
        is_for_highs = self._may_hand_over and self._ceiling is None and suits_highs(self._matrix, self._wanted)
        work = LARGE if is_for_highs else _FIRST_WORK
        if not self._search_plainly(work if any(self._matrix.costs) else _ANY_WORK):
            return
        if is_for_highs and self._hand_over():
            return
        slack = add_slack(self._matrix)
        try:
            self._by_prices = search = PriceSearch(slack.matrix, self._wanted, self._stop, ceiling=self._ceiling)
        except (MemoryError, ImportError):  # of HiGHS; the plain search needs neither much memory nor libraries
            self._search_plainly(_ANY_WORK)
            return
        self._search_by_prices(search, slack)

    def _hand_over(self) -> bool:
        """Let HiGHS find the cheapest solutions; return whether it has done so."""
        known = next(iter(self._plain.take()), None)
        try:
            with closing(
                ProgramRun(self._matrix, self._stop, HIGHS, wanted=self._wanted, known=known)
            ) as self._program:
                self._found += self._program
        except MemoryError:  # of HiGHS
            self._program = None
        return self._program is not None

    def _search_by_prices(self, search: PriceSearch, slack: SlackMatrix) -> None:
        """Search by prices, and plainly in turns, and note what both find."""
        noted = 0  # nodes of the plain search when its solutions were noted
        while search.advance():
            if search.is_divided and not self._search_plainly(max(_LEAST_WORK, int(_PLAIN_SHARE * search.work))):
                return
            if self._plain.nodes > noted:
                noted = self._plain.nodes
                for solution in slack.complete(self._plain.take()):
                    search.note(solution)

    def _search_plainly(self, work: int) -> bool:
        """Go on with the plain search up to this much work; return whether there is more to do."""
        more = True
        while more and self._plain.work < work:
            self._stop.poll()
            more = self._plain.search(_PLAIN_SLICE)
            self._note_least(self._plain, self._matrix.costs, more=more)
        return more

    def cheapest(self) -> list[tuple[int, ...]]:
        costs, options, by_prices = self._matrix.costs, len(self._matrix), self._by_prices
        bare = [] if by_prices is None else [tuple(k for k in one if k < options) for one in by_prices.cheapest]
        found = dict.fromkeys([*self._found, *bare, *self._plain.take()])
        return sorted(found, key=lambda one: sum([costs[option] for option in one]) if costs else 0)[: self._wanted]

    @property
    def best(self) -> int | None:
        runs = (self._by_prices, self._program)
        known = [self._least, *(run.best for run in runs if run is not None)]
        return min((cost for cost in known if cost is not None), default=None)

    @property
    def bound(self) -> int:
        runs = (self._by_prices, self._program)
        return max((run.bound or 0 for run in runs if run is not None), default=0)

    @property
    def nodes(self) -> int:
        return sum(run.nodes for run in (self._plain, self._by_prices, self._program) if run is not None)

    @property
    def prover(self) -> str:
        return "" if self._program is None else self._program.prover

    @property
    def details(self) -> Mapping[str, int | str]:
        own = self._plain.details if self._by_prices is None else {"prices": self._by_prices.prices}
        return own if self._program is None else {**own, "solver": "HiGHS"}


class BoundsEngine(Engine):
    """A search by prices. It requires HiGHS."""

    name = "bounds"
    has_cursor = False
    supports = frozenset({"within"})

    def find_obstacle(self, matrix: Matrix) -> str | None:
        if len(matrix) and not matrix.costs:
            return "it searches only for the cheapest solutions, where options have costs"
        is_large = sum(matrix.costs) >= _MOST_COST
        return super().find_obstacle(matrix) or ("its costs are too large" if is_large else None)

    def start(self, query: MatrixQuery) -> EngineRun:
        is_free = query.options.engine == "auto"
        return BoundsRun(query.matrix, query.goal.cheapest or 1, query.stop, query.ceiling, may_hand_over=is_free)


class PriceSearch(Incumbents):
    """A search for the cheapest solutions; only items that are covered a fixed number of times get prices.

    After `most_nodes` nodes of a search up to a limit, branch and bound begins, as its policy says.
    """

    def __init__(
        self,
        matrix: Matrix,
        wanted: int,
        stop: Stop,
        most_nodes: int = 1 << 15,
        ceiling: int | None = None,
        policy: BranchingPolicy = DEFAULT_BRANCHING_POLICY,
    ) -> None:
        super().__init__(matrix, wanted, stop, ceiling)
        self._most_nodes, self._policy = most_nodes, policy
        self._found = found = find_prices(matrix, stop, self.most)
        self.prices, self.work = 1, _WORK_PER_ENTRY * len(matrix.entries)
        self.bound = -(-max(0, found.paid) // (found.scale * self.unit)) * self.unit  # what is not found costs no less
        self._limit, self._step = self.bound if ceiling is None else self.most, 0
        self._branching: Branching | None = None

    @property
    def is_divided(self) -> bool:
        """True if prices alone do not settle it, so that branch and bound follows."""
        return self._branching is not None

    def advance(self) -> bool:
        """Do something; return whether there is more to do."""
        self.stop.poll()
        if self._branching is not None:
            more = self._branching.advance()
            left = self._branching.bound
            self.bound = max(self.bound, self.ceiling + self.unit if left is None else left)
            return more
        if self.ceiling < self.bound:
            return False
        if not self._search_up_to_limit():
            self._branching = Branching(self._matrix, 4 * self.most + 1, self, self._policy)
            return True
        self.bound = self._limit + self.unit
        self._step = 2 * self._step or max(self.unit, self._limit // _FINENESS // self.unit * self.unit)
        self._limit += self._step
        return self.bound <= self.ceiling

    def _search_up_to_limit(self) -> bool:
        """Return whether all solutions that matter and cost no more than the limit are found."""
        found = self._found
        left = min(self._limit, self.ceiling) * found.scale - found.paid
        cheap = found.reduced_costs <= left
        return left < 0 or self.search_among(cheap, found, left, self._most_nodes)
