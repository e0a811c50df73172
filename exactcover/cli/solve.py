"""``exactcover solve``: prints solutions."""

from __future__ import annotations

from typing import Any

import click

from exactcover.cli.exits import Exit, interruptible, last_words, tell_classes
from exactcover.cli.target import (
    distinct_option,
    how_to_search,
    read_target_in_time,
    search_options,
    tactics_options,
    target_arguments,
)
from exactcover.cli.writers import output_options, pass_on, writing
from exactcover.search import Search
from exactcover.walk import Walk


@click.command
@target_arguments
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Stop with the N-th solution.")
@click.option("--all", "find_all", is_flag=True, help="Find every solution; without --limit or --all, the first.")
@click.option("--cheapest", type=click.IntRange(min=1), metavar="K", help="Find the K solutions of least cost.")
@distinct_option
@click.option("--restarts", is_flag=True, help="Look for one solution in ever other random orders.")
@click.option("--seed", type=int, metavar="N", help="Search in a random order that depends on N alone.")
@output_options
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
    distinct: bool,
    seed: int | None,
    output_format: str | None,
    output: str | None,
    timeout: float | None,
    quiet: bool,
    verbose: bool,
    **tactics: Any,
) -> int:
    """Print solutions of TARGET: a file (.yaml, .dlx, .json, .csv, .zdd), - for standard input, or a problem's name.

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
    if distinct and (cheapest is not None or restarts):
        raise click.UsageError("--distinct goes neither with --cheapest nor with --restarts")
    if configuration.solutions is not None and (seed is not None or restarts or distinct):
        raise click.UsageError(f"nothing is searched in {target}; for random solutions there is the verb sample")
    with how_to_search(settings, **tactics) as how, writing(configuration, output_format, output) as begin:
        if distinct and how.merge:
            raise click.UsageError("--distinct does not go with --merge: merged options have no symmetries")
        known = configuration.solutions
        problem, givens = (known.problem, []) if known is not None else how.instance(configuration.encoder, stop)
        with interruptible(stop):
            if known is not None:
                search: Search = Walk(known, limit=limit, cheapest=cheapest, stop=stop)
            elif cheapest is not None:
                search = problem.cheapest(cheapest, given=givens, stop=stop, engine=how.keywords["engine"])
            else:
                search = problem.solve(
                    limit=limit,
                    seed=settings.seed if seed is None else seed,
                    distinct=distinct,
                    restarts=restarts or (settings.restarts and limit == 1),
                    given=givens,
                    stop=stop,
                    profile=how.profile,
                    **how.keywords,
                )
            pass_on(search, begin(problem), quiet)
        tell_classes(search, quiet)
        last_words(search, 1 if verbose or how.stats else -quiet)
        how.tell(search)
    return Exit.after(search.status)
