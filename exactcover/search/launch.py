"""From a query to a run: preparation, the choice of an engine, and counts that may restart on a reduced problem."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from exactcover.control.memory import half_of_free_memory
from exactcover.control.options import Goal, HeuristicFunction, SearchOptions, describe_heuristic
from exactcover.control.recorder import TreeRecorder
from exactcover.control.statistics import Status
from exactcover.control.stop import InnerStop, Stop, Stopped
from exactcover.counting.count import ClassCount, Count, CountRun, CountSetup
from exactcover.counting.direct import DirectCount
from exactcover.counting.scheduler import Scheduler
from exactcover.engines.base import Engine
from exactcover.engines.registry import pick_engine
from exactcover.engines.runs import DiagramRun, EngineRun
from exactcover.model.matrix import Matrix
from exactcover.model.model import Model
from exactcover.search.finding import RestartsRun, start_finding
from exactcover.search.prepare import Prepared, Query, describe_search, prepare
from exactcover.search.serial_runs import DifferentRun, GapStop, ProjectionRun, WithinRun
from exactcover.steps.reduction import is_much_smaller, reduce
from exactcover.steps.restriction import restrict
from exactcover.steps.step import DeadEnd, StepResult, Weights, drop_costs, unchanged
from exactcover.symmetry.classes import DistinctRun
from exactcover.symmetry.orbit_listing import OrbitListRun, find_images
from exactcover.symmetry.remainders import has_native_code

if TYPE_CHECKING:
    from exactcover.symmetry.classes import SymmetryClasses

__all__ = ["EmptyRun", "Launch"]


def translate_heuristic(function: HeuristicFunction, model: Model, prepared: Prepared) -> HeuristicFunction:
    """Return a function for an engine, which knows items and options by their numbers in the matrix.

    It raises a ``ValueError`` if `function` returns something else than an item that is left.
    """
    matrix, positions = prepared.matrix, prepared.find_positions()
    names = [model.primary[matrix.origin(item)] for item in range(matrix.primary)]
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
                f"the heuristic {describe_heuristic(function)} returned {chosen!r}, which is not an item that is left"
            )
        return number

    return choose


class Launch:
    """The preparation and the run for a model and a query; each is made when it is first needed.

    Attributes
    ----------
    run
        The run, or None if there is none yet.
    engine, why
        The name of the engine that was picked, and the reason.
    ready_time
        The time when the run was ready, in seconds of the monotonic clock; 0 before that.
    """

    def __init__(self, model: Model, query: Query, stop: Stop, paid: int = 0) -> None:
        self.model, self.query, self.stop = model, query, stop
        self._paid = paid  # the units that each solution costs above what it costs in the model
        self.run: EngineRun | None = None
        self.engine, self.why = query.options.engine, ""
        self.ready_time = 0.0
        self._prepared: Prepared | None = None
        self._has_log = False  # whether the log has begun
        self._known = 0  # solutions or classes that a run found which was replaced by another one
        self._may_fail = True  # whether weights may still show that there is no solution
        self._weighed = 0  # the work that was allowed to find weights
        self._is_balanced = False  # whether demands were compared with limits
        self._most_memory: int | None = None  # of a count, in bytes
        self._count_stop = InnerStop(stop)  # of a count, whose threads it ends

    @property
    def prepared(self) -> Prepared | None:
        """The result of the preparation, or None if it has not run yet."""
        return self._prepared

    @property
    def solutions(self) -> int:
        """The number of solutions found, or known to exist if the run only counts."""
        return max(self._known, 0 if self.run is None else self.run.solutions)

    def ensure_prepared(self) -> Prepared:
        """Return the result of the preparation, which runs if it has not run yet; raise ``Stopped`` at a stop."""
        if self._prepared is None:
            prepared = prepare(self.model, self.query, self.stop)
            self._prepared = replace(prepared, paid=prepared.paid + self._paid)
        return self._prepared

    def ensure_run(self) -> EngineRun:
        """Return the run, which is started if there is none yet; raise ``Stopped`` at a stop."""
        if self.run is None:
            self.run = self.create_run()
            self.ready_time = time.monotonic()
        return self.run

    def create_run(self) -> EngineRun:
        """Pick an engine and start a run."""
        prepared, goal = self.ensure_prepared(), self.query.goal
        if prepared.reason is not None:
            self.engine, self.why = "none", "no search was needed"
            return EmptyRun()
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
            self._has_log = True
            self._begin_log(observers.log)
        return self._start_run(engine, prepared)

    def _start_run(self, engine: Engine, prepared: Prepared) -> EngineRun:
        """Start a run, in the way that suits what is asked for."""
        matrix, classes, goal, stop = prepared.matrix, prepared.classes, self.query.goal, self.stop
        options = self.query.options
        if callable(options.heuristic):
            options = replace(options, heuristic=translate_heuristic(options.heuristic, self.model, prepared))
        if self.query.project is not None:
            return ProjectionRun(engine, matrix, prepared.find_options(self.query.project), stop)
        if options.restarts:
            return RestartsRun(engine, matrix, stop, options, self.query.observers)
        if options.symmetry and goal.lists and classes is None:
            images = find_images(matrix, stop)
            if images is not None:
                self.why += "; symmetries make further solutions of those that are found"
                return OrbitListRun(matrix, images, lambda part: engine.start(part, stop, options, goal))
        is_free = options.engine == "auto" and self.query.demands.keys() <= {"nodes", "jobs"}
        if goal.limit == 1 and is_free and classes is None and not matrix.weighted:
            return start_finding(self.query, engine, matrix, stop)
        if goal.kind == "cheapest":
            return self._start_cheapest(engine, prepared, options)
        run = engine.start(matrix, stop, options, goal, self.query.observers)
        if isinstance(run, DiagramRun):
            run.note_count(*self._count_directly(matrix))
        return run if classes is None else DistinctRun(run, prepared.lift, classes)

    def _start_cheapest(self, engine: Engine, prepared: Prepared, options: SearchOptions) -> EngineRun:
        """Start a search for the cheapest solutions."""
        stop, goal, matrix = self.stop, self.query.goal, prepared.matrix
        paid, units, wanted, within = prepared.paid, self.model.cost_units, goal.cheapest or 1, goal.within
        if self.query.differing is not None:

            def start(part: Matrix) -> EngineRun:
                able = engine if engine.find_obstacle(part) is None else pick_engine("auto", part, optimizing=True)[0]
                return able.start(part, stop, options, Goal("cheapest", 1))

            return DifferentRun(matrix, prepared.find_options(self.query.differing), wanted, start)
        if within is not None:
            first = engine.start(matrix, stop, options, Goal("cheapest", 1))

            def find_margin(cost: int) -> int:
                return within.find_units(paid + cost, units)

            return WithinRun(
                first,
                matrix,
                find_margin,
                lambda ceiling: engine.start(matrix, stop, options, Goal("cheapest", wanted), ceiling=ceiling),
            )
        if goal.gap is not None:
            stop = GapStop(stop, goal.gap, lambda: self.run, paid, units)
        return engine.start(matrix, stop, options, goal, self.query.observers)

    def next_solution(self) -> tuple[int, ...]:
        """Return the next solution of the run; raise ``StopIteration`` if there is none.

        If the first one takes long, weights are tried as a reason why there is none.
        """
        run = self.ensure_run()
        is_free = not self.query.demands or (run.counts_work and self.query.options.nodes is None)
        for is_due, most_work in self._plan_looks(run) if self._may_fail and is_free else ():
            while not is_due():
                solution = run.search_on()
                if solution is not None:
                    self._may_fail = False
                    return solution
            if self.explain_failure(most_work, self.stop):
                raise StopIteration
        self._may_fail = False
        return next(run)

    def _plan_looks(self, run: EngineRun) -> Iterator[tuple[Callable[[], bool], int]]:
        """Yield when to look for weights, and how much work each look has."""
        policy, entries = self.query.policy, len(self.ensure_prepared().matrix.entries)
        if run.counts_work:
            done, most_work = policy.weights_begin, policy.weight_work * policy.second_look
            while (allowed := int(done * policy.weights_per_work)) < policy.weight_gap * most_work:
                yield lambda done=done: run.work >= done, min(allowed, most_work)  # type: ignore[misc]
                done *= policy.weight_gap
            return
        for factor in (1 / policy.second_look, 1, policy.second_look):
            end = time.monotonic() + max(policy.patience * min(1, factor), policy.patience_per_entry * entries)
            yield lambda end=end: time.monotonic() >= end, int(policy.weight_work * factor)  # type: ignore[misc]

    def explain_failure(self, most_work: int, stop: Stop | None = None) -> bool:
        """Look for weights that show why there is no solution; return whether a reason is known.

        Nothing is done if no more work is allowed than an earlier look was, or too little to look at the whole matrix.
        """
        prepared = self.ensure_prepared()
        if prepared.reason is None and most_work > max(self._weighed, len(prepared.matrix.entries)):
            self._weighed = most_work
            if self._weigh(prepared.matrix, most_work, stop) is None:
                self._balance()
        return self.ensure_prepared().reason is not None

    def end_log(self, status: Status, solutions: int) -> None:
        """Write the end of the log, if there is one."""
        log = self.query.observers.log
        if log is None:
            return
        if not self._has_log:  # no search was needed, or it was stopped before
            self._begin_log(log)
        log.end(status, solutions)

    def _begin_log(self, log: TreeRecorder) -> None:
        log.begin(describe_search(self.model, self._prepared, self.engine, self.query.options.heuristic))

    def count(self) -> None:
        """Count to the end, in whatever way is expected to take the least time."""
        if self.run is None:
            self.run = self._create_count()
            self.ready_time = time.monotonic()
        self.run.count()

    def _create_count(self) -> EngineRun:
        """Return a run that counts."""
        prepared, options = self.ensure_prepared(), self.query.options
        if self.query.project is not None:
            return self.create_run()
        watched, weighted = self.query.observers, prepared.matrix.weighted
        is_one_tree = watched or weighted or options.nodes is not None or callable(options.heuristic)
        if prepared.reason is not None or is_one_tree:  # which is visited in the usual order
            return self.create_run()
        if options.distinct and prepared.classes is not None:
            return self._count_classes(prepared.classes) or self._list_classes(prepared)
        return CountRun(self._count(prepared.matrix, symmetry=self._uses_symmetry()), self._scheduler)

    def _list_classes(self, prepared: Prepared) -> EngineRun:
        """Return a run that counts classes one by one, or the solutions if each is the only one of its class."""
        assert prepared.classes is not None
        if not prepared.classes.all_distinct:
            return self.create_run()
        run = CountRun(self._count(prepared.matrix, symmetry=False), self._scheduler)
        return DistinctRun(run, prepared.lift, prepared.classes)

    def _count_classes(self, classes: SymmetryClasses) -> EngineRun | None:
        """Count classes without listing them, if there are many solutions; return the run, or None if there are few."""
        from exactcover.symmetry.listed_classes import ListedClasses  # seldom needed
        from exactcover.symmetry.quotients import renumber

        if not isinstance(classes, ListedClasses) or not self._uses_symmetry():
            return None
        restriction = restrict(drop_costs(self.model.matrix).matrix, self.query.given, self.query.without)
        group = renumber(classes.group, restriction.lift, len(restriction.matrix))
        begin_count, most_listed = partial(self._count, symmetry=True), self.query.policy.most_listed
        count = ClassCount(restriction.matrix, group, begin_count, most_listed, self._count_stop)
        self.ready_time = time.monotonic()
        self.run = run = CountRun(count, self._scheduler)
        run.count()
        if not count.is_counted:
            self._known, self.run = run.solutions, None
            return None
        classes.total, classes.symmetric = count.total, None
        return run

    @property
    def _scheduler(self) -> Scheduler:
        return Scheduler(self._count_stop, self.query.options.jobs, self.query.policy)

    def _uses_symmetry(self) -> bool:
        """Return whether a count may use symmetries: by default if nobody asked for a certain way to count."""
        asked = self.query.options.symmetry
        return has_native_code() and (self._asks_for_no_way if asked is None else asked)

    @property
    def _asks_for_no_way(self) -> bool:
        """True if the options ask for no certain way to count."""
        options = self.query.options
        return (options.engine, options.heuristic, options.strategy, options.reduce) == ("auto", "mrv", "auto", None)

    def _count(self, matrix: Matrix, *, symmetry: bool, reduces: bool = True) -> Count:
        """Return the count of the solutions of a matrix."""
        query, stop = self.query, self._count_stop
        options, policy = query.options, query.policy
        engine, self.why = pick_engine(options.engine, matrix, query.demands, counting=True)
        self.engine = engine.name

        def start(part: Matrix) -> DirectCount:
            return DirectCount(engine.leaves(part, stop, options, policy), self._find_memory, options.jobs, policy)

        may_change = reduces and query.reduces is None
        setup = CountSetup(
            start,
            stop,
            reduce=self._reduce_matrix if may_change else None,
            weigh=self._weigh_matrix if may_change else None,
            components=self._asks_for_no_way,
            symmetry=symmetry,
            eager=options.symmetry is True,
            policy=policy,
        )
        return Count(matrix, setup)

    def _count_directly(self, matrix: Matrix) -> tuple[int, str]:
        """Return the number of solutions of a matrix, and the name of the way in which they are counted fastest."""
        count = self._count(matrix, symmetry=False, reduces=False)
        try:
            self._scheduler.run(count)
        except Stopped:
            self._known = count.solutions
            raise
        return count.solutions, str(count.details.get("strategy", ""))

    def _find_memory(self) -> int:
        """Return about how many bytes a count may hold; most short counts never need to know."""
        if self._most_memory is None:
            self._most_memory = self.query.options.memory or self.stop.memory or half_of_free_memory()
        return self._most_memory

    def _weigh_matrix(self, matrix: Matrix) -> Weights | None:
        """Return weights that show that a matrix has no solution; those of the prepared one become the reason."""
        return self._weigh(matrix, self.query.policy.weight_work, self._count_stop)

    def _weigh(self, matrix: Matrix, most_work: int, stop: Stop | None) -> Weights | None:
        from exactcover.search.reasons import describe_reason  # most problems have solutions
        from exactcover.steps.weights import find_weights

        found, prepared = find_weights(matrix, most_work, stop), self.ensure_prepared()
        if found is not None and matrix is prepared.matrix:
            self._prepared = replace(prepared, reason=describe_reason(self.model, found, self.query.given))
        return found

    def _balance(self) -> None:
        """Look once for demands that exceed limits; they become the reason."""
        from exactcover.search.reasons import describe_reason, try_to_find_imbalance  # seldom needed

        if self._is_balanced:
            return
        self._is_balanced, prepared = True, self.ensure_prepared()
        found = try_to_find_imbalance(prepared.matrix, self.stop)
        if found is not None:
            self._prepared = replace(prepared, reason=describe_reason(self.model, found, self.query.given))

    def _reduce_matrix(self, matrix: Matrix) -> StepResult:
        """Reduce a matrix; if it is the prepared one, note what was found."""
        prepared = self.ensure_prepared()
        if matrix is not prepared.matrix:
            return reduce(matrix, self._count_stop)
        smaller = prepared.reduce(self.model, self.query, self._count_stop)
        if smaller.reason is not None or is_much_smaller(smaller.matrix, matrix):
            self._prepared = smaller
        return StepResult(smaller.matrix, unchanged, None if smaller.reason is None else DeadEnd())


class EmptyRun(EngineRun):
    """A run without solutions, for problems that need no search."""

    _listed = iter(())

    def explored(self) -> float:
        return 1.0
