"""``exactcover batch``: solves a stream of instances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import click

from exactcover.cli.exits import Exit, ReportedStopError
from exactcover.cli.flags import Verb, add_common_flags, add_engine_flag, add_jobs_flag, add_output_flag
from exactcover.cli.input import Lines, open_lines
from exactcover.cli.messages import print_message
from exactcover.cli.output import open_output
from exactcover.cli.target import Request
from exactcover.control.stop import Stopped
from exactcover.encoders.encoder import defines
from exactcover.encoders.instance_threads import answer_in_order
from exactcover.encoders.instances import Answer, InstanceSolver, Outcome
from exactcover.errors import StoppedError
from exactcover.pictures.text import format_count

_MOST_GATHERED = 256  # instances


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
@add_jobs_flag
@add_engine_flag
@add_output_flag
@add_common_flags
def batch(
    request: Request,
    file: str,
    unique: bool,
    show_outcome: bool,
    jobs: int | None,
    engine: str | None,
    output: str | None,
) -> int:
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
    make_solver = partial(InstanceSolver, template, engine or configuration.search.engine)
    jobs = jobs or configuration.search.jobs
    outcomes: Counter[Outcome] = Counter()
    with open_lines(file) as lines, open_output(output, inputs=inputs, keep_part=True) as out:
        lists = _gather(template.instances(lines), lines)
        try:
            for answers in answer_in_order(make_solver, lists, jobs, request.stop):
                outcomes.update([answer.outcome for answer in answers])
                out.writelines([_add_outcome(answer, first=show_outcome) + "\n" for answer in answers])
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


def _gather(texts: Iterable[str], lines: Lines) -> Iterator[list[str]]:
    """Yield texts in lists, and an empty list whenever the next text has to be waited for."""
    gathered: list[str] = []
    for text in texts:
        gathered.append(text)
        waits = not lines.is_ready()
        if waits or len(gathered) == _MOST_GATHERED:
            yield gathered
            gathered = []
        if waits:
            yield []
    yield gathered


def _add_outcome(answer: Answer, *, first: bool) -> str:
    """Return the answer to print: after the outcome and a tab, or such that it shows what is malformed."""
    if first:
        return f"{answer.outcome.value}\t{answer.text}"
    return f"malformed: {answer.text}" if answer.outcome is Outcome.MALFORMED else answer.text


def _summarize(outcomes: Counter[Outcome]) -> str:
    words = {
        Outcome.ONE: "with one solution",
        Outcome.SEVERAL: "with several solutions",
        Outcome.NONE: "with no solution",
        Outcome.MALFORMED: "malformed",
    }
    parts = [f"{outcomes[outcome]:,} {text}" for outcome, text in words.items() if outcomes[outcome]]
    return format_count(outcomes.total(), "instance") + (f": {', '.join(parts)}" if parts else "")
