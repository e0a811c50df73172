"""Text for people: without control characters, measured and cut by columns; and numbers of any size.

By default, Python does not convert integers of more than 4,300 digits to text, because its algorithm takes quadratic
time. Counts can be longer. :mod:`decimal` converts them quickly, without a change to the settings of the process.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from decimal import Decimal
from itertools import accumulate, takewhile
from pathlib import PurePath
from typing import Any, TextIO

from exactcover.control.arguments import check_arguments, check_instance

ELLIPSIS = "…"
"""Replaces the part of a text that is left out."""

_MAX_SHOWN = 60  # columns of a value in a message
_HARMLESS = "\u200c\u200d"  # joiners, which are part of words and emoji
_CONTROL_CATEGORIES = ("Cc", "Cf", "Cs", "Zl", "Zp")  # control, format, surrogate, line and paragraph separator
_NONCHARACTERS = "\ufffe\uffff"  # XML forbids them
_ASCII = str.maketrans("●○∧∨·▒×♔♕♖♗♘♙♚♛♜♝♞♟" + ELLIPSIS, "*o^v.#xKQRBNPKQRBNP>")
_LONGEST_VALUE = 40  # letters of a parameter


def printable(text: str) -> str:
    r"""Return the text with visible escapes for characters that control a terminal or that XML forbids.

    These are control characters, line breaks, bidirectional and other format characters, and lone surrogates.

    Examples
    --------
    >>> print(printable("a\x1b[2Jb\nc\u202ed"))
    a\x1b[2Jb\nc\u202ed
    """
    check_instance("text", text, str, "text")
    if text.isprintable():
        return text
    return "".join(map(_escape, text))


def _escape(character: str) -> str:
    controls = unicodedata.category(character) in _CONTROL_CATEGORIES and character not in _HARMLESS
    if controls or character in _NONCHARACTERS:
        return character.encode("unicode_escape").decode("ascii")
    return character


def printable_ascii(text: str) -> str:
    """Return a printable text in ASCII: some characters have an ASCII substitute, others become ``?``.

    >>> printable_ascii("● Zoë")
    '* Zo?'
    """
    text = printable(text)
    return text if text.isascii() else text.translate(_ASCII).encode("ascii", "replace").decode("ascii")


def count_columns(text: str) -> int:
    """Return the width of a text in columns; East Asian wide characters take two, combining characters none.

    >>> count_columns("數獨"), count_columns("e\u0301")
    (4, 1)
    """
    return len(text) if text.isascii() else sum(map(_width, text))


def _width(character: str) -> int:
    if character in _HARMLESS or unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def cut(text: str, most: int, sign: str = ELLIPSIS) -> str:
    """Return a text of at most `most` columns; `sign` replaces the end of a text that is too long.

    >>> cut("Christopher", 6), cut("Chris", 6)
    ('Chris…', 'Chris')
    """
    if count_columns(text) <= most:
        return text
    room = most - count_columns(sign)
    fitting = sum(1 for _ in takewhile(lambda used: used <= room, accumulate(map(_width, text))))
    return text[:fitting] + sign[: max(0, most)]


def show_value(value: object) -> str:
    """Return a value for a message, shortened; the value may be huge, or of a class whose text cannot be made.

    >>> show_value("a"), show_value(10**5000)
    ("'a'", 'a value of type int')
    """
    try:
        return repr(cut(value, _MAX_SHOWN)) if type(value) is str else cut(repr(value), _MAX_SHOWN)
    except Exception:  # anything may come out of the class of a plugin
        return f"a value of type {type(value).__name__}"


def show_json(value: object) -> str:
    """Return a value for a message as JSON, shortened; a text as Python writes it.

    >>> show_json([None, True]), show_json("a")
    ('[null, true]', "'a'")
    """
    import json  # seldom needed

    try:
        return show_value(value) if isinstance(value, str) else cut(json.dumps(value, default=str), _MAX_SHOWN)
    except (ValueError, RecursionError):  # too many digits, or too deep
        return show_value(value)


def center(text: str, width: int) -> str:
    """Return a text centered in `width` columns.

    >>> center("數", 5)
    '  數 '
    """
    if text.isascii():
        return text.center(width)
    room = max(0, width - count_columns(text))
    left = room // 2 + (room & width & 1)  # the same as str.center
    return " " * left + text + " " * (room - left)


def wrap(text: str, width: int, sign: str = ELLIPSIS) -> list[str]:
    """Return a text as lines of at most `width` columns, broken at blanks; words that are too long are cut.

    >>> wrap("a long caption", 8)
    ['a long', 'caption']
    """
    if count_columns(text) <= width:
        return [text]
    lines: list[str] = []
    for word in re.split(r" +", text):
        if lines and count_columns(lines[-1]) + 1 + count_columns(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(cut(word, width, sign))
    return lines


def digits(number: int, *, grouped: bool = False) -> str:
    """Return an integer as text; `grouped` puts commas between groups of three digits.

    >>> digits(1234567), digits(1234567, grouped=True)
    ('1234567', '1,234,567')
    >>> len(digits(10**5000))
    5001
    """
    return f"{Decimal(number):,}" if grouped else f"{Decimal(number):f}"


@check_arguments
def format_count(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where needed.

    Examples
    --------
    >>> format_count(1, "given"), format_count(1200, "given"), format_count(8, "symmetry"), format_count(28, "day")
    ('1 given', '1,200 givens', '8 symmetries', '28 days')
    """
    plural = re.sub(r"(?<![aeo])y$", "ie", noun) + "s"
    return f"{digits(number, grouped=True)} {noun if number == 1 else plural}"


def make_table(title: str, rows: Iterable[tuple[str, str | int]]) -> str:
    """Return a table of two columns; all texts are escaped, and numbers have commas.

    >>> make_table("Sums", [("1 < 2", 3000)])
    '<table><caption>Sums</caption><tr><th scope="row">1 &lt; 2</th><td>3,000</td></tr></table>'
    """
    cells = "".join(f'<tr><th scope="row">{_write(name)}</th><td>{_write(content)}</td></tr>' for name, content in rows)
    return f"<table><caption>{_write(title)}</caption>{cells}</table>"


def _write(content: str | int) -> str:
    from html import escape  # slow to import

    return escape(printable(content) if isinstance(content, str) else digits(content, grouped=True))


def describe_problem(name: str, params: Mapping[str, Any]) -> str:
    """Return the name of a problem with its parameters, shortened if they are long.

    >>> describe_problem("queens", {"n": 8})
    'queens n=8'
    >>> describe_problem("sudoku", {"grid": "." * 81, "box": "3x3"})
    'sudoku grid=.......................................… box=3x3'
    """
    text = " ".join(
        [name, *(f"{key}={cut(' '.join(str(value).split()), _LONGEST_VALUE)}" for key, value in params.items())]
    )
    return cut(printable(text), 100)


def name_problem(name: str, params: Mapping[str, Any], title: str | None = None, file: PurePath | None = None) -> str:
    """Return the title of a page or picture: the title stated, or the name of the file, or that of the problem.

    >>> name_problem("queens", {"n": 8}), name_problem("queens", {}, "Eight queens")
    ('queens n=8', 'Eight queens')
    >>> name_problem("polyomino", {}, file=PurePath("puzzles/calendar_2026.yaml"))
    'calendar 2026'
    """
    if title:
        return cut(printable(title), 200)
    if file is not None:
        return printable(file.stem.replace("_", " ")) or describe_problem(name, params)
    kinds = str | int | float
    simple = {
        key: one for key, one in params.items() if isinstance(one, kinds) and one != "" and not isinstance(one, bool)
    }
    return describe_problem(name, simple)


def can_encode(out: TextIO, text: str) -> bool:
    """Return whether a stream can encode all characters of a text."""
    try:
        text.encode(out.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
