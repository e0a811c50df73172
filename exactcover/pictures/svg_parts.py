"""The parts of a picture as SVG: colored places, lines, texts and discs.

Attributes have the light colors. Classes name the colors, so that a style can change them in the dark theme.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from exactcover.pictures.fills import Fill, fill
from exactcover.pictures.palette import DARK_INK, INK, TOKENS, shade, text_on
from exactcover.pictures.shapes import PAPER, Corner, Disc, Picture, Tile
from exactcover.pictures.strokes import Stroke, list_strokes
from exactcover.pictures.text import ELLIPSIS, cut, printable

__all__ = ["UNIT", "Colors", "draw_picture", "make_tooltip"]

UNIT = 40  # side of a cell
_ON_PAPER, _ON_COLOR, _SMALLEST = 0.52 * UNIT, 0.4 * UNIT, 0.2 * UNIT  # largest and smallest sizes of text
_PER_LETTER = 1.35  # the size of a text of one letter that fills the width of a cell, in widths
_WIDE, _OUTLINE, _THIN = 3, 2, 1
_THIN_ON_COLOR, _THIN_ON_PAPER = 0.16, 0.3  # opacity of thin lines


class Colors:
    """The colors that are used so far."""

    def __init__(self) -> None:
        self._rules: dict[str, str] = {}

    def fill(self, fill: Fill) -> str:
        """Return the attributes of what is filled with a color."""
        tint, strength = fill
        name = f"t{tint}" if strength == 1 else f"t{tint}-{round(100 * strength)}"
        light, dark = shade(tint, strength), shade(tint, strength, "dark")
        self._rules[f".{name}"] = f"fill:{dark};stroke:{dark}"
        return f'class="{name}" fill="{light}" stroke="{light}"'

    def ink(self, behind: Fill) -> str:
        """Return the attributes of text, given the color behind it."""
        light, dark = text_on(shade(*behind)), text_on(shade(*behind, "dark"))
        name = "on-light" if dark == INK else "on-dark"
        self._rules[f".{name}"] = f"fill:{INK if dark == INK else DARK_INK}"
        return f'class="{name}" fill="{light}"'

    def stroke(self, stroke: Stroke) -> str:
        """Return the attributes of lines."""
        name = "outline" if stroke.colored else "rule"
        self._rules[f".{name}"] = f"stroke:{TOKENS[name][1]}"
        opacity = stroke.strength
        if not stroke.outline:
            opacity *= _THIN_ON_COLOR if stroke.colored else _THIN_ON_PAPER
        faint = f' stroke-opacity="{opacity:.3g}"' if opacity < 1 else ""
        width = _WIDE if stroke.wide else _OUTLINE if stroke.outline else _THIN
        return f'class="{name}" fill="none" stroke="{INK}" stroke-width="{width}" stroke-linecap="round"{faint}'

    def style(self) -> str:
        """Return the style for the dark theme."""
        rules = {".paper": f"fill:{TOKENS['paper'][1]}", ".ink": f"fill:{DARK_INK}"} | self._rules
        inside = "".join(f"{name}{{{rule}}}" for name, rule in sorted(rules.items()))
        return f"<style>@media screen and (prefers-color-scheme:dark){{{inside}}}</style>"


def draw_picture(picture: Picture, colors: Colors, *, small: bool = False) -> Iterator[str]:
    """Yield the elements of a picture; a small one has no texts on colors."""
    yield from _draw_places(picture, colors)
    for stroke, sides in list_strokes(picture).items():
        lines = "".join(_draw_side(one, other) for one, other in sides)
        yield f'<path {colors.stroke(stroke)} d="{lines}"/>'
    for dashes in picture.dashes:
        lines = "".join(_draw_side(one, other) for one, other in dashes.sides)
        yield f'<path {colors.stroke(Stroke(True, False))} stroke-dasharray="2 4" d="{lines}"/>'
    yield from _draw_marks(picture, colors, small=small)


def _draw_places(picture: Picture, colors: Colors) -> Iterator[str]:
    """Yield one path per color; places overlap slightly, so that no seams show."""
    paths: dict[Fill, str] = {}
    for (row, column), cell in sorted(picture.cells.items()):
        color = fill(picture, cell)
        square = f"M{column * UNIT} {row * UNIT}h{UNIT}v{UNIT}h-{UNIT}z"
        paths[color] = paths.get(color, "") + square
    for tile in picture.tiles:
        color = fill(picture, tile)
        corners = " ".join(f"{_round(x)} {_round(y)}" for x, y in tile.outline)
        paths[color] = f"{paths.get(color, '')}M{corners}z"
    for color, path in paths.items():
        yield f'<path {colors.fill(color)} stroke-width="0.6" d="{path}"/>'


def _draw_side(one: Corner, other: Corner) -> str:
    start, across, down = f"M{_round(one[0])} {_round(one[1])}", other[0] - one[0], other[1] - one[1]
    if not down:
        return f"{start}h{_round(across)}"
    return f"{start}v{_round(down)}" if not across else f"{start}L{_round(other[0])} {_round(other[1])}"


def _round(length: float) -> str:
    """Return a length in cells as one in units, with at most one digit after the point."""
    return f"{length * UNIT:.1f}".removesuffix(".0")


def make_tooltip(whole: str, short: str) -> str:
    """Return a tooltip with the whole text if it is shortened; else nothing."""
    return f"<title>{escape(whole)}</title>" if short != whole else ""


def _draw_marks(picture: Picture, colors: Colors, *, small: bool) -> Iterator[str]:
    texts: list[_PlacedText] = []
    for (row, column), mark in sorted(picture.marks.items()):
        shape = picture.placed.get((row, column))
        middle = shape.middle if isinstance(shape, Tile) else (column + 0.5, row + 0.5)
        behind = (PAPER, 1.0) if shape is None else fill(picture, shape)
        if isinstance(mark, Disc):
            x, y = _round(middle[0]), _round(middle[1])
            yield f'<circle cx="{x}" cy="{y}" r="{UNIT * 0.3:.0f}" {colors.ink(behind)}/>'
        elif not (small and behind[0] >= 0):
            room = shape.room if isinstance(shape, Tile) else (1.0, 1.0)
            texts.append(_PlacedText(mark.text, middle, behind, room, mark.strong))
    yield from _draw_texts(texts, colors)
    own = [
        _PlacedText(tile.text, tile.middle, fill(picture, tile), tile.room)
        for tile in picture.tiles
        if tile.text and not small
    ]
    yield from _draw_texts(own, colors)


class _PlacedText(NamedTuple):
    """A text in the middle of a place; `middle` and `room`, the width and height, are in sides of a cell."""

    text: str
    middle: Corner
    fill: Fill
    room: tuple[float, float]
    strong: bool = False

    @property
    def words(self) -> list[str]:
        """The lines: one word each, or the whole text if there is more width than height."""
        whole = printable(self.text)
        return [whole] if self.room[0] > 1.5 * self.room[1] else whole.split() or [whole]

    @property
    def size(self) -> float:
        """The largest possible font size, with one word per line."""
        longest = max(1, *map(len, self.words))
        largest = _ON_COLOR if self.fill[0] >= 0 else _ON_PAPER
        return min(largest, UNIT * _PER_LETTER * self.room[0] / longest, UNIT * 0.8 * self.room[1] / len(self.words))


def _draw_texts(texts: Sequence[_PlacedText], colors: Colors) -> Iterator[str]:
    """Yield texts in one common size; texts that do not fit in the smallest readable size are shortened."""
    size = max(_SMALLEST, min((one.size for one in texts), default=_ON_PAPER))
    for one in texts:
        yield _draw_text(one, size, colors)


def _draw_text(writing: _PlacedText, size: float, colors: Colors) -> str:
    """Return a text with one word per line."""
    whole, words = " ".join(writing.words), writing.words
    if size > writing.size:
        widths = 1.6 * writing.room[0], 0.8 * writing.room[1]
        longest, lines = (max(1, int(width * UNIT / size + 0.01)) for width in widths)
        kept = [cut(word, longest) for word in words[:lines]]
        words = kept if len(words) <= lines else [*kept[:-1], cut(kept[-1] + ELLIPSIS, longest)]
    x, y = (round(part * UNIT) for part in writing.middle)
    style = f'text-anchor="middle" font-size="{size:.1f}"' + (' font-weight="700"' if writing.strong else "")
    ink = colors.ink(writing.fill)
    title = make_tooltip(whole, " ".join(words))
    if len(words) == 1:
        return f'<text x="{x}" y="{y}" dy="0.35em" {style} {ink}>{title}{escape(words[0])}</text>'
    lines_of_text = "".join(
        f'<tspan x="{x}" dy="{1.1 if number else 0.9 - 0.55 * len(words):.2f}em">{escape(word)}</tspan>'
        for number, word in enumerate(words)
    )
    return f'<text y="{y}" {style} {ink}>{title}{lines_of_text}</text>'
