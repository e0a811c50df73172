"""``exactcover batch``: solves a stream of instances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from enum import Enum
from pathlib import Path

import click

from exactcover.cli.exits import Exit, ReportedStopError
from exactcover.cli.flags import Verb, add_common_flags, add_engine_flag, add_output_flag
from exactcover.cli.input import open_lines
from exactcover.cli.messages import print_message
from exactcover.cli.output import open_output
from exactcover.cli.target import Request
from exactcover.control.stop import Stop, Stopped
from exactcover.encoders.encoder import Encoder, defines
from exactcover.errors import ParameterError, StoppedError
from exactcover.pictures.text import format_count
from exactcover.problem import Problem
from exactcover.search.solver import Solver


class Outcome(Enum):
    """The result of an instance."""

    ONE = "one"
    SEVERAL = "several"
    NONE = "none"
    MALFORMED = "malformed"


@click.command(cls=Verb)
@click.argument("target", metavar="NAME")
@click.argument("file")
@click.argument("params", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--unique", is_flag=True, help="Also exit with status 1 if an instance has several solutions.")
@click.option(
    "--outcome",
    "show_outcome",
    is_flag=True,
    help="Begin each answer with a word (one, several, none or malformed) and a tab.",
)
@add_engine_flag
@add_output_flag
@add_common_flags
def batch(request: Request, file: str, unique: bool, show_outcome: bool, engine: str | None, output: str | None) -> int:
    """Solve every instance in FILE, or on standard input if FILE is -.

    NAME is a problem family, or a YAML file, whose instances can be written as text. An answer has the same
    layout as its instance, or says that there is no solution or that the instance is malformed. The exit
    status is 1 if some instances have no solution (or several, with --unique), and 2 if some are malformed.

    \b
    exactcover batch sudoku puzzles.txt
    """
    configuration = request.read_configuration()
    template = configuration.encoder
    if not defines(template, "parse"):
        raise click.UsageError(f"problem {request.target!r} cannot read instances from text")
    inputs = [*configuration.inputs, Path(file)]
    solver = _InstanceSolver(engine or configuration.search.engine, request.stop)
    outcomes: Counter[Outcome] = Counter()
    with open_lines(file) as lines, open_output(output, inputs=inputs, keep_part=True) as out:
        try:
            for text in template.instances(lines):
                answer, outcome = solver.answer(template, text)
                outcomes[outcome] += 1
                out.write(_add_outcome(answer, outcome, first=show_outcome) + "\n")
                out.flush()
            request.stop.poll()  # the same signal may have stopped the writer of the stream
        except (Stopped, StoppedError) as error:
            print_message(f"{error.status.words}; {_summarize(outcomes)}")
            raise ReportedStopError(error.status) from None
    if not request.quiet:
        print_message(_summarize(outcomes))
    if outcomes[Outcome.MALFORMED]:
        return Exit.BAD_INPUT
    return Exit.NO_SOLUTION if outcomes[Outcome.NONE] or (unique and outcomes[Outcome.SEVERAL]) else Exit.DELIVERED


def _add_outcome(answer: str, outcome: Outcome, *, first: bool) -> str:
    """Return the answer to print: after the outcome and a tab, or such that it shows what is malformed."""
    if first:
        return f"{outcome.value}\t{answer}"
    return f"malformed: {answer}" if outcome is Outcome.MALFORMED else answer


def _summarize(outcomes: Counter[Outcome]) -> str:
    words = {
        Outcome.ONE: "with one solution",
        Outcome.SEVERAL: "with several solutions",
        Outcome.NONE: "with no solution",
        Outcome.MALFORMED: "malformed",
    }
    parts = [f"{outcomes[outcome]:,} {text}" for outcome, text in words.items() if outcomes[outcome]]
    return format_count(outcomes.total(), "instance") + (f": {', '.join(parts)}" if parts else "")


class _InstanceSolver:
    """Answers instances one by one. Instances with the same frame share a problem and a solver."""

    def __init__(self, engine: str, stop: Stop) -> None:
        self.engine, self.stop = engine, stop
        self.solvers: dict[Hashable, tuple[Problem, Solver]] = {}

    def answer(self, template: Encoder, text: str) -> tuple[str, Outcome]:
        """Return the answer for one instance, or what is malformed in it, and its outcome."""
        try:
            encoder = template.parse(text)
        except ParameterError as error:
            return str(error), Outcome.MALFORMED
        problem, solver = self._get_solver(encoder)
        givens = list(encoder.givens())
        solutions = solver.solve(given=givens, limit=2, stop=self.stop)
        if not solutions:
            reason = problem.solve(given=givens).reason
            return "no solution" + (f": {reason}" if reason else ""), Outcome.NONE
        outcome = Outcome.ONE if len(solutions) == 1 else Outcome.SEVERAL
        return encoder.unparse(solutions[0]), outcome

    def _get_solver(self, encoder: Encoder) -> tuple[Problem, Solver]:
        frame = encoder.frame()
        if frame not in self.solvers:
            problem = encoder.problem(self.stop).full()
            self.solvers[frame] = problem, problem.solver(engine=self.engine)
        return self.solvers[frame]
