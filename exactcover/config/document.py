"""Documents: the values of a YAML text, with the places of their parts, and scalars, some of which are ambiguous."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypeAlias

from exactcover.errors import Mistake
from exactcover.pictures.text import cut

KeyPath: TypeAlias = tuple[str | int, ...]
"""The keys and positions that lead from the top of a document to a value."""

MAX_BYTES = 16 * 1024 * 1024
"""The largest document that is read, in bytes."""


@dataclass
class Document:
    """The value of a YAML document, with the places of its parts and the mistakes in it.

    A place is a line and a column, both from 1; that of a value in a mapping is that of its key. A text comes with the
    line and the column, both from 0, where its scalar begins.
    """

    value: Any  # mappings, lists and scalars; a scalar with a mistake is kept as its text
    places: dict[KeyPath, tuple[int, int]] = field(default_factory=dict)  # of every part
    mistakes: list[Mistake] = field(default_factory=list)  # those that did not prevent the rest from being read
    faulty: set[KeyPath] = field(default_factory=set)  # the paths of the values with mistakes
    texts: dict[KeyPath, tuple[str, int, int]] = field(default_factory=dict)  # every text
    source_text: str = ""  # the document itself; empty if the texts are whole files

    def locate(self, path: KeyPath) -> tuple[int, int] | tuple[()]:
        """Return the line and column of a part, or of a character in a text, or else of the nearest enclosing part."""
        if path and path[:-1] in self.texts and isinstance(path[-1], int):
            place = self._locate_character(*self.texts[path[:-1]], path[-1])
            if place is not None:
                return place
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, ())

    def _locate_character(self, text: str, line: int, column: int, index: int) -> tuple[int, int] | None:
        """Return the place of a character of a literal block or of a scalar on one line; None for other scalars."""
        if not self.source_text:  # the text is all of a file
            before = text[:index].split("\n")
            return len(before), len(before[-1]) + 1
        lines = self.source_text.splitlines()
        if lines[line][column : column + 1] == "|":
            before = text[:index].split("\n")
            shown, wanted = lines[line + len(before)], text.split("\n")[len(before) - 1]
            if not shown.endswith(wanted):
                return None
            return line + len(before) + 1, len(shown) - len(wanted) + len(before[-1]) + 1
        start = lines[line].find(text, column)
        return None if start < 0 else (line + 1, start + index + 1)


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

    Raise ``ValueError`` if the text is ambiguous, or is a number that is not finite or has too many digits.

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
