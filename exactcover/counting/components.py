"""Independent components of a matrix: what is counted apart, and multiplied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from exactcover.counting.part import Origins
from exactcover.model.matrix import Matrix
from exactcover.steps.rebuild import rebuild

__all__ = ["Component", "find_components"]


class Component(NamedTuple):
    """A part of a matrix that has no item in common with the rest.

    Attributes
    ----------
    items
        Its items in the matrix.
    matrix
        Its items and options alone.
    origins
        Which part of a problem it is; None if that is not known of the matrix.
    """

    items: Sequence[int]
    matrix: Matrix
    origins: Origins | None


def find_components(matrix: Matrix, origins: Origins | None = None) -> list[Component]:
    """Return the components of a matrix, the smallest first, or none if there are not several.

    Items without options belong to none.

    Parameters
    ----------
    matrix
        The matrix.
    origins
        Which part of a problem it is.

    Examples
    --------
    >>> from exactcover import Problem
    >>> [len(one.matrix) for one in find_components(Problem({"A": [1, 2], "B": [3], "C": [2]}).matrix)]
    [1, 2]
    """
    components = matrix.components()
    if len(components) < 2:  # as most matrices have
        return []
    component_of = {item: number for number, items in enumerate(components) for item in items}
    options: dict[int, list[int]] = {}
    for option in range(len(matrix)):
        options.setdefault(component_of[matrix.entries[matrix.starts[option]]], []).append(option)
    if len(options) < 2:  # making a matrix anew would take longer than many a count
        return []
    items: dict[int, list[int]] = {number: [] for number in options}
    for item in range(matrix.items):
        if component_of[item] in items:
            items[component_of[item]].append(item)
    found = []
    for number, held in sorted(options.items(), key=lambda pair: len(pair[1])):
        places = {item: place for place, item in enumerate(items[number])}
        left = None if origins is None else origins._replace(options=[origins.options[k] for k in held])
        found.append(Component(items[number], rebuild(matrix, held, places), left))
    return found
