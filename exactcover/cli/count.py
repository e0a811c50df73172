"""``exactcover count``: prints the number of solutions."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from exactcover.cli.certificates import add_certificate_flag, count_with_certificate
from exactcover.cli.flags import (
    Verb,
    add_option_flags,
    add_report_flags,
    add_search_flags,
    add_target_arguments,
    check_target,
    parse_distinct,
    report_bad_flags,
    resolve_search_flags,
)
from exactcover.cli.messages import (
    Exit,
    Progress,
    describe_progress,
    describe_stop,
    get_noun,
    print_message,
    print_summary,
    print_symmetry_summary,
)
from exactcover.cli.output import check_file_name, check_other_output, write_report
from exactcover.cli.plan_flags import add_project_flag, add_soft_flag, relax_soft
from exactcover.cli.target import Request, complete_file
from exactcover.config.configuration import Configuration
from exactcover.control.options import COUNT, Strategy
from exactcover.control.statistics import Status
from exactcover.errors import StoppedError
from exactcover.pictures.text import digits, format_count
from exactcover.problem import Problem


@click.command(cls=Verb)
@add_option_flags("strategy", "distinct")
@add_soft_flag
@add_project_flag
@add_certificate_flag
@click.option(
    "--store",
    metavar="FILE",
    shell_complete=complete_file,
    help="Keep the count in FILE as a run, which survives a crash; if FILE exists, go on with it. "
    "--jobs is then the number of processes. See run --help.",
)
@add_report_flags
@add_search_flags
@add_target_arguments
def count(
    request: Request,
    strategy: Strategy | None,
    distinct: str | None,
    soft: bool,
    project: tuple[str, ...],
    certificate: str | None,
    store: str | None,
    output_format: str,
    output: str | None,
    search_flags: dict[str, Any],
) -> int:
    """Print the number of solutions of TARGET, as digits only.

    The number is always exact. A count that is stopped prints "at least N" on standard error instead, if it
    has found any solutions. It exits with status 3 if a limit stopped it, and with 130 after Ctrl-C.

    \b
    exactcover count queens n=8
    exactcover count rectangle_3x2.yaml
    exactcover count queens n=18 --store queens18.run
    """
    configuration = request.read_configuration()
    report = partial(write_report, output_format=output_format, output=output, inputs=configuration.inputs)
    facts: dict[str, Any] = {"problem": configuration.problem, "params": dict(configuration.params)}
    check_other_output("--certificate", certificate, output)
    if store is not None:
        check_file_name(store)
    check_target(configuration)
    if configuration.solutions is not None:
        diagram = request.build_diagram(configuration, "problem")  # of the file, with what is given
        number = (diagram.project(project) if project else diagram).count
        report([digits(number)], facts | {"solutions": number})
        return Exit.DELIVERED
    extra_flags: dict[str, Any] = {"strategy": strategy, "distinct": parse_distinct(distinct)}
    with resolve_search_flags(configuration, output, **extra_flags, **search_flags) as resolved:
        verbosity = 1 if resolved.stats else request.verbosity
        problem = request.build_problem(configuration, merge=resolved.merge)
        problem = relax_soft(request, problem) if soft else problem
        if store is not None:
            return _keep_count(request, configuration, problem, store, search_flags)
        if certificate is not None:
            number = count_with_certificate(request, configuration, problem, resolved.options, certificate)
            return _report(request, configuration, number, distinct, facts, report, changed=resolved.merge or soft)
        with report_bad_flags():
            profile, log = resolved.profile, resolved.log
            problem.check_texts(project)
            search = problem.search(
                COUNT, resolved.options, project=project or None, stop=request.stop, profile=profile, log=log
            )
        try:
            with Progress(lambda: describe_progress(search.statistics, get_noun(search)), shown=not request.quiet):
                number = search.count()
        except StoppedError as error:
            known = f"at least {digits(error.at_least, grouped=True)}"
            if search.classes is not None:
                known = f"at least {format_count(error.at_least, get_noun(search))}"
            if error.at_least:
                print_message(known)
            elif verbosity < 0:  # otherwise the summary says so
                print_message(describe_stop(error.status, 0))
            print_summary(search, verbosity)
            resolved.print_profile()
            return Exit.from_status(error.status)
    statistics = dataclasses.asdict(search.statistics)
    del statistics["solutions"]  # which the report has elsewhere
    facts |= {"status": search.status.value, "statistics": statistics}
    is_changed = resolved.merge or soft or bool(project)
    status = _report(request, configuration, number, distinct, facts, report, changed=is_changed)
    print_symmetry_summary(search, request.quiet)
    if verbosity > 0 or (search.status is Status.UNSATISFIABLE and search.reason):
        print_summary(search, verbosity)
        resolved.print_profile()
    if search.status is Status.UNSATISFIABLE:
        from exactcover.cli.explain import print_conflict  # slow to import

        print_conflict(request, problem, search)
    return status


def _keep_count(
    request: Request, configuration: Configuration, problem: Problem, store: str, flags: Mapping[str, Any]
) -> int:
    """Count in a store, and print the answer, unless it contradicts the configuration; return the exit status."""
    from exactcover.cli.run import create_run, open_run, work_on  # slow to import, like what stores runs

    if Path(store).exists():
        opened = open_run(store, request.stop)
        stated = opened.problem
        asked = (problem.fingerprint(), *map(set, (problem.given_positions, problem.excluded_positions)))
        kept = (stated.hash, *map(set, (stated.given_positions, stated.excluded_positions)))
        if opened.goal != COUNT or asked != kept:
            raise click.UsageError(f"{store} is the store of a run for something else; choose another file")
    else:
        opened = create_run(request, configuration, problem, store, COUNT, flags)
    jobs = configuration.search.jobs
    workers = flags["jobs"] or (jobs if jobs > 1 else None)  # 1 is the default of a file, too
    contradict = partial(_find_contradiction, request, configuration, distinct=None)
    return work_on(opened, request.stop, request.verbosity, workers=workers, contradict=contradict)


def _report(
    request: Request,
    configuration: Configuration,
    number: int,
    distinct: str | None,
    facts: dict[str, Any],
    report: Callable[..., None],
    *,
    changed: bool,
) -> int:
    """Print the number, unless it contradicts the configuration; return the exit status."""
    contradiction = None if changed else _find_contradiction(request, configuration, number, distinct=distinct)
    if contradiction is not None:
        print_message(f"error: {contradiction}")
        return Exit.NOT_VERIFIED
    report([digits(number)], facts | {"distinct": distinct, "solutions": number})
    return Exit.DELIVERED


def _find_contradiction(
    request: Request, configuration: Configuration, number: int, *, distinct: str | None
) -> str | None:
    """Return a message if the number differs from the one that the configuration states as known."""
    known = configuration.known
    stated = {None: known.solutions, "all": known.distinct}.get(distinct)
    if request.params or request.given or request.without or stated is None or stated == number:
        return None
    source = f" ({known.source})" if known.source else ""
    there_are = "there is" if stated == 1 else "there are"
    return (
        f"counted {format_count(number, 'solution')}, but {request.target} says {there_are} "
        f"{digits(stated, grouped=True)}{source}"
    )
