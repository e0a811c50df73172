"""``exactcover estimate``: how large a search will be."""

from __future__ import annotations

import dataclasses

import click

from exactcover.analysis.estimate import Number, format_number
from exactcover.analysis.estimate import estimate as probe
from exactcover.cli.exits import Exit
from exactcover.cli.flags import Verb, engine_option, report_options, target_options
from exactcover.cli.messages import count_noun, print_line
from exactcover.cli.progress import describe_seconds
from exactcover.cli.reports import write_report
from exactcover.cli.target import Request


@click.command(cls=Verb)
@click.option(
    "--probes",
    type=click.IntRange(min=1, max=10**9),
    default=1000,
    show_default=True,
    help="How many random ways down.",
)
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Let chance depend on N alone.")
@engine_option
@report_options
@target_options
def estimate(
    request: Request, probes: int, seed: int, engine: str | None, output_format: str, output: str | None
) -> int:
    """Estimate how many nodes a search of TARGET visits, how long it takes, and how many solutions there are.

    Random probes go down the search tree. Each number comes with its standard error. Where few ways go deep the truth
    can be far outside.

    \b
    exactcover estimate pentominoes_6x10.yaml --probes 5000
    """
    configuration = request.configuration()
    problem = request.problem(configuration)
    seen = probe(problem, probes=probes, seed=seed, engine=engine or configuration.search.engine, stop=request.stop)
    lines = [
        f"nodes       {_with_spread(seen.nodes, seen.nodes_spread)}",
        f"solutions   {_with_spread(seen.solutions, seen.solutions_spread)}",
        "time        " + ("unknown" if seen.seconds is None else f"{describe_seconds(seen.seconds)}"),
    ]
    write_report(
        lines, dataclasses.asdict(seen), output_format=output_format, output=output, inputs=configuration.inputs
    )
    if not request.quiet:
        print_line(f"{count_noun(seen.probes, 'probe')}, {seen.successes:,} of them met a solution")
        for doubt in seen.doubts:
            print_line(doubt)
    status = request.stop.status
    return Exit.DELIVERED if status is None else Exit.after(status)


def _with_spread(number: Number | None, spread: Number | None) -> str:
    if number is None or not spread:
        return format_number(number)
    if number < 1000:
        return f"{number:.2f} ± {spread:.2f}"
    return f"{format_number(number)} ± {format_number(spread)}"
