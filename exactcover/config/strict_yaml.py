"""A strict subset of YAML: ambiguous values are mistakes, and every mistake has a place.

PyYAML parses the text; this module turns its events into plain values. Not allowed: aliases and anchors, tags,
duplicate keys, several documents, ``yes/no/on/off``, ``12:30`` and ``010`` without quotes, deep nesting.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from exactcover.config.document import MAX_BYTES, Document, KeyPath, parse_scalar
from exactcover.errors import ConfigError, Mistake

_MAX_DEPTH = 40
_TOO_DEEP = f"nested deeper than {_MAX_DEPTH} levels"
_TOO_DEEP_TO_PARSE = "exceeded maximum nesting depth"  # says LibYAML of 1,000 levels, which it reads ahead
_OTHER_BREAKS = re.compile("[\x85\u2028\u2029]")
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parse(content: bytes, source: str) -> Document:
    """Read one YAML document: UTF-8 text of at most 16 MiB. Messages name the source, usually the name of the file.

    Raise ``ConfigError`` if the text cannot be read to its end; the error lists every mistake up to that place.
    Mistakes that do not prevent reading are in the `mistakes` of the document.
    """
    if len(content) > MAX_BYTES:
        raise ConfigError([Mistake(f"the file is larger than {MAX_BYTES // 1024 // 1024} MiB", source)])
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, column = _locate(content[: error.start].decode("utf-8", "replace"))
        raise ConfigError([Mistake("the file is not valid UTF-8 text", source, line, column)]) from None
    strange = _OTHER_BREAKS.search(text)
    if strange is not None:  # ends a line in YAML 1.1, but neither in 1.2 nor in editors
        message = f"the character U+{ord(strange[0]):04X} is not allowed; in quotes, write \\u{ord(strange[0]):04X}"
        raise ConfigError([Mistake(message, source, *_locate(text[: strange.start()]))])
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
"""Hints for mistakes in the grammar, by the message of the parser."""


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
    path: KeyPath
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

    def _process_node(self, event: Any) -> KeyPath:
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

    def _process_key(self, top: _OpenCollection, event: Any) -> KeyPath:
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

    def _insert_value(self, value: Any, event: Any) -> KeyPath:
        """Insert a value into the open mapping or list; return its path."""
        place = (event.start_mark.line + 1, event.start_mark.column + 1)
        path: KeyPath = ()
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

    def _note_text(self, path: KeyPath, value: Any, event: Any) -> None:
        if isinstance(value, str):
            self.document.texts[path] = value, event.start_mark.line, event.start_mark.column
