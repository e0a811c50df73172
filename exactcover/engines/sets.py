"""The dictionary-of-sets core as an engine: it works wherever Python does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from exactcover.algorithm_x import Cover
from exactcover.engines.protocol import Tactics
from exactcover.matrix import Matrix
from exactcover.stop import Stop

__all__ = ["SetsEngine"]


class SetsRun(Iterator[tuple[int, ...]]):
    """One search by :class:`~exactcover.algorithm_x.Cover`."""

    waiting: Iterator[tuple[int, ...]] = iter(())

    def __init__(self, matrix: Matrix, stop: Stop, tactics: Tactics) -> None:
        options = [{item: color or None for item, color in matrix.option(k)} for k in stop.watch(range(len(matrix)))]
        self._cover = Cover(options, range(matrix.primary), stop.poll, tactics.heuristic)
        self._found = iter(self._cover)
        self.details: Mapping[str, int | str] = {"jobs": 1} if tactics.jobs > 1 else {}
        self.solutions = 0

    def __next__(self) -> tuple[int, ...]:
        solution = next(self._found)
        self.solutions += 1
        return solution

    def count(self) -> int:
        return sum(1 for _ in self)

    @property
    def nodes(self) -> int:
        return self._cover.nodes

    def explored(self) -> float:
        return self._cover.explored()

    def close(self) -> None:
        pass


class SetsEngine:
    """Algorithm X with dictionaries of sets, in pure Python."""

    name = "sets"

    def supports(self, matrix: Matrix) -> str | None:
        return None

    def start(self, matrix: Matrix, stop: Stop, tactics: Tactics) -> SetsRun:
        return SetsRun(matrix, stop, tactics)

    def restart(self, matrix: Matrix, stop: Stop) -> None:
        return None
