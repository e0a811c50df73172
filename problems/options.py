"""The generic family: items and options written out."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import Any

from exactcover import Colored, ConfigError, Encoder, Item, Label, ParameterError, Problem, ProblemError, read_data
from exactcover.formats import csv_problem

__all__ = ["Options"]


@dataclass(frozen=True)
class Options(Encoder):
    """Any exact cover problem, its items and options written out.

    Names are text: the item 1 and the item "1" are the same.

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
    """The options: each label with the list of its items. A secondary item may be given a color, as item:color. Or a
    table in CSV, an option a row and an item a column, looked for beside the YAML file."""

    items: tuple[str | int, ...] | None = None
    """The primary items in order; by default all that are not secondary, as they appear."""

    optional: tuple[str | int, ...] = ()
    """The secondary items, which may be left uncovered."""

    multiplicities: Mapping[str, int | tuple[int, int]] = field(default_factory=dict)
    """How often primary items must be covered, where that is not once: a number, or [at least, at most]."""

    cost: Mapping[str, int | Decimal] = field(default_factory=dict)
    """What options cost, by label; those that are not here cost nothing."""

    given: tuple[str | int, ...] = ()
    """Labels of options that every solution must contain."""

    def __post_init__(self) -> None:
        """Build the problem once, so that a mistake is reported at its place."""
        if isinstance(self.table, str):
            self._refuse_what_a_file_says()
        try:
            self.problem()
        except ProblemError as error:
            unknown = [k for k, label in enumerate(self.given) if f"no option is labelled {str(label)!r}" in str(error)]
            if unknown:
                raise ParameterError(("given", unknown[0]), str(error)) from None
            where = self._culprit() if error.label is None else ("table", str(error.label))
            raise ParameterError(where, str(error)) from None

    def _culprit(self) -> str:
        """Return the parameter without which the problem would be sound."""
        nothings: dict[str, Any] = {"multiplicities": {}, "cost": {}, "items": None, "optional": ()}
        for parameter, nothing in nothings.items():
            try:
                if getattr(self, parameter):
                    replace(self, **{parameter: nothing})
                    return parameter
            except ParameterError:
                continue
        return "table"

    def _refuse_what_a_file_says(self) -> None:
        """Items, multiplicities and costs stand in the file."""
        for parameter in ("items", "optional", "multiplicities", "cost"):
            if getattr(self, parameter):
                raise ParameterError(parameter, f"{self.table} says that; leave it out here")

    @cached_property
    def _read(self) -> Problem:
        """The problem that a file holds."""
        name = str(self.table)
        try:
            return csv_problem.read(io.StringIO(read_data(name, "table")), name)
        except ConfigError as error:
            raise ParameterError("table", "; ".join(map(str, error.mistakes))) from None

    @cached_property
    def _optional(self) -> frozenset[str]:
        return frozenset(map(str, self.optional))

    def _entry(self, text: str) -> Item:
        """Read one entry of an option; a colon parts a color from a secondary item."""
        item, colon, color = text.rpartition(":")
        return Colored(item, color) if colon and item in self._optional else text

    def options(self) -> Iterator[tuple[str, list[Item]]]:
        if isinstance(self.table, str):
            yield from ((str(label), list(items)) for label, items in self._read.options.items())
            return
        for label, entries in self.table.items():
            yield label, [self._entry(str(entry)) for entry in entries]

    def primary(self) -> Sequence[Item] | None:
        if isinstance(self.table, str):
            return self._read.primary
        return None if self.items is None else list(map(str, self.items))

    def secondary(self) -> Sequence[Item]:
        if isinstance(self.table, str):
            return self._read.secondary
        return list(map(str, self.optional))

    def givens(self) -> list[str]:
        return list(map(str, self.given))

    def multiplicity(self) -> Mapping[Item, int | tuple[int, int]]:
        return self._read.multiplicity if isinstance(self.table, str) else {**self.multiplicities}

    def costs(self) -> Mapping[Label, int | Decimal]:
        return self._read.costs if isinstance(self.table, str) else {**self.cost}
