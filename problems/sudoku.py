"""Sudoku with boxes of any size, regions of any shape, diagonals, extra regions, killer cages and thermometers."""

from __future__ import annotations

import math
import string
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated

from annotated_types import Ge

from exactcover import Encoder, ParameterError, Picture, TextForm, pictures
from problems.squares import (
    Entry,
    label_symbols,
    list_blanks,
    make_text_form,
    parse_box,
    square_cells,
    square_rows,
)
from problems.sudoku_grids import (
    MAX_DIGITS,
    are_cells,
    choose_symbols,
    count_cells,
    find_side,
    parse_numbers,
    read_regions,
    split_cells,
    split_rows,
    symbol_table,
)
from problems.sudoku_rules import (
    Cage,
    Combination,
    Place,
    color_cages,
    draw_thermometers,
    outline_cages,
    read_cages,
    read_thermometers,
    thermometer_items,
    write_sums,
)

__all__ = ["Combination", "Entry", "Sudoku"]

_MAX_SIDE = 64
_EXTRA_TINT = 8  # of extra regions
_EXTRA_STRENGTH, _GIVEN_STRENGTH = 0.4, 0.65  # of colors, without a given and with one


def _list_entries(solution: Iterable[Entry | Combination]) -> list[Entry]:
    return [one for one in solution if isinstance(one, Entry)]


@dataclass(frozen=True)
class Sudoku(Encoder):
    """Fill a square so that every row, column and box holds every symbol once.

    A board of side n has n^3 options and 4 n^2 items, ordered by cells, rows, columns and boxes. A cage has one more
    option for each combination of symbols with its sum.

    Examples
    --------
    >>> puzzle = Sudoku(box="2x2", grid="1... ...2 .3.. ..4.")
    >>> for solution in puzzle.problem().solve(given=puzzle.givens()):
    ...     print(*puzzle.decode(solution))
    1234 3412 4321 2143
    """

    grid: str | tuple[str, ...] | tuple[tuple[int, ...], ...] = ""
    """The puzzle: a single string (white space is ignored), a list of lines, or a list of rows of numbers with 0 for a
    blank. In text, all characters other than the symbols are blanks; but digits from 1 are mistakes, and so are letters
    if there are letters among the symbols. Empty for no givens."""

    box: str = ""
    """The size of a box, ROWSxCOLUMNS. By default the squares that fit the grid, and 3x3 without a grid."""

    symbols: str = ""
    """The symbols in order. By default digits from 1 for sides up to 9, and letters from A for larger ones."""

    regions: str | tuple[str, ...] = ""
    """Regions in place of boxes: the rows, as a list or separated by white space, with a letter for each region."""

    diagonals: bool = False
    """Whether both diagonals must also hold every symbol once."""

    extra: tuple[str | tuple[str, ...], ...] = ()
    """Additional regions that hold no symbol twice: drawings like `regions`, with . for cells in no such region."""

    cages: str | tuple[str, ...] = ""
    """Killer cages, which hold no symbol twice: a drawing like `regions`, with . for cells in no cage."""

    sums: Mapping[str, Annotated[int, Ge(0)]] = field(default_factory=dict)
    """The sum of the digits in each cage, by its letter. Symbols other than digits count by their position, from 1."""

    thermometers: tuple[str, ...] = ()
    """Cells along which symbols ascend, from the bulb on, like `r1c1 r1c2 r2c3`."""

    def __post_init__(self) -> None:
        self._symbols, self._givens  # noqa: B018 - reports mistakes now
        if self.extra:
            self._extra_houses  # noqa: B018 - reports mistakes now
        self._cages, self._thermometers  # noqa: B018 - reports mistakes now

    @cached_property
    def _box(self) -> tuple[int, int]:
        return parse_box(self._box_size, _MAX_SIDE)

    @cached_property
    def _box_size(self) -> str:
        """The size of a box; that of a square if it is not stated."""
        if self.box:
            return self.box
        side = find_side(self.grid, _MAX_SIDE) or 9
        root = math.isqrt(side)
        if root**2 != side:
            raise ParameterError(
                "box", f"a grid of {count_cells(side, 'row')} has no square boxes; set box to ROWSxCOLUMNS, like 2x3"
            )
        return f"{root}x{root}"

    @cached_property
    def side(self) -> int:
        """The number of rows, columns, boxes and symbols."""
        return len(split_rows(self.regions)) if self.regions else self._box[0] * self._box[1]

    @cached_property
    def _box_text(self) -> str:
        return f"{self.side} regions" if self.regions else f"boxes of {self._box_size}"

    @cached_property
    def _symbols(self) -> str:
        return choose_symbols(self.symbols, self.side, self._box_text)

    @cached_property
    def _region_of(self) -> dict[tuple[int, int], str]:
        """The name of the box or region of each cell."""
        if not self.regions:
            height, width = self._box
            lines = range(1, self.side + 1)
            return {(row, column): f"box {(row - 1) // height * height + (column - 1) // width + 1}"
                    for row in lines for column in lines}  # fmt: skip
        letters = read_regions(self.regions, self.side, "regions")
        sizes = Counter(letters.values())
        if len(sizes) != self.side or set(sizes.values()) != {self.side}:
            letter, size = next((pair for pair in sizes.items() if pair[1] != self.side), ("", 0))
            found = f"region {letter} has {pictures.format_count(size, 'cell')}" if size else f"got {len(sizes)}"
            raise ParameterError("regions", f"expected {count_cells(self.side, 'region')}; {found}")
        return {cell: f"region {letter}" for cell, letter in letters.items()}

    @cached_property
    def _extra_houses(self) -> dict[tuple[int, int], list[str]]:
        """The names of the diagonals and extra regions of each cell."""
        houses: dict[tuple[int, int], list[str]] = {}
        lines = range(1, self.side + 1)
        if self.diagonals:
            for line in lines:
                houses.setdefault((line, line), []).append("the falling diagonal")
                houses.setdefault((line, self.side + 1 - line), []).append("the rising diagonal")
        for number, drawing in enumerate(self.extra):
            letters = read_regions(drawing, self.side, ("extra", number))
            too_large = next((one for one, size in Counter(letters.values()).items() if size > self.side), None)
            if too_large is not None:
                raise ParameterError(
                    ("extra", number), f"region {too_large} has more than {pictures.format_count(self.side, 'cell')}"
                )
            for cell, letter in letters.items():
                houses.setdefault(cell, []).append(f"extra region {number + 1}{letter}")
        return houses

    @cached_property
    def _cages(self) -> list[Cage]:
        if not self.cages and not self.sums:
            return []
        return read_cages(read_regions(self.cages or (), self.side, "cages"), self.sums, self._symbols)

    @cached_property
    def _thermometers(self) -> list[list[Place]]:
        return read_thermometers(self.thermometers, self.side)

    @cached_property
    def _rules(self) -> Mapping[Place, Mapping[str, Sequence[str]]]:
        """The items of cages and thermometers that each cell covers, by its symbol."""
        rules = thermometer_items(self._thermometers, self._symbols)
        for cage in self._cages:
            for cell in cage.cells:
                for symbol in self._symbols:
                    rules.setdefault(cell, {}).setdefault(symbol, []).append(cage.item(symbol))
        return rules

    @cached_property
    def _givens(self) -> tuple[Entry, ...]:
        cells, side = self._read_grid(), self.side
        if cells and not isinstance(self.grid, str) and len(self.grid) != side:
            rows = pictures.format_count(side, "row")
            raise ParameterError("grid", f"expected {rows} for {self._box_text}, got {len(self.grid)}")
        if cells and len(cells) != side**2:
            raise ParameterError(
                "grid", f"expected {pictures.format_count(side**2, 'cell')} for {self._box_text}, got {len(cells)}"
            )
        if self.regions:
            self._region_of  # noqa: B018 - reports mistakes now
        return tuple(
            [Entry(place // side + 1, place % side + 1, symbol) for place, symbol in enumerate(cells) if symbol]
        )

    def _read_grid(self) -> list[str]:
        """Return the symbol of every cell, empty for a blank."""
        if isinstance(self.grid, str):
            return self._read_symbols("".join(self.grid.split()), 0, "grid")
        rows: tuple[str | tuple[int, ...], ...] = self.grid
        cells: list[str] = []
        for number, row in enumerate(rows):
            line = "".join(row.split()) if isinstance(row, str) else row
            if len(line) != self.side:
                message = f"row {number + 1}: expected {pictures.format_count(self.side, 'cell')}, got {len(line)}"
                raise ParameterError(("grid", number), message)
            if isinstance(line, str):
                cells += self._read_symbols(line, number, ("grid", number))
            else:
                cells += [self._symbol_of(one, (number, column)) for column, one in enumerate(line)]
        return cells

    def _read_symbols(self, text: str, first_row: int, path: str | tuple[str | int, ...]) -> list[str]:
        """Return the symbols in a text of one or more rows; `first_row` is the index of the first."""
        table = symbol_table(self._symbols)
        try:
            return [table[character] for character in text]
        except KeyError as error:
            row, column = divmod(text.index(error.args[0]), self.side)
            blank = "." if "0" in self._symbols else "0 or ."
            message = f"{error.args[0]!r} is not one of the symbols {self._symbols}; use {blank} for a blank"
            if not self.symbols and self.side > 9:  # the default symbols are letters
                example = (string.digits[1:] + string.ascii_uppercase + string.ascii_lowercase + "0+/")[: self.side]
                message += f", or set symbols to those of the puzzle, such as {example}"
            given = self.grid if isinstance(path, str) else self.grid[first_row]
            if isinstance(given, str):
                path = (*((path,) if isinstance(path, str) else path), given.index(error.args[0]))
            raise ParameterError(path, f"row {first_row + row + 1}, column {column + 1}: {message}") from None

    def _symbol_of(self, number: int, place: tuple[int, int]) -> str:
        if not 0 <= number <= self.side:
            row, column = place
            message = f"expected 1 to {self.side}, or 0 for a blank, got {number}"
            raise ParameterError(("grid", row, column), f"row {row + 1}, column {column + 1}: {message}")
        return self._symbols[number - 1] if number else ""

    def primary(self) -> Iterator[str]:
        lines = range(1, self.side + 1)
        for row in lines:
            for column in lines:
                yield f"r{row}c{column}"
        houses = [f"{kind} {number}" for kind in ("row", "column") for number in lines]
        for house in [*houses, *dict.fromkeys(self._region_of.values()), *self._full_houses]:
            for symbol in self._symbols:
                yield f"{symbol} in {house}"
        for cage in self._cages:
            yield f"cage {cage.name}"
            yield from map(cage.item, self._symbols)

    @cached_property
    def _full_houses(self) -> list[str]:
        """The diagonals and extra regions with as many cells as there are symbols."""
        sizes = Counter(house for houses in self._extra_houses.values() for house in houses)
        return [house for house, size in sizes.items() if size == self.side]

    def secondary(self) -> Iterator[str]:
        """Yield the items of extra regions with fewer cells, where a symbol may be missing, and of thermometers."""
        for house in dict.fromkeys(house for houses in self._extra_houses.values() for house in houses):
            if house not in self._full_houses:
                yield from (f"{symbol} in {house}" for symbol in self._symbols)
        items = thermometer_items(self._thermometers, self._symbols).values()
        yield from dict.fromkeys(item for by_symbol in items for own in by_symbol.values() for item in own)

    def options(self) -> Iterator[tuple[Entry | Combination, list[str]]]:
        for (row, column), region in self._region_of.items():
            houses = [f"row {row}", f"column {column}", region, *self._extra_houses.get((row, column), ())]
            rules = self._rules.get((row, column), {})
            for symbol in self._symbols:
                items = [f"r{row}c{column}", *(f"{symbol} in {house}" for house in houses), *rules.get(symbol, ())]
                yield Entry(row, column, symbol), items
        for cage in self._cages:
            yield from cage.options(self._symbols)

    def reduces(self) -> bool:
        """Return whether there are thermometers, on which an impossible symbol makes others impossible."""
        return bool(self.thermometers)

    def givens(self) -> tuple[Entry, ...]:
        return self._givens

    def instances(self, lines: Iterable[str]) -> Iterator[str]:
        """Split a stream of lines into puzzles: one puzzle per line, or one row per line.

        Blank lines between puzzles are optional. White space may separate the cells of a row; otherwise the text after
        the first white space is a comment.
        """
        block: list[str] = []
        for line in lines:
            words = line.split(None, 1)
            if words and len(words[0]) == self.side**2 > MAX_DIGITS:
                yield words[0]
                continue
            words = line.split() or [""]
            row = " ".join(words) if are_cells(words) else words[0]
            if len(row) == self.side**2 or len(row) > _MAX_SIDE > len(words):
                yield row
            elif row:
                block.append(row)
            if block and (not row or len(block) == len(split_cells(block[0]))):
                yield "\n".join(block)
                block = []
        if block:
            yield "\n".join(block)

    def parse(self, text: str) -> Sudoku:
        lines = text.split("\n")
        if len(lines) == 1:
            side = math.isqrt(len(text)) if len(text) > _MAX_SIDE else 0
            return replace(self, grid=text, box=self._box_for(side) if side**2 == len(text) else self._box_size)
        rows = [split_cells(line) for line in lines]
        numbered = any(len(cell) > 1 for row in rows for cell in row) or (
            any(isinstance(row, list) for row in rows)
            and not any(one.isdigit() for one in self.symbols)
            and not any(cell.isalpha() for row in rows for cell in row)
        )
        grid: tuple[str, ...] | tuple[tuple[int, ...], ...] = tuple("".join(row) for row in rows)
        if numbered:
            grid = tuple(parse_numbers(number, row) for number, row in enumerate(rows))
        return replace(self, grid=grid, box=self._box_for(len(rows)))

    def _box_for(self, side: int) -> str:
        """Return the box for a board of this side: the own box if it fits, else a square one if possible."""
        root = math.isqrt(side)
        return self._box_size if side == self.side or root**2 != side else f"{root}x{root}"

    def unparse(self, solution: Iterable[Entry | Combination]) -> str:
        rows = self.decode(solution)
        if isinstance(self.grid, str):
            return "".join(rows)
        if not self.grid or isinstance(self.grid[0], str):
            return "\n".join(rows)
        width = len(str(self.side))
        numbers = {symbol: number for number, symbol in enumerate(self._symbols, 1)}
        return "\n".join(" ".join(f"{numbers.get(one, 0):{width}}" for one in row) for row in rows)

    def text_form(self) -> TextForm | None:
        if self._cages:
            return None  # a text does not say which combinations are chosen
        row = TextForm.PLACE * self.side
        layouts = [row * self.side, "\n".join([row] * self.side)]
        return make_text_form(square_cells(self.side), self._symbols, layouts, list_blanks(self._symbols))

    def frame(self) -> Hashable:
        rules = self.cages, tuple(self.sums.items()), self.thermometers
        return self._box_size, self.symbols, self.regions, self.diagonals, self.extra, *rules

    def decode(self, solution: Iterable[Entry | Combination]) -> tuple[str, ...]:
        """Return the rows of the grid as text, with ``.`` for empty cells."""
        return square_rows(_list_entries(solution), self.side)

    def draw(self, solution: Iterable[Entry | Combination]) -> Picture:
        given = set(self._givens)
        shapes = (*self._ground, *label_symbols(_list_entries(solution), given))
        return Picture(f"Sudoku of side {self.side}, {pictures.format_count(len(given), 'given')}", shapes, grid=True)

    @cached_property
    def _ground(self) -> tuple[pictures.Shape, ...]:
        """What is drawn without any symbol; the cells of givens are shaded."""
        colored, given = color_cages(self._cages), {(entry.row, entry.column) for entry in self._givens}
        cells: dict[Place, pictures.Cell] = {}
        for (row, column), region in self._region_of.items():
            place = row, column
            cell = pictures.Cell(row - 1, column - 1, region, pictures.SHADED if place in given else pictures.PAPER)
            if place in colored:
                look = colored[place]
                cell = replace(look, region=region, strength=_GIVEN_STRENGTH if place in given else look.strength)
            elif place in self._extra_houses:
                strength = _GIVEN_STRENGTH if place in given else _EXTRA_STRENGTH
                cell = replace(cell, tint=_EXTRA_TINT, strength=strength)
            cells[place] = cell
        return (
            *cells.values(),
            *draw_thermometers(self._thermometers),
            *outline_cages(self._cages),
            *write_sums(self._cages, cells),
        )
