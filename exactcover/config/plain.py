"""Parameters so plain that they are checked here: pydantic, which decides about all others, is slow to import.

Nothing here rejects a value. What is not certain to be valid is left to pydantic, which also words the mistakes.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from decimal import Decimal
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

__all__ = ["find_textual", "make_plainly"]

T = TypeVar("T")

_MOST = 1 << 63
_KNOWN = {"extra", "strict", "use_attribute_docstrings", "allow_inf_nan"}  # settings that forbid, and change nothing
_NAMES = {str: "text", int: "number", float: "number", Decimal: "number", bool: "other", NoneType: "other"}


def make_plainly(kind: type[T], values: Mapping[str, Any]) -> T | None:
    """Return the instance of a dataclass that pydantic would make of these values; None if only pydantic can tell.

    Parameters
    ----------
    kind
        The class. Text, whole numbers and truth values are plain, also with bounds.
    values
        Those of its fields, or of some. Defaults are not checked.
    """
    hints = _find_hints(kind)
    if hints is None or not all(name in hints and _accepts(hints[name], value) for name, value in values.items()):
        return None
    try:
        return kind(**values)
    except Exception:  # it happens again below pydantic, which knows the place
        return None


def find_textual(kind: type) -> dict[str, bool] | None:
    """Return for each field of a dataclass whether it accepts text but not numbers; None if only pydantic can tell."""
    hints = _find_hints(kind)
    if hints is None:
        return None
    accepted = {name: _list_kinds(hint) for name, hint in hints.items()}
    if any("unknown" in kinds for kinds in accepted.values()):
        return None
    return {name: "text" in kinds and "number" not in kinds for name, kinds in accepted.items()}


def _find_hints(kind: type) -> dict[str, Any] | None:
    """Return the annotations of the fields; None if the class may say in other ways how pydantic reads it."""
    if "pydantic" in sys.modules or not getattr(kind, "__pydantic_config__", {}).keys() <= _KNOWN:
        return None
    try:
        hints = get_type_hints(kind, include_extras=True)
    except Exception:  # a name that is there only for type checkers, for example
        return None
    return {field.name: hints[field.name] for field in fields(kind) if field.init}


def _accepts(hint: Any, value: Any) -> bool:
    """Return whether a value is certain to be valid and to stay as it is."""
    hint = getattr(hint, "__value__", hint)  # of an alias
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _accepts(arguments[0], value) and all(_holds(bound, value) for bound in arguments[1:])
    if origin in (Union, UnionType):
        return any(_accepts(one, value) for one in arguments)
    if origin is Literal:
        return any(type(value) is type(one) and value == one for one in arguments)
    if hint is str:
        return type(value) is str and value.isascii()
    if hint is int:
        return type(value) is int and abs(value) < _MOST
    return hint is bool and type(value) is bool


def _holds(bound: Any, value: Any) -> bool:
    """Return whether a value is within a bound of one of the kinds that are known here."""
    match type(bound).__name__:
        case "Ge":
            return bool(value >= bound.ge)
        case "Gt":
            return bool(value > bound.gt)
        case "Le":
            return bool(value <= bound.le)
        case "Lt":
            return bool(value < bound.lt)
    return False


def _list_kinds(hint: Any) -> set[str]:
    """Return the kinds of values that an annotation accepts, of lists and mappings only that they are others."""
    hint = getattr(hint, "__value__", hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _list_kinds(arguments[0])
    if origin in (Union, UnionType):
        return set().union(*map(_list_kinds, arguments))
    if origin is Literal:
        return set().union(*({_NAMES.get(type(one), "unknown")} for one in arguments))
    outer = origin or hint
    if isinstance(outer, type) and issubclass(outer, tuple | list | dict | Mapping | Sequence | Collection):
        return {_NAMES.get(outer, "other")}
    return {_NAMES.get(outer, "unknown")}
