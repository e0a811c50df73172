"""Counting classes of solutions: a run that adds up the counts of quotients."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from exactcover.control.stop import Stop
from exactcover.engines.base import EngineRun
from exactcover.model.matrix import Matrix
from exactcover.symmetry.permutations import Permutation
from exactcover.symmetry.quotients import find_conjugacy_classes, make_quotient

__all__ = ["ClassCountRun"]


class ClassCountRun(EngineRun):
    """A run that counts classes of solutions by the lemma of Burnside.

    Parameters
    ----------
    matrix
        The matrix.
    group
        All symmetries that count, as permutations of its options, beginning with the identity.
    start
        Starts a run that counts the solutions of a matrix.
    stop
        Polled often.

    Attributes
    ----------
    total
        The number of all solutions.

    Raises
    ------
    NoQuotientError
        If a quotient cannot be expressed as a matrix.
    """

    def __init__(
        self, matrix: Matrix, group: Sequence[Permutation], start: Callable[[Matrix], EngineRun], total: int, stop: Stop
    ) -> None:
        super().__init__()
        self.total, self._order, self._start = total, len(group), start
        classes = find_conjugacy_classes(group, stop)[1:]  # without the identity
        self._quotients = [(make_quotient(matrix, element), size) for element, size in classes]
        self._sum, self._done, self._nodes = total, 0, 0
        self._run: EngineRun | None = None

    def __next__(self) -> tuple[int, ...]:
        raise StopIteration  # it only counts

    def count(self) -> int:
        for quotient, size in self._quotients[self._done :]:
            if quotient is not None and quotient.first_underfilled() is None:
                self._run = self._start(quotient)
                self._sum += size * self._run.count()
                self.close()
            self._done += 1
        return self.solutions

    @property
    def solutions(self) -> int:
        return -(-self._sum // self._order)  # before the end, a lower bound

    @property
    def nodes(self) -> int:
        return self._nodes + (0 if self._run is None else self._run.nodes)

    def explored(self) -> float:
        return (1 + self._done) / (1 + len(self._quotients))

    @property
    def details(self) -> Mapping[str, int | str]:
        return {"group": self._order, "quotients": len(self._quotients), "total": self.total}

    def close(self) -> None:
        if self._run is not None:
            self._nodes += self._run.nodes
            self._run.close()
            self._run = None
