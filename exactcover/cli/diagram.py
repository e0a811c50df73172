"""``exactcover diagram``: all solutions as one object, for a file, another program, or the eye."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import TextIO, get_args

import click

from exactcover import __version__, contact_sheet
from exactcover.cli.exits import Exit, interruptible
from exactcover.cli.target import (
    Stated,
    built,
    memory_option,
    opened,
    read_target_in_time,
    target_arguments,
    timeout_option,
)
from exactcover.config import Configuration
from exactcover.diagram import Diagram, Order
from exactcover.encoder import defines
from exactcover.formats import diagram_exports, diagrams
from exactcover.pictures import heat_maps
from exactcover.stop import Stop


@click.command
@target_arguments
@click.option("-o", "--output", metavar="FILE", help="Write there; its suffix names the format.")
@click.option(
    "--to", "output_format", type=click.Choice(["zdd", "dot", "dddmp", "graphillion", "svg"]), help="The format."
)
@click.option("--marginals", is_flag=True, help="Print for each option how many solutions contain it.")
@click.option(
    "--order",
    type=click.Choice(get_args(Order)),
    default="compact",
    help="The options in the order of the problem, or (as a rule) in one that keeps the diagram small.",
)
@memory_option
@timeout_option
def diagram(
    target: str,
    params: tuple[str, ...],
    input_format: str,
    output: str | None,
    output_format: str | None,
    marginals: bool,
    order: Order,
    memory: int | None,
    timeout: float | None,
) -> int:
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
        what = f"{form!r} is none of them" if form else "name one with --to"
        raise click.UsageError(f"the formats are {', '.join(_WRITERS)}; {what}")
    configuration, stop = read_target_in_time(target, params, input_format, timeout)
    if form == "svg" and not defines(configuration.encoder, "draw"):
        raise click.UsageError(f"problem {configuration.problem!r} draws no pictures")
    with interruptible(stop):
        made = drawn(configuration, order, memory, stop)
    if form:
        content = io.BytesIO()
        written = io.TextIOWrapper(content, "utf-8", newline="\n", write_through=True)
        try:
            _WRITERS[form](made, configuration, written)
        except ValueError as error:
            raise click.UsageError(str(error)) from None
        with opened(output) as out:  # only now, so that a failure leaves a file that is there as it was
            out.buffer.write(content.getvalue())
    if marginals:
        for label, often in made.marginals().items():
            click.echo(f"{often}\t{label}")
    elif not form:
        _describe(made)
    return Exit.DELIVERED


def drawn(configuration: Configuration, order: Order, memory: int | None, stop: Stop) -> Diagram:
    """Return the diagram of what a target holds; raises ``StoppedError``."""
    if configuration.solutions is not None:
        return configuration.solutions
    problem, givens = built(configuration.encoder, stop)
    return problem.diagram(order=order, given=givens, memory=memory, stop=stop)


def _describe(made: Diagram) -> None:
    click.echo(f"solutions  {made.count}")
    if not made:
        return
    often = list(made.marginals().values())
    widths = made.widths().values()
    click.echo(f"nodes      {made.nodes:,}, at most {max(widths, default=0):,} at one of {len(widths):,} levels")
    click.echo(f"options    {often.count(made.count):,} in every solution, {often.count(0):,} in none")


def _write(made: Diagram, configuration: Configuration, out: TextIO) -> None:
    content = io.BytesIO()
    name = None if isinstance(configuration.encoder, Stated) else configuration.problem
    diagrams.write(made, content, version=__version__, name=name, params=configuration.params)
    out.buffer.write(content.getvalue())


def _heat(made: Diagram, configuration: Configuration, out: TextIO) -> None:
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
    out.write(contact_sheet(maps, title=f"where things lie in {count} solutions: {board.title}"))


_WRITERS: dict[str, Callable[[Diagram, Configuration, TextIO], None]] = {
    "zdd": _write,
    "dot": lambda made, _, out: diagram_exports.write_dot(made, out),
    "dddmp": lambda made, _, out: diagram_exports.write_dddmp(made, out),
    "graphillion": lambda made, _, out: diagram_exports.write_graphillion(made, out),
    "svg": _heat,
}
