"""Pictures as SVG: the same input gives the same bytes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from exactcover.pictures.fills import fill, fills
from exactcover.pictures.palette import INK, PLAIN, text_on
from exactcover.pictures.shapes import Corner, Disc, Edge, Picture, Tile
from exactcover.pictures.text import ELLIPSIS, cut, printable

__all__ = ["MOST_PICTURES", "contact_sheet"]

MOST_PICTURES = 60
"""How many pictures one sheet holds."""

_UNIT = 40  # side of a cell
_MARGIN = 20
_GAP = 40
_WORD, _LEAST_WORD = 0.52 * _UNIT, 0.2 * _UNIT  # sizes of text in a cell
_LINE = 0.45 * _UNIT  # size of text below a picture
_CAPTION_WIDTH = 12 * _UNIT  # that a caption may have beyond its picture
_FONT = "Inter, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"


def contact_sheet(
    pictures: Iterable[Picture],
    *,
    title: str | None = None,
    total: int | None = None,
    more: bool = False,
    most: int = MOST_PICTURES,
    note: str = "",
) -> str:
    """Return one SVG document that shows the pictures in rows, as nearly square as they fit.

    Parameters
    ----------
    pictures
        At least one; those after the first `most` are not shown, and a line at the foot says so.
    title
        For people who cannot see it, and the window's caption; by default the first picture's title.
    total
        How many there are, where not all are handed over.
    more
        Say that there may be even more than that.
    most
        How many pictures the sheet holds.
    note
        The line at the foot; by default how many pictures are not shown, if any.

    Raises
    ------
    ValueError
        If there is no picture, or the sheet holds none.
    """
    pictures = list(pictures)
    if not pictures or most < 1:
        raise ValueError("a sheet needs at least one picture")
    shown = pictures[:most]
    captions = math.ceil(max(len(printable(picture.caption)) for picture in shown) * _LINE * 0.53)
    width = max(max(picture.columns for picture in shown) * _UNIT, min(captions, _CAPTION_WIDTH))
    height = max(picture.rows for picture in shown) * _UNIT + (_GAP if any(each.caption for each in shown) else 0)
    across = _across(len(shown), width + _GAP, height + _GAP)
    down = math.ceil(len(shown) / across)
    note = note or _note(len(shown), max(total or 0, len(pictures)), more)
    drawn = across * (width + _GAP) - _GAP + 2 * _MARGIN
    full_width = max(drawn, math.ceil(len(note) * _UNIT * 0.24) + 2 * _MARGIN)
    full_height = down * (height + _GAP) - _GAP + 2 * _MARGIN + (_GAP if note else 0)
    name = title or (shown[0].title if len(shown) == 1 else f"{len(shown)} solutions: {shown[0].title}")
    shrink = min(1.0, 1600 / full_width)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full_width} {full_height}"'
        f' width="{full_width * shrink:.0f}" height="{full_height * shrink:.0f}"'
        f' role="img" aria-label="{_xml(name)}" font-family="{escape(_FONT)}">',
        f"<title>{_xml(name)}</title>",
        f'<rect width="{full_width}" height="{full_height}" fill="#ffffff"/>',
    ]
    for position, picture in enumerate(shown):
        left = (
            _MARGIN
            + (full_width - drawn) // 2
            + position % across * (width + _GAP)
            + (width - picture.columns * _UNIT) // 2
        )
        top = _MARGIN + position // across * (height + _GAP) + (height - _height(picture)) // 2
        lines.append(f'<g transform="translate({left} {top})">')
        if len(shown) > 1:
            lines.append(f"<title>{_xml(picture.title)}</title>")
        lines += [*_cells(picture), *_tiles(picture), *_borders(picture), *_marks(picture)]
        if picture.caption:
            room = width + (_GAP // 2 if across > 1 else 0)
            lines.append(_line(picture.caption, picture.columns * _UNIT // 2, _height(picture) - _GAP // 4, room))
        lines.append("</g>")
    if note:
        lines.append(_line(note, full_width // 2, full_height - _MARGIN))
    return "\n".join([*lines, "</svg>", ""])


def _height(picture: Picture) -> int:
    return picture.rows * _UNIT + (_GAP if picture.caption else 0)


def _xml(text: str) -> str:
    """Return text as XML can hold it."""
    return escape(printable(text))


def _line(text: str, x: int, y: int, room: float = math.inf) -> str:
    """Return a line of text centered at x, shortened to so much room."""
    whole = printable(text)
    short = whole if math.isinf(room) else cut(whole, max(2, int(room / (_LINE * 0.53))))
    place = f'<text x="{x}" y="{y}" text-anchor="middle" font-size="{_LINE:.0f}" fill="{INK}">'
    return f"{place}{_full(whole, short)}{escape(short)}</text>"


def _full(whole: str, short: str) -> str:
    """Return what shows the whole text on pointing at it, where it is shortened."""
    return f"<title>{escape(whole)}</title>" if short != whole else ""


def _across(count: int, width: int, height: int) -> int:
    """How many pictures stand beside each other, for a sheet of about 4 to 3."""
    return max(1, min(count, round(math.sqrt(count * height / width * 4 / 3))))


def _note(shown: int, total: int, more: bool) -> str:
    if more:
        return f"the first {shown} solutions; there may be more"
    return f"{shown} of {total} solutions" if total > shown else ""


def _cells(picture: Picture) -> Iterator[str]:
    """One path for each color; cells overlap by a hair, so no seams show."""
    places: dict[str, list[tuple[int, int]]] = {}
    for place, color in sorted(fills(picture).items()):
        if place in picture.cells:
            places.setdefault(color, []).append(place)
    for color, cells in places.items():
        squares = "".join(f"M{c * _UNIT} {r * _UNIT}h{_UNIT}v{_UNIT}h-{_UNIT}z" for r, c in cells)
        yield f'<path fill="{color}" stroke="{color}" stroke-width="0.6" d="{squares}"/>'


def _tiles(picture: Picture) -> Iterator[str]:
    """One path for each color of tiles, and one for their borders."""
    outlines: dict[str, str] = {}
    for tile in picture.tiles:
        corners = " ".join(f"{x * _UNIT:.1f} {y * _UNIT:.1f}" for x, y in tile.outline)
        color = fill(picture, tile)
        outlines[color] = f"{outlines.get(color, '')}M{corners}z"
    for color, lines in outlines.items():
        yield f'<path fill="{color}" stroke="{color}" stroke-width="0.6" d="{lines}"/>'
    borders = "".join(
        f"M{one[0] * _UNIT:.1f} {one[1] * _UNIT:.1f}L{other[0] * _UNIT:.1f} {other[1] * _UNIT:.1f}"
        for one, other in picture.sides()
    )
    if borders:
        yield f'<path fill="none" stroke="{INK}" stroke-width="2.5" stroke-linecap="round" d="{borders}"/>'


def _borders(picture: Picture) -> Iterator[str]:
    if picture.grid:
        thin = "".join(f"M{c * _UNIT} {r * _UNIT}h{_UNIT}v{_UNIT}h-{_UNIT}z" for r, c in sorted(picture.cells))
        yield f'<path fill="none" stroke="{INK}" stroke-opacity="0.35" stroke-width="1" d="{thin}"/>'
    strokes: dict[float, str] = {}
    for edge, length in _joined(picture.edges()):
        strokes[edge.strength] = strokes.get(edge.strength, "") + _stroke(edge, length)
    for strength, lines in sorted(strokes.items()):
        faint = f' stroke-opacity="{strength:.3f}"' if strength < 1 else ""
        yield (
            f'<path fill="none" stroke="{INK}"{faint} stroke-width="3" stroke-linecap="round"'
            f' stroke-linejoin="round" d="{lines}"/>'
        )


def _joined(edges: Iterable[Edge]) -> Iterator[tuple[Edge, int]]:
    """Join units of border that lie end to end and are alike; yields the first and how many."""
    rest = set(edges)
    for edge in sorted(rest, key=lambda edge: (edge.down, edge.row, edge.column)):
        if edge not in rest:
            continue
        length = 0
        row, column = edge.row, edge.column
        while (unit := Edge(row, column, edge.down, edge.strength)) in rest:
            rest.remove(unit)
            length += 1
            row, column = row + edge.down, column + (not edge.down)
        yield edge, length


def _stroke(edge: Edge, length: int) -> str:
    return f"M{edge.column * _UNIT} {edge.row * _UNIT}{'v' if edge.down else 'h'}{length * _UNIT}"


def _marks(picture: Picture) -> Iterator[str]:
    below = fills(picture)
    labels: list[_Writing] = []
    for (row, column), mark in sorted(picture.marks.items()):
        below_it = picture.placed.get((row, column))
        middle = below_it.middle if isinstance(below_it, Tile) else (column + 0.5, row + 0.5)
        ink = text_on(below.get((row, column), PLAIN[-1]))
        if isinstance(mark, Disc):
            x, y = round(middle[0] * _UNIT), round(middle[1] * _UNIT)
            yield f'<circle cx="{x}" cy="{y}" r="{_UNIT * 0.33:.1f}" fill="{ink}"/>'
        else:
            room = below_it.room if isinstance(below_it, Tile) else 1.0
            labels.append(_Writing(mark.text, middle, ink, room, mark.strong))
    yield from _texts(labels)
    tiles = [tile for tile in picture.tiles if tile.text]
    yield from _texts([_Writing(tile.text, tile.middle, text_on(fill(picture, tile)), tile.room) for tile in tiles])


class _Writing(NamedTuple):
    """A text in the middle of a place with so much room, in sides of a cell."""

    text: str
    middle: Corner
    ink: str
    room: float
    strong: bool = False

    @property
    def words(self) -> list[str]:
        whole = printable(self.text)
        return whole.split() or [whole]

    @property
    def size(self) -> float:
        """How large it can be, a line a word."""
        longest = max(1, *map(len, self.words))
        return min(_WORD, _UNIT * 1.5 * self.room / longest, _UNIT * 0.8 * self.room / len(self.words))


def _texts(writings: Sequence[_Writing]) -> Iterator[str]:
    """Yield texts of one kind, all of the same size; those that cannot be read then are shortened."""
    size = max(_LEAST_WORD, min((one.size for one in writings), default=_WORD))
    for one in writings:
        yield _text(one, size)


def _text(writing: _Writing, size: float) -> str:
    """Return a text, a line a word."""
    whole, words = " ".join(writing.words), writing.words
    if size > writing.size:
        longest, lines = (max(1, int(room * writing.room * _UNIT / size + 0.01)) for room in (1.6, 0.8))
        kept = [cut(word, longest) for word in words[:lines]]
        words = kept if len(words) <= lines else [*kept[:-1], cut(kept[-1] + ELLIPSIS, longest)]
    x, y = (round(part * _UNIT) for part in writing.middle)
    style = f'text-anchor="middle" font-size="{size:.1f}"' + (' font-weight="700"' if writing.strong else "")
    title = _full(whole, " ".join(words))
    if len(words) == 1:
        return f'<text x="{x}" y="{y}" dy="0.35em" {style} fill="{writing.ink}">{title}{escape(words[0])}</text>'
    lines_of_text = "".join(
        f'<tspan x="{x}" dy="{1.1 if number else 0.9 - 0.55 * len(words):.2f}em">{escape(word)}</tspan>'
        for number, word in enumerate(words)
    )
    return f'<text y="{y}" {style} fill="{writing.ink}">{title}{lines_of_text}</text>'
