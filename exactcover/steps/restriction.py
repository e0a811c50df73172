"""Steps on the way from a problem to an engine; each is ``matrix -> (matrix, lift)``.

A `lift` takes a solution of the new matrix (option numbers) back to the solution of the old one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from exactcover.model.matrix import ONCE, Bounds, Matrix
from exactcover.steps.rebuild import rebuilt
from exactcover.steps.step import Contradiction, Lift

__all__ = ["restrict"]


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
