"""Steps that change the order of items and options, or drop the costs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from exactcover.model.matrix import Matrix
from exactcover.steps.step import StepResult, rebuild, unchanged

__all__ = ["drop_costs", "find_taxes", "shuffle", "sort_by_cost", "subtract_taxes"]


def shuffle(matrix: Matrix, seed: int, *, items: bool = True) -> StepResult:
    """Put options, and items unless these are to stay, into a random order that depends only on `seed`.

    Engines break ties by position, so this makes the search random without any randomness in the engines. Primary items
    stay before secondary ones.
    """
    generator = random.Random(seed)
    if not items:
        return reorder(matrix, generator.sample(range(len(matrix)), len(matrix)), range(matrix.items))
    primary = generator.sample(range(matrix.primary), matrix.primary)
    secondary = generator.sample(range(matrix.primary, matrix.items), matrix.items - matrix.primary)
    place = [0] * matrix.items
    for position, item in enumerate([*primary, *secondary]):
        place[item] = position
    return reorder(matrix, generator.sample(range(len(matrix)), len(matrix)), place)


def sort_by_cost(matrix: Matrix) -> StepResult:
    """Put the options into ascending order of reduced cost, so that a search can give up early."""
    return subtract_taxes(matrix, find_taxes(matrix))


def subtract_taxes(matrix: Matrix, taxes: Sequence[int]) -> StepResult:
    """Subtract the taxes of its items from the cost of each option, and sort the options by what is left."""
    costs = list(matrix.costs) or [0] * len(matrix)
    for k, (start, end) in enumerate(pairwise(matrix.starts) if any(taxes) else ()):
        costs[k] -= sum([taxes[item] for item in matrix.entries[start:end]])
    order = sorted(range(len(matrix)), key=costs.__getitem__)
    result = reorder(matrix, order, range(matrix.items))
    paid = sum(tax * matrix.bounds(item)[0] for item, tax in enumerate(taxes) if tax)
    return replace(result, matrix=replace(result.matrix, costs=[costs[k] for k in order]), paid=paid)


def find_taxes(matrix: Matrix) -> list[int]:
    """Return a tax for each item, whose sum over the items of an option is at most its cost.

    If the number of options that cover an item is fixed, every solution pays the cost of the cheapest of them at least
    that often. So that cost is a tax that can be subtracted from all options of the item: every solution becomes
    cheaper by the same amount, and the order of solutions by cost stays the same. The first pass subtracts only a share
    of it, so that all items of an option get a part of its cost; the second pass subtracts the rest. There are none
    with weights.

    References
    ----------
    D. E. Knuth, *The Art of Computer Programming* 4B, section 7.2.2.1, Algorithm C$.
    """
    costs = list(matrix.costs) or [0] * len(matrix)
    fixed = [low == high for low, high in map(matrix.bounds, range(matrix.primary))]
    fixed += [False] * (matrix.items - matrix.primary)
    if matrix.weighted or not any(fixed):
        return [0] * matrix.items
    holders: list[list[int]] = [[] for _ in range(matrix.items)]
    payers: list[int] = []  # for each option, the number of items whose tax it still has to pay
    for k, (start, end) in enumerate(pairwise(matrix.starts)):
        items = [item for item in matrix.entries[start:end] if fixed[item]]
        payers.append(len(items))
        for item in items:
            holders[item].append(k)
    taxes = [0] * matrix.items
    for share in (True, False):
        for item, options in enumerate(holders):
            tax = min((costs[k] // (payers[k] if share else 1) for k in options), default=0)
            taxes[item] += tax
            for k in options:
                costs[k] -= tax
                payers[k] -= share
    return taxes


def reorder(matrix: Matrix, order: Sequence[int], place: Sequence[int]) -> StepResult:
    """Put option ``order[k]`` at position k, and item i at position ``place[i]``."""
    new = rebuild(matrix, order, dict(enumerate(place)))
    return StepResult(new, lambda solution: [order[k] for k in solution])


def drop_costs(matrix: Matrix) -> StepResult:
    """Remove the costs, for searches in which they do not matter."""
    return StepResult(replace(matrix, costs=()) if matrix.costs else matrix, unchanged)
