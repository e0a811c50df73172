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
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from exactcover.control.stop import Stop
from exactcover.model.matrix import ONCE, Matrix

Clause = tuple[int, ...]
_MAX_PAIRWISE = 5  # literals of which at most one is true are paired; more need further variables


def count_shared_colors(matrix: Matrix) -> int:
    """Return how many pairs of an item and a color are in several options."""
    numbers = Counter(zip(matrix.entries, matrix.colors, strict=True)) if any(matrix.colors) else {}
    return sum(color > 0 and number > 1 for (_, color), number in numbers.items())


def list_clauses(matrix: Matrix, stop: Stop | None = None, *, before: int = 0) -> Iterator[Clause]:
    """Yield clauses that exactly the solutions of a matrix fulfil.

    Parameters
    ----------
    matrix
        The matrix; its costs do not matter.
    stop
        Polled often.
    before
        How many variables come before those of the options: none, or as many as :func:`count_shared_colors` says, for
        the colors that options share. A solver begins with the first variables, and colors decide more than options.

    Raises
    ------
    Stopped
        If `stop` asks for it.

    Notes
    -----
    An item in d options leads to about 3.5 d clauses and d / 2 further variables; an item in d options that is covered
    at most m times leads to at most about m d log d clauses and d log d further variables.

    If all options of a primary item give a secondary item some color, each color needs an option of that primary item.
    So unit propagation excludes a color that is left to none of these options, and then all others that have it.

    Examples
    --------
    >>> from exactcover import Problem
    >>> list(list_clauses(Problem({"A": ["a"], "B": ["a", "b"], "C": ["b"]}).matrix))
    [(1, 2), (-1, -2), (2, 3), (-2, -3)]
    """
    variables = itertools.count(before + len(matrix) + 1)
    colors = itertools.count(1) if before else variables
    supporters = _find_supporters(matrix, stop, before)
    for item, alone, shared in list_colors(matrix, stop, before):
        if item < matrix.primary and matrix.bounds(item) != ONCE:
            yield from _bound_sum(alone, *matrix.bounds(item), variables)
            continue
        if item < matrix.primary:
            yield tuple(alone)
        states = {option: [option] for option in alone} | {next(colors): options for options in shared}
        for color, options in itertools.islice(states.items(), len(alone), None):
            if item not in supporters:
                yield (-color, *options)
            yield from ((-option, color) for option in options)
        if item in supporters:
            yield from _support(states, supporters[item])
        yield from _exclude_pairs(states, variables)


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
    supports
        Further clauses, which follow from the others by unit propagation, and exclude colors sooner.
    """

    clauses: array[int]
    bounds: array[int]
    colors: list[tuple[int, int]]
    supports: array[int]


def state_bounds(matrix: Matrix, stop: Stop | None = None) -> Bounded:
    """Return clauses and bounds that exactly the solutions of a matrix fulfil; parameters and errors as above.

    Examples
    --------
    >>> from exactcover import Problem
    >>> state_bounds(Problem({"A": ["a"], "B": ["a", "b"], "C": ["b"]}).matrix).bounds.tolist()
    [1, 1, 2, 0, 1, 2, 3, 0]
    """
    stated = Bounded(array("i"), array("i"), [], array("i"))
    supporters = _find_supporters(matrix, stop, 0)

    def limit(literals: Sequence[int], most: int) -> None:
        if most < len(literals):
            stated.bounds.extend((most, *literals, 0))

    for item, alone, shared in list_colors(matrix, stop):
        if item >= matrix.primary:
            states = {option: [option] for option in alone}
            for options in shared:
                stated.colors.append((item, matrix.row(options[0] - 1)[item] or 0))
                color = len(matrix) + len(stated.colors)
                states[color] = options
                for option in options:
                    stated.clauses.extend((-option, color, 0))
            limit([*states], 1)
            if item in supporters:
                for clause in _support(states, supporters[item]):
                    stated.supports.extend((*clause, 0))
            continue
        low, high = matrix.bounds(item)
        if low == 1:
            stated.clauses.extend((*alone, 0))
        elif low > 1:
            limit([-option for option in alone], len(alone) - low)
        limit(alone, high)
    return stated


def list_colors(
    matrix: Matrix, stop: Stop | None = None, before: int = 0
) -> Iterator[tuple[int, list[int], list[list[int]]]]:
    """Yield each item, the options that exclude all others there, and those that share a color; numbered from 1.

    The first option has number `before` plus 1.
    """
    for item, holders in enumerate(matrix.holders(stop)):
        if stop is not None:
            stop.poll()
        alone, by_color = [before + option + 1 for option, color in holders if not color], dict[int, list[int]]()
        for option, color in holders if len(alone) < len(holders) else ():
            if color:
                by_color.setdefault(color, []).append(before + option + 1)
        alone += [options[0] for options in by_color.values() if len(options) == 1]
        yield item, alone, [options for options in by_color.values() if len(options) > 1]


def _find_supporters(matrix: Matrix, stop: Stop | None, before: int) -> dict[int, dict[int, int]]:
    """Return for secondary items the options of each primary item all of whose options have them.

    The options are numbered as those of :func:`list_colors`, and lead to the primary item.
    """
    members: list[list[int]] = [[] for _ in range(matrix.primary)]
    rows = [] if matrix.items == matrix.primary else [matrix.entries[a:b] for a, b in itertools.pairwise(matrix.starts)]
    for option, row in enumerate(rows):
        for item in row:
            if item < matrix.primary:
                members[item].append(option)
    supporters: dict[int, dict[int, int]] = {}
    for item, options in enumerate(members):
        if stop is not None:
            stop.poll()
        if not options or matrix.bounds(item)[0] == 0:
            continue
        common = {other for other in rows[options[0]] if other >= matrix.primary}
        for option in options:
            common.intersection_update(rows[option])
            if not common:
                break
        for other in sorted(common):
            known = supporters.setdefault(other, {})
            if not any(before + option + 1 in known for option in options):  # each once, so that clauses stay few
                known.update((before + option + 1, item) for option in options)
    return supporters


def _support(states: Mapping[int, Sequence[int]], supporters: Mapping[int, int]) -> Iterator[Clause]:
    """Yield clauses that one of the states of an item is true, and that each needs an option of every supporter."""
    number = len(set(supporters.values()))
    yield tuple(states)
    for state, options in states.items():
        parts: dict[int, list[int]] = {}
        for option in options:
            if option in supporters:
                parts.setdefault(supporters[option], []).append(option)
        if len(parts) < number:
            yield (-state,)
        else:
            yield from ((-state, *part) for part in parts.values() if part != [state])


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
