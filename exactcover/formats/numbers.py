"""JSON whose numbers are exact, and of any size."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

__all__ = ["json_text"]


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
