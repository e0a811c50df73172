"""Disciplines that need not visit solutions: counting with sweeps, memos and diagrams, and the memory for it."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import libraries
from contest import Contestant, Row, race
from disciplines import apart, chosen, measure_peaks, programs, written
from exactcover import Problem
from problems import Loops
from suite import SETS

T = TypeVar("T")

_WRAPS = 1 << 64
"""DLX6 counts modulo this number, so only the remainders are compared."""
_TINY = Problem({"A": [1]})
"""Counted before anything is measured, so that all code is loaded and compiled."""
_HEURISTICS = ("leftmost", "MRV")
LOOPS = {
    "5x5": 1222363,
    "6x6": 487150371,
    "7x7": 603841648931,
    "8x8": 2318527339461265,
    "9x9": 27359264067916806101,
}
"""Sequence A140517 of the OEIS."""


def counts(options: argparse.Namespace) -> list[Row]:
    """The number of solutions by any method; xcover, once compiled, uses its memo and sums up its diagram."""
    rows = []
    Problem.count(_TINY)
    for name in chosen(SETS, options):
        make, expected = SETS[name]
        problem = make()
        with written(problem) as file:
            ours: dict[str, Contestant] = {"exactcover": partial(_apart, problem, Problem.count, options)}
            peers: dict[str, Contestant] = {
                each: partial(_timed, run) for each, run in programs(options, file, "m0").items()
            }
            if libraries.is_there("xcover"):
                for heuristic in _HEURISTICS:
                    _xcover(_TINY, heuristic)
                    counter = partial(_xcover, heuristic=heuristic)
                    peers[f"xcover {heuristic}"] = partial(_apart, problem, counter, options)
            rows.append(race(name, ours, peers, expected % _WRAPS, options.rounds, clock=False))
        rows[-1].expected = expected
    return rows


def loops(options: argparse.Namespace) -> list[Row]:
    """The number of simple cycles along the lines of n x n cells, by one thread each; Graphillion builds a diagram."""
    rows = []
    for name in chosen(LOOPS, options):
        side, problem = int(name.partition("x")[0]), Loops(board=name).problem()
        peers: dict[str, Contestant] = {}
        if libraries.is_there("graphillion"):
            peers["Graphillion"] = partial(_apart, side, _graphillion, options)
        ours: dict[str, Contestant] = {"exactcover": partial(_apart, problem, Problem.count, options)}
        rows.append(race(name, ours, peers, LOOPS[name] % _WRAPS, options.rounds, clock=False))
        rows[-1].expected = LOOPS[name]
    return rows


def _graphillion(side: int) -> int:
    import graphillion
    from graphillion import tutorial

    graphillion.GraphSet.set_universe(tutorial.grid(side, side))
    return int(graphillion.GraphSet.cycles().len())


def memory(options: argparse.Namespace) -> list[Row]:
    """Peak memory of whole processes for the same work, in MB, without interpreter, imports and compilation."""
    ways = {"exactcover": "problem.count()"}
    if libraries.is_there("xcover"):
        ways |= {f"xcover {one}": f"whole_sets._xcover(problem, {one!r})" for one in _HEURISTICS}
    return measure_peaks("SETS", SETS, options, ways, ["v1", "m0"])


def _xcover(problem: Problem, heuristic: str) -> int:
    """Sum up the diagram that xcover builds, node by node."""
    from xcover import covers_zdd

    secondary = list(range(len(problem.primary), len(problem.items)))
    more: dict[str, Any] = {"secondary": secondary} if secondary else {}
    rows = libraries.rows(problem)
    found, last = {0: 0, 1: 1}, 0
    for number, _, lo, hi in covers_zdd(rows, use_memo_cache=True, choose_heuristic=heuristic, **more):
        found[number] = found[lo] + found[hi]
        last = number
    return found[last]


def _apart(problem: T, count: Callable[[T], int], options: argparse.Namespace) -> tuple[object, float]:
    """Count in a separate process that measures its own time; short runs are repeated, and the second is measured."""
    done = apart(partial(_warm, count, problem), options.timeout)
    return (None, 0.0) if done is None else (done[0] % _WRAPS, done[1])


def _warm(count: Callable[[T], int], problem: T) -> tuple[int, float]:
    found, seconds = _clocked(count, problem)
    return _clocked(count, problem) if seconds < 1 else (found, seconds)


def _timed(run: Contestant) -> tuple[object, float]:
    found, seconds = _clocked(run)
    return (found % _WRAPS if isinstance(found, int) else None), seconds


def _clocked(run: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    began = time.perf_counter()
    return run(*arguments), time.perf_counter() - began
