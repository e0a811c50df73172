"""``exactcover solve``: prints solutions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from exactcover.cli.exits import Exit, interruptible, last_words
from exactcover.cli.progress import Progress
from exactcover.cli.target import (
    how_to_search,
    opened,
    read_target_in_time,
    search_options,
    tactics_options,
    target_arguments,
)
from exactcover.cli.writers import WRITERS, Writer, wants_colors
from exactcover.encoder import Encoder
from exactcover.search import Search

_SUFFIXES = {".txt": "text", ".json": "json", ".jsonl": "jsonl", ".svg": "svg"}


@click.command
@target_arguments
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Stop with the N-th solution.")
@click.option("--all", "find_all", is_flag=True, help="Find every solution; without --limit or --all, the first.")
@click.option("--cheapest", type=click.IntRange(min=1), metavar="K", help="Find the K solutions of least cost.")
@click.option("--restarts", is_flag=True, help="Look for one solution in ever other random orders.")
@click.option("--seed", type=int, metavar="N", help="Search in a random order that depends on N alone.")
@click.option("--format", "output_format", type=click.Choice(list(WRITERS)), help="How to write solutions.")
@click.option("-o", "--output", metavar="FILE", help="Write there instead of standard output.")
@tactics_options
@search_options
def solve(
    target: str,
    params: tuple[str, ...],
    input_format: str,
    limit: int | None,
    find_all: bool,
    cheapest: int | None,
    restarts: bool,
    seed: int | None,
    output_format: str | None,
    output: str | None,
    timeout: float | None,
    quiet: bool,
    verbose: bool,
    **tactics: Any,
) -> int:
    """Print solutions of TARGET: a file (.yaml, .dlx, .json), - for standard input, or a problem's name.

    \b
    exactcover solve pentominoes_6x10.yaml --limit 3
    exactcover solve queens n=20
    exactcover solve sudoku grid=53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
    """
    if (limit is not None) + find_all + (cheapest is not None) > 1:
        raise click.UsageError("--limit, --all and --cheapest exclude each other")
    if cheapest is not None and (seed, tactics["heuristic"], tactics["jobs"]) != (None, None, None):
        raise click.UsageError("--seed, --heuristic and --jobs do not go with --cheapest: it has an order of its own")
    configuration, stop = read_target_in_time(target, params, input_format, timeout)
    settings = configuration.search
    if cheapest is None and limit is None and not find_all:
        cheapest = settings.cheapest
    if not find_all and limit is None:
        limit = settings.limit or (None if settings.find == "all" else 1)
    if restarts and (limit != 1 or cheapest is not None):
        raise click.UsageError("--restarts are for one solution, of whatever cost")
    output = output or configuration.output.file
    writer_name = output_format or _from_suffix(output) or configuration.output.format or "text"
    if writer_name == "svg" and type(configuration.encoder).draw is Encoder.draw:
        raise click.UsageError(f"problem {configuration.problem!r} draws no pictures; choose another --format")
    with how_to_search(settings, **tactics) as how:
        problem, givens = how.instance(configuration.encoder, stop)
        with interruptible(stop):
            if cheapest is not None:
                search = problem.cheapest(cheapest, given=givens, stop=stop, engine=how.keywords["engine"])
            else:
                search = problem.solve(
                    limit=limit,
                    seed=settings.seed if seed is None else seed,
                    restarts=restarts or (settings.restarts and limit == 1),
                    given=givens,
                    stop=stop,
                    profile=how.profile,
                    **how.keywords,
                )
            with opened(output) as out:
                writer = WRITERS[writer_name](out, configuration, problem, colors=wants_colors(out))
                _pass_on(search, writer, quiet)
                writer.close(search)
        last_words(search, 1 if verbose or how.stats else -quiet)
        how.tell(search)
    return Exit.after(search.status)


def _from_suffix(output: str | None) -> str | None:
    """Return the format that a file's name asks for."""
    suffix = Path(output or "").suffix.lower()
    if suffix and suffix not in _SUFFIXES:
        raise click.UsageError(f"no format goes with {suffix} (known are {', '.join(_SUFFIXES)}); name one by --format")
    return _SUFFIXES.get(suffix)


def _pass_on(search: Search, writer: Writer, quiet: bool) -> None:
    """Hand every solution to the writer."""
    with search, Progress(search, shown=not quiet) as progress:
        for positions in search.positions():
            with progress.make_room():
                writer.solution(positions)
