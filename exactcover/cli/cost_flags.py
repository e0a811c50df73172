"""The flags that say which cheapest solutions are wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from exactcover.cli.flags import COUNT_RANGE
from exactcover.control.margin import Margin, make_margin

__all__ = ["add_cost_flags", "check_cost_flags"]

F = TypeVar("F", bound=Callable[..., Any])


def add_cost_flags(verb: F) -> F:
    """Add ``--cheapest``, ``--gap``, ``--within`` and ``--differ-in``."""
    verb = click.option(
        "--differ-in",
        metavar="NAME",
        multiple=True,
        help="With --cheapest, find solutions that differ in the options that cover the item NAME, or in the option "
        "NAME. Can be repeated; then one difference is enough.",
    )(verb)
    verb = click.option(
        "--within",
        metavar="X",
        callback=_parse_margin,
        help="Find all solutions that cost at most X, or X%, more than the cheapest one; with --cheapest K, at most K "
        "of them.",
    )(verb)
    verb = click.option(
        "--gap",
        metavar="X",
        callback=_parse_margin,
        help="With --cheapest 1, stop at a solution if no other can be cheaper by more than X, or X% of its cost.",
    )(verb)
    return click.option("--cheapest", type=COUNT_RANGE, metavar="K", help="Find the K solutions with the lowest cost.")(
        verb
    )


def _parse_margin(context: click.Context, parameter: click.Parameter, value: str | None) -> Margin | None:
    try:
        return None if value is None else make_margin(value)
    except ValueError as error:
        raise click.BadParameter(str(error), context, parameter) from None


def check_cost_flags(cheapest: int | None, gap: Margin | None, within: Margin | None, differ_in: Sequence[str]) -> None:
    """Raise a usage error if these flags contradict each other."""
    if gap is not None and (cheapest != 1 or within is not None or differ_in):
        raise click.UsageError("--gap applies to one solution of least cost: --cheapest 1 --gap X")
    if differ_in and (cheapest is None or within is not None):
        raise click.UsageError("--differ-in applies to --cheapest K, without --within")
