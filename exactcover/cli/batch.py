"""``exactcover batch``: solves a stream of instances."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TextIO

import click

from exactcover.cli.flags import Verb, add_common_flags, add_option_flags, add_output_flag
from exactcover.cli.messages import Exit, ReportedStopError, print_message
from exactcover.cli.output import open_lines, open_output
from exactcover.cli.target import Request, complete_file, complete_parameter, complete_target
from exactcover.control.stop import Stop, Stopped
from exactcover.encoders.encoder import defines
from exactcover.encoders.instances import (
    Answer,
    Answerer,
    InstanceProcess,
    InstanceSolver,
    InstanceThreads,
    Outcome,
    can_move,
)
from exactcover.errors import ConfigError, Mistake, StoppedError
from exactcover.pictures.text import format_count

_MAX_CHARACTERS = 1 << 14  # of the instances in a list, before another list begins
_MAX_RATED = 1 << 10  # the same if they are rated, which takes longer


@click.command(cls=Verb)
@click.argument("target", metavar="NAME", shell_complete=complete_target)
@click.argument("file", shell_complete=complete_file)
@click.argument("params", nargs=-1, metavar="[KEY=VALUE]...", shell_complete=complete_parameter)
@click.option("--unique", is_flag=True, help="Also exit with status 20 if an instance has several solutions.")
@click.option(
    "--outcome",
    "show_outcome",
    is_flag=True,
    help="Begin each answer with a word (one, several, none or malformed) and a tab.",
)
@click.option(
    "--rate",
    is_flag=True,
    help="Begin each answer with the difficulty of its hardest step and a tab. It is guess if steps do not lead to the "
    "solution, and - if there are several solutions or none.",
)
@add_option_flags("jobs", "engine")
@add_output_flag
@add_common_flags
def batch(
    request: Request,
    file: str,
    unique: bool,
    show_outcome: bool,
    rate: bool,
    jobs: int | None,
    engine: str | None,
    output: str | None,
) -> int:
    """Solve every instance in FILE, or on standard input if FILE is -.

    NAME is a problem family, or a YAML file, whose instances can be written as text. An answer has the same
    layout as its instance, with "# several solutions" behind it if it is one of several; or says that there is
    no solution, or on which line the instance is malformed. Lines that begin with # are comments. The exit
    status is 20 if some instances have no solution (or several, with --unique), and 2 if some are malformed.

    \b
    exactcover batch sudoku puzzles.txt
    exactcover batch sudoku puzzles.txt --rate
    """
    configuration = request.read_configuration()
    template = configuration.encoder
    if not defines(template, "parse"):
        raise click.UsageError(f"problem {request.target!r} cannot read instances from text")
    inputs = [*configuration.inputs, Path(file)]
    make_solver = partial(InstanceSolver, template, engine or configuration.search.engine, rates=rate)
    jobs = jobs or configuration.search.jobs
    make_answerer: Callable[[Stop], Answerer] = make_solver
    if rate and jobs > 1 and can_move(make_solver):  # steps are found by Python, whose threads take turns
        make_answerer = partial(InstanceProcess, make_solver, share=jobs)
    with (
        open_lines(file) as lines,
        open_output(output, inputs=inputs, keep_part=True) as out,
        InstanceThreads(make_answerer, jobs, request.stop) as threads,
    ):
        delivery = _AnswerWriter(threads, out, show_outcome=show_outcome, rates=rate)
        lines.before_waiting = delivery.finish
        try:
            for text in template.instances(lines):
                delivery.add(text)
            delivery.finish()
            request.stop.poll()  # the same signal may have stopped the writer of the stream
        except (Stopped, StoppedError) as error:
            print_message(f"{error.status.words}; {_summarize(delivery.outcomes)}")
            raise ReportedStopError(error.status) from None
        except ConfigError:  # a mistake in the input; what came before is answered
            delivery.finish()
            raise
    outcomes = delivery.outcomes
    if not request.quiet:
        print_message(_summarize(outcomes))
    if not outcomes:
        raise ConfigError([Mistake("there is no instance; each stands on a line or in rows", file)])
    if outcomes[Outcome.MALFORMED]:
        return Exit.BAD_INPUT
    return Exit.NO_SOLUTION if outcomes[Outcome.NONE] or (unique and outcomes[Outcome.SEVERAL]) else Exit.DELIVERED


class _AnswerWriter:
    """Gathers instances into lists for the threads, and writes the answers."""

    def __init__(self, threads: InstanceThreads, out: TextIO, *, show_outcome: bool, rates: bool) -> None:
        self.outcomes: Counter[Outcome] = Counter()  # of the instances whose answers are written
        self._threads, self._out, self._show_outcome, self._rates = threads, out, show_outcome, rates
        self._gathered: list[str] = []
        self._characters = 0

    def add(self, text: str) -> None:
        """Take on an instance; write the answers to earlier ones if many wait."""
        self._gathered.append(text)
        self._characters += len(text)
        if self._characters >= (_MAX_RATED if self._rates else _MAX_CHARACTERS):
            self._send()

    def finish(self) -> None:
        """Write the answers to all instances so far."""
        if self._gathered:
            self._send()
        self._write(self._threads.finish())

    def _send(self) -> None:
        gathered, self._gathered, self._characters = self._gathered, [], 0
        self._write(self._threads.answer(gathered))

    def _write(self, found: Iterable[Sequence[Answer]]) -> None:
        for answers in found:
            self._out.writelines([self._describe(answer) + "\n" for answer in answers])
            self._out.flush()
            self.outcomes.update([answer.outcome for answer in answers])

    def _describe(self, answer: Answer) -> str:
        """Return the answer to print, with its outcome in front, or so that it shows what is malformed or ambiguous."""
        text, outcome, difficulty = answer
        if self._show_outcome:
            text = f"{outcome.value}\t{text}"
        elif outcome is Outcome.SEVERAL:
            text += "\n# several solutions" if "\n" in text else "  # several solutions"
        elif outcome is Outcome.MALFORMED:
            text = f"malformed: {text}"
        if not self._rates:
            return text
        return f"{'-' if difficulty is None else 'guess' if math.isinf(difficulty) else f'{difficulty:g}'}\t{text}"


def _summarize(outcomes: Counter[Outcome]) -> str:
    words = {
        Outcome.ONE: "with one solution",
        Outcome.SEVERAL: "with several solutions",
        Outcome.NONE: "with no solution",
        Outcome.MALFORMED: "malformed",
    }
    parts = [f"{outcomes[outcome]:,} {text}" for outcome, text in words.items() if outcomes[outcome]]
    return format_count(outcomes.total(), "instance") + (f": {', '.join(parts)}" if parts else "")
