"""``exactcover count``: prints how many solutions there are."""

from __future__ import annotations

import dataclasses
from typing import Any, get_args

import click

from exactcover.cli.exits import Exit
from exactcover.cli.flags import Verb, distinct_option, report_options, tactics_options, target_options
from exactcover.cli.messages import count_noun, print_classes, print_ending, print_line
from exactcover.cli.progress import Progress, describe
from exactcover.cli.reports import write_report
from exactcover.cli.search_flags import reject_bad_values, search_flags, symmetries_of
from exactcover.cli.target import Request
from exactcover.config.configuration import Configuration
from exactcover.control.options import COUNT, Strategy
from exactcover.control.statistics import Status
from exactcover.errors import StoppedError
from exactcover.formats.numbers import digits
from exactcover.search.search import Search


@click.command(cls=Verb)
@click.option(
    "--strategy",
    type=click.Choice(get_args(Strategy)),
    help="How to count: visit all, sweep over the items, search with a memo; or (auto) whichever finishes first.",
)
@distinct_option
@report_options
@tactics_options
@target_options
def count(
    request: Request,
    strategy: Strategy | None,
    distinct: str | None,
    output_format: str,
    output: str | None,
    tactics: dict[str, Any],
) -> int:
    """Print the number of solutions of TARGET, digits only.

    Nothing is printed where the number is not certain: a count that was stopped says "at least N" on
    standard error and exits with status 3.

    \b
    exactcover count queens n=8
    exactcover count rectangle_3x2.yaml
    """
    configuration = request.configuration()
    report: dict[str, Any] = {"output_format": output_format, "output": output, "inputs": configuration.inputs}
    about: dict[str, Any] = {"problem": configuration.problem, "params": dict(configuration.params)}
    if configuration.solutions is not None:
        if distinct or request.given or request.without:
            raise click.UsageError(f"{request.target} holds solutions; --distinct, --given, --without are for problems")
        number = configuration.solutions.count
        write_report([digits(number)], about | {"solutions": number}, **report)
        return Exit.DELIVERED
    asked: dict[str, Any] = {"strategy": strategy, "memory": request.memory, "distinct": symmetries_of(distinct)}
    with search_flags(request, configuration, output, **asked, **tactics) as flags:
        verbosity = 1 if flags.stats else request.verbosity
        problem = request.problem(configuration, merge=flags.merge)
        with reject_bad_values():
            search = problem.search(COUNT, flags.options, stop=request.stop)
        try:
            with Progress(lambda: describe(search.statistics), shown=not request.quiet):
                number = search.count()
        except StoppedError as error:
            print_line(f"at least {digits(error.at_least, grouped=True)}")
            print_ending(search, verbosity)
            flags.print_profile()
            return Exit.after(error.status)
    wrong = None if flags.merge else _contradiction(request, configuration, number, distinct)
    if wrong is not None:
        print_line(f"error: {wrong}")
        return Exit.NOT_VERIFIED
    about |= {"distinct": distinct, "status": search.status.value, "solutions": number}
    write_report([digits(number)], about | {"statistics": _statistics(search)}, **report)
    print_classes(search, request.quiet)
    if verbosity > 0 or (search.status is Status.UNSATISFIABLE and search.reason):
        print_ending(search, verbosity)
        flags.print_profile()
    return Exit.DELIVERED


def _statistics(search: Search) -> dict[str, Any]:
    """Return the statistics but for the number, which stands beside them."""
    return {key: value for key, value in dataclasses.asdict(search.statistics).items() if key != "solutions"}


def _contradiction(request: Request, configuration: Configuration, number: int, distinct: str | None) -> str | None:
    """Say where the number is not what the configuration says is known."""
    known = configuration.known
    stated = {None: known.solutions, "all": known.distinct}.get(distinct)
    if not request.as_it_stands or stated is None or stated == number:
        return None
    source = f" ({known.source})" if known.source else ""
    return f"counted were {count_noun(number, 'solution')}, but {request.target} says that {stated} are known{source}"
