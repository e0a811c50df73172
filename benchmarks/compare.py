"""Compare this package with its peers side by side in one run: tables in Markdown, each with a plot.

    python -m pip install ".[bench]"
    python benchmarks/compare.py --program dlx1=/path/to/dlx1 --program ssxcc=/path/to/ssxcc

All contestants do the same work in turn, in several rounds. The tables give the median times, and the ratio of the
fastest peer's time to ours. A contestant that finds a wrong number is excluded. A program must read ``.dlx`` from
standard input and report "N solutions". All supported libraries that are installed take part; without matplotlib, there
are no plots. The exit status is 1 if this package finds a wrong number, or gives up.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # python -P leaves it out
import disciplines
import symmetric
import whole_sets
from contest import Row, plot, summary, table
from libraries import is_there

DISCIPLINES: dict[str, tuple[Callable[[argparse.Namespace], list[Row]], str]] = {
    "counting": (disciplines.counting, "Counting by search, seconds"),
    "symmetry": (symmetric.counting, "Counting with symmetry, seconds"),
    "published": (symmetric.published, "Published numbers, seconds"),
    "classes": (symmetric.classes, "Classes, seconds"),
    "symmetry-memory": (symmetric.memory, "Counting with symmetry, MB"),
    "multiplicities": (disciplines.multiplicities, "Counting with multiplicities, seconds"),
    "costs": (disciplines.costs, "The cheapest solution, seconds"),
    "listing": (disciplines.listing, "Listing into Python, seconds (+ building)"),
    "first": (disciplines.first_solutions, "First solution, seconds"),
    "sudoku": (disciplines.sudoku, "Sudoku, seconds"),
    "memory": (disciplines.memory, "Peak memory, MB"),
    "jobs": (disciplines.jobs, "Two cores, seconds"),
    "counts": (whole_sets.counts, "Counting without visiting, seconds"),
    "counts-memory": (whole_sets.memory, "Counting without visiting, MB"),
}


def main() -> int:
    options = _arguments()
    folder = Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    plots = is_there("matplotlib")
    if not plots:
        print("matplotlib is not installed, so there will be no plots", file=sys.stderr)
    parts, mistakes = [], []
    for name in options.discipline or DISCIPLINES:
        run, title = DISCIPLINES[name]
        rows = run(options)
        if not rows:
            continue
        mistakes += [mistake for row in rows for mistake in row.mistakes]
        names = list(dict.fromkeys(contestant for row in rows for contestant in row.seconds))
        digits = 1 if name.endswith("memory") else 4
        parts.append("\n".join([f"## {title}", "", *table("problem", names, rows, digits=digits)]))
        if not name.endswith("memory") and name not in ("jobs", "published", "classes"):
            parts[-1] += f"\n\n{summary(rows, names[0])}" if names else ""
            if plots:
                plot(rows, names, title, folder / f"{name}.svg")
        print(parts[-1], end="\n\n", flush=True)
    (folder / "tables.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    if not parts:
        print(f"no problem has a name that matches {options.only!r}", file=sys.stderr)
    for mistake in mistakes:
        print(f"wrong: {mistake}", file=sys.stderr)
    return int(bool(mistakes) or not parts)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("discipline", nargs="*", help=f"one or more of {', '.join(DISCIPLINES)}; by default all")
    for flag, what in (("--program", ".dlx"), ("--sudoku", "puzzles of 81 characters, one per line")):
        parser.add_argument(flag, action="append", default=[], metavar="NAME=PATH", help=f"a program that reads {what}")
    parser.add_argument("--puzzles", type=Path, metavar="FILE", help="Sudoku puzzles, one per line, for another stream")
    parser.add_argument("--stream", type=int, default=100_000, help="number of puzzles in a stream")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", metavar="REGEX", default="", help="run only the problems whose names match")
    parser.add_argument("--timeout", type=float, default=120, help="time limit per peer and problem, in seconds")
    parser.add_argument("-o", "--output", metavar="FOLDER", default="build/benchmarks", help="folder of the results")
    options = parser.parse_args()
    unknown = set(options.discipline) - set(DISCIPLINES)
    if unknown:
        parser.error(f"unknown discipline: {', '.join(sorted(unknown))}; expected one of {', '.join(DISCIPLINES)}")
    options.program, options.sudoku = (
        dict(pair.split("=", 1) for pair in pairs) for pairs in (options.program, options.sudoku)
    )
    return options


if __name__ == "__main__":
    sys.exit(main())
