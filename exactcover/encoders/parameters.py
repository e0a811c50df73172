"""Check the parameters that a program passes to an encoder.

Files and the command line go through :mod:`exactcover.config`, which validates with pydantic. Programs pass Python
objects, and should not wait until pydantic is imported; so the usual types and bounds are checked here. Types that are
not known here are left to the encoder.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, get_type_hints

from exactcover.control.kinds import Check, make_check
from exactcover.errors import ParameterError
from exactcover.pictures.text import show_value

__all__ = ["check_parameters"]


def check_parameters(encoder: type, values: Sequence[Any], named: Mapping[str, Any]) -> None:
    """Check the arguments with which an encoder is made; those that it does not have are left to Python.

    Raises
    ------
    ParameterError
        If a value does not have the type of its parameter, or is out of its bounds.
    """
    if not is_dataclass(encoder) or not encoder.__dataclass_params__.init:  # type: ignore[attr-defined]
        return
    names = [field.name for field in fields(encoder) if field.init and not field.kw_only]
    checks = _find_checks(encoder)
    for name, value in {**dict(zip(names, values, strict=False)), **named}.items():
        fault = checks[name](value) if name in checks else None
        if fault is not None:
            path = (name, *fault.path)
            place = f"{encoder.__name__}: {'.'.join(map(str, path))}"
            raise ParameterError(path, f"expected {fault.expected}, got {show_value(fault.found)}", place)


@cache
def _find_checks(encoder: type) -> dict[str, Check]:
    """Return a check for each parameter; none if the types name something that does not exist when programs run."""
    try:
        hints = get_type_hints(encoder, include_extras=True)
    except (NameError, TypeError, AttributeError):
        return {}
    return {field.name: make_check(hints[field.name]) for field in fields(encoder) if field.init}
