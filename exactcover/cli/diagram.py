"""``exactcover diagram``: all solutions as one diagram, for a file, another program or a heat map."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO, get_args

import click

from exactcover import __version__
from exactcover.cli.certificates import add_certificate_flag, check_certificate, count_with_certificate
from exactcover.cli.diagram_source import make_diagram
from exactcover.cli.exits import Exit
from exactcover.cli.flags import Verb, add_format_flag, add_output_flag, add_target_arguments
from exactcover.cli.output import open_output
from exactcover.cli.reports import write_report
from exactcover.cli.target import FixedProblem, Request
from exactcover.config.configuration import Configuration
from exactcover.control.options import SearchOptions
from exactcover.diagram.diagram import Diagram, Order
from exactcover.encoders.encoder import defines
from exactcover.formats import diagram_exports, diagrams
from exactcover.pictures import contact_sheet, heat_maps, printable
from exactcover.pictures.text import digits, format_count
from exactcover.problem import Problem


def _format_marginals(zdd: Diagram[Problem]) -> Iterator[str]:
    for label, frequency in zdd.marginals().items():
        yield f"{digits(frequency)}\t{printable(str(label))}"


def _format_size(zdd: Diagram[Problem]) -> Iterator[str]:
    yield f"solutions  {digits(zdd.count)}"
    if zdd:
        frequencies = list(zdd.marginals().values())
        widths = zdd.widths().values()
        yield f"nodes      {zdd.nodes:,}, at most {max(widths, default=0):,} {_name_levels(len(widths))}"
        yield f"options    {frequencies.count(zdd.count):,} in every solution, {frequencies.count(0):,} in none"


def _name_levels(number: int) -> str:
    return "on the only level" if number == 1 else f"on each of the {number:,} levels"


def _write_zdd(zdd: Diagram[Problem], configuration: Configuration, out: TextIO) -> None:
    content = io.BytesIO()
    name = None if isinstance(configuration.encoder, FixedProblem) else configuration.problem
    diagrams.write(zdd, content, version=__version__, name=name, params=configuration.params)
    out.buffer.write(content.getvalue())


def _write_heat_map(zdd: Diagram[Problem], configuration: Configuration, out: TextIO) -> None:
    """Draw each option by itself, in a strength that shows its frequency."""
    draw, count = configuration.encoder.draw, zdd.count
    board = draw(())
    options = ((draw((label,)), frequency / count) for label, frequency in zdd.marginals().items() if frequency)
    if board is None or not count:
        raise ValueError("there is no solution to draw")
    sheets = heat_maps(board, ((picture, share) for picture, share in options if picture is not None))
    if not sheets:
        raise ValueError(
            f"problem {configuration.problem!r} has no heat map, because its pictures show no board; "
            "choose another --format"
        )
    out.write(contact_sheet(sheets, title=f"placement frequencies in {format_count(count, 'solution')}"))


_WRITERS: dict[str, Callable[[Diagram[Problem], Configuration, TextIO], None]] = {
    "zdd": _write_zdd,
    "dot": lambda zdd, _, out: diagram_exports.write_dot(zdd, out),
    "dddmp": lambda zdd, _, out: diagram_exports.write_dddmp(zdd, out),
    "graphillion": lambda zdd, _, out: diagram_exports.write_graphillion(zdd, out),
    "svg": _write_heat_map,
}


@click.command(cls=Verb)
@add_format_flag(_WRITERS, "--to")
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
    suffix = output_format or Path(output or "").suffix.lower().removeprefix(".")
    if suffix not in ("", *_WRITERS) or (output is not None and not suffix):
        advice = f"{suffix!r} is not one of them" if suffix else "choose one with --format"
        raise click.UsageError(f"the formats are {', '.join(_WRITERS)}; {advice}")
    configuration = request.read_configuration()
    if suffix == "svg" and not defines(configuration.encoder, "draw"):
        raise click.UsageError(f"problem {configuration.problem!r} has no pictures; choose another --format")
    check_certificate(certificate, output if suffix else None, {}, configuration)
    zdd = make_diagram(request, configuration, order)
    if certificate is not None:
        problem = request.build_problem(configuration)
        number = count_with_certificate(request, configuration, problem, SearchOptions(), certificate)
        if number != zdd.count:
            raise AssertionError(f"the diagram has {digits(zdd.count)} solutions, but there are {digits(number)}")
    if suffix:
        content = io.BytesIO()
        text = io.TextIOWrapper(content, "utf-8", newline="\n", write_through=True)
        try:
            _WRITERS[suffix](zdd, configuration, text)
        except ValueError as error:
            raise click.UsageError(str(error)) from None
        with open_output(output, inputs=configuration.inputs) as out:
            out.flush()
            out.buffer.write(content.getvalue())
            out.buffer.flush()
    lines = _format_marginals(zdd) if marginals else _format_size(zdd) if not suffix else ()
    write_report(lines, {}, output_format="text", output=None)
    return Exit.DELIVERED
