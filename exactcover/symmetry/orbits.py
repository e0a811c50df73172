"""Orbits of items, and the ranks of the options that cover them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from exactcover.model.matrix import ONCE, Matrix
from exactcover.symmetry.permutations import Permutation, invert

__all__ = ["Orbit", "find_orbits"]


_MAX_RANKS = 16

_RANKS_PENALTY = 1.5  # ranks of several items restrict a search later than options that are left out


class Orbit(NamedTuple):
    """An orbit of items that are covered exactly once, and the ranks of the options that cover them.

    A symmetry that maps an item of the orbit to the first item maps the options of that item to options of the first
    item. Each option of the first item has an orbit under the symmetries that fix the first item; it does not depend on
    the symmetry with which the option was mapped there. Each such orbit of options is a rank. If there are many,
    neighboring ranks are merged.

    Attributes
    ----------
    first
        The first item of the orbit.
    ranks
        The rank of each pair of an item of the orbit and an option that covers it.
    representatives
        The options of the first item that are the first in their orbits, with their ranks.
    share
        An estimate of the share of the search that remains if this orbit is used.
    """

    first: int
    ranks: dict[tuple[int, int], int]
    representatives: dict[int, int]
    share: float


def find_orbits(matrix: Matrix, group: Sequence[Permutation]) -> Iterator[Orbit]:
    """Yield those orbits of items that are covered exactly once whose ranks make the search smaller.

    Parameters
    ----------
    matrix
        The matrix.
    group
        All its symmetries that count, as permutations of its options.
    """
    all_holders = matrix.holders()
    once = [item for item in range(matrix.primary) if matrix.bounds(item) == ONCE]
    holders = {item: [option for option, _ in all_holders[item]] for item in once}
    inverses = [(symmetry, invert(symmetry)) for symmetry in group]
    item_of_holders = {frozenset(options): item for item, options in reversed(holders.items())}
    done: set[int] = set()
    for first in item_of_holders.values():
        if first in done or not holders[first]:
            continue
        to_first: dict[int, list[Permutation]] = defaultdict(list)  # item -> the symmetries that map it to the first
        for symmetry, inverse in inverses:
            source = item_of_holders.get(frozenset([inverse[option] for option in holders[first]]))
            if source is not None:
                to_first[source].append(symmetry)
        done.update(to_first)
        orbit = _rank_options(first, holders, to_first)
        if orbit.share < 1:
            yield orbit


def _rank_options(
    first: int, holders: Mapping[int, Sequence[int]], to_first: Mapping[int, Sequence[Permutation]]
) -> Orbit:
    """Return the orbit of an item.

    Parameters
    ----------
    first
        The item.
    holders
        The options of each item.
    to_first
        For each item of the orbit, the symmetries that map it to `first`.
    """
    leaders = {option: min(symmetry[option] for symmetry in to_first[first]) for option in holders[first]}
    distinct = sorted(set(leaders.values()))
    most = min(len(distinct), _MAX_RANKS)
    representatives = {leader: number * most // len(distinct) for number, leader in enumerate(distinct)}
    ranks = {
        (item, option): representatives[leaders[symmetries[0][option]]]
        for item, symmetries in to_first.items()
        for option in holders[item]
    }
    total = len(holders[first])
    above = [sum(ranks[first, option] >= rank for option in holders[first]) / total for rank in range(most)]
    share = sum(above[rank] ** (len(to_first) - 1) for rank in representatives.values()) / total
    return Orbit(first, ranks, representatives, share if len(to_first) == 1 else _RANKS_PENALTY * share)
