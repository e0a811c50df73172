"""How large a search will be: random probes of its tree.

A probe goes down from the root and takes each time one of the children at random. Where the nodes on its way have
d1, d2, ... children, the tree would have 1 + d1 + d1 d2 + ... nodes if it were the same everywhere; the mean of that
over all ways is the number of nodes. A probe that ends in a solution stands for d1 d2 ... solutions.

References
----------
D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29 (1975).
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass

from exactcover.engines import pick_engine
from exactcover.engines.protocol import Tree
from exactcover.errors import EngineUnavailableError
from exactcover.problem import Label, Problem
from exactcover.steps import Contradiction, restrict
from exactcover.stop import Stop, Stopped

__all__ = ["Estimate", "estimate"]


@dataclass(frozen=True)
class Estimate:
    """What probes have seen; a spread is the standard error of a mean.

    Attributes
    ----------
    probes, successes
        How many there were, and how many of them ended in a solution.
    nodes, nodes_spread
        The nodes where a choice is to be made, solutions and dead ends.
    solutions, solutions_spread
        The solutions.
    """

    probes: int
    successes: int
    nodes: float
    nodes_spread: float
    solutions: float
    solutions_spread: float


def estimate(
    problem: Problem,
    *,
    probes: int = 1000,
    seed: int = 0,
    given: Iterable[Label] = (),
    engine: str = "auto",
    stop: Stop | None = None,
) -> Estimate:
    """Estimate the number of nodes and of solutions by random probes.

    Parameters
    ----------
    probes
        How many; fewer if `stop` says so before.
    seed
        All that chance depends on.
    given, engine
        As for :meth:`Problem.solve`.

    Raises
    ------
    EngineUnavailableError
        If there is no such engine, or it has no tree.

    Returns
    -------
    Estimate
        Its means are right on the average. Where few ways go deep, the spread can be far too small: it knows only
        what was seen.

    Examples
    --------
    >>> from problems import Queens
    >>> seen = estimate(Queens(n=8).problem(), probes=2000)
    >>> abs(seen.solutions - 92) < 3 * seen.solutions_spread
    True
    """
    if probes < 1:
        raise ValueError(f"probes must be at least 1; got {probes}")
    stop, chance = stop or Stop(), random.Random(seed)
    nodes, solutions = _Mean(), _Mean()
    successes = 0
    try:
        matrix = restrict(problem.matrix, map(problem.position, given), ())[0]
        picked, _ = pick_engine(engine, matrix)
        tree = picked.tree(matrix, stop)
        if tree is None:
            raise EngineUnavailableError(f"engine {picked.name!r} has no tree that could be probed")
        for _ in range(probes):
            stop.poll()
            seen, found = _probe(tree, chance)
            nodes.add(seen)
            solutions.add(found)
            successes += found > 0
    except Contradiction:
        nodes.add(1)
        solutions.add(0)
    except Stopped:
        pass
    return Estimate(nodes.number, successes, nodes.mean, nodes.spread(), solutions.mean, solutions.spread())


def _probe(tree: Tree, chance: random.Random) -> tuple[float, float]:
    """Go down one way; return what it says of nodes and solutions."""
    node: tuple[list[int], list[int]] = ([], [])
    nodes, width = 1.0, 1.0
    while True:
        children = tree.children(*node)
        if not children:
            return nodes, 0.0
        if children == [node]:
            return nodes, width
        width *= len(children)
        nodes += width if len(children) > 1 else 0
        node = chance.choice(children)


class _Mean:
    """A mean and its standard error, one number after another."""

    def __init__(self) -> None:
        self.number, self.mean, self._squares = 0, 0.0, 0.0

    def add(self, value: float) -> None:
        self.number += 1
        difference = value - self.mean
        self.mean += difference / self.number
        self._squares += difference * (value - self.mean)

    def spread(self) -> float:
        return math.sqrt(self._squares / max(1, self.number - 1) / max(1, self.number))
