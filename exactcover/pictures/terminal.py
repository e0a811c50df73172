"""Pictures as text: box characters, with colors where the terminal allows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from exactcover.pictures.fills import fills
from exactcover.pictures.palette import rgb, text_on
from exactcover.pictures.shapes import BLOCKED, PAPER, SHADED, Cell, Picture, Text, Tile
from exactcover.pictures.text import ELLIPSIS, columns, cut, padded, printable, to_ascii, wrapped

__all__ = ["render"]

_LEAST, _MOST = 3, 20  # characters inside a cell
_VISIBLE = 0.5  # how strong an edge must be to be drawn

# Box characters by the arms that meet: the sum of 1 up, 2 down, 4 left, 8 right.
_BOXES = " │││─┘┐┤─└┌├─┴┬┼"
_ASCII_BOXES = " |||-+++-+++-+++"


class _Line(NamedTuple):
    """Parts of a line, and the ANSI codes that paint each; no codes at all where there are no colors."""

    texts: list[str]
    codes: list[str]


def render(
    picture: Picture,
    *,
    colors: bool = False,
    width: int | None = None,
    ascii: bool = False,  # noqa: A002 - the word for it
) -> str:
    r"""Return the picture as lines of text, without a final newline.

    Labels and captions come as :func:`~exactcover.pictures.printable` gives them.

    Parameters
    ----------
    colors
        Paint the cells with 24-bit ANSI colors.
    width
        How many columns the terminal has. Parts that stand side by side, such as layers of a solid, stand below each
        other where it is too narrow; what still does not fit is cut, with a sign. By default there is no limit.
    ascii
        Write nothing but ASCII characters.

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
        raise ValueError(f"a terminal has at least one column, not {width}")
    shown = _to_shown_ascii if ascii else printable
    tiled = any(tile.row is not None and tile.column is not None for tile in picture.tiles)
    table = _Letters(picture, colors, shown) if tiled else _Boxes(picture, colors, ascii)
    sign = shown(ELLIPSIS)
    lines = [_joined(line, width, sign) for line in _below_each_other(table, width)]
    if picture.caption:
        caption = shown(picture.caption)
        lines += [caption] if width is None else wrapped(caption, width, sign)
    return "\n".join(lines)


def _to_shown_ascii(text: str) -> str:
    return to_ascii(printable(text))


def _below_each_other(table: _Letters | _Boxes, width: int | None) -> Iterable[_Line]:
    """Return the lines of the parts of a table that stand side by side, as many beside each other as fit."""
    if width is None or table.across(0, table.columns) <= width:
        return table.lines(0, table.columns)
    bands: list[tuple[int, int]] = []
    for start, stop in table.parts():
        if bands and table.across(bands[-1][0], stop) <= width:
            start, _ = bands.pop()
        bands.append((start, stop))
    below = [_without_blank_ends(list(table.lines(start, stop))) for start, stop in bands]
    return [line for number, lines in enumerate(below) for line in ([_Line([], [])] if number else []) + lines]


def _without_blank_ends(lines: list[_Line]) -> list[_Line]:
    full = [number for number, line in enumerate(lines) if any(map(str.strip, line.texts))]
    return lines[full[0] : full[-1] + 1] if full else []


def _joined(line: _Line, width: int | None, sign: str) -> str:
    """Return a line as one text, cut where it is longer than `width`."""
    texts, codes = line if width is None else _cut_line(line, width, sign)
    if codes:
        texts = [
            f"\x1b[{code}m{text}\x1b[0m" if code and text else text for text, code in zip(texts, codes, strict=True)
        ]
    return "".join(texts).rstrip()


def _cut_line(line: _Line, width: int, sign: str) -> _Line:
    """Return as much of a line as fits, with a sign where something but blanks is left out."""
    texts, codes = line.texts, line.codes or [""] * len(line.texts)
    while texts and not codes[-1] and not texts[-1].strip():
        texts, codes = texts[:-1], codes[:-1]
    if sum(map(columns, texts)) <= width:
        return _Line(texts, codes)
    kept: list[str] = []
    room = width - columns(sign)
    for text in texts:
        kept.append(cut(text, room, ""))
        room -= columns(text)
        if room <= 0:
            break
    return _Line([*kept, sign], [*codes[: len(kept)], ""])


@lru_cache(maxsize=1024)
def _codes(back: str | None, strong: bool = False) -> str:
    """Return the ANSI codes for text on a background; without one only strong text is painted."""
    codes = ["1"] if strong else []
    if back is not None:
        codes += ["38;2;" + ";".join(map(str, rgb(text_on(back)))), "48;2;" + ";".join(map(str, rgb(back)))]
    return ";".join(codes)


class _Letters:
    """Tiles as characters: the label of what a tile belongs to, or a letter for its color."""

    def __init__(self, picture: Picture, colors: bool, shown: Callable[[str], str]) -> None:
        self._picture, self._shown = picture, shown
        self._placed = picture.placed
        self._names = {
            self._placed[place].region: mark.text for place, mark in picture.marks.items() if place in self._placed
        }
        self._fills = fills(picture) if colors else {}
        self._width = 1 if any((row, column + 1) in self._placed for row, column in self._placed) else 2
        self._rows, self.columns = (1 + max(place[k] for place in self._placed) for k in (0, 1))

    def across(self, start: int, stop: int) -> int:
        """How wide some columns are; the last tile may reach beyond them."""
        return stop - start + self._width - 1

    def parts(self) -> Iterator[tuple[int, int]]:
        """Yield the first column, and that after the last, of the parts that stand side by side."""
        return _runs({column + more for _, column in self._placed for more in range(self._width)}, self.columns)

    def lines(self, start: int, stop: int) -> Iterator[_Line]:
        for row in range(self._rows):
            texts, codes, column = [], [], start
            while column < stop:
                shape = self._placed.get((row, column))
                if shape is None:
                    texts.append(" ")
                    codes.append("")
                    column += 1
                else:
                    texts.append(self._letters(shape))
                    codes.append(_codes(self._fills.get((row, column))))
                    column += self._width
            yield _Line(texts, codes)

    def _letters(self, shape: Cell | Tile) -> str:
        name = self._names.get(shape.region)
        text = cut(self._shown(_letter(self._picture.tint(shape)) if name is None else name), self._width, "")
        return text + " " * (self._width - columns(text))


def _letter(tint: int) -> str:
    return {PAPER: "·", SHADED: "·", BLOCKED: "▒"}.get(tint) or chr(ord("a") + tint % 26)


def _runs(taken: Iterable[int], stop: int) -> Iterator[tuple[int, int]]:
    """Yield where numbers that follow each other begin, and where they end, up to `stop`."""
    inside = sorted({number for number in taken if number < stop})
    starts = [number for number in inside if number - 1 not in set(inside)]
    stops = [number + 1 for number in inside if number + 1 not in set(inside)]
    return zip(starts, stops, strict=True)


def _in_turn(lines: list[str], cells: list[str]) -> list[str]:
    """Return what stands on vertical lines and what stands between them, from left to right."""
    both = [""] * (2 * len(cells) + 1)
    both[::2], both[1::2] = lines, cells
    return both


class _Boxes:
    """Cells as a table with lines between regions; all columns of cells are equally wide."""

    def __init__(self, picture: Picture, colors: bool, ascii_only: bool) -> None:
        shown = _to_shown_ascii if ascii_only else printable
        self._cells = picture.rows_of_cells
        self._fills = fills(picture) if colors else {}
        self._colors = colors
        self._boxes = _ASCII_BOXES if ascii_only else _BOXES
        texts = {place: shown(mark.text) for place, mark in picture.marks.items()}
        longest = max(map(columns, texts.values()), default=0)
        self._width = _LEAST if longest <= _LEAST else min(longest + 2, _MOST)
        sign = shown(ELLIPSIS)
        self._texts = {place: padded(cut(text, self._width, sign), self._width) for place, text in texts.items()}
        self._strong = {place for place, mark in picture.marks.items() if isinstance(mark, Text) and mark.strong}
        if not colors:  # shading must show all the same
            shades = {SHADED: padded(shown("·"), self._width), BLOCKED: shown("▒") * self._width}
            shaded = {place: shades[cell.tint] for place, cell in picture.cells.items() if cell.tint in shades}
            self._texts = shaded | self._texts
        self._rows, self.columns = len(self._cells), len(self._cells[0]) if self._cells else 0
        self._set_borders(picture)

    def _set_borders(self, picture: Picture) -> None:
        self._right, self._down = picture.borders()
        for edge in picture.named_edges:
            if edge.strength >= _VISIBLE and edge.row <= self._rows and edge.column <= self.columns:
                (self._down if edge.down else self._right)[edge.row][edge.column] = True
        lined = map(any, zip(*self._down, strict=True))  # where a vertical line needs room
        self._corners = [self._boxes if needed else [""] * 16 for needed in lined]

    def across(self, start: int, stop: int) -> int:
        """How wide some columns are, with the lines beside them."""
        return (stop - start) * self._width + sum(len(boxes[0]) for boxes in self._corners[start : stop + 1])

    def parts(self) -> Iterator[tuple[int, int]]:
        """Yield the first column, and that after the last, of the parts that stand side by side."""
        full = {column for line in self._cells for column, cell in enumerate(line) if cell is not None}
        return _runs(full, self.columns)

    def lines(self, start: int, stop: int) -> Iterator[_Line]:
        """Yield the lines of some columns; lines of borders are left out where nothing is drawn on them."""
        for row in range(self._rows + 1):
            if any(self._right[row][start:stop]):
                yield self._border_line(row, start, stop)
            if row < self._rows:
                yield self._cell_line(row, start, stop)

    def _border_line(self, row: int, start: int, stop: int) -> _Line:
        below, right = self._down[row][start : stop + 1], self._right[row][start : stop + 1]
        above = self._down[row - 1][start : stop + 1] if row else [False] * len(below)
        arms = zip(self._corners[start:], above, below, [False, *right], right, strict=False)
        corners = [boxes[up + 2 * down + 4 * before + 8 * after] for boxes, up, down, before, after in arms]
        signs = " " * self._width, self._boxes[4] * self._width
        texts = _in_turn(corners, [signs[drawn] for drawn in right[:-1]])
        if not self._colors:
            return _Line(texts, [])
        around = [self._around(row, column) for column in range(start, stop + 1)]
        beside = [
            "" if drawn else self._shared((row - 1, column), (row, column))
            for column, drawn in enumerate(right[:-1], start)
        ]
        return _Line(texts, _in_turn(around, beside))

    def _cell_line(self, row: int, start: int, stop: int) -> _Line:
        lines, get, empty = self._down[row][start : stop + 1], self._texts.get, " " * self._width
        signs = [boxes[drawn] for boxes, drawn in zip(self._corners[start:], lines, strict=False)]
        texts = _in_turn(signs, [get((row, column), empty) for column in range(start, stop)])
        if not self._colors:
            return _Line(texts, [])
        beside = [
            "" if drawn else self._shared((row, column - 1), (row, column)) for column, drawn in enumerate(lines, start)
        ]
        places = [(row, column) for column in range(start, stop)]
        cells = [_codes(self._fills.get(place), place in self._strong) for place in places]
        return _Line(texts, _in_turn(beside, cells))

    def _shared(self, one: tuple[int, int], other: tuple[int, int]) -> str:
        """The color that runs on from one place to the other."""
        fill = self._fills.get(one)
        return _codes(fill) if fill == self._fills.get(other) else ""

    def _around(self, row: int, column: int) -> str:
        """The color at a corner, where all four cells agree."""
        places = [(row - 1, column - 1), (row - 1, column), (row, column - 1), (row, column)]
        around = {self._fills.get(place) for place in places}
        return _codes(around.pop()) if len(around) == 1 else ""
