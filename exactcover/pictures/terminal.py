"""Pictures as text: box characters, with colors where the terminal allows."""

from __future__ import annotations

from exactcover.pictures.palette import fills, rgb, text_on
from exactcover.pictures.shapes import BLOCKED, PAPER, SHADED, Label, Picture, Tile

__all__ = ["render"]

_LEAST, _MOST = 3, 20  # characters inside a cell
_VISIBLE = 0.5  # how strong an edge must be to be drawn

# Box characters by the arms that meet: up, down, left, right.
_JUNCTIONS = {
    (0, 0, 0, 0): " ", (1, 1, 0, 0): "│", (0, 0, 1, 1): "─",
    (0, 1, 0, 1): "┌", (0, 1, 1, 0): "┐", (1, 0, 0, 1): "└", (1, 0, 1, 0): "┘",
    (1, 1, 0, 1): "├", (1, 1, 1, 0): "┤", (0, 1, 1, 1): "┬", (1, 0, 1, 1): "┴", (1, 1, 1, 1): "┼",
}  # fmt: skip


def render(picture: Picture, *, colors: bool = False) -> str:
    """Return the picture as lines of text, without a final newline.

    Parameters
    ----------
    colors
        Paint the cells with 24-bit ANSI colors.

    Examples
    --------
    >>> from exactcover.pictures import Cell, Label, Picture
    >>> print(render(Picture("a domino", (Cell(0, 0, "d"), Cell(0, 1, "d"), Label(0, 0, "D")))))
    ┌──────┐
    │ D    │
    └──────┘
    """
    tiled = any(isinstance(shape, Tile) for shape in picture.placed.values())
    lines = _letters(picture, colors) if tiled else _Canvas(picture, colors).lines()
    return "\n".join([*lines, picture.caption] if picture.caption else lines)


def _letters(picture: Picture, colors: bool) -> list[str]:
    """Return the tiles of a picture as characters: the label of what a tile belongs to, or a letter for its color."""
    names = {
        picture.placed[place].region: mark.text for place, mark in picture.marks.items() if place in picture.placed
    }
    colored = fills(picture) if colors else {}
    width = 1 if any((row, column + 1) in picture.placed for row, column in picture.placed) else 2
    rows, columns = (1 + max(place[k] for place in picture.placed) for k in (0, 1))
    lines = []
    for row in range(rows):
        parts, column = [], 0
        while column < columns:
            shape = picture.placed.get((row, column))
            if shape is None:
                parts.append(" ")
                column += 1
            else:
                text = names.get(shape.region, _letter(picture.tint(shape)))[:width].ljust(width)
                parts.append(_painted(text, colored.get((row, column))))
                column += width
        lines.append("".join(parts).rstrip())
    return lines


def _letter(tint: int) -> str:
    return {PAPER: "·", SHADED: "·", BLOCKED: "▒"}.get(tint) or chr(ord("a") + tint % 26)


def _painted(text: str, back: str | None, strong: bool = False) -> str:
    """Return text as ANSI escapes paint it; without a background only strong text is."""
    codes = ["1"] if strong else []
    if back is not None:
        codes += ["38;2;" + ";".join(map(str, rgb(text_on(back)))), "48;2;" + ";".join(map(str, rgb(back)))]
    return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if codes else text


class _Canvas:
    def __init__(self, picture: Picture, colors: bool) -> None:
        self.picture, self.colors, self.fills = picture, colors, fills(picture)
        longest = max((len(mark.text) for mark in picture.marks.values()), default=0)
        self.width = _LEAST if longest <= _LEAST else min(longest + 2, _MOST)
        edges = {edge for edge in picture.edges() if edge.strength >= _VISIBLE}
        self.down = {(edge.row, edge.column) for edge in edges if edge.down}
        self.right = {(edge.row, edge.column) for edge in edges if not edge.down}
        self.rows, self.columns = (1 + max((place[k] for place in picture.cells), default=-1) for k in (0, 1))
        self.lined = {column for _, column in self.down}  # where a vertical line needs room

    def lines(self) -> list[str]:
        """Border lines are left out where nothing is drawn on them."""
        lines = []
        for row in range(self.rows + 1):
            if any((row, column) in self.right for column in range(self.columns)):
                lines.append(self._border_line(row))
            if row < self.rows:
                lines.append(self._cell_line(row))
        return [line.rstrip() for line in lines]

    def _border_line(self, row: int) -> str:
        parts = []
        for column in range(self.columns + 1):
            arms = (
                int((row - 1, column) in self.down),
                int((row, column) in self.down),
                int((row, column - 1) in self.right),
                int((row, column) in self.right),
            )
            corner = _JUNCTIONS.get(arms, "─" if arms[2] or arms[3] else "│")
            if column in self.lined:
                parts.append(self._painted(corner, self._around(row, column)))
            if column < self.columns:
                on_line = (row, column) in self.right
                beside = None if on_line else self._shared((row - 1, column), (row, column))
                parts.append(self._painted(("─" if on_line else " ") * self.width, beside))
        return "".join(parts)

    def _cell_line(self, row: int) -> str:
        parts = []
        for column in range(self.columns + 1):
            if column in self.lined:
                on_line = (row, column) in self.down
                beside = None if on_line else self._shared((row, column - 1), (row, column))
                parts.append(self._painted("│" if on_line else " ", beside))
            if column < self.columns:
                parts.append(self._cell(row, column))
        return "".join(parts)

    def _cell(self, row: int, column: int) -> str:
        mark = self.picture.marks.get((row, column))
        strong = isinstance(mark, Label) and mark.strong
        text = mark.text if mark is not None else self._empty(row, column)
        return self._painted(text[:_MOST].center(self.width), self.fills.get((row, column)), strong)

    def _empty(self, row: int, column: int) -> str:
        """What stands for shading where there are no colors."""
        tint = self.picture.tints.get((row, column), PAPER)
        return "" if self.colors else {SHADED: "·", BLOCKED: "▒" * self.width}.get(tint, "")

    def _shared(self, one: tuple[int, int], other: tuple[int, int]) -> str | None:
        """The color that runs on from one place to the other."""
        fill = self.fills.get(one)
        return fill if fill == self.fills.get(other) else None

    def _around(self, row: int, column: int) -> str | None:
        """The color at a corner, where all four cells agree."""
        places = [(row - 1, column - 1), (row - 1, column), (row, column - 1), (row, column)]
        around = {self.fills.get(place) for place in places}
        return around.pop() if len(around) == 1 else None

    def _painted(self, text: str, back: str | None, strong: bool = False) -> str:
        return _painted(text, back, strong) if self.colors else text
