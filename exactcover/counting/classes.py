"""The count of classes of solutions by the lemma of Burnside: the counts of quotients, added up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from exactcover.control.stop import Stop
from exactcover.counting.count import Count
from exactcover.counting.task import Fiber, Flow, Group
from exactcover.model.matrix import Matrix
from exactcover.symmetry.permutations import Permutation
from exactcover.symmetry.quotients import NoQuotientError, find_conjugacy_classes, make_quotient

__all__ = ["ClassCount"]


class ClassCount(Fiber):
    """The count of the classes of solutions under a group, unless there are so few solutions that they can be listed.

    Parameters
    ----------
    matrix
        The matrix.
    group
        All symmetries that count, as permutations of its options, beginning with the identity.
    start
        Starts the count of a matrix.
    most_listed
        With at most this many solutions, only these are counted.
    stop
        Polled often.

    Attributes
    ----------
    total
        The number of all solutions, once it is counted.
    is_counted
        Whether the number of classes is known at the end.
    """

    def __init__(
        self,
        matrix: Matrix,
        group: Sequence[Permutation],
        start: Callable[[Matrix], Count],
        most_listed: int,
        stop: Stop,
    ) -> None:
        super().__init__(self._count())
        self._matrix, self._group, self._start = matrix, group, start
        self._most_listed, self._stop = most_listed, stop
        self.total, self.is_counted = 0, False
        self._counts: list[tuple[Count, int]] = []  # each with how often it is added
        self._sum, self._done, self._quotients = 0, 0, 0

    def _count(self) -> Flow:
        yield from self._add(self._matrix, 1)  # the identity keeps all solutions
        self.total = self._sum
        if self.total <= self._most_listed:
            return
        classes = find_conjugacy_classes(self._group, self._stop)[1:]
        try:
            quotients = [(make_quotient(self._matrix, element), size) for element, size in classes]
        except NoQuotientError:
            return
        self._quotients = len(quotients)
        self._done += sum(quotient is None for quotient, _ in quotients)
        yield Group(self._add(quotient, size) for quotient, size in quotients if quotient is not None)
        self.is_counted = True

    def _add(self, matrix: Matrix, times: int) -> Flow:
        if matrix.first_underfilled() is None:
            count = self._start(matrix)
            self._counts.append((count, times))
            yield count
            self._sum += times * count.solutions
        self._done += 1

    @property
    def solutions(self) -> int:
        """The number of classes; a lower bound before the end."""
        found = sum(times * count.solutions for count, times in self._counts)
        return -(-found // len(self._group))

    @property
    def nodes(self) -> int:
        """The number of subproblems and states that were visited."""
        return sum(count.nodes for count, _ in self._counts)

    def explored(self) -> float:
        """Return the estimated share of the work that is done."""
        explored = sum(count.explored() for count, _ in self._counts if not count.is_done)
        return (self._done + explored) / (1 + self._quotients if self._quotients else len(self._group))

    @property
    def details(self) -> Mapping[str, int | str]:
        """How they were counted."""
        return {"group": len(self._group), "quotients": self._quotients, "total": self.total}
