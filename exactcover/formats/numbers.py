"""Numbers as text, exact and of any size.

By default, Python does not convert integers of more than 4,300 digits to text, because its algorithm takes quadratic
time. Counts can be longer. :mod:`decimal` converts them quickly, without a change to the settings of the process.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

__all__ = ["digits", "format_count", "json_text"]


def digits(number: int, *, grouped: bool = False) -> str:
    """Return an integer as text; `grouped` puts commas between groups of three digits.

    Examples
    --------
    >>> digits(1234567), digits(1234567, grouped=True)
    ('1234567', '1,234,567')
    >>> len(digits(10**5000))
    5001
    """
    return f"{Decimal(number):,}" if grouped else f"{Decimal(number):f}"


def format_count(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where needed.

    Examples
    --------
    >>> format_count(1, "given"), format_count(1200, "given")
    ('1 given', '1,200 givens')
    """
    return f"{digits(number, grouped=True)} {noun}{'' if number == 1 else 's'}"


def json_text(entry: Mapping[str, Any], *, ascii_only: bool = False) -> str:
    """Return an object as JSON on one line; large integers and Decimals come last and are exact.

    If a text cannot be encoded as UTF-8, the whole object is written in ASCII.

    Examples
    --------
    >>> json_text({"cost": Decimal("2.90"), "labels": ["a"]})
    '{"labels": ["a"], "cost": 2.90}'
    """
    exact = {key: value for key, value in entry.items() if _needs_exact_text(value)}
    plain = {key: value for key, value in entry.items() if key not in exact}
    text = json.dumps(plain, ensure_ascii=ascii_only)
    if not ascii_only and not _is_encodable(text):
        text = json.dumps(plain, ensure_ascii=True)
    parts = [text[1:-1]] if plain else []
    return "{" + ", ".join([*parts, *(f"{json.dumps(key)}: {Decimal(value):f}" for key, value in exact.items())]) + "}"


def _needs_exact_text(value: object) -> bool:
    """Whether :mod:`json` would round this number, or refuse to write it."""
    return isinstance(value, Decimal) or (type(value) is int and value.bit_length() > 10_000)


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
