"""The search for the cheapest solutions by prices of items.

A search up to a limit begins. Where it takes long, branch and bound begins as well, and both go on in turns: where
solutions cost much more than the relaxation says, branch and bound is quicker; where they cost about as little, but are
hard to find, the search up to the limit is. Each keeps what the other one finds.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from math import gcd
from typing import TYPE_CHECKING

from exactcover.control.policy import DEFAULT_BRANCHING_POLICY, BranchingPolicy
from exactcover.control.stop import Stop
from exactcover.engines.division import WORK_PER_ENTRY, Division
from exactcover.engines.relaxation import find_prices
from exactcover.engines.rest_search import Aim
from exactcover.model.matrix import Matrix
from exactcover.model.soft import most_cost

if TYPE_CHECKING:  # imports NumPy, which is slow
    from exactcover.engines.branching import Branching

__all__ = ["PriceSearch"]

_SHARE = 3  # of the work: so much by branch and bound, where the other search by prices does 1


class PriceSearch:
    """A search for the cheapest solutions.

    Parameters
    ----------
    matrix
        The matrix. Only items that are covered a fixed number of times get prices.
    wanted
        How many solutions.
    stop
        Polled often.
    most_nodes
        After how many nodes branch and bound begins.
    ceiling
        What solutions must cost less than, where many are wanted; None for the cheapest ones at any cost.
    policy
        When branch and bound searches, dives, and begins again.

    Attributes
    ----------
    bound
        What all solutions cost at least that were not found.
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
        self._matrix, self._wanted, self._policy = matrix, wanted, policy
        self._unit = gcd(*matrix.costs) or 1
        self._most = most_cost(matrix, {})  # of any solution
        if ceiling is not None:
            self._most = min(self._most, ceiling - 1)
        self._best: list[tuple[int, int, tuple[int, ...]]] = []  # cost, number in the order of finding, solution
        self._seen = set[tuple[int, ...]]()
        root = find_prices(matrix, stop, self._most)
        self._aim = Aim(self._unit, self._get_ceiling, self.note, wanted, stop)
        limit = None if ceiling is None else self._most
        self._division = Division(matrix, root, self._aim, most_nodes, limit=limit)
        self.bound = self._division.bound
        self._branching: Branching | None = None

    @property
    def cheapest(self) -> list[tuple[int, ...]]:
        """The cheapest solutions found so far, the cheapest first."""
        return [solution for _, _, solution in self._best]

    @property
    def best(self) -> int | None:
        """What the cheapest solution costs that is found; None if none is found."""
        return self._best[0][0] if self._best else None

    def note(self, solution: Sequence[int]) -> None:
        """Keep a solution if it is among the cheapest; raise RuntimeError if it is none."""
        found = tuple(sorted(solution))
        if found not in self._seen:
            if not self._matrix.is_solution(found):
                raise RuntimeError("the search by prices has found what is not a solution")
            self._seen.add(found)
            insort(self._best, (self._cost_of(found), len(self._seen), found))
            del self._best[self._wanted :]

    def advance(self) -> bool:
        """Do something; return whether there is more to do.

        Raises
        ------
        Stopped
            If the stop asks for it.
        """
        branching, division = self._branching, self._division
        if branching is not None and branching.work < _SHARE * division.work:
            more = branching.advance()
        else:
            more = division.advance()
            if more and branching is None and division.is_divided:
                self._branching = self._begin_branching()
        least = self._get_ceiling() + self._unit  # of what does not matter
        self.bound = max(self.bound, *(least if one.bound is None else one.bound for one in self._searches))
        return more

    def _begin_branching(self) -> Branching:
        from exactcover.engines.branching import Branching  # seldom needed

        penalty = 4 * self._most + 1
        return Branching(self._matrix, penalty, self._aim, self._policy)

    def _get_ceiling(self) -> int:
        """Return what solutions may cost that are still looked for."""
        return min(self._most, self._best[-1][0] - self._unit) if len(self._best) == self._wanted else self._most

    def _cost_of(self, options: Sequence[int]) -> int:
        return sum(self._matrix.costs[option] for option in options)

    @property
    def is_divided(self) -> bool:
        """Whether branch and bound has begun."""
        return self._branching is not None

    @property
    def _searches(self) -> list[Division | Branching]:
        return [self._division] if self._branching is None else [self._division, self._branching]

    @property
    def nodes(self) -> int:
        """The number of subproblems that were visited."""
        return sum(searching.nodes for searching in self._searches)

    @property
    def work(self) -> int:
        """How much was done, where visiting a node is 1."""
        return WORK_PER_ENTRY * len(self._matrix.entries) + sum(searching.work for searching in self._searches)

    @property
    def prices(self) -> int:
        """How often prices were found."""
        return 1 + sum(searching.solved for searching in self._searches)
