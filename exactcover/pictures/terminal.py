"""Pictures as text: box characters, with colors where the terminal allows."""

from __future__ import annotations

from exactcover.pictures.palette import fills, rgb, text_on
from exactcover.pictures.shapes import BLOCKED, PAPER, SHADED, Label, Picture

__all__ = ["render"]

_WIDTH = 3  # characters inside a cell
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
    lines = _Canvas(picture, colors).lines()
    return "\n".join([*lines, picture.caption] if picture.caption else lines)


class _Canvas:
    def __init__(self, picture: Picture, colors: bool) -> None:
        self.picture, self.colors, self.fills = picture, colors, fills(picture)
        edges = {edge for edge in picture.edges() if edge.strength >= _VISIBLE}
        self.down = {(edge.row, edge.column) for edge in edges if edge.down}
        self.right = {(edge.row, edge.column) for edge in edges if not edge.down}
        self.lined = {column for _, column in self.down}  # where a vertical line needs room

    def lines(self) -> list[str]:
        """Border lines are left out where nothing is drawn on them."""
        rows = self.picture.rows
        lines = []
        for row in range(rows + 1):
            if any((row, column) in self.right for column in range(self.picture.columns)):
                lines.append(self._border_line(row))
            if row < rows:
                lines.append(self._cell_line(row))
        return [line.rstrip() for line in lines]

    def _border_line(self, row: int) -> str:
        parts = []
        for column in range(self.picture.columns + 1):
            arms = (
                int((row - 1, column) in self.down),
                int((row, column) in self.down),
                int((row, column - 1) in self.right),
                int((row, column) in self.right),
            )
            corner = _JUNCTIONS.get(arms, "─" if arms[2] or arms[3] else "│")
            if column in self.lined:
                parts.append(self._painted(corner, self._around(row, column)))
            if column < self.picture.columns:
                on_line = (row, column) in self.right
                beside = None if on_line else self._shared((row - 1, column), (row, column))
                parts.append(self._painted(("─" if on_line else " ") * _WIDTH, beside))
        return "".join(parts)

    def _cell_line(self, row: int) -> str:
        parts = []
        for column in range(self.picture.columns + 1):
            if column in self.lined:
                on_line = (row, column) in self.down
                beside = None if on_line else self._shared((row, column - 1), (row, column))
                parts.append(self._painted("│" if on_line else " ", beside))
            if column < self.picture.columns:
                parts.append(self._cell(row, column))
        return "".join(parts)

    def _cell(self, row: int, column: int) -> str:
        mark = self.picture.marks.get((row, column))
        strong = isinstance(mark, Label) and mark.strong
        text = mark.text if mark is not None else self._empty(row, column)
        return self._painted(text.center(_WIDTH), self.fills.get((row, column)), strong)

    def _empty(self, row: int, column: int) -> str:
        """What stands for shading where there are no colors."""
        tint = self.picture.tints.get((row, column), PAPER)
        return "" if self.colors else {SHADED: "·", BLOCKED: "▒▒▒"}.get(tint, "")

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
        if not self.colors or back is None:
            return f"\x1b[1m{text}\x1b[0m" if strong and self.colors else text
        codes = ["1"] if strong else []
        codes += ["38;2;" + ";".join(map(str, rgb(text_on(back)))), "48;2;" + ";".join(map(str, rgb(back)))]
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m"
