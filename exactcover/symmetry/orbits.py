"""Orbits of items, and the order of the options that cover them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from exactcover.model.matrix import ONCE, Matrix
from exactcover.symmetry.permutations import Permutation

__all__ = ["Orbit", "find_orbits"]


_MOST_RANKS = 16

_LATE = 1.5  # ranks of several items make themselves felt later in a search than options that are left out


class Orbit(NamedTuple):
    """An orbit of items that are covered exactly once, and the ranks of the options that cover them.

    A symmetry that maps an item of the orbit to the first one maps its options to options of the first item. The images
    of these under the symmetries of the first item do not depend on that choice. They form one rank; where there are
    many ranks, neighboring ones are merged.
    """

    first: int
    ranks: dict[tuple[int, int], int]  # (item, option) -> rank
    heads: dict[int, int]  # those of the first item's options that stand for others, with their ranks
    share: float  # of the search that is left, about


def find_orbits(matrix: Matrix, group: Sequence[Permutation]) -> Iterator[Orbit]:
    """Yield the orbits of items that are covered exactly once, where ranks make the search smaller."""
    holders: dict[int, list[int]] = {item: [] for item in range(matrix.primary) if matrix.bounds(item) == ONCE}
    for option in range(len(matrix)):
        for item, _ in matrix.option(option):
            if item in holders:
                holders[item].append(option)
    inverses = [(one, _inverse(one)) for one in group]
    named = {frozenset(options): item for item, options in reversed(holders.items())}
    seen: set[int] = set()
    for first in named.values():
        if first in seen or not holders[first]:
            continue
        ways: dict[int, list[Permutation]] = defaultdict(list)  # to the first item, from each of the orbit
        for one, inverse in inverses:
            source = named.get(frozenset([inverse[option] for option in holders[first]]))
            if source is not None:
                ways[source].append(one)
        seen.update(ways)
        orbit = _rank_options(first, holders, ways)
        if orbit.share < 1:
            yield orbit


def _inverse(permutation: Permutation) -> Permutation:
    inverse = [0] * len(permutation)
    for place, image in enumerate(permutation):
        inverse[image] = place
    return tuple(inverse)


def _rank_options(first: int, holders: Mapping[int, Sequence[int]], ways: Mapping[int, Sequence[Permutation]]) -> Orbit:
    """Return the orbit of an item, given the symmetries that bring each other item to it."""
    leaders = {option: min(one[option] for one in ways[first]) for option in holders[first]}
    distinct = sorted(set(leaders.values()))
    most = min(len(distinct), _MOST_RANKS)
    heads = {leader: number * most // len(distinct) for number, leader in enumerate(distinct)}
    ranks = {(item, option): heads[leaders[some[0][option]]] for item, some in ways.items() for option in holders[item]}
    total = len(holders[first])
    above = [sum(ranks[first, option] >= rank for option in holders[first]) / total for rank in range(most)]
    share = sum(above[rank] ** (len(ways) - 1) for rank in heads.values()) / total
    return Orbit(first, ranks, heads, share if len(ways) == 1 else _LATE * share)
