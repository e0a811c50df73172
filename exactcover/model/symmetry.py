"""Symmetries, as an encoder states them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from exactcover.algorithm_x import Label

__all__ = ["StatedSymmetry", "Symmetry"]


@dataclass(frozen=True)
class Symmetry:
    """A symmetry that a map of items alone cannot say, for it tells apart options with the same items.

    Attributes
    ----------
    items
        What items become. Items that are not here stay; so do colors, unless a ``Colored`` item is here.
    labels
        What options become, by label. An option that is not here becomes one with the right items; options with the
        same items then keep their order.

    Examples
    --------
    Two pieces of which there may be any number have no items of their own:

    >>> from exactcover import Problem
    >>> swap = Symmetry({}, {"red": "blue", "blue": "red"})
    >>> Problem({"red": [1], "blue": [1]}, symmetries=[swap], symmetries_complete=True).count(distinct=True)
    1
    """

    items: Mapping[Any, Any]
    labels: Mapping[Label, Label] = field(default_factory=dict)


StatedSymmetry: TypeAlias = Mapping[Any, Any] | Symmetry
"""A symmetry as an encoder states it: a map of items, or more than that."""
