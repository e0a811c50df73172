"""Finding one solution, or the proof that there is none, in several ways that take turns.

- *search* branches on the item with the fewest options. Alone at first, it finds most solutions.
- *restarts* begins again and again, in random orders, and remembers which items fail.
- *leftmost* branches on the items in their order, which often is the order in which people would go on.
- *bounded learning* derives clauses from dead ends, by a solver that counts the options of an item
  (:mod:`exactcover.engines.learning`).
- *learning* does the same with clauses alone.

Each is hopeless where another one is quick, and none says so beforehand. So they share the work: the way that is most
behind its share goes on next. A way begins when the others have done at least as much as it costs to begin. A way that
goes through a tree, and will have seen all of it soon, as far as can be told, is not interrupted. Work is counted in
units of the engines, not in seconds: the same problem and seed give the same solution on every machine, whatever its
load.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from exactcover.control.statistics import Status
from exactcover.control.stop import Stop, Stopped
from exactcover.engines.runs import EngineRun

__all__ = ["FindRun", "Finder", "Turn"]

_SPRINT_MARGIN = 1.5  # how much longer than expected the rest of a tree may take
_SPRINT_PAUSE = 2  # how much more work than in a sprint that failed is done before another one


@dataclass
class Finder:
    """A way to find a solution.

    Attributes
    ----------
    name
        Its name in statistics.
    start
        Starts its run.
    begins
        After how much work of all ways it begins.
    measure
        Returns how much work its run has done.
    share
        How much work it does, compared with the shares of others.
    is_tree
        Whether it goes through one tree, so that the share that it has explored says how much is left.
    run
        The run, once it has begun.
    work, nodes, explored
        How much work it has done, how many nodes it has visited, and which share of its tree it has explored, in the
        turns that count so far.
    """

    name: str
    start: Callable[[], EngineRun]
    begins: int
    measure: Callable[[EngineRun], int]
    share: float = 1.0
    is_tree: bool = False
    run: EngineRun | None = None
    work: int = 0
    nodes: int = 0
    explored: float = 0.0

    @property
    def rest(self) -> float:
        """How much work is left of its tree, as far as can be told; infinite if nothing is known."""
        return self.work * (1 / self.explored - 1) if self.is_tree and self.explored else math.inf

    def take_turn(self) -> Turn:
        """Begin or go on for a while; return what came of it."""
        solution, error = None, None
        try:
            if self.run is None:
                self.run = self.start()
            solution = self.run.search_on()
        except BaseException as raised:
            error = raised
        if self.run is None:
            return Turn(solution, error)
        return Turn(solution, error, self.measure(self.run), self.run.nodes, self.run.explored())


class Turn(NamedTuple):
    """What came of a turn: a solution, an error, or neither; and what its way has done up to then, as in `Finder`."""

    solution: tuple[int, ...] | None
    error: BaseException | None
    work: int = 0
    nodes: int = 0
    explored: float = 0.0

    @property
    def is_last(self) -> bool:
        """Whether its way does not go on after it."""
        return self.solution is not None or self.error is not None


class FindRun(EngineRun):
    """A run that finds one solution.

    Parameters
    ----------
    finders
        The ways. The first one begins; those after it are given up if memory does not suffice for them.
    stop
        The stop that all of them poll.
    most_nodes
        After how many nodes of all ways to stop, or None.
    """

    def __init__(self, finders: Sequence[Finder], stop: Stop, most_nodes: int | None = None) -> None:
        super().__init__()
        self._stop, self._most_nodes = stop, most_nodes
        self._waiting, self._begun = list(finders), list[Finder]()
        self._winner: Finder | None = None
        self._picked: Finder | None = None  # whose turn is not done yet
        self._turns = 0
        self._sprinter: Finder | None = None  # which goes on alone
        self._sprint_end = self._next_sprint = 0.0  # the work of that way at which it ends, and of all for another one

    def __next__(self) -> tuple[int, ...]:
        return self.search_until_found()

    def search_on(self) -> tuple[int, ...] | None:
        if self._winner is not None:
            raise StopIteration
        if self._most_nodes is not None and self.nodes >= self._most_nodes:
            raise Stopped(Status.NODES)
        finder = self._picked or self._pick()
        turn = self._get_turn(finder)
        if turn is None:
            self._picked = finder
            return None
        self._picked = None
        finder.work, finder.nodes, finder.explored = turn.work, turn.nodes, turn.explored
        if turn.error is not None:
            self._note_error(finder, turn.error)
        elif turn.solution is not None:
            self._winner, self._delivered = finder, 1
        return turn.solution

    def _get_turn(self, finder: Finder) -> Turn | None:
        """Return the next turn of a way; None if it is not done yet."""
        return finder.take_turn()

    def _note_error(self, finder: Finder, error: BaseException) -> None:
        """Give up a way if memory does not suffice for it; raise what ends the search."""
        if isinstance(error, StopIteration):
            self._winner = finder
            raise error
        is_limit = isinstance(error, Stopped) and error.status is Status.NODES
        is_given_up = isinstance(error, MemoryError | Stopped) and not is_limit and finder is not self._begun[0]
        if not is_given_up or self._stop.status is not None:
            raise error
        self._begun.remove(finder)
        self._sprinter = None if self._sprinter is finder else self._sprinter
        if finder.run is not None:
            finder.run.close()

    def _pick(self) -> Finder:
        """Return the way that goes on next: one that seems nearly done, a new one, or the one most behind its share."""
        self._turns += 1
        sprinter = self._pick_sprinter()
        if sprinter is not None:
            return sprinter
        if self._waiting and self._turns + self.work > self._waiting[0].begins:
            self._begun.append(self._waiting.pop(0))
            return self._begun[-1]
        return min(self._begun, key=lambda finder: finder.work / finder.share)

    def _pick_sprinter(self) -> Finder | None:
        """Return the way that goes on alone, because less of its tree seems to be left than all ways have done."""
        done, sprinter = self.work, self._sprinter
        if sprinter is not None:
            if sprinter.work < self._sprint_end:
                return sprinter
            self._sprinter = None
        if done < self._next_sprint:
            return None
        best = min(self._begun, key=lambda finder: finder.rest, default=None)
        if best is None or _SPRINT_MARGIN * best.rest > done:
            return None
        length = 1 + _SPRINT_MARGIN * best.rest
        self._sprinter, self._sprint_end = best, best.work + length
        self._next_sprint = done + (1 + _SPRINT_PAUSE) * length
        return best

    @property
    def work(self) -> int:
        return sum(finder.work for finder in self._begun)

    @property
    def counts_work(self) -> bool:
        return True

    @property
    def nodes(self) -> int:
        return sum(finder.nodes for finder in self._begun)

    def explored(self) -> float:
        return max((finder.run.explored() for finder in self._begun if finder.run is not None), default=0.0)

    @property
    def details(self) -> Mapping[str, int | str]:
        leader = self._winner or (self._begun[0] if self._begun else None)
        own = {} if leader is None or leader.run is None else leader.run.details
        if len(self._begun) < 2:
            return own
        shares = ", ".join(f"{finder.name} {finder.work:,}" for finder in self._begun)
        won = {} if self._winner is None else {"won by": self._winner.name}
        return {**own, **won, "work": shares}

    def close(self) -> None:
        for finder in self._begun:
            if finder.run is not None:
                finder.run.close()
