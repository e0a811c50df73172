"""The header of a search log: the matrix that is searched, with the names of its items and options."""

from __future__ import annotations

from typing import Any

from exactcover.control.options import Heuristic, HeuristicFunction, describe_heuristic
from exactcover.model.matrix import Matrix
from exactcover.model.model import Model
from exactcover.search.prepare import Prepared
from exactcover.version import __version__

__all__ = ["describe_bounds", "describe_search"]


def describe_search(
    model: Model, prepared: Prepared | None, engine: str, heuristic: Heuristic | HeuristicFunction
) -> dict[str, Any]:
    """Return the header of the log of a search; docs/search_log.md explains it."""
    matrix = model.matrix if prepared is None else prepared.matrix
    items = [*model.primary, *model.secondary]
    origins = [matrix.origin(item) for item in range(matrix.items)]
    return {
        "version": __version__,
        "engine": engine,
        "heuristic": heuristic if isinstance(heuristic, str) else describe_heuristic(heuristic),
        "reason": None if prepared is None else prepared.reason,
        "items": ["" if origin < 0 else str(items[origin]) for origin in origins],
        "origins": origins,
        "primary": matrix.primary,
        "priced": bool(matrix.costs),
        "given": [] if prepared is None else list(prepared.lift(())),
        "options": list(range(len(matrix))) if prepared is None else prepared.find_positions(),
        "labels": [str(label) for label in model.labels],
        "starts": list(matrix.starts),
        "entries": list(matrix.entries),
        "colors": list(matrix.colors) if any(matrix.colors) else [],
        "multiplicity": describe_bounds(matrix),
    }


def describe_bounds(matrix: Matrix) -> list[list[int]]:
    """Return the item, the least and the greatest bound for each item that need not be covered exactly once."""
    return [[item, *matrix.capped(item)] for item in matrix.multiplicity]
