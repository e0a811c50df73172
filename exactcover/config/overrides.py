"""Overrides: KEY=VALUE texts from a command line, as parameters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from exactcover.config import strict_yaml
from exactcover.errors import ConfigError, Mistake

__all__ = ["argument", "read_overrides"]


def read_overrides(
    overrides: Iterable[str], textual: Collection[str] = (), known: Sequence[str] = ()
) -> tuple[dict[str, Any], list[Mistake]]:
    """Read KEY=VALUE texts; a value is a YAML scalar, or a list or mapping in brackets or quotes.

    Parameters
    ----------
    overrides
    textual
        Parameters that can be text but no number: there digits are text.
    known
        All parameters; a bare value is taken for one of the first.

    Returns
    -------
    tuple
        The values by key, and what is wrong.
    """
    changes: dict[str, Any] = {}
    mistakes: list[Mistake] = []
    for text in overrides:
        key, equals, value = text.partition("=")
        if not text.isprintable() and any("\ud800" <= one <= "\udfff" for one in text):
            mistakes.append(Mistake(f"{text!a} is no text in UTF-8", "command line"))
        elif not equals or not key:
            hint = f"; did you mean {known[0]}={text}?" if known and not equals else ""
            mistakes.append(Mistake(f"expected KEY=VALUE, got {text!r}{hint}", "command line"))
        elif key in changes:
            mistakes.append(Mistake(f"{key!r} is there twice", "command line"))
        else:
            try:
                changes[key] = _override_value(value, textual=key in textual)
            except ConfigError as error:
                mistakes += [Mistake(one.message, argument(key)) for one in error.mistakes]
            except ValueError as error:
                mistakes.append(Mistake(str(error), argument(key)))
    return changes, mistakes


def _override_value(value: str, *, textual: bool) -> Any:
    if value.lstrip()[:1] in ("[", "{", "'", '"'):
        document = strict_yaml.parse(value.encode(), "value")
        if document.mistakes:
            raise ConfigError(document.mistakes)
        return document.value
    return value if textual else strict_yaml.parse_scalar(value)


def argument(key: str | int) -> str:
    """Return how messages name an override."""
    return f"argument {key}="
