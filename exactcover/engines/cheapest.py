"""What engines share that find the cheapest solutions: they come at the end, or when the search is stopped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from exactcover.control.stop import Stopped

__all__ = ["CheapestFirst"]


class CheapestFirst(Iterator[tuple[int, ...]]):
    """Hands over the solutions of least cost once all have been looked for; mixed into an engine's run."""

    waiting: Iterator[tuple[int, ...]]

    def __init__(self) -> None:
        self._stopped: Stopped | None = None
        self._searched = False
        self._handed_over = 0

    def seek(self) -> None:
        """Search to the end; raises ``Stopped``."""
        raise NotImplementedError

    def cheapest(self) -> Sequence[tuple[int, ...]]:
        """Return the cheapest solutions seen, the cheapest first."""
        raise NotImplementedError

    def __next__(self) -> tuple[int, ...]:
        if not self._searched:
            self._searched = True
            try:
                self.seek()
            except Stopped as stopped:
                self._stopped = stopped
            self.waiting = iter(self.cheapest())
        solution = next(self.waiting, None)
        if solution is None:
            raise self._stopped or StopIteration
        self._handed_over += 1
        return solution

    @property
    def solutions(self) -> int:
        return self._handed_over
