"""Overlapping Sudokus that share boxes, such as Samurai Sudoku."""

from __future__ import annotations

import string
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from exactcover import ParameterError, Picture, TextForm, pictures
from exactcover.model.text_form import NumberedText
from problems.boards import check_lines, draw_letters
from problems.squares import (
    EXCHANGED,
    Entry,
    SymbolEncoder,
    is_blank,
    label_symbols,
    make_text_form,
    parse_box,
    shade_cells,
)

_MAX_PLACES = 1 << 16  # of a board whose instances are read in C++
_SAMURAI = ((1, 1), (1, 13), (7, 7), (13, 1), (13, 13))


@dataclass(frozen=True)
class Samurai(SymbolEncoder):
    """Fill overlapping squares so that every row, column and box of each square holds every symbol once.

    By default there are five squares of side 9; the middle one shares a box with each of the others.

    Examples
    --------
    >>> two = Samurai(box="2x2", corners=((1, 1), (3, 3)))
    >>> two.problem().count()
    3456
    """

    grid: str | tuple[str, ...] = ""
    """The puzzle, as a list of rows or one row per line: symbols are givens; any other character is a blank or a place
    without a cell, but digits from 1 are mistakes, and so are letters if there are letters among the symbols. Empty for
    no givens."""

    corners: tuple[tuple[int, int], ...] = _SAMURAI
    """The upper left cell of each square, as [row, column], numbered from 1."""

    box: str = "3x3"
    """The size of a box, ROWSxCOLUMNS."""

    def __post_init__(self) -> None:
        self._squares, self._givens  # noqa: B018 - reports mistakes now

    @cached_property
    def _box(self) -> tuple[int, int]:
        return parse_box(self.box, 35)

    @property
    def _side(self) -> int:
        return self._box[0] * self._box[1]

    @cached_property
    def _symbols(self) -> str:
        return (string.digits[1:] + string.ascii_uppercase)[: self._side]

    @cached_property
    def _squares(self) -> dict[tuple[int, int], list[int]]:
        """The numbers, from 1, of the squares that contain each cell; cells row by row."""
        if not self.corners:
            raise ParameterError("corners", "there are no squares; expected at least one")
        squares: dict[tuple[int, int], list[int]] = {}
        for number, (top, left) in enumerate(self.corners):
            if top < 1 or left < 1 or (top - 1) % self._box[0] or (left - 1) % self._box[1]:
                message = f"expected the upper left cell of a box of {self.box}, got row {top}, column {left}"
                raise ParameterError(("corners", number), message)
            for row in range(top, top + self._side):
                for column in range(left, left + self._side):
                    squares.setdefault((row, column), []).append(number + 1)
        return dict(sorted(squares.items()))

    @property
    def _rows(self) -> Sequence[str]:
        return self.grid.strip("\r\n").splitlines() if isinstance(self.grid, str) else self.grid

    @cached_property
    def _givens(self) -> tuple[Entry, ...]:
        if isinstance(self.grid, str) and len(self.grid) > max(column for _, column in self._squares):
            check_lines(self.grid, "grid")
        givens = []
        symbols = set(self._symbols)
        for row, line in enumerate(self._rows, 1):
            for column, symbol in enumerate(line, 1):
                if symbol.upper() not in symbols and is_blank(symbol, self._symbols):
                    continue
                if symbol.upper() not in symbols or (row, column) not in self._squares:
                    inside = (row, column) in self._squares
                    fault = f"is not one of the symbols {self._symbols}" if inside else "is outside all squares"
                    text = isinstance(self.grid, str)
                    path = [_index(str(self.grid), row, column)] if text else [row - 1, column - 1]
                    raise ParameterError(("grid", *path), f"row {row}, column {column}: {symbol!r} {fault}")
                givens.append(Entry(row, column, symbol.upper()))
        return tuple(givens)

    def _box_of(self, row: int, column: int) -> str:
        height, width = self._box
        return f"the box at r{(row - 1) // height * height + 1}c{(column - 1) // width * width + 1}"

    def options(self) -> Iterator[tuple[Entry, list[str]]]:
        for (row, column), squares in self._squares.items():
            houses = [f"row {row} of square {number}" for number in squares]
            houses += [f"column {column} of square {number}" for number in squares]
            houses.append(self._box_of(row, column))
            for symbol in self._symbols:
                yield Entry(row, column, symbol), [f"r{row}c{column}", *(f"{symbol} in {house}" for house in houses)]

    def fewest_clues(self) -> tuple[int, str]:
        return self._side - 1, EXCHANGED

    def givens(self) -> tuple[Entry, ...]:
        return self._givens

    def instances(self, lines: Iterable[str]) -> Iterator[str]:
        """Split a stream of lines into puzzles, which are separated by blank lines."""
        block: list[str] = []
        for number, line in enumerate(chain(lines, [""]), 1):
            if line.strip():
                block.append(line.rstrip("\r\n"))
            elif block:
                yield NumberedText("\n".join(block), number - len(block))
                block = []

    def parse(self, text: str) -> Samurai:
        return replace(self, grid=text)

    def unparse(self, solution: Iterable[Entry]) -> str:
        """Return the rows of the puzzle with all cells filled; _ stands for no cell where the puzzle has nothing."""
        given = self._rows
        lines = []
        for row, line in enumerate(self.decode(solution)):
            own = given[row] if row < len(given) else ""
            kept = [
                own[column] if (row + 1, column + 1) not in self._squares and column < len(own) else symbol
                for column, symbol in enumerate(line)
            ]
            lines.append("".join(kept) + own[len(line) :])
        return "\n".join([*lines, *given[len(lines) :]])

    @property
    def _size(self) -> tuple[int, int]:
        return max(row for row, _ in self._squares), max(column for _, column in self._squares)

    def text_form(self) -> TextForm | None:
        rows, columns = self._size
        if rows * columns > _MAX_PLACES:
            return None
        places = dict.fromkeys(self._squares, TextForm.PLACE)
        layouts = []
        for outside in "_. ":
            lines = draw_letters(places, self._size, outside)
            layouts += ["\n".join(lines), "\n".join(line.rstrip(outside) for line in lines)]
        layouts = [layout for layout in layouts if not layout.startswith("\n")]
        blanks = [one for one in f"{string.punctuation}0{string.ascii_letters}" if is_blank(one, self._symbols)]
        return make_text_form(self._squares, self._symbols, layouts, "".join(blanks), any_case=True)

    def frame(self) -> Hashable:
        return self.corners, self.box

    def decode(self, solution: Iterable[Entry]) -> tuple[str, ...]:
        """Return the rows, with . for an empty cell and _ for no cell."""
        symbols = dict.fromkeys(self._squares, ".") | {(row, column): symbol for row, column, symbol in solution}
        return tuple(line.rstrip("_") for line in draw_letters(symbols, self._size, "_"))

    def draw(self, solution: Iterable[Entry]) -> Picture:
        given = set(self._givens)
        shapes: tuple[pictures.Shape, ...] = (*self._ground, *label_symbols(solution, given))
        puzzles = pictures.format_count(len(self.corners), "overlapping Sudoku")
        givens = pictures.format_count(len(given), "given")
        return Picture(f"{puzzles}, {givens}", shapes, grid=True)

    @cached_property
    def _ground(self) -> tuple[pictures.Cell, ...]:
        """The cells; those of givens are shaded."""
        return tuple(shade_cells({cell: self._box_of(*cell) for cell in self._squares}, self._givens).values())


def _index(text: str, row: int, column: int) -> int:
    """Return the index of a character in a text, given its row and column from 1 without leading blank lines."""
    start = len(text) - len(text.lstrip("\r\n"))
    return start + sum(map(len, text[start:].splitlines(keepends=True)[: row - 1])) + column - 1
