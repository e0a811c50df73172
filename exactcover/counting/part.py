"""The parts of a count, and what is known of each."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from exactcover.control.stop import Stop
from exactcover.counting.direct import DirectCount
from exactcover.model.matrix import Matrix
from exactcover.steps.step import StepResult, Weights
from exactcover.symmetry.branches import Branch, Split, Weight
from exactcover.symmetry.remainders import Remainder, Symmetries, make_matrix, make_remainder

__all__ = ["CountObserver", "Origins", "Part", "Tally"]


class Origins(NamedTuple):
    """A matrix as a part of a problem: the origins of its options; those of its items are in the matrix itself.

    Attributes
    ----------
    options
        The option of the problem that each of its options is.
    primary
        The number of primary items of the problem.
    """

    options: Sequence[int]
    primary: int


@dataclass
class Tally:
    """Sums over the parts of a count so far.

    Attributes
    ----------
    total, explored
        The solutions of the whole that stand for those found in parts that are done, and the share of the whole that
        these parts have; shares are guesses.
    begun_total, begun
        The same for what was found in parts that are not done.
    left, unknown
        The estimated seconds that are left, and the number of parts of which nothing is known.
    spent
        The seconds spent.
    nodes
        The nodes visited.
    bound
        The best lower bound on the number of solutions so far; it stays when a count is dropped.
    """

    total: Weight = 0
    explored: float = 0.0
    begun_total: Weight = 0
    begun: float = 0.0
    left: float = 0.0
    unknown: int = 0
    spent: float = 0.0
    nodes: int = 0
    bound: int = 0

    def seconds_left(self) -> float:
        """Return the estimated number of seconds that are left; infinity if nothing is known."""
        return math.inf if self.unknown else max(0.0, self.left)

    def found(self) -> Weight:
        """Return how many solutions of the whole are found, by what goes on."""
        return self.total + self.begun_total

    def remember_bound(self) -> None:
        """Remember what is known, before a count is dropped."""
        self.bound = max(self.bound, math.floor(self.found()))


class Part:
    """A remainder that stands for all that are isomorphic to it.

    Parameters
    ----------
    tally
        The tally to which its numbers are added.
    start
        Starts the direct count of a matrix.
    remainder
        The remainder; None if only its matrix is known.
    weight
        The number of solutions of the whole that each of its solutions stands for.
    share
        Its share of the whole count, by a guess.
    matrix
        The matrix that is searched to count it; None to make it of the remainder.
    left
        The number of seconds that its count takes, by a guess.
    origins
        The part of a problem that the matrix is; None if that does not matter.

    Attributes
    ----------
    symmetries
        Its symmetries, if they are known.
    """

    def __init__(
        self,
        tally: Tally,
        start: Callable[[Matrix], DirectCount],
        remainder: Remainder,
        weight: Weight = 1,
        share: float = 1.0,
        *,
        matrix: Matrix | None = None,
        left: float = math.inf,
        origins: Origins | None = None,
    ) -> None:
        self.remainder, self.weight, self.share = remainder, weight, share
        self.origins = origins
        self.symmetries: Symmetries | None = None
        self._tally, self._start = tally, start
        self._matrix = matrix
        self._direct: DirectCount | None = None
        self._found = self._nodes = 0  # by the direct count, up to its last turn
        self._explored = self._left = 0.0
        self._expect(left)

    @property
    def matrix(self) -> Matrix:
        """The matrix that is searched to count it."""
        if self._matrix is None:
            self._matrix = make_matrix(self.remainder)
        return self._matrix

    def make_remainder(self, stop: Stop) -> None:
        """Make the remainder from the matrix, with the choices that are forced; None if these leave no solution."""
        whole = make_remainder(self.matrix, stop)
        if self.origins is not None:
            items = [*map(self.matrix.origin, range(self.matrix.items))]
            whole = whole.with_origins(items, self.origins.options, self.origins.primary)
        self.remainder = whole.remainder([])

    @property
    def is_begun(self) -> bool:
        """True if it is counted directly."""
        return self._direct is not None

    @property
    def direct(self) -> DirectCount:
        """Its direct count, which begins if there is none."""
        if self._direct is None:
            self._direct = self._start(self.matrix)
            self._direct.note_turn = self.note_turn
        return self._direct

    @property
    def entries(self) -> int:
        """Its size."""
        return len(self.matrix.entries) if self.remainder is None else int(self.remainder.entries)

    @property
    def left(self) -> float:
        """The number of seconds that its count takes from now on, by the last estimate."""
        return self._left

    def replace_matrix(self, matrix: Matrix) -> None:
        """Search another matrix with as many solutions from now on."""
        self.drop_direct()
        self._matrix = matrix

    def merge(self, other: Part) -> None:
        """Stand for another part as well."""
        other.drop_direct()
        other.leave()
        self._tally.begun_total += other.weight * self._found
        self.weight += other.weight
        self.share += other.share

    def note_turn(self, seconds: float) -> None:
        """Note what a turn of its direct count has taken and found."""
        assert self._direct is not None
        self._tally.spent += seconds
        self._note(self.share * self._direct.explored(), self._direct.solutions)
        self._expect(self._direct.left())
        nodes = self._direct.nodes
        self._tally.nodes += nodes - self._nodes
        self._nodes = nodes

    def _note(self, explored: float, found: int) -> None:
        """Note which share of the whole is explored here, and how many solutions have been found."""
        self._tally.begun += explored - self._explored
        self._explored = explored
        if found != self._found:
            self._tally.begun_total += self.weight * (found - self._found)
            self._found = found

    def _expect(self, left: float) -> None:
        """Note how many seconds are left here."""
        for seconds, sign in ((self._left, -1), (left, 1)):
            if seconds < math.inf:
                self._tally.left += sign * seconds
            else:
                self._tally.unknown += sign
        self._left = left

    def drop_direct(self) -> None:
        """End the direct count."""
        if self._direct is not None:
            self._tally.remember_bound()
            self._direct.close()
            self._direct, self._nodes = None, 0
        self._note(0.0, 0)

    def leave(self) -> None:
        """Leave the tally, to parts of this part or to another one."""
        self._expect(0.0)

    def finish(self, solutions: int) -> None:
        """End with the number of solutions."""
        self.drop_direct()
        self.leave()
        self._tally.total += self.weight * solutions
        self._tally.explored += self.share


class CountObserver:
    """Sees which parts a count consists of. This one notes nothing.

    Of each part, notes come in the order in which things happen; the last one says how its number is known: by weights,
    by other parts, or by a direct count.
    """

    def note_components(self, part: Part, items: Sequence[Sequence[int]], parts: Sequence[Part]) -> None:
        """Note that a part consists of independent ones, and which of its items each of them has."""

    def note_weights(self, part: Part, weights: Weights) -> None:
        """Note that weights show that a part has no solution."""

    def note_contradiction(self, part: Part) -> None:
        """Note that the choices that are forced in a part leave no solution."""

    def note_reduction(self, part: Part, result: StepResult) -> None:
        """Note that a smaller matrix is counted directly instead of that of a part; with a reason, that ends it."""

    def note_split(self, part: Part, split: Split, branches: Sequence[tuple[Branch, Part | None]]) -> None:
        """Note that a part is split; a branch without solutions has no part."""

    def note_merge(self, part: Part, kept: Part) -> None:
        """Note that a part is isomorphic to another one, which comes before it."""

    def note_end(self, part: Part) -> None:
        """Note that a part is counted directly, to its end."""
