"""Sudoku with boxes of any size, regions of any shape, diagonals, extra regions, killer cages and thermometers."""

from __future__ import annotations

import math
import random
import string
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Annotated

from annotated_types import Ge

from exactcover import Item, Label, ParameterError, Picture, Stop, TextForm, pictures, read_data
from problems.boards import draw_letters, group_cells, list_cells, read_letters, split_rows
from problems.grid_lines import MAX_SIDE, STRANGE, Token, grid_error, is_blank_cell
from problems.grid_text import CellGrid, Grid, GridText, is_file_name, read_grid, split_grids
from problems.grids.board import Chosen, GridBoard, Group, Place
from problems.grids.constraints import Cages, Constraint, state_once
from problems.grids.drawing import color_areas, write_letters
from problems.grids.lines import Thermometers
from problems.layouts import find_solution, grow_cages, name_areas, redraw_regions, write_layout
from problems.squares import (
    EXCHANGED,
    Entry,
    SymbolEncoder,
    label_symbols,
    make_text_form,
    parse_box,
    shade_cells,
    split_side,
)

_ALL = string.digits + string.ascii_uppercase

_BLANKS = ".0*?~xX"  # of instances that are read in C++; the other marks may be rulers or begin comments
_EXTRA_TINT = 8  # of extra regions
_EXTRA_STRENGTH, _GIVEN_STRENGTH = 0.4, 0.65  # of colors, without a given and with one


@cache
def choose_symbols(symbols: str, side: int, boxes: str) -> str:
    """Return the symbols after checking them, or the default symbols if none are given."""
    if not symbols:
        letters = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
        symbols = (string.digits[1:] if side <= 9 else letters)[:side]
    if any(one.isspace() for one in symbols):
        raise ParameterError("symbols", "white space cannot be used as a symbol")
    if len(symbols) != side or len(set(symbols)) != side:
        raise ParameterError("symbols", f"expected {side} different symbols for {boxes}")
    return symbols


def find_symbols(used: Collection[str], side: int) -> str:
    """Return the symbols of a grid of side 10 or more in digits and letters; empty for the default symbols.

    It is empty, too, if the grid does not show whether its symbols begin with 0 or with 1.

    >>> find_symbols(set(".123456789ABCDEFG"), 16), find_symbols(set(".0123456789ABCDEF"), 16)
    ('123456789ABCDEFG', '0123456789ABCDEF')
    >>> find_symbols(set(".123456789ABCDEF"), 16), find_symbols(set(".ABCDEFGHIJKLMNOP"), 16)
    ('', '')
    """
    marks = {one.upper() for one in used if len(one) == 1 and one.isalnum() and one.isascii()}
    if not 9 < side <= len(_ALL) - 1 or not marks & set(string.digits[1:]) or not any(map(str.isalpha, marks)):
        return ""
    from_zero, from_one = _ALL[:side], _ALL[1 : side + 1]
    has_blank = any(not one.isalnum() for one in used)
    if from_one[-1] in marks and ("0" not in marks or not has_blank):
        return from_one
    return from_zero if "0" in marks and has_blank and from_one[-1] not in marks else ""


def count_cells(side: int, group: str) -> str:
    """Return how many rows or regions of how many cells a square has, in words."""
    return f"{pictures.format_count(side, group)} of {pictures.format_count(side, 'cell')}"


def read_regions(
    drawing: str | tuple[str, ...], side: int, path: tuple[str | int, ...] = ("regions",)
) -> dict[Place, str]:
    """Return the letter of each cell that lies in a region."""
    return {cell: letter for cell, letter in read_letters(drawing, (side, side), path).items() if letter != "."}


def _list_entries(solution: Iterable[Entry | Chosen]) -> list[Entry]:
    return [one for one in solution if isinstance(one, Entry)]


@dataclass(frozen=True)
class Sudoku(SymbolEncoder):
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

    grid: Grid = ""
    """The puzzle: a text, a list of lines, a list of rows of cells, or the name of a file. Lines may be written as most
    programs write them, with frames, separators and comments. Blanks are 0 or marks such as . - _ * ? and, if no symbol
    is a letter, x. Empty for no givens."""

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
        self._extra  # noqa: B018 - reports mistakes now
        if self._constraints:
            self._board  # noqa: B018 - reports mistakes now

    @cached_property
    def _box(self) -> tuple[int, int]:
        return parse_box(self._box_size, MAX_SIDE)

    @cached_property
    def _box_size(self) -> str:
        """The size of a box; that of a square if it is not stated."""
        if self.box:
            return self.box
        side = len(self._cells.rows) or 9
        root, _ = split_side(side)
        if root**2 != side:
            advice = f"set box, such as {root}x{side // root}" if root > 1 else "set regions"
            has_names = math.isqrt(side - 1) ** 2 == side - 1  # probably, of rows and columns
            advice += ", or leave out names of rows and columns" if has_names else ""
            message = f"a grid of {count_cells(side, 'row')} has no square boxes; {advice}"
            raise self._locate(grid_error(message, side - has_names, *self._start))
        return f"{root}x{root}"

    @cached_property
    def side(self) -> int:
        """The number of rows, columns, boxes and symbols."""
        return len(split_rows(self.regions)) if self.regions else self._box[0] * self._box[1]

    @property
    def _places(self) -> list[Place]:
        return list_cells((self.side, self.side))

    @cached_property
    def _box_text(self) -> str:
        return f"{self.side} regions" if self.regions else f"boxes of {self._box_size}"

    @cached_property
    def _symbols(self) -> str:
        return choose_symbols(self._own_symbols, self.side, self._box_text)

    @property
    def alphabet(self) -> str:
        """The symbols in order, also where they are not stated."""
        return self._symbols

    @cached_property
    def _own_symbols(self) -> str:
        """The symbols that are stated, or those of the puzzle; empty for the default symbols."""
        return self.symbols or find_symbols({one.text for row in self._cells.rows for one in row}, self.side)

    @cached_property
    def _region_of(self) -> dict[tuple[int, int], str]:
        """The name of the box or region of each cell."""
        if not self.regions:
            height, width = self._box
            return {(row, column): f"box {(row - 1) // height * height + (column - 1) // width + 1}"
                    for row, column in self._places}  # fmt: skip
        letters = read_regions(self.regions, self.side)
        sizes = Counter(letters.values())
        if len(sizes) != self.side or set(sizes.values()) != {self.side}:
            letter, size = next((pair for pair in sizes.items() if pair[1] != self.side), ("", 0))
            found = f"region {letter} has {pictures.format_count(size, 'cell')}" if size else f"got {len(sizes)}"
            raise ParameterError("regions", f"expected {count_cells(self.side, 'region')}; {found}")
        return {cell: f"region {letter}" for cell, letter in letters.items()}

    @cached_property
    def _extra(self) -> list[Group]:
        """The additional regions."""
        found: dict[str, list[Place]] = {}
        for number, drawing in enumerate(self.extra):
            for cell, letter in read_regions(drawing, self.side, ("extra", number)).items():
                found.setdefault(f"extra region {number + 1}{letter}", []).append(cell)
                if len(found[f"extra region {number + 1}{letter}"]) > self.side:
                    size = pictures.format_count(self.side, "cell")
                    raise ParameterError(("extra", number), f"region {letter} has more than {size}")
        return [Group(name, tuple(cells)) for name, cells in found.items()]

    @cached_property
    def _constraints(self) -> list[tuple[Constraint, dict[str, str]]]:
        """The constraints of cages and thermometers, and the parameters that are their arguments."""
        found: list[tuple[Constraint, dict[str, str]]] = []
        if self.cages or self.sums:
            drawing = self.cages or ("." * self.side,) * self.side
            found.append((Cages(drawing, self.sums), {"areas": "cages", "totals": "sums"}))
        if self.thermometers:
            found.append((Thermometers(self.thermometers), {"lines": "thermometers"}))
        return found

    @cached_property
    def _board(self) -> GridBoard:
        """The board with all that must hold."""
        board = GridBoard((self.side, self.side), self._places, tuple(self._symbols))
        groups = board.find_groups("rows columns", ())
        groups += [Group(name, tuple(cells)) for name, cells in group_cells(self._region_of).items()]
        groups += board.find_groups("diagonals", ()) if self.diagonals else []
        for group in [*groups, *self._extra]:
            state_once(board, group)
        for constraint, parameters in self._constraints:
            try:
                constraint.state(board)
            except ParameterError as error:
                name, *rest = error.path
                raise ParameterError((parameters[str(name)], *rest), error.message) from None
        return board

    @cached_property
    def _cells(self) -> CellGrid:
        """The cells of the grid, before their symbols are checked."""
        side = math.prod(self._box) if self.box else len(split_rows(self.regions))
        try:
            return read_grid(self._file_text or self.grid, side, self.symbols)
        except ParameterError as error:
            raise self._locate(error) from None

    @property
    def line(self) -> int:
        """The number of the line on which the grid begins in its text, from 1."""
        return self._cells.line

    @property
    def _start(self) -> tuple[int, ...]:
        return self._cells.rows[0][0].path

    @cached_property
    def _file_text(self) -> str:
        """The content of the file that the grid names; empty if it names none."""
        if not (isinstance(self.grid, str) and is_file_name(self.grid)):
            return ""
        text = read_data(self.grid, "grid")
        if not text.strip():
            raise ParameterError("grid", f"{self.grid} is empty")
        return text

    def _refuse(self, message: str, place: Sequence[int]) -> ParameterError:
        """Return a mistake at a place in the grid."""
        return self._locate(grid_error(message, len(self._cells.rows), *place))

    def _locate(self, error: ParameterError) -> ParameterError:
        """Return a mistake in the grid that names the line, if the grid stands in a file."""
        if not self._file_text:
            return error
        line = self._file_text.count("\n", 0, int(error.path[1]) if error.path[1:] else 0) + 1
        return ParameterError("grid", f"line {line}: {error.message}")

    @cached_property
    def _givens(self) -> tuple[Entry, ...]:
        rows, side = self._cells.rows, self.side
        if rows and len(rows) != side:
            unit, factor = ("cell", len(rows)) if self._cells.is_line else ("row", 1)
            wanted = pictures.format_count(side * (side if factor > 1 else 1), unit)
            raise self._refuse(f"expected {wanted} for {self._box_text}, got {len(rows) * factor}", self._start)
        if self.regions:
            self._region_of  # noqa: B018 - reports mistakes now
        elif rows:
            self._check_borders()
        return tuple(
            [
                Entry(row, column, self._symbol_of(one, row, column))
                for row, line in enumerate(rows, 1)
                for column, one in enumerate(line, 1)
                if not is_blank_cell(one.text, "" if self._cells.are_numbers else self._symbols)
            ]
        )

    def _check_borders(self) -> None:
        borders, (_, width) = self._cells.borders, self._box
        if borders not in (frozenset(), {*range(width, self.side, width)}, {*range(1, self.side)}):
            message = "the borders that are drawn are not those of boxes"
            raise self._refuse(f"{message} of {self._box_size}; set regions, or box, or leave them out", self._start)

    def _symbol_of(self, cell: Token, row: int, column: int) -> str:
        """Return the symbol in a cell: that of a number by its position, or the one that is written there."""
        grid, symbols, text = self._cells, self._symbols, cell.text
        if grid.are_numbers or (grid.is_spaced and not any(map(str.isdigit, self._own_symbols))):
            number = int(text) if text.isdecimal() else 0
            if 0 < number <= self.side:
                return symbols[number - 1]
            message = f"expected 1 to {self.side}, or 0 for a blank, got {text}"
        elif text and text in symbols:
            return text
        elif not self.symbols and text.upper() in symbols and self._is_small:
            return text.upper()
        else:
            blank = "." if "0" in symbols else "0 or ."
            message = f"{text!r} is not one of the symbols {symbols}"
            is_letter = text.isalpha() and not self.symbols and self.side <= 9
            message += f"; {STRANGE}" if is_letter else f"; use {blank} for a blank"
            if not self.symbols and self.side > 9:  # the default symbols are letters
                example = (string.digits[1:] + string.ascii_uppercase + string.ascii_lowercase + "0+/")[: self.side]
                message += f", or set symbols to those of the puzzle, such as {example}"
        raise self._refuse(f"row {row}, column {column}: {message}", cell.path)

    @cached_property
    def _is_small(self) -> bool:
        """True if no letter of the grid is a capital."""
        return not any(one.text.isupper() for row in self._cells.rows for one in row)

    def primary(self) -> Iterator[Item]:
        return self._board.list_primary()

    def secondary(self) -> Iterator[Item]:
        return self._board.list_secondary()

    def options(self) -> Iterator[tuple[Label, list[Item]]]:
        return self._board.list_options()

    def reduces(self) -> bool:
        """Return whether there are thermometers, on which an impossible symbol makes others impossible."""
        return bool(self.thermometers)

    def fewest_clues(self) -> tuple[int, str]:
        if self.cages or self.thermometers:
            return 0, ""
        if self._box_text == "boxes of 3x3" and not (self.diagonals or self.extra):
            return 17, "a Sudoku with 16 givens has more than one solution (McGuire, Tugemann and Civario, 2012)"
        return self.side - 1, EXCHANGED

    def givens(self) -> tuple[Entry, ...]:
        return self._givens

    def lay_out(self, generator: random.Random, stop: Stop | None = None) -> Sudoku:
        """Return a Sudoku with other cages, or with other regions if there are no cages."""
        size = (self.side, self.side)
        if not self.cages:
            if not self.regions:
                raise ParameterError("regions", "this Sudoku has neither cages nor regions to draw anew")
            return replace(self, grid="", regions=redraw_regions(self._region_of, size, generator))
        bare = replace(self, grid="", cages="", sums={})
        symbols = {(one.row, one.column): one.symbol for one in _list_entries(find_solution(bare, generator, stop))}
        sizes = [len(cells) for _, cells in self._board.read_areas(self.cages, ("cages",))]
        cages = name_areas(grow_cages(symbols, sizes, generator, repeat=False))
        values = {cell: self._board.values[symbol] for cell, symbol in symbols.items()}
        sums = {letter: sum(map(values.__getitem__, cage)) for letter, cage in cages.items()}
        return replace(self, grid="", cages=write_layout(cages, size), sums=sums)

    def instances(self, lines: Iterable[str]) -> Iterator[str]:
        """Split a stream of lines into puzzles, in any of the forms of `grid`; between puzzles, lines may be blank.

        Comments are skipped. What is not a puzzle is a text of its own, which :meth:`parse` refuses.
        """
        for grid in split_grids(lines, self.side if self._is_sized else 0, self.symbols):
            yield GridText.of(grid)

    @property
    def _is_sized(self) -> bool:
        return bool(self.box or self.regions)

    def parse(self, text: str) -> Sudoku:
        if "\n" not in text and not isinstance(text, GridText):  # a line of a stranger's file names no other file
            text = f"{text}\n"
        if not self._is_sized:
            return replace(self, grid=text)
        own = replace(self, grid="")
        return replace(self, grid=text, box=own._box_for(len(read_grid(text, self.side, self.symbols).rows)))

    def _box_for(self, side: int) -> str:
        """Return the box for a board of this side: the own box if it fits, else a square one if possible."""
        root = math.isqrt(side)
        return self._box_size if side == self.side or root**2 != side else f"{root}x{root}"

    def is_shown(self, label: Entry | Chosen) -> bool:
        return isinstance(label, Entry)

    def unparse(self, solution: Iterable[Entry | Chosen]) -> str:
        rows, grid = self.decode(solution), self._cells
        if not grid.is_spaced:
            return ("" if grid.is_line else "\n").join(rows)
        width = len(str(self.side))
        numbers = {symbol: number for number, symbol in enumerate(self._symbols, 1)}
        return "\n".join(" ".join(f"{numbers.get(one, 0):{width}}" for one in row) for row in rows)

    def text_form(self) -> TextForm | None:
        if self.cages:
            return None  # a text does not say which symbols of cages are chosen
        blanks = "".join(one for one in _BLANKS if is_blank_cell(one, self._symbols))
        row = TextForm.PLACE * self.side
        layouts = [row * self.side, "\n".join([row] * self.side)]
        return make_text_form(self._places, self._symbols, layouts, blanks)

    def frame(self) -> Hashable:
        rules = self.cages, tuple(self.sums.items()), self.thermometers
        return self._box_size, self._own_symbols, self.regions, self.diagonals, self.extra, *rules

    def decode(self, solution: Iterable[Entry | Chosen]) -> tuple[str, ...]:
        """Return the rows of the grid as text, with ``.`` for empty cells."""
        symbols = {(row, column): symbol for row, column, symbol in _list_entries(solution)}
        return tuple(draw_letters(symbols, (self.side, self.side)))

    def describe_rules(self) -> str:
        rules = [super().describe_rules().replace("box", "region" if self.regions else "box")]
        rules += ["So does each diagonal."] * self.diagonals
        rules += ["Colored regions hold no symbol twice."] * bool(self.extra)
        rules += ["The symbols of a cage differ and add up to its number."] * bool(self.cages)
        rules += ["Along a thermometer, symbols ascend from the bulb on."] * bool(self.thermometers)
        text = " ".join(rules)
        return text.replace("symbol", "digit") if self._symbols.isdecimal() else text

    def describe(self, item: Item) -> str:
        symbol, in_cage, cage = str(item).partition(" in cage ")
        return f"the question whether cage {cage} holds {symbol}" if in_cage else str(item)

    def draw(self, solution: Iterable[Entry | Chosen]) -> Picture:
        given = set(self._givens)
        shapes = (*self._ground, *label_symbols(_list_entries(solution), given))
        return Picture(f"Sudoku of side {self.side}, {pictures.format_count(len(given), 'given')}", shapes, grid=True)

    @cached_property
    def _ground(self) -> tuple[pictures.Shape, ...]:
        """The shapes that are drawn without any symbol; the cells of givens are shaded."""
        board, given = self._board, {(entry.row, entry.column) for entry in self._givens}
        cages = board.read_areas(self.cages, ("cages",)) if self.cages else []
        colored, extra = color_areas(dict(cages)), {cell for group in self._extra for cell in group.cells}
        if self.diagonals:
            extra.update(cell for group in board.find_groups("diagonals", ()) for cell in group.cells)
        cells = shade_cells(self._region_of, self._givens)
        for place, cell in cells.items():
            if place in colored:
                tint, strength = colored[place].tint, colored[place].strength
            elif place in extra:
                tint, strength = _EXTRA_TINT, _EXTRA_STRENGTH
            else:
                continue
            cells[place] = replace(cell, tint=tint, strength=_GIVEN_STRENGTH if place in given else strength)
        letters = {} if self.cages or not self.regions else read_regions(self.regions, self.side)
        drawn = (shape for constraint, _ in self._constraints for shape in constraint.draw(board))
        return (*cells.values(), *write_letters(letters), *drawn)
