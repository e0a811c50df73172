"""Building the diagram of all solutions, by an engine that can do so or from a list of solutions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from exactcover.diagram.zdd import Zdd, ZddBuilder
from exactcover.engines.runs import DiagramRun
from exactcover.search.launch import Launch

__all__ = ["build_diagram"]


def build_diagram(launch: Launch, *, compact: bool, solutions: Iterable[Sequence[int]]) -> tuple[Zdd, Sequence[int]]:
    """Return the diagram of all solutions, and the positions of its options from the top down.

    Parameters
    ----------
    launch
        The launch of a search that has not begun.
    compact
        Whether to put the options into an order that keeps the diagram small, instead of the order of the problem.
    solutions
        The solutions of that search, as positions. They are read only if the engine cannot build diagrams.
    """
    full = replace(launch.model.matrix, costs=())
    height, run = len(full), launch.ensure_run()
    order: Sequence[int] = range(height)
    if compact:
        sort_by_item = partial(sorted, order, key=lambda option: min(full.option(option)))
        order = run.compact_order(full) if isinstance(run, DiagramRun) else sort_by_item()
    level = {position: place for place, position in enumerate(order)}
    if isinstance(run, DiagramRun):
        prepared = launch.ensure_prepared()
        chosen = set(prepared.lift(()))
        levels = [level[(set(prepared.lift((k,))) - chosen).pop()] for k in range(len(prepared.matrix))]
        return run.build_diagram(levels, height).add_levels(level[position] for position in chosen), order
    builder = ZddBuilder(height)
    sets = sorted(tuple(sorted(level[position] for position in found)) for found in solutions)
    return builder.zdd(builder.family(sets)), order
