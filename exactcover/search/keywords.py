"""The options of a search, from the arguments of a call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

from exactcover.control.former import warn_of_former_name
from exactcover.control.options import DEFAULTS, SearchOptions
from exactcover.errors import nearest

__all__ = ["choose_options"]


def choose_options(
    options: SearchOptions | None, call: Callable[..., object], former: Mapping[str, Any], **chosen: Any
) -> SearchOptions:
    """Return the options of a call.

    Parameters
    ----------
    options
        The options that the caller passes, or None.
    call
        What is called, for messages.
    former
        Options that used to be arguments of their own; they still count, with a warning.
    **chosen
        Options that are arguments of their own, and take precedence; None if the caller does not pass them.

    Raises
    ------
    TypeError
        If `former` contains something that is not an option, or `options` are something else.
    ValueError
        As for :class:`SearchOptions`.
    """
    if not isinstance(options, SearchOptions | None):
        raise TypeError(f"options must be SearchOptions or None; got {options!r}")
    known = [field.name for field in fields(SearchOptions)]
    for name in former:
        if name not in known:
            own = inspect.signature(call).parameters.values()
            known += [parameter.name for parameter in own if parameter.kind is parameter.KEYWORD_ONLY]
            hint = nearest(name, known)
            raise TypeError(f"{call.__name__}() got an unexpected keyword argument {name!r}{hint}")
        warn_of_former_name(
            f"the argument {name!r} of {call.__name__}()", f"options=SearchOptions({name}={former[name]!r})", 4
        )
    changes = dict(former) | {name: value for name, value in chosen.items() if value is not None}
    base = options or DEFAULTS
    return replace(base, **changes) if changes else base
