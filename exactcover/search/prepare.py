"""A query, and its preparation: all steps from a model to the matrix that an engine searches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from exactcover.control.arguments import check_instance
from exactcover.control.options import ALL, Goal, Heuristic, HeuristicFunction, SearchOptions, describe_heuristic
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.control.recorder import NOBODY, Observers
from exactcover.control.rules import check_features
from exactcover.control.stop import Stop
from exactcover.engines.base import Demands, find_demands
from exactcover.model.matrix import Matrix
from exactcover.model.model import Model
from exactcover.steps.step import (
    Lift,
    Reason,
    Step,
    StepResult,
    compose,
    drop_costs,
    find_shortage,
    run_steps,
    shuffle,
    sort_by_cost,
    unchanged,
)
from exactcover.version import __version__

if TYPE_CHECKING:
    from exactcover.symmetry.classes import SymmetryClasses

__all__ = ["Prepared", "Query", "describe_bounds", "describe_search", "prepare", "prepare_matrix"]


@dataclass(frozen=True)
class Query:
    """A query for solutions of a model.

    Attributes
    ----------
    goal, options
        The goal, and how to search.
    given, without
        The positions of options that every solution must contain, and must not contain.
    differing
        For the cheapest solutions: positions of options; no two solutions contain the same of them. Empty for all.
    observers
        Observers of the search.
    policy
        The numbers by which a count decides how to go on.
    project
        The positions of options; solutions that choose the same of these count as one. None if all options matter.

    Raises
    ------
    ValueError
        If what is asked for cannot be combined; see :mod:`exactcover.control.rules`.
    TypeError
        If `goal` or `options` have another type.
    """

    goal: Goal = ALL
    options: SearchOptions = field(default_factory=SearchOptions)
    given: tuple[int, ...] = ()
    without: tuple[int, ...] = ()
    differing: tuple[int, ...] | None = None
    observers: Observers = NOBODY
    policy: CountingPolicy = DEFAULT_POLICY
    project: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        check_instance("goal", self.goal, Goal, "a Goal")
        check_instance("options", self.options, SearchOptions, "SearchOptions or None")
        goal = self.goal
        kind = "most" if goal.maximize else "limit" if goal.kind == "first" else goal.kind
        asked = {kind: goal.number or True, "gap": goal.gap, "within": goal.within}
        asked |= {"differing": self.differing is not None, "project": self.project is not None}
        watched = {"search_log": self.observers.log, "profile": self.observers.profile}
        check_features(vars(self.options) | asked | watched)

    @property
    def demands(self) -> Demands:
        """The features that the engine must support."""
        demands = dict(find_demands(self.options, self.observers))
        if self.goal.within is not None:
            demands["within"] = str(self.goal.within)
        return demands

    @property
    def reduces(self) -> bool | None:
        """True if the problem is reduced before the search; None if a count may decide to do so later."""
        if self.goal.kind == "diagram":
            return False
        if self.observers.log is not None:  # which shows one tree
            return bool(self.options.reduce)
        if self.options.reduce is None and self.project is not None:
            return False
        if self.options.reduce is None and self.goal.kind == "cheapest":
            return True
        return self.options.reduce


@dataclass(frozen=True)
class Prepared:
    """The result of a preparation.

    Attributes
    ----------
    matrix
        The matrix that an engine searches.
    lift
        Turns a solution of the matrix into a solution of the model, as ascending positions.
    reason
        Why there is no solution, in words, or None if only a search can tell.
    classes
        The classes of solutions, if one solution of each class is wanted; else None.
    removed
        The number of options that a reduction has removed.
    paid
        The units that each solution of the model costs above that of the matrix from which it is lifted.
    """

    matrix: Matrix
    lift: Lift
    reason: str | None = None
    classes: SymmetryClasses | None = None
    removed: int = 0
    paid: int = 0

    @property
    def lifts_nothing(self) -> bool:
        """True if solutions of the matrix are also solutions of the model, without any change."""
        return self.lift is unchanged

    def find_positions(self) -> list[int]:
        """Return the position in the model of each option of the matrix."""
        given = set(self.lift(()))
        return [next(iter({*self.lift((k,))}.difference(given))) for k in range(len(self.matrix))]

    def find_options(self, positions: Iterable[int]) -> list[int]:
        """Return the options of the matrix that have these positions in the model; those without one are left out."""
        options = {position: option for option, position in enumerate(self.find_positions())}
        return sorted(options[position] for position in positions if position in options)

    def reduce(self, model: Model, query: Query, stop: Stop) -> Prepared:
        """Return the preparation with the matrix reduced."""
        from exactcover.steps.reduction import reduce  # seldom needed

        reduction = reduce(self.matrix, stop)
        reason = _describe(reduction.reason, model, query)
        removed = len(self.matrix) - len(reduction.matrix)
        lift, paid = compose([self.lift, reduction.lift]), self.paid + reduction.paid
        return Prepared(reduction.matrix, lift, reason, self.classes, removed, paid)


def prepare(model: Model, query: Query, stop: Stop) -> Prepared:
    """Run all steps that a query needs, up to the first that proves that there is no solution.

    Raises
    ------
    ProblemError
        If an option covers an item several times, and symmetries or a log are asked for; or if one solution of each
        class is wanted, and the symmetries of the model are not valid; see
        :func:`~exactcover.symmetry.find_classes.find_classes`.
    Stopped
        If `stop` asks for it.
    """
    stop.poll()
    if query.options.symmetry:
        model.refuse_weights("a search by symmetry")
    if query.observers.log is not None:
        model.refuse_weights("a search log")
    classes = None
    if query.options.distinct:
        from exactcover.symmetry.find_classes import find_classes  # seldom needed

        classes = find_classes(model, query.options.distinct, query.given, query.without, stop)
    result = prepare_matrix(model.matrix, query, classes)
    reason = _describe(result.reason, model, query) if model.impossible is None else model.impossible
    prepared = Prepared(result.matrix, result.lift, reason, classes, paid=result.paid)
    reduces = model.reduces if query.reduces is None else query.reduces
    return prepared.reduce(model, query, stop) if reduces and reason is None else prepared


def _describe(reason: Reason | None, model: Model, query: Query) -> str | None:
    """Return why there is no solution, in words; None if no reason is known."""
    if reason is None:
        return None
    from exactcover.search.reasons import describe_reason  # seldom needed

    return describe_reason(model, reason, query.given)


def prepare_matrix(matrix: Matrix, query: Query, classes: SymmetryClasses | None = None) -> StepResult:
    """Run the steps that a query needs on the matrix of a model, except for a reduction."""
    return run_steps(matrix, _choose_steps(query, classes))


def _choose_steps(query: Query, classes: SymmetryClasses | None) -> Iterator[Step]:
    """Yield the steps in order. Symmetries and givens come first, because they refer to positions in the model."""
    cheapest = query.goal.kind == "cheapest"
    without = query.without
    if not cheapest:
        yield drop_costs
    if classes is not None:
        without = (*without, *classes.left_out)
        yield classes.break_symmetry
    if query.given or without:
        from exactcover.steps.restriction import restrict  # seldom needed

        yield partial(restrict, given=query.given, without=without)
    yield find_shortage
    if cheapest:
        yield sort_by_cost
    if query.options.seed is not None and not query.options.restarts:
        yield partial(shuffle, seed=query.options.seed)


def describe_search(
    model: Model, prepared: Prepared | None, engine: str, heuristic: Heuristic | HeuristicFunction
) -> dict[str, Any]:
    """Return the header of the log of a search; docs/search_log.md explains it."""
    matrix = model.matrix if prepared is None else prepared.matrix
    items = [*model.primary, *model.secondary]
    origins = [matrix.origin(item) for item in range(matrix.items)]
    return {
        "version": __version__,
        "engine": engine,
        "heuristic": heuristic if isinstance(heuristic, str) else describe_heuristic(heuristic),
        "reason": None if prepared is None else prepared.reason,
        "items": ["" if origin < 0 else str(items[origin]) for origin in origins],
        "origins": origins,
        "primary": matrix.primary,
        "priced": bool(matrix.costs),
        "given": [] if prepared is None else list(prepared.lift(())),
        "options": list(range(len(matrix))) if prepared is None else prepared.find_positions(),
        "labels": [str(label) for label in model.labels],
        "starts": list(matrix.starts),
        "entries": list(matrix.entries),
        "colors": list(matrix.colors) if any(matrix.colors) else [],
        "multiplicity": describe_bounds(matrix),
    }


def describe_bounds(matrix: Matrix) -> list[list[int]]:
    """Return the item, the least and the greatest bound for each item that need not be covered exactly once."""
    return [[item, *matrix.capped(item)] for item in matrix.multiplicity]
