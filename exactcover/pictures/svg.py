"""Pictures as SVG: the same input gives the same bytes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from exactcover.control.arguments import check_arguments, check_whole
from exactcover.pictures.fills import fill_color, fill_colors
from exactcover.pictures.palette import INK, PLAIN, text_on
from exactcover.pictures.shapes import Corner, Disc, Edge, Picture, Tile
from exactcover.pictures.text import ELLIPSIS, cut, printable

__all__ = ["MAX_PICTURES", "contact_sheet"]

MAX_PICTURES = 60
"""The default for the largest number of pictures on a sheet."""

_UNIT = 40  # side of a cell
_MARGIN = 20
_GAP = 40
_LARGEST, _SMALLEST = 0.52 * _UNIT, 0.2 * _UNIT  # largest and smallest size of text in a cell
_LINE = 0.45 * _UNIT  # size of captions and notes
_CAPTION_WIDTH = 12 * _UNIT  # that captions may use if pictures are narrower
_FONT = "Inter, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"


@check_arguments
def contact_sheet(
    pictures: Iterable[Picture],
    *,
    title: str | None = None,
    total: int | None = None,
    more: bool = False,
    most: int = MAX_PICTURES,
    note: str = "",
) -> str:
    """Return one SVG document with the pictures in rows; the sheet is about 4 wide to 3 high.

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

    Raises
    ------
    ValueError
        If there is no picture, or `most` is less than 1.
    """
    pictures = list(pictures)
    check_whole("most", most, 1)
    if not pictures:
        raise ValueError("a sheet needs at least one picture")
    shown = pictures[:most]
    note = note or _describe_rest(len(shown), max(total or 0, len(pictures)), more)
    sheet = _Sheet.arrange(shown, note)
    name = title or (shown[0].title if len(shown) == 1 else f"{len(shown)} solutions: {shown[0].title}")
    lines = list(sheet.head(name))
    for position, picture in enumerate(shown):
        left, top = sheet.corner(position, picture)
        lines.append(f'<g transform="translate({left} {top})">')
        if len(shown) > 1:
            lines.append(f"<title>{_xml(picture.title)}</title>")
        lines += [*_draw_cells(picture), *_draw_tiles(picture), *_draw_borders(picture), *_draw_marks(picture)]
        if picture.caption:
            x, y = picture.columns * _UNIT // 2, _height(picture) - _GAP // 4
            lines.append(_draw_line(picture.caption, x, y, sheet.caption_width))
        lines.append("</g>")
    if note:
        lines.append(_draw_line(note, sheet.full_width // 2, sheet.full_height - _MARGIN))
    return "\n".join([*lines, "</svg>", ""])


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

    @classmethod
    def arrange(cls, pictures: Sequence[Picture], note: str) -> _Sheet:
        """Return the layout for some pictures and a note at the foot."""
        captions = math.ceil(max(len(printable(picture.caption)) for picture in pictures) * _LINE * 0.53)
        width = max(max(picture.columns for picture in pictures) * _UNIT, min(captions, _CAPTION_WIDTH))
        height = max(picture.rows for picture in pictures) * _UNIT
        height += _GAP if any(picture.caption for picture in pictures) else 0
        across = _fit_across(len(pictures), width + _GAP, height + _GAP)
        down = math.ceil(len(pictures) / across)
        grid_width = across * (width + _GAP) - _GAP + 2 * _MARGIN
        full_width = max(grid_width, math.ceil(len(note) * _UNIT * 0.24) + 2 * _MARGIN)
        full_height = down * (height + _GAP) - _GAP + 2 * _MARGIN + (_GAP if note else 0)
        return cls(across, width, height, grid_width, full_width, full_height)

    def head(self, name: str) -> Iterator[str]:
        """Yield the start of the document."""
        shrink = min(1.0, 1600 / self.full_width)
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.full_width} {self.full_height}"'
            f' width="{self.full_width * shrink:.0f}" height="{self.full_height * shrink:.0f}"'
            f' role="img" aria-label="{_xml(name)}" font-family="{escape(_FONT)}">'
        )
        yield f"<title>{_xml(name)}</title>"
        yield f'<rect width="{self.full_width}" height="{self.full_height}" fill="#ffffff"/>'

    def corner(self, position: int, picture: Picture) -> tuple[int, int]:
        """Return the left and upper edge of a picture, centered in its room; positions count from 0."""
        left = _MARGIN + (self.full_width - self.grid_width) // 2 + position % self.across * (self.width + _GAP)
        top = _MARGIN + position // self.across * (self.height + _GAP)
        return left + (self.width - picture.columns * _UNIT) // 2, top + (self.height - _height(picture)) // 2

    @property
    def caption_width(self) -> int:
        """The room for a caption."""
        return self.width + (_GAP // 2 if self.across > 1 else 0)


def _height(picture: Picture) -> int:
    return picture.rows * _UNIT + (_GAP if picture.caption else 0)


def _xml(text: str) -> str:
    """Return text escaped for XML."""
    return escape(printable(text))


def _draw_line(text: str, x: int, y: int, room: float = math.inf) -> str:
    """Return a line of text centered at x, shortened to the width `room`."""
    whole = printable(text)
    short = whole if math.isinf(room) else cut(whole, max(2, int(room / (_LINE * 0.53))))
    place = f'<text x="{x}" y="{y}" text-anchor="middle" font-size="{_LINE:.0f}" fill="{INK}">'
    return f"{place}{_tooltip(whole, short)}{escape(short)}</text>"


def _tooltip(whole: str, short: str) -> str:
    """Return a tooltip with the whole text if it is shortened; else nothing."""
    return f"<title>{escape(whole)}</title>" if short != whole else ""


def _fit_across(count: int, width: int, height: int) -> int:
    """Return how many pictures stand in a row, for a sheet of about 4 wide to 3 high."""
    return max(1, min(count, round(math.sqrt(count * height / width * 4 / 3))))


def _describe_rest(shown: int, total: int, more: bool) -> str:
    if more:
        return f"the first {'solution' if shown == 1 else f'{shown} solutions'}; there may be more"
    return f"{shown} of {total} solutions" if total > shown else ""


def _draw_cells(picture: Picture) -> Iterator[str]:
    """Yield one path per color; cells overlap slightly, so that no seams show."""
    places: dict[str, list[tuple[int, int]]] = {}
    for place, color in sorted(fill_colors(picture).items()):
        if place in picture.cells:
            places.setdefault(color, []).append(place)
    for color, cells in places.items():
        squares = "".join(f"M{c * _UNIT} {r * _UNIT}h{_UNIT}v{_UNIT}h-{_UNIT}z" for r, c in cells)
        yield f'<path fill="{color}" stroke="{color}" stroke-width="0.6" d="{squares}"/>'


def _draw_tiles(picture: Picture) -> Iterator[str]:
    """Yield one path per color of tiles, and one for their borders."""
    outlines: dict[str, str] = {}
    for tile in picture.tiles:
        corners = " ".join(f"{x * _UNIT:.1f} {y * _UNIT:.1f}" for x, y in tile.outline)
        color = fill_color(picture, tile)
        outlines[color] = f"{outlines.get(color, '')}M{corners}z"
    for color, lines in outlines.items():
        yield f'<path fill="{color}" stroke="{color}" stroke-width="0.6" d="{lines}"/>'
    borders = "".join(
        f"M{one[0] * _UNIT:.1f} {one[1] * _UNIT:.1f}L{other[0] * _UNIT:.1f} {other[1] * _UNIT:.1f}"
        for one, other in picture.sides()
    )
    if borders:
        yield f'<path fill="none" stroke="{INK}" stroke-width="2.5" stroke-linecap="round" d="{borders}"/>'


def _draw_borders(picture: Picture) -> Iterator[str]:
    if picture.grid:
        thin = "".join(f"M{c * _UNIT} {r * _UNIT}h{_UNIT}v{_UNIT}h-{_UNIT}z" for r, c in sorted(picture.cells))
        yield f'<path fill="none" stroke="{INK}" stroke-opacity="0.35" stroke-width="1" d="{thin}"/>'
    strokes: dict[float, str] = {}
    for edge, length in _join_edges(picture.edges()):
        strokes[edge.strength] = strokes.get(edge.strength, "") + _draw_stroke(edge, length)
    for strength, lines in sorted(strokes.items()):
        faint = f' stroke-opacity="{strength:.3f}"' if strength < 1 else ""
        yield (
            f'<path fill="none" stroke="{INK}"{faint} stroke-width="3" stroke-linecap="round"'
            f' stroke-linejoin="round" d="{lines}"/>'
        )


def _join_edges(edges: Iterable[Edge]) -> Iterator[tuple[Edge, int]]:
    """Join equal units of border that lie end to end; yield the first unit and the length of each line."""
    remaining = set(edges)
    for edge in sorted(remaining, key=lambda edge: (edge.down, edge.row, edge.column)):
        if edge not in remaining:
            continue
        length = 0
        row, column = edge.row, edge.column
        while (unit := Edge(row, column, edge.down, edge.strength)) in remaining:
            remaining.remove(unit)
            length += 1
            row, column = row + edge.down, column + (not edge.down)
        yield edge, length


def _draw_stroke(edge: Edge, length: int) -> str:
    return f"M{edge.column * _UNIT} {edge.row * _UNIT}{'v' if edge.down else 'h'}{length * _UNIT}"


def _draw_marks(picture: Picture) -> Iterator[str]:
    colors = fill_colors(picture)
    texts: list[_PlacedText] = []
    for (row, column), mark in sorted(picture.marks.items()):
        shape = picture.placed.get((row, column))
        middle = shape.middle if isinstance(shape, Tile) else (column + 0.5, row + 0.5)
        ink = text_on(colors.get((row, column), PLAIN[-1]))
        if isinstance(mark, Disc):
            x, y = round(middle[0] * _UNIT), round(middle[1] * _UNIT)
            yield f'<circle cx="{x}" cy="{y}" r="{_UNIT * 0.33:.1f}" fill="{ink}"/>'
        else:
            room = shape.room if isinstance(shape, Tile) else 1.0
            texts.append(_PlacedText(mark.text, middle, ink, room, mark.strong))
    yield from _draw_texts(texts)
    tiles = [tile for tile in picture.tiles if tile.text]
    yield from _draw_texts(
        [_PlacedText(tile.text, tile.middle, text_on(fill_color(picture, tile)), tile.room) for tile in tiles]
    )


class _PlacedText(NamedTuple):
    """A text in the middle of a place; `middle` and `room`, its width and height, are in sides of a cell."""

    text: str
    middle: Corner
    ink: str
    room: float
    strong: bool = False

    @property
    def words(self) -> list[str]:
        """The words, one per line."""
        whole = printable(self.text)
        return whole.split() or [whole]

    @property
    def size(self) -> float:
        """The largest possible font size, with one word per line."""
        longest = max(1, *map(len, self.words))
        return min(_LARGEST, _UNIT * 1.5 * self.room / longest, _UNIT * 0.8 * self.room / len(self.words))


def _draw_texts(texts: Sequence[_PlacedText]) -> Iterator[str]:
    """Yield texts in one common size; texts that do not fit in the smallest readable size are shortened."""
    size = max(_SMALLEST, min((one.size for one in texts), default=_LARGEST))
    for one in texts:
        yield _draw_text(one, size)


def _draw_text(writing: _PlacedText, size: float) -> str:
    """Return a text with one word per line."""
    whole, words = " ".join(writing.words), writing.words
    if size > writing.size:
        longest, lines = (max(1, int(room * writing.room * _UNIT / size + 0.01)) for room in (1.6, 0.8))
        kept = [cut(word, longest) for word in words[:lines]]
        words = kept if len(words) <= lines else [*kept[:-1], cut(kept[-1] + ELLIPSIS, longest)]
    x, y = (round(part * _UNIT) for part in writing.middle)
    style = f'text-anchor="middle" font-size="{size:.1f}"' + (' font-weight="700"' if writing.strong else "")
    title = _tooltip(whole, " ".join(words))
    if len(words) == 1:
        return f'<text x="{x}" y="{y}" dy="0.35em" {style} fill="{writing.ink}">{title}{escape(words[0])}</text>'
    lines_of_text = "".join(
        f'<tspan x="{x}" dy="{1.1 if number else 0.9 - 0.55 * len(words):.2f}em">{escape(word)}</tspan>'
        for number, word in enumerate(words)
    )
    return f'<text y="{y}" {style} fill="{writing.ink}">{title}{lines_of_text}</text>'
