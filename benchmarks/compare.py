"""Count by search, side by side: this package's engines and any program that reads ``.dlx``.

    python benchmarks/compare.py --program dlx1=/path/to/dlx1 --program ssxcc=/path/to/ssxcc

Every contestant visits every leaf of its tree; none keeps a memo. They run in turn, several rounds, in one
run; the table gives medians of seconds and the ratio of the quickest program to the first engine. An engine's
time goes from a Problem to the number; a program's is that of its process, which reads the problem as text
(about a millisecond for these). A program counts only where the number it reports is right.
"""

from __future__ import annotations

import argparse
import math
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from exactcover import Problem
from exactcover.engines import ENGINES
from exactcover.formats import dlx
from suite import SUITE

Contestant = Callable[[], int | None]


def main() -> None:
    options = _arguments()
    ratios: list[float] = []
    rows: list[list[str]] = []
    programs = dict(one.split("=", 1) for one in options.program)
    names = [*options.engine, *programs]
    with tempfile.TemporaryDirectory() as folder:
        for problem_name, (make, expected) in SUITE.items():
            if options.only and not re.search(options.only, problem_name):
                continue
            problem = make()
            file = Path(folder) / "problem.dlx"
            with file.open("w", encoding="ascii") as out:
                dlx.write(problem, out, short=True)
            contestants = {name: _engine(problem, name) for name in options.engine}
            contestants |= {name: _program(path, file, options.timeout) for name, path in programs.items()}
            seconds = _race(contestants, expected, options.rounds)
            ratio = _ratio(seconds, options.engine[0], programs)
            if ratio is not None and min(seconds[name] for name in programs if name in seconds) >= 0.01:
                ratios.append(ratio)
            cells = [f"{seconds[name]:.4f}" if name in seconds else "-" for name in names]
            rows.append([problem_name, str(expected), *cells, "-" if ratio is None else f"{ratio:.1f}"])
            print(*rows[-1], sep="\t", file=sys.stderr, flush=True)
    for line in _table(["problem", "solutions", *names, "ratio"], rows):
        print(line)
    if ratios:
        mean = math.exp(statistics.fmean(map(math.log, ratios)))
        print(f"\nWhere the quickest program takes 10 ms or more: geometric mean {mean:.1f}, least {min(ratios):.1f}.")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", action="append", default=[], metavar="NAME=PATH", help="a program that reads .dlx")
    parser.add_argument("--engine", action="append", help="an engine of this package; by default the quickest")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", metavar="REGEX", help="problems whose names match")
    parser.add_argument("--timeout", type=float, default=120, help="seconds a program may take")
    options = parser.parse_args()
    options.engine = options.engine or [next(iter(ENGINES))]
    return options


def _engine(problem: Problem, name: str) -> Contestant:
    return lambda: problem.count(engine=name)


def _program(path: str, file: Path, timeout: float) -> Contestant:
    """Run a program and read the number from the words "... N solutions" in what it prints."""

    def run() -> int | None:
        with file.open("rb") as source:
            try:
                done = subprocess.run([path, "v1"], stdin=source, capture_output=True, text=True, timeout=timeout)
            except subprocess.TimeoutExpired:
                return None
        match = re.search(r"(\d+) solutions?", done.stdout + done.stderr)
        return int(match[1]) if match else None

    return run


def _race(contestants: dict[str, Contestant], expected: int, rounds: int) -> dict[str, float]:
    """Return the median of each contestant's seconds; one that is wrong once is out."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name in list(times):
            began = time.perf_counter()
            number = contestants[name]()
            times[name].append(time.perf_counter() - began)
            if number != expected:
                print(f"{name}: {number} instead of {expected}", file=sys.stderr)
                del times[name]
    return {name: statistics.median(seconds) for name, seconds in times.items()}


def _ratio(seconds: dict[str, float], engine: str, programs: dict[str, str]) -> float | None:
    others = [seconds[name] for name in programs if name in seconds]
    return min(others) / seconds[engine] if others and engine in seconds else None


def _table(head: list[str], rows: list[list[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


if __name__ == "__main__":
    main()
