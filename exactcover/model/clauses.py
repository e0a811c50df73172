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
from functools import lru_cache
from math import prod
from typing import NamedTuple

from exactcover.control.stop import Stop
from exactcover.model.matrix import ONCE, Matrix

Clause = tuple[int, ...]
_LARGEST_TABLE = 1 << 11  # choices of one color or none for each item
_MAX_PAIRWISE = 5  # literals of which at most one is true are paired; more need further variables


def list_clauses(matrix: Matrix, stop: Stop | None = None) -> Iterator[Clause]:
    """Yield clauses that exactly the solutions of a matrix fulfil, whose costs do not matter.

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
    variables = itertools.count(len(matrix) + 1)
    supporters = _find_supporters(matrix, stop)
    for item, alone, shared in list_colors(matrix, stop):
        if item < matrix.primary and matrix.bounds(item) != ONCE:
            yield from _bound_sum(alone, *matrix.bounds(item), variables)
            continue
        if item < matrix.primary:
            yield tuple(alone)
        states = {option: [option] for option in alone} | {next(variables): options for options in shared}
        for color, options in itertools.islice(states.items(), len(alone), None):
            if item not in supporters:
                yield (-color, *options)
            yield from ((-option, color) for option in options)
        if item in supporters:
            yield from _support(states, supporters[item])
        yield from _exclude_pairs(states, variables)


class Formula(NamedTuple):
    """A matrix as clauses about colors, and about options as far as colors do not decide them."""

    clauses: array[int]  # each ends with 0
    variables: int  # a solver begins with the first of them, and colors decide more than options
    literals: list[tuple[int, ...]]  # for each option, all true if and only if it is chosen


def state_colors(matrix: Matrix, stop: Stop | None = None) -> Formula:
    """Return clauses that exactly the solutions of a matrix fulfil.

    If all options of an item are different colors of the same secondary items, these colors say which one is chosen;
    so clauses about them suffice, which exclude the colors that go with none of the options.

    Examples
    --------
    >>> from exactcover import Colored, Problem
    >>> pairs = {a + b: ["item", Colored("x", a), Colored("y", b)] for a, b in ("00", "11")}
    >>> state_colors(Problem(pairs, secondary=["x", "y"]).matrix)
    Formula(clauses=array('i', [-1, 2, 0, 1, -2, 0]), variables=2, literals=[(1, 2), (-1, -2)])
    """
    holders, rows, supporters = matrix.holders(stop), matrix.list_options(), _find_supporters(matrix, stop)
    tables = _find_tables(matrix, rows, holders, supporters)
    decided = {option for item in tables for option, _ in holders[item]}
    deciding = {other for others in tables.values() for other in others}
    variables, stated = itertools.count(1), array("i")
    literals: list[tuple[int, ...]] = [()] * len(rows)
    colors: dict[int, dict[int, int]] = {}  # the literal of each color, by item
    for item in range(matrix.primary, matrix.items):
        numbers = Counter(color for _, color in holders[item] if color)
        shared = sorted(color for color, number in numbers.items() if number > 1 or item in deciding)
        is_pair = len(shared) == len({color for _, color in holders[item]}) == 2 and item in supporters
        signs = iter([one := next(variables), -one]) if is_pair else variables  # one of two colors is always there
        colors[item] = {color: next(signs) for color in shared}
    for option in range(len(rows)):
        if option not in decided:
            literals[option] = (next(variables),)
    for item, held in enumerate(holders):
        if stop is not None:
            stop.poll()
        own = [(literals[option][0], color) for option, color in held if option not in decided]
        clauses: Iterable[Clause]
        if item in tables:
            domains = [[*colors[other].values()] for other in tables[item]]
            places = [{color: place for place, color in enumerate(colors[other])} for other in tables[item]]
            found = (dict(rows[option]) for option, _ in held)
            taken = frozenset(
                tuple(place[row[x]] for x, place in zip(tables[item], places, strict=True)) for row in found
            )
            excluded = _exclude_others(taken, tuple(map(len, domains)))
            clauses = (tuple(-domains[place][k] for place, k in choice.items()) for choice in excluded)
        elif item < matrix.primary:
            options = [literal for literal, _ in own]
            if matrix.bounds(item) == ONCE:
                clauses = [tuple(options), *_exclude_pairs(options, variables)]
            else:
                clauses = _bound_sum(options, *matrix.bounds(item), variables)
        else:
            known = {literals[option - 1][0]: one for option, one in supporters.get(item, {}).items()
                     if option - 1 not in decided}  # fmt: skip
            clauses = _state_item(own, colors[item], known if item in supporters else None, variables)
        for clause in clauses:
            stated.extend((*clause, 0))
    for option in decided:
        literals[option] = tuple(colors[item][color] for item, color in rows[option] if color)
    return Formula(stated, next(variables) - 1, literals)


def _state_item(
    own: Sequence[tuple[int, int]],
    colors: Mapping[int, int],
    supporters: Mapping[int, int] | None,
    variables: Iterator[int],
) -> Iterator[Clause]:
    """Yield the clauses of a secondary item: `own` are its options that have literals, each with its color."""
    states: dict[int, list[int]] = {literal: [literal] for literal, color in own if color not in colors}
    states |= {literal: [] for literal in colors.values()}
    for literal, color in own:
        if color in colors:
            states[colors[color]].append(literal)
            yield -literal, colors[color]
    is_pair = len(states) == 2 and min(states) == -max(states)
    if supporters is not None:
        yield from itertools.islice(_support(states, supporters), is_pair, None)  # the first one says nothing of a pair
    else:
        yield from ((-state, *options) for state, options in states.items() if options != [state])
    if not is_pair:
        yield from _exclude_pairs(states, variables)


def _find_tables(
    matrix: Matrix,
    rows: Sequence[Sequence[tuple[int, int]]],
    holders: Sequence[Sequence[tuple[int, int]]],
    supporters: Mapping[int, object],
) -> dict[int, list[int]]:
    """Return the secondary items whose colors decide between the options of a primary item, for each that has such."""
    sizes = {
        item: len({color for _, color in holders[item]})
        for item in supporters
        if all(color for _, color in holders[item])
    }
    tables: dict[int, list[int]] = {}
    for item in range(matrix.primary):
        options = [rows[option] for option, _ in holders[item]]
        others = sorted(other for other, _ in options[0] if other != item) if options else []
        if (
            matrix.bounds(item) == ONCE
            and others
            and all(other in sizes for other in others)
            and prod(sizes[other] + 1 for other in others) <= _LARGEST_TABLE
            and all(sorted(other for other, _ in row if other != item) == others for row in options)
            and len({frozenset(row) for row in options}) == len(options)
        ):
            tables[item] = others
    return tables


@lru_cache
def _exclude_others(rows: frozenset[tuple[int, ...]], sizes: tuple[int, ...]) -> list[dict[int, int]]:
    """Return the least choices that none of some rows has: of some places, each with a number below its size.

    A choice is least if each choice with one place less occurs in a row.
    """
    excluded: list[dict[int, int]] = []
    seen: dict[tuple[int, ...], set[tuple[int, ...]]] = {(): {()}}
    for number in range(1, len(sizes) + 1):
        for places in itertools.combinations(range(len(sizes)), number):
            found = seen[places] = {tuple([row[place] for place in places]) for row in rows}
            fewer = [seen[places[:k] + places[k + 1 :]] for k in range(number)]
            for some in itertools.product(*(range(sizes[place]) for place in places)):
                if some not in found and all(some[:k] + some[k + 1 :] in own for k, own in enumerate(fewer)):
                    excluded.append(dict(zip(places, some, strict=True)))
    return excluded


class Bounded(NamedTuple):
    """A matrix as clauses and bounds, for solvers that know how many of some literals may be true."""

    clauses: array[int]  # each ends with 0
    bounds: array[int]  # how many literals may be true at most, these literals, and 0; and so on
    colors: list[tuple[int, int]]  # an item and a color for each variable after the options
    supports: array[int]  # follow from others by unit propagation, and exclude colors sooner


def state_bounds(matrix: Matrix, stop: Stop | None = None) -> Bounded:
    """Return clauses and bounds that exactly the solutions of a matrix fulfil.

    Examples
    --------
    >>> from exactcover import Problem
    >>> state_bounds(Problem({"A": ["a"], "B": ["a", "b"], "C": ["b"]}).matrix).bounds.tolist()
    [1, 1, 2, 0, 1, 2, 3, 0]
    """
    stated = Bounded(array("i"), array("i"), [], array("i"))
    supporters = _find_supporters(matrix, stop)

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


def _find_supporters(matrix: Matrix, stop: Stop | None) -> dict[int, dict[int, int]]:
    """Return for secondary items the options of each primary item all of whose options have them.

    The options are numbered from 1, and lead to the primary item.
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
            if not any(option + 1 in known for option in options):  # each once, so that clauses stay few
                known.update((option + 1, item) for option in options)
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
