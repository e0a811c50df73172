"""Classes of solutions that are equal up to symmetry, and a search for one solution of each class."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from exactcover.engines.cursor import EngineRun, SerialRun
from exactcover.model.matrix import Matrix
from exactcover.steps.step import Lift, StepResult, unchanged


class SymmetryClasses(ABC):
    """The classes of solutions under a group of symmetries, and the rules by which a search finds one of each.

    Attributes
    ----------
    left_out
        Options that the search can leave out because of symmetry.
    total
        The number of solutions in all classes found so far.
    symmetric
        The number of classes found so far whose solutions are symmetric themselves; None if that is not known.
    """

    left_out: Sequence[int] = ()

    def __init__(self) -> None:
        self.total = 0
        self.symmetric: int | None = 0

    @property
    @abstractmethod
    def order(self) -> int:
        """The number of symmetries that count, including the identity."""

    @abstractmethod
    def accept(self, solution: Sequence[int]) -> bool:
        """Return whether a solution, as ascending options, represents its class; if so, count the class."""

    @property
    def mirrors(self) -> bool | None:
        """True if some symmetries that count are not rotations; None if it is not known which ones are rotations."""
        return None

    @property
    def all_distinct(self) -> bool:
        """True if all solutions that the search finds are known to be of different classes, and not symmetric."""
        return False

    def break_symmetry(self, matrix: Matrix) -> StepResult:
        """Change the matrix so that the search finds fewer members of each class: a step."""
        return StepResult(matrix, unchanged)

    def accept_many(self, number: int) -> None:
        """Count this many classes, none of them symmetric; valid only if :attr:`all_distinct` is true."""
        self.total += number * self.order


class DistinctRun(SerialRun):
    """A run that delivers only those solutions of another run that represent their class."""

    def __init__(self, run: EngineRun, lift: Lift, classes: SymmetryClasses) -> None:
        super().__init__(run)
        self._source, self._lift, self._classes = run, lift, classes  # the only run, which is never None

    def __next__(self) -> tuple[int, ...]:
        for solution in self._source:
            if self._classes.accept(sorted(self._lift(solution))):
                self._delivered += 1
                return solution
        raise StopIteration

    def count(self) -> int:
        if self._classes.all_distinct and not self._delivered:
            self._delivered = self._source.count()
            self._classes.accept_many(self._delivered)
            return self._delivered
        return super().count()

    @property
    def details(self) -> Mapping[str, int | str]:
        classes = self._classes
        own = {"group": classes.order, "total": classes.total, "symmetric": classes.symmetric or 0}
        return {**super().details, **own}
