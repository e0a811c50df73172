"""Values from files that may be damaged, or come from a stranger: each is what it should be, or a ValueError."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from exactcover.control.options import Goal
from exactcover.files.json_text import load_json
from exactcover.pictures.text import show_value

__all__ = [
    "to_count",
    "to_goal",
    "to_list",
    "to_number",
    "to_numbers",
    "to_object",
    "to_real",
    "to_seconds",
    "to_text",
    "to_time",
]

_MAX_DIGITS = 100_000  # of the number of solutions of a cube, so that it can be read in a moment

_MAX = 1 << 63
_MAX_SECONDS = 1e15


def to_object(text: str | bytes, *keys: str) -> dict[str, Any]:
    """Return a JSON object, which must have these keys."""
    value = load_json(text)
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    for key in keys:
        if key not in value:
            raise ValueError(f"{key!r} is missing")
    return value


def to_number(value: Any, most: float = _MAX) -> int:
    """Return a whole number that is at least 0 and less than `most`."""
    if type(value) is not int or not 0 <= value < most:
        raise ValueError(f"expected a whole number of at least 0 and less than {most:,}, got {show_value(value)}")
    return value


def to_numbers(value: Any, most: float) -> tuple[int, ...]:
    """Return whole numbers that are at least 0 and less than `most`."""
    numbers = to_list(value)
    if set(map(type, numbers)) - {int} or (numbers and not (min(numbers) >= 0 and max(numbers) < most)):
        raise ValueError(f"expected whole numbers of at least 0 and less than {most:,}")
    return tuple(numbers)


def to_real(value: Any, most: float, least: float = 0.0) -> float:
    """Return a number from `least` to `most`."""
    if type(value) not in (int, float) or not least <= value <= most:
        raise ValueError(f"expected a number of at least {least:g} and at most {most:g}, got {show_value(value)}")
    return float(value)


def to_seconds(value: Any) -> float:
    """Return a duration in seconds, such that sums are finite."""
    return to_real(value, _MAX_SECONDS)


def to_time(value: Any) -> float:
    """Return a time in seconds since 1970, which is negative where a clock is wrong."""
    return to_real(value, _MAX_SECONDS, -_MAX_SECONDS)


def to_count(value: Any) -> int:
    """Return a number of solutions, which is stored as text because it may have many digits."""
    text = to_text(value)
    if not (text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS):
        raise ValueError("the number of solutions is not a number")
    return int(Decimal(text))


def to_text(value: Any) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise ValueError(f"expected a text, got {show_value(value)}")
    return value


def to_list(value: Any) -> list[Any]:
    """Return a list."""
    if not isinstance(value, list):
        raise ValueError(f"expected a list, got {show_value(value)}")
    return value


def to_goal(kind: Any, number: Any) -> Goal:
    """Return the goal of a run."""
    if kind not in ("count", "all", "first", "cheapest"):
        raise ValueError(f"{show_value(kind)} is not the goal of a run")
    return Goal(kind, to_number(number) if kind in ("first", "cheapest") else None)
