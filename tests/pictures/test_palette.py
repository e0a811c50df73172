"""Colors stay apart for everybody, text can be read on them, and the page about style states both as they are."""

import itertools
import math
import re
from pathlib import Path

import pytest

from exactcover.pictures.palette import (
    DARK_DEEP,
    DARK_PIECES,
    DEEP,
    DEEP_TINTS,
    PIECES,
    TOKENS,
    Theme,
    color,
    rgb,
    shade,
    text_on,
)
from exactcover.viewer.page import shared_style

STYLE = Path(__file__).parents[2] / "docs" / "style.md"

# Dichromatic vision after Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
VISIONS = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
OKLAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def transform(matrix: tuple[tuple[float, ...], ...], values: list[float]) -> list[float]:
    return [sum(m * v for m, v in zip(row, values, strict=True)) for row in matrix]


def linearize(color: str) -> list[float]:
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (part / 255 for part in rgb(color))]


def oklab(color: str, vision: str) -> list[float]:
    seen = [min(1, max(0, part)) for part in transform(VISIONS[vision], linearize(color))]
    return transform(OKLAB, [part ** (1 / 3) for part in transform(CONES, seen)])


def least_distance(colors: tuple[str, ...], vision: str) -> float:
    seen = [oklab(color, vision) for color in colors]
    pairs = itertools.combinations(seen, 2)
    return float(min(sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) for one, other in pairs) ** 0.5)


@pytest.mark.parametrize("vision", VISIONS)
def test_colors_of_pieces_stay_apart_for_everybody(vision: str) -> None:
    least = [least_distance(colors, vision) for colors in (PIECES, DARK_PIECES)]
    assert min(least) > 0.08
    stated = re.search(rf"\| {vision} \| ([0-9.]+) \| ([0-9.]+) \|", STYLE.read_text("utf-8"))
    assert stated is not None
    assert [float(number) for number in stated.groups()] == pytest.approx(least, abs=0.0006)


def test_colors_of_pieces_are_calm() -> None:
    for one in (*PIECES, *DARK_PIECES):
        _, a, b = oklab(one, "normal")
        assert (a * a + b * b) ** 0.5 < 0.122


@pytest.mark.parametrize(("pieces", "deep", "way"), [(PIECES, DEEP, -1), (DARK_PIECES, DARK_DEEP, 1)])
def test_deep_colors_have_the_hue_of_their_piece(pieces: tuple[str, ...], deep: tuple[str, ...], way: int) -> None:
    for one, other in zip(pieces, deep, strict=True):
        (light, *mine), (lighter, *theirs) = oklab(one, "normal"), oklab(other, "normal")
        turned = (math.atan2(*mine[::-1]) - math.atan2(*theirs[::-1]) + math.pi) % (2 * math.pi) - math.pi
        assert abs(turned) < 0.1 and way * (lighter - light) > 0.04


def contrast(one: str, other: str) -> float:
    luminances = (transform(((0.2126, 0.7152, 0.0722),), linearize(color)) for color in (one, other))
    dark, light = sorted(luminance + 0.05 for (luminance,) in luminances)
    return light / dark


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_can_be_read_on_every_color(theme: Theme) -> None:
    for tint in range(-3, len(PIECES)):
        background = color(tint, theme)
        assert contrast(background, text_on(background)) >= 4.5
    for tint, strength in itertools.product(range(len(PIECES)), range(0, 101, 5)):  # of heat maps
        background = shade(DEEP_TINTS + tint, strength / 100, theme)
        assert contrast(background, text_on(background)) >= 4.09  # numbers of heat maps are large
    for strength in range(101):  # a color between the two inks has the least contrast
        background = shade(9, strength / 100, theme)
        assert contrast(background, text_on(background)) >= 4.0


@pytest.mark.parametrize("theme", [0, 1])
def test_texts_of_pages_can_be_read(theme: int) -> None:
    tokens = {name: both[theme] for name, both in TOKENS.items()}
    for text in ("ink", "soft", "accent", "mark", "good"):
        for background in ("paper", "panel", "wash"):
            if (text, background) != ("soft", "wash"):
                assert contrast(tokens[text], tokens[background]) >= 4.5, (text, background)
    assert contrast(tokens["on-accent"], tokens["accent"]) >= 4.5


def test_the_page_about_style_states_the_colors() -> None:
    text = STYLE.read_text("utf-8")
    for name, both in TOKENS.items():
        if re.fullmatch(r"(tint|deep)-\d+", name) is None:
            row = next(line for line in text.splitlines() if line.startswith("|") and f"`--{name}`" in line)
            assert all(value in row for value in both), name


def test_pages_have_all_colors_in_both_themes() -> None:
    light, _, dark = shared_style().partition("prefers-color-scheme: dark")
    for name, both in TOKENS.items():
        assert f"--{name}: {both[0]};" in light and f"--{name}: {both[1]};" in dark
