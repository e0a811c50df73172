"""Arguments as the kinds that annotations state: an error names the argument, what it should be and what it is."""

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

from exactcover.control.kinds import Fault, ReadValue, accept, make_reader, make_simple_reader, read_if, to_whole, unbox

__all__ = [
    "check_arguments",
    "check_function",
    "check_instance",
    "read_call",
    "read_fields",
    "read_number",
    "read_whole",
]

_P = ParamSpec("_P")
_R = TypeVar("_R")


def check_arguments(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Let a function read its arguments as the kinds that its annotations state.

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
        values, named = read_call(function, values, named)  # type: ignore[assignment]
        return function(*values, **named)

    return call


def read_call(
    function: Callable[..., object], values: Sequence[object], named: Mapping[str, object]
) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments of a call as the kinds that the annotations of a function state.

    Raises
    ------
    TypeError
        If an argument is of another kind.
    """
    readers, names = _find_readers(function), function.__code__.co_varnames[: function.__code__.co_argcount]
    listed = [_read(readers, name, value) for name, value in zip(names, values, strict=False)]
    return [*listed, *values[len(names) :]], {name: _read(readers, name, value) for name, value in named.items()}


def read_fields(record: object) -> None:
    """Read the fields of a dataclass, which may be frozen, as the kinds that its annotations state.

    Raises
    ------
    TypeError
        If a field is of another kind.
    """
    kind: Any = type(record)
    readers = _find_readers(kind)
    for name in readers:
        object.__setattr__(record, name, _read(readers, name, getattr(record, name)))


def _read(readers: Mapping[str, ReadValue], name: str, value: object) -> Any:
    if name not in readers:
        return value
    try:
        return readers[name](value)
    except Fault as fault:
        place = "".join(f"[{part!r}]" for part in fault.path)
        raise TypeError(f"{name}{place} must be {fault.expected}; got {show(fault.found)}") from None


@cache
def _find_readers(annotated: Any) -> dict[str, ReadValue]:
    """Return the readers for the arguments of a function, or the fields of a class, that may not be anything."""
    if not isinstance(annotated, type):  # without what it returns, which may only be there for type checkers
        hints = {name: kind for name, kind in annotated.__annotations__.items() if name != "return"}
        annotated = SimpleNamespace(__annotations__=hints, __wrapped__=annotated)
    hints = get_type_hints(annotated, include_extras=True)
    readers = {name: make_reader(kind, _make_leaf) for name, kind in hints.items()}
    return {name: read for name, read in readers.items() if read is not accept}


def _make_leaf(kind: Any) -> ReadValue:
    """Return the reader for a kind that contains no other; arguments have more kinds than parameters."""
    outer = get_origin(kind) or kind
    if outer is type:
        (base,) = get_args(kind)
        return read_if(
            lambda value: isinstance(value, type) and issubclass(value, base), f"a class derived from {base.__name__}"
        )
    if outer in _KINDS:
        return read_if(*_KINDS[outer])
    simple = make_simple_reader(kind)
    if simple is not accept or not isinstance(outer, type) or outer in (Any, object):
        return simple
    if getattr(outer, "_is_protocol", False):
        members = [name for name in dir(outer) if not name.startswith("_")]
        return read_if(lambda value: all(hasattr(value, name) for name in members), _name_kind(outer))
    return read_if(lambda value: isinstance(value, outer), _name_kind(outer))


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


def read_whole(name: str, value: object, least: int, otherwise: str = "") -> int:
    """Return an argument as a whole number of at least `least`; `otherwise` is what else it may be, in words.

    Raises
    ------
    ValueError
        If it is not one.

    Examples
    --------
    >>> read_whole("size", 0, 1)
    Traceback (most recent call last):
    ...
    ValueError: size must be at least 1; got 0
    """
    whole = to_whole(value)
    if whole is None or whole < least:
        raise ValueError(f"{name} must be at least {least}{otherwise}; got {value!r}")
    return whole


def read_number(name: str, value: object, least: float, otherwise: str = "") -> float:
    """Return an argument as a number of at least `least`; `otherwise` is what else it may be, in words.

    Raises
    ------
    ValueError
        If it is not one.
    """
    number = plain = unbox(value)
    if not isinstance(number, Real | Decimal) or not plain >= least:
        raise ValueError(f"{name} must be at least {least}{otherwise}; got {value!r}")
    return number if isinstance(number, int | float) else float(number)
