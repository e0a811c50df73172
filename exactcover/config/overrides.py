"""Overrides: parameters as KEY=VALUE texts on the command line."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from exactcover.config.scalars import parse_scalar
from exactcover.errors import ConfigError, Mistake

__all__ = ["name_override", "read_overrides"]


def read_overrides(
    overrides: Iterable[str], textual: Collection[str] = (), known: Sequence[str] = ()
) -> tuple[dict[str, Any], list[Mistake]]:
    """Read KEY=VALUE texts; a value is a YAML scalar, or a list or mapping in brackets or quotes.

    Parameters
    ----------
    overrides
        The texts.
    textual
        Parameters that accept text but not numbers: their values stay text even if they consist of digits.
    known
        All parameters. The hint about a text without ``=`` suggests the first one, if the text may be its value.

    Returns
    -------
    tuple
        The values by key, and the mistakes.
    """
    changes: dict[str, Any] = {}
    mistakes: list[Mistake] = []
    for text in overrides:
        key, equals, value = text.partition("=")
        if not text.isprintable() and any("\ud800" <= one <= "\udfff" for one in text):
            mistakes.append(Mistake(f"{text!a} is not valid UTF-8 text", "command line"))
        elif not equals or not key:
            hint = "" if equals or not known else _suggest(text, known[0], textual=known[0] in textual)
            mistakes.append(Mistake(f"expected KEY=VALUE, got {text!r}{hint}", "command line"))
        elif key in changes:
            mistakes.append(Mistake(f"{key!r} is given twice", "command line"))
        else:
            try:
                changes[key] = _parse_value(value, textual=key in textual)
            except ConfigError as error:
                mistakes += [Mistake(one.message, name_override(key)) for one in error.mistakes]
            except ValueError as error:
                mistakes.append(Mistake(str(error), name_override(key)))
    return changes, mistakes


def _suggest(text: str, key: str, *, textual: bool) -> str:
    """Return a hint that a text may be the value of a key: a number, or text that begins like a size."""
    plausible = text[:1].isdecimal() and text.isdecimal() != textual
    return f"; did you mean {key}={text}?" if plausible else ""


def _parse_value(value: str, *, textual: bool) -> Any:
    if value.lstrip()[:1] in ("[", "{", "'", '"'):
        from exactcover.config.strict_yaml import parse  # slow to import

        document = parse(value.encode(), "value")
        if document.mistakes:
            raise ConfigError(document.mistakes)
        return document.value
    return value if textual else parse_scalar(value)


def name_override(key: str | int) -> str:
    """Return the name of an override in messages."""
    return f"argument {key}"
