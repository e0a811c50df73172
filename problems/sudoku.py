"""Sudoku of any box size."""

from __future__ import annotations

import math
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import NamedTuple

from exactcover import Encoder, ParameterError, Picture, pictures
from problems.boards import parse_size

__all__ = ["Entry", "Sudoku"]


class Entry(NamedTuple):
    """A symbol in a cell, rows and columns from 1; as text ``r1c5=7``."""

    row: int
    column: int
    symbol: str

    def __str__(self) -> str:
        return f"r{self.row}c{self.column}={self.symbol}"


class _Cells(dict[str, str]):
    """From a character to the symbol it stands for, empty for a blank; KeyError for a strange letter or digit."""

    def __missing__(self, character: str) -> str:
        if character != "0" and character.isalnum():
            raise KeyError(character)
        self[character] = ""
        return ""


@cache
def _cells(symbols: str) -> _Cells:
    return _Cells(zip(symbols, symbols, strict=True))


@cache
def _alphabet(symbols: str, side: int, box: str) -> str:
    """Return the symbols, checked; the usual ones where none are named."""
    if not symbols:
        letters = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
        symbols = (string.digits[1:] if side <= 9 else letters)[:side]
    if any(one.isspace() for one in symbols):
        raise ParameterError("symbols", "white space cannot be a symbol")
    if len(symbols) != side or len(set(symbols)) != side:
        raise ParameterError("symbols", f"expected {side} different symbols for boxes of {box}")
    return symbols


@dataclass(frozen=True)
class Sudoku(Encoder):
    """Fill a square so that every row, column and box holds every symbol once.

    A board of side n has n^3 options and 4 n^2 items, in the order cells, rows, columns, boxes.

    Examples
    --------
    >>> puzzle = Sudoku(box="2x2", grid="1... ...2 .3.. ..4.")
    >>> for solution in puzzle.problem().solve(given=puzzle.givens()):
    ...     print(*puzzle.decode(solution))
    1234 3412 4321 2143
    """

    grid: str | tuple[str, ...] | tuple[tuple[int, ...], ...] = ""
    """The puzzle: one text (white space is ignored), a list of lines, or a list of rows of numbers with 0 for a
    blank. In text 0 (unless it is a symbol) and whatever is no letter or digit is a blank. Empty: no givens."""

    box: str = "3x3"
    """ROWSxCOLUMNS of a box; a board of 3x3 boxes has side 9."""

    symbols: str = ""
    """The symbols in order; by default digits from 1 up to side 9, above that letters from A."""

    def __post_init__(self) -> None:
        self._symbols, self._givens  # noqa: B018 - a wrong parameter is reported now, not later

    @cached_property
    def _box(self) -> tuple[int, int]:
        height, width = parse_size(self.box, "box")
        if height * width > 64:
            raise ParameterError("box", f"boxes of {self.box} make a side of {height * width}; the most is 64")
        return height, width

    @cached_property
    def side(self) -> int:
        """How many rows, columns, boxes and symbols there are."""
        return self._box[0] * self._box[1]

    @cached_property
    def _symbols(self) -> str:
        return _alphabet(self.symbols, self.side, self.box)

    @cached_property
    def _givens(self) -> tuple[Entry, ...]:
        cells, side = self._read(), self.side
        if cells and len(cells) != side**2:
            raise ParameterError("grid", f"expected {side**2} cells for boxes of {self.box}, found {len(cells)}")
        return tuple(
            [Entry(place // side + 1, place % side + 1, symbol) for place, symbol in enumerate(cells) if symbol]
        )

    def _read(self) -> list[str]:
        """Return the symbol of every cell, empty for a blank."""
        if isinstance(self.grid, str):
            return self._line("".join(self.grid.split()), "grid")
        rows: tuple[str | tuple[int, ...], ...] = self.grid
        cells: list[str] = []
        for number, row in enumerate(rows):
            line = "".join(row.split()) if isinstance(row, str) else row
            if len(line) != self.side:
                raise ParameterError(("grid", number), f"expected {self.side} cells in a row, found {len(line)}")
            if isinstance(line, str):
                cells += self._line(line, ("grid", number))
            else:
                cells += [self._numbered(one, ("grid", number)) for one in line]
        return cells

    def _line(self, text: str, path: str | tuple[str | int, ...]) -> list[str]:
        cells = _cells(self._symbols)
        try:
            return [cells[character] for character in text]
        except KeyError as error:
            raise ParameterError(path, f"{error.args[0]!r} is none of the symbols {self._symbols}") from None

    def _numbered(self, number: int, path: tuple[str | int, ...]) -> str:
        if not 0 <= number <= self.side:
            raise ParameterError(path, f"{number} is no cell; expected 0 for a blank, or 1 to {self.side}")
        return self._symbols[number - 1] if number else ""

    def primary(self) -> Iterator[str]:
        lines = range(1, self.side + 1)
        for row in lines:
            for column in lines:
                yield f"r{row}c{column}"
        for kind in ("row", "column", "box"):
            for number in lines:
                for symbol in self._symbols:
                    yield f"{symbol} in {kind} {number}"

    def options(self) -> Iterator[tuple[Entry, list[str]]]:
        height, width = self._box
        lines = range(1, self.side + 1)
        for row in lines:
            for column in lines:
                box = (row - 1) // height * height + (column - 1) // width + 1
                for symbol in self._symbols:
                    yield (
                        Entry(row, column, symbol),
                        [
                            f"r{row}c{column}",
                            f"{symbol} in row {row}",
                            f"{symbol} in column {column}",
                            f"{symbol} in box {box}",
                        ],
                    )

    def givens(self) -> tuple[Entry, ...]:
        return self._givens

    def instances(self, lines: Iterable[str]) -> Iterator[str]:
        """Split into puzzles: one a line, or a line a row, with blank lines between or without."""
        block: list[str] = []
        for line in lines:
            row = (line.split() or [""])[0]
            if len(row) == self.side**2:
                yield row
            elif row:
                block.append(row)
            if block and (not row or len(block) == len(block[0])):
                yield "\n".join(block)
                block = []
        if block:
            yield "\n".join(block)

    def parse(self, text: str) -> Sudoku:
        rows = tuple(text.split("\n"))
        if len(rows) == 1:
            return replace(self, grid=text)
        root = math.isqrt(len(rows))
        box = self.box if len(rows) == self.side or root**2 != len(rows) else f"{root}x{root}"
        return replace(self, grid=rows, box=box)

    def unparse(self, solution: Iterable[Entry]) -> str:
        rows = self.decode(solution)
        return "".join(rows) if isinstance(self.grid, str) else "\n".join(rows)

    def frame(self) -> tuple[str, str]:
        return self.box, self.symbols

    def decode(self, solution: Iterable[Entry]) -> tuple[str, ...]:
        """Return the filled grid, a text for each row, with ``.`` for what is not filled."""
        cells = {(row, column): symbol for row, column, symbol in solution}
        lines = range(1, self.side + 1)
        return tuple("".join([cells.get((row, column), ".") for column in lines]) for row in lines)

    def draw(self, solution: Iterable[Entry]) -> Picture:
        height, width = self._box
        given = set(self._givens)
        entries = sorted(solution)
        shaded = {(entry.row - 1, entry.column - 1) for entry in entries if entry in given}
        shapes: list[pictures.Shape] = [
            pictures.Cell(
                row,
                column,
                (row // height, column // width),
                pictures.SHADED if (row, column) in shaded else pictures.PAPER,
            )
            for row in range(self.side)
            for column in range(self.side)
        ]
        shapes += [pictures.Label(entry.row - 1, entry.column - 1, entry.symbol, entry in given) for entry in entries]
        return Picture(f"Sudoku of side {self.side}, {len(given)} givens", tuple(shapes), grid=True)
