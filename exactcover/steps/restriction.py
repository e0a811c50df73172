"""The step that chooses the givens and removes the excluded options."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from exactcover.model.matrix import ONCE, Bounds, Matrix
from exactcover.steps.rebuild import rebuild
from exactcover.steps.step import Contradiction, StepResult, unchanged

__all__ = ["restrict"]


def restrict(matrix: Matrix, given: Iterable[int], without: Collection[int]) -> StepResult:
    """Choose the options `given` and remove the options `without`: a step.

    The new matrix lacks each primary item that the givens cover as often as it may be covered, and each secondary item
    that a given contains. It also lacks the options with such an item, except those that give a secondary item the same
    color as the givens do.

    If givens clash, or an option is both given and excluded, the reason is a contradiction, and the matrix is the old
    one.
    """
    chosen = sorted(set(given))
    for option in chosen:
        if option in without:
            return StepResult(matrix, unchanged, Contradiction((option,), matrix.option(option)[0][0]))
    takers: dict[int, list[tuple[int, int]]] = {}  # item -> the givens that contain it, with the color they give it
    for option in chosen:
        for item, color in matrix.option(option):
            takers.setdefault(item, []).append((option, color))
    number: dict[int, int] = {}
    multiplicity: dict[int, Bounds] = {}
    for item in range(matrix.items):
        taken = takers.get(item, ())
        low, high = (bound - len(taken) for bound in matrix.bounds(item))
        if _clash(taken) if item >= matrix.primary else high < 0:
            return StepResult(matrix, unchanged, Contradiction(tuple(option for option, _ in taken), item))
        if not taken or (item < matrix.primary and high > 0):
            number[item] = len(number)
            if item < matrix.primary and (low, high) != ONCE:
                multiplicity[number[item]] = (max(0, low), high)
    gone = {item for item in range(matrix.items) if item not in number}

    def stays(option: int) -> bool:
        items = matrix.entries[matrix.starts[option] : matrix.starts[option + 1]]
        return gone.isdisjoint(items) or all(
            item not in gone or (color != 0 and takers[item][0][1] == color) for item, color in matrix.option(option)
        )

    removed = {*without, *chosen}
    kept = [option for option in range(len(matrix)) if option not in removed and stays(option)]
    left = replace(rebuild(matrix, kept, number), multiplicity=multiplicity)
    paid = sum(matrix.costs[option] for option in chosen) if matrix.costs else 0
    return StepResult(left, lambda solution: [*chosen, *(kept[k] for k in solution)], paid=paid)


def _clash(taken: Sequence[tuple[int, int]]) -> bool:
    """Return whether options that contain a secondary item exclude each other."""
    return len(taken) > 1 and (taken[0][1] == 0 or any(color != taken[0][1] for _, color in taken))
