"""The status of a search, and its counters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum


class Status(Enum):
    """The state of a search: running, or the reason why it ended.

    Only ``COMPLETE`` and ``UNSATISFIABLE`` say that every solution has been delivered. ``OPTIMAL`` says that the
    delivered solutions are proved to be the cheapest. ``LIMIT`` is set when the last requested solution is delivered;
    it does not say whether there are more. ``GAP`` is set when a solution is delivered that is known to cost
    little more than the cheapest one; it does not say that it is the cheapest.
    """

    RUNNING = "running"
    COMPLETE = "complete"
    OPTIMAL = "optimal"
    UNSATISFIABLE = "unsatisfiable"
    LIMIT = "limit"
    GAP = "gap"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    NODES = "nodes"
    INTERRUPTED = "interrupted"

    @property
    def stopped(self) -> bool:
        """True if the search was stopped, so that it may have missed solutions."""
        return self in _STOPS

    @property
    def words(self) -> str:
        """The reason why the search was stopped, in words; the value of the status if it was not stopped."""
        return _STOPS.get(self, str(self.value))


_STOPS = {
    Status.TIMEOUT: "stopped by the timeout",
    Status.MEMORY: "stopped: out of memory",
    Status.NODES: "stopped by the limit on nodes",
    Status.INTERRUPTED: "interrupted",
}


@dataclass(frozen=True)
class Statistics:
    """A snapshot of what a search has done so far.

    Attributes
    ----------
    engine, why
        The name of the engine and the reason why it was picked; empty until the first solution is requested.
    nodes
        The number of subproblems visited.
    solutions
        The number of solutions found.
    explored
        The share of the search tree that has been searched, from 0 to 1, by Knuth's estimate, which counts all
        children of a node as equally large.
    seconds
        Wall-clock seconds from the call of ``solve`` until now, or until the end.
    setup_seconds
        The part of these seconds that passed before the search began.
    build_seconds
        The seconds that it took before that to make the problem of its options.
    best, bound
        The cost of the incumbent (the cheapest solution found so far), and the lower bound on the cost of every
        solution. Both are None if the cheapest is not searched for, and `best` is None as long as nothing is found. If
        the highest cost is wanted, they are the highest cost found so far, and the upper bound.
    proof
        The proof that no solution, or no cheaper one, was missed: ``"exact"`` for a search with whole numbers, or the
        name of the program that says so, such as ``"HiGHS"``, which computes in floating point. Empty if there is none.
    details
        Further counters of the engine, by name.
    """

    engine: str = ""
    why: str = ""
    nodes: int = 0
    solutions: int = 0
    explored: float = 0.0
    seconds: float = 0.0
    setup_seconds: float = 0.0
    build_seconds: float = 0.0
    best: int | Decimal | None = None
    bound: int | Decimal | None = None
    proof: str = ""
    details: Mapping[str, int | str] = field(default_factory=dict)

    @property
    def gap(self) -> int | Decimal | None:
        """The optimality gap: by how much a solution may be cheaper than the best one; None if it is not known.

        Examples
        --------
        >>> Statistics(best=30, bound=27).gap
        3
        """
        gap: int | Decimal | None = None if self.best is None or self.bound is None else self.best - self.bound
        return None if gap is None else max(gap, -gap)
