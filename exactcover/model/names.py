"""A matrix together with its names: the options as a mapping, and a hash over all names."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence

from exactcover.algorithm_x import Colored, Item, Label
from exactcover.model.matrix import Matrix

__all__ = ["OptionsView", "fingerprint"]


def fingerprint(matrix: Matrix, items: Sequence[Item], options: Mapping[Label, Sequence[Item]], units: int) -> str:
    """Return a hash over the ordered items and options, the bounds and the costs.

    Parameters
    ----------
    matrix, items, options
        The matrix, its items in order, and its options in order.
    units
        The number of cost units in a cost of 1.
    """
    import hashlib  # slow to import

    digest = hashlib.sha256()

    def add(text: str) -> None:
        digest.update(text.encode("utf-8", "surrogatepass"))

    for item in items:
        add(f"{item}\x1f")
    add(f"\x1e{matrix.primary}\x1e")
    for label, entries in options.items():
        add("\x1f".join([str(label), *map(_entry_text, entries), "\x1e"]))
    for number, bounds in matrix.multiplicity.items():
        add(f"\x1e{items[number]}\x1f{bounds}")
    if matrix.costs:
        common = math.gcd(units, *matrix.costs)  # so that 2.9 and 2.90 give the same hash
        add(f"\x1e{units // common}\x1f{[cost // common for cost in matrix.costs]}")
    return digest.hexdigest()


def _entry_text(entry: Item) -> str:
    return f"{entry.item}\x1d{entry.color}" if isinstance(entry, Colored) else str(entry)


class OptionsView(Mapping[Label, tuple[Item, ...]]):
    """The options of a problem as a read-only mapping from labels to items, computed from the matrix on access.

    Parameters
    ----------
    matrix
        The matrix of the problem.
    items, colors
        The names of items and colors, in the order of their numbers; the first color has number 1.
    positions
        The position of the option with each label, in order.
    """

    def __init__(
        self, matrix: Matrix, items: Sequence[Item], colors: Sequence[Hashable], positions: Mapping[Label, int]
    ) -> None:
        self._matrix, self._items, self._colors, self._positions = matrix, items, colors, positions

    def __getitem__(self, label: Label) -> tuple[Item, ...]:
        items, colors = self._items, self._colors
        return tuple(
            Colored(items[item], colors[color - 1]) if color else items[item]
            for item, color in self._matrix.option(self._positions[label])
        )

    def __iter__(self) -> Iterator[Label]:
        return iter(self._positions)

    def __len__(self) -> int:
        return len(self._positions)

    def __contains__(self, label: object) -> bool:
        return label in self._positions

    def __repr__(self) -> str:
        return f"{{{', '.join(f'{label!r}: {items!r}' for label, items in self.items())}}}"
