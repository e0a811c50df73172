"""Cutting a run into cubes of about equal size, before the work begins.

A fixed depth would not do: the subtrees of one level differ in size by orders of magnitude. Therefore the largest cube
is divided again and again, by estimates from random paths, until all are small.
"""

from __future__ import annotations

import heapq
import time

from exactcover.control.stop import Stop
from exactcover.engines.trees import ROOT, SubtreeSearch
from exactcover.runs.cube import Child, Cube, NodeBuffer, Outcome, mark_subtree
from exactcover.runs.worker import estimate_nodes

__all__ = ["CUBES_PER_WORKER", "SMALLEST", "cut", "measure_rate"]

CUBES_PER_WORKER = 30
"""The largest cube is at most this part of the share of one worker."""
SMALLEST = 0.5
"""Seconds; cubes are not made smaller than this."""

_SAMPLE = 0.1  # seconds of search in which the rate is measured
_FIRST_PROBES = 64  # for the size of the whole tree


def cut(search: SubtreeSearch, workers: int, rate: float, stop: Stop, nodes: NodeBuffer | None = None) -> list[Outcome]:
    """Return the division of the whole tree, as outcomes without solutions.

    Parameters
    ----------
    search
        The search of the matrix.
    workers
        The number of workers that the cubes shall suffice for.
    rate
        The number of nodes that a worker visits in a second.
    stop
        Polled for each division.
    nodes
        Where the search keeps the nodes that it visits, or None.

    Returns
    -------
    list of Outcome
        Each replaces a cube by its children, the root first. It is empty if the tree is too small to be divided.

    Notes
    -----
    Takes some probes for each cube: about a millisecond, natively.
    """
    root = Cube(estimate=estimate_nodes(search, ROOT, _FIRST_PROBES))
    heap, outcomes, total = [(-root.estimate, root.path, root)], list[Outcome](), root.estimate
    while heap and -heap[0][0] > max(total / (CUBES_PER_WORKER * workers), SMALLEST * rate):
        stop.poll()
        cube = heapq.heappop(heap)[2]
        if nodes is not None:
            nodes.take()
        children = search.children(cube.subtree)
        if children == [cube.subtree]:  # a solution
            continue
        parts = tuple(Child(child, estimate_nodes(search, child)) for child in children)
        tree = b"" if nodes is None else nodes.take()
        outcome = Outcome(cube.path, mark_subtree(cube.subtree), children=parts, tree=tree)
        outcomes.append(outcome)
        total += sum(part.estimate for part in parts) - cube.estimate
        for child in outcome.cubes():
            heapq.heappush(heap, (-child.estimate, child.path, child))
    return outcomes


def measure_rate(search: SubtreeSearch) -> float:
    """Return how many nodes a search visits in a second, at least 1."""
    before, start = search.nodes, time.perf_counter()
    search.begin(ROOT)
    while search.advance(listing=False) and time.perf_counter() - start < _SAMPLE:
        pass
    return max(1.0, (search.nodes - before) / (time.perf_counter() - start))
