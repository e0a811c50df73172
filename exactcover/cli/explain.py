"""``exactcover explain``: why there is one solution, several or none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import click

from exactcover.algorithm_x import Label
from exactcover.analysis import explain as explaining
from exactcover.cli.exits import Exit
from exactcover.cli.flags import Verb, report_options, target_options
from exactcover.cli.reports import write_report
from exactcover.cli.target import Request
from exactcover.cli.terminal import Look
from exactcover.cli.writers import picture_of
from exactcover.encoders.encoder import Encoder
from exactcover.pictures import printable

_MOST_NAMES = 12


@click.command(cls=Verb)
@report_options
@target_options
def explain(request: Request, output_format: str, output: str | None) -> int:
    """Say whether TARGET has one solution, several or none, and why.

    One: the givens that it could do without. Several: two of them, where they differ, and the options that would leave
    one if they were given. None: givens, or else items, that conflict.

    \b
    exactcover explain sudoku_9x9.yaml
    exactcover explain queens n=8 "placed=[[1, 1], [2, 3]]"
    """
    configuration = request.configuration()
    problem = request.problem(configuration)
    explanation = explaining.explain(problem, stop=request.stop)
    if not explanation.solutions:
        lines = _none(explanation)
    elif explanation.count == 1:
        lines = _one(explanation, list(problem.givens))
    else:
        lines = _several(explanation, configuration.encoder, Look.of_output(output))
    write_report(lines, _facts(explanation), output_format=output_format, output=output, inputs=configuration.inputs)
    return Exit.DELIVERED


def _facts(explanation: explaining.Explanation) -> dict[str, Any]:
    """Return the explanation with all names as texts."""
    facts = dict(vars(explanation))
    for key in ("needless", "decisive", "conflict", "items"):
        facts[key] = [str(name) for name in facts[key]]
    facts["solutions"] = [[str(label) for label in solution] for solution in explanation.solutions]
    return facts


def _one(explanation: explaining.Explanation, givens: list[Label]) -> Iterator[str]:
    yield "one solution"
    if explanation.needless:
        yield f"any one of these givens could be left out, of {len(givens)}: {_names(explanation.needless)}"
    elif givens:
        yield "the given is needed" if len(givens) == 1 else f"each of the {len(givens)} givens is needed"


def _several(explanation: explaining.Explanation, encoder: Encoder, look: Look) -> Iterator[str]:
    count = explanation.count
    yield "more than 10,000 solutions, among them" if count is None else f"{count:,} solutions, among them"
    one, other = explanation.solutions
    for solution in (one, other):
        picture = picture_of(encoder, solution)
        yield ""
        yield _names(solution, most=len(solution)) if picture is None else look.render(picture)
    yield ""
    yield f"only in the first: {_names(label for label in one if label not in other)}"
    yield f"only in the second: {_names(label for label in other if label not in one)}"
    if explanation.decisive:
        yield f"any one of these, if given too, leaves one solution: {_names(explanation.decisive)}"
    else:
        yield f"no single option {'of these two ' if count is None else ''}leaves one solution, if given too"


def _none(explanation: explaining.Explanation) -> Iterator[str]:
    yield "no solution" + (f": {printable(explanation.reason)}" if explanation.reason else "")
    if explanation.conflict:
        so = "removing any one resolves the conflict" if explanation.minimal else "perhaps not all of them are needed"
        so = "no smaller set of givens conflicts" if explanation.smallest else so
        yield f"these givens conflict, and {so}: {_names(explanation.conflict)}"
    if explanation.items:
        yield f"these items cannot be covered together; without any one of them they can: {_names(explanation.items)}"


def _names(things: Iterable[object], most: int = _MOST_NAMES) -> str:
    names = [printable(str(thing)) for thing in things]
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
