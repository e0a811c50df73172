"""QR codes on paper, by segno, which is part of the extra ``print``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from exactcover.pictures.page_formats import PRINT, import_library

MOST_CHARACTERS = 425
"""The most letters of an address in a QR code, which then has 69 modules a side; finer codes are hard to scan."""
_MODULE = 0.5  # millimeters
_LEAST = 22.0  # millimeters of a side
_QUIET = 4  # modules around the code


@dataclass(frozen=True)
class Code:
    """A QR code: a nested SVG element without a place, with a white margin, and its side on paper, in millimeters."""

    svg: str
    side: float

    def place(self, x: float, y: float) -> str:
        """Return the element with its upper left corner at a place."""
        return self.svg.replace("<svg ", f'<svg x="{x:g}" y="{y:g}" width="{self.side:g}" height="{self.side:g}" ', 1)


def make_code(text: str) -> Code:
    """Return the QR code of a text; a ``ValueError`` says that it is too long.

    >>> code = make_code("https://example.org")
    >>> code.side, code.place(10, 20)[:48]
    (22.0, '<svg x="10" y="20" width="22" height="22" viewBo')
    """
    segno = import_library("segno", "a QR code", package=PRINT)
    if len(text.encode()) > MOST_CHARACTERS:
        raise ValueError(f"a QR code holds at most {MOST_CHARACTERS} letters, and the address has {len(text):,}")
    code = segno.make_qr(text, error="l", boost_error=False)
    modules = code.symbol_size(border=_QUIET)[0]
    white = f'<path fill="#fff" d="M0 0H{modules}V{modules}H0z"/>'
    dark = f'<path fill="#000" d="{"".join(_draw_rows(code.matrix))}"/>'
    svg = f'<svg viewBox="0 0 {modules} {modules}">{white}{dark}</svg>'
    return Code(svg, max(_LEAST, round(modules * _MODULE, 1)))


def _draw_rows(matrix: Sequence[Sequence[int]]) -> Iterator[str]:
    """Yield runs of dark modules, in places that are absolute: steps are rounded in PDF, and their errors add up."""
    for y, row in enumerate(matrix, _QUIET):
        x = _QUIET
        for is_dark, run in groupby(row):
            end = x + len(list(run))
            if is_dark:
                yield f"M{x} {y}H{end}V{y + 1}H{x}z"
            x = end
