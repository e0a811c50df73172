"""Weights of items that prove that there is no solution: they add up to 0 in each option, but not in all items.

On a chessboard without two opposite corners, for example, the black cells weigh 1 and the white ones -1, so each domino
weighs 0, and the board does not. Such weights exist exactly if what has to be covered is not a sum of whole multiples
of options. If it is no such sum modulo a prime, that prime is a modulus; else a power of one may be: T tetrominoes
cannot tile a board of 14 x 14 cells, which weights modulo 8 show, and no weights modulo 2.
"""

from __future__ import annotations

from collections.abc import Mapping

from exactcover.control.stop import Stop
from exactcover.model.matrix import Matrix, native
from exactcover.steps.step import Weights

_MOST_FACTOR, _MOST_WEIGHT = 60, 1 << 32
_PRIMES = {(1 << 61) - 1: 1, 2: 32, 3: 20, 5: 13, 7: 11, 11: 9, 13: 8}
"""The primes that are tried, each with its largest power. The first one stands for the whole numbers: a proof without a
modulus nearly always shows there."""


def find_weights(matrix: Matrix, most_work: int = 1 << 23, stop: Stop | None = None) -> Weights | None:
    """Return weights that prove that a matrix has no solution, or None if about `most_work` additions find none.

    Only items that are covered a fixed number of times have a weight; there are none where options cover items several
    times. Without native code, none are looked for.

    Examples
    --------
    >>> from exactcover import Problem
    >>> find_weights(Problem({"A": [1, 2], "B": [2, 3], "C": [1, 3]}).matrix)
    Weights(weights={0: 1, 1: 1, 2: 1}, modulus=2, total=3)
    """
    if matrix.weighted or native is None:
        return None
    bounds = enumerate(map(matrix.bounds, range(matrix.primary)))
    needed = {item: low for item, (low, high) in bounds if low == high <= len(matrix)}  # as certificates state it
    arrays, poll = (matrix.starts, matrix.entries, matrix.colors), (stop or Stop()).poll
    finder = native.WeightFinder(matrix.items, matrix.primary, *arrays, list(needed.items()), poll)
    for prime, most in _PRIMES.items():
        found = finder.find(prime, most, most_work // len(_PRIMES))
        if found is not None:
            weights = _simplify(dict(found[0]), found[1], matrix, needed)
            return weights if _proves(weights, matrix, needed) else None
    return None


def _proves(weights: Weights, matrix: Matrix, needed: Mapping[int, int]) -> bool:
    """Return whether weights prove that there is no solution; a search ends on their word."""
    found, modulus = weights.weights, weights.modulus

    def is_zero(total: int) -> bool:
        return total % modulus == 0 if modulus else total == 0

    sums = (sum(found.get(item, 0) for item, _ in matrix.option(option)) for option in range(len(matrix)))
    total = sum(weight * needed[item] for item, weight in found.items())
    return total == weights.total and not is_zero(total) and all(map(is_zero, sums))


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
