"""Steps that put items and options into another order."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from exactcover.model.matrix import Matrix
from exactcover.steps.rebuild import rebuild
from exactcover.steps.step import StepResult, unchanged

__all__ = ["drop_costs", "shuffle", "sort_by_cost"]


def shuffle(matrix: Matrix, seed: int) -> StepResult:
    """Put items and options into a random order that depends on `seed` alone.

    Engines break ties by position, so this makes the whole search random without any engine
    knowing of chance. Primary items stay before secondary ones.
    """
    chance = random.Random(seed)
    primary = chance.sample(range(matrix.primary), matrix.primary)
    secondary = chance.sample(range(matrix.primary, matrix.items), matrix.items - matrix.primary)
    place = [0] * matrix.items
    for position, item in enumerate([*primary, *secondary]):
        place[item] = position
    return reorder(matrix, chance.sample(range(len(matrix)), len(matrix)), place)


def sort_by_cost(matrix: Matrix) -> StepResult:
    """Put the options into ascending order of cost, as far as costs differ between solutions.

    What the cheapest option of an item costs has to be paid by every solution, as often as the item is covered, where
    that is fixed. So it is taken off all options of the item: a share first, so that items come off alike, then what
    is left. The order of solutions by cost stays the same, and small costs that are left let a search give up soon.

    References
    ----------
    D. E. Knuth, *The Art of Computer Programming* 4B, section 7.2.2.1, Algorithm C$.
    """
    costs = list(matrix.costs) or [0] * len(matrix)
    fixed = [matrix.bounds(item)[0] == matrix.bounds(item)[1] for item in range(matrix.primary)]
    fixed += [False] * (matrix.items - matrix.primary)
    holders: list[list[int]] = [[] for _ in range(matrix.items)]
    payers: list[int] = []  # for each option, of how many items it has to pay the tax
    for k in range(len(matrix)):
        items = [item for item, _ in matrix.option(k) if fixed[item]]
        payers.append(len(items))
        for item in items:
            holders[item].append(k)
    for share in (True, False):
        for options in holders:
            tax = min((costs[k] // (payers[k] if share else 1) for k in options), default=0)
            for k in options:
                costs[k] -= tax
                payers[k] -= share
    order = sorted(range(len(matrix)), key=costs.__getitem__)
    result = reorder(matrix, order, range(matrix.items))
    return replace(result, matrix=replace(result.matrix, costs=[costs[k] for k in order]))


def reorder(matrix: Matrix, order: Sequence[int], place: Sequence[int]) -> StepResult:
    """Put option order[k] at position k, and item i at place[i]."""
    new = rebuild(matrix, order, dict(enumerate(place)))
    return StepResult(new, lambda solution: [order[k] for k in solution])


def drop_costs(matrix: Matrix) -> StepResult:
    """Forget the costs: which solutions there are does not depend on them."""
    return StepResult(replace(matrix, costs=()), unchanged)
