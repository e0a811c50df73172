"""Exact cover: choose options so that every item is covered exactly once.

>>> from exactcover import Problem
>>> problem = Problem({"A": [1, 2], "B": [3], "C": [2, 3]})
>>> list(problem.solve())
[('A', 'B')]

The public names are loaded when the first of them is used, so that the command line can report errors while loading.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from exactcover.version import __version__ as __version__

if TYPE_CHECKING:
    from exactcover._public import *  # noqa: F403
    from exactcover._public import __all__ as __all__
else:

    def __getattr__(name: str) -> Any:
        """Load the public names when the first of them, or their list, is used."""
        if name == "__all__" or not name.startswith("_"):
            import exactcover._public as public

            if name == "__all__" or name in public.__all__:
                globals().update(
                    {known: vars(public)[known] for known in ["__all__", *public.__all__] if known in vars(public)}
                )
                globals()[name] = getattr(public, name)
                return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        """Return the public names too, even if they are not loaded yet."""
        __getattr__("__all__")
        return sorted(globals())
