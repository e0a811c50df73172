"""``exactcover convert``: writes a problem in another format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

import click

from exactcover.cli.flags import (
    Verb,
    add_escape_flag,
    add_format_flag,
    add_output_flag,
    add_target_arguments,
    report_bad_flags,
)
from exactcover.cli.messages import Exit, print_message
from exactcover.cli.output import check_flag, check_terminal, choose_format, open_output
from exactcover.cli.plan_flags import add_soft_flag, relax_soft
from exactcover.cli.target import FixedProblem, Request, check_encoder
from exactcover.config.configuration import Configuration, Known
from exactcover.errors import ProblemError
from exactcover.formats.registry import LINKS, PROBLEMS
from exactcover.pictures.text import format_count


@click.command(cls=Verb)
@add_format_flag(PROBLEMS | LINKS)
@add_escape_flag
@click.option("--long-names", is_flag=True, help="In .dlx, write long names, which only this program reads.")
@add_soft_flag
@add_output_flag
@add_target_arguments
def convert(
    request: Request, output: str | None, output_format: str | None, escape_formulas: bool, long_names: bool, soft: bool
) -> int:
    """Write the problem TARGET in another format, as a link, or as a configuration.

    If options are given or excluded, the remaining problem is written. The suffix of FILE sets the format of
    the output, unless --format does. Links hold puzzles for the sites fpuzzles, sudokupad, puzzlink and penpa.

    \b
    exactcover convert queens n=8 -o queens.dlx
    exactcover convert killer_sudoku.yaml --format sudokupad
    exactcover convert pentominoes_6x10.yaml --format cnf | minisat /dev/stdin
    """
    chosen = choose_format({**PROBLEMS, **LINKS}, output_format, output)
    check_flag(PROBLEMS, chosen, "escape_formulas", "--escape-formulas", escape_formulas)
    check_flag(PROBLEMS, chosen, "long_names", "--long-names", long_names)
    check_terminal(chosen, output)
    configuration = request.read_configuration()
    check_encoder(chosen, configuration)
    if (chosen.needs or chosen.name in LINKS) and (request.given or request.without or soft):
        raise click.UsageError(f"--format {chosen.name} writes a whole puzzle, without --given, --without and --soft")
    if chosen.name in LINKS:
        with _open_exactly(output, configuration.inputs) as out:
            document = partial(_write_document, configuration, request)
            facts = {"encoder": configuration.encoder, "site": chosen.name, "title": configuration.title}
            chosen.write(None, out, document=document, **facts)
        return Exit.DELIVERED
    problem = request.build_problem(configuration)
    if problem.impossible is not None:
        raise ProblemError(f"there is no solution, but a file could not show the reason: {problem.impossible}")
    problem = relax_soft(request, problem) if soft else problem
    givens = len(problem.givens)
    if problem.givens or problem.excluded:
        problem = problem.residual(())
    if givens and not request.quiet:
        print_message(f"{format_count(givens, 'given')} applied; writing the remaining problem")
    request.stop.poll()
    with _open_exactly(output, configuration.inputs) as out, report_bad_flags():
        settings = {"escape_formulas": escape_formulas, "long_names": long_names}
        chosen.write(problem, out, encoder=configuration.encoder, **settings)
    return Exit.DELIVERED


@contextmanager
def _open_exactly(output: str | None, inputs: Iterable[Path]) -> Iterator[TextIO]:
    """Open the output, and refuse texts that it cannot hold; standard output would show ? for them."""
    with open_output(output, inputs=inputs) as out:
        if isinstance(out, TextIOWrapper):
            out.reconfigure(errors="strict")
        try:
            yield out
        except UnicodeEncodeError as error:
            strange = f"{error.object[error.start]!a}, which {error.encoding.upper()} cannot encode"
            raise click.UsageError(f"a name contains {strange}") from None


def _write_document(configuration: Configuration, request: Request) -> str:
    """Return a puzzle as YAML."""
    if isinstance(configuration.encoder, FixedProblem):
        raise click.UsageError("--format yaml writes the parameters of a family, and this target is a file of options")
    from exactcover.config.write import describe, write_document  # loads PyYAML

    known = Known() if request.params else configuration.known
    if known != configuration.known and not request.quiet:
        print_message("the section 'known' is left out: it is about the puzzle with other parameters")
    sections = {"search": configuration.search, "output": configuration.output, "known": known}
    return write_document(describe(configuration.problem, configuration.encoder, configuration.title, **sections))
