"""The generic family: any problem, with its items and options written out."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import Annotated, Any

from annotated_types import Ge

from exactcover import (
    Colored,
    ConfigError,
    Encoder,
    Item,
    Label,
    ParameterError,
    Problem,
    ProblemError,
    Weighted,
    read_data,
)
from exactcover.formats import csv_problem

_WEIGHTED = re.compile(r"(.*\S)\s*\*\s*([0-9]{1,1000})")


@dataclass(frozen=True)
class Options(Encoder):
    """Any exact cover problem, with its items and options written out.

    Names are text: the item 1 and the item "1" are the same item.

    Examples
    --------
    >>> article = Options({"a": (4,), "b": (1, 4), "c": (1, 2), "d": (1, 3), "e": (2, 3, 4), "f": (3,), "g": (2, 4)})
    >>> list(article.problem().solve())
    [('a', 'c', 'f'), ('d', 'g')]
    >>> shifts = {"Ann": ("mo", "tu"), "Bob": ("tu", "we"), "Cid": ("mo", "we")}
    >>> list(Options(shifts, multiplicities={"mo": (0, 2), "tu": 2}, cost={"Ann": 3}).problem().solve())
    [('Ann', 'Bob')]
    """

    table: str | Mapping[str, tuple[str | int, ...]]
    """The options, as a mapping from each label to its items; a secondary item may have a color, as item:color, and a
    primary one be covered several times, as item*3. Or a CSV file, relative to the YAML file, with one row per option
    and one column per item."""

    items: tuple[str | int, ...] | None = None
    """The primary items in order; by default all items that are not secondary, in order of appearance."""

    optional: tuple[str | int, ...] = ()
    """The secondary items, which may be left uncovered."""

    multiplicities: Mapping[str, int | tuple[int, int | None]] = field(default_factory=dict)
    """How often primary items must be covered, if not exactly once: a number, or [low, high], where
    null means no limit."""

    at_least: Annotated[int, Ge(0)] | None = None
    """How often primary items without a multiplicity must be covered at least, in place of exactly once; 1 for a
    covering problem."""

    at_most: Annotated[int, Ge(1)] | None = None
    """How often they may be covered at most; 1, without `at_least`, for a packing problem."""

    cost: Mapping[str, int | Decimal] = field(default_factory=dict)
    """The costs of options, by label; all other options cost nothing."""

    soft_items: Mapping[str, int | Decimal | tuple[int | Decimal | None, int | Decimal | None]] = field(
        default_factory=dict
    )
    """The soft items, with the price of each time that they are covered too rarely; or [few, many], with that of each
    time that they are covered too often as well, where null means that this is not allowed."""

    given: tuple[str | int, ...] = ()
    """Labels of options that every solution must contain."""

    def __post_init__(self) -> None:
        """Build the problem once, so that mistakes are reported with their parameter."""
        if isinstance(self.table, str):
            self._check_parameters_beside_file()
        try:
            self.problem()
        except ProblemError as error:
            where = self._faulty_parameter() if error.label is None else ("table", str(error.label))
            raise ParameterError(where, error.message) from None

    def _faulty_parameter(self) -> tuple[str | int, ...]:
        """Return the path of the parameter without which the problem would be valid."""
        optional: dict[str, Any] = {"given": (), "multiplicities": {}, "cost": {}, "soft_items": {}}
        defaults = optional | {"at_least": None, "at_most": None, "items": None, "optional": ()}
        for parameter, default in defaults.items():
            try:
                if getattr(self, parameter):
                    replace(self, **{parameter: default})
                    return (parameter, self._first_unknown_given()) if parameter == "given" else (parameter,)
            except ParameterError:
                continue
        return ("table",)

    def _first_unknown_given(self) -> int:
        labels = {label for label, _ in self.options()}
        return next((position for position, label in enumerate(self.given) if str(label) not in labels), 0)

    def _check_parameters_beside_file(self) -> None:
        """Refuse parameters whose values come from the file."""
        for parameter in ("items", "optional", "multiplicities", "cost", "soft_items"):
            if getattr(self, parameter):
                raise ParameterError(parameter, f"the file {self.table} already defines this; remove it here")

    @cached_property
    def _stated(self) -> Problem:
        """The problem that the file holds, or the parameters state; without the bounds that items usually have."""
        if not isinstance(self.table, str):
            options = ((label, map(self._parse_item, map(str, entries))) for label, entries in self.table.items())
            return Problem(
                options,
                primary=None if self.items is None else map(str, self.items),
                secondary=map(str, self.optional),
                multiplicity=self.multiplicities,
                costs=self.cost,
                soft=self.soft_items,
            )
        try:
            return csv_problem.read(io.StringIO(read_data(self.table, "table")), self.table)
        except ConfigError as error:
            raise ParameterError("table", "; ".join(map(str, error.mistakes))) from None

    @cached_property
    def _optional(self) -> frozenset[str]:
        return frozenset(map(str, self.optional))

    def _parse_item(self, text: str) -> Item:
        """Return an item of an option; a colon separates a secondary item from its color."""
        item, colon, color = text.rpartition(":")
        if colon and item in self._optional:
            return Colored(item, color)
        match = _WEIGHTED.fullmatch(text)
        return Weighted(match[1], int(match[2])) if match else text

    def options(self) -> Iterator[tuple[str, Sequence[Item]]]:
        return ((str(label), items) for label, items in self._stated.options.items())

    def primary(self) -> Sequence[Item]:
        return self._stated.primary

    def secondary(self) -> Sequence[Item]:
        return self._stated.secondary

    def describe_rules(self) -> str:
        bounds = (self.multiplicities, self.soft_items, self.at_least is not None, self.at_most is not None)
        often = "as often as it needs" if any(bounds) else "exactly once"
        return f"Choose options that cover every item {often}."

    def givens(self) -> list[str]:
        return list(map(str, self.given))

    def multiplicity(self) -> Mapping[Any, int | tuple[int, int | None]]:
        stated = self._stated.multiplicity
        if self.at_least is None and self.at_most is None:
            return stated
        return {**dict.fromkeys(self.primary(), (self.at_least or 0, self.at_most)), **stated}

    def costs(self) -> Mapping[Label, int | Decimal]:
        return self._stated.costs

    def soft(self) -> Mapping[Any, tuple[int | Decimal | None, int | Decimal | None]]:
        return self._stated.soft
