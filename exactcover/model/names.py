"""The names of a matrix: labels that may be made late, options as a mapping, a hash over all, and maps of items."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from exactcover.algorithm_x import Colored, Item, Label, Weighted
from exactcover.control.arguments import read_fields, to_mapping
from exactcover.errors import ProblemError, nearest
from exactcover.model.matrix import Matrix
from exactcover.pictures.text import show_value


def fingerprint(
    matrix: Matrix,
    items: Sequence[Item],
    labels: Iterable[Label],
    colors: Iterable[Hashable],
    units: int,
    soft: Mapping[int, tuple[int | None, int | None]],
) -> str:
    """Return a hash over the ordered items and options, the bounds and the costs.

    Names enter it as text, and the numbers of the matrix say which of them are the same. So two colors with the same
    text do not give the hash of one color. Soft prices are in units; `units` make a cost of 1.
    """
    import hashlib  # slow to import

    digest = hashlib.sha256()
    for names in (items, labels, colors):
        texts = [str(name).encode("utf-8", "surrogatepass") for name in names]
        digest.update(f"{[len(text) for text in texts]}".encode())  # says where each text ends
        digest.update(b"".join(texts))
    for numbers in (matrix.starts, matrix.entries, matrix.colors):
        if sys.byteorder == "big":
            numbers = numbers[:]
            numbers.byteswap()
        digest.update(numbers)
    prices = [price for pair in soft.values() for price in pair if price is not None]
    common = math.gcd(units, *matrix.costs, *prices)  # so that 2.9 and 2.90 give the same hash
    costs = [units // common, *(cost // common for cost in matrix.costs)] if matrix.costs else []
    digest.update(f"{[matrix.primary, sorted(matrix.multiplicity.items()), costs]}".encode())
    for stated in matrix.rules:
        digest.update(f"{stated.rule.number_vertices()} {stated.switches}".encode())
    if soft:
        scaled = [[item, *(one if one is None else one // common for one in soft[item])] for item in sorted(soft)]
        digest.update(f"soft {[units // common, *scaled]}".encode())
    return digest.hexdigest()


class OptionsView(Mapping[Label, tuple[Item, ...]]):
    """The options of a problem as a read-only mapping from labels to items, computed from the matrix on access.

    Items and colors are in the order of their numbers; the first color has number 1.
    """

    def __init__(
        self, matrix: Matrix, items: Sequence[Item], colors: Sequence[Hashable], positions: Mapping[Label, int]
    ) -> None:
        self._matrix, self._items, self._colors, self._positions = matrix, items, colors, positions

    def __getitem__(self, label: Label) -> tuple[Item, ...]:
        items, colors, option = self._items, self._colors, self._matrix.option(self._positions[label])
        times = Counter(option)  # an item is repeated as often as it is covered
        return tuple(
            Colored(items[item], colors[color - 1])
            if color
            else Weighted(items[item], often)
            if often > 1
            else items[item]
            for (item, color), often in times.items()
        )

    def __iter__(self) -> Iterator[Label]:
        return iter(self._positions)

    def __len__(self) -> int:
        return len(self._positions)

    def __contains__(self, label: object) -> bool:
        return label in self._positions

    def __repr__(self) -> str:
        return f"{{{', '.join(f'{label!r}: {items!r}' for label, items in self.items())}}}"


def number_labels(labels: Iterable[Label]) -> dict[Label, int]:
    """Return the position of each label; raise ``ProblemError`` if two are the same, or one is not hashable."""
    labels = labels if isinstance(labels, (list, tuple, range)) else list(labels)
    try:
        positions = dict(zip(labels, range(len(labels)), strict=True))
    except TypeError:
        wrong = next(label for label in labels if not isinstance(label, Hashable))
        raise ProblemError(f"the label {wrong!r} is not hashable") from None
    if len(positions) < len(labels):
        seen = Counter(labels)
        twice = next(label for label in labels if seen[label] > 1)
        raise ProblemError(f"option {str(twice)!r} occurs twice; labels must be unique", twice)
    return positions


def find_primary(item: Item, where: str, numbers: Mapping[Item, int], primary: int) -> int:
    """Return the number of an item that an argument names; raise ``ProblemError`` if it is not a primary one.

    Primary items have the numbers from 0 to `primary` - 1; any other number is that of a secondary item.
    """
    try:
        number = numbers.get(item)
    except TypeError:
        raise ProblemError(f"{where} names {show_value(item)}, which is not hashable") from None
    if number is None or not 0 <= number < primary:
        known = (one for one, place in numbers.items() if 0 <= place < primary)
        kind = "a secondary item" if number is not None else f"not an item{nearest(item, known)}"
        raise ProblemError(f"{where} names {str(item)!r}, which is {kind}; expected a primary item")
    return number


def check_list(name: str, value: object, content: str) -> None:
    """Raise ``ProblemError`` unless an argument is an iterable of labels or items, and not one text.

    Examples
    --------
    >>> check_list("given", 0, "labels")
    Traceback (most recent call last):
    ...
    exactcover.errors.ProblemError: given: expected a list of labels, got 0
    """
    if isinstance(value, str) or not isinstance(value, Iterable):
        what = f"one string, {value!r}" if isinstance(value, str) else repr(value)
        raise ProblemError(f"{name}: expected a list of {content}, got {what}")


def read_mapping(name: str, value: object) -> Mapping[Any, Any]:
    """Return an argument that is a mapping, or a series with an index; raise ``ProblemError`` otherwise."""
    mapping = to_mapping(value)
    if mapping is None:
        raise ProblemError(f"{name}: expected a mapping, got {value!r}")
    return mapping


@dataclass(frozen=True)
class Symmetry:
    """A symmetry that a map of items cannot describe, because it distinguishes options with the same items.

    Attributes
    ----------
    items
        The image of each item. Items that are not in the map stay as they are. Colors stay as well, unless the map
        contains the ``Colored`` item.
    labels
        The label of the image of each option, by label. An option that is not in the map is mapped to one that has the
        images of its items; where several options have the same items, they keep their order.

    Examples
    --------
    Two kinds of pieces, each available in any number, have no items of their own:

    >>> from exactcover import Problem
    >>> swap = Symmetry({}, {"red": "blue", "blue": "red"})
    >>> Problem({"red": [1], "blue": [1]}, symmetries=[swap], symmetries_complete=True).count(distinct=True)
    1
    """

    items: Mapping[Any, Any]
    labels: Mapping[Label, Label] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_fields(self)


StatedSymmetry: TypeAlias = Mapping[Any, Any] | Symmetry
"""A symmetry as an encoder states it: a map of items, or a :class:`Symmetry`."""


def distinct_texts(kind: str, names: Iterable[Hashable]) -> list[str]:
    """Return different names of some kind as text, in their order.

    Raise ``ProblemError`` if two names have the same text, so that a file could not tell them apart.

    Examples
    --------
    >>> distinct_texts("label", ["a", 1])
    ['a', '1']
    >>> distinct_texts("label", ["1", 1])
    Traceback (most recent call last):
      ...
    exactcover.errors.ProblemError: this format cannot tell the labels '1' and 1 apart: both have the text '1'
    """
    owners: dict[str, Hashable] = {}
    for name in names:
        text = str(name)
        if text in owners:
            raise ProblemError(
                f"this format cannot tell the {kind}s {owners[text]!r} and {name!r} apart: both have the text {text!r}"
            )
        owners[text] = name
    return list(owners)
