"""Symmetries in the form in which encoders state them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from exactcover.algorithm_x import Label
from exactcover.control.arguments import read_fields


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
