"""``exactcover batch``: solves a stream of instances."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from exactcover.cli.exits import Exit, interruptible, say
from exactcover.cli.target import read_target, search_options, standard_input
from exactcover.encoder import Encoder, defines
from exactcover.errors import ConfigError, Mistake, ParameterError, StoppedError
from exactcover.many import search_many
from exactcover.problem import Problem
from exactcover.stop import Stop


@click.command
@click.argument("name")
@click.argument("file")
@click.argument("params", nargs=-1, metavar="[KEY=VALUE]...")
@search_options
def batch(
    name: str,
    file: str,
    params: tuple[str, ...],
    timeout: float | None,
    engine: str | None,
    quiet: bool,
    verbose: bool,
) -> int:
    r"""Solve every instance in FILE (- for standard input); NAME is a problem that reads text.

    Each is answered in the shape in which it came, or by the reason why it has no solution. Exit status 1:
    some have none; 2: some are malformed.

    \b
    exactcover batch sudoku puzzles.txt
    """
    template = read_target(name, params).encoder
    if not defines(template, "parse"):
        raise click.UsageError(f"problem {name!r} reads no instances from text")
    stop = Stop(timeout)
    solver = _Solver(engine or "auto", stop)
    worst = Exit.DELIVERED
    with interruptible(stop), _lines(file) as lines:
        try:
            for text in template.instances(lines):
                answer, status = solver.answer(template, text)
                worst = max(worst, status)
                sys.stdout.write(answer + "\n")
                sys.stdout.flush()
        except StoppedError as error:
            worst = Exit.after(error.status)
    if not quiet:
        say(f"{solver.solved:,} of {solver.read:,} instances solved")
    return worst


class _Solver:
    """Answers instances one by one; those that share a frame share a problem and a search."""

    def __init__(self, engine: str, stop: Stop) -> None:
        self.engine, self.stop = engine, stop
        self.read = self.solved = 0
        self.problems: dict[Hashable, tuple[Problem, _Feed, Iterator[list[tuple[int, ...]]]]] = {}

    def answer(self, template: Encoder, text: str) -> tuple[str, Exit]:
        """Return what to print for one instance, and how it went."""
        self.read += 1
        try:
            encoder = template.parse(text)
        except ParameterError as error:
            return f"no instance: {error}", Exit.BAD_INPUT
        problem, feed, answers = self._prepared(encoder)
        feed.given = [problem.position(label) for label in encoder.givens()]
        solutions = next(answers)
        if not solutions:
            reason = problem.solve(given=encoder.givens()).reason
            return "no solution" + (f": {reason}" if reason else ""), Exit.NO_SOLUTION
        self.solved += 1
        labels = problem.labels
        return encoder.unparse([labels[position] for position in solutions[0]]), Exit.DELIVERED

    def _prepared(self, encoder: Encoder) -> tuple[Problem, _Feed, Iterator[list[tuple[int, ...]]]]:
        frame = encoder.frame()
        if frame not in self.problems:
            problem, feed = encoder.problem(self.stop), _Feed()
            answers = search_many(problem, feed, limit=1, engine=self.engine, stop=self.stop)
            self.problems[frame] = (problem, feed, answers)
        return self.problems[frame]


class _Feed(Iterable[Sequence[int]]):
    """Hands on the givens that were put in last, for ever."""

    given: Sequence[int] = ()

    def __iter__(self) -> Iterator[Sequence[int]]:
        while True:
            yield self.given


@contextmanager
def _lines(file: str) -> Iterator[Iterable[str]]:
    if file == "-":
        standard_input()
        yield sys.stdin
        return
    try:
        opened = Path(file).open(encoding="utf-8", errors="replace")  # noqa: SIM115 - closed below
    except OSError as error:
        raise ConfigError([Mistake(f"cannot be read: {error.strerror}", file)]) from None
    with opened:
        yield opened
