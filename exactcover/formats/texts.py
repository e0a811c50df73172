"""Names and pictures as text, for formats in which everything is text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TextIO

from exactcover.encoders.encoder import Encoder
from exactcover.pictures.text import show_value
from exactcover.problem import Item, Label

if TYPE_CHECKING:  # seldom needed
    from exactcover.pictures import Picture

_OPEN = "·"  # in a cell that stays open


def describe_format(stated: object, expected: int) -> str:
    """Return why a file cannot be read that states another format than the expected one.

    Examples
    --------
    >>> describe_format(1, 2)
    'written by an earlier version of exactcover, in format 1; this version reads format 2'
    >>> describe_format("x", 2)
    "unsupported format version 'x'; expected 2"
    """
    if type(stated) is int and 0 < stated < expected:
        return f"written by an earlier version of exactcover, in format {stated}; this version reads format {expected}"
    return f"unsupported format version {show_value(stated)}; expected {expected}"


def can_encode(out: TextIO, text: str) -> bool:
    """Return whether a stream can encode all characters of a text."""
    try:
        text.encode(out.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def draw_for_text(encoder: Encoder, labels: Sequence[Label]) -> Picture | None:
    """Return a picture of these options, or None if there is none that can be shown as text."""
    picture = encoder.draw(labels)
    return picture if picture is not None and picture.placed else None


def mark_open(encoder: Encoder, picture: Picture, items: Iterable[Item]) -> Picture:
    """Return a picture in which the cells of some items are marked, because they stay open."""
    from exactcover.pictures import Text  # seldom needed

    places = [place for item in items if (place := encoder.place_of(item)) is not None]
    return replace(picture, shapes=(*picture.shapes, *(Text(*place, _OPEN) for place in places)))
