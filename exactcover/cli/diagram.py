"""``exactcover diagram``: all solutions as one diagram, for a file, another program or a heat map."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import get_args

import click

from exactcover import __version__
from exactcover.cli.certificates import add_certificate_flag, count_with_certificate
from exactcover.cli.flags import Verb, add_format_flag, add_output_flag, add_target_arguments, check_target
from exactcover.cli.messages import Exit
from exactcover.cli.output import check_other_output, choose_format, open_output, write_report
from exactcover.cli.target import FixedProblem, Request, check_encoder
from exactcover.control.options import SearchOptions
from exactcover.diagram.diagram import Diagram, Order
from exactcover.formats.registry import DIAGRAMS
from exactcover.pictures import printable
from exactcover.pictures.text import digits, format_count
from exactcover.problem import Problem


def _format_size(zdd: Diagram[Problem]) -> Iterator[str]:
    yield f"solutions  {digits(zdd.count)}"
    if zdd:
        frequencies = list(zdd.marginals().values())
        widths = zdd.widths().values()
        levels = "the only level" if len(widths) == 1 else f"each of the {len(widths):,} levels"
        yield f"nodes      {zdd.nodes:,}, at most {max(widths, default=0):,} on {levels}"
        yield f"options    {frequencies.count(zdd.count):,} in every solution, {frequencies.count(0):,} in none"


@click.command(cls=Verb)
@add_format_flag(DIAGRAMS)
@click.option("--marginals", is_flag=True, help="Print how many solutions contain each option.")
@click.option(
    "--order",
    type=click.Choice(get_args(Order)),
    default="compact",
    show_default=True,
    help="Order the options as in the problem (problem), or so that the diagram stays small (compact).",
)
@add_certificate_flag
@add_output_flag
@add_target_arguments
def diagram(
    request: Request,
    output: str | None,
    output_format: str | None,
    certificate: str | None,
    marginals: bool,
    order: Order,
) -> int:
    """Build the diagram (ZDD) of all solutions of TARGET. Print its size, or write it to a file.

    The suffix of FILE sets the format of the output, unless --format does. A .zdd file can itself be a TARGET. A .dot
    file is for Graphviz, a .dddmp file for OxiDD and CUDD. An .svg file is a heat map, which shows how often each kind
    of piece lies at each place.

    \b
    exactcover diagram queens n=10 -o queens.zdd
    exactcover diagram pentominoes_6x10.yaml -o heat.svg
    exactcover diagram queens.zdd --marginals
    """
    is_written = (output, output_format) != (None, None)
    chosen = choose_format(DIAGRAMS, output_format, output) if is_written else None
    configuration = request.read_configuration()
    if chosen is not None:
        check_encoder(chosen, configuration)
    check_other_output("--certificate", certificate, output if is_written else None)
    check_target(configuration)
    zdd = request.build_diagram(configuration, order)
    if certificate is not None:
        problem = request.build_problem(configuration)
        number = count_with_certificate(request, configuration, problem, SearchOptions(), certificate)
        if number != zdd.count:
            raise AssertionError(
                f"the diagram has {format_count(zdd.count, 'solution')}, but the count is {digits(number)}"
            )
    if chosen is not None:
        content = io.BytesIO()
        text = io.TextIOWrapper(content, "utf-8", newline="\n", write_through=True)
        name = None if isinstance(configuration.encoder, FixedProblem) else configuration.problem
        facts = {"version": __version__, "name": name, "params": configuration.params, "encoder": configuration.encoder}
        try:
            chosen.write(zdd, text, **facts)
        except ValueError as error:
            raise click.UsageError(str(error)) from None
        with open_output(output, inputs=configuration.inputs) as out:
            out.flush()
            out.buffer.write(content.getvalue())
            out.buffer.flush()
    lines = () if is_written else _format_size(zdd)
    if marginals:
        lines = (f"{digits(frequency)}\t{printable(str(label))}" for label, frequency in zdd.marginals().items())
    write_report(lines, {}, output_format="text", output=None)
    return Exit.DELIVERED
