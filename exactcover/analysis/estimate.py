"""Estimates of the size of a search and the time that it will take, by random probes of its tree.

A probe goes down from the root, each time to a random child. If the nodes on its path have d1, d2, ... children, a tree
with these numbers everywhere would have 1 + d1 + d1 d2 + ... nodes. The expected value of this sum is the number of
nodes of the tree. A probe that ends in a solution stands for d1 d2 ... solutions. The engine itself makes the probes,
and returns what it counts on the path, so the result estimates the numbers that a listing by this engine reports.

A count is often much shorter than a listing, in ways that probes do not see. So it is tried for a moment.

References
----------
D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29 (1975).
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from exactcover.control.arguments import check_arguments, read_whole
from exactcover.control.options import COUNT, Goal, SearchOptions
from exactcover.control.statistics import Statistics, Status
from exactcover.control.stop import InnerStop, Stop, Stopped, make_stop
from exactcover.engines.base import ENGINES, Engine, MatrixQuery, check_engine_name, pick_engine
from exactcover.engines.cursor import ROOT, ChoicePoint, EngineRun
from exactcover.errors import EngineUnavailableError, StoppedError
from exactcover.model.matrix import Matrix
from exactcover.problem import Cost, Label, Problem
from exactcover.search.query import Query, prepare

Number: TypeAlias = float | int
"""A float, or a whole number that is too large for a float."""

_SMALL_TREE = 4096  # nodes; trees that are not larger are searched to the end if there is time
_COUNT_SECONDS = 0.5  # seconds that a count is tried
_MIN_EXPLORED = 1e-4  # share of a count from which its time can be told
_SHORTEST, _LONGEST = 0.02, 0.3  # seconds that a measured search takes at least, unless it ends, and at most


@dataclass(frozen=True)
class Estimate:
    """The result of the probes; a spread is the standard error of a mean.

    Attributes
    ----------
    probes, successes
        The number of probes, and how many of them found a solution.
    nodes, nodes_spread
        How many nodes a search visits that lists all solutions with the same engine. Both are None without a probe; the
        spread is None for a single probe.
    solutions, solutions_spread
        How many solutions there are. Both are None if no probe found a solution. They are 0 if a search has proved that
        there is none.
    seconds
        How many seconds a search takes on this machine that visits all solutions with the same engine, extrapolated
        from a search of some milliseconds; or the time of that search, if it ended. None if there was no time to
        measure. It is ignored in comparisons.
    count_seconds, counted
        How many seconds a count takes on this machine, which need not visit all solutions; and whether a count was
        tried and ended, so that this is its time. Otherwise it is extrapolated from the share that a count explored in
        half a second; None if that was too little, or there was no time. Both are ignored in comparisons.
    best, bound, cheapest_seconds, tried_cheapest
        For problems with costs: what the best solution costs that a search for the cheapest one found in half a second;
        what every solution costs at least, which is exact; how many seconds the search took, if it ended; and whether
        it was tried. All are ignored in comparisons.
    doubts
        Sentences about the limits of these numbers; may be empty.
    """

    probes: int
    successes: int
    nodes: Number | None
    nodes_spread: Number | None
    solutions: Number | None
    solutions_spread: Number | None
    seconds: Number | None = field(default=None, compare=False)
    doubts: tuple[str, ...] = ()
    count_seconds: Number | None = field(default=None, compare=False)
    counted: bool = field(default=False, compare=False)
    best: Cost | None = field(default=None, compare=False)
    bound: Cost | None = field(default=None, compare=False)
    cheapest_seconds: Number | None = field(default=None, compare=False)
    tried_cheapest: bool = field(default=False, compare=False)


@check_arguments
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
    """Estimate the numbers of nodes and solutions by random probes, and the times of a listing and of a count.

    Parameters
    ----------
    problem
        The problem to estimate.
    probes
        The number of probes, at least 1; there are fewer if `stop` ends them.
    seed
        The seed of the random numbers; the probes depend only on it.
    given, engine
        Further givens, and the engine, as for :meth:`Problem.solve`.
    stop
        Ends the probes; the estimate then uses those made so far.
    timed
        Whether to measure a short search and a short count as well, which give the times and may prove that there is
        no solution.

    Returns
    -------
    Estimate
        Its means are unbiased. If only a few paths are deep, the spread can be far too small, because the probes may
        have missed these paths.

    Raises
    ------
    ValueError
        If `probes` is less than 1.
    ProblemError
        If a label is unknown.
    EngineUnavailableError
        If there is no such engine, it cannot search the problem, or its tree cannot be probed.

    Examples
    --------
    >>> from problems import Queens
    >>> result = estimate(Queens(n=8).problem(), probes=2000)
    >>> abs(result.solutions - 92) < 3 * result.solutions_spread
    True
    """
    probes = read_whole("probes", probes, 1)
    check_engine_name(engine)
    problem = problem.instance(given)
    stop, generator = make_stop(stop=stop), random.Random(seed)
    paths, trial = list[tuple[int, int]](), None
    count_seconds, counted = None, False
    tried: Statistics | None = None
    ended = False
    try:
        query = Query(COUNT, SearchOptions(reduce=False), problem.given_positions, problem.excluded_positions)
        prepared = prepare(problem, query, stop)
        if prepared.reason is not None:
            return Estimate(0, 0, 0, 0, 0, 0, 0.0, (f"no solution: {prepared.reason}",), 0.0, counted=True)
        matrix = prepared.matrix
        picks_freely = engine == "auto" and matrix.rules  # a search would pick one without a tree
        picked, _ = pick_engine(next(e.name for e in ENGINES.values() if e.divides) if picks_freely else engine, matrix)
        if not picked.divides:
            raise EngineUnavailableError(f"engine {picked.name!r} has no tree that can be probed")
        cursor = picked.cursor(matrix, stop)
        for _ in range(probes):
            paths.append(_weigh_path(cursor.probe(ROOT, generator.getrandbits(64), listing=True)))
        if timed:
            trial = _TrialSearch(stop, picked, matrix)
            count_seconds, counted = _try_count(problem, engine, stop)
            if any(problem.matrix.costs):
                tried, ended = _try_cheapest(problem, engine, stop)
    except Stopped:
        pass
    made = replace(_make_estimate(paths, trial), count_seconds=count_seconds, counted=counted)
    if tried is None:
        return made
    seconds = tried.seconds if ended else None
    return replace(made, best=tried.best, bound=tried.bound, cheapest_seconds=seconds, tried_cheapest=True)


def _try_count(problem: Problem, engine: str, stop: Stop) -> tuple[Number | None, bool]:
    """Count for a moment; return the time of the whole count if it can be told, and whether the count ended."""
    search = problem.search(COUNT, SearchOptions(engine=engine), stop=InnerStop(stop, _COUNT_SECONDS))
    try:
        search.count()
    except StoppedError:
        stop.poll()
        done = search.statistics
        return (done.seconds / done.explored if done.explored >= _MIN_EXPLORED else None), False
    return search.statistics.seconds, True


def _try_cheapest(problem: Problem, engine: str, stop: Stop) -> tuple[Statistics | None, bool]:
    """Search for the cheapest solution for a moment; return what is known then, and whether the search ended."""
    search = problem.search(Goal("cheapest", 1), SearchOptions(engine=engine), stop=InnerStop(stop, _COUNT_SECONDS))
    try:
        for _ in search:
            pass
    except EngineUnavailableError:  # it does not minimize costs
        return None, False
    stop.poll()
    return search.statistics, not search.status.stopped


def format_number(number: Number | None, *, rounded: bool = False) -> str:
    """Return a number of any size in a readable form; a rounded one has two digits that are not zero.

    Examples
    --------
    >>> format_number(1234567.8), format_number(10**400), format_number(None), format_number(1496666, rounded=True)
    ('1,234,568', '1.00e+400', 'unknown', '1,500,000')
    """
    if number is None:
        return "unknown"
    if rounded and number >= 1:
        number = int(Decimal(f"{Decimal(round(number)):.1e}"))
    return f"{number:,.0f}" if abs(number) < 1e15 else f"{Decimal(number):.2e}"


def _find_mean(values: Sequence[int]) -> Number:
    return _round(Fraction(sum(values), len(values)))


def _find_spread(values: Sequence[int]) -> Number | None:
    """Return the standard error of a mean, from exact sums."""
    number = len(values)
    if number < 2:
        return None
    squares = sum(value * value for value in values)
    variance = Fraction(number * squares - sum(values) ** 2, number**2 * (number - 1))
    try:
        return math.sqrt(variance)
    except OverflowError:
        return math.isqrt(int(variance))


def _round(number: Fraction) -> Number:
    try:
        return float(number)
    except OverflowError:
        return round(number)


def _weigh_path(path: Sequence[ChoicePoint]) -> tuple[int, int]:
    """Return the numbers of nodes and of solutions for which a path stands."""
    width, nodes, solutions = 1, 0, 0
    for children, nodes_here, solutions_here in path:
        width *= children
        nodes += width * nodes_here
        solutions += width * solutions_here
    return nodes, solutions


def _make_estimate(paths: Sequence[tuple[int, int]], trial: _TrialSearch | None) -> Estimate:
    nodes, solutions = ([path[place] for path in paths] for place in (0, 1))
    none, successes = trial is not None and trial.proves_none, sum(map(bool, solutions))
    known = none or successes > 0
    mean = _find_mean(nodes) if nodes else None
    return Estimate(
        len(paths),
        successes,
        mean,
        _find_spread(nodes),
        _find_mean(solutions) if successes else 0.0 if none else None,
        0.0 if none else _find_spread(solutions) if known else None,
        None if trial is None or mean is None else trial.seconds_for(mean),
        tuple(_list_doubts({"nodes": nodes, "solutions": solutions}, known)),
    )


def _list_doubts(estimated: Mapping[str, Sequence[int]], known: bool) -> Iterator[str]:
    number = len(estimated["nodes"])
    if not number:
        yield "there was no time for a probe"
        return
    if not known:
        yield "no probe found a solution, so nothing is known about the number of solutions"
    if number == 1:
        yield "one probe gives no standard error"
    for name, values in estimated.items():
        if number > 1 and 2 * max(values) > sum(values):
            yield (
                f"one probe accounts for most of the estimate of the {name}, "
                "so the estimate and its error may be far too small"
            )


class _TrialSearch(InnerStop):
    """A short search whose time is measured, and which is its own stop.

    Its constructor raises ``Stopped`` only if the outer stop asks for it.
    """

    def __init__(self, stop: Stop, engine: Engine, matrix: Matrix) -> None:
        super().__init__(stop)
        self._run: EngineRun | None = None
        setup_start = self._search_start = time.perf_counter()
        run = engine.start(MatrixQuery(matrix, self))
        self._search_start, self._run = time.perf_counter(), run
        self._setup_seconds = self._search_start - setup_start
        try:
            found, self._ended = sum(1 for _ in run), True
        except Stopped:
            stop.poll()
            found, self._ended = run.solutions, False
        finally:
            run.close()
        self._search_seconds, self._nodes = time.perf_counter() - self._search_start, run.nodes
        self.proves_none = self._ended and found == 0 and run.nodes <= _SMALL_TREE

    def poll(self) -> None:
        super().poll()
        if self._run is None:
            return
        elapsed = time.perf_counter() - self._search_start
        if elapsed >= _LONGEST or (elapsed >= _SHORTEST and self._run.nodes >= _SMALL_TREE):
            raise Stopped(Status.TIMEOUT)

    def seconds_for(self, nodes: Number) -> Number | None:
        """Return the time of a search of this many nodes in seconds, or None if nothing could be measured."""
        if self._ended:
            return self._setup_seconds + self._search_seconds
        if not self._nodes:
            return None
        seconds_per_node = Fraction(self._search_seconds) / self._nodes
        return _round(Fraction(self._setup_seconds) + seconds_per_node * Fraction(nodes))
