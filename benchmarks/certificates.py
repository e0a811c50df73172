"""Measure what certificates cost: seconds without and with one, its size, and how long the quick checker takes.

    python benchmarks/certificates.py            # the table of docs/benchmarks.md
    python benchmarks/certificates.py --configurations    # certify the count of each bundled configuration

With --configurations, every certificate is checked by check.py as well if it has at most a million nodes. A
configuration whose count takes longer than --seconds is left out, and named. The exit status is 1 if a certificate is
refused or a number differs from that without a certificate, or from what is stated.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).parent))  # python -P leaves it out
from exactcover import Problem, SearchOptions, StoppedError
from exactcover.certificates.certify import certify_cheapest, certify_classes, certify_count
from exactcover.certificates.check import Proof, check
from exactcover.certificates.quick import QuickProof
from exactcover.config.configuration import Configuration, read_file
from exactcover.control.stop import Stop, Stopped
from exactcover.encoders.discovery import find_configs
from families import set_partitioning
from problems import Polyomino
from suite import SUITE, dominoes

_MAX_NODES = 1_000_000
_LONG = 10.0  # seconds
_Result = TypeVar("_Result")


def _read(name: str) -> Configuration:
    return read_file(find_configs()[name], ())


def _configured(name: str) -> Problem:
    return _read(name).encoder.problem()


@dataclass(frozen=True)
class _Row:
    """What is certified: a problem, and how it is counted."""

    problem: Callable[[], Problem]
    options: SearchOptions = field(default_factory=SearchOptions)
    cheapest: bool = False

    def answer(self, problem: Problem, seconds: float) -> int:
        """Return the number of solutions, or the least cost if that is wanted, without a certificate."""
        if self.cheapest:
            return _find_cost(problem, list(problem.cheapest().positions()))
        return problem.count(timeout=seconds, options=self.options)

    def certify(self, problem: Problem, path: Path, seconds: float) -> int:
        """Return the same with a certificate, which is written to a file."""
        with path.open("wb") as file:
            if self.cheapest:
                solutions = list(problem.cheapest().positions())
                certify_cheapest(file, problem, solutions, 1)
                return _find_cost(problem, solutions)
            certify = certify_classes if self.options.distinct else certify_count
            return certify(file, problem, self.options, stop=Stop(timeout=seconds))


def _find_cost(problem: Problem, solutions: list[tuple[int, ...]]) -> int:
    return int(problem.cost([problem.labels[position] for position in solutions[0]]))


_ROWS = {
    "pentominoes 6x10": _Row(SUITE["pentominoes 6x10"][0]),
    "pentominoes 8x8 without centre": _Row(SUITE["pentominoes 8x8 without centre"][0]),
    "queens 12": _Row(SUITE["queens 12"][0]),
    "Soma cube": _Row(SUITE["Soma cube"][0]),
    "Soma cube, without symmetry": _Row(SUITE["Soma cube"][0], SearchOptions(symmetry=False)),
    "Soma cube, classes": _Row(SUITE["Soma cube"][0], SearchOptions(distinct=True)),
    "dominoes 16x16": _Row(partial(dominoes, 16)),
    "MacMahon squares 4x6": _Row(partial(_configured, "macmahon_4x6.yaml")),
    "fourteen bars": _Row(partial(_configured, "fourteen_bars.yaml")),
    "dominoes 20x20 without two corners": _Row(
        Polyomino("20x20", "dominoes", copies="any", holes=((1, 1), (20, 20))).problem
    ),
    "set partitioning, 24 items": _Row(lambda: set_partitioning(24, 200, 3), cheapest=True),
    "set partitioning, 28 items": _Row(lambda: set_partitioning(28, 300, 1), cheapest=True),
    "set partitioning, 32 items": _Row(lambda: set_partitioning(32, 400, 2), cheapest=True),
}


class _Visits(QuickProof):
    """A quick proof whose visits are remembered."""

    last: QuickProof

    def __init__(self, *args: object, **flags: object) -> None:
        super().__init__(*args, **flags)  # type: ignore[arg-type]
        _Visits.last = self


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--configurations", action="store_true")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", metavar="REGEX", default="", help="only the problems whose names match")
    options = parser.parse_args()
    rows = {name: _Row(partial(_configured, name)) for name in find_configs()} if options.configurations else _ROWS
    print("| problem | without | with | factor | size | nodes | checked in | a node |")
    print(f"|{'---|' * 8}")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate"
        for name, row in rows.items():
            if re.search(options.only, name):
                known = _read(name).known.solutions if options.configurations else None
                failed |= not _print_line(name, row, path, known, options)
    return int(failed)


def _print_line(name: str, row: _Row, path: Path, known: int | None, options: argparse.Namespace) -> bool:
    """Print what the certificate of a problem costs; return whether it states the same number, and what is known."""
    problem = row.problem()
    try:
        expected, without = _measure(partial(row.answer, problem, options.seconds), options.rounds)
        found, with_one = _measure(partial(row.certify, problem, path, 4 * options.seconds), options.rounds)
    except (Stopped, StoppedError):
        print(
            f"{name}: no number within {options.seconds:.0f} s, or no certificate within four times as long", flush=True
        )
        return True
    _, checked = _measure(partial(check, str(path), _Visits), options.rounds)
    visited = _Visits.last.visited
    if options.configurations and visited <= _MAX_NODES:
        check(str(path), Proof)
    each = f"{1e6 * checked / visited:.2f} µs" if visited > 1000 else ""
    print(
        f"| {name} | {without:.3f} s | {with_one:.3f} s | {with_one / without:.1f} | {path.stat().st_size:,} "
        f"| {visited:,} | {checked:.3f} s | {each} |",
        flush=True,
    )
    is_right = found == expected and known in (None, found)
    if not is_right:
        print(f"{name}: {found} with a certificate, {expected} without; known: {known}", file=sys.stderr)
    return is_right


def _measure(work: Callable[[], _Result], rounds: int) -> tuple[_Result, float]:
    """Return the result of some work and its median time; work that takes long is done once."""
    times: list[float] = []
    while not times or (len(times) < rounds and times[0] < _LONG):
        began = time.perf_counter()
        found = work()
        times.append(time.perf_counter() - began)
    return found, median(times)


if __name__ == "__main__":
    sys.exit(main())
