"""``exactcover convert``: writes a problem in another format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TextIO

import click

from exactcover.cli.exits import Exit, say
from exactcover.cli.target import opened, read_target, target_arguments
from exactcover.formats import csv_problem, dlx, json_problem, models
from exactcover.problem import Problem


@click.command
@target_arguments
@click.option("-o", "--output", metavar="FILE", help="Write there; its suffix names the format.")
@click.option(
    "--to", "output_format", type=click.Choice(["dlx", "json", "csv", "cnf", "opb", "mtx"]), help="The format."
)
def convert(
    target: str, params: tuple[str, ...], input_format: str, output: str | None, output_format: str | None
) -> int:
    """Write the problem of TARGET, or what its givens leave of it, as .dlx, .json, .csv, .cnf, .opb or .mtx.

    \b
    exactcover convert queens n=8 -o queens.dlx
    exactcover convert pentominoes_6x10.yaml --to cnf | minisat /dev/stdin
    """
    suffix = output_format or Path(output or "").suffix.lower().removeprefix(".")
    if suffix not in _WRITERS:
        given = f"{suffix!r} is none of them" if suffix else "name a FILE with -o, or a format with --to"
        raise click.UsageError(f"the formats are {', '.join(_WRITERS)}; {given}")
    encoder = read_target(target, params, input_format).encoder
    problem, givens = encoder.problem(), list(encoder.givens())
    if givens:
        problem = problem.rest(givens)
        say(f"the {len(givens)} givens are chosen already; what is left is written")
    try:
        with opened(output) as out:
            _WRITERS[suffix](problem, out)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    return Exit.DELIVERED


_WRITERS: dict[str, Callable[[Problem, TextIO], None]] = {
    "dlx": dlx.write,
    "json": json_problem.write,
    "csv": csv_problem.write,
    "cnf": models.write_cnf,
    "opb": models.write_opb,
    "mtx": models.write_matrix_market,
}
