"""``exactcover convert``: writes a problem in another format."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TextIO

import click

from exactcover.cli.exits import Exit
from exactcover.cli.flags import Verb, formulas_option, output_option, target_options
from exactcover.cli.messages import count_noun, print_line
from exactcover.cli.output import open_output
from exactcover.cli.search_flags import reject_bad_values
from exactcover.cli.target import Request
from exactcover.formats import csv_problem, dlx, json_problem, models
from exactcover.problem import Problem


@click.command(cls=Verb)
@click.option(
    "--format",
    "--to",
    "output_format",
    type=click.Choice(["dlx", "json", "csv", "cnf", "opb", "mtx"]),
    help="The format; by default what the suffix of FILE names.",
)
@formulas_option
@output_option
@target_options
def convert(request: Request, output: str | None, output_format: str | None, escape_formulas: bool) -> int:
    """Write the problem of TARGET, or what its givens leave of it, as .dlx, .json, .csv, .cnf, .opb or .mtx.

    \b
    exactcover convert queens n=8 -o queens.dlx
    exactcover convert pentominoes_6x10.yaml --format cnf | minisat /dev/stdin
    """
    suffix = output_format or Path(output or "").suffix.lower().removeprefix(".")
    if suffix not in _WRITERS:
        given = f"{suffix!r} is not one of them" if suffix else "name a FILE with -o, or a format with --format"
        raise click.UsageError(f"the formats are {', '.join(_WRITERS)}; {given}")
    configuration = request.configuration()
    problem = request.problem(configuration)
    chosen = len(problem.givens)
    if problem.givens or problem.excluded:
        problem = problem.residual(())
    if chosen and not request.quiet:
        print_line(f"chosen already: {count_noun(chosen, 'given')}; what is left is written")
    request.stop.poll()
    write = partial(csv_problem.write, escape_formulas=escape_formulas) if suffix == "csv" else _WRITERS[suffix]
    with open_output(output, inputs=configuration.inputs) as out, reject_bad_values():
        try:
            write(problem, out)
        except UnicodeEncodeError as error:
            raise click.UsageError(f"a name holds {error.object[error.start]!a}, which UTF-8 cannot hold") from None
    return Exit.DELIVERED


_WRITERS: dict[str, Callable[[Problem, TextIO], None]] = {
    "dlx": dlx.write,
    "json": json_problem.write,
    "csv": csv_problem.write,
    "cnf": models.write_cnf,
    "opb": models.write_opb,
    "mtx": models.write_matrix_market,
}
