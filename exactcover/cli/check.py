"""``exactcover check``: validates a problem and prints its size."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from exactcover.cli.flags import Verb, add_report_flags, add_target_arguments
from exactcover.cli.messages import Exit
from exactcover.cli.output import write_report
from exactcover.cli.target import Request
from exactcover.config.configuration import Configuration
from exactcover.control.stop import Stop
from exactcover.pictures import printable
from exactcover.pictures.text import format_count
from exactcover.problem import Problem
from exactcover.search.reasons import describe_reason
from exactcover.steps.reduction import reduce
from exactcover.steps.step import restrict


@click.command(cls=Verb)
@click.option("--reduce", "show_reduction", is_flag=True, help="Also print what can be removed before a search.")
@add_report_flags
@add_target_arguments
def check(request: Request, show_reduction: bool, output_format: str, output: str | None) -> int:
    """Validate TARGET and print its size, without a search."""
    configuration = request.read_configuration()
    problem = request.build_problem(configuration)
    with problem.solve(engine=configuration.search.engine, stop=request.stop) as search:
        reason = search.reason
    request.stop.poll()
    facts = _collect_facts(configuration, problem)
    lines = _format_facts(configuration, problem, facts)
    if show_reduction:
        facts["reduced"], reduced_lines = _try_reduction(problem, request.stop)
        lines |= reduced_lines
    if reason is not None:
        facts["reason"] = reason
        lines["solutions"] = f"none: {reason}"
    width = max(11, *map(len, lines))
    report = [f"{name.ljust(width)} {printable(value)}" for name, value in lines.items()]
    write_report(report, facts, output_format=output_format, output=output, inputs=configuration.inputs)
    return Exit.DELIVERED


def _collect_facts(configuration: Configuration, problem: Problem) -> dict[str, Any]:
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
        "components": len(matrix.components()),
        "known": {name: value for name, value in asdict(configuration.known).items() if value is not None},
        "multiplicity": len(problem.multiplicity),
        **({"soft": len(problem.soft_prices)} if problem.soft_prices else {}),
        **({"rules": [type(rule).__name__ for rule in problem.rules]} if problem.rules else {}),
        "duplicates": len(problem.duplicates()),
    }


def _format_facts(configuration: Configuration, problem: Problem, facts: dict[str, Any]) -> dict[str, str]:
    """Return the facts as texts, by the name of the line."""
    lines = {
        "problem": configuration.problem,
        "items": "{items:,} ({primary:,} primary, {secondary:,} secondary)".format(**facts),
        "options": f"{facts['options']:,} ({format_count(facts['entries'], 'entry')})",
        "givens": f"{facts['givens']:,}",
        **({"excluded": f"{facts['excluded']:,}"} if facts["excluded"] else {}),
        "components": f"{facts['components']:,}",
    }
    known = configuration.known
    stated = []
    if known.solutions is not None:
        stated.append(format_count(known.solutions, "solution"))
    if known.distinct is not None:
        stated.append(f"{known.distinct:,} up to symmetry")
    if stated:
        lines["known"] = ", ".join(stated) + (f" ({known.source})" if known.source else "")
    if facts["multiplicity"]:
        lines["multiplicity"] = f"{format_count(facts['multiplicity'], 'item')} not covered exactly once"
    if "soft" in facts:
        lines["soft"] = f"{format_count(facts['soft'], 'item')} with a price for staying open, or for more"
    if "rules" in facts:
        lines["rules"] = ", ".join(facts["rules"])
    if facts["duplicates"]:
        pair = next(iter(problem.duplicates().items()))
        label, original = pair if len(set(map(str, pair))) == 1 else map(str, pair)  # 1 and '1' as Python writes them
        number = format_count(facts["duplicates"], "option")
        lines["duplicates"] = (
            f"{number} with the same items as an earlier one; for example, {label!r} has the same items as {original!r}"
        )
    return lines


def _try_reduction(problem: Problem, stop: Stop) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the result of a reduction before a search, as facts and as texts."""
    restriction = restrict(problem.matrix, problem.given_positions, problem.excluded_positions)
    if restriction.reason is not None:
        return {}, {}
    matrix = restriction.matrix
    reduction = reduce(matrix, stop)
    if reduction.reason is not None:
        reason = describe_reason(problem, reduction.reason, problem.given_positions)
        return {"reason": reason}, {"reduced": reason}
    reduced = reduction.matrix
    removed, implied = len(matrix) - len(reduced) - reduction.chosen, matrix.items - reduced.items
    facts = {"options": len(reduced), "items": reduced.items, "rounds": reduction.rounds, "removed": removed,
             "implied": implied, "forced": reduction.chosen}  # fmt: skip
    return facts, {
        "reduced": f"{format_count(len(reduced), 'option')} and {format_count(reduced.items, 'item')} remain "
        f"after {format_count(reduction.rounds, 'round')}",
        "removed": f"{format_count(removed, 'option')} in no solution, "
        f"{format_count(implied, 'item')} implied by others",
        "forced": f"{format_count(reduction.chosen, 'option')} without which some item cannot be covered",
    }
