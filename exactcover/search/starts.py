"""Start a run that delivers solutions: by an engine, in several ways, by symmetries, or the cheapest first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from exactcover.control.options import Goal, SearchOptions
from exactcover.control.stop import InnerStop, Stop
from exactcover.engines.base import Engine
from exactcover.engines.registry import pick_engine
from exactcover.engines.runs import DiagramRun, EngineRun
from exactcover.model.matrix import Matrix
from exactcover.model.model import Model
from exactcover.search.cheaper import CheaperRun
from exactcover.search.finding import FindRun
from exactcover.search.finding_threads import ThreadedFindRun
from exactcover.search.gap import GapStop
from exactcover.search.heuristics import translate_heuristic
from exactcover.search.near_cheapest import DifferentRun, WithinRun
from exactcover.search.prepare import Prepared
from exactcover.search.projections import ProjectionRun
from exactcover.search.query import Query
from exactcover.search.restarts import RestartsRun
from exactcover.search.ways import list_ways
from exactcover.symmetry.classes import DistinctRun
from exactcover.symmetry.orbit_listing import OrbitListRun, find_images

__all__ = ["Start"]


@dataclass(frozen=True)
class Start:
    """What a run starts from.

    Attributes
    ----------
    engine
        The engine that was picked.
    model, prepared, query
        The problem, the result of its preparation, and what is asked.
    stop
        Polled by the run.
    current
        Returns the run, once it has started.
    count
        Returns the number of solutions of a matrix, and the name of the way in which they were counted.
    """

    engine: Engine
    model: Model
    prepared: Prepared
    query: Query
    stop: Stop
    current: Callable[[], EngineRun | None]
    count: Callable[[Matrix], tuple[int, str]]

    def start_run(self) -> tuple[EngineRun, str]:
        """Start the run; return it, and how it finds solutions besides what its engine does, in words."""
        matrix, classes, goal = self.prepared.matrix, self.prepared.classes, self.query.goal
        options = self._translate_options()
        if self.query.project is not None:
            matter = self.prepared.find_options(self.query.project)
            return ProjectionRun(self.engine, matrix, matter, self.stop), ""
        if options.restarts:
            return RestartsRun(self.engine, matrix, self.stop, options, self.query.observers), ""
        if options.symmetry and goal.lists and goal.cheapest is None and classes is None:
            images = find_images(matrix, self.stop)
            if images is not None:
                run = OrbitListRun(matrix, images, lambda part: self.engine.start(part, self.stop, options, goal))
                return run, "symmetries make further solutions of those that are found"
        is_free = options.engine == "auto" and self.query.demands.keys() <= {"nodes", "jobs"}
        if goal.limit == 1 and is_free and classes is None:
            return self._find(), ""
        if goal.kind == "cheapest":
            return self._start_cheapest(options), ""
        return self._list(options), ""

    def _translate_options(self) -> SearchOptions:
        """Return the options, with a function as heuristic that takes numbers."""
        options = self.query.options
        if not callable(options.heuristic):
            return options
        return replace(options, heuristic=translate_heuristic(options.heuristic, self.model, self.prepared))

    def _list(self, options: SearchOptions) -> EngineRun:
        """Start a search for all solutions, or for one of each class."""
        prepared = self.prepared
        run = self.engine.start(prepared.matrix, self.stop, options, self.query.goal, self.query.observers)
        if isinstance(run, DiagramRun):
            run.note_count(*self.count(prepared.matrix))
        return run if prepared.classes is None else DistinctRun(run, prepared.lift, prepared.classes)

    def _find(self) -> FindRun:
        """Start a search for one solution in several ways."""
        matrix, jobs, most_nodes = self.prepared.matrix, self.query.options.jobs, self.query.options.nodes
        if jobs == 1:
            return FindRun(list_ways(self.query, self.engine, matrix, self.stop), self.stop, most_nodes)
        stop = InnerStop(self.stop)
        return ThreadedFindRun(list_ways(self.query, self.engine, matrix, stop), stop, jobs, most_nodes)

    def _start_cheapest(self, options: SearchOptions) -> EngineRun:
        """Start a search for the cheapest solutions."""
        engine, prepared, stop = self.engine, self.prepared, self.stop
        goal, matrix = self.query.goal, prepared.matrix
        paid, units, wanted, within = prepared.paid, self.model.cost_units, goal.cheapest or 1, goal.within
        if self.query.differing is not None:

            def start(part: Matrix) -> EngineRun:
                able = engine if engine.obstacle(part) is None else pick_engine("auto", part)[0]
                return able.start(part, stop, options, Goal("cheapest", 1))

            return DifferentRun(matrix, prepared.find_options(self.query.differing), wanted, start)
        if within is not None:
            first = engine.start(matrix, stop, options, Goal("cheapest", 1))

            def find_margin(cost: int) -> int:
                return within.find_units(paid + cost, units)

            return WithinRun(
                first, matrix, find_margin, lambda ceiling: engine.start_below(matrix, stop, wanted, ceiling)
            )
        known = self.query.known
        if known is not None and "within" in engine.supports:
            chosen = tuple(prepared.find_options(known.positions))
            cost = sum(matrix.costs[option] for option in chosen) if matrix.costs else 0
            return CheaperRun(chosen, cost, known.nodes, engine.start_below(matrix, stop, wanted, cost))
        if goal.gap is not None:
            stop = GapStop(stop, goal.gap, self.current, paid, units)
        return engine.start(matrix, stop, options, goal, self.query.observers)
