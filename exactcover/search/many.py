"""Many instances of one problem, each a set of givens, without building anything anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from exactcover.control.statistics import Statistics
from exactcover.control.stop import Stop, Stopped
from exactcover.engines.base import Tactics
from exactcover.engines.registry import pick_engine
from exactcover.errors import StoppedError
from exactcover.model.model import Model
from exactcover.search.search import Search

__all__ = ["search_many"]


def search_many(
    problem: Model,
    instances: Iterable[Sequence[int]],
    *,
    limit: int,
    engine: str,
    stop: Stop,
    without: Sequence[int] = (),
) -> Iterator[list[tuple[int, ...]]]:
    """Yield at most `limit` solutions of each instance, where an instance is the positions of its givens.

    An engine that can begin again does; for the others every instance is a search of its own.
    """
    if limit < 1:
        raise ValueError(f"limit must be at least 1; got {limit}")
    matrix = replace(problem.matrix, costs=())  # which solutions there are does not depend on them
    picked, why = pick_engine(engine, matrix)
    restart = None
    for done, given in enumerate(instances):
        try:
            if restart is None and not problem.impossible and not without:
                restart = picked.restart(matrix, stop)
            if restart is not None:
                found = restart.solve(given, limit, stop)
            else:
                search = Search(
                    problem,
                    limit=limit,
                    seed=None,
                    given=given,
                    without=without,
                    engine=engine,
                    tactics=Tactics(),
                    reduce=False,
                    stop=stop,
                )
                found = list(search.positions())
                stop.poll()
        except Stopped as stopped:
            raise StoppedError(stopped.status, done, Statistics(picked.name, why)) from None
        yield found
