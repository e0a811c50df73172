"""Flags for plans: covers that may leave something open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from exactcover.cli.target import Request
from exactcover.config.configuration import Configuration, SearchSettings
from exactcover.problem import Problem

__all__ = ["add_plan_flags", "add_soft_flag", "build_plan", "find_best_effort", "refuse_known_solutions", "relax_soft"]

F = TypeVar("F", bound=Callable[..., Any])


def add_plan_flags(verb: F) -> F:
    """Add ``--best-effort``."""
    return click.option(
        "--best-effort",
        is_flag=True,
        help="Find the cover that leaves least open, and the cheapest of these. What it leaves open comes first.",
    )(verb)


def add_soft_flag(verb: F) -> F:
    """Add ``--soft``."""
    return click.option(
        "--soft",
        is_flag=True,
        help="Include covers in which soft items stay open, or are covered too often; slack options stand for that.",
    )(verb)


def relax_soft(request: Request, problem: Problem) -> Problem:
    """Return the problem in which slack options stand for what soft items leave open, for ``--soft``.

    Raises
    ------
    click.UsageError
        If the problem has no soft items.
    """
    if not problem.soft_prices:
        raise click.UsageError(f"{request.target} has no soft items, so --soft does not apply")
    return problem.relaxed()


def build_plan(request: Request, configuration: Configuration, *, best_effort: bool, soft: bool) -> Problem:
    """Build the problem that a search with ``--best-effort``, or with ``--soft``, has proved its answer for."""
    problem = request.build_problem(configuration)
    if best_effort:
        return problem.best_effort(configuration.encoder.open_weights()).relaxed()
    return relax_soft(request, problem) if soft else problem


def find_best_effort(flag: bool, settings: SearchSettings, *, find_all: bool, limit: int | None) -> bool:
    """Return whether the cover that leaves least open is wanted, by the flags or by the configuration.

    Raises
    ------
    click.UsageError
        If flags contradict each other.
    """
    if flag and (find_all or limit is not None):
        raise click.UsageError("--best-effort cannot be combined with --all or --limit; --cheapest K finds the K best")
    return flag or (settings.best_effort and not find_all and limit is None)


def refuse_known_solutions(request: Request, *, best_effort: bool) -> None:
    """Refuse flags that make no sense if all solutions are known."""
    if best_effort:
        raise click.UsageError(f"{request.target} holds all solutions, so --best-effort does not apply")
