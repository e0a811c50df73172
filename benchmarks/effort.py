"""Measure the cost of searches in units free of noise: nodes, updates, compactions and machine instructions.

    python benchmarks/effort.py            compare with benchmarks/effort.tsv; exit status 1 if a count has grown
    python benchmarks/effort.py --write    write benchmarks/effort.tsv; rows of missing instruction sets stay

Nodes are counted for each instruction set that this processor supports. If valgrind is installed, it counts the
instructions executed inside the search, but not with AVX-512, which valgrind does not support.
"""

from __future__ import annotations

import argparse
import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # python -P leaves it out
import exactcover._native as native
from exactcover.control.stop import Stop
from exactcover.engines.base import MatrixQuery
from exactcover.engines.native import NativeEngine
from suite import SUITE

FILE = Path(__file__).with_suffix(".tsv")
HEAD = ["problem", "how", "solutions", "nodes", "updates", "compactions", "instructions"]
TOLERANCE = {"instructions": 1.02}  # compilers differ slightly; all other counts are exact
LONG = {"thirteen pieces", "MacMahon squares 4x6", "queens 14"}
INSTRUCTIONS = ["pentominoes 8x8 without centre", "queens 12", "Langford 11", "perfect matchings of K14"]

Counts = dict[str, int]


def main() -> int:
    options = _arguments()
    measured = dict(_measured(options.only))
    if not measured:
        print(f"no search has a name that matches {options.only!r}", file=sys.stderr)
        return 1
    if options.write:
        measured = {key: measured.get(key, counts) for key, counts in (_recorded() | measured).items()}
        with FILE.open("w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out, delimiter="\t", lineterminator="\n")
            writer.writerow(HEAD)
            writer.writerows([*key, *(counts.get(name, "") for name in HEAD[2:])] for key, counts in measured.items())
        return 0
    grown = list(_grown(_recorded(), measured))
    for line in grown:
        print(line)
    print(f"{len(measured)} searches measured, {len(grown)} counts are higher than in {FILE.name}", file=sys.stderr)
    return 1 if grown else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="record the current measurements as the reference")
    parser.add_argument("--only", metavar="REGEX", default="", help="run only the problems whose names match")
    return parser.parse_args()


def _measured(only: str) -> Iterator[tuple[tuple[str, str], Counts]]:
    for name, (make, expected) in SUITE.items():
        if name in LONG or not re.search(only, name):
            continue
        matrix = make().matrix
        for instructions in native.instruction_sets:
            run = NativeEngine(instructions=instructions).start(MatrixQuery(matrix, Stop()))
            found = run.count()
            if found != expected:
                sys.exit(f"{name} ({instructions}): found {found}, expected {expected}")
            counts = {"solutions": found, "nodes": run.nodes}
            counts |= {key: int(run.details[key]) for key in ("updates", "compactions")}
            if instructions != "avx512" and name in INSTRUCTIONS and shutil.which("valgrind"):
                counts["instructions"] = _instructions(name, instructions)
            yield (name, instructions), counts


def _instructions(name: str, instructions: str) -> int:
    """Return the instructions executed inside the search: a process with the search minus one without it."""
    script = (
        f"import gc, sys; gc.disable(); sys.path.insert(0, {str(FILE.parent)!r})\n"  # a collection would count, too
        f"import exactcover._native as native; from suite import SUITE\n"
        f"m = SUITE[{name!r}][0]().matrix\n"
        f"problem = native.make_problem(m.items, m.primary, m.starts, m.entries, m.colors)\n"
        f"search = native.Search(problem, instructions={instructions!r}); search.begin(())\n"
    )
    return _executed(script + "search.advance(1 << 40, 1, False)") - _executed(script)


def _executed(script: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", sys.executable, "-P", "-c", script],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": "0"},
        )
    collected = re.search(r"Collected : (\d+)", done.stderr)
    assert collected is not None, done.stderr
    return int(collected[1])


def _recorded() -> dict[tuple[str, str], Counts]:
    with FILE.open(encoding="utf-8", newline="") as source:
        return {
            (row["problem"], row["how"]): {name: int(row[name]) for name in HEAD[2:] if row[name]}
            for row in csv.DictReader(source, delimiter="\t")
        }


def _grown(recorded: dict[tuple[str, str], Counts], measured: dict[tuple[str, str], Counts]) -> Iterator[str]:
    """Yield a line for each count that has grown; print those that have shrunk."""
    for key, counts in measured.items():
        before = recorded.get(key, {})
        for name, count in counts.items():
            if name in before and count > before[name] * TOLERANCE.get(name, 1):
                yield f"{key[0]} ({key[1]}): {count:,} {name}, {before[name]:,} before"
            elif name in before and count < before[name] / TOLERANCE.get(name, 1):
                print(f"{key[0]} ({key[1]}): {count:,} {name}, {before[name]:,} before (improved)", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
