"""``exactcover batch``: solves a stream of instances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from enum import Enum
from pathlib import Path

import click

from exactcover.cli.exits import Exit, ToldStopError
from exactcover.cli.flags import Verb, common_options, engine_option, output_option
from exactcover.cli.input import open_lines
from exactcover.cli.messages import print_line
from exactcover.cli.output import open_output
from exactcover.cli.target import Request
from exactcover.control.stop import Stop, Stopped
from exactcover.encoders.encoder import Encoder, defines
from exactcover.errors import ParameterError, StoppedError
from exactcover.problem import Problem
from exactcover.search.solver import Solver


class Outcome(Enum):
    """How an instance ended."""

    ONE = "one"
    SEVERAL = "several"
    NONE = "none"
    MALFORMED = "malformed"


@click.command(cls=Verb)
@click.argument("target", metavar="NAME")
@click.argument("file")
@click.argument("params", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--unique", is_flag=True, help="Exit with 1 also where an instance has several solutions.")
@click.option("--outcome", "tells", is_flag=True, help="Begin answers with one, several, none or malformed, and a tab.")
@engine_option
@output_option
@common_options
def batch(request: Request, file: str, unique: bool, tells: bool, engine: str | None, output: str | None) -> int:
    """Solve every instance in FILE (- for standard input); NAME is a problem that reads text.

    Each is answered in the shape in which it came, or by the reason why it has no solution. Exit status 1:
    some have none, or with --unique several; 2: some are malformed.

    \b
    exactcover batch sudoku puzzles.txt
    """
    configuration = request.configuration()
    template = configuration.encoder
    if not defines(template, "parse"):
        raise click.UsageError(f"problem {request.target!r} reads no instances from text")
    inputs = [*configuration.inputs, Path(file)]
    solvers = _Solvers(engine or configuration.search.engine, request.stop)
    seen: Counter[Outcome] = Counter()
    with open_lines(file) as lines, open_output(output, inputs=inputs, keep_part=True) as out:
        try:
            for text in template.instances(lines):
                answer, outcome = solvers.answer(template, text)
                seen[outcome] += 1
                out.write((f"{outcome.value}\t" if tells else "") + answer + "\n")
                out.flush()
            request.stop.poll()  # whoever wrote the stream may have been stopped by the same signal
        except (Stopped, StoppedError) as error:
            print_line(f"stopped ({error.status.value}) after {_summary(seen)}")
            raise ToldStopError(error.status) from None
    if not request.quiet:
        print_line(_summary(seen))
    if seen[Outcome.MALFORMED]:
        return Exit.BAD_INPUT
    return Exit.NO_SOLUTION if seen[Outcome.NONE] or (unique and seen[Outcome.SEVERAL]) else Exit.DELIVERED


def _summary(seen: Counter[Outcome]) -> str:
    words = {Outcome.ONE: "with one solution", Outcome.SEVERAL: "with several", Outcome.NONE: "with none",
             Outcome.MALFORMED: "malformed"}  # fmt: skip
    parts = [f"{seen[outcome]:,} {text}" for outcome, text in words.items() if seen[outcome]]
    number = seen.total()
    return f"{number:,} instance{'' if number == 1 else 's'}" + (f": {', '.join(parts)}" if parts else "")


class _Solvers:
    """Answers instances one by one; those that share a frame share a problem and a solver."""

    def __init__(self, engine: str, stop: Stop) -> None:
        self.engine, self.stop = engine, stop
        self.solvers: dict[Hashable, tuple[Problem, Solver]] = {}

    def answer(self, template: Encoder, text: str) -> tuple[str, Outcome]:
        """Return what to print for one instance, and how it ended."""
        try:
            encoder = template.parse(text)
        except ParameterError as error:
            return f"malformed: {error}", Outcome.MALFORMED
        problem, solver = self._solver(encoder)
        givens = list(encoder.givens())
        solutions = solver.solve(given=givens, limit=2, stop=self.stop)
        if not solutions:
            reason = problem.solve(given=givens).reason
            return "no solution" + (f": {reason}" if reason else ""), Outcome.NONE
        outcome = Outcome.ONE if len(solutions) == 1 else Outcome.SEVERAL
        return encoder.unparse(solutions[0]), outcome

    def _solver(self, encoder: Encoder) -> tuple[Problem, Solver]:
        frame = encoder.frame()
        if frame not in self.solvers:
            problem = encoder.problem(self.stop).full()
            self.solvers[frame] = problem, problem.solver(engine=self.engine)
        return self.solvers[frame]
