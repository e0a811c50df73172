"""Functions as heuristics: they see items by their names and options by their positions, and engines see numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from exactcover.control.options import HeuristicFunction, describe_heuristic
from exactcover.model.model import Model
from exactcover.search.prepare import Prepared

__all__ = ["translate_heuristic"]


def translate_heuristic(function: HeuristicFunction, model: Model, prepared: Prepared) -> HeuristicFunction:
    """Return a function for an engine, which knows items and options by their numbers in the matrix.

    It raises a ``ValueError`` if `function` returns something else than an item that is left.
    """
    matrix, positions = prepared.matrix, prepared.find_positions()
    names = [model.primary[matrix.origin(item)] for item in range(matrix.primary)]
    numbers = {name: item for item, name in enumerate(names)}

    def choose(left: Mapping[int, Sequence[int]]) -> int:
        shown = {names[item]: tuple(positions[option] for option in options) for item, options in left.items()}
        chosen = function(shown)
        try:
            number = numbers.get(chosen)
        except TypeError:  # it cannot be hashed
            number = None
        if number is None or number not in left:
            raise ValueError(
                f"the heuristic {describe_heuristic(function)} returned {chosen!r}, which is not an item that is left"
            )
        return number

    return choose
