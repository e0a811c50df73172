"""Check the parameters that a program passes to an encoder.

Files and the command line go through :mod:`exactcover.config`, which validates with pydantic. Programs pass Python
objects, and should not wait until pydantic is imported; so the usual types and bounds are checked here. A list is
accepted for a tuple, and whatever counts as a whole number for one. Types that are not known here are left to the
encoder.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from decimal import Decimal
from functools import cache
from math import isfinite
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, Union, get_args, get_origin, get_type_hints

from exactcover.errors import ParameterError
from exactcover.pictures.text import show_value

__all__ = ["check_parameters"]

_Path: TypeAlias = tuple[str | int, ...]


class _Fault(NamedTuple):
    """Where a value is wrong, what was expected there, and what was found."""

    path: _Path
    expected: str
    found: Any


_Check: TypeAlias = Callable[[Any, _Path], _Fault | None]

_BOUNDS: tuple[tuple[str, Callable[[Any, Any], bool], str], ...] = (
    ("ge", operator.ge, "at least"),
    ("gt", operator.gt, "more than"),
    ("le", operator.le, "at most"),
    ("lt", operator.lt, "less than"),
    ("min_length", lambda value, bound: len(value) >= bound, "a length of at least"),
    ("max_length", lambda value, bound: len(value) <= bound, "a length of at most"),
)


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
        fault = checks[name](value, (name,)) if name in checks else None
        if fault is not None:
            place = f"{encoder.__name__}: {'.'.join(map(str, fault.path))}"
            raise ParameterError(fault.path, f"expected {fault.expected}, got {show_value(fault.found)}", place)


@cache
def _find_checks(encoder: type) -> dict[str, _Check]:
    """Return a check for each parameter; none if the types name something that does not exist when programs run."""
    try:
        hints = get_type_hints(encoder, include_extras=True)
    except (NameError, TypeError, AttributeError):
        return {}
    return {field.name: _make_check(hints[field.name]) for field in fields(encoder) if field.init}


def _make_check(kind: Any) -> _Check:
    """Return the check for a type."""
    kind = getattr(kind, "__value__", kind)  # of an alias
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _check_bounds(_make_check(arguments[0]), tuple(_list_bounds(arguments[1:])))
    if origin in (Union, UnionType):
        return _check_alternatives([_make_check(one) for one in arguments])
    if origin is Literal:
        return _check_kind(lambda value: any(value == one and type(value) is type(one) for one in arguments),
                           " or ".join(map(repr, arguments)))  # fmt: skip
    outer = origin or kind
    if outer is tuple and arguments and arguments[-1] is not Ellipsis:
        return _check_entries([_make_check(one) for one in arguments if one != ()])
    if outer in (tuple, list, Sequence):
        return _check_list(_make_check(arguments[0]) if arguments else _accept)
    if outer in (dict, Mapping):
        return _check_mapping(*map(_make_check, arguments)) if arguments else _check_mapping(_accept, _accept)
    if outer in _SIMPLE:
        return _check_kind(*_SIMPLE[outer])
    return _accept


def _accept(value: Any, path: _Path) -> None:
    """Accept anything."""


def _is_whole(value: Any) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return not isinstance(value, bool) and (_is_whole(value) or (hasattr(value, "__float__") and isfinite(value)))


_SIMPLE: dict[Any, tuple[Callable[[Any], bool], str]] = {
    int: (_is_whole, "a whole number"),
    float: (_is_number, "a finite number"),
    Decimal: (lambda value: isinstance(value, Decimal) or _is_whole(value), "a Decimal"),
    str: (lambda value: isinstance(value, str), "text"),
    bool: (lambda value: isinstance(value, bool), "True or False"),
    NoneType: (lambda value: value is None, "None"),
}


def _check_kind(is_valid: Callable[[Any], bool], expected: str) -> _Check:
    return lambda value, path: None if is_valid(value) else _Fault(path, expected, value)


def _list_bounds(annotations: Sequence[Any]) -> Iterator[tuple[Callable[[Any, Any], bool], Any, str]]:
    """Yield the bounds that annotations state; those of pydantic contain others."""
    for annotation in annotations:
        yield from _list_bounds(tuple(getattr(annotation, "metadata", ())))
        for name, holds, words in _BOUNDS:
            bound = getattr(annotation, name, None)
            if bound is not None:
                yield holds, bound, words


def _check_bounds(check: _Check, bounds: Sequence[tuple[Callable[[Any, Any], bool], Any, str]]) -> _Check:
    def check_all(value: Any, path: _Path) -> _Fault | None:
        fault = check(value, path)
        broken = () if fault else (words for holds, bound, words in bounds if not holds(value, bound))
        return fault or next((_Fault(path, words, value) for words in broken), None)

    bounds = [(holds, bound, f"{words} {bound}") for holds, bound, words in bounds]
    return check_all


def _check_alternatives(checks: Sequence[_Check]) -> _Check:
    def check_any(value: Any, path: _Path) -> _Fault | None:
        faults = []
        for check in checks:
            fault = check(value, path)
            if fault is None:
                return None
            faults.append(fault)
        deepest = max((fault.path for fault in faults), key=len)  # says more than "expected a list or ..."
        expected = dict.fromkeys(fault.expected for fault in faults if fault.path == deepest)
        found = next(fault.found for fault in faults if fault.path == deepest)
        return _Fault(deepest, " or ".join(expected), found)

    return check_any


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray)


def _check_list(check: _Check) -> _Check:
    def check_each(value: Any, path: _Path) -> _Fault | None:
        if not _is_list(value):
            return _Fault(path, "a list", value)
        faults = (check(entry, (*path, position)) for position, entry in enumerate(value))
        return next(filter(None, faults), None)

    return check_each


def _check_entries(checks: Sequence[_Check]) -> _Check:
    def check_each(value: Any, path: _Path) -> _Fault | None:
        if not _is_list(value) or len(value) != len(checks):
            return _Fault(path, f"a list of {len(checks)} entries", value)
        faults = (check(entry, (*path, place)) for place, (check, entry) in enumerate(zip(checks, value, strict=True)))
        return next(filter(None, faults), None)

    return check_each


def _check_mapping(check_key: _Check, check_value: _Check) -> _Check:
    def check_each(value: Any, path: _Path) -> _Fault | None:
        if not isinstance(value, Mapping):
            return _Fault(path, "a mapping", value)
        for key, entry in value.items():
            fault = check_key(key, path) or check_value(entry, (*path, key))
            if fault is not None:
                return fault
        return None

    return check_each
