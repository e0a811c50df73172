"""``exactcover convert``: writes a problem in another format."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TextIO

import click

from exactcover.cli.exits import Exit
from exactcover.cli.flags import Verb, add_escape_flag, add_format_flag, add_output_flag, add_target_arguments
from exactcover.cli.messages import print_message
from exactcover.cli.output import open_output
from exactcover.cli.search_flags import report_bad_flags
from exactcover.cli.target import Request
from exactcover.formats import csv_problem, dlx, json_problem, models
from exactcover.pictures.text import format_count
from exactcover.problem import Problem

_WRITERS: dict[str, Callable[[Problem, TextIO], None]] = {
    "dlx": dlx.write,
    "json": json_problem.write,
    "csv": csv_problem.write,
    "cnf": models.write_cnf,
    "opb": models.write_opb,
    "mtx": models.write_matrix_market,
}


@click.command(cls=Verb)
@add_format_flag(_WRITERS, "--to")
@add_escape_flag
@add_output_flag
@add_target_arguments
def convert(request: Request, output: str | None, output_format: str | None, escape_formulas: bool) -> int:
    """Write the problem TARGET in another format.

    If options are given or excluded, the remaining problem is written. The suffix of FILE sets the format of
    the output, unless --format does.

    \b
    exactcover convert queens n=8 -o queens.dlx
    exactcover convert pentominoes_6x10.yaml --format cnf | minisat /dev/stdin
    """
    suffix = output_format or Path(output or "").suffix.lower().removeprefix(".")
    if suffix not in _WRITERS:
        advice = f"{suffix!r} is not one of them" if suffix else "choose one with -o FILE or --format"
        raise click.UsageError(f"the formats are {', '.join(_WRITERS)}; {advice}")
    if escape_formulas and suffix != "csv":
        raise click.UsageError("--escape-formulas applies only to the format csv")
    configuration = request.read_configuration()
    problem = request.build_problem(configuration)
    chosen = len(problem.givens)
    if problem.givens or problem.excluded:
        problem = problem.residual(())
    if chosen and not request.quiet:
        print_message(f"{format_count(chosen, 'given')} applied; writing the remaining problem")
    request.stop.poll()
    write = partial(csv_problem.write, escape_formulas=escape_formulas) if suffix == "csv" else _WRITERS[suffix]
    with open_output(output, inputs=configuration.inputs) as out, report_bad_flags():
        try:
            write(problem, out)
        except UnicodeEncodeError as error:
            raise click.UsageError(
                f"a name contains {error.object[error.start]!a}, which UTF-8 cannot encode"
            ) from None
    return Exit.DELIVERED
