"""True candidates: the options in some solution, and those in every solution."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from exactcover.algorithm_x import Label
from exactcover.model.matrix import ONCE, Matrix
from exactcover.steps.restriction import restrict

__all__ = ["Candidates", "find_candidates"]

_MOST_LISTED = 32  # solutions that are listed before single options are asked about

Ask = Callable[[Sequence[int], Sequence[int], int], list[tuple[int, ...]]]
"""Returns at most some solutions with given and excluded options, all as positions."""


@dataclass(frozen=True)
class Candidates:
    """The options that can still be chosen, and those that must be; in the order of the problem.

    Attributes
    ----------
    possible
        The options in at least one solution; none if there is no solution.
    certain
        The options in every solution; none if there is no solution.
    """

    possible: tuple[Label, ...]
    certain: tuple[Label, ...]


def find_candidates(
    matrix: Matrix, given: Sequence[int], without: Sequence[int], ask: Ask
) -> tuple[list[int], list[int]]:
    """Return the positions of the options in some solution, and of those in every solution.

    Parameters
    ----------
    matrix
        The items and options.
    given, without
        Options that a solution must contain, and must not contain.
    ask
        Finds solutions.

    Notes
    -----
    Every solution found settles all its options. A question excludes the options of an item that are known to be
    possible; so its answer is new, or settles all other options of the item together. An option without an item that is
    covered exactly once is asked about on its own.
    """
    found = ask(given, without, _MOST_LISTED)
    if not found:
        return [], []
    possible, certain = set[int]().union(*found), set(found[0]).intersection(*found)
    if len(found) < _MOST_LISTED:
        return sorted(possible), sorted(certain)
    left = restrict(matrix, given, set(without))
    paths = [left.lift([option])[-1] for option in range(len(left.matrix))]
    item_of: dict[int, int] = {}  # an item of the option that is covered exactly once
    holders: dict[int, list[int]] = {}
    for option, position in enumerate(paths):
        for item, _ in left.matrix.option(option):
            if item < left.matrix.primary and left.matrix.bounds(item) == ONCE:
                holders.setdefault(item, []).append(position)
                item_of.setdefault(position, item)
    impossible: set[int] = set()
    for position in paths:
        while position not in possible and position not in impossible:
            group = holders[item_of[position]] if position in item_of else [position]
            known = [one for one in group if one in possible] if len(group) > 1 else []
            forced = [] if len(group) > 1 else [position]
            answer = ask([*given, *forced], [*without, *impossible, *known], 1)
            if answer:
                possible.update(answer[0])
                certain.intersection_update(answer[0])
            else:
                impossible.update(set(group).difference(known))
    asked = set(given)
    for position in sorted(certain.difference(asked)):
        if position in item_of:
            others = set(holders[item_of[position]]) - {position}
            is_certain = others.isdisjoint(possible)
        else:
            is_certain = not ask(given, [*without, *impossible, position], 1)
        if not is_certain:
            certain.discard(position)
    return sorted(possible), sorted(certain)
