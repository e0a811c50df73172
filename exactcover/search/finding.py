"""Finding one solution, or the proof that there is none, in several ways that take turns.

- *search* branches on the item with the fewest options. Alone at first, it finds most solutions.
- *restarts* begins again and again, in random orders, and remembers which items fail.
- *leftmost* branches on the items in their order, which often is the order in which people would go on.
- *bounded learning* derives clauses from dead ends, by a solver that counts the options of an item
  (:mod:`exactcover.engines.learning`).
- *learning* does the same with clauses alone.

Each is hopeless where another one is quick, and none says so beforehand. So they share the work: the way that is most
behind its share goes on next. A way begins when the others have done at least as much as it costs to begin. Nothing
depends on how far a way believes to be. Work is counted in units of the engines, not in seconds: the same problem and
seed give the same solution on every machine, whatever its load.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from exactcover.control.statistics import Status
from exactcover.control.stop import Stop, Stopped
from exactcover.engines.runs import EngineRun

__all__ = ["FindRun", "Finder", "Turn"]


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
        How much work a way with share 1 has done when it begins.
    measure
        Returns how much work its run has done.
    share
        How much work it does, compared with the shares of others.
    run
        The run, once it has begun.
    work, nodes
        How much work it has done, and how many nodes it has visited, in the turns that count so far.
    """

    name: str
    start: Callable[[], EngineRun]
    begins: int
    measure: Callable[[EngineRun], int]
    share: float = 1.0
    run: EngineRun | None = None
    work: int = 0
    nodes: int = 0

    def find_place(self, work: int) -> float:
        """Return where it stands in the order of ways if it has done so much work; the first one goes on."""
        return self.begins + work / self.share

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
        return Turn(solution, error, self.measure(self.run), self.run.nodes)


class Turn(NamedTuple):
    """What came of a turn: a solution, an error, or neither; and what its way has done up to then, as in `Finder`."""

    solution: tuple[int, ...] | None
    error: BaseException | None
    work: int = 0
    nodes: int = 0

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
        self._first, self._finders = finders[0], list(finders)
        self._winner: Finder | None = None

    def __next__(self) -> tuple[int, ...]:
        return self.search_until_found()

    def search_on(self) -> tuple[int, ...] | None:
        if self._winner is not None:
            raise StopIteration
        if self._most_nodes is not None and self.nodes >= self._most_nodes:
            raise Stopped(Status.NODES)
        finder = min(self._finders, key=lambda one: one.find_place(one.work))
        turn = self._get_turn(finder)
        if turn is None:
            return None
        finder.work, finder.nodes = turn.work, turn.nodes
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
        is_given_up = isinstance(error, MemoryError | Stopped) and not is_limit and finder is not self._first
        if not is_given_up or self._stop.status is not None:
            raise error
        self._finders.remove(finder)
        if finder.run is not None:
            finder.run.close()

    @property
    def work(self) -> int:
        return sum(finder.work for finder in self._finders)

    @property
    def counts_work(self) -> bool:
        return True

    @property
    def nodes(self) -> int:
        return sum(finder.nodes for finder in self._finders)

    def explored(self) -> float:
        return max((finder.run.explored() for finder in self._finders if finder.run is not None), default=0.0)

    @property
    def details(self) -> Mapping[str, int | str]:
        leader = self._winner or self._first
        own = {} if leader.run is None else leader.run.details
        begun = [finder for finder in self._finders if finder.work]
        if len(begun) < 2:
            return own
        shares = ", ".join(f"{finder.name} {finder.work:,}" for finder in begun)
        won = {} if self._winner is None else {"won by": self._winner.name}
        return {**own, **won, "work": shares}

    def close(self) -> None:
        for finder in self._finders:
            if finder.run is not None:
                finder.run.close()
