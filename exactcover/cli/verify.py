"""``exactcover verify``: checks solutions from a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from exactcover.cli.flags import Verb, add_target_arguments
from exactcover.cli.messages import Exit, print_line, print_message
from exactcover.cli.output import read_file, read_standard_input
from exactcover.cli.target import Request, complete_file
from exactcover.control.stop import Stop
from exactcover.errors import ConfigError, Mistake
from exactcover.formats import models, solutions
from exactcover.formats.registry import describe_format
from exactcover.pictures.text import format_count
from exactcover.problem import Problem
from exactcover.steps.soft import PlainProblem, relax

_MAX_FAULTS = 10


@click.command(cls=Verb)
@click.option(
    "--model",
    metavar="FILE",
    shell_complete=complete_file,
    help="What a solver of CNF or OPB printed; - for standard input.",
)
@partial(add_target_arguments, params_metavar="FILE [KEY=VALUE]...")
def verify(request: Request, model: str | None) -> int:
    """Check that FILE contains solutions of TARGET, each only once.

    FILE is the output of solve with --format jsonl or json, or - for standard input. It may appear anywhere
    after TARGET. The first ten faults, such as an item that is not covered, are printed.

    With --model, FILE is the answer of another solver to what convert wrote in CNF or OPB.

    \b
    exactcover solve queens n=6 --all -o queens.jsonl
    exactcover verify queens queens.jsonl n=6
    exactcover convert queens n=6 -o queens.cnf
    cadical queens.cnf | exactcover verify queens n=6 --model -
    """
    file = model
    if file is None:
        files = [text for text in request.params if "=" not in text or Path(text).is_file()]
        if len(files) != 1:
            raise click.UsageError(f"expected one FILE besides KEY=VALUE arguments, got {' '.join(files) or 'none'}")
        file = files[0]
        request = replace(request, params=[text for text in request.params if text != file])
    if request.target == file == "-":
        raise click.UsageError("only one of TARGET and FILE can be standard input")
    problem = request.build_problem(request.read_configuration())
    text = _read_text(file, request.stop)
    if model is not None:
        return _verify_model(problem, text, file)
    recorded = solutions.read(text)
    faults = 0
    for faults, fault in enumerate(_find_faults(recorded, problem), 1):
        request.stop.poll()
        if faults <= _MAX_FAULTS:
            print_message(f"{file}: {fault}")
    if faults > _MAX_FAULTS:
        print_message(f"{file}: {format_count(faults - _MAX_FAULTS, 'more fault')}")
    if faults:
        return Exit.NOT_VERIFIED
    if not request.quiet:
        assert recorded.closing is not None
        number = len(recorded.solutions)
        opened = sum(bool(entry.get("open") or entry.get("too_often")) for _, entry in recorded.solutions)
        remark = f"; {opened:,} not perfect, as the file says" if opened else ""
        print_line(f"{format_count(number, 'solution')} verified{remark} (search: {recorded.closing['status']})")
    return Exit.DELIVERED


def _verify_model(problem: Problem, text: str, file: str) -> int:
    """Check that the options that a model chooses are a solution, and print them."""
    if problem.givens or problem.excluded:
        problem = problem.residual(())  # as convert writes it
    try:
        positions = models.read_model(text, len(problem.labels))
    except ValueError as error:
        raise ConfigError([Mistake(str(error), file)]) from None
    labels = [problem.labels[position] for position in positions]
    verdict = problem.verify(labels)
    if not verdict:
        print_message(f"{file}: {verdict}")
        return Exit.NOT_VERIFIED
    for label in labels:
        print_line(str(label))
    return Exit.DELIVERED


def _read_text(file: str, stop: Stop) -> str:
    content = read_standard_input(stop) if file == "-" else read_file(Path(file), file, stop)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise ConfigError([Mistake("the file is not UTF-8 text", file)]) from None


def _find_faults(recorded: solutions.SolutionFile, problem: Problem) -> Iterator[str]:
    """Yield the faults of a file, up to the first that shows that it has another format or is for another problem."""
    header = recorded.header
    if header is not None and header.get("format") != solutions.FORMAT:
        yield describe_format(header.get("format"), solutions.FORMAT)
        return
    if header is not None and header.get("hash") != problem.fingerprint():
        yield "the file was written for a different problem (the hash of its items and options differs)"
        return
    if header is not None and header.get("givens") != list(problem.given_positions):
        yield "the file was written for a different instance (the givens differ)"
    if header is not None and header.get("excluded", []) != list(problem.excluded_positions):
        yield "the file was written for a different instance (the excluded options differ)"
    yield from _find_solution_faults(recorded, problem)
    yield from recorded.faults


def _find_solution_faults(recorded: solutions.SolutionFile, problem: Problem) -> Iterator[str]:
    seen: dict[frozenset[int], int] = {}
    is_best_effort = recorded.header is not None and recorded.header.get("best_effort") is True
    softened = problem.best_effort() if is_best_effort else problem
    relaxation = relax(softened) if softened.soft_prices else None
    for line, entry in recorded.solutions:
        positions = _get_positions(entry, problem)
        if isinstance(positions, str):
            yield f"line {line}: {positions}"
            continue
        verdict = problem.verify([problem.labels[position] for position in positions])
        if not verdict and not (relaxation is not None and _states_deviations(entry, problem, positions, relaxation)):
            yield f"line {line}: {verdict}"
        first = seen.setdefault(frozenset(positions), line)
        if first != line:
            yield f"line {line}: the same solution as on line {first}"


def _states_deviations(
    entry: Mapping[str, Any], problem: Problem, positions: list[int], relaxation: PlainProblem[Problem]
) -> bool:
    """Return whether a record says what its solution leaves open, and soft items allow that."""
    found = solutions.find_deviations(problem, positions)
    if (entry.get("open", {}), entry.get("too_often", {})) != (found.under, found.over):
        return False
    labels = relaxation.model.labels
    return bool(relaxation.model.verify([labels[position] for position in relaxation.complete(positions)]))


def _get_positions(entry: Mapping[str, Any], problem: Problem) -> list[int] | str:
    """Return the positions of the options in a record, or what is wrong with the record."""
    positions, labels = entry.get("options"), entry.get("labels")
    if not isinstance(positions, list) or not all(type(position) is int for position in positions):
        return "its options are not a list of positions"
    outside = [position for position in positions if not 0 <= position < len(problem.labels)]
    if outside:
        return f"there is no option at position {outside[0]}"
    if labels != [str(problem.labels[position]) for position in positions]:
        return "its labels do not match its options"
    return positions
