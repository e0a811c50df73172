"""What a step is on the way from a model to an engine: ``matrix -> (matrix, lift, reason or None)``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from exactcover.algorithm_x import Label
from exactcover.model.matrix import Matrix

__all__ = ["Contradiction", "DeadEnd", "Lift", "Reason", "Shortage", "Step", "StepResult", "find_shortage", "run_steps"]

Lift: TypeAlias = Callable[[Sequence[int]], Sequence[int]]
"""Takes a solution of the new matrix, as option numbers, back to the solution of the old one."""


@dataclass(frozen=True)
class Contradiction:
    """Givens that exclude each other, and the item on which they clash; one option alone is both given and excluded."""

    options: tuple[int, ...]
    item: int

    def names(self, labels: Sequence[Label]) -> str:
        """Return the options by their labels: 'A', 'B' and 'C'."""
        *others, last = [repr(str(labels[option])) for option in self.options]
        return f"{', '.join(others)} and {last}" if others else last


@dataclass(frozen=True)
class Shortage:
    """A primary item that fewer options hold than must cover it."""

    item: int
    holders: int


@dataclass(frozen=True)
class DeadEnd:
    """Every choice that is left leaves some item without options."""


Reason: TypeAlias = Contradiction | Shortage | DeadEnd
"""Why there is no solution, by numbers."""


@dataclass(frozen=True)
class StepResult:
    """What a step returns.

    Attributes
    ----------
    matrix
        The new matrix. Where there is a reason, nothing is searched in it.
    lift
        Takes its solutions back.
    reason
        Why there is no solution, or None where the step does not show that.
    """

    matrix: Matrix
    lift: Lift
    reason: Reason | None = None


Step: TypeAlias = Callable[[Matrix], StepResult]


def unchanged(solution: Sequence[int]) -> Sequence[int]:
    """Return the same solution: the lift of steps that leave the options as they are."""
    return solution


def find_shortage(matrix: Matrix) -> StepResult:
    """Leave the matrix as it is; the reason is its first primary item with too few options, if there is one."""
    short = matrix.first_underfilled()
    return StepResult(matrix, unchanged, None if short is None else Shortage(*short))


def run_steps(matrix: Matrix, steps: Iterable[Step]) -> StepResult:
    """Run steps one after another, as one step; the first reason ends them.

    The lift returns options in ascending order.
    """
    lifts: list[Lift] = []
    reason: Reason | None = None
    for step in steps:
        result = step(matrix)
        matrix, reason = result.matrix, result.reason
        lifts.append(result.lift)
        if reason is not None:
            break
    return StepResult(matrix, compose(lifts), reason)


def compose(lifts: Iterable[Lift]) -> Lift:
    """Return the lift that takes a solution back through all of these, the last first; `unchanged` of none."""
    changing = [lift for lift in lifts if lift is not unchanged]
    if not changing:
        return unchanged

    def lift(solution: Sequence[int]) -> Sequence[int]:
        for one in reversed(changing):
            solution = one(solution)
        return sorted(solution)

    return lift
