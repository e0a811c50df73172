"""Checks of arguments: an error names the argument, what it should be and what it is."""

from __future__ import annotations

from numbers import Real

__all__ = ["check_function", "check_instance", "check_number", "check_whole"]


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
