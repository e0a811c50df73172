"""The count of classes of solutions under a group: the mean, over its elements, of how many solutions each one keeps.

The solutions that a symmetry keeps are those of a quotient of the matrix.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from exactcover.control.stop import Stop
from exactcover.counting.count import Count
from exactcover.counting.scheduler import Flow, Group, Scheduler
from exactcover.engines.cursor import EngineRun
from exactcover.model.matrix import Matrix
from exactcover.symmetry.classes import SymmetryClasses
from exactcover.symmetry.permutations import Permutation
from exactcover.symmetry.quotients import NoQuotientError, find_conjugacy_classes, make_quotient


class ClassRun(EngineRun):
    """A run that counts classes by quotients; with at most `most_listed` solutions, they are listed instead.

    The group consists of all symmetries that count, as permutations of the options, beginning with the identity. The
    number of all solutions is noted in the classes.
    """

    def __init__(
        self,
        matrix: Matrix,
        group: Sequence[Permutation],
        classes: SymmetryClasses,
        start: Callable[[Matrix], Count],
        start_list: Callable[[], EngineRun],
        most_listed: int,
        scheduler: Scheduler,
        stop: Stop,
    ) -> None:
        super().__init__()
        self._matrix, self._group, self._classes, self._start = matrix, group, classes, start
        self._start_list, self._most_listed, self._scheduler, self._stop = start_list, most_listed, scheduler, stop
        self._counts: list[tuple[Count, int]] = []  # each with how often it is added
        self._total = self._sum = self._done = self._quotients = 0
        self._list: EngineRun | None = None

    def count(self) -> int:
        self._total = self._count_kept([(self._matrix, 1)])  # the identity keeps all solutions
        quotients = self._make_quotients() if self._total > self._most_listed else None
        if quotients is not None:
            self._quotients = len(quotients)
            self._count_kept(quotients)
            self._classes.total, self._classes.symmetric = self._total, None
        else:
            self._list = self._start_list()
            self._list.count()
        return self.solutions

    def _make_quotients(self) -> list[tuple[Matrix | None, int]] | None:
        """Return a quotient for each kind of symmetry, and how many there are; None if some have none."""
        classes = find_conjugacy_classes(self._group, self._stop)[1:]
        try:
            return [(make_quotient(self._matrix, element), size) for element, size in classes]
        except NoQuotientError:
            return None

    def _count_kept(self, quotients: Sequence[tuple[Matrix | None, int]]) -> int:
        """Count the solutions of some matrices, each so many times; None stands for one without solutions."""
        self._done += sum(matrix is None for matrix, _ in quotients)
        self._scheduler.run(Group(self._add(matrix, size) for matrix, size in quotients if matrix is not None))
        return self._sum

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
        return max(-(-found // len(self._group)), 0 if self._list is None else self._list.solutions)

    @property
    def nodes(self) -> int:
        return sum(count.nodes for count, _ in self._counts) + (0 if self._list is None else self._list.nodes)

    def explored(self) -> float:
        if self._list is not None:
            return self._list.explored()
        explored = sum(count.explored() for count, _ in self._counts if not count.is_done)
        return (self._done + explored) / (1 + self._quotients if self._quotients else len(self._group))

    @property
    def details(self) -> Mapping[str, int | str]:
        if self._list is not None:
            return self._list.details
        return {"group": len(self._group), "quotients": self._quotients, "total": self._total}

    def close(self) -> None:
        if self._list is not None:
            self._list.close()
