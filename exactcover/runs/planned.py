"""What is searched below each path of a run: the whole problem, or the parts into which its plan splits it."""

from __future__ import annotations

from functools import cache

from exactcover.control.stop import Stop
from exactcover.runs.cube import CubePath
from exactcover.runs.problem import RunProblem, SearchProblem
from exactcover.symmetry.branches import Weight

__all__ = ["PlannedSearch"]


class PlannedSearch:
    """What is searched below each path.

    The children of the root are the parts, if there is a plan and the root was not counted as a whole.

    Parameters
    ----------
    problem
        The problem of the run.
    stop
        Polled while the parts are made.

    Attributes
    ----------
    parts
        The number of parts; 0 if there is no plan.

    Raises
    ------
    ValueError
        If the plan of the problem does not fit its matrix.
    Stopped
        If `stop` asks for it.
    """

    def __init__(self, problem: RunProblem, stop: Stop) -> None:
        self._whole = problem.searched
        self._parts = [] if problem.plan is None else problem.plan.parts(problem.searched.matrix, stop)
        self.parts = len(self._parts)
        self.problem_of, self.data_of = cache(self._make_problem), cache(self._make_data)

    def part_of(self, path: CubePath) -> int | None:
        """Return the number of the part to which a path belongs; None for the whole.

        Raises
        ------
        ValueError
            If there is no such part.
        """
        if not path or not self._parts:
            return None
        if path[0] >= len(self._parts):
            raise ValueError("the plan has fewer parts")
        return path[0]

    def _make_problem(self, part: int | None) -> SearchProblem:
        """Return what is searched in a part, or the whole; it is made once."""
        if part is None:
            return self._whole
        matrix = self._parts[part].matrix
        return SearchProblem(
            matrix, (), tuple(range(len(matrix))), records=self._whole.records, any_way=self._whole.any_way
        )

    def _make_data(self, part: int | None) -> bytes:
        """Return what is searched as bytes; they are made once."""
        return self.problem_of(part).to_bytes()

    def options_of(self, path: CubePath) -> int:
        """Return how many options there are below a path."""
        part = self.part_of(path)
        return len(self._whole.matrix if part is None else self._parts[part].matrix)

    def weight_of(self, path: CubePath) -> Weight:
        """Return how many solutions of the problem each solution below a path stands for."""
        part = self.part_of(path)
        return 1 if part is None else self._parts[part].weight
