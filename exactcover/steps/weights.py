"""Weights of items that prove that there is no solution: they add up to 0 in each option, but not in all items.

On a chessboard without two opposite corners, for example, the black cells weigh 1 and the white ones -1, so each domino
weighs 0, and the board does not. Such weights exist exactly if what has to be covered is not a sum of whole multiples
of options. If it is no such sum modulo a prime, that prime is a modulus; else a power of one may be: T tetrominoes
cannot tile a board of 14 x 14 cells, which weights modulo 8 show, and no weights modulo 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from exactcover.control.stop import Stop
from exactcover.model.matrix import Matrix, native
from exactcover.steps.step import Weights

_MIXER = 0x9E3779B1  # an odd number far from simple fractions of 2^32: it mixes options of all kinds
_SLOWER = 16  # how many times as long an addition takes in Python, about
_MOST_FACTOR, _MOST_WEIGHT = 60, 1 << 32
_FIRST_LOOK = 16  # rows after which it is seen for the first time whether the target is a sum of rows
_PRIMES = {(1 << 61) - 1: 1, 2: 32, 3: 20, 5: 13, 7: 11, 11: 9, 13: 8}
"""The primes that are tried, each with its largest power. The first one stands for the whole numbers: a proof without a
modulus nearly always shows there."""


def find_weights(matrix: Matrix, most_work: int = 1 << 23, stop: Stop | None = None) -> Weights | None:
    """Return weights that prove that a matrix has no solution, or None if about `most_work` additions find none.

    Only items that are covered a fixed number of times have a weight; there are none where options cover items several
    times.

    Examples
    --------
    >>> from exactcover import Problem
    >>> find_weights(Problem({"A": [1, 2], "B": [2, 3], "C": [1, 3]}).matrix)
    Weights(weights={0: 1, 1: 1, 2: 1}, modulus=2, total=3)
    """
    if matrix.weighted:
        return None
    bounds = enumerate(map(matrix.bounds, range(matrix.primary)))
    needed = {item: low for item, (low, high) in bounds if low == high <= len(matrix)}  # as certificates state it
    find = (_find_in_python if native is None else _find_natively)(matrix, needed, stop or Stop())
    for prime, most in _PRIMES.items():
        found = find(prime, most, most_work // len(_PRIMES))
        if found is not None:
            weights = _simplify(*found, matrix, needed)
            return weights if _proves(weights, matrix, needed) else None
    return None


_Found: TypeAlias = tuple[dict[int, int], int] | None
_Find: TypeAlias = Callable[[int, int, int], _Found]
"""Returns weights modulo a power of a prime, and the modulus; the arguments are the prime, its largest power, and how
many numbers may be added."""


def _find_natively(matrix: Matrix, needed: Mapping[int, int], stop: Stop) -> _Find:
    """Return the elimination in C++."""
    arrays = matrix.starts, matrix.entries, matrix.colors
    finder = native.WeightFinder(matrix.items, matrix.primary, *arrays, list(needed.items()), stop.poll)

    def find(prime: int, most: int, work: int) -> _Found:
        found = finder.find(prime, most, work)
        return None if found is None else (dict(found[0]), found[1])

    return find


def _find_in_python(matrix: Matrix, needed: Mapping[int, int], stop: Stop) -> _Find:
    """Return the same elimination in Python."""
    mixed = sorted(range(len(matrix)), key=lambda option: option * _MIXER % (1 << 32))
    rows = [{item: 1 for item, _ in matrix.option(option) if item in needed} for option in mixed]
    target = {item: number for item, number in needed.items() if number}
    return lambda prime, most, work: _find_by_prime(rows, target, prime, most, work // _SLOWER, stop)


def _proves(weights: Weights, matrix: Matrix, needed: Mapping[int, int]) -> bool:
    """Return whether weights prove that there is no solution; a search ends on their word."""
    found, modulus = weights.weights, weights.modulus

    def is_zero(total: int) -> bool:
        return total % modulus == 0 if modulus else total == 0

    sums = (sum(found.get(item, 0) for item, _ in matrix.option(option)) for option in range(len(matrix)))
    total = sum(weight * needed[item] for item, weight in found.items())
    return total == weights.total and not is_zero(total) and all(map(is_zero, sums))


def _find_by_prime(
    rows: Sequence[Mapping[int, int]], target: Mapping[int, int], prime: int, most: int, work: int, stop: Stop
) -> _Found:
    """Return weights that add up to 0 in all rows, but not in the target, modulo a power of a prime; and the power.

    Rows with a number that the prime does not divide become pivots. What is left of the other rows, and of the target,
    can be divided by the prime, and the same question is asked again, modulo the next lower power. If the target cannot
    be divided, there are weights modulo the prime, and so, for what was asked first, modulo a power of it.
    """
    levels: list[_Elimination] = []
    left: Mapping[int, int] = target
    for exponent in range(most, 0, -1):
        level = _Elimination(prime, prime**exponent, work, stop)
        if not level.add_all(rows, left):
            return None
        levels.append(level)
        left = level.reduce(left)
        free = min((item for item, number in left.items() if number % prime), default=None)
        if free is not None:
            modulus = prime ** len(levels)
            weights = {free: 1}
            for one in reversed(levels):
                one.extend(weights, modulus)
            return dict(sorted(weights.items())), modulus
        rows = [
            {item: number // prime for item, number in row.items()} for row in map(level.reduce, level.deferred) if row
        ]
        left = {item: number // prime for item, number in left.items()}
        work = level.work
        if not left:
            return None
    return None


def _simplify(weights: Mapping[int, int], modulus: int, matrix: Matrix, needed: Mapping[int, int]) -> Weights:
    """Return small multiples of the weights, without a modulus, if they prove the same then."""
    for factor in range(1, min(_MOST_FACTOR + 1, modulus)):  # weights that are fractions become whole numbers
        multiples = ((item, weight * factor % modulus) for item, weight in weights.items())
        signed = {item: weight - modulus if weight > modulus // 2 else weight for item, weight in multiples if weight}
        if max(map(abs, signed.values()), default=0) > _MOST_WEIGHT:
            continue
        options = (sum(signed.get(item, 0) for item, _ in matrix.option(k)) for k in range(len(matrix)))
        total = sum(weight * needed[item] for item, weight in signed.items())
        if total and not any(options):
            sign = 1 if total > 0 else -1
            return Weights({item: sign * weight for item, weight in signed.items()}, 0, abs(total))
    kept = {item: weight for item, weight in weights.items() if weight}
    return Weights(kept, modulus, sum(weight * needed[item] for item, weight in kept.items()))


class _Elimination:
    """Gaussian elimination of sparse rows, modulo a power of a prime. No row contains the pivot of another one."""

    def __init__(self, prime: int, modulus: int, work: int, stop: Stop) -> None:
        self._prime, self._modulus, self.work, self._stop = prime, modulus, work, stop
        self.deferred: list[dict[int, int]] = []  # without a pivot, because the prime divides all of their numbers
        self._rows: dict[int, dict[int, int]] = {}  # by pivot, whose number is 1 and is left out
        self._users: dict[int, set[int]] = {}  # the pivots whose rows contain an item

    def add_all(self, rows: Iterable[Mapping[int, int]], target: Mapping[int, int]) -> bool:
        """Add rows; return False as soon as the target is a sum of rows, or too much work was done."""
        next_look = _FIRST_LOOK
        for number, row in enumerate(rows):
            self._stop.poll()
            self._add(row)
            if self.work <= 0:
                return False
            if number == next_look:
                next_look *= 2
                if not self.reduce(target):
                    return False
        return True

    def extend(self, weights: dict[int, int], modulus: int) -> None:
        """Give weights to the pivots, so that the weights add up to 0 in all rows with a pivot."""
        for pivot, row in self._rows.items():
            weight = -sum(number * weights[item] for item, number in row.items() if item in weights) % modulus
            if weight:
                weights[pivot] = weight

    def _add(self, row: Mapping[int, int]) -> None:
        row = self.reduce(row)
        units = [item for item, number in row.items() if number % self._prime]
        if units:
            pivot = min(units, key=lambda item: len(self._users.get(item, ())))
            inverse = pow(row.pop(pivot), -1, self._modulus)
            row = {item: number * inverse % self._modulus for item, number in row.items()}
            for user in self._users.pop(pivot, ()):
                self._subtract(self._rows[user], self._rows[user].pop(pivot), row, user)
            self._rows[pivot] = row
            for item in row:
                self._users.setdefault(item, set()).add(pivot)
        elif row:
            self.deferred.append(row)

    def _subtract(self, row: dict[int, int], factor: int, other: Mapping[int, int], user: int) -> None:
        """Subtract a multiple of a row from the row of a pivot."""
        self.work -= 1 + len(other)
        for item, number in other.items():
            row[item] = (row.get(item, 0) - factor * number) % self._modulus
            users = self._users.setdefault(item, set())
            if row[item]:
                users.add(user)
            else:
                del row[item]
                users.discard(user)

    def reduce(self, row: Mapping[int, int]) -> dict[int, int]:
        """Return an equivalent row without pivots."""
        reduced: dict[int, int] = {}
        for item, number in row.items():
            parts = {other: -factor for other, factor in self._rows[item].items()} if item in self._rows else {item: 1}
            self.work -= len(parts)
            for other, factor in parts.items():
                reduced[other] = (reduced.get(other, 0) + number * factor) % self._modulus
        return {item: number for item, number in reduced.items() if number}
