"""Colors of pieces that everybody can tell apart, including people with color blindness.

The thirteen colors were chosen to maximize the smallest distance between any two of them in the OKLab space, as seen
with normal vision and with the three kinds of dichromatic vision; a test checks the distances. Pieces have texts as
well, so no meaning depends on color alone.
"""

from __future__ import annotations

from functools import lru_cache

__all__ = ["INK", "PIECES", "color", "rgb", "shade", "text_on"]

PIECES = (
    "#38a8a0", "#f0f060", "#583890", "#882820", "#f0a800", "#a8f8f8", "#c8b0f8",
    "#885878", "#68d8a0", "#b84800", "#6860c8", "#e86850", "#a880f0",
)  # fmt: skip
"""The colors of pieces by tint. They repeat if there are more pieces."""
PLAIN = {-1: "#fbfaf6", -2: "#d9d4c7", -3: "#3a3a40"}
"""The colors of paper: light, shaded, blocked."""
INK = "#26262b"
"""The color of text and lines."""


def color(tint: int) -> str:
    """Return the color of a tint as ``#rrggbb``."""
    return PLAIN[tint] if tint < 0 else PIECES[tint % len(PIECES)]


@lru_cache(maxsize=1024)
def shade(tint: int, strength: float) -> str:
    """Return the color of a tint mixed with paper; `strength` is the share of the tint, from 0 to 1.

    Examples
    --------
    >>> shade(0, 1), shade(0, 0.5)
    ('#38a8a0', '#9ad1cb')
    """
    parts = zip(rgb(PLAIN[-1]), rgb(color(tint)), strict=True)
    return "#" + "".join(f"{round(paper + (full - paper) * strength):02x}" for paper, full in parts)


def rgb(color: str) -> tuple[int, int, int]:
    """Return ``#rrggbb`` as three numbers from 0 to 255.

    Examples
    --------
    >>> rgb("#ff8000")
    (255, 128, 0)
    """
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


@lru_cache(maxsize=1024)
def text_on(background: str) -> str:
    """Return the color of text on `background`: ink or white, depending on which has more contrast."""
    light = _luminance(background) + 0.05
    return INK if light / (_luminance(INK) + 0.05) >= 1.05 / light else "#ffffff"


def _luminance(color: str) -> float:
    """Return the relative luminance as defined by WCAG 2, from 0 to 1."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in rgb(color))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
