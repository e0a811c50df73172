"""Numbers as text, exact and of any size.

Python refuses to write whole numbers of more than 4,300 digits, because its own algorithm takes quadratic time. Counts
can be longer; the arithmetic of :mod:`decimal` writes them quickly, and no setting of the process has to be changed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

__all__ = ["digits", "json_text"]


def digits(number: int, *, grouped: bool = False) -> str:
    """Return a whole number as text, with commas between groups of three digits if wanted.

    Examples
    --------
    >>> digits(1234567), digits(1234567, grouped=True)
    ('1234567', '1,234,567')
    >>> len(digits(10**5000))
    5001
    """
    return f"{Decimal(number):,}" if grouped else f"{Decimal(number):f}"


def json_text(entry: Mapping[str, Any], *, ascii_only: bool = False) -> str:
    """Return an object as JSON on one line; large whole numbers and Decimals in it stand at the end, exact.

    Text that UTF-8 cannot hold makes the whole object ASCII.

    Examples
    --------
    >>> json_text({"cost": Decimal("2.90"), "labels": ["a"]})
    '{"labels": ["a"], "cost": 2.90}'
    """
    exact = {key: value for key, value in entry.items() if _needs_care(value)}
    plain = {key: value for key, value in entry.items() if key not in exact}
    text = json.dumps(plain, ensure_ascii=ascii_only)
    if not ascii_only and not _is_encodable(text):
        text = json.dumps(plain, ensure_ascii=True)
    parts = [text[1:-1]] if plain else []
    return "{" + ", ".join([*parts, *(f"{json.dumps(key)}: {Decimal(value):f}" for key, value in exact.items())]) + "}"


def _needs_care(value: object) -> bool:
    """Whether the standard library would round this number, or refuse to write it."""
    return isinstance(value, Decimal) or (type(value) is int and value.bit_length() > 10_000)


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
