"""Colors of pictures and pages, light and dark; ``docs/style.md`` says how they are used.

The fourteen colors of pieces were chosen in the OKLab space: calm (chroma at most 0.12), and so that the smallest
distance between any two of them is as large as possible, as seen with normal vision and with the three kinds of
dichromatic vision; a test checks the distances. The dark theme darkens each color and keeps its hue. Pieces have texts
as well, so no meaning depends on color alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, TypeAlias

Theme: TypeAlias = Literal["light", "dark"]

PIECES = (
    "#5bbab6", "#e1bb6f", "#994d7f", "#a49bef", "#657334", "#e0e8ae", "#3774b5",
    "#e28e80", "#b3eef4", "#c5687e", "#5f97b6", "#a88c3b", "#aed1be", "#78d5fd",
)  # fmt: skip
"""The colors of pieces by tint. They repeat if there are more pieces."""
DARK_PIECES = (
    "#3c9d9a", "#c49f52", "#7d3365", "#897fd1", "#4c5918", "#c3ca92", "#1a5998",
    "#c47366", "#96d0d6", "#a74d64", "#447c9a", "#8c711a", "#92b4a2", "#5ab8df",
)  # fmt: skip
"""The same colors in the dark theme."""
DEEP = (
    "#09726f", "#7f5d01", "#6d2557", "#6156a3", "#3f4b00", "#62691a", "#054b88",
    "#96493e", "#067179", "#973f56", "#0f6c93", "#7a6003", "#1b7451", "#026d8e",
)  # fmt: skip
"""Colors of heat maps: those of pieces, darker."""
DEEP_TINTS = 1_000_000
"""The tint of the first deep color; they follow one another like those of pieces."""
DARK_DEEP = (
    "#79d7d3", "#e5bf72", "#faa5da", "#c1bbff", "#bccd8b", "#e3ebae", "#99c8ff",
    "#ffab9d", "#a3f5fd", "#fea8ba", "#90cdf0", "#dec271", "#9bdbbb", "#7fd8ff",
)  # fmt: skip
"""The same in the dark theme: brighter."""
PLAIN = {-1: "#ffffff", -2: "#e6e2d9", -3: "#56555a", -4: "#ffffff"}
"""The colors of paper: light, shaded, blocked, and that of the page."""
DARK_PLAIN = {-1: "#2c2c31", -2: "#53535b", -3: "#050506", -4: "#1a1a1d"}
INK = "#1d1d22"
"""The color of text and lines."""
DARK_INK = "#efede6"
"""The color of text and lines on dark paper."""

FONT = "Inter, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"
"""The fonts of pictures and pages, the first one that there is."""

TOKENS: Mapping[str, tuple[str, str]] = {
    "paper": (PLAIN[-4], DARK_PLAIN[-4]),  # behind everything
    "panel": ("#f6f4ef", "#232327"),  # behind groups of controls
    "ink": (INK, DARK_INK),  # text
    "soft": ("#5f5e66", "#aeacb3"),  # text that matters less
    "line": ("#d8d5cc", "#3d3d43"),  # between parts of a page
    "accent": ("#2b5f92", "#8ab8e0"),  # what is chosen
    "on-accent": ("#ffffff", "#14202b"),
    "wash": ("#e4edf5", "#24384a"),  # behind what is chosen, under normal text
    "mark": ("#a4472a", "#f0a58a"),  # focus, and what needs attention
    "good": ("#3c6e2d", "#9ccc86"),  # solutions
    "tint-paper": (PLAIN[-1], DARK_PLAIN[-1]),
    "tint-shaded": (PLAIN[-2], DARK_PLAIN[-2]),
    "tint-blocked": (PLAIN[-3], DARK_PLAIN[-3]),
    "outline": (INK, "#0c0c0e"),  # around pieces
    "rule": (INK, "#a3a19b"),  # around places without a piece
    **{f"tint-{k}": both for k, both in enumerate(zip(PIECES, DARK_PIECES, strict=True))},
    **{f"deep-{k}": both for k, both in enumerate(zip(DEEP, DARK_DEEP, strict=True))},
}
"""The CSS custom properties of pages by name: their values in the light and the dark theme."""


def color(tint: int, theme: Theme = "light") -> str:
    """Return the color of a tint as ``#rrggbb``."""
    pieces, plain, deep = (PIECES, PLAIN, DEEP) if theme == "light" else (DARK_PIECES, DARK_PLAIN, DARK_DEEP)
    if tint >= DEEP_TINTS:
        return deep[(tint - DEEP_TINTS) % len(deep)]
    return plain[tint] if tint < 0 else pieces[tint % len(pieces)]


@lru_cache(maxsize=4096)
def shade(tint: int, strength: float, theme: Theme = "light") -> str:
    """Return the color of a tint mixed with paper; `strength` is the share of the tint, from 0 to 1.

    >>> shade(0, 1), shade(0, 0.5)
    ('#5bbab6', '#addddb')
    """
    return mix(color(-1, theme), color(tint, theme), strength)


def mix(paper: str, full: str, share: float) -> str:
    """Return a color between two; `share` is that of `full`, from 0 to 1."""
    parts = zip(rgb(paper), rgb(full), strict=True)
    return "#" + "".join(f"{int(one + (other - one) * share + 0.5):02x}" for one, other in parts)


def rgb(color: str) -> tuple[int, int, int]:
    """Return ``#rrggbb`` as three numbers from 0 to 255.

    >>> rgb("#ff8000")
    (255, 128, 0)
    """
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


@lru_cache(maxsize=4096)
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
