"""The native search; exactcover.engines.native is its face."""

from array import array
from collections.abc import Callable, Sequence
from typing import TypeAlias

_Poll: TypeAlias = Callable[[], object] | None

instruction_sets: tuple[str, ...]
build_type: str
version: str

class Problem:
    """A problem as lists of columns."""

class Search:
    """One search over a problem, driven in slices."""

    def __init__(
        self, problem: Problem, most_dense_options: int = 65536, instructions: str = ..., poll: _Poll = None
    ) -> None: ...
    def begin(
        self, given: Sequence[int], heuristic: str = "mrv", without: Sequence[int] = (), cheapest: int = 0
    ) -> bool: ...
    def children(
        self, given: Sequence[int], heuristic: str = "mrv", without: Sequence[int] = ()
    ) -> list[tuple[list[int], list[int]]]: ...
    def cheapest(self) -> list[tuple[int, ...]]: ...
    def watch(self, traced: bool) -> None: ...
    def profile(self) -> tuple[list[int], int]: ...
    def trace(self) -> list[int]: ...
    def advance(self, work: int, most: int, listing: bool) -> bool: ...
    def take(self) -> list[tuple[int, ...]]: ...
    def counters(self) -> tuple[int, int, int, int]: ...
    def explored(self) -> float: ...
    def memory(self) -> int: ...

def make_problem(
    items: int,
    primary: int,
    starts: array[int],
    entries: array[int],
    colors: array[int],
    low: Sequence[int] = (),
    high: Sequence[int] = (),
    costs: Sequence[int] = (),
    preferred: Sequence[int] = (),
    poll: _Poll = None,
) -> Problem: ...
