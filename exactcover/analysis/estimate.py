"""How large a search will be, and how long it will take: random probes of its tree.

A probe goes down from the root and takes each time one of the children at random. Where the nodes on its way have
d1, d2, ... children, the tree would have 1 + d1 + d1 d2 + ... nodes if it were the same everywhere; the mean of that
over all ways is the number of nodes. A probe that ends in a solution stands for d1 d2 ... solutions. The engine itself
goes down and tells what it counts on the way, so that what is estimated is the number that a count reports.

References
----------
D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29 (1975).
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from exactcover.control.options import COUNT, SearchOptions
from exactcover.control.statistics import Status
from exactcover.control.stop import InnerStop, Stop, Stopped
from exactcover.engines.base import ChoicePoint, Engine, Run, Tree
from exactcover.engines.registry import check_engine_name, pick_engine
from exactcover.errors import EngineUnavailableError
from exactcover.model.matrix import Matrix
from exactcover.problem import Label, Problem
from exactcover.search.prepare import prepare
from exactcover.search.query import Query

__all__ = ["Estimate", "Number", "estimate", "format_number"]

Number: TypeAlias = float | int
"""A float, or a whole number where it is too large for a float."""

_SURE = 4096  # nodes: a tree that is not larger is searched
_SHORT, _LONG = 0.02, 0.3  # seconds that a search is measured, at least and at most


@dataclass(frozen=True)
class Estimate:
    """What probes have seen; a spread is the standard error of a mean.

    Attributes
    ----------
    probes, successes
        How many probes there were, and how many of them met a solution.
    nodes, nodes_spread
        How many nodes a count on the same engine reports in its statistics; None without a probe, and None for the
        spread of a single probe.
    solutions, solutions_spread
        How many solutions there are; None where no probe met one, unless a search has proved that there is none: then
        both are 0.
    seconds
        How long a count on the same engine takes on this machine, in seconds: from a search of some milliseconds, or
        the time of that search where it ended. None where there was no time to measure. Comparisons ignore it.
    doubts
        Sentences about what these numbers do not tell; empty where there is nothing to be said.
    """

    probes: int
    successes: int
    nodes: Number | None
    nodes_spread: Number | None
    solutions: Number | None
    solutions_spread: Number | None
    seconds: Number | None = field(default=None, compare=False)
    doubts: tuple[str, ...] = ()


def estimate(
    problem: Problem,
    *,
    probes: int = 1000,
    seed: int = 0,
    given: Iterable[Label] = (),
    engine: str = "auto",
    stop: Stop | None = None,
    timed: bool = True,
) -> Estimate:
    """Estimate the number of nodes and of solutions by random probes, and the time of a count.

    Parameters
    ----------
    probes
        How many; fewer if `stop` says so before.
    seed
        All that chance depends on.
    given, engine
        Besides the problem's own givens; as for :meth:`Problem.solve`.
    timed
        Whether to measure a short search too: that gives the time, and may prove that there is no solution.

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
    check_engine_name(engine)
    problem = problem.instance(given)
    stop, chance = stop or Stop(), random.Random(seed)
    seen, trial = _Seen(), None
    try:
        query = Query(COUNT, SearchOptions(reduce=False), problem.given_positions, problem.excluded_positions)
        prepared = prepare(problem, query, stop)
        if prepared.reason is not None:
            return Estimate(0, 0, 0, 0, 0, 0, 0.0, (f"no solution: {prepared.reason}",))
        matrix = prepared.matrix
        picked, _ = pick_engine(engine, matrix)
        tree = picked.tree(matrix, stop)
        if tree is None:
            raise EngineUnavailableError(f"engine {picked.name!r} has no tree that could be probed")
        _probe(tree, chance, probes, seen)
        trial = _Trial(stop, picked, matrix) if timed else None
    except Stopped:
        pass
    return seen.estimate(trial)


def format_number(number: Number | None) -> str:
    """Return a number as it is to be read, of whatever size.

    Examples
    --------
    >>> format_number(1234567.8), format_number(10**400), format_number(None)
    ('1,234,568', '1.00e+400', 'unknown')
    """
    if number is None:
        return "unknown"
    if abs(number) < 1e15:
        return f"{number:,.0f}"
    digits = str(round(Fraction(number) / 10 ** (power := _power(number)) * 100))
    return f"{digits[0]}.{digits[1:3]}e+{power + (len(digits) > 3)}"


def _power(number: Number) -> int:
    """Return the greatest whole power of ten that is not above a number of at least 1."""
    power = math.floor(math.log10(number))
    if 10**power > number:
        return power - 1
    return power + 1 if 10 ** (power + 1) <= number else power


def _probe(tree: Tree, chance: random.Random, probes: int, seen: _Seen) -> None:
    for _ in range(probes):
        seen.add(tree.probe(chance.getrandbits(64)))


class _Mean:
    """A mean of whole numbers and its standard error, both exact."""

    def __init__(self) -> None:
        self.number = self.sum = self.squares = self.largest = 0

    def add(self, value: int) -> None:
        self.number += 1
        self.sum += value
        self.squares += value * value
        self.largest = max(self.largest, value)

    def mean(self) -> Number:
        return _rounded(Fraction(self.sum, self.number))

    def spread(self) -> Number | None:
        if self.number < 2:
            return None
        variance = Fraction(self.number * self.squares - self.sum**2, self.number**2 * (self.number - 1))
        try:
            return math.sqrt(variance)
        except OverflowError:
            return math.isqrt(int(variance))

    def depends_on_one(self) -> bool:
        """Whether one value is more than all others together."""
        return self.number > 1 and 2 * self.largest > self.sum


def _rounded(number: Fraction) -> Number:
    try:
        return float(number)
    except OverflowError:
        return round(number)


class _Seen:
    """What probes come to."""

    def __init__(self) -> None:
        self.nodes, self.solutions = _Mean(), _Mean()
        self.successes = 0

    def add(self, steps: Sequence[ChoicePoint]) -> None:
        width, nodes, solutions = 1, 0, 0
        for children, seen, found in steps:
            width *= children
            nodes += width * seen
            solutions += width * found
        self.nodes.add(nodes)
        self.solutions.add(solutions)
        self.successes += solutions > 0

    def estimate(self, trial: _Trial | None) -> Estimate:
        none = trial is not None and trial.proves_none
        known = none or self.successes > 0
        nodes = self.nodes.mean() if self.nodes.number else None
        return Estimate(
            self.nodes.number,
            self.successes,
            nodes,
            self.nodes.spread(),
            self.solutions.mean() if self.successes else 0.0 if none else None,
            0.0 if none else self.solutions.spread() if known else None,
            None if trial is None or nodes is None else trial.seconds_for(nodes),
            tuple(self._doubts(known)),
        )

    def _doubts(self, known: bool) -> Iterable[str]:
        if not self.nodes.number:
            yield "there was no time for a probe"
            return
        if not known:
            yield "no probe met a solution, so nothing is known of their number"
        if self.nodes.number == 1:
            yield "a single probe has no spread"
        for name, mean in (("nodes", self.nodes), ("solutions", self.solutions)):
            if mean.depends_on_one():
                yield f"one probe stands for most of the {name}, so their number and its spread may be far too small"


class _Trial(InnerStop):
    """A short search, measured.

    Raises
    ------
    Stopped
        If the other stop says so.
    """

    def __init__(self, stop: Stop, engine: Engine, matrix: Matrix) -> None:
        super().__init__(stop)
        self._run: Run | None = None
        began = self._searching = time.perf_counter()
        run = engine.start(matrix, self)
        self._searching, self._run = time.perf_counter(), run
        self._setup = self._searching - began
        try:
            found, self._ended = run.count(), True
        except Stopped:
            stop.poll()
            found, self._ended = run.solutions, False
        finally:
            run.close()
        self._took, self._nodes = time.perf_counter() - self._searching, run.nodes
        self.proves_none = self._ended and found == 0 and run.nodes <= _SURE

    def poll(self) -> None:
        super().poll()
        if self._run is None:
            return
        took = time.perf_counter() - self._searching
        if took >= _LONG or (took >= _SHORT and self._run.nodes >= _SURE):
            raise Stopped(Status.TIMEOUT)

    def seconds_for(self, nodes: Number) -> Number | None:
        """Return how long a search of so many nodes takes."""
        if self._ended:
            return self._setup + self._took
        if not self._nodes:
            return None
        return _rounded(Fraction(self._setup) + Fraction(self._took) * Fraction(nodes) / self._nodes)
