"""Exact cover: choose options so that every item is covered exactly once.

>>> from exactcover import Problem
>>> problem = Problem({"A": [1, 2], "B": [3], "C": [2, 3]})
>>> list(problem.solve())
[('A', 'B')]

Nothing is loaded before a name is asked for, so that the command line can report whatever goes wrong then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exactcover._public import *  # noqa: F403

__all__ = [  # noqa: F405 - the star is for type checkers only
    "Colored",
    "ConfigError",
    "CoverError",
    "Diagram",
    "Encoder",
    "EngineUnavailableError",
    "Goal",
    "Item",
    "Label",
    "ParameterError",
    "Picture",
    "PluginWarning",
    "Problem",
    "ProblemError",
    "Search",
    "SearchOptions",
    "Statistics",
    "Status",
    "Stop",
    "StoppedError",
    "Symmetry",
    "UnknownProblemError",
    "Verdict",
    "__version__",
    "contact_sheet",
    "exact_covers",
    "find_encoder",
    "find_encoders",
    "read_data",
]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Load the public names when the first of them is asked for."""
    if name in __all__:
        from exactcover import _public

        globals().update({public: getattr(_public, public) for public in _public.__all__})
        return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
