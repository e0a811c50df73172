"""Reduction: removing options and items before a search, so that the solutions stay the same.

- An option is removed if choosing it would leave some item with too few options.
- An option is chosen if some item cannot be covered without it.
- An item is removed if other items imply it; of items that always occur together, one is kept.
- What is left may have no solution because of :mod:`weights <exactcover.steps.weights>` of items.

References
----------
D. E. Knuth, *The Art of Computer Programming* 4B, section 7.2.2.1, Algorithm P.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from exactcover.control.stop import Stop
from exactcover.model.matrix import Bounds, Matrix, may_share
from exactcover.steps.step import DeadEnd, Lift, StepResult, compose, rebuild, restrict, unchanged

_MAX_KEPT = 0.97

_MAX_WORK = 1 << 31  # bits; with more, a round would take too long to look for dead options


@dataclass(frozen=True)
class Reduction(StepResult):
    """The result of a reduction."""

    chosen: int = 0  # the number of options that were chosen
    rounds: int = 0  # the number of passes over the whole matrix


def is_much_smaller(reduced: Matrix, matrix: Matrix) -> bool:
    """Return whether a reduced matrix is small enough to begin the search again."""
    return len(reduced) <= _MAX_KEPT * len(matrix)


def find_dead_options(matrix: Matrix, stop: Stop) -> list[int]:
    """Return the options that would leave some item with too few options, in ascending order; see :func:`reduce`."""
    return [] if matrix.weighted else sorted(_Incidence(matrix).find_dead_options(stop))


def reduce(matrix: Matrix, stop: Stop | None = None) -> Reduction:
    """Remove options and items that no solution needs, until nothing changes: a step.

    The lifted solutions of the new matrix are those of the old one, each exactly once. Options and items keep their
    order, and what remains its costs, multiplicities, colors and preferred items. If there is a reason, the matrix is
    the one in which it was found.

    A round takes (entries x items per option x options / 64) word operations. If that would take more than a few
    seconds, options that lead to a dead end are not looked for; forced options and implied items still are. Nothing is
    removed where options cover items several times.

    Examples
    --------
    >>> from exactcover import Problem
    >>> problem = Problem({"A": [1, 2], "B": [2, 3], "C": [1], "D": [3], "E": [2, 3, 4]})
    >>> reduction = reduce(problem.matrix)
    >>> [problem.labels[option] for option in reduction.lift(())], len(reduction.matrix)
    (['C', 'E'], 0)
    """
    from exactcover.steps.weights import find_weights  # seldom needed

    if matrix.weighted:
        return Reduction(matrix, unchanged)
    stop = stop or Stop()
    lifts, chosen, rounds, paid = list[Lift](), 0, 0, 0
    changed = True
    while changed:
        rounds += 1
        stop.poll()
        if matrix.first_underfilled() is not None:
            return Reduction(matrix, compose(lifts), DeadEnd(), chosen, rounds)
        incidence = _Incidence(matrix)
        dead, forced = incidence.find_dead_options(stop), incidence.find_forced_options()
        restriction = restrict(matrix, forced, dead)
        if restriction.reason is not None:
            return Reduction(matrix, compose(lifts), DeadEnd(), chosen, rounds)
        chosen += len(forced)
        paid += restriction.paid
        lifts.append(restriction.lift)
        smaller = restriction.matrix
        implied = _Incidence(smaller).find_implied_items()
        changed = bool(dead or forced or implied)
        left = {item: place for place, item in enumerate(k for k in range(smaller.items) if k not in implied)}
        matrix = rebuild(smaller, range(len(smaller)), left) if implied else smaller
    return Reduction(matrix, compose(lifts), find_weights(matrix, stop=stop), chosen, rounds, paid=paid)


class _Incidence:
    """The incidence of items and options; sets of options are integers whose bit k stands for option k."""

    def __init__(self, matrix: Matrix) -> None:
        self.matrix = matrix
        self.rows = matrix.list_options()  # the (item, color) pairs of each option
        members: list[list[int]] = [[] for _ in range(matrix.items)]  # the options of each item, as a list
        colored: dict[tuple[int, int], list[int]] = {}  # by item and color
        for k, row in enumerate(self.rows):
            for item, color in row:
                members[item].append(k)
                if color:
                    colored.setdefault((item, color), []).append(k)
        self.members = members
        self.holders = [self._bits(options) for options in members]  # the same as a set
        self.colored = {key: self._bits(options) for key, options in colored.items()}
        self.uncolored = list(self.holders)  # the options that give an item no color
        for (item, _), options in self.colored.items():
            self.uncolored[item] &= ~options

    def _bits(self, options: Iterable[int]) -> int:
        bits = bytearray(len(self.matrix) // 8 + 1)
        for k in options:
            bits[k // 8] |= 1 << k % 8
        return int.from_bytes(bits, "little")

    def find_forced_options(self) -> set[int]:
        """Return the options without which some item could not be covered often enough."""
        bounds = self.matrix.bounds
        return {
            option
            for item in range(self.matrix.primary)
            if len(self.members[item]) == bounds(item)[0]
            for option in self.members[item]
        }

    def is_exclusive(self, item: int) -> bool:
        """Return whether an option that gives the item no color excludes all other options of the item."""
        return item >= self.matrix.primary or self.matrix.bounds(item)[1] == 1

    def find_conflicting_options(self, option: int) -> int:
        """Return the set of options that exclude this one; it may contain the option itself."""
        conflicting = 0
        for item, color in self.rows[option]:
            if color:
                conflicting |= self.holders[item] & ~self.colored[item, color]
            elif self.is_exclusive(item):
                conflicting |= self.holders[item]
        return conflicting

    def find_dead_options(self, stop: Stop) -> set[int]:
        """Return the options that exclude every option of some item that they do not cover themselves."""
        matrix = self.matrix
        if len(matrix.entries) ** 2 > _MAX_WORK:
            return set()
        dead = 0
        for item in range(matrix.primary):
            stop.poll()
            if matrix.bounds(item)[0] != 1:
                continue
            common = (1 << len(matrix)) - 1
            for option in self.members[item]:
                common &= self.find_conflicting_options(option)
                if not common:
                    break
            dead |= common & ~self.holders[item]
        return {option for option in range(len(matrix)) if dead >> option & 1}

    def find_implied_items(self) -> set[int]:
        """Return items that can be removed, because the remaining items imply them."""
        matrix, removed = self.matrix, set[int]()
        twins: dict[tuple[int, Bounds, bool], int] = {}
        for item in range(matrix.primary):
            if self._is_unconstrained(item, removed):
                removed.add(item)
                continue
            twin = twins.setdefault((self.holders[item], matrix.bounds(item), item in matrix.preferred), item)
            if twin != item:
                removed.add(item)
        for item in range(matrix.primary, matrix.items):
            if len(self.members[item]) < 2 or self._has_one_color(item) or self._is_implied(item, removed):
                removed.add(item)
        return removed

    def _is_implied(self, item: int, removed: set[int]) -> bool:
        """Return whether another item alone allows at most one option of a secondary item to be chosen."""
        return any(
            other != item
            and other not in removed
            and self.is_exclusive(other)
            and not self.holders[item] & ~self.uncolored[other]
            for other, _ in self.rows[self.members[item][0]]
        )

    def _is_unconstrained(self, item: int, removed: set[int]) -> bool:
        """Return whether any number of options of a primary item may be chosen, and all have another primary item."""
        low, high = self.matrix.bounds(item)
        return (
            low == 0
            and high >= len(self.members[item])
            and all(
                any(
                    other != item and other < self.matrix.primary and other not in removed
                    for other, _ in self.rows[option]
                )
                for option in self.members[item]
            )
        )

    def _has_one_color(self, item: int) -> bool:
        """Return whether all options of a secondary item give it the same color."""
        return may_share(
            [color for option in self.members[item] for other, color in self.rows[option] if other == item]
        )
