"""The generic family: items and options written out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property

from exactcover import Colored, Encoder, Item, ParameterError, ProblemError

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

    table: Mapping[str, tuple[str | int, ...]]
    """The options: each label with the list of its items. A secondary item may be given a color, as item:color."""

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
        try:
            problem = self.problem()
        except ProblemError as error:
            raise ParameterError("table" if error.label is None else ("table", str(error.label)), str(error)) from None
        for position, label in enumerate(self.givens()):
            try:
                problem.position(label)
            except ProblemError as error:
                raise ParameterError(("given", position), str(error)) from None

    @cached_property
    def _optional(self) -> frozenset[str]:
        return frozenset(map(str, self.optional))

    def _entry(self, text: str) -> Item:
        """Read one entry of an option; a colon parts a color from a secondary item."""
        item, colon, color = text.rpartition(":")
        return Colored(item, color) if colon and item in self._optional else text

    def options(self) -> Iterator[tuple[str, list[Item]]]:
        for label, entries in self.table.items():
            yield label, [self._entry(str(entry)) for entry in entries]

    def primary(self) -> list[str] | None:
        return None if self.items is None else list(map(str, self.items))

    def secondary(self) -> list[str]:
        return list(map(str, self.optional))

    def givens(self) -> list[str]:
        return list(map(str, self.given))

    def multiplicity(self) -> Mapping[str, int | tuple[int, int]]:
        return self.multiplicities

    def costs(self) -> Mapping[str, int | Decimal]:
        return self.cost
