"""Sudoku of any box size, with regions of any shape, diagonals and extra regions."""

from __future__ import annotations

import math
import string
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from exactcover import Encoder, ParameterError, Picture, pictures
from problems.squares import Entry, filled, labels, parse_box

__all__ = ["Entry", "Sudoku"]

_MOST_SIDE = 64
_LONGEST_NUMBER = 3  # characters
_EXTRA = 8  # the tint of extra regions


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
def _alphabet(symbols: str, side: int, frame: str) -> str:
    """Return the symbols, checked; the usual ones where none are named."""
    if not symbols:
        letters = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
        symbols = (string.digits[1:] if side <= 9 else letters)[:side]
    if any(one.isspace() for one in symbols):
        raise ParameterError("symbols", "white space cannot be a symbol")
    if len(symbols) != side or len(set(symbols)) != side:
        raise ParameterError("symbols", f"expected {side} different symbols for {frame}")
    return symbols


def _parted(words: Sequence[str]) -> bool:
    """Whether words are the cells of a row, not a row and a comment on it."""
    return len(words) > len(words[0]) and all(len(word) <= _LONGEST_NUMBER for word in words)


def _cells_of(row: str) -> str | list[str]:
    """Return the cells of a row as characters, or as words where blanks part them."""
    words = row.split()
    return words if _parted(words or [""]) else "".join(words)


def _numbers(row: int, cells: Iterable[str]) -> tuple[int, ...]:
    """Return a row of cells in numbers, 0 for a blank."""
    numbers = []
    for column, cell in enumerate(cells):
        if not (cell.isascii() and cell.isdecimal()) and (len(cell) > 1 or cell.isalnum()):
            message = f"{cell!r} is no number; 0 or . stands for a blank"
            raise ParameterError(("grid", row, column), f"row {row + 1}, column {column + 1}: {message}")
        numbers.append(int(cell) if cell.isdecimal() else 0)
    return tuple(numbers)


def _rows(drawing: str | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(drawing.split()) if isinstance(drawing, str) else drawing


def _drawing(
    drawing: str | tuple[str, ...], side: int, parameter: str | tuple[str | int, ...]
) -> dict[tuple[int, int], str]:
    """Return the letter of each cell that has one."""
    rows = _rows(drawing)
    if len(rows) != side or any(len(row) != side for row in rows):
        raise ParameterError(parameter, f"expected {side} rows of {side} cells")
    cells = {(row, column): letter for row, line in enumerate(rows, 1) for column, letter in enumerate(line, 1)}
    return {cell: letter for cell, letter in cells.items() if letter != "."}


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

    regions: str | tuple[str, ...] = ""
    """Regions in place of boxes: the rows, as a list or parted by white space, with a letter for each region."""

    diagonals: bool = False
    """Whether both diagonals hold every symbol once as well."""

    extra: tuple[str | tuple[str, ...], ...] = ()
    """More regions that hold no symbol twice: drawings like that of `regions`, with . for cells that are in none."""

    def __post_init__(self) -> None:
        self._symbols, self._givens  # noqa: B018 - a wrong parameter is reported now, not later
        if self.extra:
            self._more  # noqa: B018 - so is this

    @cached_property
    def _box(self) -> tuple[int, int]:
        return parse_box(self.box, _MOST_SIDE)

    @cached_property
    def side(self) -> int:
        """How many rows, columns, boxes and symbols there are."""
        return len(_rows(self.regions)) if self.regions else self._box[0] * self._box[1]

    @cached_property
    def _frame_text(self) -> str:
        return f"{self.side} regions" if self.regions else f"boxes of {self.box}"

    @cached_property
    def _symbols(self) -> str:
        return _alphabet(self.symbols, self.side, self._frame_text)

    @cached_property
    def _region(self) -> dict[tuple[int, int], str]:
        """The name of the box or region of each cell."""
        if not self.regions:
            height, width = self._box
            lines = range(1, self.side + 1)
            return {(row, column): f"box {(row - 1) // height * height + (column - 1) // width + 1}"
                    for row in lines for column in lines}  # fmt: skip
        drawn = _drawing(self.regions, self.side, "regions")
        sizes = Counter(drawn.values())
        if len(sizes) != self.side or set(sizes.values()) != {self.side}:
            letter, size = next((pair for pair in sizes.items() if pair[1] != self.side), ("", 0))
            found = f"region {letter} has {size} cells" if size else f"there are {len(sizes)}"
            raise ParameterError("regions", f"expected {self.side} regions of {self.side} cells; {found}")
        return {cell: f"region {letter}" for cell, letter in drawn.items()}

    @cached_property
    def _more(self) -> dict[tuple[int, int], list[str]]:
        """The extra regions and diagonals of each cell, by name."""
        more: dict[tuple[int, int], list[str]] = {}
        lines = range(1, self.side + 1)
        if self.diagonals:
            for line in lines:
                more.setdefault((line, line), []).append("the falling diagonal")
                more.setdefault((line, self.side + 1 - line), []).append("the rising diagonal")
        for number, drawing in enumerate(self.extra):
            drawn = _drawing(drawing, self.side, ("extra", number))
            too_large = next((one for one, size in Counter(drawn.values()).items() if size > self.side), None)
            if too_large is not None:
                raise ParameterError(("extra", number), f"region {too_large} has more than {self.side} cells")
            for cell, letter in drawn.items():
                more.setdefault(cell, []).append(f"extra region {number + 1}{letter}")
        return more

    @cached_property
    def _givens(self) -> tuple[Entry, ...]:
        cells, side = self._read(), self.side
        if cells and len(cells) != side**2:
            raise ParameterError("grid", f"expected {side**2} cells for {self._frame_text}, found {len(cells)}")
        if self.regions:
            self._region  # noqa: B018 - is it sound?
        return tuple(
            [Entry(place // side + 1, place % side + 1, symbol) for place, symbol in enumerate(cells) if symbol]
        )

    def _read(self) -> list[str]:
        """Return the symbol of every cell, empty for a blank."""
        if isinstance(self.grid, str):
            return self._line("".join(self.grid.split()), 0, "grid")
        rows: tuple[str | tuple[int, ...], ...] = self.grid
        cells: list[str] = []
        for number, row in enumerate(rows):
            line = "".join(row.split()) if isinstance(row, str) else row
            if len(line) != self.side:
                raise ParameterError(("grid", number), f"expected {self.side} cells in a row, found {len(line)}")
            if isinstance(line, str):
                cells += self._line(line, number, ("grid", number))
            else:
                cells += [self._numbered(one, (number, column)) for column, one in enumerate(line)]
        return cells

    def _line(self, text: str, above: int, path: str | tuple[str | int, ...]) -> list[str]:
        """Return the symbols in a text of one row or more, below so many others."""
        cells = _cells(self._symbols)
        try:
            return [cells[character] for character in text]
        except KeyError as error:
            row, column = divmod(text.index(error.args[0]), self.side)
            blank = "." if "0" in self._symbols else "0 or ."
            message = f"{error.args[0]!r} is none of the symbols {self._symbols}; {blank} stands for a blank"
            raise ParameterError(path, f"row {above + row + 1}, column {column + 1}: {message}") from None

    def _numbered(self, number: int, place: tuple[int, int]) -> str:
        if not 0 <= number <= self.side:
            row, column = place
            message = f"{number} is no cell; expected 0 for a blank, or 1 to {self.side}"
            raise ParameterError(("grid", row, column), f"row {row + 1}, column {column + 1}: {message}")
        return self._symbols[number - 1] if number else ""

    def primary(self) -> Iterator[str]:
        lines = range(1, self.side + 1)
        for row in lines:
            for column in lines:
                yield f"r{row}c{column}"
        houses = [f"{kind} {number}" for kind in ("row", "column") for number in lines]
        for house in [*houses, *dict.fromkeys(self._region.values()), *self._full]:
            for symbol in self._symbols:
                yield f"{symbol} in {house}"

    @cached_property
    def _full(self) -> list[str]:
        """The extra regions and diagonals with a cell for each symbol."""
        sizes = Counter(house for houses in self._more.values() for house in houses)
        return [house for house, size in sizes.items() if size == self.side]

    def secondary(self) -> Iterator[str]:
        """In an extra region with fewer cells a symbol may be missing."""
        for house in dict.fromkeys(house for houses in self._more.values() for house in houses):
            if house not in self._full:
                yield from (f"{symbol} in {house}" for symbol in self._symbols)

    def options(self) -> Iterator[tuple[Entry, list[str]]]:
        for (row, column), region in self._region.items():
            houses = [f"row {row}", f"column {column}", region, *self._more.get((row, column), ())]
            for symbol in self._symbols:
                yield Entry(row, column, symbol), [f"r{row}c{column}", *(f"{symbol} in {house}" for house in houses)]

    def givens(self) -> tuple[Entry, ...]:
        return self._givens

    def instances(self, lines: Iterable[str]) -> Iterator[str]:
        """Split into puzzles: one a line, or a line a row, with blank lines between or without.

        In a row cells may be parted by blanks; else what follows the first blank is a comment.
        """
        block: list[str] = []
        for line in lines:
            words = line.split() or [""]
            row = " ".join(words) if _parted(words) else words[0]
            if len(row) == self.side**2 or len(row) > _MOST_SIDE > len(words):
                yield row
            elif row:
                block.append(row)
            if block and (not row or len(block) == len(_cells_of(block[0]))):
                yield "\n".join(block)
                block = []
        if block:
            yield "\n".join(block)

    def parse(self, text: str) -> Sudoku:
        lines = text.split("\n")
        if len(lines) == 1:
            side = math.isqrt(len(text)) if len(text) > _MOST_SIDE else 0
            return replace(self, grid=text, box=self._box_for(side) if side**2 == len(text) else self.box)
        rows = [_cells_of(line) for line in lines]
        numbered = any(len(cell) > 1 for row in rows for cell in row) or (
            any(isinstance(row, list) for row in rows)
            and not any(one.isdigit() for one in self.symbols)
            and not any(cell.isalpha() for row in rows for cell in row)
        )
        grid: tuple[str, ...] | tuple[tuple[int, ...], ...] = tuple("".join(row) for row in rows)
        if numbered:
            grid = tuple(_numbers(number, row) for number, row in enumerate(rows))
        return replace(self, grid=grid, box=self._box_for(len(rows)))

    def _box_for(self, side: int) -> str:
        """Return the box of a board of that side: a square, where the own box does not fit it."""
        root = math.isqrt(side)
        return self.box if side == self.side or root**2 != side else f"{root}x{root}"

    def unparse(self, solution: Iterable[Entry]) -> str:
        rows = self.decode(solution)
        if isinstance(self.grid, str):
            return "".join(rows)
        if not self.grid or isinstance(self.grid[0], str):
            return "\n".join(rows)
        width = len(str(self.side))
        numbers = {symbol: number for number, symbol in enumerate(self._symbols, 1)}
        return "\n".join(" ".join(f"{numbers.get(one, 0):{width}}" for one in row) for row in rows)

    def frame(self) -> Hashable:
        return self.box, self.symbols, self.regions, self.diagonals, self.extra

    def decode(self, solution: Iterable[Entry]) -> tuple[str, ...]:
        """Return the filled grid, a text for each row, with ``.`` for what is not filled."""
        return filled(solution, self.side)

    def draw(self, solution: Iterable[Entry]) -> Picture:
        given, entries = set(self._givens), tuple(solution)
        shaded = {(entry.row, entry.column) for entry in entries if entry in given}
        shapes: list[pictures.Shape] = []
        for (row, column), region in self._region.items():
            cell = pictures.Cell(row - 1, column - 1, region, pictures.PAPER)
            if (row, column) in shaded:
                cell = replace(cell, tint=pictures.SHADED)
            elif (row, column) in self._more:
                cell = replace(cell, tint=_EXTRA, strength=0.4)
            shapes.append(cell)
        shapes += labels(entries, given)
        return Picture(f"Sudoku of side {self.side}, {len(given)} givens", tuple(shapes), grid=True)
