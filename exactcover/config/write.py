"""Writing configurations: the document of an encoder, and documents as YAML."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import MISSING, fields
from decimal import Decimal
from enum import Enum
from typing import Any

import yaml

from exactcover.encoders.encoder import Encoder
from exactcover.errors import ConfigError, Mistake

SOURCE = "puzzle"
"""The name of a document in messages."""


def describe(name: str, encoder: Encoder, title: str | None = None, **sections: Any) -> dict[str, Any]:
    """Return the document of an encoder: its name, a title, and the parameters that differ from their defaults.

    Other sections, which are dataclasses, follow if something in them differs from its default.

    Examples
    --------
    >>> from problems import Queens
    >>> describe("queens", Queens(n=6))
    {'problem': 'queens', 'params': {'n': 6}}
    """
    changed = {section: stated for section, record in sections.items() if (stated := _list_changed(record))}
    return {"problem": name, **({"title": title} if title else {}), "params": _list_changed(encoder), **changed}


def _list_changed(record: Any) -> dict[str, Any]:
    """Return the fields of a dataclass that differ from their defaults."""
    usual = {
        one.name: one.default if one.default_factory is MISSING else one.default_factory() for one in fields(record)
    }
    return {name: _plain(getattr(record, name)) for name in usual if getattr(record, name) != usual[name]}


def _plain(value: Any) -> Any:
    """Return a value as YAML and JSON write it: tuples and sets as lists, and what they do not know as text."""
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return list(map(_plain, value))
    if isinstance(value, Set):
        return sorted(map(_plain, value), key=str)
    if isinstance(value, Enum):
        return _plain(value.value)
    return value if value is None or isinstance(value, str | bool | int | float | Decimal) else str(value)


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as blocks."""


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    plain = re.fullmatch(r"[A-Za-z][\w ]*|[1-9]\d*(x[1-9]\d*)+", text)  # others may be read as numbers or dates
    style = "|" if "\n" in text else None if plain else "'"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _represent_list(dumper: yaml.SafeDumper, values: list[Any]) -> yaml.SequenceNode:
    is_row = not any(isinstance(one, list | Mapping) or "\n" in str(one) for one in values)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", values, flow_style=is_row or None)


_Dumper.add_representer(str, _represent_text)
_Dumper.add_representer(list, _represent_list)


def write_document(document: Mapping[str, Any]) -> str:
    """Return a document as YAML.

    Raise ``ConfigError`` if the document is not a mapping of texts, numbers, lists and mappings.

    Examples
    --------
    >>> print(write_document({"problem": "queens", "params": {"n": 6}}), end="")
    problem: queens
    params: {n: 6}
    """
    try:
        return yaml.dump(dict(document), Dumper=_Dumper, sort_keys=False, allow_unicode=True, default_flow_style=None)
    except (yaml.YAMLError, TypeError, ValueError, RecursionError) as error:
        raise ConfigError([Mistake(f"the puzzle cannot be written: {error}", SOURCE)]) from None
