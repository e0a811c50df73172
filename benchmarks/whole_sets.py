"""Disciplines that need not visit solutions: counting with sweeps, memos and diagrams, and the memory for it."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import partial
from math import isqrt
from typing import Any

import libraries
from contest import Contestant, Row, race
from disciplines import Suite, apart, chosen, measure_peaks, programs, written
from exactcover import Problem
from problems import Loops
from suite import SETS

Counter = Callable[[Problem], int]

_WRAPS = 1 << 64
"""DLX6 counts modulo this number, so only the remainders are compared."""
_TINY = Problem({"A": [1]})
"""Counted before anything is measured, so that all code is loaded and compiled."""
_HEURISTICS = ("leftmost", "MRV")
LOOPS: Suite = {
    name: (Loops(board=name).problem, number)
    for name, number in {
        "5x5": 1222363,
        "6x6": 487150371,
        "7x7": 603841648931,
        "8x8": 2318527339461265,
        "9x9": 27359264067916806101,
    }.items()
}
"""Sequence A140517 of the OEIS."""


def counts(options: argparse.Namespace) -> list[Row]:
    """The number of solutions by any method; xcover, once compiled, uses its memo and sums up its diagram."""
    counters: dict[str, Counter] = {}
    if libraries.is_there("xcover"):
        counters = {f"xcover {heuristic}": partial(_xcover, heuristic=heuristic) for heuristic in _HEURISTICS}
    for count in (Problem.count, *counters.values()):
        count(_TINY)
    return _race(SETS, options, counters)


def loops(options: argparse.Namespace) -> list[Row]:
    """The number of simple cycles along the lines of n x n cells, by one thread each; Graphillion builds a diagram."""
    return _race(LOOPS, options, {"Graphillion": _graphillion} if libraries.is_there("graphillion") else {})


def _race(suite: Suite, options: argparse.Namespace, counters: Mapping[str, Counter]) -> list[Row]:
    """Let all count, each in a process of its own."""
    rows = []
    for name in chosen(suite, options):
        make, expected = suite[name]
        problem = make()
        with nullcontext() if problem.rules else written(problem) as file:
            ours: dict[str, Contestant] = {"exactcover": partial(_apart, problem, Problem.count, options)}
            runs = {} if file is None else programs(options, file, "m0")  # which know no rules
            peers: dict[str, Contestant] = {each: partial(_timed, run) for each, run in runs.items()}
            peers |= {each: partial(_apart, problem, counter, options) for each, counter in counters.items()}
            rows.append(race(name, ours, peers, expected % _WRAPS, options.rounds, clock=False))
        rows[-1].expected = expected
    return rows


def _graphillion(problem: Problem) -> int:
    """Count the cycles of a grid, whose lines are known by their number: 2 n (n + 1)."""
    import graphillion
    from graphillion import tutorial

    side = isqrt(len(problem.secondary) // 2)
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

    more: dict[str, Any] = libraries.secondary(problem)
    rows = libraries.rows(problem)
    found, last = {0: 0, 1: 1}, 0
    for number, _, lo, hi in covers_zdd(rows, use_memo_cache=True, choose_heuristic=heuristic, **more):
        found[number] = found[lo] + found[hi]
        last = number
    return found[last]


def _apart(problem: Problem, count: Counter, options: argparse.Namespace) -> tuple[object, float]:
    """Count in a separate process that measures its own time; short runs are repeated, and the second is measured."""
    done = apart(partial(_warm, count, problem), options.timeout)
    return (None, 0.0) if done is None else (done[0] % _WRAPS, done[1])


def _warm(count: Counter, problem: Problem) -> tuple[int, float]:
    found, seconds = _clocked(count, problem)
    return _clocked(count, problem) if seconds < 1 else (found, seconds)


def _timed(run: Contestant) -> tuple[object, float]:
    found, seconds = _clocked(run)
    return (found % _WRAPS if isinstance(found, int) else None), seconds


def _clocked(run: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    began = time.perf_counter()
    return run(*arguments), time.perf_counter() - began
