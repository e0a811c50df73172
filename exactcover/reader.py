"""Reads options into a matrix, and checks the rules of a Problem on the way."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from exactcover.algorithm_x import Colored, Item, Label
from exactcover.errors import ProblemError, nearest
from exactcover.matrix import Matrix, MatrixBuilder

__all__ = ["Reader"]


class Reader:
    """Reads options into a matrix and checks the rules on the way.

    Until all options are read the number of primary items may be unknown, so secondary items are
    numbered from -1 downwards and moved behind the primary ones at the end.
    """

    def __init__(self, primary: Iterable[Item] | None, secondary: Iterable[Item]) -> None:
        self.open_ended = primary is None
        self.numbers: dict[Item, int] = {}
        self.primary: list[Item] = []
        self.secondary: list[Item] = []
        self.colors: dict[Hashable, int] = {}
        self.positions: dict[Label, int] = {}
        self.builder = MatrixBuilder()
        for name, items in (("primary", primary), ("secondary", secondary)):
            if isinstance(items, str):
                raise ProblemError(f"{name} is one string, {items!r}; expected a list of items")
        for item in primary or ():
            self._name(item, self.primary, len(self.primary))
        for item in secondary:
            self._name(item, self.secondary, -1 - len(self.secondary))

    def _name(self, item: Item, kind: list[Item], number: int) -> None:
        if item in self.numbers:
            both = kind is self.secondary and self.numbers[item] >= 0
            trouble = "is both primary and secondary" if both else "is named twice"
            raise ProblemError(f"item {str(item)!r} {trouble}")
        self.numbers[item] = number
        kind.append(item)

    def read(self, label: Label, items: Iterable[Item]) -> None:
        """Take in one option."""
        name = f"option {str(label)!r}"
        position = len(self.positions)
        if self.positions.setdefault(label, position) != position:
            raise ProblemError(f"{name} is there twice; labels must be unique", label)
        if isinstance(items, str):
            raise ProblemError(f"{name}: its items are one string, {items!r}; expected a list of items", label)
        seen: set[int] = set()
        for entry in items:
            item, color = entry, 0
            if isinstance(entry, Colored):
                item, color = entry.item, self._color(entry, name, label)
            number = self.numbers.get(item)
            if number is None:
                number = self._new(item, name, label)
            if number in seen:
                raise ProblemError(f"{name} holds item {str(item)!r} twice", label)
            if color and number >= 0:
                raise ProblemError(
                    f"{name} gives a color to {str(item)!r}, a primary item; only secondary items have colors", label
                )
            seen.add(number)
            self.builder.append(number, color)
        if not seen or max(seen) < 0:
            raise ProblemError(f"{name} has no primary item, so it could never be chosen", label)
        self.builder.close_option()

    def _new(self, item: Item, name: str, label: Label) -> int:
        if not self.open_ended:
            near = nearest(item, self.numbers)
            raise ProblemError(f"{name} holds {str(item)!r}, which is neither primary nor secondary{near}", label)
        number = self.numbers[item] = len(self.primary)
        self.primary.append(item)
        return number

    def _color(self, entry: Colored, name: str, label: Label) -> int:
        if entry.color is None:
            raise ProblemError(
                f"{name} gives {str(entry.item)!r} the color None; leave the color out to share with nobody", label
            )
        return self.colors.setdefault(entry.color, len(self.colors) + 1)

    def finish(self) -> tuple[tuple[Item, ...], Matrix]:
        """Return the items in order, and the matrix."""
        first = len(self.primary)
        entries = self.builder.entries
        if self.secondary:
            for place, number in enumerate(entries):
                if number < 0:
                    entries[place] = first - 1 - number
        items = (*self.primary, *self.secondary)
        return items, self.builder.matrix(len(items), first)
