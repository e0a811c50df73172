"""``exactcover check``: validates, and says how big the problem is."""

from __future__ import annotations

from typing import Any

import click

from exactcover.cli.exits import Exit
from exactcover.cli.flags import Verb, report_options, target_options
from exactcover.cli.messages import count_noun
from exactcover.cli.reports import write_report
from exactcover.cli.target import Request
from exactcover.config.configuration import Configuration
from exactcover.control.stop import Stop
from exactcover.pictures import printable
from exactcover.problem import Problem
from exactcover.search.reasons import describe_reason
from exactcover.steps.reduction import reduce
from exactcover.steps.restriction import restrict


@click.command(cls=Verb)
@click.option("--reduce", "reduces", is_flag=True, help="Say also what could be removed before searching.")
@report_options
@target_options
def check(request: Request, reduces: bool, output_format: str, output: str | None) -> int:
    """Validate TARGET and say how big the problem is, without searching."""
    configuration = request.configuration()
    problem = request.problem(configuration)
    with problem.solve(engine=configuration.search.engine, stop=request.stop) as search:
        reason = search.reason
    request.stop.poll()
    facts = _facts(configuration, problem)
    lines = _lines(configuration, problem, facts)
    if reduces:
        facts["reduced"], reduced_lines = _reduction(problem, request.stop)
        lines |= reduced_lines
    if reason is not None:
        facts["reason"] = reason
        lines["solutions"] = f"none: {reason}"
    write_report(
        [f"{name.ljust(11)} {printable(value)}" for name, value in lines.items()],
        facts,
        output_format=output_format,
        output=output,
        inputs=configuration.inputs,
    )
    return Exit.DELIVERED


def _facts(configuration: Configuration, problem: Problem) -> dict[str, Any]:
    matrix = problem.matrix
    return {
        "problem": configuration.problem,
        "params": dict(configuration.params),
        "items": matrix.items,
        "primary": matrix.primary,
        "secondary": matrix.items - matrix.primary,
        "options": len(matrix),
        "entries": len(matrix.entries),
        "givens": len(problem.givens),
        "excluded": len(problem.excluded),
        "components": matrix.components(),
        "known": configuration.known.model_dump(exclude_none=True),
        "counted": len(problem.multiplicity),
        "duplicates": len(problem.duplicates()),
    }


def _lines(configuration: Configuration, problem: Problem, facts: dict[str, Any]) -> dict[str, str]:
    """Return what people read of it."""
    lines = {
        "problem": configuration.problem,
        "items": "{items:,} ({primary:,} primary, {secondary:,} secondary)".format(**facts),
        "options": "{options:,} ({entries:,} entries)".format(**facts),
        "givens": f"{facts['givens']:,}",
        **({"excluded": f"{facts['excluded']:,}"} if facts["excluded"] else {}),
        "components": f"{facts['components']:,}",
    }
    known = configuration.known
    stated = []
    if known.solutions is not None:
        stated.append(f"{known.solutions:,} solution{'' if known.solutions == 1 else 's'}")
    if known.distinct is not None:
        stated.append(f"{known.distinct:,} up to symmetry")
    if stated:
        lines["known"] = ", ".join(stated) + (f" ({known.source})" if known.source else "")
    if facts["counted"]:
        lines["counted"] = f"{count_noun(facts['counted'], 'item')} not to be covered exactly once"
    if facts["duplicates"]:
        label, original = (str(one) for one in next(iter(problem.duplicates().items())))
        number = facts["duplicates"]
        lines["duplicates"] = (
            f"{count_noun(number, 'option')} with the items of an earlier one: {label!r} has those of {original!r}"
        )
    return lines


def _reduction(problem: Problem, stop: Stop) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what could be removed, as facts and as lines."""
    restriction = restrict(problem.matrix, problem.given_positions, problem.excluded_positions)
    if restriction.reason is not None:
        return {}, {}
    matrix = restriction.matrix
    reduction = reduce(matrix, stop)
    if reduction.reason is not None:
        reason = describe_reason(problem, reduction.reason, problem.given_positions)
        return {"reason": reason}, {"reduced": reason}
    left = reduction.matrix
    removed, implied = len(matrix) - len(left) - reduction.chosen, matrix.items - left.items
    facts = {"options": len(left), "items": left.items, "rounds": reduction.rounds, "removed": removed,
             "implied": implied, "chosen": reduction.chosen}  # fmt: skip
    return facts, {
        "reduced": f"{len(left):,} options and {left.items:,} items are left after {reduction.rounds} rounds",
        "removed": f"{removed:,} options that are in no solution, {implied:,} items that others imply",
        "chosen": f"{reduction.chosen:,} options that some item cannot do without",
    }
