"""A template: the smallest engine, a search by the dictionary-of-sets core. Copy it to begin another.

An engine says which matrices it cannot search, and starts a run: an iterator over solutions, each a tuple of ascending
option numbers. A class attribute `supports` names the options that it honors; all others are refused by name before it
is asked. Register an engine in :mod:`exactcover.engines.registry`, or in a program of your own:

>>> from exactcover import Problem
>>> from exactcover.engines.registry import ENGINES
>>> ENGINES["template"] = TemplateEngine()
>>> list(Problem({"A": [1, 2], "B": [1], "C": [2]}).solve(engine="template"))
[('A',), ('B', 'C')]
>>> del ENGINES["template"]
"""

from __future__ import annotations

from exactcover.algorithm_x import Cover
from exactcover.control.observers import NOBODY, Observers
from exactcover.control.options import ALL, Goal, SearchOptions
from exactcover.control.stop import Stop
from exactcover.engines.base import Engine
from exactcover.engines.runs import EngineRun
from exactcover.model.matrix import Matrix

__all__ = ["TemplateEngine"]


class TemplateEngine(Engine):
    """An engine that lists solutions, and by that counts them."""

    name = "template"

    def obstacle(self, matrix: Matrix) -> str | None:
        return "it does not minimize costs" if matrix.costs else None

    def start(
        self,
        matrix: Matrix,
        stop: Stop,
        options: SearchOptions | None = None,
        goal: Goal = ALL,
        observers: Observers = NOBODY,
    ) -> EngineRun:
        return _TemplateRun(matrix, stop)


class _TemplateRun(EngineRun):
    """A run; polls the stop at every node."""

    def __init__(self, matrix: Matrix, stop: Stop) -> None:
        super().__init__()
        rows = [matrix.row(option) for option in stop.watch(range(len(matrix)))]
        self._cover = Cover(rows, range(matrix.primary), matrix.multiplicity, stop.poll)
        self._listed = iter(self._cover)

    @property
    def nodes(self) -> int:
        return self._cover.nodes

    def explored(self) -> float:
        return self._cover.explored()
