"""The textual form of instances of a grid of symbols."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from exactcover.algorithm_x import Label
from exactcover.control.arguments import check_arguments, read_fields
from exactcover.pictures.text import format_count

__all__ = ["NumberedText", "TextForm"]

_BLANK, _NOT_VALID = -1, -2
_CHARACTERS = 256


class NumberedText(str):
    """A text with the number of the line on which it begins, from 1, for messages about mistakes in it."""

    line: int

    def __new__(cls, text: str, line: int) -> Self:
        self = super().__new__(cls, text)
        self.line = line
        return self

    def __getnewargs__(self) -> tuple[str, int]:  # type: ignore[override]
        return str(self), self.line

    @check_arguments
    def line_at(self, place: int) -> int:
        """Return the number of the line on which a place in the text stands."""
        return self.line + self.count("\n", 0, place)


@dataclass(frozen=True)
class TextForm:
    """The textual form of instances: the option for which each character stands at each place.

    With it, instances are read, solved and written in C++. Texts that are not in this form are left to
    :meth:`Encoder.parse`.

    Parameters
    ----------
    layouts
        Texts with :attr:`PLACE` at each place, for example one for a grid in one line and another for one row per line.
        The other characters of a text must be those of the layout. The answer has the same layout.
    options
        For each place, in the order of the layouts, the option for which each character stands. If several characters
        stand for an option, the first in ASCII shows it in answers.
    blanks
        The characters that give nothing; a text with several of them is left to the encoder. The frame of an instance
        must depend on its layout alone.

    Raises
    ------
    ValueError
        If there are no layouts, options or blanks; a layout does not have as many places as there are elements of
        `options`; or a key of `options` is not a single character.
    TypeError
        If an argument is of another kind.

    Examples
    --------
    >>> form = TextForm(["\\0\\0"], [{"a": "first a", "b": "first b"}, {"a": "second a"}], ".")
    >>> list(form.table({"first a": 0, "first b": 1, "second a": 2}.__getitem__))[ord("a") : ord("c")]
    [0, 1]
    """

    PLACE = "\0"
    """Stands for a place in a layout."""

    layouts: Sequence[str]
    options: Sequence[Mapping[str, Label]]
    blanks: str = "."

    def __post_init__(self) -> None:
        read_fields(self)
        for name, content in (("layouts", "text"), ("options", "place"), ("blanks", "character")):
            if not getattr(self, name):
                raise ValueError(f"{name} must contain at least one {content}")
        for layout in self.layouts:
            places = layout.count(self.PLACE)
            if places != len(self.options):
                raise ValueError(f"a layout has {format_count(places, 'place')}, expected {len(self.options)}")
        for character in (one for options in self.options for one in options):
            if not isinstance(character, str) or len(character) != 1:
                raise ValueError(f"expected one character, got {character!r}")

    @check_arguments
    def write(self, layout: str, solution: Collection[Label]) -> str:
        """Return a solution in one of the layouts; a place that it does not cover shows the first of the blanks."""
        symbols = [
            min((one for one, label in options.items() if label in solution), default=self.blanks[:1])
            for options in self.options
        ]
        places = iter(symbols)
        return "".join(next(places) if one == self.PLACE else one for one in layout)

    @check_arguments
    def table(self, position: Callable[[Label], int]) -> array[int]:
        """Return the option of each place and byte; -1 for a blank, -2 for a byte that is not valid.

        Characters that are not ASCII are not valid.

        Parameters
        ----------
        position
            The position of an option, from its label.
        """
        blanks = array("i", [_NOT_VALID] * _CHARACTERS)
        for blank in filter(str.isascii, self.blanks):
            blanks[ord(blank)] = _BLANK
        table = array("i")
        for options in self.options:
            row = blanks[:]
            for character, label in options.items():
                if character.isascii():
                    row[ord(character)] = position(label)
            table += row
        return table
