"""``exactcover count``: prints how many solutions there are."""

from __future__ import annotations

from typing import Any, get_args

import click

from exactcover.cli.exits import Exit, interruptible, last_words, say, tell_classes
from exactcover.cli.progress import Progress
from exactcover.cli.target import (
    distinct_option,
    how_to_search,
    memory_option,
    read_target_in_time,
    search_options,
    tactics_options,
    target_arguments,
)
from exactcover.engines import Strategy
from exactcover.errors import StoppedError
from exactcover.stop import Status


@click.command
@target_arguments
@click.option(
    "--strategy",
    type=click.Choice(get_args(Strategy)),
    help="How to count: visit all, sweep over the items, search with a memo; or (auto) what gets there first.",
)
@memory_option
@distinct_option
@tactics_options
@search_options
def count(
    target: str,
    params: tuple[str, ...],
    input_format: str,
    timeout: float | None,
    quiet: bool,
    verbose: bool,
    strategy: Strategy | None,
    memory: int | None,
    distinct: bool,
    **tactics: Any,
) -> int:
    """Print the number of solutions of TARGET, digits only.

    Nothing is printed where the number is not certain: a count that was stopped says "at least N" on
    standard error and exits with status 3.

    \b
    exactcover count queens n=8
    exactcover count rectangle_3x2.yaml
    """
    configuration, stop = read_target_in_time(target, params, input_format, timeout)
    if configuration.solutions is not None:
        if distinct:
            raise click.UsageError(f"{target} does not know the symmetries of its problem")
        click.echo(configuration.solutions.count)
        return Exit.DELIVERED
    with how_to_search(configuration.search, **tactics) as how:
        verbosity = 1 if verbose or how.stats else -quiet
        if distinct and how.merge:
            raise click.UsageError("--distinct does not go with --merge: merged options have no symmetries")
        problem, givens = how.instance(configuration.encoder, stop)
        with interruptible(stop):
            search = problem.solve(
                given=givens,
                stop=stop,
                profile=how.profile,
                strategy=strategy or "auto",
                memory=memory,
                distinct=distinct,
                **how.keywords,
            )
            try:
                with Progress(search, shown=not quiet):
                    number = search.count()
            except StoppedError as error:
                say(f"at least {error.at_least:,}")
                last_words(search, verbosity)
                how.tell(search)
                return Exit.after(error.status)
    click.echo(number)
    tell_classes(search, quiet)
    if verbosity > 0 or (search.status is Status.UNSATISFIABLE and search.reason):
        last_words(search, verbosity)
        how.tell(search)
    return Exit.DELIVERED
