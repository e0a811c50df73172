"""Pictures as SVG: the same input gives the same bytes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from html import escape

from exactcover.pictures.palette import INK, PLAIN, fill, fills, text_on
from exactcover.pictures.shapes import Disc, Edge, Picture, Tile

__all__ = ["MOST_PICTURES", "contact_sheet"]

MOST_PICTURES = 60
"""How many pictures one sheet holds."""

_UNIT = 40  # side of a cell
_MARGIN = 20
_GAP = 40
_FONT = "Inter, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"


def contact_sheet(
    pictures: Iterable[Picture], *, title: str | None = None, total: int | None = None, more: bool = False
) -> str:
    """Return one SVG document that shows the pictures in rows, as nearly square as they fit.

    Parameters
    ----------
    pictures
        At least one; those after the first ``MOST_PICTURES`` are not shown, and a line at the foot says so.
    title
        For people who cannot see it, and the window's caption; by default the first picture's title.
    total
        How many there are, where not all are handed over.
    more
        Say that there may be even more than that.

    Raises
    ------
    ValueError
        If there is no picture.
    """
    pictures = list(pictures)
    shown = pictures[:MOST_PICTURES]
    if not shown:
        raise ValueError("a sheet needs at least one picture")
    width = max(picture.columns for picture in shown) * _UNIT
    height = max(picture.rows for picture in shown) * _UNIT + (_GAP if any(each.caption for each in shown) else 0)
    across = _across(len(shown), width + _GAP, height + _GAP)
    down = math.ceil(len(shown) / across)
    note = _note(len(shown), total or len(pictures), more)
    drawn = across * (width + _GAP) - _GAP + 2 * _MARGIN
    full_width = max(drawn, math.ceil(len(note) * _UNIT * 0.24) + 2 * _MARGIN)
    full_height = down * (height + _GAP) - _GAP + 2 * _MARGIN + (_GAP if note else 0)
    name = title or (shown[0].title if len(shown) == 1 else f"{len(shown)} solutions: {shown[0].title}")
    shrink = min(1.0, 1600 / full_width)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full_width} {full_height}"'
        f' width="{full_width * shrink:.0f}" height="{full_height * shrink:.0f}"'
        f' role="img" aria-label="{escape(name)}" font-family="{escape(_FONT)}">',
        f"<title>{escape(name)}</title>",
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
            lines.append(f"<title>{escape(picture.title)}</title>")
        lines += [*_cells(picture), *_tiles(picture), *_borders(picture), *_marks(picture)]
        if picture.caption:
            lines.append(_line(picture.caption, picture.columns * _UNIT // 2, _height(picture) - _GAP // 4))
        lines.append("</g>")
    if note:
        lines.append(_line(note, full_width // 2, full_height - _MARGIN))
    return "\n".join([*lines, "</svg>", ""])


def _height(picture: Picture) -> int:
    return picture.rows * _UNIT + (_GAP if picture.caption else 0)


def _line(text: str, x: int, y: int) -> str:
    """Return a line of text centered at x."""
    return (
        f'<text x="{x}" y="{y}" text-anchor="middle" font-size="{_UNIT * 0.45:.0f}" fill="{INK}">{escape(text)}</text>'
    )


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
    for (row, column), mark in sorted(picture.marks.items()):
        below_it = picture.placed.get((row, column))
        across, down = below_it.middle if isinstance(below_it, Tile) else (column + 0.5, row + 0.5)
        x, y = round(across * _UNIT), round(down * _UNIT)
        ink = text_on(below.get((row, column), PLAIN[-1]))
        if isinstance(mark, Disc):
            yield f'<circle cx="{x}" cy="{y}" r="{_UNIT * 0.33:.1f}" fill="{ink}"/>'
        else:
            room = below_it.room if isinstance(below_it, Tile) else 1.0
            yield _text(mark.text, x, y, ink, strong=mark.strong, room=room)
    for tile in picture.tiles:
        if tile.text:
            across, down = tile.middle
            yield _text(
                tile.text, round(across * _UNIT), round(down * _UNIT), text_on(fill(picture, tile)), room=tile.room
            )


def _text(text: str, x: int, y: int, ink: str, *, strong: bool = False, room: float = 1.0) -> str:
    """Return text in the middle of a place with so much room, in sides of a cell; a line a word."""
    words = text.split() or [text]
    longest = max(1, *map(len, words))
    size = _UNIT * min(0.52, 1.5 * room / longest, 0.8 * room / len(words))
    style = f'text-anchor="middle" font-size="{size:.1f}"' + (' font-weight="700"' if strong else "")
    if len(words) == 1:
        return f'<text x="{x}" y="{y}" dy="0.35em" {style} fill="{ink}">{escape(text)}</text>'
    lines = "".join(
        f'<tspan x="{x}" dy="{1.1 if number else 0.9 - 0.55 * len(words):.2f}em">{escape(word)}</tspan>'
        for number, word in enumerate(words)
    )
    return f'<text y="{y}" {style} fill="{ink}">{lines}</text>'
