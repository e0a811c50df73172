"""YAML without surprises: what could be read in two ways is a mistake, and every mistake has a place.

The parser is PyYAML's; here its events become plain values. Not allowed: aliases and anchors, tags,
duplicate keys, several documents, ``yes/no/on/off``, ``12:30`` and ``010`` without quotes, great depth.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import yaml

from exactcover.errors import ConfigError, Mistake

__all__ = ["Document", "Path", "parse", "parse_scalar"]

Path: TypeAlias = tuple[str | int, ...]
"""The keys and positions that lead to a value."""

MOST_BYTES = 16 * 1024 * 1024
"""Of a file."""
_MOST_DEPTH = 40
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_SURPRISES = (
    (re.compile(r"yes|no|on|off", re.IGNORECASE), "is a truth value to some YAML readers; write true or false, or"),
    (re.compile(r"[-+]?[0-9]+(:[0-9]+)+(\.[0-9]*)?"), "is a number in base 60 to some YAML readers;"),
    (re.compile(r"[-+]?0[0-9_]+"), "begins with 0, so some YAML readers take it as octal;"),
    (
        re.compile(r"[-+]?[0-9][0-9_]*_[0-9_]*(\.[0-9_]*)?|[-+]?0[xob][0-9a-fA-F_]+"),
        "is a number to some YAML readers;",
    ),
    (re.compile(r"[-+]?\.(inf|nan)", re.IGNORECASE), "is no number that makes sense here;"),
)


@dataclass
class Document:
    """A value, and what is known of its text.

    Attributes
    ----------
    value
        Mappings, lists and scalars; where there was a mistake, the text as it stands.
    places
        The (line, column) of everything in it, from 1, by path; of a mapping's value, its key's.
    mistakes
        What is wrong, though the rest could be read.
    doubtful
        The paths of the values with mistakes.
    """

    value: Any
    places: dict[Path, tuple[int, int]] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)
    doubtful: set[Path] = field(default_factory=set)


def parse(content: bytes, source: str) -> Document:
    """Read one YAML document.

    Parameters
    ----------
    content
        UTF-8, at most 16 MiB.
    source
        What messages call it, usually the file's name.

    Raises
    ------
    ConfigError
        If it cannot be read to its end, with every mistake up to there. Others are in the document.
    """
    if len(content) > MOST_BYTES:
        raise ConfigError([Mistake(f"the file is larger than {MOST_BYTES // 1024 // 1024} MiB", source)])
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, column = _place(content[: error.start].decode("utf-8", "replace"))
        raise ConfigError([Mistake("this is no text in UTF-8", source, line, column)]) from None
    builder = _Builder(source)
    try:
        for event in _events(text):
            builder.take(event)
    except yaml.reader.ReaderError as error:
        line, column = _place(text[: error.position])
        code = error.character if isinstance(error.character, int) else ord(error.character)
        fatal = Mistake(f"the character U+{code:04X} is not allowed", source, line, column)
    except yaml.MarkedYAMLError as error:
        fatal = _grammar_mistake(error, source)
    except _Fatal as error:
        fatal = error.mistake
    else:
        return builder.document
    raise ConfigError([*builder.document.mistakes, fatal])


def parse_scalar(text: str) -> Any:
    """Return the value of a scalar without quotes: None, a truth value, a number, or the text itself.

    Raises
    ------
    ValueError
        If it could be read in two ways.

    Examples
    --------
    >>> parse_scalar("8"), parse_scalar("6x10"), parse_scalar("true")
    (8, '6x10', True)
    """
    if text in ("", "~", "null"):
        return None
    if text in ("true", "false"):
        return text == "true"
    for pattern, trouble in _SURPRISES:
        if pattern.fullmatch(text):
            raise ValueError(f"{text} {trouble} put it in quotes if it is text")
    if _INTEGER.fullmatch(text):
        try:
            return int(text)
        except ValueError:  # Python reads no more than some thousand digits
            raise ValueError(f"a number of {len(text)} digits; put it in quotes if it is text") from None
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


def _place(before: str) -> tuple[int, int]:
    """Return the line and column of the character after `before`."""
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _events(text: str) -> Iterator[Any]:
    return iter(yaml.parse(text, Loader=_LOADER))


def _grammar_mistake(error: yaml.MarkedYAMLError, source: str) -> Mistake:
    mark = error.problem_mark or error.context_mark
    message = ", ".join(part for part in (error.problem, error.context) if part)
    if "cannot start any token" in message:
        message += " (a tab? indent with spaces; text that begins with a special character needs quotes)"
    return Mistake(message, source, *((mark.line + 1, mark.column + 1) if mark else ()))


class _Fatal(Exception):  # noqa: N818 - never leaves this module
    def __init__(self, mistake: Mistake) -> None:
        super().__init__()
        self.mistake = mistake


_DISCARD = "\0"
"""The key of a value that is read but not kept; no text holds this character."""


@dataclass
class _Open:
    """A mapping or list that is being filled, at `path`."""

    value: dict[str, Any] | list[Any]
    path: Path
    key: str | None = None  # of a mapping: the key that waits for its value


class _Builder:
    """Turns events into values with a stack of its own, so depth cannot hurt."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.document = Document(None)
        self.stack: list[_Open] = []
        self.documents = 0

    def _mistake(self, message: str, event: Any) -> Mistake:
        return Mistake(message, self.source, event.start_mark.line + 1, event.start_mark.column + 1)

    def wrong(self, message: str, event: Any) -> None:
        """Note a mistake and read on."""
        self.document.mistakes.append(self._mistake(message, event))

    def take(self, event: Any) -> None:
        """Take in one event."""
        if isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents == 2:
                raise _Fatal(self._mistake("a second document begins; expected one", event))
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            self.stack.pop()
        elif isinstance(event, yaml.NodeEvent):
            before = len(self.document.mistakes)
            path = self._take_node(event)
            if len(self.document.mistakes) > before:
                self.document.doubtful.add(path)

    def _take_node(self, event: Any) -> Path:
        """Take in a key, a scalar, or the beginning of a mapping or list; return its path."""
        top = self.stack[-1] if self.stack else None
        key_expected = top is not None and isinstance(top.value, dict) and top.key is None
        if key_expected and not isinstance(event, yaml.ScalarEvent):
            raise _Fatal(self._mistake("only text can be a key", event))
        if isinstance(event, yaml.AliasEvent):
            self.wrong("aliases (*name) are not allowed; write the value out", event)
            return self._place_value(None, event)
        if event.anchor is not None:
            self.wrong("anchors (&name) are not allowed; write the value out", event)
        if event.tag not in (None, "!"):
            self.wrong("tags (!name) are not allowed; a file holds plain values only", event)
        if top is not None and key_expected:
            return self._take_key(top, event)
        if isinstance(event, yaml.ScalarEvent):
            return self._place_value(self._scalar(event), event)
        if len(self.stack) >= _MOST_DEPTH:
            raise _Fatal(self._mistake(f"nested deeper than {_MOST_DEPTH} levels", event))
        value: dict[str, Any] | list[Any] = {} if isinstance(event, yaml.MappingStartEvent) else []
        path = self._place_value(value, event)
        self.stack.append(_Open(value, path))
        return path

    def _scalar(self, event: Any) -> Any:
        if event.style:  # quoted, or a block of text
            return event.value
        try:
            return parse_scalar(event.value)
        except ValueError as error:
            self.wrong(str(error), event)
            return event.value

    def _take_key(self, top: _Open, event: Any) -> Path:
        assert isinstance(top.value, dict)
        if self._scalar(event) is None:
            self.wrong("a key is missing before the colon", event)
        key = str(event.value)
        path = (*top.path, key)
        if _DISCARD in key:
            self.wrong("a key cannot hold the character U+0000", event)
            top.key = _DISCARD
        elif key in top.value:
            self.wrong(f"the key {key!r} was there already, in line {self.document.places[path][0]}", event)
            top.key = _DISCARD
        else:
            top.key = key
            self.document.places[path] = (event.start_mark.line + 1, event.start_mark.column + 1)
        return path

    def _place_value(self, value: Any, event: Any) -> Path:
        """Put a value where it belongs; return its path."""
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
            return path
        assert top.key is not None
        path = (*top.path, top.key)
        if top.key != _DISCARD:
            top.value[top.key] = value
        top.key = None
        return path
