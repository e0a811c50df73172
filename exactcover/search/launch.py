"""From a query to a run: preparation, the choice of an engine, and counts that may restart on a reduced problem."""

from __future__ import annotations

import time
from dataclasses import replace

from exactcover.control.patience import Patience
from exactcover.control.statistics import Status
from exactcover.control.stop import Stop
from exactcover.engines.base import EngineRun
from exactcover.engines.demands import find_demands
from exactcover.engines.registry import pick_engine
from exactcover.model.matrix import Matrix
from exactcover.model.model import Model
from exactcover.search.log_header import describe_search
from exactcover.search.prepare import Prepared, prepare
from exactcover.search.query import Query
from exactcover.search.reasons import describe_reason
from exactcover.search.restarts import RestartsRun
from exactcover.steps.order import drop_costs
from exactcover.steps.reduction import is_much_smaller, reduce
from exactcover.steps.restriction import restrict
from exactcover.steps.step import DeadEnd, StepResult, unchanged
from exactcover.steps.weights import find_weights
from exactcover.symmetry.class_counting import ClassCountRun
from exactcover.symmetry.classes import DistinctRun
from exactcover.symmetry.listed_classes import ListedClasses
from exactcover.symmetry.orbit_counting import OrbitCountRun
from exactcover.symmetry.orbit_listing import OrbitListRun, find_images
from exactcover.symmetry.quotients import NoQuotientError, renumber
from exactcover.symmetry.remainders import has_native_code

__all__ = ["EmptyRun", "Launch"]


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

    def __init__(self, model: Model, query: Query, stop: Stop) -> None:
        self.model, self.query, self.stop = model, query, stop
        self.run: EngineRun | None = None
        self.engine, self.why = query.options.engine, ""
        self.ready_time = 0.0
        self._prepared: Prepared | None = None
        self._has_log = False  # whether the log has begun
        self._known = 0  # solutions or classes that a run found which was replaced by another one
        self._may_fail = True  # whether weights may still show that there is no solution
        self._weighed = 0  # the work that was allowed to find weights

    @property
    def prepared(self) -> Prepared | None:
        """The result of the preparation, or None if it has not run yet."""
        return self._prepared

    @property
    def solutions(self) -> int:
        """How many solutions are found, or known to exist if the run only counts."""
        return max(self._known, 0 if self.run is None else self.run.solutions)

    def ensure_prepared(self) -> Prepared:
        """Return the result of the preparation, which runs if it has not run yet; raise ``Stopped`` at a stop."""
        if self._prepared is None:
            self._prepared = prepare(self.model, self.query, self.stop)
        return self._prepared

    def ensure_run(self) -> EngineRun:
        """Return the run, which is started if there is none yet; raise ``Stopped`` at a stop."""
        if self.run is None:
            self.run = self.create_run()
            self.ready_time = time.monotonic()
        return self.run

    def create_run(self) -> EngineRun:
        """Pick an engine and start a run."""
        prepared, options, goal = self.ensure_prepared(), self.query.options, self.query.goal
        if prepared.reason is not None:
            self.engine, self.why = "none", "no search was needed"
            return EmptyRun()
        demands, observers = self.query.demands, self.query.observers
        counting = not goal.lists and (prepared.classes is None or prepared.classes.all_distinct)
        engine, self.why = pick_engine(options.engine, prepared.matrix, demands, counting=counting)
        self.engine = engine.name
        if observers.profile is not None:
            observers.profile.clear()
        if observers.log is not None:
            self._has_log = True
            observers.log.begin(describe_search(self.model, prepared, engine.name, options.heuristic))
        if options.restarts:
            return RestartsRun(engine, prepared.matrix, self.stop, options, observers)
        if options.symmetry and goal.lists and goal.cheapest is None and prepared.classes is None:
            images = find_images(prepared.matrix, self.stop)
            if images is not None:
                self.why += "; symmetries make further solutions of those that are found"
                return OrbitListRun(
                    prepared.matrix, images, lambda matrix: engine.start(matrix, self.stop, options, goal)
                )
        if goal.lists and not demands:
            self.stop = Patience(self.stop)
        run = engine.tune(self.query.policy).start(prepared.matrix, self.stop, options, goal, observers)
        return run if prepared.classes is None else DistinctRun(run, prepared.lift, prepared.classes)

    def next_solution(self) -> tuple[int, ...]:
        """Return the next solution of the run; raise ``StopIteration`` if there is none.

        If the first one takes long, weights are tried as a reason why there is none.
        """
        run = self.ensure_run()
        if self._may_fail and isinstance(self.stop, Patience) and run.resumable:
            found: list[tuple[int, ...]] = []
            policy = self.query.policy
            for factor in (1, policy.second_look):
                if self.stop.attempt(policy.patience * factor, lambda: found.append(next(run))):
                    self._may_fail = False
                    return found[0]
                if self.explain_failure(policy.weight_work * factor, self.stop):
                    raise StopIteration
            self._may_fail = False
        return next(run)

    def explain_failure(self, most_work: int, stop: Stop | None = None) -> bool:
        """Look for weights that show why there is no solution; return whether a reason is known.

        Nothing is done if no more work is allowed than an earlier look was.
        """
        prepared = self.ensure_prepared()
        if prepared.reason is None and most_work > self._weighed:
            self._weighed = most_work
            weights = find_weights(prepared.matrix, most_work, stop)
            if weights is not None:
                reason = describe_reason(self.model, weights, self.query.given)
                self._prepared = prepared = replace(prepared, reason=reason)
        return prepared.reason is not None

    def end_log(self, status: Status, solutions: int) -> None:
        """Write the end of the log, if there is one."""
        log = self.query.observers.log
        if log is None:
            return
        if not self._has_log:  # no search was needed, or it was stopped before
            log.begin(describe_search(self.model, self._prepared, self.engine, self.query.options.heuristic))
        log.end(status, solutions)

    def count(self) -> None:
        """Count to the end. If that takes a long time, use symmetries or reduce the problem, if that pays."""
        options = self.query.options
        if self.run is None and options.distinct and self._count_classes():
            return
        if self.run is None and not options.distinct and self._uses_symmetry():
            self.run = self._start_by_orbits(self.ensure_prepared().matrix)
            self.ready_time = time.monotonic()
        elif self.run is None and not options.distinct and self.query.reduces is None:
            if options.jobs > 1:
                self._reduce()
            elif self._count_with_patience(self.query.policy.patience):
                return
        self.ensure_run().count()

    def _uses_symmetry(self) -> bool:
        """Return whether a count may use symmetries: by default if nobody asked for a certain way to count."""
        options = self.query.options
        if options.symmetry is False or not has_native_code() or self.ensure_prepared().reason is not None:
            return False
        plain = (options.engine, options.heuristic, options.strategy, options.reduce) == ("auto", "mrv", "auto", None)
        return options.symmetry is True or (plain and not self.query.observers)

    def _count_classes(self) -> bool:
        """Count classes without listing them, if there are many solutions; return whether it is done."""
        classes = self.ensure_prepared().classes
        if not isinstance(classes, ListedClasses) or not self._uses_symmetry():
            return False
        restriction = restrict(drop_costs(self.model.matrix).matrix, self.query.given, self.query.without)
        matrix = restriction.matrix
        group = renumber(classes.group, restriction.lift, len(matrix))
        self.ready_time = time.monotonic()
        self.run = run = ClassCountRun(matrix, group, self._start_by_orbits, self.stop)
        try:
            if run.count_solutions() > self.query.policy.most_listed:
                run.count()
                classes.total, classes.symmetric = run.total, None
                return True
        except NoQuotientError:
            pass
        self._drop_run(run)
        return False

    def _start_by_orbits(self, matrix: Matrix) -> EngineRun:
        """Start a run that counts the solutions of a matrix by orbits, where that pays."""
        options = self.query.options
        reducing = None if options.reduce is False else self._reduce_matrix
        eager, policy = options.symmetry is True, self.query.policy
        return OrbitCountRun(matrix, self._start, reducing, options.jobs, self.stop, eager=eager, policy=policy)

    def _reduce_matrix(self, matrix: Matrix) -> StepResult:
        """Reduce a matrix; if it is the prepared one, note what was found."""
        prepared = self.ensure_prepared()
        if matrix is not prepared.matrix:
            return reduce(matrix, self.stop)
        smaller = prepared.reduce(self.model, self.query, self.stop)
        if smaller.reason is not None or is_much_smaller(smaller.matrix, matrix):
            self._prepared = smaller
        return StepResult(smaller.matrix, unchanged, None if smaller.reason is None else DeadEnd())

    def _start(self, matrix: Matrix, stop: Stop, jobs: int) -> EngineRun:
        """Start a run that counts the solutions of a matrix."""
        options = replace(self.query.options, jobs=jobs)
        demands = find_demands(options, self.query.observers)
        engine, self.why = pick_engine(options.engine, matrix, demands, counting=True)
        self.engine = engine.name
        return engine.tune(self.query.policy).start(matrix, stop, options, self.query.goal)

    def _count_with_patience(self, seconds: float) -> bool:
        """Count for a limited time, then reduce the problem if that pays; return whether the count was finished."""
        if not isinstance(self.stop, Patience):
            self.stop = Patience(self.stop)
        run = self.ensure_run()
        if self.stop.attempt(seconds, run.count):
            return True
        self._replace_if_it_pays(run)
        return False

    def _replace_if_it_pays(self, run: EngineRun) -> None:
        """Reduce the problem, and drop the run if the reduced problem is smaller or the run cannot continue."""
        if run.resumable and run.explored() > self.query.policy.nearly_done:
            return
        before = self.ensure_prepared()
        smaller = before.reduce(self.model, self.query, self.stop)
        pays = smaller.reason is not None or is_much_smaller(smaller.matrix, before.matrix)
        if pays or not run.resumable:
            self._drop_run(run)
            self._prepared = smaller

    def _drop_run(self, run: EngineRun) -> None:
        self._known = max(self._known, run.solutions)
        run.close()
        self.run = None

    def _reduce(self) -> None:
        prepared = self.ensure_prepared()
        if prepared.reason is None:
            self._prepared = prepared.reduce(self.model, self.query, self.stop)


class EmptyRun(EngineRun):
    """A run without solutions, for problems that need no search."""

    resumable = True

    def __next__(self) -> tuple[int, ...]:
        raise StopIteration

    def explored(self) -> float:
        return 1.0
