"""The type of the steps between a model and an engine: ``matrix -> (matrix, lift, reason or None)``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from exactcover.algorithm_x import Label
from exactcover.model.matrix import Matrix

__all__ = [
    "Contradiction",
    "DeadEnd",
    "Lift",
    "Reason",
    "Shortage",
    "Step",
    "StepResult",
    "Weights",
    "find_kept",
    "find_shortage",
    "run_steps",
]

Lift: TypeAlias = Callable[[Sequence[int]], Sequence[int]]
"""Turns a solution of the new matrix into a solution of the old one; both are sequences of option numbers."""


@dataclass(frozen=True)
class Contradiction:
    """Givens that conflict, and the item on which they clash.

    A single option means that this option is both given and excluded.
    """

    options: tuple[int, ...]
    item: int

    def names(self, labels: Sequence[Label]) -> str:
        """Return the labels of the options as text, such as ``'A', 'B' and 'C'``."""
        *others, last = [repr(str(labels[option])) for option in self.options]
        return f"{', '.join(others)} and {last}" if others else last


@dataclass(frozen=True)
class Shortage:
    """A primary item that has fewer options (`holders`) than must cover it."""

    item: int
    holders: int


@dataclass(frozen=True)
class DeadEnd:
    """A proof by reduction: every remaining choice leaves some item with too few options."""


@dataclass(frozen=True)
class Weights:
    """Weights that prove that there is no solution.

    Attributes
    ----------
    weights
        The weight of each item that weighs anything.
    modulus
        The weights of an option add up to a multiple of it; 0 if they add up to 0.
    total
        What the weights of all that has to be covered add up to.
    """

    weights: Mapping[int, int]
    modulus: int
    total: int


Reason: TypeAlias = Contradiction | Shortage | Weights | DeadEnd
"""Why there is no solution, with items and options as numbers."""


@dataclass(frozen=True)
class StepResult:
    """The result of a step.

    Attributes
    ----------
    matrix
        The new matrix. If there is a reason, it is not searched.
    lift
        Turns solutions of the new matrix into solutions of the old one.
    reason
        Why there is no solution, or None if the step has not proved that.
    paid
        By how much each solution of the old matrix costs more than that of the new one from which it is lifted.
    """

    matrix: Matrix
    lift: Lift
    reason: Reason | None = None
    paid: int = field(default=0, kw_only=True)


Step: TypeAlias = Callable[[Matrix], StepResult]


def unchanged(solution: Sequence[int]) -> Sequence[int]:
    """Return the solution itself: the lift of steps that do not renumber options."""
    return solution


def find_shortage(matrix: Matrix) -> StepResult:
    """Find the first primary item with too few options, as the reason; the matrix stays the same."""
    underfilled = matrix.first_underfilled()
    return StepResult(matrix, unchanged, None if underfilled is None else Shortage(*underfilled))


def find_kept(lift: Lift, size: int) -> list[int]:
    """Return the old number of each of the options that a step has kept, given its lift and how many there are."""
    return [lift([k])[-1] for k in range(size)]


def run_steps(matrix: Matrix, steps: Iterable[Step]) -> StepResult:
    """Run steps one after another, up to the first that returns a reason; together they are one step.

    If a step renumbers options, the lift returns them in ascending order.
    """
    lifts: list[Lift] = []
    reason: Reason | None = None
    paid = 0
    for step in steps:
        result = step(matrix)
        matrix, reason = result.matrix, result.reason
        lifts.append(result.lift)
        paid += result.paid
        if reason is not None:
            break
    return StepResult(matrix, compose(lifts), reason, paid=paid)


def compose(lifts: Iterable[Lift]) -> Lift:
    """Return one lift that applies these lifts, the last one first, and sorts the options.

    It is `unchanged` itself if all of them are, or if there are none.
    """
    changing = [lift for lift in lifts if lift is not unchanged]
    if not changing:
        return unchanged

    def lift_through_all(solution: Sequence[int]) -> Sequence[int]:
        for lift in reversed(changing):
            solution = lift(solution)
        return sorted(solution)

    return lift_through_all
