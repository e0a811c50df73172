"""Documents: the values of a YAML text, with the places of their parts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from exactcover.errors import Mistake

__all__ = ["MAX_BYTES", "Document", "KeyPath"]

KeyPath: TypeAlias = tuple[str | int, ...]
"""The keys and positions that lead from the top of a document to a value."""

MAX_BYTES = 16 * 1024 * 1024
"""The largest document that is read, in bytes."""


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
        The document itself; empty if the texts are whole files.
    """

    value: Any
    places: dict[KeyPath, tuple[int, int]] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)
    faulty: set[KeyPath] = field(default_factory=set)
    texts: dict[KeyPath, tuple[str, int, int]] = field(default_factory=dict)
    source_text: str = ""

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
