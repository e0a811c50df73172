"""``exactcover verify``: checks solutions from a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from exactcover.cli.exits import Exit
from exactcover.cli.flags import Verb, target_options
from exactcover.cli.input import read_file, read_standard_input
from exactcover.cli.messages import print_line
from exactcover.cli.target import Request
from exactcover.control.stop import Stop
from exactcover.errors import ConfigError, Mistake
from exactcover.formats import solutions
from exactcover.problem import Problem

_MOST_FAULTS = 10


@click.command(cls=Verb)
@target_options
def verify(request: Request) -> int:
    """Check that FILE, written by solve as jsonl or json, holds solutions of TARGET, each once.

    \b
    exactcover verify queens n=6 FILE

    Says what is uncovered or covered twice. FILE, anywhere after TARGET, may be - for standard input.
    """
    files = [text for text in request.params if "=" not in text or Path(text).is_file()]
    if len(files) != 1:
        raise click.UsageError(f"expected one FILE besides KEY=VALUE, got {' '.join(files) or 'none'}")
    file = files[0]
    if request.target == file == "-":
        raise click.UsageError("only one of TARGET and FILE can be standard input")
    request = request.with_params([text for text in request.params if text != file])
    problem = request.problem(request.configuration())
    recorded = solutions.read(_content(file, request.stop))
    faults, shown = 0, 0
    for fault in _faults(recorded, problem):
        request.stop.poll()
        faults += 1
        if shown < _MOST_FAULTS:
            print_line(f"{file}: {fault}")
            shown += 1
    if faults:
        if faults > shown:
            print_line(f"{file}: {faults - shown:,} more faults")
        return Exit.NOT_VERIFIED
    if not request.quiet:
        assert recorded.closing is not None
        number = len(recorded.solutions)
        click.echo(f"{number:,} solution{'' if number == 1 else 's'} verified (search: {recorded.closing['status']})")
    return Exit.DELIVERED


def _content(file: str, stop: Stop) -> str:
    content = read_standard_input(stop) if file == "-" else read_file(Path(file), file, stop)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise ConfigError([Mistake("this is not UTF-8 text", file)]) from None


def _faults(recorded: solutions.Recorded, problem: Problem) -> Iterator[str]:
    """Yield what is wrong; where it is another problem nothing else is worth saying."""
    header = recorded.header
    if header is not None and header.get("format") != solutions.FORMAT:
        yield f"its format is {header.get('format')!r}; this version reads {solutions.FORMAT}"
    if header is not None and header.get("hash") != problem.fingerprint():
        yield "it was written for another problem: the hash over items and options differs"
        return
    if header is not None and header.get("givens") != list(problem.given_positions):
        yield "it was written for another instance: the givens differ"
    if header is not None and header.get("excluded", []) != list(problem.excluded_positions):
        yield "it was written for another instance: the excluded options differ"
    yield from _solution_faults(recorded, problem)
    yield from recorded.faults


def _solution_faults(recorded: solutions.Recorded, problem: Problem) -> Iterator[str]:
    seen: dict[frozenset[int], int] = {}
    for line, entry in recorded.solutions:
        positions = _positions(entry, problem)
        if isinstance(positions, str):
            yield f"line {line}: {positions}"
            continue
        verdict = problem.verify([problem.labels[position] for position in positions])
        if not verdict:
            yield f"line {line}: {verdict}"
        first = seen.setdefault(frozenset(positions), line)
        if first != line:
            yield f"line {line}: the same solution as in line {first}"


def _positions(entry: Mapping[str, Any], problem: Problem) -> list[int] | str:
    """Return the positions of a record's options, or what is wrong with it."""
    positions, labels = entry.get("options"), entry.get("labels")
    if not isinstance(positions, list) or not all(type(position) is int for position in positions):
        return "its options are not a list of positions"
    outside = [position for position in positions if not 0 <= position < len(problem.labels)]
    if outside:
        return f"there is no option at position {outside[0]}"
    if labels != [str(problem.labels[position]) for position in positions]:
        return "its labels are not those of its options"
    return positions
