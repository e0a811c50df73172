"""Why there is no solution, where that can be seen without searching, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from exactcover.algorithm_x import Item
from exactcover.model.matrix import ONCE, Matrix
from exactcover.model.model import Model
from exactcover.steps.step import Contradiction

__all__ = ["contradiction", "uncoverable"]


def uncoverable(problem: Model, matrix: Matrix, given: Collection[int]) -> str | None:
    """Name a primary item with too few options, in the problem itself or in the matrix that some givens leave of it."""
    short = matrix.short()
    if short is None:
        return None
    from_the_start = problem.matrix.short()
    if from_the_start is not None:
        item, holders = from_the_start
        return _too_few(problem.items[item], holders, problem.matrix.bounds(item)[0])
    lost = _kept_items(problem.matrix, given)[short[0]]
    what = "no option" if problem.matrix.bounds(lost) == ONCE else "too few options"
    return f"what is given or excluded leaves {what} for item {str(problem.items[lost])!r}"


def _kept_items(whole: Matrix, given: Collection[int]) -> list[int]:
    """Return the primary items that are left once the givens are chosen."""
    taken = Counter(item for option in set(given) for item, _ in whole.option(option))
    return [item for item in range(whole.primary) if taken[item] < whole.bounds(item)[1]]


def contradiction(problem: Model, clash: Contradiction) -> str:
    """Say which givens exclude each other."""
    names = clash.names(problem.labels)
    item = str(problem.items[clash.item])
    if len(clash.options) == 1:
        return f"option {names} is both given and excluded"
    high = problem.matrix.bounds(clash.item)[1]
    every, limit = ("both", "") if len(clash.options) == 2 else ("all", f", which allows {high}")
    return f"the givens {names} exclude each other: {every} take item {item!r}{limit}"


def _too_few(item: Item, holders: int, low: int) -> str:
    if holders == 0:
        return f"no option covers item {str(item)!r}"
    return f"item {str(item)!r} must be covered {low} times, but only {holders} options hold it"
