"""A query, and its preparation: all steps from a model to the matrix that an engine searches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from exactcover.control.arguments import check_instance
from exactcover.control.options import ALL, Goal, SearchOptions, check_features, describe_heuristic
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.control.recorder import NOBODY, Observers
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
        If what is asked for cannot be combined; see :mod:`exactcover.control.options`.
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


@dataclass
class Prepared:
    """The result of a preparation, to which a search may add a reduction, and the reason why there is no solution.

    Attributes
    ----------
    model, given
        The model, and the positions of options that every solution must contain.
    matrix
        The matrix that an engine searches.
    lift
        Turns a solution of the matrix into a solution of the model, as ascending positions.
    reason
        Why there is no solution, in words, or None if only a search can tell.
    classes
        The classes of solutions, if one solution of each class is wanted; else None.
    paid
        The units that each solution costs above that of the matrix from which it is lifted.
    removed
        The number of options that a reduction has removed.
    tried
        The work that was allowed to find a reason after the preparation.
    """

    model: Model
    given: Sequence[int]
    matrix: Matrix
    lift: Lift = unchanged
    reason: str | None = None
    classes: SymmetryClasses | None = None
    paid: int = 0
    removed: int = 0
    tried: int = 0

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

    def explain(self, reason: Reason | None) -> None:
        """Note why there is no solution; nothing if that is None."""
        if reason is not None:
            from exactcover.search.reasons import describe_reason  # most problems have solutions

            self.reason = describe_reason(self.model, reason, self.given)

    def reduce(self, stop: Stop, *, only_much: bool = False) -> StepResult:
        """Reduce the matrix, if wanted only if it becomes much smaller; return the result of that step."""
        from exactcover.steps.reduction import is_much_smaller, reduce  # seldom needed

        result = reduce(self.matrix, stop)
        if result.reason is not None or not only_much or is_much_smaller(result.matrix, self.matrix):
            self.removed = len(self.matrix) - len(result.matrix)
            self.matrix, self.lift = result.matrix, compose([self.lift, result.lift])
            self.paid += result.paid
            self.explain(result.reason)
        return result

    def look_for_reason(self, most_work: int, stop: Stop, *, is_over: bool = False) -> bool:
        """Look for weights, and once for demands that exceed limits, as the reason why there is no solution.

        Nothing is done if no more work is allowed than an earlier look was, or too little to look at the whole matrix.

        Parameters
        ----------
        most_work
            The work that may be done for weights.
        stop
            Polled often.
        is_over
            Whether the search is over, so that `stop` does not end a look for weights, which is short.

        Returns
        -------
        bool
            Whether a reason is known.
        """
        if self.reason is None and most_work > max(self.tried, len(self.matrix.entries)):
            from exactcover.search.reasons import try_to_find_imbalance  # most problems have solutions
            from exactcover.steps.weights import find_weights

            is_first, self.tried = not self.tried, most_work
            self.explain(find_weights(self.matrix, most_work, None if is_over else stop))
            if self.reason is None and is_first:
                self.explain(try_to_find_imbalance(self.matrix, stop))
        return self.reason is not None


def prepare(model: Model, query: Query, stop: Stop, paid: int = 0) -> Prepared:
    """Run all steps that a query needs, up to the first that proves that there is no solution.

    `paid` is what solutions cost above what they cost in the model.

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
    prepared = Prepared(model, query.given, result.matrix, result.lift, model.impossible, classes, paid + result.paid)
    if model.impossible is None:
        prepared.explain(result.reason)
    if prepared.reason is None and (model.reduces if query.reduces is None else query.reduces):
        prepared.reduce(stop)
    return prepared


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
        from exactcover.steps.step import restrict  # seldom needed

        yield partial(restrict, given=query.given, without=without)
    yield find_shortage
    if cheapest:
        yield sort_by_cost
    if query.options.seed is not None and not query.options.restarts:
        yield partial(shuffle, seed=query.options.seed)


def describe_search(
    model: Model, prepared: Prepared | None, options: SearchOptions, engine: str = ""
) -> dict[str, Any]:
    """Return the header of the log of a search, by the engine that was picked; docs/search_log.md explains it."""
    matrix, heuristic = model.matrix if prepared is None else prepared.matrix, options.heuristic
    items = [*model.primary, *model.secondary]
    origins = [matrix.origin(item) for item in range(matrix.items)]
    return {
        "version": __version__,
        "engine": engine or options.engine,
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
