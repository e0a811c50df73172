"""A template: the smallest engine, a search by the dictionary-of-sets core. Copy it to begin another.

An engine says which matrices it cannot search, and returns a cursor, which finds solutions a slice at a time: tuples of
ascending option numbers. Lists, counts, time limits and statistics come from there. A class attribute `supports` names
the options that it honors; all others are refused by name before it is asked. Register an engine in
:mod:`exactcover.engines.base`, or in a program of your own:

>>> from exactcover import Problem
>>> from exactcover.engines.base import ENGINES
>>> ENGINES["template"] = TemplateEngine()
>>> list(Problem({"A": [1, 2], "B": [1], "C": [2]}).solve(engine="template"))
[('A',), ('B', 'C')]
>>> del ENGINES["template"]
"""

from __future__ import annotations

from collections.abc import Iterator

from exactcover.algorithm_x import Cover
from exactcover.control.options import DEFAULTS, SearchOptions
from exactcover.control.recorder import NOBODY, Observers
from exactcover.control.stop import Stop
from exactcover.engines.base import Engine
from exactcover.engines.cursor import MAX_BATCH, ROOT, Cursor, Subtree
from exactcover.model.matrix import Matrix


class TemplateEngine(Engine):
    """An engine that lists solutions, and by that counts them."""

    name = "template"

    def find_obstacle(self, matrix: Matrix) -> str | None:
        return super().find_obstacle(matrix) or ("it does not minimize costs" if matrix.costs else None)

    def cursor(
        self, matrix: Matrix, stop: Stop, options: SearchOptions = DEFAULTS, observers: Observers = NOBODY
    ) -> Cursor:
        return _TemplateCursor(matrix, stop)


class _TemplateCursor(Cursor):
    """A cursor that goes on to the next solution, however long that takes; polls the stop at every node."""

    nodes = solutions = 0

    def __init__(self, matrix: Matrix, stop: Stop) -> None:
        super().__init__(stop)
        rows = [matrix.row(option) for option in stop.watch(range(len(matrix)))]
        self._cover = Cover(rows, range(matrix.primary), matrix.multiplicity, lambda: self.stop.poll())
        self._listed: Iterator[tuple[int, ...]] = iter(())

    def begin(self, subtree: Subtree = ROOT, cheapest: int = 0, ceiling: int | None = None) -> None:
        if subtree != ROOT or cheapest:
            raise NotImplementedError
        self._listed = iter(self._cover)

    def search(self, work: int, most: int = MAX_BATCH, *, listing: bool = True) -> bool:
        solution = next(self._listed, None)
        self.nodes = self._cover.nodes
        if solution is None:
            return False
        self.solutions += 1
        if listing:
            self._waiting.append(solution)
        return True

    def explored(self) -> float:
        return self._cover.explored()
