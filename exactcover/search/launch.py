"""From a prepared query to a run: the choice of an engine, and what is built on it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from exactcover.control.memory import half_of_free_memory
from exactcover.control.options import Goal, HeuristicFunction, SearchOptions, describe_heuristic
from exactcover.control.policy import CountingPolicy
from exactcover.control.recorder import TreeRecorder
from exactcover.control.stop import InnerStop, Stop
from exactcover.counting.count import Count, CountRun, CountSetup
from exactcover.counting.direct import DirectCount
from exactcover.counting.scheduler import Scheduler
from exactcover.engines.base import Engine
from exactcover.engines.registry import pick_engine
from exactcover.engines.runs import DiagramRun, EngineRun
from exactcover.model.matrix import Matrix, native
from exactcover.search.finding import RestartsRun, start_finding
from exactcover.search.prepare import Prepared, Query, describe_search
from exactcover.search.serial_runs import DifferentRun, GapStop, OrbitListRun, ProjectionRun, WithinRun, find_images
from exactcover.steps.reduction import reduce
from exactcover.steps.step import StepResult, Weights, drop_costs, restrict
from exactcover.symmetry.classes import DistinctRun

if TYPE_CHECKING:
    from exactcover.symmetry.classes import SymmetryClasses


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
                f"the heuristic {describe_heuristic(function)} returned {chosen!r}, which is not an item that is left"
            )
        return number

    return choose


class Launch:
    """Starts the run of a prepared query.

    Attributes
    ----------
    engine, why
        The name of the engine that was picked, and the reason.
    has_log
        Whether the log of the search has begun.
    """

    def __init__(self, prepared: Prepared, query: Query, stop: Stop) -> None:
        self.prepared, self.query, self.stop = prepared, query, stop
        self.engine, self.why, self.has_log = query.options.engine, "", False

    def start(self) -> EngineRun:
        """Pick an engine and start a run over solutions."""
        prepared, goal = self.prepared, self.query.goal
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
            self.begin_log(observers.log)
        return self._start_run(engine)

    def begin_log(self, log: TreeRecorder) -> None:
        """Write the header of a log."""
        self.has_log = True
        log.begin(describe_search(self.prepared.model, self.prepared, self.query.options, self.engine))

    def _start_run(self, engine: Engine) -> EngineRun:
        """Start a run, in the way that suits what is asked for."""
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
                return OrbitListRun(matrix, images, lambda part: engine.start(part, stop, options, goal))
        is_free = options.engine == "auto" and self.query.demands.keys() <= {"nodes", "jobs"}
        if goal.limit == 1 and is_free and classes is None and not matrix.weighted:
            return start_finding(self.query, engine, matrix, stop)
        if goal.kind == "cheapest":
            return self._start_cheapest(engine, options)
        run = engine.start(matrix, stop, options, goal, self.query.observers)
        if isinstance(run, DiagramRun):
            run.count_first = partial(self._count_directly, run)
        return run if classes is None else DistinctRun(run, prepared.lift, classes)

    def _start_cheapest(self, engine: Engine, options: SearchOptions) -> EngineRun:
        """Start a search for the cheapest solutions."""
        prepared, stop, goal, matrix = self.prepared, self.stop, self.query.goal, self.prepared.matrix
        paid, units, wanted, within = prepared.paid, prepared.model.cost_units, goal.cheapest or 1, goal.within
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
        if goal.gap is None:
            return engine.start(matrix, stop, options, goal, self.query.observers)
        stop = GapStop(stop, goal.gap, paid, units)
        stop.run = engine.start(matrix, stop, options, goal, self.query.observers)
        return stop.run

    # -- counts --------------------------------------------------------------------------------

    def start_count(self) -> EngineRun:
        """Return a run that counts, in whatever way is expected to take the least time."""
        prepared, query = self.prepared, self.query
        is_one_tree = query.observers or query.options.nodes is not None or callable(query.options.heuristic)
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
            components=self._asks_for_no_way,
            symmetry=symmetry,
            eager=options.symmetry is True,
            policy=policy,
        )
        return Count(matrix, setup)

    def _count_directly(self, run: DiagramRun) -> None:
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
        return reduce(matrix, self._count_stop)


def find_first(run: EngineRun, query: Query, prepared: Prepared, stop: Stop) -> tuple[int, ...]:
    """Return the first solution of a run; raise ``StopIteration`` if there is none.

    If it takes long, weights are tried as a reason why there is none.
    """
    if not query.demands or (run.counts_work and query.options.nodes is None):
        for is_due, most_work in _plan_looks(run, query.policy, len(prepared.matrix.entries)):
            while not is_due():
                solution = run.search_on()
                if solution is not None:
                    return solution
            if prepared.look_for_reason(most_work, stop):
                raise StopIteration
    return next(run)


def _plan_looks(run: EngineRun, policy: CountingPolicy, entries: int) -> Iterator[tuple[Callable[[], bool], int]]:
    """Yield when to look for weights, and how much work each look has."""
    if run.counts_work:
        done, most_work = policy.weights_begin, policy.weight_work * policy.second_look
        while (allowed := int(done * policy.weights_per_work)) < policy.weight_gap * most_work:
            yield lambda done=done: run.work >= done, min(allowed, most_work)  # type: ignore[misc]
            done *= policy.weight_gap
        return
    for factor in (1 / policy.second_look, 1, policy.second_look):
        end = time.monotonic() + max(policy.patience * min(1, factor), policy.patience_per_entry * entries)
        yield lambda end=end: time.monotonic() >= end, int(policy.weight_work * factor)  # type: ignore[misc]


class EmptyRun(EngineRun):
    """A run without solutions, for problems that need no search."""

    _listed = iter(())

    def explored(self) -> float:
        return 1.0
