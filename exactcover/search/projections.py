"""One solution for each projection: solutions that choose the same of some options count as one."""

from __future__ import annotations

from collections.abc import Collection

from exactcover.control.options import Goal
from exactcover.control.stop import Stop
from exactcover.engines.base import Engine
from exactcover.engines.runs import EngineRun
from exactcover.model.matrix import Matrix
from exactcover.steps.restriction import restrict

__all__ = ["ProjectionRun"]


class ProjectionRun(EngineRun):
    """A run that delivers one solution for each projection onto some options.

    It decides option by option whether these are chosen, and always holds a solution that agrees with what is decided.
    So it never meets a dead end: between two projections, it asks at most once for each option whether a solution
    decides otherwise.

    Parameters
    ----------
    engine
        The engine that looks for these solutions.
    matrix
        The matrix.
    options
        The options that matter.
    stop
        Polled often.
    """

    def __init__(self, engine: Engine, matrix: Matrix, options: Collection[int], stop: Stop) -> None:
        super().__init__()
        self._engine, self._matrix, self._stop = engine, matrix, stop
        self._options = sorted(options)
        self._reusable = engine.reusable(matrix, stop)
        self._decided: list[bool] = []
        self._open: list[int] = []  # how many decisions come before each one that may be made otherwise
        self._questions = 0
        self._begun = False

    def __next__(self) -> tuple[int, ...]:
        solution = self._find_next()
        if solution is None:
            raise StopIteration
        chosen = set(solution)
        for number in range(len(self._decided), len(self._options)):
            self._open.append(number)
            self._decided.append(self._options[number] in chosen)
        self._delivered += 1
        return solution

    def _find_next(self) -> tuple[int, ...] | None:
        """Return a solution with another projection, after deciding where it differs; None if there is none."""
        if not self._begun:
            self._begun = True
            return self._find()
        while self._open:
            number = self._open.pop()
            otherwise = not self._decided[number]
            del self._decided[number:]
            self._decided.append(otherwise)
            if otherwise and self._clashes(number):
                continue
            solution = self._find()
            if solution is not None:
                return solution
        return None

    def _clashes(self, number: int) -> bool:
        """Return whether an option clashes with those that are chosen, which a search need not find out."""
        colors: dict[int, list[int]] = {}
        for option, chosen in zip(self._options, self._decided[:number], strict=False):
            for item, color in self._matrix.option(option) if chosen else ():
                colors.setdefault(item, []).append(color)
        return any(
            item in colors
            and (
                len(colors[item]) >= self._matrix.bounds(item)[1]
                if item < self._matrix.primary
                else not color or color != colors[item][0]
            )
            for item, color in self._matrix.option(self._options[number])
        )

    def _find(self) -> tuple[int, ...] | None:
        """Return a solution that agrees with what is decided, or None if there is none."""
        self._stop.poll()
        self._questions += 1
        given = [option for option, chosen in zip(self._options, self._decided, strict=False) if chosen]
        without = [option for option, chosen in zip(self._options, self._decided, strict=False) if not chosen]
        if self._reusable is not None:
            return next(iter(self._reusable.solve(given, without, 1, self._stop)), None)
        restriction = restrict(self._matrix, given, set(without))
        if restriction.reason is not None:
            return None
        found = next(self._engine.start(restriction.matrix, self._stop, goal=Goal("first", 1)), None)
        return None if found is None else tuple(sorted(restriction.lift(found)))

    @property
    def nodes(self) -> int:
        """The number of times that a solution was asked for."""
        return self._questions

    def explored(self) -> float:
        """Return the share of all decisions that are made for good."""
        if not self._begun:
            return 0.0
        return 1.0 - sum(0.5 ** (number + 1) for number in self._open)
