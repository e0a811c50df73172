"""What can be seen of a count while it goes on: enough to prove its number."""

from __future__ import annotations

from collections.abc import Sequence

from exactcover.counting.part import Part
from exactcover.steps.step import StepResult, Weights
from exactcover.symmetry.branches import Branch, Split

__all__ = ["CountObserver"]


class CountObserver:
    """Sees which parts a count consists of. This one notes nothing.

    Of each part, notes come in the order in which things happen; the last one says how its number is known: by weights,
    by other parts, or by a direct count.
    """

    def note_components(self, part: Part, items: Sequence[Sequence[int]], parts: Sequence[Part]) -> None:
        """Note that a part consists of independent ones, and which of its items each of them has."""

    def note_weights(self, part: Part, weights: Weights) -> None:
        """Note that weights show that a part has no solution."""

    def note_contradiction(self, part: Part) -> None:
        """Note that the choices that are forced in a part leave no solution."""

    def note_reduction(self, part: Part, result: StepResult) -> None:
        """Note that a smaller matrix is counted directly instead of that of a part; with a reason, that ends it."""

    def note_split(self, part: Part, split: Split, branches: Sequence[tuple[Branch, Part | None]]) -> None:
        """Note that a part is split; a branch without solutions has no part."""

    def note_merge(self, part: Part, kept: Part) -> None:
        """Note that a part is isomorphic to another one, which comes before it."""

    def note_end(self, part: Part) -> None:
        """Note that a part is counted directly, to its end."""
