"""Districts: partitions of a board into connected parts of stated sizes."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, NamedTuple

from annotated_types import Ge

from exactcover import Colored, Encoder, Item, ParameterError, Picture, pictures
from exactcover.pictures import format_count
from exactcover.rules import Regions
from problems.boards import cell_name, place_of_cell
from problems.lines import Network, Place, make_grid, place_of_point
from problems.row_text import Rows, SymbolRows, read_rows, split_boards

__all__ = ["Districts", "InDistrict"]

_HOLE = "#"
_LETTERS = string.ascii_uppercase


class InDistrict(NamedTuple):
    """A cell in a district, and the number of districts before it; as text ``r2c1 in 3 after 4``."""

    cell: str
    district: int
    before: int

    def __str__(self) -> str:
        return f"{self.cell} in {self.district} after {self.before}"


@dataclass(frozen=True)
class Districts(Encoder):
    """Cut a board into connected districts, whose sizes lie within bounds.

    Districts are numbered in the order of their first cells, so that each partition is found once. The number of the
    district of a cell is the color of a secondary item; so is, after each cell, the number of districts so far.

    Examples
    --------
    >>> Districts(board="4x4", districts=4, sizes=4).count()
    117
    >>> Districts(board="AB./..B", districts=2).count()
    3
    """

    board: Rows = "4x4"
    """ROWSxCOLUMNS, or a picture: a text, a list of rows, or the name of a file, with . for a cell and # for a hole.
    Cells with the same letter are in one district, those with different letters in different ones."""

    districts: Annotated[int, Ge(1)] = 4
    """The number of districts."""

    sizes: int | str | tuple[int, int] = "any"
    """The number of cells of each district: a number, a range, as 3-5 or [3, 5], or any."""

    def __post_init__(self) -> None:
        self._bounds, self._letters  # noqa: B018 - reports mistakes now

    @cached_property
    def _rows(self) -> SymbolRows:
        def read(text: str) -> str | None:
            return text if text == _HOLE or re.fullmatch(r"[^\W\d_]|[0-9]{1,3}", text) else None

        return read_rows(self.board, "board", read, "a cell; use . for a cell, # for a hole, or a letter")

    @cached_property
    def _cells(self) -> list[str]:
        return list(self._network.neighbors)

    @cached_property
    def _network(self) -> Network:
        holes = {cell for cell, symbol in self._rows.places.items() if symbol == _HOLE}
        return make_grid(*self._rows.size, without=holes)

    @cached_property
    def _letters(self) -> dict[str, str]:
        """The letter of each cell that has one."""
        if not self._cells:
            raise ParameterError("board", "the board has no cells")
        places = self._rows.places.items()
        letters = {cell_name(cell): symbol for cell, symbol in places if symbol != _HOLE}
        if len({*letters.values()}) > self.districts:
            wanted = format_count(self.districts, "district")
            raise ParameterError("districts", f"{format_count(len({*letters.values()}), 'letter')} for {wanted}")
        return letters

    @cached_property
    def _bounds(self) -> tuple[int, int]:
        most = max(1, len(self._cells) - self.districts + 1)
        if self.sizes == "any":
            return 1, most
        stated = self.sizes
        if isinstance(stated, str):
            match = re.fullmatch(r"\s*(\d{1,9})\s*(?:(?:-|to)\s*(\d{1,9}))?\s*", stated, re.ASCII)
            if match is None:
                raise ParameterError("sizes", f"{stated!r} is no size; expected a number, a range such as 3-5, or any")
            stated = int(match[1]), int(match[2] or match[1])
        low, high = (stated, stated) if isinstance(stated, int) else stated
        if not 0 <= low <= high or high == 0:
            raise ParameterError("sizes", f"expected a least and a greatest size of at least 1, got {low} and {high}")
        return max(1, low), min(high, max(most, low))

    def primary(self) -> Iterator[str]:
        return iter(self._cells)

    def secondary(self) -> Iterator[str]:
        for cell in self._cells:
            yield from (f"district of {cell}", f"districts up to {cell}")
        for letter in dict.fromkeys(self._letters.values()):
            yield f"district of {letter}"
        if self._letters:
            yield from (f"letter of district {number}" for number in range(1, self.districts + 1))

    def options(self) -> Iterator[tuple[InDistrict, list[Item]]]:
        before = ""
        for number, cell in enumerate(self._cells):
            left = len(self._cells) - number - 1  # cells behind it, each of which begins one district at most
            letter = self._letters.get(cell)
            for so_far in range(min(number, self.districts) + 1) if before else (0,):
                for district in range(1, min(so_far + 1, self.districts) + 1):
                    known = max(so_far, district)
                    if (before and not so_far) or known + left < self.districts:
                        continue
                    items: list[Item] = [cell, Colored(f"district of {cell}", district)]
                    items += [Colored(f"districts up to {before}", so_far)] * bool(before)
                    items += [Colored(f"districts up to {cell}", known)]
                    if letter is not None:
                        items += [Colored(f"district of {letter}", district)]
                        items += [Colored(f"letter of district {district}", letter)]
                    yield InDistrict(cell, district, so_far), items
            before = cell

    def rules(self) -> list[Regions]:
        of = {cell: f"district of {cell}" for cell in self._cells}
        return [Regions(list(self._network.edges), of, range(1, self.districts + 1), self._bounds)]

    def impossible(self) -> str | None:
        (low, high), cells = self._bounds, len(self._cells)
        if self.districts * low <= cells <= self.districts * high:
            return None
        sizes = f"of {low}" if low == high else f"of {low} to {high}"
        districts, size = format_count(self.districts, "district"), format_count(high, "cell")
        return f"{districts} {sizes.replace(str(high), size)} cannot have {format_count(cells, 'cell')} together"

    def instances(self, lines: Iterable[str]) -> Iterator[str]:
        """Split a stream of lines into boards, with blank lines between them; or each is a line with slashes."""
        return split_boards(lines)

    def parse(self, text: str) -> Districts:
        return replace(self, board=f"{text}\n")  # which is never the name of a file

    def decode(self, solution: Iterable[InDistrict]) -> tuple[tuple[str, ...], ...]:
        """Return the cells of each district, in the order of their first cells."""
        parts: dict[int, list[str]] = {}
        number_of = {one.cell: one.district for one in solution}
        for cell in self._cells:
            if cell in number_of:
                parts.setdefault(number_of[cell], []).append(cell)
        return tuple(tuple(parts[number]) for number in sorted(parts))

    def unparse(self, solution: Iterable[InDistrict]) -> str:
        """Return the board with a letter for each district, or a number if letters do not suffice."""
        symbols = {cell: symbol for cell, symbol in self._rows.places.items() if symbol == _HOLE}
        for one in solution:
            letter = _LETTERS[one.district - 1] if self.districts <= len(_LETTERS) else str(one.district)
            row, column = place_of_point(one.cell)
            symbols[row + 1, column + 1] = letter
        return "\n".join(self._rows.write(symbols))

    def describe_rules(self) -> str:
        low, high = self._bounds
        sizes = f"{low}" if low == high else f"{low} to {high}"
        cells = "" if self.sizes == "any" else f" of {sizes} cell{'s' * (high != 1)} each"
        letters = " Equal letters are in one district, different ones in different districts." * bool(self._letters)
        return f"Cut the board into {format_count(self.districts, 'connected district')}{cells}.{letters}"

    def place_of(self, item: Item) -> Place | None:
        return place_of_cell(item)

    def draw(self, solution: Iterable[InDistrict]) -> Picture:
        """Return the board; districts have colors, and the letters of the board are shown."""
        cells: dict[Place, pictures.Cell] = {}
        for row, column in self._rows.cells:
            is_hole = self._rows.places.get((row, column)) == _HOLE
            tint = pictures.BLOCKED if is_hole else pictures.PAPER
            cells[row - 1, column - 1] = pictures.Cell(row - 1, column - 1, _HOLE if is_hole else "", tint)
        for one in solution:
            place = place_of_point(one.cell)
            cells[place] = pictures.Cell(*place, f"district {one.district}", one.district - 1)
        texts = (pictures.Text(*place_of_point(cell), letter, strong=True) for cell, letter in self._letters.items())
        title = f"{format_count(self.districts, 'district')} on a board of {format_count(len(self._cells), 'cell')}"
        return Picture(title, (*cells.values(), *texts))
