"""Pictures as SVG: the same input gives the same bytes.

Attributes have the light colors. Classes name the colors, so that a style can change them in the dark theme.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from exactcover.control.arguments import check_arguments, read_whole
from exactcover.pictures.palette import DARK_INK, FONT, INK, PLAIN, TOKENS, shade, text_on
from exactcover.pictures.shapes import BLOCKED, PAPER, Cell, Corner, Disc, Fill, Picture, Tile, fill
from exactcover.pictures.text import ELLIPSIS, cut, printable

UNIT = 40  # side of a cell
_ON_PAPER, _ON_COLOR, _SMALLEST = 0.52 * UNIT, 0.4 * UNIT, 0.2 * UNIT  # largest and smallest sizes of text
_PER_LETTER = 1.35  # the size of a text of one letter that fills the width of a cell, in widths
_WIDE, _OUTLINE, _THIN = 3, 2, 1
_THIN_ON_COLOR, _THIN_ON_PAPER = 0.16, 0.3  # opacity of thin lines

MAX_PICTURES = 60
"""The default for the largest number of pictures on a sheet."""

_MARGIN = 24
_GAP = 40
_LINE = 0.4 * UNIT  # size of captions and notes
_SMALL_LINE = 0.09  # the same of small pictures, in widths of a picture
_MOST_COLUMNS = 12  # of a picture for that
_CAPTION_WIDTH = 12 * UNIT  # that captions may use if pictures are narrower

_COLORED = 0.25  # the least strength of a color that counts as one


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
            look = colors.stroke(Stroke(True, False)) if mark.hollow else colors.ink(behind)
            yield f'<circle cx="{x}" cy="{y}" r="{UNIT * 0.3:.0f}" {look}/>'
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
    style += ' font-family="monospace"' if words[0] in ("I", "l") else ""  # in which they are no bare bars
    ink = colors.ink(writing.fill)
    title = make_tooltip(whole, " ".join(words))
    if len(words) == 1:
        return f'<text x="{x}" y="{y}" dy="0.35em" {style} {ink}>{title}{escape(words[0])}</text>'
    lines_of_text = "".join(
        f'<tspan x="{x}" dy="{1.1 if number else 0.9 - 0.55 * len(words):.2f}em">{escape(word)}</tspan>'
        for number, word in enumerate(words)
    )
    return f'<text y="{y}" {style} {ink}>{title}{lines_of_text}</text>'


@check_arguments
def contact_sheet(
    pictures: Iterable[Picture],
    *,
    title: str | None = None,
    total: int | None = None,
    more: bool = False,
    most: int = MAX_PICTURES,
    note: str = "",
    aspect: float = 4 / 3,
    small: bool = False,
) -> str:
    """Return one SVG document with the pictures in rows.

    Parameters
    ----------
    pictures
        At least one; those after the first `most` are not shown, and the note says so.
    title
        A description for people who cannot see the sheet, also shown as the title of the window; by default the title
        of the first picture.
    total
        The number of solutions, if `pictures` does not contain all of them.
    more
        Whether the note says that there may be more solutions.
    most
        The largest number of pictures on the sheet.
    note
        The line at the foot; by default, it says how many solutions are shown if not all of them are.
    aspect
        The width of the sheet divided by its height, which the rows approach.
    small
        Whether the pictures will be small: colored places have no texts, and captions grow with the pictures.

    Raises
    ------
    ValueError
        If there is no picture, or `most` is less than 1.
    """
    pictures = list(pictures)
    most = read_whole("most", most, 1)
    if not pictures:
        raise ValueError("a sheet needs at least one picture")
    shown = pictures[:most]
    note = note or describe_rest(len(shown), max(total or 0, len(pictures)), more=more)
    sheet = _Sheet.arrange(shown, note, aspect, small=small)
    name = title or (shown[0].title if len(shown) == 1 else f"{len(shown)} solutions: {shown[0].title}")
    colors = Colors()
    lines: list[str] = []
    for position, picture in enumerate(shown):
        left, top = sheet.corner(position, picture)
        lines.append(f'<g transform="translate({left} {top})">')
        if len(shown) > 1:
            lines.append(f"<title>{_xml(picture.title)}</title>")
        lines += draw_picture(picture, colors, small=small)
        if picture.caption:
            x, y = picture.columns * UNIT // 2, picture.rows * UNIT + round(1.2 * sheet.line) + 11
            room = sheet.width + (_GAP // 2 if sheet.across > 1 else 0)
            lines.append(_draw_line(picture.caption, x, y, sheet.line, room))
        lines.append("</g>")
    if note:
        lines.append(_draw_line(note, sheet.full_width // 2, sheet.full_height - _MARGIN, _LINE))
    return "\n".join([*sheet.head(name, colors), *lines, "</svg>", ""])


class _Sheet(NamedTuple):
    """The layout of a sheet: pictures in a grid, all lengths in pixels.

    `across` is the number of pictures in a row, `width` and `height` are the room for each of them. `grid_width`
    includes the margins; the whole sheet can be wider.
    """

    across: int
    width: int
    height: int
    grid_width: int
    full_width: int
    full_height: int
    line: float  # size of captions

    @classmethod
    def arrange(cls, pictures: Sequence[Picture], note: str, aspect: float, *, small: bool) -> _Sheet:
        """Return the layout for some pictures and a note at the foot."""
        columns = max(picture.columns for picture in pictures)
        line = max(_LINE, _SMALL_LINE * min(columns, _MOST_COLUMNS) * UNIT) if small else _LINE
        captions = math.ceil(max(len(printable(picture.caption)) for picture in pictures) * line * 0.53)
        width = max(columns * UNIT, min(captions, _CAPTION_WIDTH))
        height = max(picture.rows for picture in pictures) * UNIT
        height += _room_below(line) if any(picture.caption for picture in pictures) else 0
        ratio = (height + _GAP) / (width + _GAP) * aspect  # of rows to columns
        across = max(1, min(len(pictures), round(math.sqrt(len(pictures) * ratio))))
        down = math.ceil(len(pictures) / across)
        grid_width = across * (width + _GAP) - _GAP + 2 * _MARGIN
        full_width = max(grid_width, math.ceil(len(note) * UNIT * 0.24) + 2 * _MARGIN)
        full_height = down * (height + _GAP) - _GAP + 2 * _MARGIN + (_GAP if note else 0)
        return cls(across, width, height, grid_width, full_width, full_height, line)

    def head(self, name: str, colors: Colors) -> Iterator[str]:
        """Yield the start of the document."""
        shrink = min(1.0, 1600 / self.full_width)
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.full_width} {self.full_height}"'
            f' width="{self.full_width * shrink:.0f}" height="{self.full_height * shrink:.0f}"'
            f' role="img" aria-label="{_xml(name)}" font-family="{escape(FONT)}">'
        )
        yield f"<title>{_xml(name)}</title>"
        yield colors.style()
        yield f'<rect class="paper" width="{self.full_width}" height="{self.full_height}" fill="{PLAIN[-1]}"/>'

    def corner(self, position: int, picture: Picture) -> tuple[int, int]:
        """Return the left and upper edge of a picture, centered in its room; positions count from 0."""
        left = _MARGIN + (self.full_width - self.grid_width) // 2 + position % self.across * (self.width + _GAP)
        top = _MARGIN + position // self.across * (self.height + _GAP)
        height = picture.rows * UNIT + (_room_below(self.line) if picture.caption else 0)
        return left + (self.width - picture.columns * UNIT) // 2, top + (self.height - height) // 2


def _room_below(line: float) -> int:
    """Return the room below a picture that a caption of this size needs."""
    return round(1.5 * line + 16)


def _xml(text: str) -> str:
    """Return text escaped for XML."""
    return escape(printable(text))


def _draw_line(text: str, x: int, y: int, size: float, room: float = math.inf) -> str:
    """Return a line of text centered at x, shortened to the width `room`."""
    whole = printable(text)
    short = whole if math.isinf(room) else cut(whole, max(2, int(room / (size * 0.53))))
    place = f'<text x="{x}" y="{y}" text-anchor="middle" font-size="{size:.0f}" class="ink" fill="{INK}">'
    return f"{place}{make_tooltip(whole, short)}{escape(short)}</text>"


def describe_rest(shown: int, total: int, *, more: bool) -> str:
    """Return how many solutions are shown, if not all of them are."""
    if more:
        return f"the first {'solution' if shown == 1 else f'{shown} solutions'}; there may be more"
    return f"{shown:,} of {total:,} solutions" if total > shown else ""


class Stroke(NamedTuple):
    """The look of a line: an outline or not, between colors or not, its opacity, and wide or not."""

    outline: bool
    colored: bool
    strength: float = 1.0
    wide: bool = False


Side = tuple[Corner, Corner]
"""The ends of a line, the left or upper one first."""


def list_strokes(picture: Picture) -> dict[Stroke, list[Side]]:
    """Return the lines of a picture by their look, thin lines first; each line is as long as possible."""
    found: dict[Stroke, dict[Side, None]] = defaultdict(dict)
    for stroke, side in (*_list_cell_lines(picture), *_list_tile_lines(picture)):
        found[stroke].setdefault(side)
    return {stroke: list(_join(found[stroke])) for stroke in sorted(found)}


def _list_cell_lines(picture: Picture) -> Iterator[tuple[Stroke, Side]]:
    cells = picture.cells
    for (row, column), cell in sorted(cells.items()):
        for down, right in ((0, -1), (-1, 0), (0, 1), (1, 0)):
            other = cells.get((row + down, column + right))
            if other is not None and down + right > 0:
                continue  # the other cell draws it
            stroke = _choose_stroke(picture, cell, other)
            if stroke is not None:
                x, y = column + (right > 0), row + (down > 0)
                yield stroke, ((x, y), (x + (down != 0), y + (right != 0)))
    for edge in picture.named_edges:
        places = [(edge.row, edge.column), (edge.row - (not edge.down), edge.column - edge.down)]
        near = [cell for cell in map(cells.get, places) if cell is not None]
        stroke = Stroke(True, any(_is_colored(picture, one) for one in near), edge.strength)
        yield stroke, ((edge.column, edge.row), (edge.column + (not edge.down), edge.row + edge.down))


def _choose_stroke(picture: Picture, one: Cell | Tile, other: Cell | Tile | None) -> Stroke | None:
    """Return the look of the line between two places, or None if there is no line."""
    if one.region is None and (other is None or other.region is None):
        return None
    if other is None or one.region != other.region:
        colored = any(shape is not None and _is_colored(picture, shape) for shape in (one, other))
        return Stroke(True, colored and other is not None, wide=picture.grid and isinstance(one, Cell))
    tints = picture.tint(one), picture.tint(other)
    if (tints[0] != tints[1] and not picture.grid) or tints == (BLOCKED, BLOCKED):
        return None  # shades tell the places apart
    return Stroke(False, _is_colored(picture, one) or _is_colored(picture, other))


def _is_colored(picture: Picture, shape: Cell | Tile) -> bool:
    return picture.tint(shape) >= 0 and picture.strength(shape) >= _COLORED


def _list_tile_lines(picture: Picture) -> Iterator[tuple[Stroke, Side]]:
    owners: dict[Side, list[Tile]] = defaultdict(list)
    for tile in picture.tiles:
        corners = [(round(x, 3), round(y, 3)) for x, y in tile.outline]
        for one, other in pairwise([*corners, corners[0]]):
            owners[min(one, other), max(one, other)].append(tile)
    for side, tiles in owners.items():
        bordered = [tile for tile in tiles if tile.region is not None]
        if bordered and any(sum(other.region == tile.region for other in bordered) == 1 for tile in bordered):
            colored = any(_is_colored(picture, tile) for tile in tiles)
            yield Stroke(True, colored and len(tiles) > 1), side
        elif len(bordered) == 2 and all(tile.row is not None for tile in bordered):
            stroke = _choose_stroke(picture, *bordered)
            if stroke is not None:
                yield stroke, side


def _join(sides: Iterable[Side]) -> Iterator[Side]:
    """Join lines along an axis that lie end to end."""
    remaining = set(sides)
    for side in sorted(remaining, key=lambda side: (side[0][0] == side[1][0], side[0][1], side[0][0])):
        if side not in remaining:
            continue
        remaining.remove(side)
        (x, y), end = side
        along = (end[0] - x, end[1] - y)
        while 0 in along and (following := (end, (end[0] + along[0], end[1] + along[1]))) in remaining:
            remaining.remove(following)
            end = following[1]
        yield (x, y), end
