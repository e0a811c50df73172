"""``exactcover sample``: prints solutions drawn at random."""

from __future__ import annotations

import click

from exactcover.cli.diagram import drawn
from exactcover.cli.exits import Exit, interruptible, last_words
from exactcover.cli.target import (
    common_options,
    memory_option,
    read_target_in_time,
    target_arguments,
    timeout_option,
)
from exactcover.cli.writers import output_options, pass_on, writing
from exactcover.walk import Walk


@click.command
@target_arguments
@click.option("-n", "--number", type=click.IntRange(min=1), default=1, metavar="N", help="How many; 1 by default.")
@click.option("--seed", type=int, metavar="N", help="Draw what depends on N alone.")
@output_options
@memory_option
@timeout_option
@common_options
def sample(
    target: str,
    params: tuple[str, ...],
    input_format: str,
    number: int,
    seed: int | None,
    output_format: str | None,
    output: str | None,
    memory: int | None,
    timeout: float | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Print N different solutions of TARGET, each as likely as any other.

    That takes a diagram of all solutions, which is made first; TARGET may be the FILE.zdd of one.

    \b
    exactcover sample queens n=12 -n 5 --seed 1
    exactcover sample polyomino board=12x12 pieces=dominoes copies=any -o tilings.svg -n 9
    """
    configuration, stop = read_target_in_time(target, params, input_format, timeout)
    with writing(configuration, output_format, output) as begin, interruptible(stop):
        diagram = drawn(configuration, "compact", memory, stop)
        walk = Walk(diagram, diagram.sample(number, seed, distinct=True), limit=number, stop=stop)
        pass_on(walk, begin(diagram.problem), quiet)
    last_words(walk, verbose - quiet)
    return Exit.after(walk.status)
