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
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))  # python -P leaves it out
import disciplines
import finding
import whole_sets
from contest import Row, plot, summary, table
from libraries import is_there


class Discipline(NamedTuple):
    """A table: what makes its rows, what stands above and below it, the digits of its times, whether it has a plot."""

    run: Callable[[argparse.Namespace], list[Row]]
    title: str
    digits: int = 4
    summarize: Callable[[Sequence[Row], str], str] | None = summary
    has_plot: bool = True


DISCIPLINES = {
    "counting": Discipline(disciplines.counting, "Counting by search, seconds"),
    "symmetry": Discipline(disciplines.counting_with_symmetry, "Counting with symmetry, seconds"),
    "published": Discipline(disciplines.published, "Published numbers, seconds", summarize=None, has_plot=False),
    "classes": Discipline(disciplines.classes, "Classes, seconds", summarize=None, has_plot=False),
    "symmetry-memory": Discipline(disciplines.symmetry_memory, "Counting with symmetry, MB", 1, None, has_plot=False),
    "multiplicities": Discipline(disciplines.multiplicities, "Counting with multiplicities, seconds"),
    "costs": Discipline(disciplines.costs, "The cheapest solution, seconds"),
    "planning": Discipline(disciplines.planning, "The cheapest plan, seconds", 3),
    "covering": Discipline(disciplines.covering, "The cheapest cover, seconds", 3),
    "listing": Discipline(disciplines.listing, "Listing into Python, seconds (+ building)"),
    "first": Discipline(disciplines.first_solutions, "First solution, seconds"),
    "finding": Discipline(
        finding.finding, "One solution or the proof that there is none, seconds", 3, finding.summarize
    ),
    "sudoku": Discipline(disciplines.sudoku, "Sudoku, seconds"),
    "memory": Discipline(disciplines.memory, "Peak memory, MB", 1, None, has_plot=False),
    "jobs": Discipline(disciplines.jobs, "Two cores, seconds", summarize=None, has_plot=False),
    "counts": Discipline(whole_sets.counts, "Counting without visiting, seconds"),
    "loops": Discipline(whole_sets.loops, "Loops along the lines of n x n cells, seconds", 3, has_plot=False),
    "counts-memory": Discipline(whole_sets.memory, "Counting without visiting, MB", 1, None, has_plot=False),
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
        discipline = DISCIPLINES[name]
        rows = discipline.run(options)
        if not rows:
            continue
        mistakes += [mistake for row in rows for mistake in row.mistakes]
        names = list(dict.fromkeys(contestant for row in rows for contestant in (*row.notes, *row.seconds)))
        parts.append(
            "\n".join([f"## {discipline.title}", "", *table("problem", names, rows, digits=discipline.digits)])
        )
        if discipline.summarize is not None and names:
            parts[-1] += f"\n\n{discipline.summarize(rows, names[0])}"
        if discipline.has_plot and plots:
            plot(rows, names, discipline.title, folder / f"{name}.svg")
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
    parser.add_argument("--folder", type=Path, metavar="FOLDER", help="set partitioning files for planning")
    parser.add_argument("--stream", type=int, default=100_000, help="number of puzzles in a stream")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", metavar="REGEX", default="", help="run only the problems whose names match")
    parser.add_argument(
        "--timeout", type=float, default=60, help="time limit per peer and problem, in seconds; the default is 60"
    )
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
