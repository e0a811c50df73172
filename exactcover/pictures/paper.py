"""Sheets of paper, with a margin and words around, on which pictures are printed."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from html import escape

from exactcover.pictures.codes import Code
from exactcover.pictures.palette import FONT, INK, TOKENS
from exactcover.pictures.text import cut, printable

PAPERS = {"a3": (297, 420), "a4": (210, 297), "a5": (148, 210), "letter": (215.9, 279.4), "tabloid": (279.4, 431.8)}
"""Names of sizes of paper, each with its width and height in millimeters."""
_LARGEST = 2000
_HEADING, _LINE = 5.0, 4.0  # sizes of the heading and of lines, in millimeters
_PER_LETTER = 0.55  # the width of a letter, in sizes


@dataclass(frozen=True)
class Paper:
    """A sheet of paper, in millimeters."""

    width: float
    height: float
    margin: float = 12.0

    def __post_init__(self) -> None:
        if not all(math.isfinite(side) and 0 < side <= _LARGEST for side in (self.width, self.height)):
            raise ValueError(f"the sides of a page must be more than 0 and at most {_LARGEST} mm")
        if not 0 <= self.margin <= 0.4 * min(self.width, self.height):
            raise ValueError("the margin of a page must be from 0 to 0.4 of its shorter side")

    @classmethod
    def read(cls, text: str, margin: float | None = None) -> Paper:
        """Read a name, such as ``a4`` or ``a4-landscape``, or WIDTHxHEIGHT in millimeters.

        >>> Paper.read("a5-landscape"), Paper.read("100x150", margin=5)
        (Paper(width=210, height=148, margin=12.0), Paper(width=100.0, height=150.0, margin=5))
        """
        usual = cls.margin if margin is None else margin
        name, _, turned = text.lower().partition("-")
        if name in PAPERS and turned in ("", "landscape"):
            short, long = PAPERS[name]
            return cls(long, short, usual) if turned else cls(short, long, usual)
        size = re.fullmatch(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)", text)
        if size is None:
            names = ", ".join(PAPERS)
            raise ValueError(f"expected {names}, one of them with -landscape, or WIDTHxHEIGHT in mm; got {text!r}")
        return cls(float(size[1]), float(size[2]), usual)

    def room(self, words: Words) -> tuple[float, float]:
        """Return the width and height for pictures, inside the margins and between the words."""
        width, height = self.width - 2 * self.margin, self.height - 2 * self.margin
        if words.code is not None and words.code.side > min(width, height) / 2:
            raise ValueError(f"a QR code of {words.code.side:g} mm leaves too little room on this paper")
        left = height - words.above - words.below
        if left < height / 4:
            raise ValueError("the words leave too little room on this paper")
        return width, left

    def aspect(self, words: Words) -> float:
        """Return the width of the room for pictures, divided by its height."""
        width, height = self.room(words)
        return width / height


@dataclass(frozen=True)
class Words:
    """The text around the pictures: a title, a line below it, one at the foot, and a code in the upper right corner."""

    heading: str = ""
    line: str = ""
    foot: str = ""
    code: Code | None = None

    @property
    def above(self) -> float:
        """The height of what is above the pictures, in millimeters."""
        lines = (2 * _HEADING if self.heading else 0) + (1.5 * _LINE if self.line else 0)
        return max(lines, 0 if self.code is None else self.code.side + _HEADING)

    @property
    def below(self) -> float:
        """The height of what is below them."""
        return 2 * _LINE if self.foot else 0


def put_on_paper(sheet: str, paper: Paper, words: Words) -> str:
    """Return a contact sheet as an SVG document of the size of the paper, with words around it."""
    width, height = paper.room(words)
    top, middle = paper.margin + words.above, paper.width / 2
    place = f' x="{paper.margin:g}" y="{top:g}" width="{width:g}" height="{height:g}"'
    inside = re.sub(r' width="\d+" height="\d+"', f'{place} preserveAspectRatio="xMidYMin"', sheet, count=1)
    free = width if words.code is None else width - 2 * words.code.side
    line = paper.margin + _HEADING + (1.6 * _LINE if words.heading else 0)
    around = [
        _write(words.heading, middle, paper.margin + _HEADING, _HEADING, free, ' font-weight="600"'),
        _write(words.line, middle, line, _LINE, free),
        _write(words.foot, middle, paper.height - paper.margin, _LINE, width),
    ]
    if words.code is not None:
        side, right = words.code.side, paper.width - paper.margin
        around.append(words.code.place(right - side, paper.margin))
        around.append(_write("Scan to play", right - side / 2, paper.margin + side + 2, 3, side))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{paper.width:g}mm" height="{paper.height:g}mm"'
        f' viewBox="0 0 {paper.width:g} {paper.height:g}">\n'
        f'<rect class="paper" width="{paper.width:g}" height="{paper.height:g}" fill="{TOKENS["paper"][0]}"/>\n'
        f"{inside}{''.join(around)}</svg>\n"
    )


def _write(text: str, x: float, y: float, size: float, room: float, more: str = "") -> str:
    """Return a line of text around a place, or nothing without text."""
    if not text:
        return ""
    short = cut(printable(text), max(4, int(room / (_PER_LETTER * size))))
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="middle" font-size="{size:g}"{more} class="ink" fill="{INK}"'
        f' font-family="{escape(FONT)}">{escape(short)}</text>\n'
    )
