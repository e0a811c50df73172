"""Building the diagram of all solutions, by an engine that can or else from a listing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from exactcover.diagram.zdd import Zdd, ZddBuilder
from exactcover.engines.base import DiagramRun
from exactcover.search.launch import Launch

__all__ = ["build_diagram"]


def build_diagram(launch: Launch, *, compact: bool, solutions: Iterable[Sequence[int]]) -> tuple[Zdd, Sequence[int]]:
    """Return the diagram of all solutions, and its options from the top down as positions.

    Parameters
    ----------
    launch
        Of a search that has not begun.
    compact
        Whether the options come in an order that keeps the diagram small, not in that of the problem.
    solutions
        Lists the solutions of that search, as positions, where the engine cannot build diagrams.
    """
    whole = replace(launch.model.matrix, costs=())
    height, run = len(whole), launch.ensure_run()
    order: Sequence[int] = range(height)
    if compact:
        by_item = partial(sorted, order, key=lambda option: min(whole.option(option)))
        order = run.compact_order(whole) if isinstance(run, DiagramRun) else by_item()
    level = {position: place for place, position in enumerate(order)}
    if isinstance(run, DiagramRun):
        prepared = launch.ensure_prepared()
        chosen = set(prepared.lift(()))
        levels = [level[(set(prepared.lift((k,))) - chosen).pop()] for k in range(len(prepared.matrix))]
        return run.build_diagram(levels, height).add_levels(level[position] for position in chosen), order
    builder = ZddBuilder(height)
    sets = sorted(tuple(sorted(level[position] for position in found)) for found in solutions)
    return builder.zdd(builder.family(sets)), order
