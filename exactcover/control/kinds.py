"""Whether values are of the kinds that annotations state.

A list is accepted for a tuple, and whatever counts as a whole number for one. Kinds that are not known here are left to
those who use the value.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from math import isfinite
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, Union, get_args, get_origin

__all__ = ["Check", "Fault", "accept", "check_kind", "make_check", "make_simple_check"]


class Fault(NamedTuple):
    """What was expected, what was found, and where: the keys and positions that lead to it."""

    expected: str
    found: Any
    path: tuple[Any, ...] = ()

    def inside(self, place: Any) -> Fault:
        """Return the fault of what contains the value at this place."""
        return self._replace(path=(place, *self.path))


Check: TypeAlias = Callable[[Any], Fault | None]
"""Returns what is wrong with a value, or None."""

_BOUNDS: tuple[tuple[str, Callable[[Any, Any], bool], str], ...] = (
    ("ge", operator.ge, "at least"),
    ("gt", operator.gt, "more than"),
    ("le", operator.le, "at most"),
    ("lt", operator.lt, "less than"),
    ("min_length", lambda value, bound: len(value) >= bound, "a length of at least"),
    ("max_length", lambda value, bound: len(value) <= bound, "a length of at most"),
)


def accept(value: Any) -> None:
    """Accept anything."""


def make_simple_check(kind: Any) -> Check:
    """Return the check for a kind that contains no other; one that accepts anything for a kind that is not known."""
    return check_kind(*_SIMPLE[kind]) if kind in _SIMPLE else accept


def make_check(kind: Any, make_leaf: Callable[[Any], Check] = make_simple_check) -> Check:
    """Return the check for a kind; `make_leaf` makes those for the kinds that contain no other.

    Examples
    --------
    >>> make_check(tuple[int, ...])((1, "a"))
    Fault(expected='a whole number', found='a', path=(1,))
    """
    kind = getattr(kind, "__value__", kind)  # of an alias
    origin, arguments = get_origin(kind), get_args(kind)

    def make_checks(kinds: Sequence[Any]) -> list[Check]:
        return [make_check(one, make_leaf) for one in kinds]

    if origin is Annotated:
        return _check_bounds(make_check(arguments[0], make_leaf), tuple(_list_bounds(arguments[1:])))
    if origin in (Union, UnionType):
        return _check_alternatives(make_checks(arguments))
    if origin is Literal:
        return check_kind(lambda value: any(value == one and type(value) is type(one) for one in arguments),
                          " or ".join(map(repr, arguments)))  # fmt: skip
    outer = origin or kind
    if outer is tuple and arguments and arguments[-1] is not Ellipsis:
        return _check_entries(make_checks([one for one in arguments if one != ()]))
    if outer in (tuple, list, Sequence):
        return _check_list(*make_checks(arguments[:1] or [Any]))
    if outer in (dict, Mapping):
        return _check_mapping(*make_checks(arguments or [Any, Any]))
    return make_leaf(kind)


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


def check_kind(is_valid: Callable[[Any], bool], expected: str) -> Check:
    """Return the check for the values to which a function applies; `expected` is what they are, in words."""
    return lambda value: None if is_valid(value) else Fault(expected, value)


def _list_bounds(annotations: Sequence[Any]) -> Iterator[tuple[Callable[[Any, Any], bool], Any, str]]:
    """Yield the bounds that annotations state; those of pydantic contain others."""
    for annotation in annotations:
        yield from _list_bounds(tuple(getattr(annotation, "metadata", ())))
        for name, holds, words in _BOUNDS:
            bound = getattr(annotation, name, None)
            if bound is not None:
                yield holds, bound, words


def _check_bounds(check: Check, bounds: Sequence[tuple[Callable[[Any, Any], bool], Any, str]]) -> Check:
    def check_all(value: Any) -> Fault | None:
        fault = check(value)
        broken = () if fault else (words for holds, bound, words in bounds if not holds(value, bound))
        return fault or next((Fault(words, value) for words in broken), None)

    bounds = [(holds, bound, f"{words} {bound}") for holds, bound, words in bounds]
    return check_all


def _check_alternatives(checks: Sequence[Check]) -> Check:
    def check_any(value: Any) -> Fault | None:
        faults = []
        for check in checks:
            fault = check(value)
            if fault is None:
                return None
            faults.append(fault)
        deepest = max((fault.path for fault in faults), key=len)  # says more than "expected a list or ..."
        expected = dict.fromkeys(fault.expected for fault in faults if fault.path == deepest)
        found = next(fault.found for fault in faults if fault.path == deepest)
        return Fault(" or ".join(expected), found, deepest)

    return check_any


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray)


def _find_fault(faults: Iterable[tuple[Fault | None, Any]]) -> Fault | None:
    """Return the first fault of those that are found inside a value, each with its place."""
    return next((fault.inside(place) for fault, place in faults if fault is not None), None)


def _check_list(check: Check) -> Check:
    if check is accept:
        return check_kind(_is_list, "a list")

    def check_each(value: Any) -> Fault | None:
        if not _is_list(value):
            return Fault("a list", value)
        return _find_fault((check(entry), place) for place, entry in enumerate(value))

    return check_each


def _check_entries(checks: Sequence[Check]) -> Check:
    def check_each(value: Any) -> Fault | None:
        if not _is_list(value) or len(value) != len(checks):
            return Fault(f"a list of {len(checks)} {'entry' if len(checks) == 1 else 'entries'}", value)
        faults = (check(entry) for check, entry in zip(checks, value, strict=True))
        return _find_fault((fault, place) for place, fault in enumerate(faults))

    return check_each


def _check_mapping(check_key: Check, check_value: Check) -> Check:
    if check_key is check_value is accept:
        return check_kind(lambda value: isinstance(value, Mapping), "a mapping")

    def check_each(value: Any) -> Fault | None:
        if not isinstance(value, Mapping):
            return Fault("a mapping", value)
        wrong_key = next(filter(None, map(check_key, value)), None)
        return wrong_key or _find_fault((check_value(entry), key) for key, entry in value.items())

    return check_each
