"""Steps on the way from a problem to an engine; each is ``matrix -> (matrix, lift)``.

A `lift` takes a solution of the new matrix (option numbers) back to the solution of the old one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Sequence

from exactcover.matrix import Matrix, MatrixBuilder

__all__ = ["Contradiction", "Lift", "restrict", "shuffle"]

Lift = Callable[[Sequence[int]], Sequence[int]]


class Contradiction(Exception):  # noqa: N818 - a finding, turned into a reason by the search
    """Two givens that exclude each other, and the item they clash on."""

    def __init__(self, first: int, second: int, item: int) -> None:
        super().__init__(first, second, item)
        self.first, self.second, self.item = first, second, item


def restrict(matrix: Matrix, given: Iterable[int], without: Collection[int]) -> tuple[Matrix, Lift]:
    """Choose the options `given` for good and drop the options `without`.

    What is left is a smaller problem: items covered by givens are gone, and with them every option
    that clashes. A secondary item that the givens have colored is gone too; options of that color stay.

    Raises
    ------
    Contradiction
        If two givens clash, or an option is both given and excluded.
    """
    chosen = sorted(set(given))
    for option in chosen:
        if option in without:
            raise Contradiction(option, option, matrix.option(option)[0][0])
    fixed: dict[int, tuple[int, int]] = {}  # item -> (color, the given that fixed it)
    for option in chosen:
        for item, color in matrix.option(option):
            before = fixed.setdefault(item, (color, option))
            if before[1] != option and (color == 0 or before[0] != color):
                raise Contradiction(before[1], option, item)
    number: dict[int, int] = {}
    for item in range(matrix.items):
        if item not in fixed:
            number[item] = len(number)
    banned = {*without, *chosen}
    kept: list[int] = []
    rest = MatrixBuilder()
    for option in range(len(matrix)):
        entries = matrix.option(option)
        if option in banned or any(color == 0 or fixed[i][0] != color for i, color in entries if i in fixed):
            continue
        for item, color in entries:
            if item not in fixed:
                rest.append(number[item], color)
        rest.close_option()
        kept.append(option)
    primary = sum(item < matrix.primary for item in number)
    return rest.matrix(len(number), primary), lambda solution: [*chosen, *(kept[k] for k in solution)]


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
    order = chance.sample(range(len(matrix)), len(matrix))
    mixed = MatrixBuilder()
    for option in order:
        for item, color in matrix.option(option):
            mixed.append(place[item], color)
        mixed.close_option()
    return mixed.matrix(matrix.items, matrix.primary), lambda solution: [order[k] for k in solution]
