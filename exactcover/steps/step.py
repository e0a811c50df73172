"""Steps between a model and an engine: their type, ``matrix -> (matrix, lift, reason or None)``, and simple ones."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain, compress, pairwise, repeat
from typing import TypeAlias

from exactcover.algorithm_x import Label
from exactcover.model.matrix import ONCE, Bounds, Matrix, MatrixBuilder, may_share

Lift: TypeAlias = Callable[[Sequence[int]], Sequence[int]]
"""Turns a solution of the new matrix into a solution of the old one; both are sequences of option numbers."""


@dataclass(frozen=True)
class Contradiction:
    """Givens that conflict, and the item on which they clash.

    A single option is both given and excluded, or covers the item more often than its bounds allow.
    """

    options: tuple[int, ...]
    item: int

    def names(self, labels: Sequence[Label]) -> str:
        """Return the labels of the options as text, such as ``'A', 'B' and 'C'``."""
        *others, last = [repr(str(labels[option])) for option in self.options]
        return f"{', '.join(others)} and {last}" if others else last


@dataclass(frozen=True)
class Shortage:
    """A primary item that has fewer options (`holders`) than must cover it."""

    item: int
    holders: int


@dataclass(frozen=True)
class DeadEnd:
    """A proof by reduction: every remaining choice leaves some item with too few options."""


@dataclass(frozen=True)
class Weights:
    """Weights that prove that there is no solution."""

    weights: Mapping[int, int]  # of each item that weighs anything
    modulus: int  # divides the sum of the weights of each option; 0 if all sums are 0
    total: int  # the sum of the weights of all that has to be covered


@dataclass(frozen=True)
class Imbalance:
    """Weights that prove that demands exceed limits. Items are numbered as in the model."""

    demands: Mapping[int, int]  # the weight of each item that must be covered
    limits: Mapping[int, int]  # of each item that must not be covered too often, as a positive number
    options: Mapping[int, int]  # of each option that weighs more than 0
    needed: int  # the weight of what must be covered
    available: int  # the weight of what may be


Reason: TypeAlias = Contradiction | Shortage | Weights | Imbalance | DeadEnd
"""The reason why there is no solution, with items and options as numbers."""


@dataclass(frozen=True)
class StepResult:
    """The result of a step."""

    matrix: Matrix  # the new one; if there is a reason, it is not searched
    lift: Lift  # turns its solutions into those of the old one
    reason: Reason | None = None  # why there is no solution; None if that is not proved
    paid: int = field(default=0, kw_only=True)  # by each solution of the old matrix, above the new one


Step: TypeAlias = Callable[[Matrix], StepResult]


def unchanged(solution: Sequence[int]) -> Sequence[int]:
    """Return the solution itself: the lift of steps that do not renumber options."""
    return solution


def find_shortage(matrix: Matrix) -> StepResult:
    """Find the first primary item with too few options, as the reason; the matrix stays the same."""
    underfilled = matrix.first_underfilled()
    return StepResult(matrix, unchanged, None if underfilled is None else Shortage(*underfilled))


def find_kept(lift: Lift, size: int) -> list[int]:
    """Return the old number of each of the options that a step has kept, given its lift and how many there are."""
    return [lift([k])[-1] for k in range(size)]


def run_steps(matrix: Matrix, steps: Iterable[Step]) -> StepResult:
    """Run steps one after another, up to the first that returns a reason; together they are one step.

    If a step renumbers options, the lift returns them in ascending order.
    """
    lifts: list[Lift] = []
    reason: Reason | None = None
    paid = 0
    for step in steps:
        result = step(matrix)
        matrix, reason = result.matrix, result.reason
        lifts.append(result.lift)
        paid += result.paid
        if reason is not None:
            break
    return StepResult(matrix, compose(lifts), reason, paid=paid)


def compose(lifts: Iterable[Lift]) -> Lift:
    """Return one lift that applies these lifts, the last one first, and sorts the options.

    It is `unchanged` itself if all of them are, or if there are none.
    """
    changing = [lift for lift in lifts if lift is not unchanged]
    if not changing:
        return unchanged

    def lift_through_all(solution: Sequence[int]) -> Sequence[int]:
        for lift in reversed(changing):
            solution = lift(solution)
        return sorted(solution)

    return lift_through_all


def rebuild(
    matrix: Matrix, options: Iterable[int], number: Mapping[int, int], chosen: Set[int] = frozenset()
) -> Matrix:
    """Return the matrix of some options, in their new order, and of the items that have a new number.

    Rules also know of the options that are `chosen` for good, by their numbers in the old matrix.
    """
    options = list(options)
    spans = [range(matrix.starts[option], matrix.starts[option + 1]) for option in options]
    places = [*chain.from_iterable(spans)]
    entries = [*map(number.get, map(matrix.entries.__getitem__, places), repeat(-1))]
    kept = [item >= 0 for item in entries]
    ends = [*accumulate(kept, initial=0)]
    builder = MatrixBuilder(weighted=matrix.weighted)
    builder.starts = array("q", map(ends.__getitem__, accumulate(map(len, spans), initial=0)))
    builder.entries = array("i", compress(entries, kept))
    builder.colors = array("i", map(matrix.colors.__getitem__, compress(places, kept)))
    place_of = {option: place for place, option in enumerate(options)} if matrix.rules else {}
    return builder.matrix(
        len(number),
        sum(item < matrix.primary for item in number),
        {place: bounds for item, place in number.items() if (bounds := matrix.multiplicity.get(item))},
        [matrix.costs[k] for k in options] if matrix.costs else (),
        frozenset(place for item, place in number.items() if item in matrix.preferred),
        [matrix.origin(item) for item in sorted(number, key=number.__getitem__)],
        tuple(rule.renumber(place_of, chosen) for rule in matrix.rules),
    )


def extend(matrix: Matrix, added: Mapping[int, Mapping[int, int]], items: int) -> Matrix:
    """Return the matrix with further secondary items; `added` has their colors, by option and by number from 0."""
    builder = MatrixBuilder(weighted=matrix.weighted)
    for option in range(len(matrix)):
        for item, color in matrix.option(option):
            builder.append(item, color)
        for number, color in added.get(option, {}).items():
            builder.append(matrix.items + number, color)
        builder.close_option()
    origins = [*map(matrix.origin, range(matrix.items)), *[-1] * items]
    return builder.matrix(
        matrix.items + items,
        matrix.primary,
        matrix.multiplicity,
        matrix.costs,
        matrix.preferred,
        origins,
        matrix.rules,
    )


def shuffle(matrix: Matrix, seed: int, *, items: bool = True) -> StepResult:
    """Put options, and items unless these are to stay, into a random order that depends only on `seed`.

    Engines break ties by position, so this makes the search random without any randomness in the engines. Primary items
    stay before secondary ones.
    """
    generator = random.Random(seed)
    place = [*range(matrix.items)]
    if items:
        primary = generator.sample(range(matrix.primary), matrix.primary)
        secondary = generator.sample(range(matrix.primary, matrix.items), matrix.items - matrix.primary)
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
        if high < 0 if item < matrix.primary else not may_share([color for _, color in taken]):
            return StepResult(matrix, unchanged, Contradiction(tuple(dict(taken)), item))
        if not taken or (item < matrix.primary and high > 0):
            number[item] = len(number)
            if item < matrix.primary and (low, high) != ONCE:
                multiplicity[number[item]] = (max(0, low), high)
    only = [0] * matrix.items  # the color that options may still give an item; -1 for none
    for item, taken in takers.items():
        if item not in number:
            only[item] = taken[0][1] or -1
    shares = zip(map(only.__getitem__, matrix.entries), matrix.colors, strict=True)
    clashes = [*accumulate((own and own != color for own, color in shares), initial=0)]
    removed = {*without, *chosen}
    ends = enumerate(pairwise(map(clashes.__getitem__, matrix.starts)))
    kept = [option for option, (before, after) in ends if before == after and option not in removed]
    left = replace(rebuild(matrix, kept, number, {*chosen}), multiplicity=multiplicity)
    paid = sum(matrix.costs[option] for option in chosen) if matrix.costs else 0
    return StepResult(left, lambda solution: [*chosen, *(kept[k] for k in solution)], paid=paid)
