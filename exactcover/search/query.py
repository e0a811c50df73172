"""From a query to a run.

The preparation takes all steps from a model to the matrix that an engine searches; the launch picks the engine, and
starts what is built on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeGuard

from exactcover.control.arguments import check_instance
from exactcover.control.memory import half_of_free_memory
from exactcover.control.options import ALL, Goal, Heuristic, HeuristicFunction, SearchOptions, check_features
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.control.recorder import NOBODY, Observers, TreeRecorder
from exactcover.control.stop import InnerStop, Stop
from exactcover.counting.count import Count, CountRun, CountSetup
from exactcover.counting.direct import DirectCount
from exactcover.counting.scheduler import Scheduler
from exactcover.engines.base import ENGINES, Demands, Engine, MatrixQuery, find_demands, pick_engine
from exactcover.engines.cursor import EngineRun, ListedRun
from exactcover.model.matrix import Matrix, native
from exactcover.model.model import Model
from exactcover.steps.step import (
    Lift,
    Reason,
    Step,
    StepResult,
    Weights,
    compose,
    drop_costs,
    find_shortage,
    restrict,
    run_steps,
    shuffle,
    sort_by_cost,
    unchanged,
)
from exactcover.version import __version__

if TYPE_CHECKING:
    from exactcover.engines.diagram import DiagramEngineRun
    from exactcover.symmetry.classes import SymmetryClasses


@dataclass(frozen=True)
class Query:
    """A query for solutions of a model.

    Raise ``ValueError`` if what is asked for cannot be combined; see :mod:`exactcover.control.options`.
    """

    goal: Goal = ALL
    options: SearchOptions = field(default_factory=SearchOptions)
    given: tuple[int, ...] = ()  # the positions of options that every solution must contain
    without: tuple[int, ...] = ()  # and must not contain
    differing: tuple[int, ...] | None = None  # no two of the cheapest contain the same of these; empty for all
    observers: Observers = NOBODY
    policy: CountingPolicy = DEFAULT_POLICY  # how a count goes on
    project: tuple[int, ...] | None = None  # solutions that choose the same of these are one; None for all

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
        reduces = self.options.reduce
        if reduces is None and (self.observers.log is not None or self.project is not None):  # a log shows one tree
            return False
        return False if self.goal.kind == "diagram" else reduces


@dataclass
class Prepared:
    """The result of a preparation, to which a search may add a reduction, and the reason why there is no solution."""

    model: Model
    given: Sequence[int]  # the positions of options that every solution must contain
    matrix: Matrix  # that an engine searches
    lift: Lift = unchanged  # turns a solution of it into one of the model, as ascending positions
    reason: str | None = None  # why there is no solution; None if only a search can tell
    classes: SymmetryClasses | None = None  # if one solution of each class is wanted
    paid: int = 0  # what each solution costs, in units, above that of the matrix
    removed: int = 0  # options, by a reduction
    tried: int = 0  # the work that was allowed to find a reason after the preparation

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
        """Look for weights, and once for demands that exceed limits; return whether a reason for no solution is known.

        Nothing is done if no more work is allowed than an earlier look was, or too little to look at the whole matrix.
        When the search is over, the stop does not end a look for weights, which is short.
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

    `paid` is what solutions cost above what they cost in the model. Raise ``ProblemError`` if an option covers an item
    several times, and symmetries or a log are asked for; or if one solution of each class is wanted, and the symmetries
    of the model are not valid; see :func:`~exactcover.symmetry.find_classes.find_classes`.
    """
    stop.poll()
    if query.options.symmetry:
        model.refuse_rules("a search by symmetry")
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
    reduces = query.reduces
    if reduces is None:  # of programs that HiGHS solves, it removes little that HiGHS does not remove by itself
        reduces = model.reduces or (query.goal.kind == "cheapest" and not result.matrix.multiplicity)
    if reduces and prepared.reason is None:
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
        yield partial(restrict, given=query.given, without=without)
    yield find_shortage
    if cheapest:
        yield partial(_sort, query=query)
    if query.options.seed is not None and not query.options.restarts:
        yield partial(shuffle, seed=query.options.seed)


def _sort(matrix: Matrix, query: Query) -> StepResult:
    """Sort the options by cost, except where HiGHS begins at once, which needs no order: a step."""
    is_free = (query.options.engine, query.options.reduce, query.differing) == ("auto", None, None)
    if is_free and not query.demands and "highs" in ENGINES and min(matrix.costs, default=0) >= 0:
        from exactcover.engines.programs import LARGE, suits_highs  # seldom needed

        if len(matrix.entries) >= LARGE and suits_highs(matrix, query.goal.cheapest or 1):
            return StepResult(matrix, unchanged)
    return sort_by_cost(matrix)


def _name_heuristic(heuristic: Heuristic | HeuristicFunction) -> str:
    return str(getattr(heuristic, "__qualname__", heuristic))


def describe_search(
    model: Model, prepared: Prepared | None, options: SearchOptions, engine: str = ""
) -> dict[str, Any]:
    """Return the header of the log of a search, by the engine that was picked; docs/search_log.md explains it."""
    matrix = model.matrix if prepared is None else prepared.matrix
    items = [*model.primary, *model.secondary]
    origins = [matrix.origin(item) for item in range(matrix.items)]
    return {
        "version": __version__,
        "engine": engine or options.engine,
        "heuristic": _name_heuristic(options.heuristic),
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


def translate_heuristic(function: HeuristicFunction, prepared: Prepared) -> HeuristicFunction:
    """Return a function for an engine, which knows items and options by their numbers in the matrix.

    It raises a ``ValueError`` if `function` returns something else than an item that is left.
    """
    matrix, positions = prepared.matrix, prepared.find_positions()
    names = [prepared.model.primary[matrix.origin(item)] for item in range(matrix.primary)]
    numbers = {name: item for item, name in enumerate(names)}

    def choose(left: Mapping[int, Sequence[int]]) -> int:
        shown = {names[item]: tuple(positions[option] for option in options) for item, options in left.items()}
        chosen = function(shown)
        try:
            number = numbers.get(chosen)
        except TypeError:  # it cannot be hashed
            number = None
        if number is None or number not in left:
            raise ValueError(
                f"the heuristic {_name_heuristic(function)} returned {chosen!r}, which is not an item that is left"
            )
        return number

    return choose


class Launch:
    """Starts the run of a prepared query, and says which engine was picked, and why."""

    def __init__(self, prepared: Prepared, query: Query, stop: Stop) -> None:
        self.prepared, self.query, self.stop = prepared, query, stop
        self.engine, self.why, self.has_log = query.options.engine, "", False

    def start(self) -> EngineRun:
        """Pick an engine and start a run over solutions."""
        prepared, goal = self.prepared, self.query.goal
        if prepared.reason is not None:
            self.engine, self.why = "none", "no search was needed"
            return ListedRun()
        demands, observers = self.query.demands, self.query.observers
        counts = prepared.classes is None or prepared.classes.all_distinct
        counting = not goal.lists and counts and self.query.project is None
        optimizing = goal.kind == "cheapest" or (goal.limit == 1 and prepared.matrix.weighted)
        engine, self.why = pick_engine(
            self.query.options.engine, prepared.matrix, demands, counting=counting, optimizing=optimizing
        )
        self.engine = engine.name
        if observers.profile is not None:
            observers.profile.clear()
        if observers.log is not None:
            self.begin_log(observers.log)
        return self._start_run(engine)

    def begin_log(self, log: TreeRecorder) -> None:
        """Write the header of a log."""
        self.has_log = True
        log.begin(describe_search(self.prepared.model, self.prepared, self.query.options, self.engine))

    def _start_run(self, engine: Engine) -> EngineRun:
        """Start a run, in the way that suits what is asked for."""
        from exactcover.search.finding import FEW, RestartsRun, start_finding  # what only counts needs none of these
        from exactcover.search.serial_runs import OrbitListRun, ProjectionRun, find_images
        from exactcover.symmetry.classes import DistinctRun

        prepared, goal, stop, options = self.prepared, self.query.goal, self.stop, self.query.options
        matrix, classes = prepared.matrix, prepared.classes
        if callable(options.heuristic):
            options = replace(options, heuristic=translate_heuristic(options.heuristic, prepared))
        if self.query.project is not None:
            return ProjectionRun(engine, matrix, prepared.find_options(self.query.project), stop)
        if options.restarts:
            return RestartsRun(engine, matrix, stop, options, self.query.observers)
        if options.symmetry and goal.lists and classes is None:
            images = find_images(matrix, stop)
            if images is not None:
                self.why += "; symmetries make further solutions of those that are found"
                return OrbitListRun(matrix, images, lambda part: engine.start(MatrixQuery(part, stop, options, goal)))
        is_free = options.engine == "auto" and self.query.demands.keys() <= {"nodes", "jobs"}
        are_few = goal.limit is not None and goal.limit <= (FEW if options.jobs == 1 else 1)
        if are_few and is_free and classes is None and not matrix.weighted and not matrix.rules:
            return start_finding(engine, matrix, stop, self.query.options, self.query.policy, goal)
        if goal.kind == "cheapest":
            return self._start_cheapest(engine, options)
        run = engine.start(MatrixQuery(matrix, stop, options, goal, self.query.observers))
        if builds_diagrams(run):
            run.count_first = partial(self._count_directly, run)
        return run if classes is None else DistinctRun(run, prepared.lift, classes)

    def _start_cheapest(self, engine: Engine, options: SearchOptions) -> EngineRun:
        """Start a search for the cheapest solutions."""
        from exactcover.search.serial_runs import DifferentRun, GapStop, WithinRun  # seldom needed

        prepared, stop, goal, matrix = self.prepared, self.stop, self.query.goal, self.prepared.matrix
        paid, units, wanted, within = prepared.paid, prepared.model.cost_units, goal.cheapest or 1, goal.within
        if self.query.differing is not None:

            def start(part: Matrix) -> EngineRun:
                able = engine if engine.find_obstacle(part) is None else pick_engine("auto", part, optimizing=True)[0]
                return able.start(MatrixQuery(part, stop, options, Goal("cheapest", 1)))

            return DifferentRun(matrix, prepared.find_options(self.query.differing), wanted, start)
        if within is not None:
            query = MatrixQuery(matrix, stop, options, Goal("cheapest", wanted))
            return WithinRun(
                engine.start(query._replace(goal=Goal("cheapest", 1))),
                matrix,
                lambda cost: within.find_units(paid + cost, units),
                lambda ceiling: engine.start(query._replace(ceiling=ceiling)),
            )
        if goal.gap is None:
            return engine.start(MatrixQuery(matrix, stop, options, goal, self.query.observers))
        stop = GapStop(stop, goal.gap, paid, units)
        stop.run = engine.start(MatrixQuery(matrix, stop, options, goal, self.query.observers))
        return stop.run

    # -- counts --------------------------------------------------------------------------------

    def start_count(self) -> EngineRun:
        """Return a run that counts, in whatever way is expected to take the least time."""
        prepared, query = self.prepared, self.query
        is_one_tree = query.observers or query.options.nodes is not None or callable(query.options.heuristic)
        engine = ENGINES.get(query.options.engine)
        is_one_tree = is_one_tree or (engine is not None and not engine.has_cursor)
        if prepared.reason is not None or query.project is not None or is_one_tree or prepared.matrix.weighted:
            return self.start()  # which visits solutions in the usual order
        if prepared.classes is not None:
            return self._start_class_count(prepared.classes)
        return CountRun(self._make_count(prepared.matrix, symmetry=self._uses_symmetry), self._scheduler)

    def _start_class_count(self, classes: SymmetryClasses) -> EngineRun:
        """Return a run that counts classes: by quotients if there are many solutions, else one by one."""
        from exactcover.counting.class_count import ClassRun  # seldom needed
        from exactcover.symmetry.listed_classes import ListedClasses
        from exactcover.symmetry.quotients import renumber

        if not isinstance(classes, ListedClasses) or not self._uses_symmetry:
            return self._start_class_list(classes)
        restriction = restrict(drop_costs(self.prepared.model.matrix).matrix, self.query.given, self.query.without)
        group = renumber(classes.group, restriction.lift, len(restriction.matrix))
        return ClassRun(
            restriction.matrix,
            group,
            classes,
            partial(self._make_count, symmetry=True),
            partial(self._start_class_list, classes),
            self.query.policy.most_listed,
            self._scheduler,
            self._count_stop,
        )

    def _start_class_list(self, classes: SymmetryClasses) -> EngineRun:
        """Return a run that counts classes one by one, or the solutions if each is the only one of its class."""
        from exactcover.symmetry.classes import DistinctRun  # seldom needed

        if not classes.all_distinct:
            return self.start()
        run = CountRun(self._make_count(self.prepared.matrix, symmetry=False), self._scheduler)
        return DistinctRun(run, self.prepared.lift, classes)

    @cached_property
    def _count_stop(self) -> InnerStop:
        """The stop of a count, whose threads it ends."""
        return InnerStop(self.stop)

    @property
    def _scheduler(self) -> Scheduler:
        return Scheduler(self._count_stop, self.query.options.jobs, self.query.policy)

    @property
    def _uses_symmetry(self) -> bool:
        """True if a count may use symmetries: by default if nobody asked for a certain way to count."""
        asked = self.query.options.symmetry
        if self.prepared.matrix.rules:
            return False
        return native is not None and (self._asks_for_no_way if asked is None else asked)

    @property
    def _asks_for_no_way(self) -> bool:
        """True if the options ask for no certain way to count."""
        options = self.query.options
        return (options.engine, options.heuristic, options.strategy, options.reduce) == ("auto", "mrv", "auto", None)

    def _make_count(self, matrix: Matrix, *, symmetry: bool, reduces: bool = True) -> Count:
        """Return the count of the solutions of a matrix."""
        stop, options, policy = self._count_stop, self.query.options, self.query.policy
        engine, self.why = pick_engine(options.engine, matrix, self.query.demands, counting=True)
        self.engine = engine.name

        def start(part: Matrix) -> DirectCount:
            return DirectCount(engine.leaves(part, stop, options, policy), lambda: self._memory, options.jobs, policy)

        may_change = reduces and self.query.reduces is None
        setup = CountSetup(
            start,
            stop,
            reduce=self._reduce if may_change else None,
            weigh=self._weigh if may_change else None,
            components=self._asks_for_no_way and not matrix.rules,
            symmetry=symmetry,
            eager=options.symmetry is True,
            policy=policy,
        )
        return Count(matrix, setup)

    def _count_directly(self, run: DiagramEngineRun) -> None:
        """Count the solutions for a run that builds their diagram, as the fastest way shows how to build it."""
        count = self._make_count(self.prepared.matrix, symmetry=False, reduces=False)
        try:
            self._scheduler.run(count)
        finally:
            run.note_count(count.solutions, str(count.details.get("strategy", "")))

    @cached_property
    def _memory(self) -> int:
        """About how many bytes a count may hold; most short counts never need to know."""
        return self.query.options.memory or self.stop.memory or half_of_free_memory()

    def _weigh(self, matrix: Matrix) -> Weights | None:
        """Return weights that show that a matrix has no solution; those of the prepared one become the reason."""
        from exactcover.steps.weights import find_weights  # most problems have solutions

        found = find_weights(matrix, self.query.policy.weight_work, self._count_stop)
        if matrix is self.prepared.matrix:
            self.prepared.explain(found)
        return found

    def _reduce(self, matrix: Matrix) -> StepResult:
        """Reduce a matrix; what is found of the prepared one is noted there."""
        if matrix is self.prepared.matrix:
            return self.prepared.reduce(self._count_stop, only_much=True)
        from exactcover.steps.reduction import reduce  # seldom needed

        return reduce(matrix, self._count_stop)


def find_first(run: EngineRun, query: Query, prepared: Prepared, stop: Stop) -> tuple[int, ...]:
    """Return the first solution of a run; raise ``StopIteration`` if there is none.

    If it takes long, weights are tried as a reason why there is none.
    """
    policy = query.policy
    if query.demands.keys() <= {"jobs", "nodes"}:  # any other wish is for this run alone
        done, most = policy.weights_begin, policy.weight_work * policy.second_look
        while (allowed := int(done * policy.weights_per_work)) < policy.weight_gap * most:
            while run.work < done:
                solution = run.search_on()
                if solution is not None:
                    return solution
            if prepared.look_for_reason(min(allowed, most), stop):
                raise StopIteration
            done *= policy.weight_gap
    return next(run)


def builds_diagrams(run: EngineRun) -> TypeGuard[DiagramEngineRun]:
    """Return whether a run can build the diagram of all solutions."""
    return hasattr(run, "build_diagram")
