"""Weights of items that prove that there is no solution: they add up to 0 in each option, but not in all items.

On a chessboard without two opposite corners, for example, the black cells weigh 1 and the white ones -1, so each domino
weighs 0, and the board does not. Such weights exist, with a prime modulus, exactly if what has to be covered is not a
sum of multiples of options. That is a question of linear algebra.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from exactcover.control.stop import Stop
from exactcover.model.matrix import Matrix

__all__ = ["Weights", "find_weights"]

_MIXER = 0x9E3779B1  # an odd number far from simple fractions of 2^32: it mixes options of all kinds
_FIRST_LOOK = 16  # rows after which it is seen for the first time whether the target is a sum of rows
_PRIMES = ((1 << 61) - 1, 2, 3, 5, 7)
"""Moduli to try. The first one stands for the whole numbers: a proof without a modulus nearly always shows there."""


@dataclass(frozen=True)
class Weights:
    """Weights that prove that there is no solution.

    Attributes
    ----------
    weights
        The weight of each item that weighs anything.
    modulus
        The weights of an option add up to a multiple of it; 0 if they add up to 0.
    total
        What the weights of all that has to be covered add up to.
    """

    weights: Mapping[int, int]
    modulus: int
    total: int


def find_weights(matrix: Matrix, most_work: int = 1 << 22, stop: Stop | None = None) -> Weights | None:
    """Return weights that prove that a matrix has no solution, or None if none were found.

    Only items that are covered a fixed number of times have a weight.

    Parameters
    ----------
    matrix
        The matrix.
    most_work
        How many numbers may be added, about.
    stop
        Polled often.

    Examples
    --------
    >>> from exactcover import Problem
    >>> find_weights(Problem({"A": [1, 2], "B": [2, 3], "C": [1, 3]}).matrix)
    Weights(weights={0: 1, 1: 1, 2: 1}, modulus=2, total=3)
    """
    needed = {item: low for item in range(matrix.primary) for low, high in [matrix.bounds(item)] if low == high}
    mixed = sorted(range(len(matrix)), key=lambda option: option * _MIXER % (1 << 32))
    rows = [{item: 1 for item, _ in matrix.option(option) if item in needed} for option in mixed]
    for prime in _PRIMES:
        elimination = _Elimination(prime, most_work // len(_PRIMES), stop or Stop())
        weights = elimination.find_weights(rows, {item: number for item, number in needed.items() if number})
        if weights is not None:
            return _simplify(weights, prime, matrix, needed)
    return None


def _simplify(weights: Mapping[int, int], prime: int, matrix: Matrix, needed: Mapping[int, int]) -> Weights:
    """Return the weights without a modulus if they prove the same then."""
    signed = {item: weight - prime if weight > prime // 2 else weight for item, weight in weights.items() if weight}
    options = (sum(signed.get(item, 0) for item, _ in matrix.option(k)) for k in range(len(matrix)))
    total = sum(weight * needed[item] for item, weight in signed.items())
    if total and not any(options):
        sign = 1 if total > 0 else -1
        return Weights({item: sign * weight for item, weight in signed.items()}, 0, abs(total))
    kept = {item: weight for item, weight in weights.items() if weight}
    return Weights(kept, prime, sum(weight * needed[item] for item, weight in kept.items()))


class _Elimination:
    """Gaussian elimination of sparse rows, modulo a prime. No row contains the pivot of another one."""

    def __init__(self, prime: int, most_work: int, stop: Stop) -> None:
        self._prime, self._left, self._stop = prime, most_work, stop
        self._rows: dict[int, dict[int, int]] = {}  # by pivot, whose number is 1 and is left out
        self._users: dict[int, set[int]] = {}  # the pivots whose rows contain an item

    def find_weights(self, rows: Iterable[Mapping[int, int]], target: Mapping[int, int]) -> dict[int, int] | None:
        """Return weights that add up to 0 in all rows, but not in the target; None if there are none."""
        next_look = _FIRST_LOOK
        for number, row in enumerate(rows):
            self._stop.poll()
            self._add(row)
            if self._left <= 0:
                return None
            if number == next_look:
                next_look *= 2
                if not self._reduce(target):
                    return None
        left = self._reduce(target)
        if not left:
            return None
        free = min(left)
        of_pivots = {pivot: -row[free] % self._prime for pivot, row in self._rows.items() if free in row}
        return dict(sorted({free: 1, **of_pivots}.items()))

    def _add(self, row: Mapping[int, int]) -> None:
        row = self._reduce(row)
        if row:
            pivot = min(row, key=lambda item: len(self._users.get(item, ())))
            inverse = pow(row.pop(pivot), -1, self._prime)
            row = {item: number * inverse % self._prime for item, number in row.items()}
            for user in self._users.pop(pivot, ()):
                self._subtract(self._rows[user], self._rows[user].pop(pivot), row, user)
            self._rows[pivot] = row
            for item in row:
                self._users.setdefault(item, set()).add(pivot)

    def _subtract(self, row: dict[int, int], factor: int, other: Mapping[int, int], user: int) -> None:
        """Subtract a multiple of a row from the row of a pivot."""
        self._left -= 1 + len(other)
        for item, number in other.items():
            row[item] = (row.get(item, 0) - factor * number) % self._prime
            users = self._users.setdefault(item, set())
            if row[item]:
                users.add(user)
            else:
                del row[item]
                users.discard(user)

    def _reduce(self, row: Mapping[int, int]) -> dict[int, int]:
        """Return an equivalent row without pivots."""
        reduced: dict[int, int] = {}
        for item, number in row.items():
            parts = {other: -factor for other, factor in self._rows[item].items()} if item in self._rows else {item: 1}
            self._left -= len(parts)
            for other, factor in parts.items():
                reduced[other] = (reduced.get(other, 0) + number * factor) % self._prime
        return {item: number for item, number in reduced.items() if number}
