"""Pictures as SVG: the same input gives the same bytes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from exactcover.control.arguments import check_arguments, read_whole
from exactcover.pictures.palette import INK, PLAIN
from exactcover.pictures.shapes import Picture
from exactcover.pictures.svg_parts import UNIT, Colors, draw_picture, make_tooltip
from exactcover.pictures.text import cut, printable

__all__ = ["MAX_PICTURES", "contact_sheet", "describe_rest"]

MAX_PICTURES = 60
"""The default for the largest number of pictures on a sheet."""

_MARGIN = 24
_GAP = 40
_LINE = 0.4 * UNIT  # size of captions and notes
_SMALL_LINE = 0.09  # the same of small pictures, in widths of a picture
_MOST_COLUMNS = 12  # of a picture for that
_CAPTION_WIDTH = 12 * UNIT  # that captions may use if pictures are narrower
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
            lines.append(_draw_line(picture.caption, x, y, sheet.line, sheet.caption_width))
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
        across = _fit_across(len(pictures), (height + _GAP) / (width + _GAP) * aspect)
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
            f' role="img" aria-label="{_xml(name)}" font-family="{escape(_FONT)}">'
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

    @property
    def caption_width(self) -> int:
        """The room for a caption."""
        return self.width + (_GAP // 2 if self.across > 1 else 0)


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


def _fit_across(count: int, ratio: float) -> int:
    """Return how many pictures stand in a row; `ratio` is that of rows to columns in a sheet of the wanted shape."""
    return max(1, min(count, round(math.sqrt(count * ratio))))


def describe_rest(shown: int, total: int, *, more: bool) -> str:
    """Return how many solutions are shown, if not all of them are."""
    if more:
        return f"the first {'solution' if shown == 1 else f'{shown} solutions'}; there may be more"
    return f"{shown:,} of {total:,} solutions" if total > shown else ""
