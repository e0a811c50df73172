"""Values and arguments as the kinds that annotations state.

A list is accepted for a tuple, and whatever counts as a whole number for one. Numbers, arrays, series and frames of
numpy, pandas and other libraries become numbers, lists and mappings of Python. Kinds that are not known here are left
to those who use the value. An error names the argument, what it should be and what it is.
"""

from __future__ import annotations

import operator
import os
import sys
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import EnumType
from functools import cache, partial, wraps
from io import BufferedIOBase, RawIOBase, TextIOBase
from math import isfinite
from numbers import Rational, Real
from pathlib import PurePath
from reprlib import repr as show
from types import NoneType, SimpleNamespace, UnionType
from typing import (
    Annotated,
    Any,
    BinaryIO,
    Literal,
    ParamSpec,
    TextIO,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)


class Fault(Exception):  # noqa: N818 - those who read values make errors of it
    """A value that does not fit: the expected kind in words, or several alternatives; the value itself; and its place.

    The place is the keys and positions that lead to the value. A message stands in place of the expected kinds, unless
    it is empty. The others are faults at other places of the same value.
    """

    def __init__(
        self,
        expected: str | Sequence[str],
        found: Any,
        path: tuple[Any, ...] = (),
        message: str = "",
        others: Sequence[Fault] = (),
    ) -> None:
        super().__init__(expected)
        self.alternatives = (expected,) if isinstance(expected, str) else tuple(dict.fromkeys(expected))
        self.found, self.path, self.message, self.others = found, path, message, others

    @property
    def expected(self) -> str:
        """The expected kinds, as a list in words; literal values come last, and bounds say what they are bounds of."""
        parts = list(self.alternatives)
        if len(parts) > 1:
            parts = [f"a whole number of {part}" if part.startswith(_BOUND_WORDS) else part for part in parts]
        parts.sort(key=lambda part: part.startswith("'"))
        return " or ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))

    def below(self, place: Any) -> list[Fault]:
        """Return all faults, as they are seen from the value that contains this one at a place."""
        return [Fault(one.alternatives, one.found, (place, *one.path), one.message) for one in (self, *self.others)]


def merge_faults(faults: Sequence[Fault]) -> Fault:
    """Return one fault that stands for all."""
    first, *others = faults
    return Fault(first.alternatives, first.found, first.path, first.message, others)


ReadValue: TypeAlias = Callable[[Any], Any]
"""Returns a value as the wanted kind; raises a :class:`Fault` if it is of another one."""

_BOUNDS: tuple[tuple[str, Callable[[Any, Any], bool], str], ...] = (
    ("ge", operator.ge, "at least"),
    ("gt", operator.gt, "more than"),
    ("le", operator.le, "at most"),
    ("lt", operator.lt, "less than"),
    ("min_length", lambda value, bound: len(value) >= bound, "a length of at least"),
    ("max_length", lambda value, bound: len(value) <= bound, "a length of at most"),
)

_BOUND_WORDS = tuple(words for *_, words in _BOUNDS[:4])

_EXACT = 1 << 53  # beyond, floats skip whole numbers


def unbox(value: Any) -> Any:
    """Return the Python value of a number or truth value of numpy; other values stay as they are."""
    return value.item() if hasattr(value, "dtype") and not hasattr(value, "__len__") else value


def to_whole(value: Any) -> int | None:
    """Return the whole number that a value is, whatever its type; None if it is none.

    Examples
    --------
    >>> to_whole(3), to_whole(3.0), to_whole(3.5), to_whole(True), to_whole("3")
    (3, 3, None, None, None)
    """
    value = unbox(value)
    if isinstance(value, bool):
        return None
    if hasattr(value, "__index__"):
        try:
            return operator.index(value)
        except TypeError:  # an array of several numbers
            return None
    if not isinstance(value, Real):
        return None
    number: Any = value
    return int(number) if -_EXACT <= number <= _EXACT and number % 1 == 0 else None


def to_exact(value: Any) -> int | Decimal | None:
    """Return the exact number that a value is; a float is the decimal number that it is shown as. None if it is none.

    Examples
    --------
    >>> to_exact(2.0), to_exact(2.5), to_exact(Decimal("2.50")), to_exact("2")
    (2, Decimal('2.5'), Decimal('2.50'), None)
    """
    whole = to_whole(value)
    if whole is not None or isinstance(value, Decimal):
        return value if whole is None else whole
    is_float = isinstance(value, Real) and not isinstance(value, bool | Rational)
    return Decimal(str(value)) if is_float else None


def to_list(value: Any) -> Sequence[Any] | None:
    """Return a list, an array, a series, or a frame as its rows; None for anything else."""
    if isinstance(value, Sequence):
        return None if isinstance(value, str | bytes | bytearray) else value
    if hasattr(value, "columns") and hasattr(value, "to_numpy"):  # a frame of pandas or polars
        value = value.to_numpy()
    for method in ("tolist", "to_list", "to_pylist"):  # of numpy and pandas; of polars; of Arrow
        if hasattr(value, method):
            listed = getattr(value, method)()
            return listed if isinstance(listed, list) else None  # an array of no dimension is a number
    return None


def to_mapping(value: Any) -> Mapping[Any, Any] | None:
    """Return a mapping, or a series by its index; None for anything else."""
    if isinstance(value, Mapping):
        return value
    return value.to_dict() if hasattr(value, "to_dict") else None


def accept(value: Any) -> Any:
    """Return anything as it is."""
    return value


def make_simple_reader(kind: Any) -> ReadValue:
    """Return the reader for a kind that contains no other; one that accepts anything for a kind that is not known."""
    return _SIMPLE.get(kind, accept)


def make_reader(kind: Any, make_leaf: Callable[[Any], ReadValue] = make_simple_reader) -> ReadValue:
    """Return the reader for a kind; `make_leaf` makes those for the kinds that contain no other.

    Examples
    --------
    >>> make_reader(tuple[int, ...])((1, 2.0))
    (1, 2)
    """
    kind = getattr(kind, "__value__", kind)  # of an alias
    origin, arguments = get_origin(kind), get_args(kind)

    def make_readers(kinds: Sequence[Any]) -> list[ReadValue]:
        return [make_reader(one, make_leaf) for one in kinds]

    if origin is Annotated:
        read = _read_bounded(make_reader(arguments[0], make_leaf), tuple(_list_bounds(arguments[1:])))
        return read if all(map(_is_understood, arguments[1:])) else _read_both(read, make_leaf(kind))
    if origin in (Union, UnionType):
        return _read_alternatives(make_readers(arguments))
    if origin is Literal:
        return read_if(
            lambda value: any(value == one and type(value) is type(one) for one in arguments), [*map(repr, arguments)]
        )
    outer = origin or kind
    if outer is tuple and arguments and arguments[-1] is not Ellipsis:
        return _read_entries(make_readers([one for one in arguments if one != ()]))
    if outer in (tuple, list, Sequence):
        inside = arguments[0] if arguments else Any
        return _read_list(make_reader(inside, make_leaf), outer, frozenset(filter(is_dataclass, get_args(inside))))
    if outer in (dict, Mapping):
        return _read_mapping(*make_readers(arguments or [Any, Any]))
    return make_leaf(kind)


def read_if(is_valid: Callable[[Any], bool], expected: str | Sequence[str]) -> ReadValue:
    """Return the reader for the values to which a function applies; `expected` is what they are, in words."""

    def read(value: Any) -> Any:
        value = unbox(value)
        if not is_valid(value):
            raise Fault(expected, value)
        return value

    return read


def _read_whole(value: Any) -> int:
    whole = to_whole(value)
    if whole is None:
        raise Fault("a whole number", value)
    return whole


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        return False
    try:
        return isfinite(value)
    except (TypeError, OverflowError):  # an array of several numbers; a whole number beyond all floats
        return False


def _read_exact(value: Any) -> int | Decimal:
    exact = to_exact(value)
    if exact is None:
        raise Fault("a Decimal", value)
    return exact


_SIMPLE: dict[Any, ReadValue] = {
    int: _read_whole,
    float: read_if(_is_number, "a finite number"),
    Decimal: _read_exact,
    str: read_if(lambda value: isinstance(value, str), "text"),
    bool: read_if(lambda value: isinstance(value, bool), "True or False"),
    NoneType: read_if(lambda value: value is None, "None"),
}


def _list_bounds(annotations: Sequence[Any]) -> Iterator[tuple[Callable[[Any, Any], bool], Any, str]]:
    """Yield the bounds that annotations state; those of pydantic contain others."""
    for annotation in annotations:
        yield from _list_bounds(tuple(getattr(annotation, "metadata", ())))
        for name, holds, words in _BOUNDS:
            bound = getattr(annotation, name, None)
            if bound is not None:
                yield holds, bound, f"{words} {bound:,}" if isinstance(bound, int) else f"{words} {bound}"


def _is_understood(annotation: Any) -> bool:
    """Return whether all that an annotation of annotated_types or pydantic demands is a bound that is known here."""
    inside = getattr(annotation, "metadata", None)
    if isinstance(inside, Sequence):
        return all(map(_is_understood, inside))
    is_bound = any(hasattr(annotation, name) for name, _, _ in _BOUNDS)
    return is_bound or type(annotation).__module__.partition(".")[0] not in ("annotated_types", "pydantic")


def _read_both(read: ReadValue, check: ReadValue) -> ReadValue:
    def read_and_check(value: Any) -> Any:
        read(value)
        return check(value)

    return read_and_check


def _read_bounded(read: ReadValue, bounds: Sequence[tuple[Callable[[Any, Any], bool], Any, str]]) -> ReadValue:
    def read_all(value: Any) -> Any:
        value = read(value)
        if value is None:  # of a kind that may also be missing
            return None
        for holds, bound, words in bounds:
            if not holds(value, bound):
                raise Fault(words, value)
        return value

    return read_all


def _read_alternatives(readers: Sequence[ReadValue]) -> ReadValue:
    def read_any(value: Any) -> Any:
        faults = []
        for read in readers:
            try:
                return read(value)
            except Fault as fault:
                faults.append(fault)
        deepest = max((fault.path for fault in faults), key=len)  # says more than "expected a list or ..."
        same = [fault for fault in faults if fault.path == deepest]
        told = next((fault for fault in same if fault.message), same[0] if len(same) == 1 else None)
        if told is not None:
            raise told
        raise Fault([words for fault in same for words in fault.alternatives], same[0].found, deepest)

    return read_any


def read_parts(parts: Iterable[tuple[Any, ReadValue, Any]]) -> list[Any]:
    """Read the parts of a value, each given as its place, its reader and itself; report all faults together."""
    read: list[Any] = []
    faults: list[Fault] = []
    for place, reader, part in parts:
        try:
            read.append(reader(part))
        except Fault as fault:
            faults += fault.below(place)
    if faults:
        raise merge_faults(faults)
    return read


def _keep_same(value: Any, entries: Sequence[Any], read: Sequence[Any], of: type = tuple) -> Any:
    """Return the values that were read as a list or tuple; the value itself if it is one and nothing has changed."""
    same = isinstance(value, of) and all(map(operator.is_, entries, read))
    return value if same else list(read) if of is list else tuple(read)


def _read_list(read: ReadValue, of: type, records: frozenset[type]) -> ReadValue:
    def read_each(value: Any) -> Any:
        if of is tuple and isinstance(value, tuple) and {type(one) for one in value} <= records:
            return value  # such as the shapes of pictures, which are many
        entries = to_list(value)
        if entries is None:
            raise Fault("a list", value)
        if read is accept:
            return _keep_same(value, entries, entries, of)
        return _keep_same(value, entries, read_parts((k, read, one) for k, one in enumerate(entries)), of)

    return read_each


def _read_entries(readers: Sequence[ReadValue]) -> ReadValue:
    def read_each(value: Any) -> Any:
        entries = to_list(value)
        if entries is None or len(entries) != len(readers):
            raise Fault(f"a list of {len(readers)} {'entry' if len(readers) == 1 else 'entries'}", value)
        return _keep_same(value, entries, read_parts(zip(range(len(entries)), readers, entries, strict=True)))

    return read_each


def _read_mapping(read_key: ReadValue, read_value: ReadValue) -> ReadValue:
    def read_each(value: Any) -> Any:
        mapping = to_mapping(value)
        if mapping is None:
            raise Fault("a mapping", value)
        if read_key is read_value is accept:
            return mapping
        keys = read_parts((key, partial(_read_key, read_key), key) for key in mapping)
        values = read_parts((key, read_value, entry) for key, entry in mapping.items())
        same = all(map(operator.is_, keys, mapping)) and all(map(operator.is_, values, mapping.values()))
        return mapping if same else dict(zip(keys, values, strict=True))

    return read_each


def _read_key(read: ReadValue, key: Any) -> Any:
    """Return a key; one of digits may be a number, because keys are texts in files."""
    try:
        return read(key)
    except Fault:
        if isinstance(key, str) and key.removeprefix("-").isdecimal():
            return read(int(key))
        raise


def list_hints(kind: type) -> dict[str, Any]:
    """Return the annotations of a class that name what is there when programs run, and not for type checkers alone."""
    try:
        return get_type_hints(kind, include_extras=True)
    except (NameError, TypeError, AttributeError):
        hints: dict[str, Any] = {}
        for base in reversed(kind.__mro__):
            names = vars(sys.modules[base.__module__]) if base.__module__ in sys.modules else {}
            for name, stated in vars(base).get("__annotations__", {}).items():
                with suppress(NameError, TypeError, AttributeError):
                    alone = SimpleNamespace(__annotations__={name: stated})
                    hints |= get_type_hints(alone, names, dict(vars(base)), include_extras=True)
        return hints


def make_field_readers(kind: Any, make_leaf: Callable[[Any], ReadValue] = make_simple_reader) -> dict[str, ReadValue]:
    """Return a reader for each field of a dataclass; one whose type is there for checkers only accepts anything."""
    hints = list_hints(kind)
    return {one.name: make_reader(hints.get(one.name, Any), make_leaf) for one in fields(kind) if one.init}


def is_textual(kind: Any) -> bool:
    """Return whether a kind accepts text, but no numbers.

    Examples
    --------
    >>> is_textual(str), is_textual(str | int), is_textual(Literal["a", "b"] | None)
    (True, False, True)
    """
    kind = getattr(kind, "__value__", kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return is_textual(arguments[0])
    if origin in (Union, UnionType):
        return any(map(is_textual, arguments)) and not any(map(_is_numeric, arguments))
    if origin is Literal:
        return all(isinstance(one, str) for one in arguments)
    if isinstance(kind, EnumType):
        members: Sequence[Any] = list(kind)
        return all(isinstance(member.value, str) for member in members)
    return isinstance(kind, type) and issubclass(kind, str | PurePath)


def _is_numeric(kind: Any) -> bool:
    """Return whether a kind that is not a union accepts numbers."""
    kind = getattr(kind, "__value__", kind)
    return (get_args(kind)[0] if get_origin(kind) is Annotated else kind) in (int, float, Decimal)


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

    Raise ``TypeError`` if an argument is of another kind.
    """
    readers, names = _find_readers(function), function.__code__.co_varnames[: function.__code__.co_argcount]
    listed = [_read(readers, name, value) for name, value in zip(names, values, strict=False)]
    return [*listed, *values[len(names) :]], {name: _read(readers, name, value) for name, value in named.items()}


def read_fields(record: object) -> None:
    """Read the fields of a dataclass, which may be frozen, as the kinds that its annotations state.

    Raise ``TypeError`` if a field is of another kind.
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


def _is_any_number(value: Any) -> bool:
    """Return whether a value is a number; unlike a parameter, an argument may be infinite."""
    return isinstance(value, (float, Real, Decimal)) and not isinstance(value, bool) and value == value


_KINDS: dict[Any, tuple[Callable[[Any], bool], str]] = {
    float: (_is_any_number, "a number"),
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
    """Raise ``TypeError`` if an argument has another type; `expected` is what it should be, in words."""
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be {expected}; got {value!r}")


def read_whole(name: str, value: object, least: int, otherwise: str = "") -> int:
    """Return an argument as a whole number of at least `least`; `otherwise` is what else it may be, in words.

    Raise ``ValueError`` if it is not one.
    """
    whole = to_whole(value)
    if whole is None or whole < least:
        raise ValueError(f"{name} must be at least {least}{otherwise}; got {value!r}")
    return whole


def read_number(name: str, value: object, least: float, otherwise: str = "") -> float:
    """Return an argument as a number of at least `least`; `otherwise` is what else it may be, in words.

    Raise ``ValueError`` if it is not one.
    """
    number = plain = unbox(value)
    if not isinstance(number, Real | Decimal) or not plain >= least:
        raise ValueError(f"{name} must be at least {least}{otherwise}; got {value!r}")
    return number if isinstance(number, int | float) else float(number)
