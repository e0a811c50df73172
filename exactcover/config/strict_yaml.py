"""A strict subset of YAML: ambiguous values are mistakes, and every mistake has a place.

PyYAML parses the text; this module turns its events into plain values. Not allowed: aliases and anchors, tags,
duplicate keys, several documents, ``yes/no/on/off``, ``12:30`` and ``010`` without quotes, deep nesting.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypeAlias

import yaml

from exactcover.errors import ConfigError, Mistake
from exactcover.pictures.text import cut

__all__ = ["Document", "Path", "parse", "parse_scalar"]

Path: TypeAlias = tuple[str | int, ...]
"""The keys and positions that lead from the top of a document to a value."""

MAX_BYTES = 16 * 1024 * 1024
"""The largest file that is read, in bytes."""
_MAX_DEPTH = 40
_TOO_DEEP = f"nested deeper than {_MAX_DEPTH} levels"
_TOO_DEEP_TO_PARSE = "exceeded maximum nesting depth"  # says LibYAML of 1,000 levels, which it reads ahead
_MAX_SHOWN = 60  # characters of a number in a message
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_AMBIGUITIES = (
    (re.compile(r"yes|no|on|off", re.IGNORECASE), "is a truth value to some YAML parsers; write true or false, or"),
    (re.compile(r"[-+]?[0-9]+(:[0-9]+)+(\.[0-9]*)?"), "is a number in base 60 to some YAML parsers;"),
    (re.compile(r"[-+]?0[0-9_]+"), "begins with 0, so some YAML parsers read it as octal;"),
    (
        re.compile(r"[-+]?[0-9][0-9_]*_[0-9_]*(\.[0-9_]*)?|[-+]?0[xob][0-9a-fA-F_]+"),
        "is a number to some YAML parsers;",
    ),
    (re.compile(r"[-+]?\.(inf|nan)", re.IGNORECASE), "is not a finite number;"),
)


@dataclass
class Document:
    """The value of a YAML document, with the places of its parts and the mistakes in it.

    Attributes
    ----------
    value
        Mappings, lists and scalars. A scalar with a mistake is kept as its text.
    places
        The (line, column) of every part by path, both from 1. The place of a value in a mapping is that of its key.
    mistakes
        The mistakes that did not prevent the rest from being read.
    faulty
        The paths of the values with mistakes.
    texts
        Every text by path, with the line and column, both from 0, where its scalar begins.
    source_text
        The document itself.
    """

    value: Any
    places: dict[Path, tuple[int, int]] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)
    faulty: set[Path] = field(default_factory=set)
    texts: dict[Path, tuple[str, int, int]] = field(default_factory=dict)
    source_text: str = ""

    def locate(self, path: Path) -> tuple[int, int] | tuple[()]:
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
        lines = self.source_text.splitlines()
        if lines[line][column : column + 1] == "|":
            before = text[:index].split("\n")
            shown, wanted = lines[line + len(before)], text.split("\n")[len(before) - 1]
            if not shown.endswith(wanted):
                return None
            return line + len(before) + 1, len(shown) - len(wanted) + len(before[-1]) + 1
        start = lines[line].find(text, column)
        return None if start < 0 else (line + 1, start + index + 1)


def parse(content: bytes, source: str) -> Document:
    """Read one YAML document.

    Parameters
    ----------
    content
        UTF-8 text, at most 16 MiB.
    source
        The name used in messages, usually that of the file.

    Raises
    ------
    ConfigError
        If the text cannot be read to its end; the error lists every mistake up to that place. Mistakes that do not
        prevent reading are in the `mistakes` of the document.
    """
    if len(content) > MAX_BYTES:
        raise ConfigError([Mistake(f"the file is larger than {MAX_BYTES // 1024 // 1024} MiB", source)])
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, column = _locate(content[: error.start].decode("utf-8", "replace"))
        raise ConfigError([Mistake("the file is not valid UTF-8 text", source, line, column)]) from None
    builder = _Builder(source)
    builder.document.source_text = text
    try:
        for event in _parse_events(text):
            builder.process(event)
    except yaml.reader.ReaderError as error:
        line, column = _locate(text[: error.position])
        code = error.character if isinstance(error.character, int) else ord(error.character)
        fatal = Mistake(f"the character U+{code:04X} is not allowed", source, line, column)
    except yaml.MarkedYAMLError as error:
        fatal = _grammar_mistake(error, source)
    except _FatalMistake as error:
        fatal = error.mistake
    else:
        return builder.document
    raise ConfigError([*builder.document.mistakes, fatal])


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
    if text in ("", "~", "null"):
        return None
    if text in ("true", "false"):
        return text == "true"
    for pattern, ambiguity in _AMBIGUITIES:
        if pattern.fullmatch(text):
            raise ValueError(f"{text} {ambiguity} put it in quotes if it is text")
    if _INTEGER.fullmatch(text):
        try:
            return int(text)
        except ValueError:  # Python limits the number of digits
            raise ValueError(f"a number of {len(text)} digits is too long; put it in quotes if it is text") from None
    if _FLOAT.fullmatch(text):
        number = float(text)
        if not _is_exact(number, text):
            shown = cut(text, _MAX_SHOWN)
            raise ValueError(f"the number {shown} is too large, too small or too long; put it in quotes if it is text")
        return number
    return text


def _is_exact(number: float, text: str) -> bool:
    """Whether a number still says what its text says; a very large, small or long one would be changed silently."""
    try:
        return math.isfinite(number) and Decimal(repr(number)) == Decimal(text)
    except ArithmeticError:  # its exponent is beyond measure
        return False


def _locate(before: str) -> tuple[int, int]:
    """Return the line and column of the character after `before`."""
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _parse_events(text: str) -> Iterator[Any]:
    return iter(yaml.parse(text, Loader=_LOADER))


_HINTS = {
    "cannot start any token": "indent with spaces, not tabs; put text that begins with a special character in quotes",
    "mapping values are not allowed": "indent the keys of a mapping alike, write a space after each ':', and put text "
    "that contains ': ' in quotes",
    "while parsing a block mapping": "indent the keys of a mapping alike",
    "while parsing a block collection": "indent the entries of a list alike; keys cannot follow them at the same place",
    "unknown escape character": "put text that contains a backslash in single quotes",
    "end of stream, while scanning a quoted scalar": "close the quotation mark",
    "while parsing a flow mapping": "separate entries by ',' and close the bracket",
    "while parsing a flow sequence": "separate entries by ',' and close the bracket",
    "while parsing a flow node": "a value is missing, or a bracket is not closed",
    "while scanning an alias": "put text that begins with '*' in quotes",
}
"""What to do about mistakes in the grammar, by what the parser says of them."""


def _grammar_mistake(error: yaml.MarkedYAMLError, source: str) -> Mistake:
    mark = error.problem_mark or error.context_mark
    place = (mark.line + 1, mark.column + 1) if mark else ()
    if error.problem == _TOO_DEEP_TO_PARSE:
        return Mistake(_TOO_DEEP, source, *place)
    message = ", ".join(part for part in (error.problem, error.context) if part)
    hint = next((f" ({hint})" for words, hint in _HINTS.items() if words in message), "")
    return Mistake(f"{message}{hint}", source, *place)


class _FatalMistake(Exception):  # noqa: N818 - never leaves this module
    """A mistake after which the text cannot be read on."""

    def __init__(self, mistake: Mistake) -> None:
        super().__init__()
        self.mistake = mistake


_DISCARD = "\0"
"""The key of a value that is read but not kept; keys in a file cannot contain this character."""


@dataclass
class _OpenCollection:
    """A mapping or list at `path` whose end has not been reached."""

    value: dict[str, Any] | list[Any]
    path: Path
    key: str | None = None  # in a mapping: the key whose value comes next


class _Builder:
    """Builds the document from events, with an explicit stack instead of recursion, so that nesting is no danger."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.document = Document(None)
        self.stack: list[_OpenCollection] = []
        self.documents = 0

    def _mistake_at(self, message: str, event: Any) -> Mistake:
        return Mistake(message, self.source, event.start_mark.line + 1, event.start_mark.column + 1)

    def add_mistake(self, message: str, event: Any) -> None:
        """Add a mistake and read on."""
        self.document.mistakes.append(self._mistake_at(message, event))

    def process(self, event: Any) -> None:
        """Process one event."""
        if isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents == 2:
                raise _FatalMistake(self._mistake_at("a second document begins here; expected only one", event))
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            self.stack.pop()
        elif isinstance(event, yaml.NodeEvent):
            before = len(self.document.mistakes)
            path = self._process_node(event)
            if len(self.document.mistakes) > before:
                self.document.faulty.add(path)

    def _process_node(self, event: Any) -> Path:
        """Process a key, a scalar, or the start of a mapping or list; return its path."""
        top = self.stack[-1] if self.stack else None
        key_expected = top is not None and isinstance(top.value, dict) and top.key is None
        if key_expected and not isinstance(event, yaml.ScalarEvent):
            raise _FatalMistake(self._mistake_at("a key must be text, not a mapping or list", event))
        if isinstance(event, yaml.AliasEvent):
            self.add_mistake("aliases (*name) are not allowed; write the value out", event)
            return self._insert_value(None, event)
        if event.anchor is not None:
            self.add_mistake("anchors (&name) are not allowed; write the value out", event)
        if event.tag not in (None, "!"):
            self.add_mistake("tags (!name) are not allowed; write plain values only", event)
        if top is not None and key_expected:
            return self._process_key(top, event)
        if isinstance(event, yaml.ScalarEvent):
            return self._insert_value(self._parse_scalar(event), event)
        if len(self.stack) >= _MAX_DEPTH:
            raise _FatalMistake(self._mistake_at(_TOO_DEEP, event))
        value: dict[str, Any] | list[Any] = {} if isinstance(event, yaml.MappingStartEvent) else []
        path = self._insert_value(value, event)
        self.stack.append(_OpenCollection(value, path))
        return path

    def _parse_scalar(self, event: Any) -> Any:
        if event.style:  # quoted or block text
            return event.value
        try:
            return parse_scalar(event.value)
        except ValueError as error:
            self.add_mistake(str(error), event)
            return event.value

    def _process_key(self, top: _OpenCollection, event: Any) -> Path:
        assert isinstance(top.value, dict)
        if self._parse_scalar(event) is None:
            self.add_mistake("a key is missing before the colon", event)
        key = str(event.value)
        path = (*top.path, key)
        if _DISCARD in key:
            self.add_mistake("a key cannot contain the character U+0000", event)
            top.key = _DISCARD
        elif key in top.value:
            self.add_mistake(f"duplicate key {key!r}; it first appears on line {self.document.places[path][0]}", event)
            top.key = _DISCARD
        else:
            top.key = key
            self.document.places[path] = (event.start_mark.line + 1, event.start_mark.column + 1)
        return path

    def _insert_value(self, value: Any, event: Any) -> Path:
        """Insert a value into the open mapping or list; return its path."""
        place = (event.start_mark.line + 1, event.start_mark.column + 1)
        path: Path = ()
        if not self.stack:
            self.document.value = value
            self.document.places[path] = place
            return path
        top = self.stack[-1]
        if isinstance(top.value, list):
            path = (*top.path, len(top.value))
            top.value.append(value)
            self.document.places[path] = place
            self._note_text(path, value, event)
            return path
        assert top.key is not None
        path = (*top.path, top.key)
        if top.key != _DISCARD:
            top.value[top.key] = value
            self._note_text(path, value, event)
        top.key = None
        return path

    def _note_text(self, path: Path, value: Any, event: Any) -> None:
        if isinstance(value, str):
            self.document.texts[path] = value, event.start_mark.line, event.start_mark.column
