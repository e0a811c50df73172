"""Solve published puzzles, and prove that there is no other solution, beside clingo and CP-SAT with one thread each.

    python -m pip install ".[bench]"
    python benchmarks/uniqueness.py FOLDER --sample 30 --seed 1

The folder holds Slitherlink.json, Masyu.json or NumberLink.json, as in github.com/SmilingWayne/puzzlekit-dataset. The
programs take turns on each puzzle, each in a process of its own. A time begins with the cells of a puzzle, after all
imports, and ends with the proof, or with a second solution. Below the table stand all puzzles that have another number
of solutions than one, or whose published solution is none. The exit status is 1 if a program finds lines that are no
solution, if programs disagree, or if this package finds another single solution than the published one.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # python -P leaves it out
from disciplines import apart
from libraries import is_there
from line_puzzles import KINDS, NUMBERLINK, Lines, Puzzle, read_puzzle, read_texts
from line_solvers import MOST, OURS, PROGRAMS, Program

QUICK = 1.0  # seconds
SMALL = 20
"""The most rows and columns of the puzzles that have a column of their own."""
_GRACE = 2  # seconds in which a process may load what it needs


@dataclass(frozen=True)
class Answer:
    """What a program finds: all solutions, but at most two; and the seconds."""

    solutions: tuple[Lines, ...]
    seconds: float


@dataclass
class Outcome:
    """What the programs find for a puzzle, or their errors; None for a program that gives no answer in time."""

    puzzle: Puzzle
    answers: dict[str, Answer | str | None]

    @property
    def name(self) -> str:
        rows, columns = self.puzzle.size
        return f"{self.puzzle.kind} {self.puzzle.name} ({rows}x{columns})"

    @property
    def given(self) -> dict[str, tuple[Lines, ...]]:
        """The solutions of the programs with an answer."""
        return {program: answer.solutions for program, answer in self.answers.items() if isinstance(answer, Answer)}

    def find_seconds(self, program: str) -> float:
        """Return the time of an answer; infinity for none."""
        answer = self.answers[program]
        return answer.seconds if isinstance(answer, Answer) else math.inf

    def list_mistakes(self) -> Iterator[str]:
        """Yield what cannot be true."""
        if isinstance(error := self.answers.get(OURS), str):
            yield f"{self.name}: {OURS} failed: {error}"
        given, published = self.given, self.puzzle.published
        for program, solutions in given.items():
            if not all(map(self.puzzle.is_solved_by, solutions)) or len(set(solutions)) != len(solutions):
                yield f"{self.name}: what {program} finds breaks the rules, or comes twice"
            elif self.is_published_right and len(solutions) < MOST and published not in solutions:
                yield f"{self.name}: the published solution is right, but {program} does not find it"
        if len(set(map(len, given.values()))) > 1:
            yield f"{self.name}: the numbers of solutions differ: {self._describe_numbers()}"
        elif len({solutions for solutions in given.values() if len(solutions) < MOST}) > 1:
            yield f"{self.name}: the programs find different single solutions"

    @property
    def is_published_right(self) -> bool:
        """Whether there is a published solution that obeys the rules."""
        return self.puzzle.published is not None and self.puzzle.is_solved_by(self.puzzle.published)

    def list_findings(self) -> Iterator[str]:
        """Yield what a reader of the file should know."""
        if any(len(solutions) != 1 for solutions in self.given.values()):
            yield f"{self.name}: not one solution ({MOST} are two or more): {self._describe_numbers()}"
        if self.puzzle.remark:
            yield f"{self.name}: {self.puzzle.remark}"
        if self.puzzle.published is not None and not self.is_published_right:
            yield f"{self.name}: the published solution breaks the rules"

    def _describe_numbers(self) -> str:
        return ", ".join(f"{program} {len(solutions)}" for program, solutions in self.given.items())


def main() -> int:
    options = _arguments()
    try:
        texts = _choose(options)
    except (OSError, ValueError) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 2
    puzzles, refusals = [], []
    for kind, name, problem, solution in texts:
        try:
            puzzles.append(read_puzzle(kind, name, problem, solution))
        except ValueError as error:
            refusals.append(f"{kind} {name} cannot be read: {error}")
    outcomes = []
    programs = _load_programs()
    for puzzle in sorted(puzzles, key=lambda puzzle: (KINDS.index(puzzle.kind), math.prod(puzzle.size), puzzle.name)):
        outcomes.append(_measure(puzzle, programs, options.timeout))
        print(_report(outcomes[-1]), file=sys.stderr, flush=True)
    print(*make_table(outcomes, options.timeout), *refusals, sep="\n")
    print(*(finding for outcome in outcomes for finding in outcome.list_findings()), sep="\n")
    mistakes = [mistake for outcome in outcomes for mistake in outcome.list_mistakes()]
    for mistake in mistakes:
        print(f"wrong: {mistake}", file=sys.stderr)
    return int(bool(mistakes) or not outcomes)


def _load_programs() -> dict[str, Program]:
    """Return the programs that are installed, and import them, so that no time contains that."""
    programs = {}
    for name, program in PROGRAMS.items():
        if is_there(program.module):
            import_module(program.module)
            programs[name] = program
        else:
            print(f"{name} takes no part: {program.module} is not installed", file=sys.stderr)
    return programs


def _choose(options: argparse.Namespace) -> list[tuple[str, str, str, str]]:
    """Return kind, name and texts of a sample of each file."""
    files = {kind: file for kind in KINDS if (file := options.folder / f"{kind}.json").exists()}
    if not files:
        raise ValueError(f"there is no {' or '.join(f'{kind}.json' for kind in KINDS)} in {options.folder}")
    chosen = []
    for kind, file in files.items():
        texts = read_texts(file)
        count = len(texts) if options.sample is None else min(options.sample, len(texts))
        chosen += [(kind, name, *texts[name]) for name in random.Random(options.seed).sample([*texts], count)]
    return chosen


def _measure(puzzle: Puzzle, programs: dict[str, Program], timeout: float) -> Outcome:
    outcome = Outcome(puzzle, {})
    for name, program in programs.items():
        if puzzle.kind in program.kinds:
            found = apart(partial(_solve, program, puzzle), timeout + _GRACE)
            outcome.answers[name] = None if isinstance(found, Answer) and found.seconds > timeout else found
    return outcome


def _solve(program: Program, puzzle: Puzzle) -> Answer | str:
    """Return what a program finds, or its error; what a process of its own does."""
    try:
        program.solve(_WARM_UP[puzzle.kind])
        began = time.perf_counter()
        solutions = program.solve(puzzle)
        return Answer(tuple(solutions), time.perf_counter() - began)
    except Exception as error:
        return repr(error)


_WARM_UP = {
    kind: Puzzle(kind, "", (("1", "1"), ("-", "-")) if kind == NUMBERLINK else (("-", "-"), ("-", "-")))
    for kind in KINDS
}
"""Solved before anything is measured, so that all code is loaded."""


def _report(outcome: Outcome) -> str:
    """Return the line of a puzzle."""
    parts = []
    for program, answer in outcome.answers.items():
        parts.append(
            f"{program} {answer.seconds:.3f} ({len(answer.solutions)})"
            if isinstance(answer, Answer)
            else f"{program} {answer or 'no answer'}"
        )
    return f"{outcome.name}: {', '.join(parts)}"


def make_table(outcomes: Sequence[Outcome], timeout: float) -> Iterator[str]:
    """Yield the lines of a table in Markdown, with a row for each kind and program."""
    yield (
        f"| kind | program | instances | within {QUICK:g} s | within {timeout:g} s | median | 95th percentile |"
        f" up to {SMALL}x{SMALL} | within {QUICK:g} s |"
    )
    yield f"|{'---|' * 9}"
    for kind in KINDS:
        for program in PROGRAMS:
            tried = [outcome for outcome in outcomes if outcome.puzzle.kind == kind and program in outcome.answers]
            if not tried:
                continue
            seconds = [outcome.find_seconds(program) for outcome in tried]
            small = [outcome.find_seconds(program) for outcome in tried if max(outcome.puzzle.size) <= SMALL]
            typical = [
                f"> {timeout:g}" if math.isinf(second) else f"{second:.3f}"
                for second in (statistics.median(seconds), sorted(seconds)[math.ceil(95 * len(seconds) / 100) - 1])
            ]
            counts = [sum(second <= most for second in seconds) for most in (QUICK, timeout)]
            cells = (len(tried), *counts, *typical, len(small), sum(second <= QUICK for second in small))
            yield f"| {kind} | {program} | {' | '.join(map(str, cells))} |"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the folder of the files")
    parser.add_argument("--sample", type=int, metavar="NUMBER", help="puzzles of each kind; by default all")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (%(default)s)")
    parser.add_argument("--timeout", type=float, default=20, help="seconds for a program and puzzle (%(default)s)")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
