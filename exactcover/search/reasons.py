"""Why there is no solution, where that can be seen without searching, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from exactcover.algorithm_x import Item
from exactcover.model.matrix import ONCE, Matrix
from exactcover.model.model import Model
from exactcover.steps.step import Contradiction, Reason, Shortage

__all__ = ["describe_reason"]


def describe_reason(problem: Model, reason: Reason, given: Collection[int]) -> str:
    """Return a reason in words.

    Parameters
    ----------
    problem
        The model without anything chosen.
    reason
        Numbers of options are positions in the model; numbers of items are those that the givens leave, in order.
    given
        The positions of the givens.
    """
    if isinstance(reason, Contradiction):
        return _describe_contradiction(problem, reason)
    if isinstance(reason, Shortage):
        return _describe_shortage(problem, reason, given)
    return "every choice that is left leaves some item without options"


def _describe_contradiction(problem: Model, clash: Contradiction) -> str:
    names = clash.names(problem.labels)
    item = str(problem.items[clash.item])
    if len(clash.options) == 1:
        return f"option {names} is both given and excluded"
    high = problem.matrix.bounds(clash.item)[1]
    every, limit = ("both", "") if len(clash.options) == 2 else ("all", f", which allows {high}")
    return f"the givens {names} exclude each other: {every} take item {item!r}{limit}"


def _describe_shortage(problem: Model, shortage: Shortage, given: Collection[int]) -> str:
    """Name the item; where the model itself lacks options, the first such item, whatever is given."""
    from_the_start = problem.matrix.first_underfilled()
    if from_the_start is not None:
        item, holders = from_the_start
        return _too_few(problem.items[item], holders, problem.matrix.bounds(item)[0])
    item = _items_left(problem.matrix, given)[shortage.item]
    what = "no option" if problem.matrix.bounds(item) == ONCE else "too few options"
    return f"what is given or excluded leaves {what} for item {str(problem.items[item])!r}"


def _items_left(whole: Matrix, given: Collection[int]) -> list[int]:
    """Return the primary items that are left once the givens are chosen."""
    taken = Counter(item for option in set(given) for item, _ in whole.option(option))
    return [item for item in range(whole.primary) if taken[item] < whole.bounds(item)[1]]


def _too_few(item: Item, holders: int, low: int) -> str:
    if holders == 0:
        return f"no option covers item {str(item)!r}"
    return f"item {str(item)!r} must be covered {low} times, but only {holders} options hold it"
