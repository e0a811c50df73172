"""Exact cover: choose options so that every item is covered exactly once.

>>> from exactcover import Problem
>>> problem = Problem({"A": [1, 2], "B": [3], "C": [2, 3]})
>>> list(problem.solve())
[('A', 'B')]

Each public name is loaded when it is used first, so that programs start quickly.
"""

from __future__ import annotations

from exactcover.version import __version__ as __version__

TYPE_CHECKING = False  # typing is slow to import
if TYPE_CHECKING:
    from typing import Any

    from exactcover._public import *  # noqa: F403
    from exactcover._public import __all__ as __all__
else:

    def __getattr__(name: str) -> Any:
        """Load a public name, or their list, when it is used first."""
        if name == "__all__" or not name.startswith("_"):
            import exactcover._public as public

            if name in public.FORMER:
                return public.load_former(name)
            if name == "__all__" or name in public.__all__:
                globals()[name] = getattr(public, name)
                return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        """Return the public names too that are not loaded yet."""
        return sorted({*globals(), *__getattr__("__all__")})
