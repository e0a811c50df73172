"""``exactcover explain``: why there is one solution, several or none."""

from __future__ import annotations

from collections.abc import Iterable

import click

from exactcover import explain as explaining
from exactcover.algorithm_x import Label
from exactcover.cli.exits import Exit, interruptible
from exactcover.cli.target import built, read_target_in_time, target_arguments, timeout_option
from exactcover.cli.writers import drawing
from exactcover.encoder import Encoder
from exactcover.pictures import render

_MOST_NAMES = 12


@click.command
@target_arguments
@timeout_option
def explain(target: str, params: tuple[str, ...], input_format: str, timeout: float | None) -> int:
    """Say whether TARGET has one solution, several or none, and why.

    One: which givens it could do without. Several: two of them, where they differ, and which given more would leave
    one. None: givens, or else items, that exclude each other.

    \b
    exactcover explain sudoku_9x9.yaml
    exactcover explain queens n=8 "placed=[[1, 1], [2, 3]]"
    """
    configuration, stop = read_target_in_time(target, params, input_format, timeout)
    encoder = configuration.encoder
    problem, givens = built(encoder, stop)
    with interruptible(stop):
        explanation = explaining.explain(problem, givens, stop=stop)
    if not explanation.solutions:
        _none(explanation)
    elif explanation.count == 1:
        _one(explanation, givens)
    else:
        _several(explanation, encoder)
    return Exit.DELIVERED


def _one(explanation: explaining.Explanation, givens: list[Label]) -> None:
    click.echo("one solution")
    if explanation.needless:
        click.echo(f"of the {len(givens)} givens any one of these could be left out: {_names(explanation.needless)}")
    elif givens:
        click.echo(f"each of the {len(givens)} givens is needed")


def _several(explanation: explaining.Explanation, encoder: Encoder) -> None:
    count = explanation.count
    click.echo("more than 10,000 solutions, among them" if count is None else f"{count:,} solutions, among them")
    one, other = explanation.solutions
    for solution in (one, other):
        picture = drawing(encoder, solution)
        click.echo("\n" + (", ".join(map(str, solution)) if picture is None else render(picture)))
    click.echo(f"\nonly in the first: {_names(label for label in one if label not in other)}")
    click.echo(f"only in the second: {_names(label for label in other if label not in one)}")
    if explanation.decisive:
        click.echo(f"any one of these, given besides, leaves one solution: {_names(explanation.decisive)}")
    else:
        click.echo(f"no single option {'of these two ' if count is None else ''}leaves one solution, if given besides")


def _none(explanation: explaining.Explanation) -> None:
    click.echo("no solution" + (f": {explanation.reason}" if explanation.reason else ""))
    if explanation.conflict:
        so = ", and no smaller set of givens conflicts" if explanation.smallest else (
            "; removing any one resolves the conflict" if explanation.minimal else "")  # fmt: skip
        click.echo(f"these givens conflict{so}: {_names(explanation.conflict)}")
    if explanation.items:
        click.echo(f"these items cannot be covered together, and none of them is too many: {_names(explanation.items)}")


def _names(things: Iterable[object]) -> str:
    names = list(map(str, things))
    more = f" and {len(names) - _MOST_NAMES:,} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more
