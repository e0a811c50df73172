"""``exactcover estimate``: estimates the size of a search."""

from __future__ import annotations

import dataclasses
from functools import partial

import click

from exactcover.analysis.estimate import Number, format_number
from exactcover.analysis.estimate import estimate as estimate_search
from exactcover.cli.exits import Exit
from exactcover.cli.flags import Verb, add_engine_flag, add_report_flags, add_seed_flag, add_target_arguments
from exactcover.cli.messages import print_message
from exactcover.cli.progress import describe_duration
from exactcover.cli.reports import write_report
from exactcover.cli.target import Request
from exactcover.pictures.text import format_count


@click.command(cls=Verb)
@click.option(
    "--probes",
    type=click.IntRange(min=1, max=10**9),
    default=1000,
    show_default=True,
    metavar="N",
    help="How many random paths to follow down the search tree.",
)
@partial(add_seed_flag, default=0)
@add_engine_flag
@add_report_flags
@add_target_arguments
def estimate(
    request: Request, probes: int, seed: int, engine: str | None, output_format: str, output: str | None
) -> int:
    """Estimate the nodes, time and solutions of a search of TARGET.

    Probes follow random paths down the search tree. The numbers of nodes and solutions are printed with their
    standard errors. If few paths go deep, the true numbers can differ by far more than that.

    \b
    exactcover estimate pentominoes_6x10.yaml --probes 5000
    """
    configuration = request.read_configuration()
    problem = request.build_problem(configuration)
    result = estimate_search(
        problem, probes=probes, seed=seed, engine=engine or configuration.search.engine, stop=request.stop
    )
    lines = [
        f"nodes       {_format_spread(result.nodes, result.nodes_spread)}",
        f"solutions   {_format_spread(result.solutions, result.solutions_spread)}",
        "time        " + ("unknown" if result.seconds is None else f"{describe_duration(result.seconds)}"),
    ]
    write_report(
        lines, dataclasses.asdict(result), output_format=output_format, output=output, inputs=configuration.inputs
    )
    if not request.quiet:
        print_message(f"{format_count(result.probes, 'probe')}; {result.successes:,} reached a solution")
        for doubt in result.doubts:
            print_message(doubt)
    status = request.stop.status
    return Exit.DELIVERED if status is None else Exit.from_status(status)


def _format_spread(number: Number | None, spread: Number | None) -> str:
    if number is None or not spread:
        return format_number(number)
    if number < 1000:
        return f"{number:.2f} ± {spread:.2f}"
    return f"{format_number(number)} ± {format_number(spread)}"
