"""What a step on the way from a problem to an engine is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from exactcover.algorithm_x import Label

__all__ = ["Contradiction", "Lift"]


Lift = Callable[[Sequence[int]], Sequence[int]]


class Contradiction(Exception):  # noqa: N818 - a finding, turned into a reason by the search
    """Givens that exclude each other, and the item they clash on; one option alone is both given and excluded."""

    def __init__(self, options: Sequence[int], item: int) -> None:
        super().__init__(options, item)
        self.options, self.item = tuple(options), item

    def names(self, labels: Sequence[Label]) -> str:
        """Return the options by their labels: 'A', 'B' and 'C'."""
        *others, last = [repr(str(labels[option])) for option in self.options]
        return f"{', '.join(others)} and {last}" if others else last
