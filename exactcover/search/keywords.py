"""The options of a search, from the arguments of a call."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from exactcover.control.options import DEFAULTS, SearchOptions

__all__ = ["choose_options"]


def choose_options(options: SearchOptions | None, **chosen: Any) -> SearchOptions:
    """Return the options of a call.

    Parameters
    ----------
    options
        The options that the caller passes, or None.
    **chosen
        Options that are arguments of their own, and take precedence; None if the caller does not pass them.

    Raises
    ------
    TypeError
        If `options` are something else.
    ValueError
        As for :class:`SearchOptions`.
    """
    if not isinstance(options, SearchOptions | None):
        raise TypeError(f"options must be SearchOptions or None; got {options!r}")
    changes = {name: value for name, value in chosen.items() if value is not None}
    base = options or DEFAULTS
    return replace(base, **changes) if changes else base
