"""Pictures as text: box-drawing characters, optionally with ANSI colors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from math import floor
from typing import NamedTuple, TypeAlias

from exactcover.control.arguments import check_arguments
from exactcover.pictures.palette import rgb, shade, text_on
from exactcover.pictures.shapes import BLOCKED, PAPER, SHADED, Cell, Line, Picture, Text, Tile, fill
from exactcover.pictures.text import ELLIPSIS, center, count_columns, cut, printable, printable_ascii, wrap

_MIN, _MAX = 3, 20  # width of a cell in columns
_NEAR = 0.05  # from a side of a cell to the middle of what lies on it
_VISIBLE = 0.5  # the least strength of an edge that is drawn

# Box-drawing characters by the arms that meet: the sum of 1 up, 2 down, 4 left, 8 right.
_BOXES = " │││─┘┐┤─└┌├─┴┬┼"
_ASCII_BOXES = " |||-+++-+++-+++"
_DASHES, _ASCII_DASHES = "┊┄", ":."


Fills: TypeAlias = dict[tuple[int, int], str]
"""The colors of places as ``#rrggbb``, by row and column; none if there are no colors."""


class _Line(NamedTuple):
    """The parts of a line and the ANSI codes of each part; without colors, `codes` is empty."""

    texts: list[str]
    codes: list[str]


@check_arguments
def render(
    picture: Picture,
    *,
    colors: bool = False,
    width: int | None = None,
    ascii: bool = False,  # noqa: A002 - the usual name
) -> str:
    r"""Return the picture as lines of text, without a final newline.

    Texts and captions are passed through :func:`~exactcover.pictures.printable`.

    Parameters
    ----------
    picture
        The picture.
    colors
        Whether to use 24-bit ANSI colors.
    width
        The width of the terminal in columns. If it is too narrow, parts that stand side by side, such as the layers of
        a solid, are placed below each other, and lines that are still too long are cut, with an ellipsis at the end.
        None: no limit.
    ascii
        Whether to write ASCII characters only.

    Raises
    ------
    ValueError
        If `width` is less than 1.

    Examples
    --------
    >>> from exactcover.pictures import Cell, Text, Picture
    >>> domino = Picture("a domino", (Cell(0, 0, "d"), Cell(0, 1, "d"), Text(0, 0, "D")))
    >>> print(render(domino))
    ┌──────┐
    │ D    │
    └──────┘
    >>> print(render(domino, ascii=True))
    +------+
    | D    |
    +------+
    """
    if width is not None and width < 1:
        raise ValueError(f"width must be at least one column; got {width}")
    clean = printable_ascii if ascii else printable
    has_tiles = any(tile.row is not None and tile.column is not None for tile in picture.tiles)
    fills = {place: shade(*fill(picture, shape)) for place, shape in picture.placed.items()} if colors else {}
    table = _TileTable(picture, fills, clean) if has_tiles else _CellTable(picture, fills, clean, ascii)
    sign = clean(ELLIPSIS)
    lines = [_format_line(line, width, sign) for line in _stack_parts(table, width)]
    if picture.caption:
        caption = clean(picture.caption)
        lines += [caption] if width is None else wrap(caption, width, sign)
    return "\n".join(lines)


def _stack_parts(table: _TileTable | _CellTable, width: int | None) -> Iterable[_Line]:
    """Return the lines of a table; parts that do not fit side by side are placed below each other."""
    if width is None or table.across(0, table.columns) <= width:
        return table.lines(0, table.columns)
    bands: list[tuple[int, int]] = []
    for start, stop in table.parts():
        if bands and table.across(bands[-1][0], stop) <= width:
            start, _ = bands.pop()
        bands.append((start, stop))
    stacked = [_strip_blank_lines(list(table.lines(start, stop))) for start, stop in bands]
    return [line for number, lines in enumerate(stacked) for line in ([_Line([], [])] if number else []) + lines]


def _strip_blank_lines(lines: list[_Line]) -> list[_Line]:
    """Return the lines without blank ones at the start and the end."""
    nonblank = [number for number, line in enumerate(lines) if any(map(str.strip, line.texts))]
    return lines[nonblank[0] : nonblank[-1] + 1] if nonblank else []


def _format_line(line: _Line, width: int | None, sign: str) -> str:
    """Return a line as one text, cut if it is longer than `width`."""
    texts, codes = line if width is None else _cut_line(line, width, sign)
    if codes:
        texts = [
            f"\x1b[{code}m{text}\x1b[0m" if code and text else text for text, code in zip(texts, codes, strict=True)
        ]
    return "".join(texts).rstrip()


def _cut_line(line: _Line, width: int, sign: str) -> _Line:
    """Return the start of a line that fits, with a sign at the end if more than blanks is left out."""
    texts, codes = line.texts, line.codes or [""] * len(line.texts)
    while texts and not codes[-1] and not texts[-1].strip():
        texts, codes = texts[:-1], codes[:-1]
    if sum(map(count_columns, texts)) <= width:
        return _Line(texts, codes)
    kept: list[str] = []
    room = width - count_columns(sign)
    for text in texts:
        kept.append(cut(text, room, ""))
        room -= count_columns(text)
        if room <= 0:
            break
    return _Line([*kept, sign], [*codes[: len(kept)], ""])


@lru_cache(maxsize=1024)
def _ansi_codes(back: str | None, strong: bool = False) -> str:
    """Return the ANSI codes for text on a background; without a background, only strong text has codes."""
    codes = ["1"] if strong else []
    if back is not None:
        codes += ["38;2;" + ";".join(map(str, rgb(text_on(back)))), "48;2;" + ";".join(map(str, rgb(back)))]
    return ";".join(codes)


class _TileTable:
    """Tiles as characters: the text of the tile's region, or a letter for its tint."""

    def __init__(self, picture: Picture, fills: Fills, clean: Callable[[str], str]) -> None:
        self._picture, self._fills, self._clean = picture, fills, clean
        self._placed = picture.placed
        self._region_texts = {
            self._placed[place].region: mark.text for place, mark in picture.marks.items() if place in self._placed
        }
        self._width = 1 if any((row, column + 1) in self._placed for row, column in self._placed) else 2
        self._rows, self.columns = (1 + max(place[k] for place in self._placed) for k in (0, 1))

    def across(self, start: int, stop: int) -> int:
        """Return the width of columns `start` to `stop`, including the part of the last tile beyond them."""
        return stop - start + self._width - 1

    def parts(self) -> Iterator[tuple[int, int]]:
        """Yield the parts that stand side by side, each as (first column, column after the last)."""
        return _find_runs({column + more for _, column in self._placed for more in range(self._width)}, self.columns)

    def lines(self, start: int, stop: int) -> Iterator[_Line]:
        """Yield the lines of columns `start` to `stop`."""
        for row in range(self._rows):
            texts, codes, column = [], [], start
            while column < stop:
                shape = self._placed.get((row, column))
                if shape is None:
                    texts.append(" ")
                    codes.append("")
                    column += 1
                else:
                    texts.append(self._text_of(shape))
                    codes.append(_ansi_codes(self._fills.get((row, column))))
                    column += self._width
            yield _Line(texts, codes)

    def _text_of(self, shape: Cell | Tile) -> str:
        own = None if shape.strength is None else self._region_texts.get(shape.region)  # copies have letters
        if own is None:
            own = _letter(self._picture.tint(shape), self._picture.copy(shape))
        text = cut(self._clean(own), self._width, "")
        return text + " " * (self._width - count_columns(text))


def _letter(tint: int, copy: int) -> str:
    return {PAPER: "·", SHADED: "·", BLOCKED: "▒"}.get(tint) or chr(ord("a") + (tint + copy) % 26)


def _find_runs(taken: Iterable[int], stop: int) -> Iterator[tuple[int, int]]:
    """Yield the runs of consecutive numbers below `stop`, each as (first, last + 1)."""
    inside = sorted({number for number in taken if number < stop})
    starts = [number for number in inside if number - 1 not in set(inside)]
    stops = [number + 1 for number in inside if number + 1 not in set(inside)]
    return zip(starts, stops, strict=True)


def _interleave(lines: list[str], cells: list[str]) -> list[str]:
    """Return the parts on vertical lines and the cells between them, alternating from left to right."""
    both = [""] * (2 * len(cells) + 1)
    both[::2], both[1::2] = lines, cells
    return both


class _CellTable:
    """Cells as a table with lines between regions; all columns of cells have the same width."""

    def __init__(self, picture: Picture, fills: Fills, clean: Callable[[str], str], ascii_only: bool) -> None:
        self._cells, self._fills = picture.rows_of_cells, fills
        self._boxes = _ASCII_BOXES if ascii_only else _BOXES
        self._dashes = _ASCII_DASHES if ascii_only else _DASHES
        texts = {place: clean(mark.text) for place, mark in picture.marks.items()}
        self._signs: dict[tuple[int, int, bool], str] = {}  # in place of lines
        self._marks: dict[tuple[int, int, bool], str] = {}  # on lines
        self._sides: set[tuple[int, int, bool]] = set()  # of cages that cross regions
        notes = self._read_notes(picture, clean)
        longest = max(map(count_columns, texts.values()), default=0)
        sizes = [count_columns(note) + 1 + max(1, count_columns(texts.get(place, ""))) for place, note in notes.items()]
        self._width = min(max(_MIN, longest + 2 * (longest > _MIN), *sizes), _MAX)
        self._texts = {}
        for place in texts | notes:
            text = self._fit(notes.get(place, ""), texts.get(place, ""), clean)
            is_blocked = not fills and place in notes and picture.cells[place].tint == BLOCKED
            self._texts[place] = text.replace(" ", clean("▒")) if is_blocked else text
        for line in picture.lines:
            place = line.row, line.column
            self._texts[place] = self._cross(self._texts.get(place, ""), line)
        self._strong = {place for place, mark in picture.marks.items() if isinstance(mark, Text) and mark.strong}
        if not fills:  # show shading by characters
            shades = {SHADED: center(clean("·"), self._width), BLOCKED: clean("▒") * self._width}
            shaded = {place: shades[cell.tint] for place, cell in picture.cells.items() if cell.tint in shades}
            self._texts = shaded | self._texts
        self._rows, self.columns = len(self._cells), len(self._cells[0]) if self._cells else 0
        self._set_borders(picture, clean)

    def _read_notes(self, picture: Picture, clean: Callable[[str], str]) -> dict[tuple[int, int], str]:
        """Return what tiles write before the texts of cells; note what they write between cells."""
        notes: dict[tuple[int, int], str] = {}
        for tile in [tile for tile in picture.tiles if tile.sign]:
            (across, down), sign = tile.middle, clean(tile.sign)
            row, column = floor(down), floor(across)
            if abs(across - round(across)) < _NEAR and abs(down - row - 0.5) < _NEAR:
                place, cells = (row, round(across), True), [(row, round(across) - 1), (row, round(across))]
            elif abs(down - round(down)) < _NEAR and abs(across - column - 0.5) < _NEAR:
                place, cells = (round(down), column, False), [(round(down) - 1, column), (round(down), column)]
            else:
                column, row = (floor(min(corner[k] for corner in tile.outline)) for k in (0, 1))
                if (row, column) in picture.cells:
                    notes[row, column] = notes.get((row, column), "") + sign
                continue
            if picture.cells.keys() >= {*cells} and count_columns(sign) == 1:
                self._marks[place] = sign
        return notes

    def _fit(self, note: str, text: str, clean: Callable[[str], str]) -> str:
        """Return a text in the middle of what a note leaves of a cell."""
        sign = clean(ELLIPSIS)
        before = f"{cut(note, self._width - 2, sign)} " if note else ""
        room = self._width - count_columns(before)
        return before + center(cut(text, room, sign), room)

    def _cross(self, text: str, line: Line) -> str:
        """Return the text of a cell, or a corner of lines, with lines to the left and right."""
        middle = text.strip() or self._boxes[line.up + 2 * line.down + 4 * line.left + 8 * line.right]
        before, _, after = center(middle, self._width).partition(middle)
        sides = ((before, line.left), (after, line.right))
        before, after = (self._boxes[4] * len(blank) if drawn else blank for blank, drawn in sides)
        return f"{before}{middle}{after}"

    def _set_borders(self, picture: Picture, clean: Callable[[str], str]) -> None:
        self._right, self._down = picture.borders()
        self._point = clean("·") if any(edge.strength < _VISIBLE for edge in picture.named_edges) else ""
        for edge in picture.named_edges:
            if edge.strength >= _VISIBLE and edge.row <= self._rows and edge.column <= self.columns:
                if edge.sign:
                    self._signs[edge.row, edge.column, edge.down] = cut(clean(edge.sign), 1, "")
                else:
                    (self._down if edge.down else self._right)[edge.row][edge.column] = True
        has_regions = len({cell.region for cell in picture.cells.values()}) > 1
        for (x, y), (u, v) in [side for dashes in picture.dashes for side in dashes.sides]:
            across, down = (x + u) / 2, (y + v) / 2
            is_upright = abs(x - u) < abs(y - v)
            row, column = (floor(down), round(across)) if is_upright else (round(down), floor(across))
            lines = self._down if is_upright else self._right
            if 0 <= row < len(lines) and 0 <= column < len(lines[row]):
                if has_regions:  # whose lines are others
                    self._sides.add((row, column, is_upright))
                else:
                    lines[row][column] = True
        self._signed = self._signs.keys() | self._marks.keys() | self._sides
        signed = {column for _, column, down in self._signed if down}
        has_line = map(any, zip(*self._down, strict=True))  # only such columns need room for a vertical line
        self._corners = [
            self._boxes if needed or column in signed or self._point else [""] * 16
            for column, needed in enumerate(has_line)
        ]

    def _sign(self, row: int, column: int, *, down: bool, line: str) -> str:
        """Return what stands in the place of a line, which may be blank."""
        place = row, column, down
        sign = self._marks.get(place) or ("" if line.strip() else self._signs.get(place, ""))
        middle = (len(line) - 1) // 2
        if place in self._sides and not line.strip():
            line = self._dashes[not down] * len(line)
        return line[:middle] + sign + line[middle + 1 :] if sign else line

    def across(self, start: int, stop: int) -> int:
        """Return the width of columns `start` to `stop`, with the lines beside them."""
        return (stop - start) * self._width + sum(len(boxes[0]) for boxes in self._corners[start : stop + 1])

    def parts(self) -> Iterator[tuple[int, int]]:
        """Yield the parts that stand side by side, each as (first column, column after the last)."""
        full = {column for line in self._cells for column, cell in enumerate(line) if cell is not None}
        return _find_runs(full, self.columns)

    def lines(self, start: int, stop: int) -> Iterator[_Line]:
        """Yield the lines of columns `start` to `stop`; border lines without borders are left out."""
        for row in range(self._rows + 1):
            signed = any((row, column, False) in self._signed for column in range(start, stop))
            if signed or self._point or any(self._right[row][start:stop]):
                yield self._border_line(row, start, stop)
            if row < self._rows:
                yield self._cell_line(row, start, stop)

    def _border_line(self, row: int, start: int, stop: int) -> _Line:
        below, right = self._down[row][start : stop + 1], self._right[row][start : stop + 1]
        above = self._down[row - 1][start : stop + 1] if row else [False] * len(below)
        arms = zip(self._corners[start:], above, below, [False, *right], right, strict=False)
        corners = [boxes[up + 2 * down + 4 * before + 8 * after] for boxes, up, down, before, after in arms]
        corners = [corner if corner.strip() else self._point or corner for corner in corners]
        signs = " " * self._width, self._boxes[4] * self._width
        marked = [
            self._sign(row, column, down=False, line=signs[drawn]) for column, drawn in enumerate(right[:-1], start)
        ]
        texts = _interleave(corners, marked)
        if not self._fills:
            return _Line(texts, [])
        around = [self._corner_codes(row, column) for column in range(start, stop + 1)]
        beside = [
            "" if drawn else self._shared_codes((row - 1, column), (row, column))
            for column, drawn in enumerate(right[:-1], start)
        ]
        return _Line(texts, _interleave(around, beside))

    def _cell_line(self, row: int, start: int, stop: int) -> _Line:
        lines, get, empty = self._down[row][start : stop + 1], self._texts.get, " " * self._width
        signs = [
            self._sign(row, column, down=True, line=boxes[drawn])
            for column, (boxes, drawn) in enumerate(zip(self._corners[start:], lines, strict=False), start)
        ]
        texts = _interleave(signs, [get((row, column), empty) for column in range(start, stop)])
        if not self._fills:
            return _Line(texts, [])
        beside = [
            "" if drawn else self._shared_codes((row, column - 1), (row, column))
            for column, drawn in enumerate(lines, start)
        ]
        places = [(row, column) for column in range(start, stop)]
        cells = [_ansi_codes(self._fills.get(place), place in self._strong) for place in places]
        return _Line(texts, _interleave(beside, cells))

    def _shared_codes(self, one: tuple[int, int], other: tuple[int, int]) -> str:
        """Return the codes of the color that two places share, or an empty text."""
        fill = self._fills.get(one)
        return _ansi_codes(fill) if fill == self._fills.get(other) else ""

    def _corner_codes(self, row: int, column: int) -> str:
        """Return the codes of the color that all four cells at a corner share, or an empty text."""
        places = [(row - 1, column - 1), (row - 1, column), (row, column - 1), (row, column)]
        around = {self._fills.get(place) for place in places}
        return _ansi_codes(around.pop()) if len(around) == 1 else ""
