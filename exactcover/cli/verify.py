"""``exactcover verify``: checks solutions from a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from exactcover.cli.exits import Exit, say
from exactcover.cli.target import read_target, standard_input
from exactcover.errors import ConfigError, Mistake
from exactcover.formats import solutions
from exactcover.problem import Problem


@click.command
@click.argument("target")
@click.argument("file")
@click.argument("params", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("-q", "quiet", is_flag=True, help="Say nothing where all is well.")
def verify(target: str, file: str, params: tuple[str, ...], quiet: bool) -> int:
    """Check that FILE, written by solve as jsonl or json, holds solutions of TARGET, each once.

    Says what is uncovered or covered twice. FILE may be - for standard input.
    """
    if target == file == "-":
        raise click.UsageError("only one of TARGET and FILE can be standard input")
    configuration = read_target(target, params)
    problem = configuration.encoder.problem()
    givens = [problem.position(label) for label in configuration.encoder.givens()]
    recorded = solutions.read(_content(file))
    faults = [
        *_header_faults(recorded, problem, givens),
        *_solution_faults(recorded, problem, givens),
        *recorded.faults,
    ]
    for fault in faults:
        say(f"{file}: {fault}")
    if faults:
        return Exit.NOT_VERIFIED
    if not quiet:
        assert recorded.closing is not None
        number = len(recorded.solutions)
        click.echo(f"{number:,} solution{'' if number == 1 else 's'} verified (search: {recorded.closing['status']})")
    return Exit.DELIVERED


def _content(file: str) -> str:
    try:
        content = standard_input().read() if file == "-" else Path(file).read_bytes()
        return content.decode("utf-8")
    except OSError as error:
        raise ConfigError([Mistake(f"cannot be read: {error.strerror}", file)]) from None
    except UnicodeDecodeError:
        raise ConfigError([Mistake("this is no text in UTF-8", file)]) from None


def _header_faults(recorded: solutions.Recorded, problem: Problem, givens: list[int]) -> Iterator[str]:
    if recorded.header is None:
        return
    if recorded.header.get("format") != solutions.FORMAT:
        yield f"its format is {recorded.header.get('format')!r}; this version reads {solutions.FORMAT}"
    if recorded.header.get("hash") != problem.fingerprint():
        yield "it was written for another problem: the hash over items and options differs"
    elif recorded.header.get("givens") != givens:
        yield "it was written for another instance: the givens differ"


def _solution_faults(recorded: solutions.Recorded, problem: Problem, givens: list[int]) -> Iterator[str]:
    seen: dict[frozenset[int], int] = {}
    for line, entry in recorded.solutions:
        positions = _positions(entry, problem)
        if isinstance(positions, str):
            yield f"line {line}: {positions}"
            continue
        verdict = problem.verify([problem.labels[position] for position in positions])
        if not verdict:
            yield f"line {line}: {verdict}"
        absent = [str(problem.labels[given]) for given in givens if given not in positions]
        if absent:
            yield f"line {line}: the givens {', '.join(absent)} are not in it"
        first = seen.setdefault(frozenset(positions), line)
        if first != line:
            yield f"line {line}: the same solution as in line {first}"


def _positions(entry: Mapping[str, Any], problem: Problem) -> list[int] | str:
    """Return the positions of a record's options, or what is wrong with it."""
    positions, labels = entry.get("options"), entry.get("labels")
    if not isinstance(positions, list) or not all(type(position) is int for position in positions):
        return "its options are no list of positions"
    outside = [position for position in positions if not 0 <= position < len(problem.labels)]
    if outside:
        return f"there is no option at position {outside[0]}"
    if labels != [str(problem.labels[position]) for position in positions]:
        return "its labels are not those of its options"
    return positions
