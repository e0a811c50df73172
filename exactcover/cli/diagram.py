"""``exactcover diagram``: all solutions as one object, for a file, another program, or the eye."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO, get_args

import click

from exactcover import __version__, contact_sheet
from exactcover.cli.diagram_source import make_diagram
from exactcover.cli.exits import Exit
from exactcover.cli.flags import Verb, output_option, target_options
from exactcover.cli.output import open_output
from exactcover.cli.reports import write_report
from exactcover.cli.target import FixedProblem, Request
from exactcover.config.configuration import Configuration
from exactcover.diagram.diagram import Diagram, Order
from exactcover.encoders.encoder import defines
from exactcover.formats import diagram_exports, diagrams
from exactcover.formats.numbers import digits
from exactcover.pictures import heat_maps, printable
from exactcover.problem import Problem


@click.command(cls=Verb)
@click.option(
    "--format",
    "--to",
    "output_format",
    type=click.Choice(["zdd", "dot", "dddmp", "graphillion", "svg"]),
    help="The format; by default what the suffix of FILE names.",
)
@click.option("--marginals", is_flag=True, help="Print for each option how many solutions contain it.")
@click.option(
    "--order",
    type=click.Choice(get_args(Order)),
    default="compact",
    help="Order the options as in the problem, or (by default) so that the diagram stays small.",
)
@output_option
@target_options
def diagram(request: Request, output: str | None, output_format: str | None, marginals: bool, order: Order) -> int:
    """Make the diagram of all solutions of TARGET; say how large it is, or write it.

    A .zdd is a TARGET of count, solve, sample and diagram again; .dot is for Graphviz, .dddmp for OxiDD and
    CUDD; .svg is a heat map: how often what lies where on the board.

    \b
    exactcover diagram queens n=10 -o queens.zdd
    exactcover diagram pentominoes_6x10.yaml -o heat.svg
    exactcover diagram queens.zdd --marginals
    """
    form = output_format or Path(output or "").suffix.lower().removeprefix(".")
    if form not in ("", *_WRITERS) or (output is not None and not form):
        what = f"{form!r} is not one of them" if form else "name one with --format"
        raise click.UsageError(f"the formats are {', '.join(_WRITERS)}; {what}")
    configuration = request.configuration()
    if form == "svg" and not defines(configuration.encoder, "draw"):
        raise click.UsageError(f"problem {configuration.problem!r} draws no pictures")
    made = make_diagram(request, configuration, order)
    if form:
        content = io.BytesIO()
        written = io.TextIOWrapper(content, "utf-8", newline="\n", write_through=True)
        try:
            _WRITERS[form](made, configuration, written)
        except ValueError as error:
            raise click.UsageError(str(error)) from None
        with open_output(output, inputs=configuration.inputs) as out:
            out.flush()
            out.buffer.write(content.getvalue())
            out.buffer.flush()
    lines = _marginals(made) if marginals else _description(made) if not form else ()
    write_report(lines, {}, output_format="text", output=None)
    return Exit.DELIVERED


def _marginals(made: Diagram[Problem]) -> Iterator[str]:
    for label, often in made.marginals().items():
        yield f"{digits(often)}\t{printable(str(label))}"


def _description(made: Diagram[Problem]) -> Iterator[str]:
    yield f"solutions  {digits(made.count)}"
    if made:
        often = list(made.marginals().values())
        widths = made.widths().values()
        yield f"nodes      {made.nodes:,}, at most {max(widths, default=0):,} at one of {len(widths):,} levels"
        yield f"options    {often.count(made.count):,} in every solution, {often.count(0):,} in none"


def _write(made: Diagram[Problem], configuration: Configuration, out: TextIO) -> None:
    content = io.BytesIO()
    name = None if isinstance(configuration.encoder, FixedProblem) else configuration.problem
    diagrams.write(made, content, version=__version__, name=name, params=configuration.params)
    out.buffer.write(content.getvalue())


def _heat(made: Diagram[Problem], configuration: Configuration, out: TextIO) -> None:
    """Draw each option alone, as strong as it is frequent."""
    draw, count = configuration.encoder.draw, made.count
    board = draw(())
    options = ((draw((label,)), often / count) for label, often in made.marginals().items() if often)
    if board is None or not count:
        raise ValueError("there is no solution to draw")
    maps = heat_maps(board, ((picture, share) for picture, share in options if picture is not None))
    if not maps:
        raise ValueError(
            f"pictures of {configuration.problem} have no places where things could lie more or less often"
        )
    out.write(contact_sheet(maps, title=f"where things lie in {digits(count)} solutions: {board.title}"))


_WRITERS: dict[str, Callable[[Diagram[Problem], Configuration, TextIO], None]] = {
    "zdd": _write,
    "dot": lambda made, _, out: diagram_exports.write_dot(made, out),
    "dddmp": lambda made, _, out: diagram_exports.write_dddmp(made, out),
    "graphillion": lambda made, _, out: diagram_exports.write_graphillion(made, out),
    "svg": _heat,
}
