"""Solutions that are known already, handed over as a search does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from exactcover.algorithm_x import Label
from exactcover.control.stop import Stop
from exactcover.diagram.diagram import Diagram
from exactcover.engines.base import Run, Tactics
from exactcover.model.model import Model
from exactcover.search.search import Search

__all__ = ["Walk"]


class Walk(Search):
    """A pass over solutions of a diagram; its status says how it ended, as that of a search.

    Parameters
    ----------
    diagram
    solutions
        Some of its solutions, by labels; None for all, in their order.
    limit
        With the N-th the walk is over.
    cheapest
        Walk over so many solutions of least cost instead.
    seed
        What chance depended on, where the solutions were drawn.

    Examples
    --------
    >>> from exactcover import Problem
    >>> walk = Walk(Problem({"A": [1], "B": [1]}).diagram(), limit=1)
    >>> list(walk), walk.status
    ([('A',)], <Status.LIMIT: 'limit'>)
    """

    def __init__(
        self,
        diagram: Diagram[Model],
        solutions: Iterable[tuple[Label, ...]] | None = None,
        *,
        limit: int | None = None,
        cheapest: int | None = None,
        seed: int | None = None,
        stop: Stop | None = None,
    ) -> None:
        super().__init__(
            diagram.problem,
            limit=limit,
            seed=seed,
            given=(),
            without=(),
            engine="auto",
            tactics=Tactics(cheapest=cheapest),
            reduce=False,
            stop=stop or Stop(),
        )
        if cheapest is not None:
            solutions = diagram.cheapest(cheapest)
        self.total = diagram.count
        self._walked = _Walked(diagram, diagram if solutions is None else solutions, self._stop)

    def _start(self) -> Run:
        self._engine, self._why = "none", "the solutions are known"
        return self._walked


class _Walked(Iterator[tuple[int, ...]]):
    """What stands for a run where nothing is searched."""

    nodes = 0
    resumable = True
    waiting: Iterator[tuple[int, ...]] = iter(())
    details: Mapping[str, int | str] = {}

    def __init__(self, diagram: Diagram[Model], solutions: Iterable[tuple[Label, ...]], stop: Stop) -> None:
        self.solutions = 0
        self._diagram, self._solutions = diagram, stop.watch(solutions)

    def __next__(self) -> tuple[int, ...]:
        labels = next(self._solutions)
        self.solutions += 1
        return tuple(map(self._diagram.problem.position, labels))

    def count(self) -> int:
        return sum(1 for _ in self)

    def explored(self) -> float:
        return self.solutions / (self._diagram.count or 1)

    def close(self) -> None:
        pass
