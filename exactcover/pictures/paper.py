"""Sheets of paper, with a margin and a heading, on which pictures are printed."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from html import escape

from exactcover.pictures.codes import Code
from exactcover.pictures.palette import INK, TOKENS
from exactcover.pictures.text import cut, printable

__all__ = ["PAPERS", "Paper", "put_on_paper"]

PAPERS = {"a3": (297, 420), "a4": (210, 297), "a5": (148, 210), "letter": (215.9, 279.4), "tabloid": (279.4, 431.8)}
"""Names of sizes of paper, each with its width and height in millimeters."""
_LARGEST = 2000
_HEADING = 5.0  # size of the heading, in millimeters
_PER_LETTER = 0.55 * _HEADING


@dataclass(frozen=True)
class Paper:
    """A sheet of paper, in millimeters.

    Raises
    ------
    ValueError
        If a length is not a finite positive number, or the margins leave no room.
    """

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

        Examples
        --------
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

    def room(self, heading: str, code: Code | None = None) -> tuple[float, float]:
        """Return the width and height inside the margins, below the heading and above a code.

        Raises
        ------
        ValueError
            If the code leaves less than half of the room.
        """
        width, height = self.width - 2 * self.margin, self.height - 2 * self.margin - (2 * _HEADING if heading else 0)
        taken = 0 if code is None else code.side + _HEADING
        if taken > height / 2 or (code is not None and code.side > width):
            assert code is not None
            raise ValueError(f"a QR code of {code.side:g} mm leaves too little room on this paper; use a larger one")
        return width, height - taken

    def aspect(self, heading: str, code: Code | None = None) -> float:
        """Return the width of the room for pictures, divided by its height."""
        width, height = self.room(heading, code)
        return width / height


def _put_code(code: Code, left: float, bottom: float) -> str:
    """Return a code in the lower left corner, and what it is for."""
    place = f'x="{left + code.side + 0.6 * _HEADING:g}" y="{bottom - code.side / 2:g}" dy="0.35em"'
    return (
        f"{code.place(left, bottom - code.side)}"
        f'<text {place} font-size="{0.8 * _HEADING:g}" font-family="Inter, Helvetica Neue, Arial, sans-serif"'
        f' class="ink" fill="{INK}">Scan to play this puzzle</text>\n'
    )


def put_on_paper(sheet: str, paper: Paper, heading: str = "", code: Code | None = None) -> str:
    """Return a contact sheet as an SVG document of the size of the paper, with a heading above it, and a code below."""
    width, height = paper.room(heading, code)
    bottom = paper.height - paper.margin
    top = bottom - height - (0 if code is None else code.side + _HEADING)
    place = f' x="{paper.margin:g}" y="{top:g}" width="{width:g}" height="{height:g}"'
    inside = re.sub(r' width="\d+" height="\d+"', f'{place} preserveAspectRatio="xMidYMin"', sheet, count=1)
    text = cut(printable(heading), max(4, int(width / _PER_LETTER)))
    line = (
        f'<text x="{paper.width / 2:g}" y="{paper.margin + _HEADING:g}" text-anchor="middle" font-weight="600"'
        f' font-size="{_HEADING:g}" font-family="Inter, Helvetica Neue, Arial, sans-serif" class="ink" fill="{INK}">'
        f"{escape(text)}</text>\n"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{paper.width:g}mm" height="{paper.height:g}mm"'
        f' viewBox="0 0 {paper.width:g} {paper.height:g}">\n'
        f'<rect class="paper" width="{paper.width:g}" height="{paper.height:g}" fill="{TOKENS["paper"][0]}"/>\n'
        f"{line if heading else ''}{inside}{'' if code is None else _put_code(code, paper.margin, bottom)}</svg>\n"
    )
