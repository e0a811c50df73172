"""From a query to a run: preparation, the choice of an engine, and counts that may begin anew on a smaller problem."""

from __future__ import annotations

import math
import time

from exactcover.control.stop import InnerStop, Stop
from exactcover.engines.base import Run
from exactcover.engines.registry import pick_engine
from exactcover.model.model import Model
from exactcover.search.prepare import Prepared, prepare
from exactcover.search.query import Query
from exactcover.search.restarts import RestartsRun
from exactcover.symmetry.classes import DistinctRun

__all__ = ["EmptyRun", "Launch"]

_PATIENCE = 1.0  # seconds that a count may take before a reduction is tried
_NEARLY_DONE = 0.3  # the share explored by then from which a reduction does not pay
_WORTH_IT = 0.97  # nor does it pay if more of the options are left


class Launch:
    """The way from a model and a query to a run, taken when it is first needed.

    Attributes
    ----------
    run
        The run, once there is one.
    engine, why
        The engine that was picked, and the reason.
    ready_time
        When the run was ready to begin, in seconds of the monotonic clock; 0 before.
    """

    def __init__(self, model: Model, query: Query, stop: Stop) -> None:
        self.model, self.query, self.stop = model, query, stop
        self.run: Run | None = None
        self.engine, self.why = query.engine, ""
        self.ready_time = 0.0
        self._prepared: Prepared | None = None

    @property
    def prepared(self) -> Prepared | None:
        """What has been prepared so far."""
        return self._prepared

    def ensure_prepared(self) -> Prepared:
        """Return what is to be searched; raises ``Stopped``."""
        if self._prepared is None:
            self._prepared = prepare(self.model, self.query, self.stop)
        return self._prepared

    def ensure_run(self) -> Run:
        """Return the run, begun if need be; raises ``Stopped``."""
        if self.run is None:
            self.run = self.create_run()
            self.ready_time = time.monotonic()
        return self.run

    def create_run(self) -> Run:
        """Pick an engine and begin a run."""
        prepared, options, goal = self.ensure_prepared(), self.query.options, self.query.goal
        if prepared.reason is not None:
            self.engine, self.why = "none", "no search was needed"
            return EmptyRun()
        counting = not goal.lists and (options.jobs, options.heuristic, options.profile) == (1, "mrv", None)
        counting = counting and (prepared.classes is None or prepared.classes.all_distinct)
        engine, self.why = pick_engine(self.query.engine, prepared.matrix, counting=counting)
        self.engine = engine.name
        if options.restarts:
            return RestartsRun(engine, prepared.matrix, self.stop, options)
        run = engine.start(prepared.matrix, self.stop, options, goal)
        return run if prepared.classes is None else DistinctRun(run, prepared.lift, prepared.classes)

    def count(self) -> None:
        """Count to the end; where that takes long, see whether a smaller problem can be searched instead."""
        if self.query.reduces is None and self.run is None and not self.query.options.distinct:
            if self.query.options.jobs > 1:
                self._reduce()
            elif self._count_with_patience():
                return
        self.ensure_run().count()

    def _count_with_patience(self) -> bool:
        """Count for a while; return whether that was enough."""
        patience = self.stop = _Patience(self.stop)
        run = self.ensure_run()
        patience.end = time.monotonic() + _PATIENCE
        try:
            run.count()
        except _OutOfPatienceError:
            patience.end = math.inf
            self._begin_anew_if_it_pays(run)
            return False
        return True

    def _begin_anew_if_it_pays(self, run: Run) -> None:
        if run.resumable and run.explored() > _NEARLY_DONE:
            return
        before = self.ensure_prepared()
        smaller = before.reduce(self.model, self.query, self.stop)
        pays = smaller.reason is not None or len(smaller.matrix) <= _WORTH_IT * len(before.matrix)
        if pays or not run.resumable:
            run.close()
            self.run, self._prepared = None, smaller

    def _reduce(self) -> None:
        prepared = self.ensure_prepared()
        if prepared.reason is None:
            self._prepared = prepared.reduce(self.model, self.query, self.stop)


class _OutOfPatienceError(Exception):
    """Time to try something else; never leaves this module."""


class _Patience(InnerStop):
    """Ends a count at a certain time, so that something else can be tried."""

    end = math.inf

    def poll(self) -> None:
        super().poll()
        if time.monotonic() >= self.end:
            raise _OutOfPatienceError


class EmptyRun(Run):
    """Stands for a run where no search is needed: it has no solutions."""

    resumable = True

    def __next__(self) -> tuple[int, ...]:
        raise StopIteration

    def explored(self) -> float:
        return 1.0
