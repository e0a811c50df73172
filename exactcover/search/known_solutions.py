"""A pass over solutions that are known already."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import islice

from exactcover.algorithm_x import Label
from exactcover.control.options import ALL, Goal, SearchOptions
from exactcover.control.stop import Stop
from exactcover.diagram.diagram import Diagram
from exactcover.engines.cursor import ListedRun
from exactcover.model.model import Model
from exactcover.search.query import Launch, Prepared, Query
from exactcover.search.search import Search


class KnownSolutions(Search):
    """A pass over solutions of a diagram. As for any search, its status says how it ended.

    The solutions are some of those of the diagram, as labels, maybe drawn with the seed; None for all, in the order of
    the diagram. If the goal is the cheapest solutions, these replace them. The stop is polled between solutions.
    """

    def __init__(
        self,
        diagram: Diagram[Model],
        solutions: Iterable[tuple[Label, ...]] | None = None,
        *,
        goal: Goal = ALL,
        seed: int | None = None,
        stop: Stop | None = None,
    ) -> None:
        stop = stop or Stop()
        if goal.cheapest is not None:
            solutions = _list_cheapest(diagram, goal)
        super().__init__(diagram.problem, Query(goal, SearchOptions(seed=seed)), stop)
        self._launch = Launch(Prepared(diagram.problem, (), diagram.problem.matrix), self._query, stop)
        self._launch.engine, self._launch.why = "none", "the solutions are known"
        found = stop.watch(diagram if solutions is None else solutions)
        self._note_run(ListedRun((tuple(map(diagram.problem.position, labels)) for labels in found), diagram.count))
        self.total = diagram.count


def _list_cheapest(diagram: Diagram[Model], goal: Goal) -> Iterator[tuple[Label, ...]]:
    """Yield the solutions of a diagram that a goal wants, in the order of cost."""
    most = math.inf
    for number, (cost, labels) in enumerate(islice(diagram.rank(maximize=goal.maximize), goal.cheapest)):
        if goal.within is not None and not number:
            most = cost + goal.within.find_units(cost, diagram.problem.cost_units)
        if cost > most:
            return
        yield labels
