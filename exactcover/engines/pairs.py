"""Pairs of items by which a problem is divided: one option covers both, or two different ones do.

References
----------
D. M. Ryan, B. A. Foster, "An integer programming approach to scheduling", in *Computer Scheduling of Public Transport*
(1981).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from exactcover.model.matrix import ONCE, Matrix

__all__ = ["WHOLE", "list_pairs"]

WHOLE = 1e-6
"""What a share of an option differs from 0 or 1 at most if it is no part."""


def list_pairs(matrix: Matrix, shares: Mapping[int, float]) -> list[tuple[int, int]]:
    """Return the pairs of items that are covered once, and by one option most nearly by half, the best first.

    Parameters
    ----------
    matrix
        The matrix.
    shares
        How much of each option the relaxation contains, of those of which it contains a part.
    """
    sums: dict[tuple[int, int], float] = {}
    for option, share in shares.items():
        primary = sorted(item for item, _ in matrix.option(option) if item < matrix.primary)
        for pair in combinations([item for item in primary if matrix.bounds(item) == ONCE], 2):
            sums[pair] = sums.get(pair, 0.0) + share
    able = [(abs(total - 0.5), pair) for pair, total in sums.items() if WHOLE < total < 1 - WHOLE]
    return [pair for _, pair in sorted(able)]
