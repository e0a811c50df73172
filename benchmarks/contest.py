"""Code shared by all comparisons: interleaved rounds, medians, ratios, tables and plots."""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

Contestant = Callable[[], object]
"""Does the work once and returns the result, or None if it gave up."""

SOLUTIONS = r"([0-9]+) solutions?"
"""How programs report the number of solutions; with the argument v1, Knuth's programs print little else."""
COST = r"optimum cost is \$([0-9]+)"
"""How programs report the least cost."""

PYTHON = [sys.executable, "-P"]
"""Python with the installed package, not with the sources in the current folder."""
COMMAND = [*PYTHON, "-m", "exactcover"]

OURS = ("exactcover", "native")
"""Contestants that are this package: as people call it, and the engine ``native`` alone."""

MIN = 0.01
"""Seconds. If the fastest peer takes less, start-up and reading dominate, and the summary ignores the problem."""

REPEATED = 0.5
"""Seconds, for each round but the first. Work that has taken less in all is repeated in further rounds."""


@dataclass
class Row:
    """The median times for one problem, by contestant; contestants that were wrong or gave up are missing."""

    name: str
    expected: object
    seconds: dict[str, float]
    notes: dict[str, str] = field(default_factory=dict)
    mistakes: list[str] = field(default_factory=list)
    """What this package did wrong."""

    def ratio(self, ours: str) -> float | None:
        """Return the time of the fastest peer divided by ours, or None if there is nothing to compare."""
        fastest = self.fastest_peer(ours)
        return fastest / self.seconds[ours] if fastest is not None and ours in self.seconds else None

    def fastest_peer(self, ours: str) -> float | None:
        """Return the least time of a contestant that is not this package, or None if there is none."""
        return min((seconds for name, seconds in self.seconds.items() if name not in (ours, *OURS)), default=None)


def race(
    name: str,
    ours: Mapping[str, Contestant],
    peers: Mapping[str, Contestant],
    expected: object,
    rounds: int,
    *,
    clock: bool = True,
) -> Row:
    """Let all contestants do the same work in turn, several times; a wrong result excludes a contestant.

    There are at least this many rounds, and more where the work is short (see `REPEATED`), so medians of a few
    milliseconds do not depend on what the machine did in between. It is a mistake if one of ours finds a wrong
    result, or one of `OURS` gives up. If `clock` is false, contestants measure their own time and return (result,
    seconds).
    """
    contestants = {**ours, **peers}
    times: dict[str, list[float]] = {contestant: [] for contestant in contestants}
    mistakes = []
    end = time.perf_counter() + REPEATED * (rounds - 1)
    while times and (rounds > 0 or time.perf_counter() < end):
        rounds -= 1
        for contestant in list(times):
            began = time.perf_counter()
            found = contestants[contestant]()
            took = time.perf_counter() - began
            if not clock and isinstance(found, tuple):
                found, took = found
            times[contestant].append(took)
            if found != expected:
                result = "gave up" if found is None else f"found {found}, expected {expected}"
                print(f"{name}: {contestant} {result}", file=sys.stderr)
                del times[contestant]
                if contestant in OURS or (contestant in ours and found is not None):
                    mistakes.append(f"{name}: {contestant} {result}")
    medians = {contestant: statistics.median(seconds) for contestant, seconds in times.items()}
    row = Row(name, expected, medians, mistakes=mistakes)
    print(name, *(f"{contestant} {seconds:.4f}" for contestant, seconds in row.seconds.items()), file=sys.stderr)
    return row


def program(path: str, file: Path, timeout: float, *arguments: str, report: str = SOLUTIONS) -> Contestant:
    """Return a contestant that runs a program on a ``.dlx`` file; its result is the group of `report` in the output."""

    def run() -> int | None:
        with file.open("rb") as source:
            try:
                done = subprocess.run([path, *arguments], stdin=source, capture_output=True, text=True, timeout=timeout)
            except subprocess.TimeoutExpired:
                return None
        match = re.search(report, done.stdout + done.stderr)
        return int(match[1]) if match else None

    return run


def table(head: str, names: Sequence[str], rows: Sequence[Row], *, digits: int = 4) -> Iterator[str]:
    """Yield the lines of a table in Markdown; the first of `names` is ours."""
    yield f"| {head} | result | {' | '.join(names)} | ratio |"
    yield f"|{'---|' * (len(names) + 3)}"
    for row in rows:
        cells = [
            (f"{row.seconds[name]:.{digits}f}" if name in row.seconds else "-") + row.notes.get(name, "")
            for name in names
        ]
        ratio = row.ratio(names[0]) if names else None
        yield f"| {row.name} | {row.expected} | {' | '.join(cells)} | {'-' if ratio is None else f'{ratio:.1f}'} |"


def summary(rows: Sequence[Row], ours: str) -> str:
    """Return the geometric mean and the minimum of the ratios, for problems with times long enough to be meaningful."""
    ratios = [
        ratio for row in rows if (ratio := row.ratio(ours)) is not None and (row.fastest_peer(ours) or 0.0) >= MIN
    ]
    if not ratios:
        return "No problem took the fastest peer 10 ms or more."
    return (
        f"For the {len(ratios)} problems that take the fastest peer 10 ms or more: geometric mean "
        f"{statistics.geometric_mean(ratios):.1f}, minimum {min(ratios):.1f}."
    )


def plot(rows: Sequence[Row], names: Sequence[str], title: str, file: Path) -> None:
    """Plot seconds on a logarithmic scale, with one row of dots per problem."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(9, 1.2 + 0.32 * len(rows)), layout="constrained")
    for name, marker in zip(names, "os^vDPX*<>", strict=False):
        places = [(row.seconds[name], place) for place, row in enumerate(rows) if name in row.seconds]
        axes.plot(*zip(*places, strict=True), marker, label=name, markersize=7 if name == names[0] else 5, alpha=0.85)
    axes.set_xscale("log")
    axes.set_yticks(range(len(rows)), [row.name for row in rows])
    axes.invert_yaxis()
    axes.grid(axis="both", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel("seconds")
    axes.set_title(title)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.6 / len(rows) - 0.06), ncols=len(names), frameon=False)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    figure.savefig(file)
