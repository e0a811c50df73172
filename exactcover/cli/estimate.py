"""``exactcover estimate``: estimates the size of a search."""

from __future__ import annotations

import dataclasses
import math
from decimal import Decimal

import click

from exactcover.analysis.estimate import Estimate, Number, format_number
from exactcover.analysis.estimate import estimate as estimate_search
from exactcover.cli.flags import Verb, add_option_flags, add_report_flags, add_target_arguments
from exactcover.cli.messages import Exit, describe_duration, describe_percent, print_message
from exactcover.cli.output import write_report
from exactcover.cli.target import Request
from exactcover.pictures.text import format_count

_YEAR = 31_556_952  # seconds


@click.command(cls=Verb)
@click.option(
    "--probes",
    type=click.IntRange(min=1, max=10**9),
    default=1000,
    show_default=True,
    metavar="N",
    help="How many random paths to follow down the search tree.",
)
@add_option_flags("engine", seed=0)
@add_report_flags
@add_target_arguments
def estimate(
    request: Request, probes: int, seed: int, engine: str | None, output_format: str, output: str | None
) -> int:
    """Estimate how many solutions TARGET has, and how long it takes to list or count them.

    Probes follow random paths down the search tree. The numbers of solutions, and of nodes that a listing visits,
    are printed with their standard errors. If few paths go deep, the true numbers can differ by far more than that.
    A count is tried for half a second, and its time extrapolated: it can be much shorter than a listing.

    \b
    exactcover estimate queens n=16 --probes 5000
    exactcover estimate polyomino board=16x16 pieces=dominoes copies=any
    """
    configuration = request.read_configuration()
    problem = request.build_problem(configuration)
    result = estimate_search(
        problem, probes=probes, seed=seed, engine=engine or configuration.search.engine, stop=request.stop
    )
    lines = [
        f"nodes       {_format_spread(result.nodes, result.nodes_spread)}",
        f"solutions   {_format_spread(result.solutions, result.solutions_spread)}",
        "listing     " + ("unknown" if result.seconds is None else f"about {_describe_time(result.seconds)}"),
        f"counting    {_describe_count(result)}",
        *_describe_cheapest(result),
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


def _describe_count(result: Estimate) -> str:
    """Return how long a count takes, and how that is known."""
    if result.count_seconds is None:
        return "unknown: too little is explored in half a second" if result.seconds is not None else "unknown"
    return f"{'' if result.counted else 'about '}{_describe_time(result.count_seconds)}" + (
        " (measured)" if result.counted else " (extrapolated from half a second, so perhaps far off)"
    )


def _describe_cheapest(result: Estimate) -> list[str]:
    """Return how long a search for the cheapest solution takes, and what it costs, for problems with costs."""
    best, bound, seconds = result.best, result.bound, result.cheapest_seconds
    if seconds is not None and (best is not None or bound is not None):
        cost = "" if best is None else f", which costs {Decimal(best):f}"
        return [f"cheapest    {_describe_time(seconds)} (measured){cost}"]
    if bound is None:
        return ["cheapest    unknown: half a second was too short"] if result.tried_cheapest else []
    found = "nothing was found" if best is None else f"the best solution found costs {Decimal(best):f}"
    share = f" (gap {describe_percent(best - bound, best)})" if best else ""
    return [f"cheapest    unknown: after half a second, {found}, and every one at least {Decimal(bound):f}{share}"]


def _format_spread(number: Number | None, spread: Number | None) -> str:
    if number is None or not spread:
        return format_number(number)
    if number < 1000:
        return f"{number:.2f} ± {spread:.2f}"
    if 10 <= spread < 1e15:  # two digits of the spread, and no more of the number
        places = 1 - math.floor(math.log10(spread))
        number, spread = round(number, places), round(spread, places)
    return f"{format_number(number)} ± {format_number(spread)}"


def _describe_time(seconds: Number) -> str:
    if seconds < 2 * _YEAR:
        return describe_duration(seconds)
    return f"{format_number(int(seconds) // _YEAR, rounded=True)} years"
