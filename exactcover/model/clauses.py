"""A matrix as clauses, for solvers of the satisfiability problem.

Variable k, from 1, is true if the k-th option is chosen. Further variables depend on these, so models and solutions
correspond one to one. A literal is a variable, or its negative.

References
----------
D. E. Knuth, *The Art of Computer Programming* 4B, section 7.2.2.2, exercise 12 (at most one of many literals);
O. Bailleux and Y. Boufkhad, "Efficient CNF encoding of Boolean cardinality constraints", CP 2003 (totalizers).
"""

from __future__ import annotations

import itertools
from array import array
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import NamedTuple

from exactcover.control.stop import Stop
from exactcover.model.matrix import ONCE, Matrix

__all__ = ["Bounded", "list_clauses", "list_colors", "state_bounds"]

Clause = tuple[int, ...]
_MAX_PAIRWISE = 5  # literals of which at most one is true are paired; more need further variables


def list_clauses(matrix: Matrix, stop: Stop | None = None) -> Iterator[Clause]:
    """Yield clauses that exactly the solutions of a matrix fulfil.

    Parameters
    ----------
    matrix
        The matrix; its costs do not matter.
    stop
        Polled often.

    Raises
    ------
    Stopped
        If `stop` asks for it.

    Notes
    -----
    An item in d options leads to about 3.5 d clauses and d / 2 further variables; an item in d options that is covered
    at most m times leads to at most about m d log d clauses and d log d further variables.

    Examples
    --------
    >>> from exactcover import Problem
    >>> list(list_clauses(Problem({"A": ["a"], "B": ["a", "b"], "C": ["b"]}).matrix))
    [(1, 2), (-1, -2), (2, 3), (-2, -3)]
    """
    variables = itertools.count(len(matrix) + 1)
    for item, alone, shared in list_colors(matrix, stop):
        if item < matrix.primary and matrix.bounds(item) != ONCE:
            yield from _bound_sum(alone, *matrix.bounds(item), variables)
            continue
        if item < matrix.primary:
            yield tuple(alone)
        for options in shared:
            color = next(variables)
            yield (-color, *options)
            yield from ((-option, color) for option in options)
            alone.append(color)
        yield from _exclude_pairs(alone, variables)


class Bounded(NamedTuple):
    """A matrix as clauses and bounds, for solvers that know how many of some literals may be true.

    Attributes
    ----------
    clauses
        Each clause ends with 0.
    bounds
        How many literals may be true at most, these literals, and 0; one after another.
    colors
        An item and a color for each variable after the options.
    """

    clauses: array[int]
    bounds: array[int]
    colors: list[tuple[int, int]]


def state_bounds(matrix: Matrix, stop: Stop | None = None) -> Bounded:
    """Return clauses and bounds that exactly the solutions of a matrix fulfil; parameters and errors as above.

    Examples
    --------
    >>> from exactcover import Problem
    >>> state_bounds(Problem({"A": ["a"], "B": ["a", "b"], "C": ["b"]}).matrix).bounds.tolist()
    [1, 1, 2, 0, 1, 2, 3, 0]
    """
    stated = Bounded(array("i"), array("i"), [])

    def limit(literals: Sequence[int], most: int) -> None:
        if most < len(literals):
            stated.bounds.extend((most, *literals, 0))

    for item, alone, shared in list_colors(matrix, stop):
        if item >= matrix.primary:
            for options in shared:
                stated.colors.append((item, matrix.row(options[0] - 1)[item] or 0))
                alone.append(len(matrix) + len(stated.colors))
                for option in options:
                    stated.clauses.extend((-option, alone[-1], 0))
            limit(alone, 1)
            continue
        low, high = matrix.bounds(item)
        if low == 1:
            stated.clauses.extend((*alone, 0))
        elif low > 1:
            limit([-option for option in alone], len(alone) - low)
        limit(alone, high)
    return stated


def list_colors(matrix: Matrix, stop: Stop | None = None) -> Iterator[tuple[int, list[int], list[list[int]]]]:
    """Yield each item, the options that exclude all others there, and those that share a color; numbered from 1."""
    for item, holders in enumerate(matrix.holders(stop)):
        if stop is not None:
            stop.poll()
        by_color: dict[int, list[int]] = {}
        for option, color in holders:
            by_color.setdefault(color, []).append(option + 1)
        alone = by_color.pop(0, [])
        alone += [options[0] for options in by_color.values() if len(options) == 1]
        yield item, alone, [options for options in by_color.values() if len(options) > 1]


def _exclude_pairs(literals: Iterable[int], variables: Iterator[int]) -> Iterator[Clause]:
    """Yield clauses that at most one of some literals is true."""
    left = deque(literals)
    while len(left) > _MAX_PAIRWISE:
        none = next(variables)  # true if none of these is
        some = [left.popleft(), left.popleft(), left.popleft(), none]
        yield tuple(some)
        yield from ((-one, -other) for one, other in itertools.combinations(some, 2))
        left.append(-none)
    yield from ((-one, -other) for one, other in itertools.combinations(left, 2))


def _bound_sum(literals: Sequence[int], low: int, high: int, variables: Iterator[int]) -> Iterator[Clause]:
    """Yield clauses that at least `low` and at most `high` of some literals are true."""
    size = len(literals)
    if low > size:
        yield ()
        return
    high = min(high, size)
    if _count_needed(size, size - high, size - low) < _count_needed(size, low, high):
        literals, low, high = [-literal for literal in literals], size - high, size - low
    if low <= 1 and high == size:
        yield from [tuple(literals)] * low
        return
    sums = yield from _count_true(literals, _count_needed(size, low, high), variables)
    if low > 0:
        yield (sums[low - 1],)
    if high < size:
        yield (-sums[high],)


def _count_needed(size: int, low: int, high: int) -> int:
    """Return how far true literals must be counted to see whether their number is within bounds."""
    return high + 1 if high < size else low


def _count_true(literals: Sequence[int], most: int, variables: Iterator[int]) -> Generator[Clause, None, list[int]]:
    """Yield the clauses of a totalizer; return literals of which the k-th, from 1 to `most`, means that k are true."""
    if len(literals) == 1:
        return list(literals)
    middle = len(literals) // 2
    left = yield from _count_true(literals[:middle], most, variables)
    right = yield from _count_true(literals[middle:], most, variables)
    sums = [next(variables) for _ in range(min(most, len(left) + len(right)))]
    for i, j in itertools.product(range(len(left) + 1), range(len(right) + 1)):
        if 0 < i + j <= len(sums):
            yield (*(-literal for literal in (*left[i - 1 : i], *right[j - 1 : j])), sums[i + j - 1])
        if i + j < len(sums):
            yield (*left[i : i + 1], *right[j : j + 1], -sums[i + j])
    return sums
