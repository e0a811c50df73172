"""Options that several verbs have: one name, one meaning and one help text each."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeVar, get_args

import click

from exactcover.cli.target import INPUT_FORMATS, Request
from exactcover.control.options import Heuristic
from exactcover.control.stop import Stop
from exactcover.errors import nearest

__all__ = [
    "LARGE",
    "Verb",
    "common_options",
    "distinct_option",
    "engine_option",
    "formulas_option",
    "number_option",
    "output_option",
    "report_options",
    "seed_option",
    "tactics_options",
    "target_options",
]

F = TypeVar("F", bound=Callable[..., Any])

LARGE = click.IntRange(min=1, max=10**15)
"""A number of things that are made or found one by one."""

_MOST_JOBS = 1024


class Verb(click.Command):
    """A verb: what all of them have in common is handed to its function as one :class:`Request`."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(context, _with_defaults(args))
        except click.NoSuchOption as error:
            name = error.option_name.lstrip("-")
            options = [option for parameter in self.params for option in parameter.opts]
            hint = f"A parameter of the problem is written without dashes: {name}=VALUE."
            message = f"there is no option {error.option_name!r}{nearest(error.option_name, options)}"
            raise click.UsageError(
                f"{message.rstrip('?')}{'?' if message.endswith('?') else '.'} {hint}", context
            ) from None

    def invoke(self, context: click.Context) -> Any:
        values = context.params
        if "timeout" in values:
            stop = context.obj or Stop()
            stop.limit(timeout=values.pop("timeout"), memory=values.get("memory"))
            common = {name: values.pop(name) for name in _COMMON if name in values}
            values["request"] = Request(stop=stop, verbosity=values.pop("verbose") - values.pop("quiet"), **common)
        for group, names in _GROUPS.items():
            if names <= values.keys():
                values[group] = {name: values.pop(name) for name in names}
        try:
            return super().invoke(context)
        except click.exceptions.Exit as error:  # a plugin's: no verb of ours ends so, and its status must not be ours
            raise SystemExit(error.exit_code).with_traceback(error.__traceback__) from None


_COMMON = ("target", "params", "input_format", "given", "without", "allow_files", "memory")
_GROUPS = {
    "tactics": {"engine", "heuristic", "jobs", "reduce", "merge", "stats", "shape"},
    "writing": {"output_format", "output", "pages", "header", "escape_formulas"},
}


def _with_defaults(args: list[str]) -> list[str]:
    """Write out which symmetries ``--distinct`` means, so that it does not take the next argument for that."""
    written: list[str] = []
    for arg in args:
        if written[-1:] == ["--distinct"]:
            misspelled = not arg.startswith("-") and bool(nearest(arg, _SYMMETRIES))  # and no target
            meant = arg in _SYMMETRIES or misspelled
            written[-1] = f"--distinct={arg if meant else 'all'}"
            if meant:
                continue
        written.append(arg)
    return [*written[:-1], "--distinct=all"] if written[-1:] == ["--distinct"] else written


_SYMMETRIES = ("all", "rotations")


def target_options(verb: F) -> F:
    """Add TARGET, KEY=VALUE, and what belongs to the instance."""
    verb = common_options(verb)
    verb = click.option(
        "--without", metavar="LABEL", multiple=True, help="Exclude the option of that label; can be repeated."
    )(verb)
    verb = click.option(
        "--given", metavar="LABEL", multiple=True, help="Choose the option of that label beforehand; can be repeated."
    )(verb)
    verb = click.option(
        "--input",
        "input_format",
        type=click.Choice(INPUT_FORMATS),
        default="yaml",
        help="What standard input holds (for -).",
    )(verb)
    verb = click.argument("params", nargs=-1, metavar="[KEY=VALUE]...")(verb)
    return click.argument("target")(verb)


def common_options(verb: F) -> F:
    """Add ``--timeout``, ``--memory``, ``--allow-files``, ``-q`` and ``-v``."""
    verb = click.option("-v", "verbose", is_flag=True, help="Say more on standard error; trace errors.")(verb)
    verb = click.option("-q", "quiet", is_flag=True, help="Say nothing on standard error but errors.")(verb)
    verb = click.option(
        "--allow-files", is_flag=True, help="Let the configuration name files outside its folder and the current one."
    )(verb)
    verb = click.option(
        "--memory",
        metavar="SIZE",
        callback=_bytes,
        help="Stop where more is needed, like 500M or 2G; what can be forgotten is forgotten before.",
    )(verb)
    return click.option(
        "--timeout",
        type=click.FloatRange(min=0),
        metavar="SECONDS",
        callback=_seconds,
        help="Stop after so long, building included.",
    )(verb)


def engine_option(verb: F) -> F:
    """Add ``--engine``."""
    return click.option("--engine", metavar="NAME", help="The engine to search with; auto picks one.")(verb)


def seed_option(verb: F) -> F:
    """Add ``--seed``."""
    return click.option("--seed", type=int, metavar="N", help="Let chance depend on N alone.")(verb)


def distinct_option(verb: F) -> F:
    """Add ``--distinct``, None or a kind of symmetries."""
    return click.option(
        "--distinct",
        type=click.Choice(_SYMMETRIES),
        help="Of solutions that are the same up to a symmetry take one only: up to all of them (by default), or up to "
        "rotations, so that mirror images count as two.",
    )(verb)


def formulas_option(verb: F) -> F:
    """Add ``--escape-formulas``."""
    return click.option(
        "--escape-formulas", is_flag=True, help="In CSV put ' before cells that a spreadsheet would take for formulas."
    )(verb)


def number_option(verb: F) -> F:
    """Add ``-n``."""
    return click.option("-n", "--number", type=LARGE, default=1, metavar="N", help="How many; 1 by default.")(verb)


def output_option(verb: F) -> F:
    """Add ``-o``."""
    return click.option("-o", "--output", metavar="FILE", help="Write there instead of standard output.")(verb)


def report_options(verb: F) -> F:
    """Add ``--format`` and ``-o`` of verbs that print what they have found out."""
    return click.option(
        "--format", "output_format", type=click.Choice(["text", "json"]), default="text", help="How to write it."
    )(output_option(verb))


def tactics_options(verb: F) -> F:
    """Add ``--engine``, ``--heuristic``, ``--jobs``, ``--reduce``, ``--merge``, ``--stats`` and ``--shape``."""
    verb = click.option(
        "--shape", metavar="FILE", help="Write a line for each node of the search tree of the engine sets there."
    )(verb)
    verb = click.option("--stats", is_flag=True, help="As -v, and the nodes by level; the search is slower.")(verb)
    verb = click.option("--merge", is_flag=True, help="Take options with the same items as one.")(verb)
    verb = click.option(
        "--reduce/--no-reduce", "reduce", default=None, help="Remove what no solution needs before searching."
    )(verb)
    verb = click.option(
        "--jobs",
        type=click.IntRange(min=1, max=_MOST_JOBS),
        metavar="N",
        help="Search with N threads; the results stay the same.",
    )(verb)
    verb = click.option(
        "--heuristic",
        type=click.Choice(get_args(Heuristic)),
        help="Branch on the item with fewest options (mrv), on the first (leftmost), or on the one with fewest options "
        "that failed most often (weighted).",
    )(verb)
    return engine_option(verb)


def _bytes(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    match = re.fullmatch(r"([0-9]{0,30}\.?[0-9]{1,30})([KMGT]?)B?", value.strip().upper())
    size = int(Decimal(match[1]) * 1024 ** " KMGT".index(match[2] or " ")) if match else 0
    if size < 1:
        raise click.BadParameter("expected a size like 500M or 2G", context, parameter)
    return min(size, sys.maxsize)


def _seconds(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and not math.isfinite(value):
        raise click.BadParameter("expected a number of seconds", context, parameter)
    return value
