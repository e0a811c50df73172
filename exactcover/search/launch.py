"""From a query to a run: preparation, the choice of an engine, and counts that may restart on a reduced problem."""

from __future__ import annotations

import math
import time

from exactcover.control.statistics import Status
from exactcover.control.stop import InnerStop, Stop
from exactcover.engines.base import EngineRun
from exactcover.engines.registry import pick_engine
from exactcover.errors import EngineUnavailableError
from exactcover.model.model import Model
from exactcover.search.log_header import describe_search
from exactcover.search.prepare import Prepared, prepare
from exactcover.search.query import Query
from exactcover.search.restarts import RestartsRun
from exactcover.symmetry.classes import DistinctRun

__all__ = ["EmptyRun", "Launch"]

_PATIENCE = 1.0  # seconds that a count may take before a reduction is tried
_NEARLY_DONE = 0.3  # if a larger share is explored by then, no reduction is tried
_MOST_KEPT = 0.97  # a reduction is used only if at most this share of the options remains


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

    @property
    def prepared(self) -> Prepared | None:
        """The result of the preparation, or None if it has not run yet."""
        return self._prepared

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
        plain = (options.jobs, options.heuristic, options.profile, options.log) == (1, "mrv", None, None)
        counting = not goal.lists and plain
        counting = counting and (prepared.classes is None or prepared.classes.all_distinct)
        engine, self.why = pick_engine(options.engine, prepared.matrix, counting=counting)
        self.engine = engine.name
        if options.log is not None:
            if not engine.records:
                raise EngineUnavailableError(f"the engine {engine.name!r} cannot write a log of its search")
            options.log.begin(describe_search(self.model, prepared, engine.name, options.heuristic))
        if options.restarts:
            return RestartsRun(engine, prepared.matrix, self.stop, options)
        run = engine.start(prepared.matrix, self.stop, options, goal)
        return run if prepared.classes is None else DistinctRun(run, prepared.lift, prepared.classes)

    def end_log(self, status: Status, solutions: int) -> None:
        """Write the end of the log, if there is one."""
        log = self.query.options.log
        if log is None:
            return
        if not log.is_begun:  # no search was needed, or it was stopped before
            log.begin(describe_search(self.model, self._prepared, self.engine, self.query.options.heuristic))
        log.end(status, solutions)

    def count(self) -> None:
        """Count to the end. If that takes a long time, reduce the problem, and count the reduced one if that pays."""
        if self.query.reduces is None and self.run is None and not self.query.options.distinct:
            if self.query.options.jobs > 1:
                self._reduce()
            elif self._count_with_patience():
                return
        self.ensure_run().count()

    def _count_with_patience(self) -> bool:
        """Count for a limited time; return whether the count was finished."""
        patience = self.stop = _Patience(self.stop)
        run = self.ensure_run()
        patience.end = time.monotonic() + _PATIENCE
        try:
            run.count()
        except _OutOfPatienceError:
            patience.end = math.inf
            self._replace_if_it_pays(run)
            return False
        return True

    def _replace_if_it_pays(self, run: EngineRun) -> None:
        """Reduce the problem, and drop the run if the reduced problem is smaller or the run cannot continue."""
        if run.resumable and run.explored() > _NEARLY_DONE:
            return
        before = self.ensure_prepared()
        smaller = before.reduce(self.model, self.query, self.stop)
        pays = smaller.reason is not None or len(smaller.matrix) <= _MOST_KEPT * len(before.matrix)
        if pays or not run.resumable:
            run.close()
            self.run, self._prepared = None, smaller

    def _reduce(self) -> None:
        prepared = self.ensure_prepared()
        if prepared.reason is None:
            self._prepared = prepared.reduce(self.model, self.query, self.stop)


class _OutOfPatienceError(Exception):
    """The time for a first attempt is over; never leaves this module."""


class _Patience(InnerStop):
    """Interrupts a count at a certain time, so that a reduction can be tried."""

    end = math.inf

    def poll(self) -> None:
        super().poll()
        if time.monotonic() >= self.end:
            raise _OutOfPatienceError


class EmptyRun(EngineRun):
    """A run without solutions, for problems that need no search."""

    resumable = True

    def __next__(self) -> tuple[int, ...]:
        raise StopIteration

    def explored(self) -> float:
        return 1.0
