"""Measure what certificates cost: seconds without and with one, its size, and how long the quick checker takes.

    python benchmarks/certificates.py            # the table of docs/benchmarks.md
    python benchmarks/certificates.py --configurations    # certify the count of each bundled configuration

With --configurations, every certificate is checked by check.py as well if it has at most a million nodes. A
configuration whose count takes longer than --seconds is left out, and named. The exit status is 1 if a certificate is
refused or a number differs from that without a certificate, or from what is stated.
"""

from __future__ import annotations

import argparse
import io
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
from exactcover.config.configuration import read_file
from exactcover.control.stop import Stop, Stopped
from exactcover.encoders.discovery import find_configs
from families import set_partitioning
from problems import Polyomino
from suite import SUITE

_MAX_NODES = 1_000_000
_SHORT = 0.2  # seconds
_Result = TypeVar("_Result")


def _mutilated_board() -> Problem:
    return Polyomino("20x20", "dominoes", copies="any", holes=((1, 1), (20, 20))).problem()


def _configured(name: str) -> Problem:
    problem: Problem = read_file(find_configs()[name], ()).encoder.problem(Stop())
    return problem


@dataclass(frozen=True)
class _Row:
    """What is certified: a problem, and how it is counted."""

    problem: Callable[[], Problem]
    options: SearchOptions = field(default_factory=SearchOptions)
    cheapest: bool = False

    def answer(self, problem: Problem) -> int:
        """Return the number of solutions, or the least cost if that is wanted, without a certificate."""
        if self.cheapest:
            return _find_cost(problem, list(problem.cheapest().positions()))
        return problem.count(distinct=self.options.distinct, options=SearchOptions(symmetry=self.options.symmetry))

    def certify(self, problem: Problem, file: io.BytesIO) -> int:
        """Return the same with a certificate."""
        if self.cheapest:
            solutions = list(problem.cheapest().positions())
            certify_cheapest(file, problem, solutions, 1)
            return _find_cost(problem, solutions)
        certify = certify_classes if self.options.distinct else certify_count
        return certify(file, problem, self.options)


def _find_cost(problem: Problem, solutions: list[tuple[int, ...]]) -> int:
    return int(problem.cost([problem.labels[position] for position in solutions[0]]))


_ROWS = {
    "pentominoes 6x10": _Row(SUITE["pentominoes 6x10"][0]),
    "pentominoes 8x8 without centre": _Row(SUITE["pentominoes 8x8 without centre"][0]),
    "queens 12": _Row(SUITE["queens 12"][0]),
    "Soma cube": _Row(SUITE["Soma cube"][0]),
    "Soma cube, without symmetry": _Row(SUITE["Soma cube"][0], SearchOptions(symmetry=False)),
    "Soma cube, classes": _Row(SUITE["Soma cube"][0], SearchOptions(distinct=True)),
    "dominoes 16x16": _Row(lambda: Polyomino("16x16", "dominoes", copies="any").problem()),
    "MacMahon squares 4x6": _Row(lambda: _configured("macmahon_4x6.yaml")),
    "fourteen bars": _Row(lambda: _configured("fourteen_bars.yaml")),
    "dominoes 20x20 without two corners": _Row(_mutilated_board),
    "set partitioning, 24 items": _Row(lambda: set_partitioning(24, 200, 3), cheapest=True),
    "set partitioning, 28 items": _Row(lambda: set_partitioning(28, 300, 1), cheapest=True),
    "set partitioning, 32 items": _Row(lambda: set_partitioning(32, 400, 2), cheapest=True),
}


class _Visits(QuickProof):
    """A quick proof whose visits are remembered."""

    last: QuickProof | None = None

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
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate"
        work = (
            partial(_check_configurations, seconds=options.seconds, rounds=options.rounds)
            if options.configurations
            else partial(_print_table, rounds=options.rounds)
        )
        return work(path, re.compile(options.only))


def _print_table(path: Path, only: re.Pattern[str], rounds: int) -> int:
    failed = False
    print("| problem | without | with | factor | size | nodes | checked in | a node |")
    print("|---|---|---|---|---|---|---|---|")
    for name, row in _ROWS.items():
        if not only.search(name):
            continue
        problem = row.problem()
        without, with_one, checked = [], [], []
        for _ in range(rounds):
            expected, seconds = _measure(partial(row.answer, problem))
            without.append(seconds)
            file = io.BytesIO()
            found, seconds = _measure(partial(row.certify, problem, file))
            with_one.append(seconds)
            path.write_bytes(file.getvalue())
            checked.append(_measure(partial(check, str(path), _Visits))[1])
            if found != expected:
                failed = True
                print(f"{name}: {found} with a certificate, {expected} without", file=sys.stderr)
        visited = _Visits.last.visited if _Visits.last is not None else 0
        each = f"{1e6 * median(checked) / visited:.2f} µs" if visited > 1000 else ""
        print(
            f"| {name} | {median(without):.3f} s | {median(with_one):.3f} s | {median(with_one) / median(without):.1f} "
            f"| {path.stat().st_size:,} | {visited:,} | {median(checked):.3f} s | {each} |",
            flush=True,
        )
    return int(failed)


def _measure(work: Callable[[], _Result]) -> tuple[_Result, float]:
    began = time.perf_counter()
    return work(), time.perf_counter() - began


def _measure_well(work: Callable[[], _Result], rounds: int) -> tuple[_Result, float]:
    """Measure work; if it is short, several times after the first one."""
    found, seconds = _measure(work)
    return found, median(_measure(work)[1] for _ in range(rounds)) if seconds < _SHORT else seconds


def _certify_anew(path: Path, problem: Problem, seconds: float) -> int:
    with path.open("wb") as file:
        return certify_count(file, problem, SearchOptions(), stop=Stop(timeout=seconds))


def _check_configurations(path: Path, only: re.Pattern[str], seconds: float, rounds: int) -> int:
    failed = False
    print("| configuration | without | with | factor | size | claim |")
    print("|---|---|---|---|---|---|")
    for name, config in find_configs().items():
        if not only.search(name):
            continue
        configuration = read_file(config, ())
        problem: Problem = configuration.encoder.problem(Stop())
        try:
            expected, without = _measure_well(partial(problem.count, timeout=seconds), rounds)
            certify = partial(_certify_anew, path, problem, 4 * seconds)
            number, with_one = _measure_well(certify, rounds)
        except (Stopped, StoppedError):
            print(f"{name}: no number within {seconds:.0f} s, or no certificate within four times as long", flush=True)
            continue
        report = check(str(path), _Visits)
        assert _Visits.last is not None
        if _Visits.last.visited <= _MAX_NODES:
            check(str(path), Proof)
        failed |= {number, configuration.known.solutions or number} != {expected}
        print(
            f"| {name} | {without:.3f} s | {with_one:.3f} s | {with_one / without:.1f} | {path.stat().st_size:,} "
            f"| {report.partition(' of the')[0]} |",
            flush=True,
        )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
