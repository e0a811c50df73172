"""Steps on the way from a problem to an engine; each is ``matrix -> (matrix, lift)``.

A `lift` takes a solution of the new matrix (option numbers) back to the solution of the old one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from exactcover.algorithm_x import Label
from exactcover.matrix import ONCE, Bounds, Matrix, MatrixBuilder

__all__ = ["Contradiction", "Lift", "by_cost", "extended", "rebuilt", "restrict", "shuffle"]

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


def restrict(matrix: Matrix, given: Iterable[int], without: Collection[int]) -> tuple[Matrix, Lift]:
    """Choose the options `given` for good and drop the options `without`.

    What is left is a smaller problem: items that givens cover as often as may be are gone, and with them every
    option that clashes. A secondary item that the givens have colored is gone too; options of that color stay.

    Raises
    ------
    Contradiction
        If givens clash, or an option is both given and excluded.
    """
    chosen = sorted(set(given))
    for option in chosen:
        if option in without:
            raise Contradiction([option], matrix.option(option)[0][0])
    takers: dict[int, list[tuple[int, int]]] = {}  # item -> the givens that take it, with the color they give it
    for option in chosen:
        for item, color in matrix.option(option):
            takers.setdefault(item, []).append((option, color))
    number: dict[int, int] = {}
    multiplicity: dict[int, Bounds] = {}
    for item in range(matrix.items):
        taken = takers.get(item, ())
        low, high = (bound - len(taken) for bound in matrix.bounds(item))
        if _clash(taken) if item >= matrix.primary else high < 0:
            raise Contradiction([option for option, _ in taken], item)
        if not taken or (item < matrix.primary and high > 0):
            number[item] = len(number)
            if item < matrix.primary and (low, high) != ONCE:
                multiplicity[number[item]] = (max(0, low), high)
    banned = {*without, *chosen}
    kept = [
        option
        for option in range(len(matrix))
        if option not in banned
        and all(i in number or (color != 0 and takers[i][0][1] == color) for i, color in matrix.option(option))
    ]
    rest = replace(rebuilt(matrix, kept, number), multiplicity=multiplicity)
    return rest, lambda solution: [*chosen, *(kept[k] for k in solution)]


def _clash(taken: Sequence[tuple[int, int]]) -> bool:
    """Whether options that take a secondary item exclude each other."""
    return len(taken) > 1 and (taken[0][1] == 0 or any(color != taken[0][1] for _, color in taken))


def shuffle(matrix: Matrix, seed: int) -> tuple[Matrix, Lift]:
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
    return reordered(matrix, chance.sample(range(len(matrix)), len(matrix)), place)


def by_cost(matrix: Matrix) -> tuple[Matrix, Lift]:
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
    sorted_matrix, lift = reordered(matrix, order, range(matrix.items))
    return replace(sorted_matrix, costs=[costs[k] for k in order]), lift


def reordered(matrix: Matrix, order: Sequence[int], place: Sequence[int]) -> tuple[Matrix, Lift]:
    """Put option order[k] at position k, and item i at place[i]."""
    new = rebuilt(matrix, order, dict(enumerate(place)))
    return new, lambda solution: [order[k] for k in solution]


def rebuilt(matrix: Matrix, options: Iterable[int], number: Mapping[int, int]) -> Matrix:
    """Return the matrix of these options, in this order, and of the items that `number` gives new numbers."""
    options = list(options)
    builder = MatrixBuilder()
    for option in options:
        for item, color in matrix.option(option):
            if item in number:
                builder.append(number[item], color)
        builder.close_option()
    return builder.matrix(
        len(number),
        sum(item < matrix.primary for item in number),
        {number[item]: bounds for item, bounds in matrix.multiplicity.items() if item in number},
        [matrix.costs[k] for k in options] if matrix.costs else (),
        frozenset(number[item] for item in matrix.preferred if item in number),
    )


def extended(matrix: Matrix, added: Mapping[int, Mapping[int, int]], items: int) -> Matrix:
    """Return the matrix with so many more secondary items, and for each option those it holds, with their colors."""
    builder = MatrixBuilder()
    for option in range(len(matrix)):
        for item, color in matrix.option(option):
            builder.append(item, color)
        for number, color in added.get(option, {}).items():
            builder.append(matrix.items + number, color)
        builder.close_option()
    return builder.matrix(matrix.items + items, matrix.primary, matrix.multiplicity, matrix.costs, matrix.preferred)
