"""How a search ends, and what it has counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

__all__ = ["Statistics", "Status"]


class Status(Enum):
    """Where a search stands.

    Only ``COMPLETE`` and ``UNSATISFIABLE`` say that every solution has been delivered. ``OPTIMAL`` says that those
    delivered are proved to be the cheapest. ``LIMIT`` is set with the last solution asked for and says nothing about
    more.
    """

    RUNNING = "running"
    COMPLETE = "complete"
    OPTIMAL = "optimal"
    UNSATISFIABLE = "unsatisfiable"
    LIMIT = "limit"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    INTERRUPTED = "interrupted"

    @property
    def stopped(self) -> bool:
        """Whether a search that ended so may have left solutions out."""
        return self in (Status.TIMEOUT, Status.MEMORY, Status.INTERRUPTED)


@dataclass(frozen=True)
class Statistics:
    """What a search has done so far: a snapshot.

    Attributes
    ----------
    engine, why
        The engine's name and the reason it was picked; empty before the first solution is asked for.
    nodes
        Subproblems visited.
    solutions
        Solutions found.
    explored
        The share of the search tree that lies behind, from 0 to 1, by Knuth's estimate: every child
        of a node counts the same.
    seconds
        Wall-clock seconds from the call of ``solve`` to now, or to the end.
    setup_seconds
        How many of them passed before the search began.
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
    details: Mapping[str, int | str] = field(default_factory=dict)
