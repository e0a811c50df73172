"""``exactcover count --store``: a count that is kept in a file, the short way to a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from exactcover.cli.certificates import OWN_SEARCH
from exactcover.cli.completion import complete_file
from exactcover.cli.output import check_file_name
from exactcover.cli.search_flags import list_flags, report_bad_flags
from exactcover.cli.target import Request
from exactcover.config.configuration import Configuration
from exactcover.control.options import COUNT
from exactcover.problem import Problem

__all__ = ["add_store_flag", "check_store", "count_in_store"]

F = TypeVar("F", bound=Callable[..., Any])

_ALLOWED = {"engine", "jobs", "merge", "reduce", "symmetry"}


def add_store_flag(verb: F) -> F:
    """Add ``--store``."""
    return click.option(
        "--store",
        metavar="FILE",
        shell_complete=complete_file,
        help="Keep the count in FILE as a run, which survives a crash; if FILE exists, go on with it. See run --help.",
    )(verb)


def check_store(store: str | None, flags: Mapping[str, Any], configuration: Configuration) -> None:
    """Raise a usage error if flags or the target contradict ``--store``."""
    if store is None:
        return
    check_file_name(store)
    if configuration.solutions is not None:
        raise click.UsageError("--store needs a problem, and not a diagram of its solutions")
    for flag in list_flags(flags, [name for name in (*OWN_SEARCH, *flags) if name not in _ALLOWED]):
        raise click.UsageError(f"--store cannot be combined with {flag}")


def count_in_store(
    request: Request, configuration: Configuration, problem: Problem, store: str, flags: Mapping[str, Any]
) -> tuple[int, int | None]:
    """Count in a store, print the answer, and return the exit status, and the number if it is known.

    Raises
    ------
    click.UsageError
        If the file is the store of a run for something else.
    StoreError
        If the file is not the store of a run, or is damaged.
    """
    from exactcover.cli.run import open_run, work_on
    from exactcover.runs.run import Run  # slow to import, like what stores runs

    if Path(store).exists():
        opened = open_run(store, request.stop)
        stated = opened.problem
        asked = (problem.fingerprint(), *map(set, (problem.given_positions, problem.excluded_positions)))
        kept = (stated.hash, *map(set, (stated.given_positions, stated.excluded_positions)))
        if opened.goal != COUNT or asked != kept:
            raise click.UsageError(f"{store} is the store of a run for something else; choose another file")
    else:
        own = configuration.search
        with report_bad_flags():
            opened = Run.create(
                store,
                problem,
                COUNT,
                engine=flags.get("engine") or own.engine or "auto",
                reduce=own.reduce if flags.get("reduce") is None else flags["reduce"],
                symmetry=own.symmetry if flags.get("symmetry") is None else flags["symmetry"],
                name=configuration.problem,
                params=configuration.params,
                stop=request.stop,
            )
    status = work_on(opened, request.stop, request.verbosity, workers=flags.get("jobs"))
    return status, None if status else opened.count()
