"""What can be removed from a problem before searching, so that its solutions stay the same.

- An option goes that would leave some item without enough options, were it chosen.
- Options that some item cannot do without are chosen for good.
- Of items that always occur together one is kept; an item goes that the others imply.

References
----------
D. E. Knuth, *The Art of Computer Programming* 4B, section 7.2.2.1, Algorithm P.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from exactcover.control.stop import Stop
from exactcover.model.matrix import Bounds, Matrix
from exactcover.steps.rebuild import rebuild
from exactcover.steps.restriction import restrict
from exactcover.steps.step import DeadEnd, Lift, StepResult, compose

__all__ = ["Reduction", "reduce"]

_MOST_WORK = 1 << 31  # bits looked at in one round


@dataclass(frozen=True)
class Reduction(StepResult):
    """What a reduction did.

    Attributes
    ----------
    chosen
        How many options were chosen for good.
    rounds
        How often everything was looked at.
    """

    chosen: int = 0
    rounds: int = 0


def reduce(matrix: Matrix, stop: Stop | None = None) -> Reduction:
    """Remove options and items that no solution needs, until nothing changes: a step.

    Parameters
    ----------
    matrix
        Its costs, multiplicities, colors and preferred items stay with what is left.
    stop
        Polled often.

    Returns
    -------
    Reduction
        The solutions of its matrix, lifted, are those of `matrix`, each once, in the same order of options. With a
        reason, the matrix is what was left when it showed.

    Notes
    -----
    A round costs (entries x items of an option x options / 64) word operations. Where that would take more than some
    seconds, options are not tried; forced options and implied items are still found.

    Examples
    --------
    >>> from exactcover import Problem
    >>> problem = Problem({"A": [1, 2], "B": [2, 3], "C": [1], "D": [3], "E": [2, 3, 4]})
    >>> reduction = reduce(problem.matrix)
    >>> [problem.labels[option] for option in reduction.lift(())], len(reduction.matrix)
    (['C', 'E'], 0)
    """
    stop = stop or Stop()
    lifts, chosen, rounds = list[Lift](), 0, 0
    changed = True
    while changed:
        rounds += 1
        stop.poll()
        if matrix.first_underfilled() is not None:
            return Reduction(matrix, compose(lifts), DeadEnd(), chosen, rounds)
        state = _Incidence(matrix)
        doomed, forced = state.doomed(stop), state.forced()
        restriction = restrict(matrix, forced, doomed)
        if restriction.reason is not None:
            return Reduction(matrix, compose(lifts), DeadEnd(), chosen, rounds)
        chosen += len(forced)
        lifts.append(restriction.lift)
        smaller = restriction.matrix
        items = _Incidence(smaller).implied()
        changed = bool(doomed or forced or items)
        left = {item: place for place, item in enumerate(k for k in range(smaller.items) if k not in items)}
        matrix = rebuild(smaller, range(len(smaller)), left) if items else smaller
    return Reduction(matrix, compose(lifts), None, chosen, rounds)


class _Incidence:
    """A matrix as sets of options, each a number whose bits are the options."""

    def __init__(self, matrix: Matrix) -> None:
        self.matrix = matrix
        self.rows = [matrix.option(k) for k in range(len(matrix))]
        members: list[list[int]] = [[] for _ in range(matrix.items)]
        colored: dict[tuple[int, int], list[int]] = {}
        for k, row in enumerate(self.rows):
            for item, color in row:
                members[item].append(k)
                if color:
                    colored.setdefault((item, color), []).append(k)
        self.members = members
        self.holders = [self._bits(options) for options in members]
        self.alike = {key: self._bits(options) for key, options in colored.items()}
        self.bare = list(self.holders)  # those that give an item no color
        for (item, _), options in self.alike.items():
            self.bare[item] &= ~options

    def _bits(self, options: Iterable[int]) -> int:
        bits = bytearray(len(self.matrix) // 8 + 1)
        for k in options:
            bits[k // 8] |= 1 << k % 8
        return int.from_bytes(bits, "little")

    def forced(self) -> set[int]:
        """Return the options that some item cannot do without."""
        bounds = self.matrix.bounds
        return {
            option
            for item in range(self.matrix.primary)
            if len(self.members[item]) == bounds(item)[0]
            for option in self.members[item]
        }

    def exclusive(self, item: int) -> bool:
        """Whether no two options that hold an item, whatever their colors, can be chosen together."""
        return item >= self.matrix.primary or self.matrix.bounds(item)[1] == 1

    def clashing(self, option: int) -> int:
        """Return the options that exclude this one; it may be among them itself."""
        clashing = 0
        for item, color in self.rows[option]:
            if color:
                clashing |= self.holders[item] & ~self.alike[item, color]
            elif self.exclusive(item):
                clashing |= self.holders[item]
        return clashing

    def doomed(self, stop: Stop) -> set[int]:
        """Return the options that exclude all options of an item they do not cover often enough."""
        matrix = self.matrix
        if len(matrix.entries) ** 2 > _MOST_WORK:
            return set()
        doomed = 0
        for item in range(matrix.primary):
            stop.poll()
            low, _ = matrix.bounds(item)
            if low == 0:
                continue
            common = (1 << len(matrix)) - 1
            for option in self.members[item]:
                common &= self.clashing(option)
                if not common:
                    break
            doomed |= common & ~self.holders[item] if low == 1 else 0
        return {option for option in range(len(matrix)) if doomed >> option & 1}

    def implied(self) -> set[int]:
        """Return items that can go because others say the same or more."""
        matrix, gone = self.matrix, set[int]()
        twins: dict[tuple[int, Bounds, bool], int] = {}
        for item in range(matrix.primary):
            if self._says_nothing(item, gone):
                gone.add(item)
                continue
            twin = twins.setdefault((self.holders[item], matrix.bounds(item), item in matrix.preferred), item)
            if twin != item:
                gone.add(item)
        for item in range(matrix.primary, matrix.items):
            if len(self.members[item]) < 2 or self._one_color(item) or self._told_by_another(item, gone):
                gone.add(item)
        return gone

    def _told_by_another(self, item: int, gone: set[int]) -> bool:
        """Whether another item lets at most one option of a secondary item be chosen."""
        return any(
            other != item and other not in gone and self.exclusive(other) and not self.holders[item] & ~self.bare[other]
            for other, _ in self.rows[self.members[item][0]]
        )

    def _says_nothing(self, item: int, gone: set[int]) -> bool:
        """Whether a primary item may be covered by none or all of its options, which have other primary items."""
        low, high = self.matrix.bounds(item)
        return (
            low == 0
            and high >= len(self.members[item])
            and all(
                any(
                    other != item and other < self.matrix.primary and other not in gone
                    for other, _ in self.rows[option]
                )
                for option in self.members[item]
            )
        )

    def _one_color(self, item: int) -> bool:
        colors = {color for option in self.members[item] for other, color in self.rows[option] if other == item}
        return len(colors) == 1 and 0 not in colors
