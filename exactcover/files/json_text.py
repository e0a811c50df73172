"""JSON from files of strangers: each name once in an object, and no text that is nested too deeply."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["load_json"]


def load_json(text: str | bytes | bytearray, **parsers: Any) -> Any:
    """Return what a JSON text stands for; `parsers` are those of :func:`json.loads`.

    Raises
    ------
    json.JSONDecodeError
        If it is not JSON.
    ValueError
        If an object has a name twice, of which readers would choose either; or the text is nested too deeply.

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
