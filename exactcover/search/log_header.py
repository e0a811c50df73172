"""The header of a search log: the matrix that is searched, with the names of its items and options."""

from __future__ import annotations

from typing import Any

from exactcover.control.options import Heuristic
from exactcover.model.matrix import Matrix
from exactcover.model.model import Model
from exactcover.search.prepare import Prepared
from exactcover.search.query import Query
from exactcover.version import __version__

__all__ = ["describe_search"]


def describe_search(
    model: Model, prepared: Prepared | None, query: Query, engine: str, heuristic: Heuristic
) -> dict[str, Any]:
    """Return the header of the log of a search; docs/search_log.md explains it."""
    matrix = model.matrix if prepared is None else prepared.matrix
    lift = list if prepared is None else prepared.lift
    given = list(lift(()))
    origins = [matrix.origin(item) for item in range(matrix.items)]
    names = [str(item) for item in (*model.primary, *model.secondary)]
    return {
        "version": __version__,
        "engine": engine,
        "heuristic": heuristic,
        "reason": None if prepared is None else prepared.reason,
        "items": ["" if origin < 0 else names[origin] for origin in origins],
        "origins": origins,
        "priced": bool(matrix.costs),
        "given": given,
        "options": [next(iter({*lift((k,))}.difference(given))) for k in range(len(matrix))],
        "labels": [str(label) for label in model.labels],
        **_describe_rows(matrix),
        "problem": None if matrix is model.matrix else {"items": names, **_describe_rows(model.matrix)},
        "question": {"given": list(query.given), "without": list(query.without)},
    }


def _describe_rows(matrix: Matrix) -> dict[str, Any]:
    return {
        "primary": matrix.primary,
        "starts": list(matrix.starts),
        "entries": list(matrix.entries),
        "colors": list(matrix.colors) if any(matrix.colors) else [],
        "multiplicity": [[item, *bounds] for item, bounds in matrix.multiplicity.items()],
    }
