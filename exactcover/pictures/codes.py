"""QR codes on paper, by segno, which is part of the extra ``print``."""

from __future__ import annotations

from dataclasses import dataclass

from exactcover.errors import CoverError

__all__ = ["MOST_LETTERS", "Code", "make_code"]

MOST_LETTERS = 2_953
"""The most letters of a link in a QR code."""
_MODULE = 0.35  # millimeters, the least that phones read well
_LEAST = 22.0  # millimeters of a side
_QUIET = 4  # modules around the code


class _MissingLibraryError(CoverError, ImportError):
    """segno is not installed."""


@dataclass(frozen=True)
class Code:
    """A QR code.

    Attributes
    ----------
    svg
        The code as a nested SVG element without a place, with what has to be white around it.
    side
        How long a side should be on paper, in millimeters.
    """

    svg: str
    side: float

    def place(self, x: float, y: float) -> str:
        """Return the element with its upper left corner at a place."""
        return self.svg.replace("<svg ", f'<svg x="{x:g}" y="{y:g}" width="{self.side:g}" height="{self.side:g}" ', 1)


def make_code(text: str) -> Code:
    """Return the QR code of a text.

    Raises
    ------
    ImportError
        If segno is not installed.
    ValueError
        If the text is too long.

    Examples
    --------
    >>> code = make_code("https://example.org")
    >>> code.side, code.place(10, 20)[:48]
    (22.0, '<svg x="10" y="20" width="22" height="22" viewBo')
    """
    try:
        import segno
    except ImportError:
        advice = 'install it with: python -m pip install "exactcover-toolkit[print]"'
        raise _MissingLibraryError(f"a QR code needs segno; {advice}") from None
    try:
        code = segno.make_qr(text, error="l", boost_error=False)
    except segno.DataOverflowError:
        raise ValueError(f"a QR code holds at most {MOST_LETTERS:,} letters, and the link has {len(text):,}") from None
    svg = code.svg_inline(border=_QUIET, dark="#000", light="#fff", omitsize=True, svgclass=None, lineclass=None)
    modules = code.symbol_size(border=0)[0] + 2 * _QUIET
    return Code(svg, max(_LEAST, round(modules * _MODULE, 1)))
