"""The straight way from a model to the matrix that an engine searches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from exactcover.control.stop import Stop
from exactcover.model.matrix import Matrix
from exactcover.model.model import Model
from exactcover.search.query import Query
from exactcover.search.reasons import describe_reason
from exactcover.steps.order import drop_costs, shuffle, sort_by_cost
from exactcover.steps.reduction import Reduction, reduce
from exactcover.steps.restriction import restrict
from exactcover.steps.step import Lift, Step, compose, find_shortage, run_steps, unchanged
from exactcover.symmetry.classes import SymmetryClasses, find_classes

__all__ = ["Prepared", "prepare"]


@dataclass(frozen=True)
class Prepared:
    """What an engine searches, and how its solutions become those of the model.

    Attributes
    ----------
    matrix, lift
        The matrix, and what takes a solution of it back to one of the model, as ascending positions.
    reason
        Why there is no solution, in words, or None where only a search can tell.
    classes
        The classes of which one solution each is wanted, or None.
    removed
        How many options a reduction has removed.
    """

    matrix: Matrix
    lift: Lift
    reason: str | None = None
    classes: SymmetryClasses | None = None
    removed: int = 0

    @property
    def lifts_nothing(self) -> bool:
        """Whether solutions of the matrix are solutions of the model as they are."""
        return self.lift is unchanged

    def reduce(self, model: Model, query: Query, stop: Stop) -> Prepared:
        """Return the same with a reduced matrix."""
        reduction = reduce(self.matrix, stop)
        reason = None if reduction.reason is None else describe_reason(model, reduction.reason, query.given)
        removed = len(self.matrix) - len(reduction.matrix)
        return Prepared(
            reduction.matrix,
            compose([self.lift, reduction.lift]),
            reason,
            self.classes,
            removed,
        )


def prepare(model: Model, query: Query, stop: Stop) -> Prepared:
    """Run all steps that a query needs; the first reason why there is no solution ends them.

    Raises
    ------
    ProblemError
        If one solution of each class is asked for, and the symmetries of the model are not as they should be.
    Stopped
        If `stop` says so.
    """
    stop.poll()
    classes = None
    if query.options.distinct:
        classes = find_classes(model, query.options.distinct, query.given, query.without, stop)
    removed = 0

    def reduce_and_note(matrix: Matrix) -> Reduction:
        nonlocal removed
        reduction = reduce(matrix, stop)
        removed = len(matrix) - len(reduction.matrix)
        return reduction

    result = run_steps(model.matrix, _steps(query, classes, reduce_and_note))
    reason = model.impossible
    if reason is None and result.reason is not None:
        reason = describe_reason(model, result.reason, query.given)
    return Prepared(result.matrix, result.lift, reason, classes, removed)


def _steps(query: Query, classes: SymmetryClasses | None, reduction: Step) -> Iterator[Step]:
    """Yield the steps in order; givens and symmetries come first, while options still have their positions."""
    cheapest = query.goal.kind == "cheapest"
    without = query.without
    if not cheapest:
        yield drop_costs
    if classes is not None:
        without = (*without, *classes.left_out)
        yield classes.break_symmetry
    if query.given or without:
        yield partial(restrict, given=query.given, without=without)
    yield find_shortage
    if query.reduces:
        yield reduction
    if cheapest:
        yield sort_by_cost
    if query.options.seed is not None and not query.options.restarts:
        yield partial(shuffle, seed=query.options.seed)
