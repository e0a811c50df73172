"""Checks of arguments: an error names the argument, what it should be and what it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cache, wraps
from io import BufferedIOBase, RawIOBase, TextIOBase
from numbers import Real
from reprlib import repr as show
from types import SimpleNamespace
from typing import Any, BinaryIO, ParamSpec, TextIO, TypeVar, get_args, get_origin, get_type_hints

from exactcover.control.kinds import Check, accept, check_kind, make_check, make_simple_check

__all__ = [
    "check_arguments",
    "check_call",
    "check_fields",
    "check_function",
    "check_instance",
    "check_number",
    "check_whole",
]

_P = ParamSpec("_P")
_R = TypeVar("_R")


def check_arguments(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Let a function check its arguments against the kinds that its annotations state.

    The function then raises a TypeError if an argument is of another kind, before anything else happens.

    Examples
    --------
    >>> @check_arguments
    ... def wait(seconds: float, then: str | None = None) -> None: ...
    >>> wait(2, then=3)
    Traceback (most recent call last):
    ...
    TypeError: then must be text or None; got 3
    """

    @wraps(function)
    def call(*values: _P.args, **named: _P.kwargs) -> _R:
        check_call(function, values, named)
        return function(*values, **named)

    return call


def check_call(function: Callable[..., object], values: Sequence[object], named: Mapping[str, object]) -> None:
    """Check the arguments of a call against the kinds that the annotations of a function state.

    Raises
    ------
    TypeError
        If an argument is of another kind.
    """
    checks, names = _find_checks(function), function.__code__.co_varnames[: function.__code__.co_argcount]
    for name, value in (*zip(names, values, strict=False), *named.items()):
        if name in checks:
            _require(checks[name], name, value)


def check_fields(record: object) -> None:
    """Check the fields of a dataclass against the kinds that its annotations state.

    Raises
    ------
    TypeError
        If a field is of another kind.
    """
    kind: Any = type(record)
    for name, check in _find_checks(kind).items():
        _require(check, name, getattr(record, name))


def _require(check: Check, name: str, value: object) -> None:
    fault = check(value)
    if fault is not None:
        place = "".join(f"[{part!r}]" for part in fault.path)
        raise TypeError(f"{name}{place} must be {fault.expected}; got {show(fault.found)}")


@cache
def _find_checks(annotated: Any) -> dict[str, Check]:
    """Return the checks for the arguments of a function, or the fields of a class, that may not be anything."""
    if not isinstance(annotated, type):  # without what it returns, which may only be there for type checkers
        hints = {name: kind for name, kind in annotated.__annotations__.items() if name != "return"}
        annotated = SimpleNamespace(__annotations__=hints, __wrapped__=annotated)
    hints = get_type_hints(annotated, include_extras=True)
    checks = {name: make_check(kind, _make_leaf) for name, kind in hints.items()}
    return {name: check for name, check in checks.items() if check is not accept}


def _make_leaf(kind: Any) -> Check:
    """Return the check for a kind that contains no other; arguments have more kinds than parameters."""
    outer = get_origin(kind) or kind
    if outer is type:
        (base,) = get_args(kind)
        return check_kind(
            lambda value: isinstance(value, type) and issubclass(value, base), f"a class derived from {base.__name__}"
        )
    if outer in _KINDS:
        return check_kind(*_KINDS[outer])
    simple = make_simple_check(kind)
    if simple is not accept or not isinstance(outer, type) or outer in (Any, object):
        return simple
    if getattr(outer, "_is_protocol", False):
        members = [name for name in dir(outer) if not name.startswith("_")]
        return check_kind(lambda value: all(hasattr(value, name) for name in members), _name_kind(outer))
    return check_kind(lambda value: isinstance(value, outer), _name_kind(outer))


def _name_kind(kind: type) -> str:
    return f"{'an' if kind.__name__[0] in 'AEIOU' else 'a'} {kind.__name__}"


def _is_iterable(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | bytearray)


def _is_number(value: Any) -> bool:
    """Return whether a value is a number; unlike a parameter, an argument may be infinite."""
    return isinstance(value, (float, Real, Decimal)) and not isinstance(value, bool) and value == value


_KINDS: dict[Any, tuple[Callable[[Any], bool], str]] = {
    float: (_is_number, "a number"),
    Callable: (callable, "a function"),
    Collection: (lambda value: _is_iterable(value) and isinstance(value, Collection), "a list or another collection"),
    Hashable: (lambda value: isinstance(value, Hashable), "a hashable value"),
    Iterable: (_is_iterable, "a list or another iterable"),
    os.PathLike: (lambda value: isinstance(value, os.PathLike), "a path"),
    BinaryIO: (
        lambda value: (hasattr(value, "read") or hasattr(value, "write")) and not isinstance(value, TextIOBase),
        "an open binary file",
    ),
    TextIO: (
        lambda value: hasattr(value, "write") and not isinstance(value, RawIOBase | BufferedIOBase),
        "an open text file",
    ),
}


def check_instance(name: str, value: object, kind: type | tuple[type, ...], expected: str) -> None:
    """Check the type of an argument; `expected` is what it should be, in words.

    Raises
    ------
    TypeError
        If it has another type.

    Examples
    --------
    >>> check_instance("stop", "now", int, "a Stop or None")
    Traceback (most recent call last):
    ...
    TypeError: stop must be a Stop or None; got 'now'
    """
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be {expected}; got {value!r}")


def check_function(name: str, value: object) -> None:
    """Check that an argument is a function or None.

    Raises
    ------
    TypeError
        If it is neither.
    """
    if value is not None and not callable(value):
        raise TypeError(f"{name} must be a function or None; got {value!r}")


def check_whole(name: str, value: object, least: int, otherwise: str = "") -> None:
    """Check that an argument is a whole number of at least `least`; `otherwise` is what else it may be, in words.

    Raises
    ------
    ValueError
        If it is not.

    Examples
    --------
    >>> check_whole("size", 0, 1)
    Traceback (most recent call last):
    ...
    ValueError: size must be at least 1; got 0
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} must be at least {least}{otherwise}; got {value!r}")


def check_number(name: str, value: object, least: float, otherwise: str = "") -> None:
    """Check that an argument is a number of at least `least`; `otherwise` is what else it may be, in words.

    Raises
    ------
    ValueError
        If it is not.
    """
    if not isinstance(value, Real) or not value >= least:  # type: ignore[operator]  # numbers can be compared
        raise ValueError(f"{name} must be at least {least}{otherwise}; got {value!r}")
