"""``exactcover check``: validates, and says how big the problem is."""

from __future__ import annotations

from collections.abc import Sequence

import click

from exactcover.cli.exits import Exit
from exactcover.cli.target import read_target, target_arguments
from exactcover.problem import Label, Problem
from exactcover.reduction import reduce
from exactcover.steps import Contradiction, restrict


@click.command
@target_arguments
@click.option("--reduce", "reduces", is_flag=True, help="Say also what could be removed before searching.")
def check(target: str, params: tuple[str, ...], input_format: str, reduces: bool) -> int:
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
    known = configuration.known
    stated = (
        [f"{known.solutions:,} solution{'' if known.solutions == 1 else 's'}"] if known.solutions is not None else []
    )
    stated += [f"{known.distinct:,} up to symmetry"] if known.distinct is not None else []
    if stated:
        lines["known"] = ", ".join(stated) + (f" ({known.source})" if known.source else "")
    if problem.multiplicity:
        lines["counted"] = f"{len(problem.multiplicity):,} items are not to be covered exactly once"
    if duplicates := problem.duplicates():
        label, original = (str(one) for one in next(iter(duplicates.items())))
        lines["duplicates"] = (
            f"{len(duplicates):,} options have the items of an earlier one: {label!r} those of {original!r}"
        )
    if reduces:
        lines |= _reduction_lines(problem, givens)
    for name, value in lines.items():
        click.echo(f"{name.ljust(11)} {value}")
    if reason is not None:
        click.echo(f"{'solutions'.ljust(11)} none: {reason}")
    return Exit.DELIVERED


def _reduction_lines(problem: Problem, givens: Sequence[Label]) -> dict[str, str]:
    try:
        matrix, _ = restrict(problem.matrix, map(problem.position, givens), ())
    except Contradiction:
        return {}
    reduction = reduce(matrix)
    if reduction.reason is not None:
        return {"reduced": reduction.reason}
    left = reduction.matrix
    removed = len(matrix) - len(left) - reduction.chosen
    return {
        "reduced": f"{len(left):,} options and {left.items:,} items are left in {reduction.rounds} rounds",
        "removed": f"{removed:,} options that no solution has, {matrix.items - left.items:,} items that others imply",
        "chosen": f"{reduction.chosen:,} options that some item cannot do without",
    }
