"""Leaves that do no work, and a clock on which each slice of theirs takes one second."""

from collections.abc import Callable

from exactcover.control.stop import Clock
from exactcover.engines.leaves import Leaf

__all__ = ["Scripted", "Ticking"]


class Ticking(Clock):
    """A clock that goes on by one second between two readings."""

    def __init__(self) -> None:
        self._seconds = 0.0

    def read(self) -> float:
        self._seconds += 1.0
        return self._seconds


class Scripted(Leaf):
    """A leaf that needs a number of slices, and says how many are left as it likes."""

    def __init__(
        self,
        name: str,
        slices: float,
        *,
        estimate: float | None = None,
        hopeless: bool = False,
        do: Callable[[], object] = lambda: None,
    ) -> None:
        super().__init__()
        self.name = name
        self.taken = 0
        self._slices, self._estimate, self._hopeless, self._do = slices, estimate, hopeless, do

    def work(self, amount: int) -> bool:
        self.taken += 1
        self._do()
        return self.taken < self._slices

    def left(self) -> float:
        return self._slices - self.taken if self._estimate is None else self._estimate

    def explored(self) -> float:
        return self.taken / self._slices

    def is_hopeless(self, most_memory: Callable[[], int]) -> bool:
        return self._hopeless

    def total(self) -> int:
        return 7 if self.taken >= self._slices else 0

    @property
    def nodes(self) -> int:
        return self.taken
