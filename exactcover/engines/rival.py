"""The branch and bound of HiGHS in a process of its own, as a source of solutions.

HiGHS computes in floating point, and when it finds something depends on the clock. So nothing follows from what it
proves, and each of its solutions is checked. If it ends, for whatever reason, our search goes on alone.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from itertools import accumulate
from pathlib import Path

from exactcover.engines.thread_group import ThreadGroup
from exactcover.model.matrix import Matrix
from exactcover.steps.restriction import restrict

__all__ = ["Rival"]


class Rival:
    """A search by HiGHS, which goes on by itself until it is closed.

    Parameters
    ----------
    matrix
        The matrix, which has options with costs.

    Raises
    ------
    MemoryError
        If no process or thread can be started.
    """

    def __init__(self, matrix: Matrix) -> None:
        self._matrix = matrix
        self._found: deque[list[int]] = deque()
        script = Path(__file__).with_name("rival_worker.py")
        flags = {"process_group": 0} if os.name == "posix" else {"creationflags": 0x08000000}  # CREATE_NO_WINDOW
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(script)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                **flags,  # type: ignore[call-overload]
            )
        except OSError as error:
            raise MemoryError(f"the process of HiGHS cannot be started: {error}") from error
        self._threads = ThreadGroup(self._process.kill)
        self._threads.start([self._talk])

    def _talk(self) -> None:
        """Send the problem, and collect what is found."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        with suppress(OSError, EOFError, pickle.UnpicklingError):
            pickle.dump(([path for path in sys.path if path], _state_program(self._matrix)), stdin)
            stdin.flush()
            while True:
                self._found.append(pickle.load(stdout))

    def take(self) -> Iterator[list[int]]:
        """Yield the solutions that were found since the last call, each of them checked."""
        while self._found:
            options = self._found.popleft()
            left = restrict(self._matrix, options, ())
            if left.reason is None and not any(left.matrix.bounds(item)[0] for item in range(left.matrix.primary)):
                yield options

    def close(self) -> None:
        """End the search."""
        self._threads.end()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):  # what was not sent
                    stream.close()


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
