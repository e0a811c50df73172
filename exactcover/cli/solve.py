"""``exactcover solve``: prints solutions."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import click

from exactcover.cli.certificates import Listing, add_certificate_flag
from exactcover.cli.flags import (
    COUNT_RANGE,
    ResolvedFlags,
    Verb,
    add_option_flags,
    add_search_flags,
    add_target_arguments,
    check_flags,
    parse_distinct,
    read_by,
    report_bad_flags,
    resolve_search_flags,
)
from exactcover.cli.messages import Exit, print_message, print_summary, print_symmetry_summary
from exactcover.cli.output import check_other_output, is_standard_output
from exactcover.cli.plan_flags import PlanFlags, add_plan_flags, add_project_flag, read_plan
from exactcover.cli.solution_output import add_solution_flags, open_writer, write_all
from exactcover.cli.target import Request
from exactcover.config.configuration import Configuration, SearchSettings
from exactcover.control.options import Goal, check_features, make_margin
from exactcover.control.recorder import TreeRecorder
from exactcover.control.statistics import Status
from exactcover.problem import Problem
from exactcover.search.search import Search

_MAX_SHOWN = 20  # solutions on a terminal, if the file asks for all and the command line does not


@click.command(cls=Verb)
@click.option("--limit", type=COUNT_RANGE, metavar="N", help="Stop after N solutions; the default is 1.")
@click.option("--all", "find_all", is_flag=True, help="Find all solutions.")
@click.option("--cheapest", type=COUNT_RANGE, metavar="K", help="Find the K solutions with the lowest cost.")
@click.option("--most", type=COUNT_RANGE, metavar="K", help="Find the K solutions with the highest cost.")
@click.option(
    "--gap",
    metavar="X",
    callback=read_by(make_margin),
    help="With --cheapest 1, stop at a solution if no other can be cheaper by more than X, or X% of its cost.",
)
@click.option(
    "--within",
    metavar="X",
    callback=read_by(make_margin),
    help="Find all solutions that cost at most X, or X%, more than the cheapest one; with --cheapest K, at most K "
    "of them; with --most, less than the dearest one.",
)
@click.option(
    "--differ-in",
    metavar="NAME",
    multiple=True,
    help="With --cheapest, find solutions that differ in the options that cover the item NAME, or in the option "
    "NAME. Can be repeated; then one difference is enough.",
)
@add_option_flags("distinct", "restarts", "seed")
@add_plan_flags
@add_project_flag
@add_certificate_flag
@add_solution_flags
@add_search_flags
@add_target_arguments
def solve(
    request: Request,
    goal_flags: dict[str, Any],
    differ_in: tuple[str, ...],
    plan_flags: dict[str, Any],
    project: tuple[str, ...],
    restarts: bool,
    distinct: str | None,
    seed: int | None,
    certificate: str | None,
    solution_flags: dict[str, Any],
    search_flags: dict[str, Any],
) -> int:
    """Print solutions of TARGET.

    TARGET is a file (.yaml, .dlx, .json, .csv, .spp, .xmpuzzle, .zdd), - for standard input, or the name of a
    problem family. KEY=VALUE sets a parameter of the problem. If the file asks for all solutions, a terminal
    shows 20 of them unless --all or -q is given. The suffix of FILE sets the format of the output, unless
    --format does. The exit status is 20 if it is proved that there is no solution.

    \b
    exactcover solve pentominoes_6x10.yaml --limit 3
    exactcover solve queens n=20
    exactcover solve sudoku grid=53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
    """
    if certificate is not None:
        check_flags("certificate_of_list")
    configuration = request.read_configuration()
    settings, find_all = configuration.search, goal_flags["find_all"]
    is_effort = settings.best_effort and not find_all and goal_flags["limit"] is None
    plan = read_plan(request, plan_flags, configuration.encoder, best_effort=is_effort)
    with report_bad_flags():
        goal = _choose_goal(settings, plan, goal_flags)
    if goal.kind == "cheapest":  # what a file says of other searches does not apply
        settings = replace(settings, jobs=1, seed=None, symmetry=None)
        configuration = replace(configuration, search=settings)
    is_long = goal.kind == "all" and not find_all and certificate is None
    is_shortened = is_long and not request.quiet and _is_shown(configuration, solution_flags)
    if is_shortened:  # nobody asked for all of them here, and they might scroll by for hours; -q would hide the note
        goal = Goal("first", _MAX_SHOWN)
    restarts = restarts or (settings.restarts and goal.limit == 1)
    seed = settings.seed if seed is None else seed
    if restarts and seed is None:
        seed = 0
    if configuration.solutions is not None:
        check_flags("known_solutions", "list_of_known")
    check_other_output("--certificate", certificate, solution_flags["output"])
    own: dict[str, Any] = {"seed": seed, "restarts": restarts, "distinct": parse_distinct(distinct)}
    with (
        resolve_search_flags(configuration, solution_flags["output"], **own, **search_flags) as resolved,
        closing(Listing(certificate, goal)) as listing,
    ):
        with open_writer(
            request, configuration, most=goal.number, best_effort=plan.best_effort, kept=plan.keep, **solution_flags
        ) as create_writer:
            problem = request.build_problem(configuration, merge=resolved.merge)
            asked = plan.apply(problem, configuration)
            with report_bad_flags():
                check_features({"most": goal.maximize, "merge": resolved.merge})  # one may be of the file
                search = _start_search(
                    request,
                    configuration,
                    asked,
                    goal,
                    resolved,
                    listing.recorder,
                    differ_in=differ_in,
                    project=project or None,
                    is_certified=certificate is not None,
                )
            write_all(search, create_writer(problem, search), request, listing.follow(search))
        listing.write(configuration, asked, search, request)
        print_symmetry_summary(search, request.quiet)
        print_summary(search, 1 if resolved.stats else request.verbosity)
        if is_shortened and search.status is Status.LIMIT:
            print_message(f"a terminal shows {_MAX_SHOWN} solutions; --all shows all of them, -o FILE writes them")
        if search.status is Status.UNSATISFIABLE:
            from exactcover.cli.explain import print_conflict  # slow to import

            print_conflict(request, problem, search)
        resolved.print_profile()
    return Exit.from_status(search.status)


def _choose_goal(settings: SearchSettings, plan: PlanFlags, flags: Mapping[str, Any]) -> Goal:
    """Return what is looked for: by the flags, or else by the file."""
    limit, find_all = flags["limit"], flags["find_all"]
    cheapest, most, within = flags["cheapest"], flags["most"], flags["within"]
    if cheapest is None and most is None and (plan or (within is None and limit is None and not find_all)):
        check_features({"most": settings.most, "keep": plan.keep})
        cheapest, most = settings.cheapest, settings.most
        if plan and within is None and most is None:
            cheapest = cheapest or 1
    if cheapest is not None or most is not None or within is not None:
        maximize = most is not None or (cheapest is None and settings.most is not None)
        return Goal("cheapest", cheapest or most, flags["gap"], within, maximize=maximize)
    check_flags("any_cost")
    if limit is None and not find_all:
        limit = settings.limit or (None if settings.find == "all" else 1)
    return Goal("all") if limit is None else Goal("first", limit)


def _find_certified(problem: Problem, goal: Goal, request: Request, recorder: TreeRecorder | None) -> Search:
    """Return a search whose result can be certified; if it lists solutions, one is found in all ways beforehand.

    The tree of a list is recorded as it is visited, in one way alone, which may be hopeless if there is no solution.
    """
    if recorder is not None:
        first = problem.search(Goal("first", 1), stop=request.stop)
        if next(first, None) is None:
            return first
        first.close()
    return problem.search(goal, stop=request.stop, log=recorder)


def _is_shown(configuration: Configuration, solution_flags: dict[str, Any]) -> bool:
    """Return whether solutions are shown on a terminal."""
    is_file = configuration.output.file is not None and solution_flags["output"] is None
    text = (solution_flags["output_format"] or configuration.output.format or "text") == "text"
    return text and not is_file and is_standard_output(solution_flags["output"]) and sys.stdout.isatty()


def _start_search(
    request: Request,
    configuration: Configuration,
    problem: Problem,
    goal: Goal,
    flags: ResolvedFlags,
    recorder: TreeRecorder | None,
    *,
    differ_in: Sequence[str],
    project: tuple[str, ...] | None,
    is_certified: bool,
) -> Search:
    """Start the search; `recorder` is what records it for a certificate, and `project` what matters."""
    if configuration.solutions is not None:
        from exactcover.search.known_solutions import KnownSolutions  # seldom needed

        return KnownSolutions(configuration.solutions, goal=goal, stop=request.stop)
    if is_certified and goal.cheapest is not None:
        problem.refuse_negative_costs("a certificate of least costs")
    elif is_certified:
        return _find_certified(problem, goal, request, recorder)
    profile = None if goal.kind == "cheapest" else flags.profile
    watch: dict[str, Any] = {"stop": request.stop, "profile": profile, "log": flags.log}
    problem.check_texts((*differ_in, *(project or ())))
    return problem.search(goal, flags.options, project=project, differing=differ_in, **watch)
