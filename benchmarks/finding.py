"""The discipline `finding`: one solution or the proof that there is none, by all ways together and by each alone."""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import psutil

from contest import Contestant, Row, race
from disciplines import apart, chosen
from exactcover import Goal, Problem, SearchOptions, Status
from exactcover.control.memory import resident_memory
from exactcover.control.policy import DEFAULT_POLICY, CountingPolicy
from exactcover.control.stop import Stop
from exactcover.engines.base import ENGINES
from exactcover.model.clauses import list_clauses
from exactcover.search.query import Query
from exactcover.search.search import Search
from finding_problems import FINDING
from libraries import is_there

SOLVE = "solve"
"""This package as people call it."""
WAYS = {
    "search": SearchOptions(engine="native"),
    "restarts": SearchOptions(engine="native", restarts=True),
    "leftmost": SearchOptions(engine="native", heuristic="leftmost"),
    "learning": SearchOptions(engine="learning"),
}
"""The single ways, which do not try weights as a reason why there is no solution."""

FOUND, NONE, WRONG = "a solution", "no solution", "a wrong solution"

_LEAST = 0.1
"""Seconds. If the best single way takes less, a problem does not count for ratios."""
_BAD = 3
"""Problems on which we take this many times as long as the best single way are named."""
_NO_WEIGHTS = replace(DEFAULT_POLICY, weight_work=0)
_MAX_MEMORY = 6 << 30  # bytes of address space
_GRACE = 2  # seconds after the limit in which a process may still report its work
_TINY = Problem({"A": [1]})
"""Solved before anything is measured, so that all code is loaded."""


@dataclass
class Report:
    """What a process did: positions of options, None for the proof that there are none; seconds; nodes or conflicts."""

    solution: tuple[int, ...] | None = None
    is_done: bool = False
    seconds: float = 0.0
    work: str = ""
    memory: float = 0.0
    error: str = ""


Finder = Callable[[Problem, float], Report]
"""Looks for a solution of a problem for some seconds."""


def finding(options: argparse.Namespace) -> list[Row]:
    """One solution, or the proof that there is none; every contestant runs in a process of its own."""
    rows = []
    finders = _list_finders()
    for name in chosen(FINDING, options):
        make, is_solvable = FINDING[name]
        problem = make()
        reports: dict[str, list[Report]] = {each: [] for each in finders}
        entries: dict[str, Contestant] = {
            each: partial(_take_turn, problem, finder, options.timeout, reports[each])
            for each, finder in finders.items()
        }
        ours = {each: entries.pop(each) for each in (SOLVE, *WAYS) if each in entries}
        row = race(name, ours, entries, FOUND if is_solvable else NONE, options.rounds, clock=False)
        row.notes = {each: _describe(reports[each]) for each in finders}
        rows.append(row)
    return rows


def summarize(rows: Sequence[Row], ours: str) -> str:
    """Return how many problems each contestant solves, and how we compare with the best single way for each."""
    names = dict.fromkeys(name for row in rows for name in row.notes)
    solved = ", ".join(f"{name} {sum(name in row.seconds for row in rows)}" for name in names)
    best = {row.name: min((row.seconds[way] for way in WAYS if way in row.seconds), default=None) for row in rows}
    lost = [row.name for row in rows if ours not in row.seconds and best[row.name] is not None]
    ratios = {
        row.name: row.seconds[ours] / seconds
        for row in rows
        if ours in row.seconds and (seconds := best[row.name]) is not None and seconds >= _LEAST
    }
    lines = [f"Solved, of {len(rows)}: {solved}."]
    if ratios:
        mean = statistics.geometric_mean(ratios.values())
        worst = max(ratios, key=lambda name: ratios[name])
        lines.append(
            f"The time of `{ours}` by that of the best single way, on the {len(ratios)} problems that both solve and "
            f"that take the way {_LEAST} s or more: geometric mean {mean:.2f}, worst {ratios[worst]:.1f} ({worst})."
        )
    else:
        lines.append(f"No problem took the best single way {_LEAST} s or more.")
    slow = [f"{name} ({ratio:.1f})" for name, ratio in ratios.items() if ratio > _BAD]
    lines += [f"More than {_BAD} times as long: {'; '.join(slow)}."] if slow else []
    lines += [f"Solved by a single way alone: {'; '.join(lost)}."] if lost else []
    return "\n".join(lines)


def _list_finders() -> dict[str, Finder]:
    """Return the contestants that are installed."""
    ours: dict[str, Finder] = {SOLVE: partial(_search, SearchOptions(), DEFAULT_POLICY)}
    ours |= {way: partial(_search, options, _NO_WEIGHTS) for way, options in WAYS.items() if options.engine in ENGINES}
    if is_there("pysat"):
        ours["CaDiCaL"] = _cadical
    if "cpsat" in ENGINES:
        ours["CP-SAT"] = partial(_search, SearchOptions(engine="cpsat"), _NO_WEIGHTS)
    return ours


def _search(options: SearchOptions, policy: CountingPolicy, problem: Problem, timeout: float) -> Report:
    began = time.perf_counter()
    search = Search(problem, Query(Goal("first", 1), options, policy=policy), Stop(timeout))
    solution = next(search.positions(), None)
    seconds = time.perf_counter() - began
    statistics = search.statistics
    winner = statistics.details.get("won by")
    work = f"{statistics.nodes:,} nodes{f', {winner}' if winner else ''}"
    if options.engine == "learning":
        work = f"{statistics.details.get('conflicts', 0):,} conflicts"
    return Report(solution, solution is not None or search.status is Status.UNSATISFIABLE, seconds, work)


def _cadical(problem: Problem, timeout: float) -> Report:
    """CaDiCaL on clauses of linear number; the process is killed after the timeout."""
    from pysat.solvers import Cadical153

    began = time.perf_counter()
    with Cadical153(bootstrap_with=list_clauses(problem.matrix)) as solver:
        model = solver.get_model() if solver.solve() else None
        seconds, conflicts = time.perf_counter() - began, solver.accum_stats()["conflicts"]
    options = len(problem.labels)
    solution = None if model is None else tuple(literal - 1 for literal in model[:options] if literal > 0)
    return Report(solution, True, seconds, f"{conflicts:,} conflicts")


def _take_turn(problem: Problem, finder: Finder, timeout: float, reports: list[Report]) -> tuple[object, float]:
    """Return what a finder finds in a process of its own, and the seconds; add its report to `reports`."""
    report = apart(
        partial(_report, finder, problem, timeout),
        timeout + _GRACE,
        lambda status: Report(error=f"an end with status {status}"),
    )
    report = report or Report()
    reports.append(report)
    if report.error:
        return report.error, 0.0
    if not report.is_done or report.seconds > timeout:
        return None, timeout
    if report.solution is None:
        return NONE, report.seconds
    verdict = problem.verify([problem.labels[position] for position in report.solution])
    return FOUND if verdict else WRONG, report.seconds


def _report(finder: Finder, problem: Problem, timeout: float) -> Report:
    """Return the report of a finder; what a process of its own does."""
    try:
        resource.setrlimit(resource.RLIMIT_AS, (_MAX_MEMORY, _MAX_MEMORY))
        finder(_TINY, timeout)
        before = resident_memory()
        report = finder(problem, timeout)
        report.memory = max(0.0, _find_peak() - before) / (1 << 20)
    except Exception as error:
        report = Report(error=f"an error: {error!r}")
    return report


def _find_peak() -> float:
    """Return the most memory that this process, and about the most that one that it has started, has held, in bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    own, ended = (resource.getrusage(who).ru_maxrss * unit for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    running = [child.memory_info().rss for child in psutil.Process().children()]
    return float(own + max(ended, *running, 0))


def _describe(reports: Sequence[Report]) -> str:
    """Return the work and the memory of the last report in parentheses; nothing if the process was killed."""
    last = reports[-1]
    return f" ({last.work}, {last.memory:.0f} MB)" if last.work else ""
