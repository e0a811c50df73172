"""Flags for plans: covers that may leave something open, or that stay near an earlier one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from exactcover.cli.flags import join_flags, read_by
from exactcover.cli.messages import print_message
from exactcover.cli.output import read_file
from exactcover.cli.target import Request, complete_file
from exactcover.config.configuration import Configuration
from exactcover.encoders.encoder import Encoder
from exactcover.errors import ConfigError, Mistake
from exactcover.files.read import decode_table, describe_bytes
from exactcover.formats.registry import suffix_of
from exactcover.model.costs import Cost, parse_cost
from exactcover.problem import Problem


@dataclass(frozen=True)
class PlanFlags:
    """Flags of a plan: a best effort, or few changes to an earlier solution."""

    best_effort: bool = False  # whether any item may stay open
    keep: tuple[str, ...] | None = None  # labels, as text, of an earlier solution to keep if possible; None for none
    change: Cost | None = None  # the cost of a change; None if changes come before costs
    typed: tuple[str, ...] = ()  # those of `keep` that come from flags, not from a file, so that they must be options

    def __bool__(self) -> bool:
        return self.best_effort or self.keep is not None

    def apply(self, problem: Problem, configuration: Configuration) -> Problem:
        """Return the problem whose cheapest solutions are the plans that the flags ask for."""
        if self.best_effort:
            problem = problem.best_effort(configuration.encoder.open_weights())
        problem.check_texts(self.keep or ())
        problem.positions_of(self.typed)
        return problem if self.keep is None else problem.near(self.keep, self.change)


add_plan_flags = join_flags(
    click.option(
        "--best-effort",
        is_flag=True,
        help="Find the cover that leaves least open, and the cheapest of these. What it leaves open comes first.",
    ),
    click.option(
        "--keep",
        metavar="SOLUTION",
        multiple=True,
        shell_complete=complete_file,
        help="Find the cover with the fewest changes of an earlier one: of a file that solve has written (jsonl, json, "
        "csv, csv-table or xlsx), or of options with these labels. Can be repeated.",
    ),
    click.option(
        "--change",
        metavar="PRICE",
        callback=read_by(parse_cost),
        help="With --keep, what each change costs. By default, fewer changes come before lower costs.",
    ),
)

add_project_flag = click.option(
    "--project",
    metavar="NAME",
    multiple=True,
    help="Treat solutions that choose the same of these options as one: the option with this label, or the options "
    "that contain this item. Can be repeated.",
)

add_soft_flag = click.option(
    "--soft",
    is_flag=True,
    help="Include covers in which soft items stay open, or are covered too often; slack options stand for that.",
)


def read_plan(request: Request, flags: Mapping[str, Any], encoder: Encoder, *, best_effort: bool = False) -> PlanFlags:
    """Return the flags of a plan; with `best_effort`, one is wanted even without the flag, as a file may say.

    Raise ``ConfigError`` if a file holds no solution.
    """
    keep = flags["keep"]
    kept, typed = _read_kept(request, keep, encoder) if keep else ((), ())
    return PlanFlags(best_effort or flags["best_effort"], kept if keep else None, flags["change"], typed)


def _read_kept(request: Request, texts: tuple[str, ...], encoder: Encoder) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the labels that files and texts name together, and the texts among them."""
    from exactcover.formats.solutions import EARLIER_READERS  # slow to import

    labels: dict[str, None] = {}
    typed = []
    for text in texts:
        read = EARLIER_READERS.get(suffix_of(text))
        if read is None:
            labels[text] = None
            typed.append(text)
            continue
        content = read_file(Path(text), text, request.stop)
        try:
            solution, more = read(decode_table(content, text), text, encoder)
        except UnicodeDecodeError:
            raise ConfigError([Mistake(describe_bytes(content), text)]) from None
        except OSError as error:
            raise ConfigError([Mistake(f"cannot be read: {error}", text)]) from None
        if more and not request.quiet:
            print_message(f"{text} holds several solutions; the first is kept")
        labels |= dict.fromkeys(solution)
    return tuple(labels), tuple(typed)


def build_plan(request: Request, flags: Mapping[str, Any], soft: bool, configuration: Configuration) -> Problem:
    """Build the plain problem that a search with these flags has proved its answer for."""
    problem = request.build_problem(configuration)
    plan = read_plan(request, flags, configuration.encoder)
    if plan:
        return plan.apply(problem, configuration).relaxed()
    return relax_soft(request, problem) if soft else problem


def relax_soft(request: Request, problem: Problem) -> Problem:
    """Return the problem in which slack options stand for what soft items leave open, for ``--soft``.

    Raise ``click.UsageError`` if the problem has no soft items.
    """
    if not problem.soft_prices:
        raise click.UsageError(f"{request.target} has no soft items, so --soft does not apply")
    return problem.relaxed()
