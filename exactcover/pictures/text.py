"""Text as it is shown: without characters that steer a terminal, measured and cut by columns."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["ELLIPSIS", "columns", "cut", "padded", "printable", "to_ascii", "wrapped"]

ELLIPSIS = "…"
"""What stands for the part of a text that is left out."""

_HARMLESS = "\u200c\u200d"  # the joiners that words and emoji are spelled with
_STEERING = ("Cc", "Cf", "Cs", "Zl", "Zp")  # controls, formats, lone surrogates, line and paragraph separators
_NONCHARACTERS = "\ufffe\uffff"  # XML forbids them
_ASCII = str.maketrans("●·▒×♔♕♖♗♘♙♚♛♜♝♞♟" + ELLIPSIS, "o.#xKQRBNPKQRBNP>")


def printable(text: str) -> str:
    r"""Return the text with visible escapes for characters that steer a terminal or that XML forbids.

    These are control characters, line breaks, bidirectional and other format characters, and lone surrogates.

    Examples
    --------
    >>> print(printable("a\x1b[2Jb\nc\u202ed"))
    a\x1b[2Jb\nc\u202ed
    """
    if text.isprintable():
        return text
    return "".join(map(_escaped, text))


def _escaped(one: str) -> str:
    if one in _NONCHARACTERS or (unicodedata.category(one) in _STEERING and one not in _HARMLESS):
        return one.encode("unicode_escape").decode("ascii")
    return one


def to_ascii(text: str) -> str:
    """Return the text with ASCII characters only: some have one that stands for them, others become ``?``.

    Examples
    --------
    >>> to_ascii("● Zoë")
    'o Zo?'
    """
    return text if text.isascii() else text.translate(_ASCII).encode("ascii", "replace").decode("ascii")


def columns(text: str) -> int:
    """Return how many columns of a terminal a text takes; East Asian wide characters take two, combining ones none.

    Examples
    --------
    >>> columns("數獨"), columns("e\u0301")
    (4, 1)
    """
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(one: str) -> int:
    if one in _HARMLESS or unicodedata.category(one) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(one) in ("W", "F") else 1


def cut(text: str, most: int, sign: str = ELLIPSIS) -> str:
    """Return a text of at most so many columns; a sign at its end says that something is left out.

    Examples
    --------
    >>> cut("Christopher", 6), cut("Chris", 6)
    ('Chris…', 'Chris')
    """
    if columns(text) <= most:
        return text
    return _start(text, most - columns(sign)) + sign[: max(0, most)]


def _start(text: str, most: int) -> str:
    """Return as much of a text as so many columns hold."""
    used = 0
    for position, one in enumerate(text):
        used += _columns(one)
        if used > most:
            return text[:position]
    return text


def padded(text: str, width: int) -> str:
    """Return a text with blanks on both sides, in the middle of so many columns.

    Examples
    --------
    >>> padded("數", 5)
    '  數 '
    """
    if text.isascii():
        return text.center(width)
    room = max(0, width - columns(text))
    left = room // 2 + (room & width & 1)  # as center() has it
    return " " * left + text + " " * (room - left)


def wrapped(text: str, width: int, sign: str = ELLIPSIS) -> list[str]:
    """Return a text as lines of at most so many columns, broken at blanks; words that do not fit are cut.

    Examples
    --------
    >>> wrapped("a long caption", 8)
    ['a long', 'caption']
    """
    if columns(text) <= width:
        return [text]
    lines: list[str] = []
    for word in re.split(r" +", text):
        if lines and columns(lines[-1]) + 1 + columns(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(cut(word, width, sign))
    return lines
