"""Counting classes of solutions: a run that adds up the counts of quotients."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from exactcover.control.stop import Stop
from exactcover.engines.base import EngineRun, SerialRun
from exactcover.model.matrix import Matrix
from exactcover.symmetry.permutations import Permutation
from exactcover.symmetry.quotients import find_conjugacy_classes, make_quotient

__all__ = ["ClassCountRun"]


class ClassCountRun(SerialRun):
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
        The number of all solutions, once it is counted.
    """

    def __init__(
        self, matrix: Matrix, group: Sequence[Permutation], start: Callable[[Matrix], EngineRun], stop: Stop
    ) -> None:
        super().__init__()
        self.total = 0
        self._matrix, self._group, self._start, self._stop = matrix, group, start, stop
        self._sum, self._done, self._size = 0, 0, 1
        self._partial = 0  # what the current count has found, if it was closed before its end
        self._quotients: list[tuple[Matrix | None, int]] = []

    def count_solutions(self) -> int:
        """Return the number of all solutions, which are those that the identity keeps."""
        self.total = self._sum = self._count(self._matrix, 1)
        self._done = 1
        return self.total

    def count(self) -> int:
        """Return the number of classes, after :meth:`count_solutions`.

        Raises
        ------
        NoQuotientError
            If a quotient cannot be expressed as a matrix.
        """
        classes = find_conjugacy_classes(self._group, self._stop)[1:]  # without the identity
        self._quotients = [(make_quotient(self._matrix, element), size) for element, size in classes]
        for quotient, size in self._quotients:
            if quotient is not None and quotient.first_underfilled() is None:
                self._sum += self._count(quotient, size)
            self._done += 1
        return self.solutions

    def _count(self, matrix: Matrix, size: int) -> int:
        self._run, self._size = self._start(matrix), size
        found = size * self._run.count()
        self.close()
        self._partial = 0
        return found

    def __next__(self) -> tuple[int, ...]:
        raise StopIteration  # it only counts

    @property
    def solutions(self) -> int:
        running = self._partial if self._run is None else self._size * self._run.solutions
        return -(-(self._sum + running) // len(self._group))  # before the end, a lower bound

    def close(self) -> None:
        if self._run is not None:
            self._partial = self._size * self._run.solutions
        super().close()

    def explored(self) -> float:
        return (self._done + super().explored()) / (1 + len(self._quotients) if self._quotients else len(self._group))

    @property
    def details(self) -> Mapping[str, int | str]:
        return {"group": len(self._group), "quotients": len(self._quotients), "total": self.total}
