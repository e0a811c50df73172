"""``exactcover hint``: shows what follows next without a guess, and why."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from shlex import quote
from typing import Any

import click

from exactcover.cli.flags import Verb, add_report_flags, add_target_arguments
from exactcover.cli.messages import Exit
from exactcover.cli.output import make_output_renderer, write_report
from exactcover.cli.target import Request
from exactcover.config.configuration import Configuration
from exactcover.control.options import SearchOptions
from exactcover.control.statistics import Status
from exactcover.control.stop import Stop
from exactcover.encoders.encoder import Encoder
from exactcover.pictures import Picture, printable
from exactcover.pictures.text import format_count
from exactcover.problem import Problem
from exactcover.reasons.deductions import Deduction, SolvingPath, solve_by_deductions

_MOST_FLAGS = 6  # that a line proposes
_NODES = 10_000  # of a search for a solution before a single step is shown


@click.command(cls=Verb)
@click.option("--all-steps", is_flag=True, help="Show all steps to the solution, and how hard they are.")
@add_report_flags
@add_target_arguments
def hint(request: Request, all_steps: bool, output_format: str, output: str | None) -> int:
    """Show the simplest step of TARGET that follows without a guess, and why.

    A picture marks the places concerned: ? is what must be covered, and a cross what is excluded. To go on from
    there, give what was chosen by --given, and what was excluded by --without. --all-steps lists the whole way, each
    step with its difficulty, from 1 on. The exit status is 20 if it is proved that there is no solution.

    \b
    exactcover hint sudoku_9x9.yaml
    exactcover hint sudoku_9x9.yaml --all-steps
    exactcover hint queens n=5 "placed=[[1, 1]]"
    """
    configuration = request.read_configuration()
    problem = request.build_problem(configuration)
    path = solve_by_deductions(problem, request.stop, most=math.inf if all_steps else 1)
    if not all_steps and path.reason is None and path.solution is None and is_solvable(problem, request.stop) is False:
        path = replace(path, deductions=(), reason="a search finds none; --all-steps shows how far steps lead, and why")
    if path.reason is not None:
        path = replace(path, reason=f"{path.reason}{_find_wrong(request, configuration)}")
    render = make_output_renderer(output)
    lines = _describe_path(path) if all_steps else _describe_step(path, problem, configuration.encoder, render)
    write_report(lines, _collect(path), output_format=output_format, output=output, inputs=configuration.inputs)
    return Exit.DELIVERED if path.reason is None else Exit.NO_SOLUTION


def is_solvable(problem: Problem, stop: Stop, nodes: int = _NODES) -> bool | None:
    """Return whether there is a solution; None if a search of so many nodes does not tell."""
    search = problem.solve(limit=1, options=SearchOptions(nodes=nodes), stop=stop)
    if next(search.positions(), None) is not None:
        return True
    return False if search.status is Status.UNSATISFIABLE else None


def _find_wrong(request: Request, configuration: Configuration) -> str:
    """Return the first flag with which there is no solution, in words; nothing if that is not known.

    Flags count in the order of ``--given``, then ``--without``.
    """
    instance = replace(request, given=(), without=()).build_problem(configuration)
    flags = [("--given", text) for text in request.given] + [("--without", text) for text in request.without]
    for flag, text in flags if is_solvable(instance, request.stop) else ():
        label = instance.label_of_text(text)
        instance = instance.instance([label]) if flag == "--given" else instance.instance(without=[label])
        solvable = is_solvable(instance, request.stop)
        if not solvable:
            return "" if solvable is None else f"; {flag} {quote(str(label))} is the first wrong step"
    return ""


def _describe_step(
    path: SolvingPath, problem: Problem, encoder: Encoder, render: Callable[[Picture], str]
) -> Iterator[str]:
    if not path.deductions:
        yield _describe_end(path)
        return
    deduction = path.deductions[0]
    picture = encoder.draw_step(deduction, problem.givens)
    if picture is not None and picture.placed:
        yield render(picture)
        yield ""
    yield printable(deduction.sentence)
    flag, labels = ("--given", deduction.chosen) if deduction.chosen else ("--without", deduction.excluded)
    if len(labels) <= _MOST_FLAGS:
        yield f"to go on: {' '.join(f'{flag} {quote(str(label))}' for label in labels)}"
    else:
        yield f"to go on: {flag} for each of the {len(labels)} options, which --format json lists"


def _describe_path(path: SolvingPath) -> Iterator[str]:
    width = len(str(len(path.deductions)))
    for number, one in enumerate(path.deductions, 1):
        yield f"{number:{width}}  {one.difficulty:4.1f}  {printable(one.sentence)}"
    if path.deductions:
        yield f"{format_count(len(path.deductions), 'step')}; then: {_describe_end(path)}"
    else:
        yield _describe_end(path)


def _describe_end(path: SolvingPath) -> str:
    if path.reason is not None:
        return f"no solution: {printable(path.reason)}"
    if path.solution is None:
        left = format_count(path.left, "option")
        return f"no step follows without a guess, or there are several solutions; {left} undecided"
    if not path.deductions:
        return "solved: all is settled"
    hardest = next((one.name for one in path.deductions if one.difficulty == path.hardest), "")
    name = f" ({hardest})" if hardest else ""
    return f"solved; the hardest has difficulty {path.hardest:g}{name}, the mean is {path.mean:.2f}"


def _collect_step(deduction: Deduction) -> dict[str, Any]:
    """Return a step as facts, with items and labels as text."""
    facts = asdict(deduction)
    facts |= {"kind": deduction.kind.value, "chain": [[str(part) for part in pair] for pair in deduction.chain]}
    for name in ("chosen", "excluded", "truths", "links"):
        facts[name] = list(map(str, facts[name]))
    facts["holders"] = [list(map(str, one)) for one in deduction.holders]
    facts["balance"] = deduction.balance and deduction.balance._asdict()
    if deduction.fault is not None:
        because, missing = list(map(str, deduction.fault.because)), list(map(str, deduction.fault.missing))
        facts["fault"] = {"text": deduction.fault.text, "because": because, "missing": missing}
    return facts


def _collect(path: SolvingPath) -> dict[str, Any]:
    return {
        "steps": list(map(_collect_step, path.deductions)),
        "solution": None if path.solution is None else list(map(str, path.solution)),
        "hardest": None if math.isinf(path.hardest) else path.hardest,
        "mean": round(path.mean, 4),
        "undecided": path.left,
        "reason": path.reason,
    }
