"""``exactcover check``: validates, and says how big the problem is."""

from __future__ import annotations

import click

from exactcover.cli.exits import Exit
from exactcover.cli.target import read_target, target_arguments


@click.command
@target_arguments
def check(target: str, params: tuple[str, ...], input_format: str) -> int:
    """Validate TARGET and say how big the problem is, without searching."""
    configuration = read_target(target, params, input_format)
    problem = configuration.encoder.problem()
    givens = list(configuration.encoder.givens())
    with problem.solve(given=givens, engine=configuration.search.engine) as search:
        reason = search.reason
    matrix = problem.matrix
    lines = {
        "problem": configuration.problem,
        "items": f"{matrix.items:,} ({matrix.primary:,} primary, {matrix.items - matrix.primary:,} secondary)",
        "options": f"{len(matrix):,} ({len(matrix.entries):,} entries)",
        "givens": f"{len(givens):,}",
        "components": f"{matrix.components():,}",
    }
    for name, value in lines.items():
        click.echo(f"{name.ljust(11)} {value}")
    if reason is not None:
        click.echo(f"{'solutions'.ljust(11)} none: {reason}")
    return Exit.DELIVERED
