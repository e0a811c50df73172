"""What a search asks of an engine: options that change how it searches, and observers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from exactcover.control.observers import Observers
from exactcover.control.options import DEFAULTS, OPTIONS, SearchOptions

__all__ = ["Demands", "describe_demands", "find_demands"]

Demands: TypeAlias = Mapping[str, object]
"""The options that do not have their default values, and the observers, by name; a heuristic may be a ``function``."""

_OBSERVERS = {"profile": "a profile", "log": "a search log"}
_WORDS = {"function": "a function as heuristic", **_OBSERVERS}


def find_demands(options: SearchOptions, observers: Observers) -> Demands:
    """Return what the engine of a search must support.

    Examples
    --------
    >>> from exactcover.control.observers import NOBODY
    >>> find_demands(SearchOptions(jobs=4, seed=1), NOBODY)
    {'jobs': 4}
    """
    values = {name: getattr(options, name) for name, facts in OPTIONS.items() if facts.of_engine}
    demands = {name: value for name, value in values.items() if value != getattr(DEFAULTS, name)}
    if callable(demands.get("heuristic")):
        demands["function"] = demands.pop("heuristic")
    watching = {name: getattr(observers, name) for name in _OBSERVERS}
    return demands | {name: observer for name, observer in watching.items() if observer is not None}


def describe_demands(demands: Demands) -> str:
    """Return demands in words; what is only asked for or not has no value.

    Examples
    --------
    >>> describe_demands({"jobs": 4, "restarts": True})
    'jobs=4, restarts'
    """
    return ", ".join(
        _WORDS.get(name) or (name if value is True else f"{name}={value!r}") for name, value in demands.items()
    )
