"""JSON from files of strangers, each name once in an object and not nested too deeply; and JSON with exact numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

_MOST_BITS = 2_000  # of an integer of fewer than 640 digits, which Python writes however its limit is set


def load_json(text: str | bytes | bytearray, **parsers: Any) -> Any:
    """Return the value of a JSON text; `parsers` are those of :func:`json.loads`.

    Raise ``json.JSONDecodeError`` if it is not JSON, and ``ValueError`` if an object has a name twice, of which readers
    would choose either; or the text is nested too deeply.

    Examples
    --------
    >>> load_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
      ...
    ValueError: the name 'a' occurs twice in an object
    """
    try:
        return json.loads(text, object_pairs_hook=_collect, **parsers)
    except RecursionError:
        raise ValueError("the JSON text is nested too deeply") from None


def _collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ValueError(f"the name {twice[:60]!r} occurs twice in an object")
    return content


def dump_json(entry: Mapping[str, Any], *, ascii_only: bool = False) -> str:
    """Return an object as JSON on one line; large integers and Decimals come last and are exact.

    If a text has characters that UTF-8 cannot encode, or that control a terminal, the whole object is written in ASCII.

    Examples
    --------
    >>> dump_json({"cost": Decimal("2.90"), "labels": ["a"]})
    '{"labels": ["a"], "cost": 2.90}'
    >>> dump_json({"statistics": {"best": Decimal("0.5")}})
    '{"statistics": {"best": 0.5}}'
    """
    exact = {key: value for key, value in entry.items() if _needs_exact_text(value)}
    plain = {key: value for key, value in entry.items() if key not in exact}
    text = json.dumps(plain, ensure_ascii=ascii_only)
    if not ascii_only and not text.isprintable():
        text = json.dumps(plain, ensure_ascii=True)
    parts = [text[1:-1]] if plain else []
    texts = {
        key: dump_json(value, ascii_only=ascii_only) if isinstance(value, Mapping) else f"{Decimal(value):f}"
        for key, value in exact.items()
    }
    return "{" + ", ".join([*parts, *(f"{json.dumps(key)}: {text}" for key, text in texts.items())]) + "}"


def _needs_exact_text(value: object) -> bool:
    """Return whether :mod:`json` would round this number, or one in this mapping, or refuse to write it."""
    if isinstance(value, Mapping):
        return any(map(_needs_exact_text, value.values()))
    return isinstance(value, Decimal) or (type(value) is int and value.bit_length() > _MOST_BITS)
