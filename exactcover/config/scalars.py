"""Scalars of strict YAML, without quotes: what they mean, and which ones are ambiguous."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Any

from exactcover.pictures.text import cut

__all__ = ["parse_scalar"]

_MAX_SHOWN = 60  # characters of a number in a message
_MANY_DIGITS = 640  # Python reads fewer in any case

# Compiled when they are used first, since most commands have only plain numbers and names.
_INTEGER = r"[-+]?(0|[1-9][0-9]*)"
_FLOAT = r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"
_AMBIGUITIES = (
    (r"(?i:yes|no|on|off)", "is a truth value to some YAML parsers; write true or false, or"),
    (r"[-+]?[0-9]+(:[0-9]+)+(\.[0-9]*)?", "is a number in base 60 to some YAML parsers;"),
    (r"[-+]?0[0-9_]+", "begins with 0, so some YAML parsers read it as octal;"),
    (
        r"[-+]?[0-9][0-9_]*_[0-9_]*(\.[0-9_]*)?|[-+]?0[xob][0-9a-fA-F_]+",
        "is a number to some YAML parsers;",
    ),
    (r"(?i:[-+]?\.(inf|nan))", "is not a finite number;"),
)


def parse_scalar(text: str) -> Any:
    """Return the value of a scalar without quotes: None, a truth value, a number, or the text itself.

    Raises
    ------
    ValueError
        If the text is ambiguous, or is a number that is not finite or has too many digits.

    Examples
    --------
    >>> parse_scalar("8"), parse_scalar("6x10"), parse_scalar("true")
    (8, '6x10', True)
    """
    if text.isascii() and text.isdecimal() and len(text) < _MANY_DIGITS and (text == "0" or text[0] != "0"):
        return int(text)
    if text in ("", "~", "null"):
        return None
    if text in ("true", "false"):
        return text == "true"
    for pattern, ambiguity in _AMBIGUITIES:
        if re.fullmatch(pattern, text):
            raise ValueError(f"{text} {ambiguity} put it in quotes if it is text")
    if re.fullmatch(_INTEGER, text):
        try:
            return int(text)
        except ValueError:  # Python limits the number of digits
            raise ValueError(f"a number of {len(text)} digits is too long; put it in quotes if it is text") from None
    if re.fullmatch(_FLOAT, text):
        number = float(text)
        if not _is_exact(number, text):
            shown = cut(text, _MAX_SHOWN)
            raise ValueError(f"the number {shown} is too large, too small or too long; put it in quotes if it is text")
        return number
    return text


def _is_exact(number: float, text: str) -> bool:
    """Return whether a number is exactly that of its text; a very large, small or long one would change silently."""
    try:
        return math.isfinite(number) and Decimal(repr(number)) == Decimal(text)
    except ArithmeticError:  # its exponent is beyond measure
        return False
