"""Cutting a run into cubes of about equal size, before the work begins.

A fixed depth would not do: the subtrees of one level differ in size by orders of magnitude. Therefore the largest cube
is divided again and again, by estimates from random paths, until all are small.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Sequence

from exactcover.control.policy import DEFAULT_RUN_POLICY, RunPolicy
from exactcover.control.stop import Stop
from exactcover.engines.trees import ROOT, SubtreeSearch
from exactcover.runs.cube import Child, Cube, CubePath, NodeBuffer, Outcome, mark_subtree
from exactcover.runs.worker import estimate_nodes

__all__ = ["cut", "measure_rate"]

_SAMPLE = 0.1  # seconds of search in which the rate is measured
_FIRST_PROBES = 64  # for the size of the whole tree


def cut(
    make_search: Callable[[int | None], SubtreeSearch],
    roots: Sequence[int | None],
    workers: int,
    rate: float,
    stop: Stop,
    nodes: NodeBuffer | None = None,
    policy: RunPolicy = DEFAULT_RUN_POLICY,
) -> list[Outcome]:
    """Return the division of whole trees, as outcomes without solutions.

    Parameters
    ----------
    make_search
        Returns the search of a part of the plan, or of the whole; see :class:`~exactcover.runs.planned.PlannedSearch`.
    roots
        The parts that are cut, which are the children of the root; or None alone, for the whole.
    workers
        The number of workers that the cubes shall suffice for.
    rate
        The number of nodes that a worker visits in a second.
    stop
        Polled for each division.
    nodes
        Where searches keep the nodes that they visit, or None.
    policy
        How small cubes may be.

    Returns
    -------
    list of Outcome
        Each replaces a cube by its children, the root first. It is empty if the tree is too small to be divided.

    Notes
    -----
    Takes some probes for each cube: about a millisecond, natively.
    """
    searches = {part: make_search(part) for part in stop.watch(roots)}
    sizes = {part: estimate_nodes(search, ROOT, _FIRST_PROBES) for part, search in searches.items()}
    outcomes, heap, total = list[Outcome](), list[tuple[float, CubePath, Cube, int | None]](), sum(sizes.values())
    if None not in sizes:
        outcomes.append(Outcome((), mark_subtree(ROOT), children=tuple(Child(ROOT, sizes[part]) for part in roots)))
    for part, size in sizes.items():
        path = () if part is None else (part,)
        heapq.heappush(heap, (-size, path, Cube(path, estimate=size), part))
    while heap and -heap[0][0] > max(total / (policy.cubes_per_worker * workers), policy.smallest_cube * rate):
        stop.poll()
        *_, cube, part = heapq.heappop(heap)
        search = searches[part]
        if nodes is not None:
            nodes.take()
        children = search.children(cube.subtree)
        if children == [cube.subtree]:  # a solution
            continue
        parts = tuple(Child(child, estimate_nodes(search, child)) for child in children)
        tree = b"" if nodes is None else nodes.take()
        outcome = Outcome(cube.path, mark_subtree(cube.subtree), children=parts, tree=tree)
        outcomes.append(outcome)
        total += sum(child.estimate for child in parts) - cube.estimate
        for child in outcome.cubes():
            heapq.heappush(heap, (-child.estimate, child.path, child, part))
    return outcomes


def measure_rate(search: SubtreeSearch) -> float:
    """Return how many nodes a search visits in a second, at least 1."""
    before, start = search.nodes, time.perf_counter()
    search.begin(ROOT)
    while search.advance(listing=False) and time.perf_counter() - start < _SAMPLE:
        pass
    return max(1.0, (search.nodes - before) / (time.perf_counter() - start))
