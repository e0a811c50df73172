"""Solutions as data frames of a library that is installed."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any

from exactcover.errors import EngineUnavailableError
from exactcover.model.model import Model
from exactcover.search.batches import SolutionBatch

__all__ = ["LIBRARIES", "list_columns", "make_frame"]

LIBRARIES: Mapping[str, str] = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}
"""What makes a frame of columns in each library."""


def list_columns(model: Model, batches: Iterable[SolutionBatch]) -> dict[str, list[Any]]:
    """Return a table with one row per chosen option: the number of its solution, its label, and its cost if any."""
    labels: Sequence[Any] = model.labels
    if not (all(type(label) is str for label in labels) or all(type(label) is int for label in labels)):
        labels = [str(label) for label in labels]  # columns have one type
    numbers, chosen = list[int](), list[int]()
    last = 0
    for batch in batches:
        for solution in batch:
            last += 1
            numbers += [last] * len(solution)
            chosen += solution
    columns: dict[str, list[Any]] = {"solution": numbers, "option": [labels[position] for position in chosen]}
    if model.matrix.costs:
        columns["cost"] = [model.cost_of([position]) for position in chosen]
    return columns


def make_frame(columns: Mapping[str, list[Any]], library: str | None) -> Any:
    """Return a frame with these columns.

    Parameters
    ----------
    columns
        The columns.
    library
        ``"pandas"``, ``"polars"`` or ``"pyarrow"``; None for the first of them that is loaded, or else installed.

    Raises
    ------
    ValueError
        If there is no such library.
    EngineUnavailableError
        If it is not installed, or none of them is.
    """
    if library is not None and library not in LIBRARIES:
        raise ValueError(f"there is no library called {library!r} (available: {', '.join(LIBRARIES)})")
    loaded = [name for name in LIBRARIES if sys.modules.get(name) is not None]
    for name in [library] if library is not None else [*loaded, *LIBRARIES]:
        try:
            make = getattr(import_module(name), LIBRARIES[name])
        except ImportError:
            continue
        return make(dict(columns))
    wanted = library or "pandas"
    raise EngineUnavailableError(f"a frame needs {wanted}; install it with: python -m pip install {wanted}")
