"""``exactcover estimate``: how large a search will be."""

from __future__ import annotations

import click

from exactcover.cli.exits import Exit, interruptible, punctual, say
from exactcover.cli.target import read_target_in_time, search_options, target_arguments
from exactcover.estimate import estimate as probe


@click.command
@target_arguments
@click.option(
    "--probes", type=click.IntRange(min=1), default=1000, show_default=True, help="How many random ways down."
)
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="All that chance depends on.")
@search_options
def estimate(
    target: str,
    params: tuple[str, ...],
    input_format: str,
    probes: int,
    seed: int,
    timeout: float | None,
    engine: str | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Estimate how many nodes a search of TARGET visits and how many solutions there are, by random probes.

    Each number comes with its standard error. Where few ways go deep the truth can be far outside.

    \b
    exactcover estimate pentominoes_6x10.yaml --probes 5000
    """
    configuration, stop = read_target_in_time(target, params, input_format, timeout)
    with punctual(stop):
        problem = configuration.encoder.problem(stop)
    with interruptible(stop):
        seen = probe(
            problem,
            probes=probes,
            seed=seed,
            given=configuration.encoder.givens(),
            engine=engine or configuration.search.engine,
            stop=stop,
        )
    click.echo(f"nodes       {seen.nodes:,.0f} ± {seen.nodes_spread:,.0f}")
    click.echo(f"solutions   {seen.solutions:,.0f} ± {seen.solutions_spread:,.0f}")
    if not quiet:
        say(f"{seen.probes:,} probes, {seen.successes:,} of them ended in a solution")
    return Exit.DELIVERED if stop.status is None else Exit.after(stop.status)
