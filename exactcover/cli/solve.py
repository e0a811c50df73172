"""``exactcover solve``: prints solutions."""

from __future__ import annotations

from typing import Any

import click

from exactcover.cli.exits import Exit
from exactcover.cli.flags import LARGE, Verb, distinct_option, seed_option, tactics_options, target_options
from exactcover.cli.messages import print_classes, print_ending
from exactcover.cli.search_flags import reject_bad_values, search_flags, symmetries_of
from exactcover.cli.solution_output import open_writer, solution_options, write_all
from exactcover.cli.target import Request
from exactcover.config.configuration import Configuration
from exactcover.control.options import ALL, Goal, SearchOptions
from exactcover.problem import Problem
from exactcover.search.replay import DiagramReplay
from exactcover.search.search import Search


@click.command(cls=Verb)
@click.option("--limit", type=LARGE, metavar="N", help="Stop with the N-th solution.")
@click.option("--all", "find_all", is_flag=True, help="Find every solution; without --limit or --all, the first.")
@click.option("--cheapest", type=LARGE, metavar="K", help="Find the K solutions of least cost.")
@distinct_option
@click.option("--restarts", is_flag=True, help="Look for one solution in one random order after another.")
@seed_option
@solution_options
@tactics_options
@target_options
def solve(
    request: Request,
    limit: int | None,
    find_all: bool,
    cheapest: int | None,
    restarts: bool,
    distinct: str | None,
    seed: int | None,
    writing: dict[str, Any],
    tactics: dict[str, Any],
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
    configuration = request.configuration()
    settings = configuration.search
    if cheapest is None and limit is None and not find_all:
        cheapest = settings.cheapest
    if not find_all and limit is None:
        limit = settings.limit or (None if settings.find == "all" else 1)
    if restarts and (limit != 1 or cheapest is not None):
        raise click.UsageError("--restarts looks for one solution, whatever it costs")
    if distinct and (cheapest is not None or restarts):
        raise click.UsageError("--distinct goes neither with --cheapest nor with --restarts")
    restarts = restarts or (settings.restarts and limit == 1 and cheapest is None)
    seed = settings.seed if seed is None else seed
    if restarts and seed is None:
        seed = 0
    if configuration.solutions is not None:
        _check_known_solutions(request, seed, restarts, distinct)
    goal = _goal(cheapest, limit)
    asked: dict[str, Any] = {"seed": seed, "restarts": restarts, "distinct": symmetries_of(distinct)}
    with search_flags(request, configuration, writing["output"], **asked, **tactics) as flags:
        with open_writer(request, configuration, most=goal.number, **writing) as begin:
            problem = request.problem(configuration, merge=flags.merge)
            with reject_bad_values():
                search = _start(request, configuration, problem, goal, flags.options)
            write_all(search, begin(problem, search), request)
        print_classes(search, request.quiet)
        print_ending(search, 1 if flags.stats else request.verbosity)
        flags.print_profile()
    return Exit.after(search.status)


def _check_known_solutions(request: Request, seed: int | None, restarts: bool, distinct: str | None) -> None:
    """Refuse what makes no sense where all solutions are known."""
    if seed is not None or restarts or distinct:
        raise click.UsageError(
            f"nothing is searched in {request.target}; for random solutions there is the verb sample"
        )
    if request.given or request.without:
        raise click.UsageError(f"{request.target} holds solutions; --given and --without are for problems")


def _goal(cheapest: int | None, limit: int | None) -> Goal:
    if cheapest is not None:
        return Goal("cheapest", cheapest)
    return ALL if limit is None else Goal("first", limit)


def _start(
    request: Request, configuration: Configuration, problem: Problem, goal: Goal, options: SearchOptions
) -> Search:
    if configuration.solutions is not None:
        return DiagramReplay(configuration.solutions, goal=goal, stop=request.stop)
    if goal.kind == "cheapest":
        options = SearchOptions(engine=options.engine)
    return problem.search(goal, options, stop=request.stop)
