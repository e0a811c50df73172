"""The plan of a count: into which parts symmetries split a problem, without counting any of them.

A count on one machine splits its parts while it goes on. What many machines share, and what must be found again years
later, is decided before: from the problem alone, by work and never by the clock.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.control.stop import Stop
from exactcover.model.matrix import Matrix, native
from exactcover.symmetry.remainders import (
    Remainder,
    Symmetries,
    find_symmetries,
    make_matrix,
    make_remainder,
)
from exactcover.symmetry.splitting import Branch, Choice, Split, Weight, find_splits, make_split

_MOST_LEVELS = 64  # of splits below each other; a foreign plan might have any number

Splits: TypeAlias = tuple[Choice | None, ...]
"""The split of each remainder, from the whole on: the parts of a split follow it, each with its own; None for none."""


@dataclass(frozen=True)
class PlannedPart:
    """A part of a problem."""

    matrix: Matrix  # to count; its origins are the items of the root
    weight: Weight  # the number of solutions of the whole that each of its solutions stands for


class PlanObserver:
    """Sees the splits of a plan in their order: each one, then its branches, and what each of these is split into.

    This one notes nothing.
    """

    def note_split(self, remainder: Remainder, split: Split, symmetries: Symmetries) -> None:
        """Note a split."""

    def note_branch(self, branch: Branch) -> None:
        """Note a branch of the last split that is not complete."""

    def note_part(self, part: PlannedPart) -> None:
        """Note a part, which is the last branch, or the whole."""


@dataclass(frozen=True)
class Plan:
    """The splits of a problem, and a digest of the parts."""

    splits: Splits  # as values that can be stored
    digest: str  # a hash of the parts

    def parts(
        self,
        matrix: Matrix,
        stop: Stop,
        policy: CountingPolicy = DEFAULT_POLICY,
        observer: PlanObserver | None = None,
        options: Sequence[int] | None = None,
    ) -> list[PlannedPart]:
        """Return the parts of the matrix for which the plan was made, with the same policy as then.

        The observer sees the splits; for it, `options` has the position in the problem of each option of the matrix.
        Raise ``ValueError`` if a split is not possible, or the parts are not those for which the plan was
        made.
        """
        if native is None:
            raise ValueError("the native module is missing, which finds symmetries")
        root = make_remainder(matrix, stop)
        if options is not None:
            root = root.with_origins([*map(matrix.origin, range(matrix.items))], options, matrix.primary)
        splits, end, observer = iter(self.splits), object(), observer or PlanObserver()

        def follow(remainder: Remainder, weight: Weight = 1, depth: int = 0) -> Iterator[PlannedPart]:
            """Yield the parts of a remainder that follow from its split and from the splits after it."""
            choice = next(splits, None)
            if choice is None:
                part = PlannedPart(make_matrix(remainder), weight)
                observer.note_part(part)
                yield part
                return
            if depth == _MOST_LEVELS:
                raise ValueError("there are too many splits below each other")
            found = _find_symmetries(remainder, stop, policy)
            split = make_split(choice, remainder, found)
            observer.note_split(remainder, split, found)
            for branch in split.branches(remainder, found):
                stop.poll()
                observer.note_branch(branch)
                if branch.remainder is not None:
                    yield from follow(branch.remainder, weight * branch.weight, depth + 1)

        parts = list(follow(root))
        if next(splits, end) is not end or _hash_parts(parts) != self.digest:  # a split that is left over is lost
            raise ValueError("the parts are not those for which the plan was made")
        return parts


def make_plan(matrix: Matrix, stop: Stop, policy: CountingPolicy = DEFAULT_POLICY) -> Plan | None:
    """Return the plan for a matrix, or None if symmetries save nothing.

    Level by level, all remainders are split for which that pays, until a level would become too large.
    """
    if native is None:
        return None
    root = level = [_Split(make_remainder(matrix, stop), 1)]
    for _ in range(_MOST_LEVELS):
        if sum(node.remainder.entries for node in level) > policy.most_planned_entries:
            break
        level = [child for node in level for child in node.split(stop, policy)]
    if root[0].choice is None:
        return None
    return Plan(tuple(root[0].splits()), _hash_parts(list(root[0].leaves())))


class _Split:
    """A remainder of a plan that is being made."""

    def __init__(self, remainder: Remainder, weight: Weight) -> None:
        self.remainder, self.weight = remainder, weight
        self.choice: Choice | None = None
        self._children: list[_Split] = []

    def split(self, stop: Stop, policy: CountingPolicy) -> list[_Split]:
        """Split the remainder if that pays; return its parts."""
        found = _find_symmetries(self.remainder, stop, policy)
        if splits := find_splits(self.remainder, found, policy=policy):
            split = splits[0]
            self.choice = split.choice
            for branch in split.branches(self.remainder, found):
                stop.poll()
                if branch.remainder is not None:
                    self._children.append(_Split(branch.remainder, self.weight * branch.weight))
        return self._children

    def splits(self) -> Iterator[Choice | None]:
        """Yield the split of this remainder, and those of its parts."""
        yield self.choice
        for child in self._children:
            yield from child.splits()

    def leaves(self) -> Iterator[PlannedPart]:
        """Yield the parts that are not split."""
        if self.choice is None:
            yield PlannedPart(make_matrix(self.remainder), self.weight)
        for child in self._children:
            yield from child.leaves()


def _find_symmetries(remainder: Remainder, stop: Stop, policy: CountingPolicy) -> Symmetries:
    return find_symmetries(remainder, stop, most_work=policy.work_per_entry * (1 + int(remainder.entries)))


def _hash_parts(parts: Sequence[PlannedPart]) -> str:
    """Return a hash of matrices and weights."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        matrix, bounds = part.matrix, sorted(part.matrix.multiplicity.items())
        digest.update(f"{part.weight} {matrix.items} {matrix.primary} {len(matrix)} {bounds} ".encode())
        for numbers in (matrix.starts, matrix.entries, matrix.colors):
            digest.update(numbers.tobytes())
    return digest.hexdigest()
