"""The branch and bound of HiGHS in a process of its own, as a source of solutions.

HiGHS computes in floating point, and when it finds something depends on the clock. So nothing follows from what it
proves, and each of its solutions is checked. If it ends, for whatever reason, our search goes on alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from queue import Empty

from exactcover.control.stop import Stop
from exactcover.engines.worker_process import WorkerProcess
from exactcover.model.matrix import Matrix

__all__ = ["HighsProcess"]


class HighsProcess:
    """A search by HiGHS, which goes on by itself until it is closed.

    Parameters
    ----------
    matrix
        The matrix, which has options with costs.
    stop
        Its limit of memory holds for both processes together.

    Raises
    ------
    MemoryError
        If memory does not suffice, or no process or thread can be started.
    """

    def __init__(self, matrix: Matrix, stop: Stop) -> None:
        self._matrix, self._stop = matrix, stop
        program = _state_program(matrix)
        self._worker: WorkerProcess | None = WorkerProcess("highs_worker.py", "HiGHS")
        self._worker.send(program, answered=True)

    @property
    def is_alive(self) -> bool:
        """Whether it may find more, or has found what nobody has taken yet."""
        return self._worker is not None

    def take(self) -> Iterator[list[int]]:
        """Yield the solutions that were found since the last call, each of them checked."""
        while self._worker is not None:
            if not (self._worker.is_owned and self._worker.has_memory(self._stop)):
                return self.close()
            try:
                options = self._worker.answers.get_nowait()
            except Empty:
                return
            if options is None:
                return self.close()
            self._worker.send(None, answered=True)  # asks for the next one
            if self._matrix.is_solution(options):
                yield options

    def close(self) -> None:
        """End the search."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()


def _state_program(matrix: Matrix) -> dict[str, object]:
    """Return the integer program of a matrix, without the items to which options give colors."""
    colored = {item for item, color in zip(matrix.entries, matrix.colors, strict=True) if color}
    stated = [item for item in range(matrix.items) if item not in colored]
    rows = {item: row for row, item in enumerate(stated)}
    options = [[rows[item] for item, _ in matrix.option(k) if item in rows] for k in range(len(matrix))]
    bounds = [matrix.capped(item) if item < matrix.primary else (0, 1) for item in stated]
    return {
        "costs": list(matrix.costs),
        "lows": [low for low, _ in bounds],
        "highs": [high for _, high in bounds],
        "starts": [*accumulate(map(len, options), initial=0)],
        "items": [row for option in options for row in option],
    }
