"""Districts: partitions of a board into connected parts of stated sizes."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, count, islice
from typing import Annotated, NamedTuple, TypeVar

from annotated_types import Ge

from exactcover import Colored, Item, ParameterError, Picture, Stop, pictures
from exactcover.pictures import format_count
from exactcover.rules import Regions
from problems.boards import cell_name, group_cells
from problems.layouts import drop_clues, find_solution, grow_regions, list_areas
from problems.lines import Network, Place, make_grid, place_of_point
from problems.row_text import HOLE, BoardEncoder, Rows, SymbolRows, read_rows
from problems.tiling import copy_bounds

V = TypeVar("V", bound=Hashable)

_LETTERS = string.ascii_uppercase
_MOST_TRIES = 30
_MOST_LISTED = 50_000  # connected sets; with more, numbers of districts are quicker


class District(NamedTuple):
    """The cells of a district, as text ``r1c1 r1c2``."""

    cells: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.cells)


class InDistrict(NamedTuple):
    """A cell in a district, and the number of districts before it; as text ``r2c1 in 3 after 4``."""

    cell: str
    district: int
    before: int

    def __str__(self) -> str:
        return f"{self.cell} in {self.district} after {self.before}"


@dataclass(frozen=True)
class Districts(BoardEncoder):
    """Cut a board into connected districts, whose sizes lie within bounds.

    If not too many sets of cells are connected, each of them is an option. Otherwise, an option states the district of
    a cell: districts are numbered in the order of their first cells, so that each partition is found once; the number
    of the district of a cell is the color of a secondary item, and so is, after each cell, the number of districts so
    far.

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
            return text if text == HOLE or re.fullmatch(r"[^\W\d_]|[0-9]{1,3}", text) else None

        return read_rows(self.board, "board", read, "a cell; use . for a cell, # for a hole, or a letter")

    @cached_property
    def _cells(self) -> list[str]:
        return list(self._network.neighbors)

    @cached_property
    def _network(self) -> Network:
        return make_grid(*self._rows.size, without=self._rows.holes)

    @cached_property
    def _letters(self) -> dict[str, str]:
        """The letter of each cell that has one."""
        if not self._cells:
            raise ParameterError("board", "the board has no cells")
        places = self._rows.places.items()
        letters = {cell_name(cell): symbol for cell, symbol in places if symbol != HOLE}
        if len({*letters.values()}) > self.districts:
            wanted = format_count(self.districts, "district")
            raise ParameterError("districts", f"{format_count(len({*letters.values()}), 'letter')} for {wanted}")
        return letters

    @cached_property
    def _bounds(self) -> tuple[int, int]:
        most = max(1, len(self._cells) - self.districts + 1)
        low, high = copy_bounds(self.sizes, "sizes") or (1, most)
        if high == 0:
            raise ParameterError("sizes", f"expected sizes of at least 1, got {low} to {high}")
        return max(1, low), min(high, max(most, low))

    @cached_property
    def _listed(self) -> list[tuple[str, ...]] | None:
        """The sets of cells that may be districts; None if there are too many."""
        neighbors = {cell: [*others.values()] for cell, others in self._network.neighbors.items()}
        found = [*islice(list_connected_sets(neighbors, self._bounds[1]), _MOST_LISTED + 1)]
        if len(found) > _MOST_LISTED:
            return None
        order = {cell: number for number, cell in enumerate(self._cells)}
        own = group_cells(self._letters)
        return [
            tuple(sorted(part, key=order.__getitem__))
            for part in found
            if len(part) >= self._bounds[0]
            and len(letters := {self._letters[cell] for cell in part if cell in self._letters}) <= 1
            and all({*own[letter]} <= {*part} for letter in letters)
        ]

    def primary(self) -> Iterator[str]:
        yield from self._cells
        yield from self._counted

    def multiplicity(self) -> dict[str, int]:
        return dict.fromkeys(self._counted, self.districts)

    @cached_property
    def _counted(self) -> list[str]:
        """The item that each district covers; none if their number follows from their size."""
        low, high = self._bounds
        follows = low == high and low * self.districts == len(self._cells)
        return ["districts"] * (self._listed is not None and not follows)

    def secondary(self) -> Iterator[str]:
        if self._listed is not None:
            return
        for cell in self._cells:
            yield from (f"district of {cell}", f"districts up to {cell}")
        for letter in dict.fromkeys(self._letters.values()):
            yield f"district of {letter}"
        if self._letters:
            yield from (f"letter of district {number}" for number in range(1, self.districts + 1))

    def options(self) -> Iterator[tuple[District | InDistrict, list[Item]]]:
        if self._listed is None:
            return self._number_cells()
        return ((District(cells), [*cells, *self._counted]) for cells in self._listed)

    def _number_cells(self) -> Iterator[tuple[InDistrict, list[Item]]]:
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
        if self._listed is not None:
            return []
        of = {cell: f"district of {cell}" for cell in self._cells}
        return [Regions(list(self._network.edges), of, range(1, self.districts + 1), self._bounds)]

    def impossible(self) -> str | None:
        (low, high), cells = self._bounds, len(self._cells)
        if self.districts * low <= cells <= self.districts * high:
            return None
        sizes = f"of {low}" if low == high else f"of {low} to {high}"
        districts, size = format_count(self.districts, "district"), format_count(high, "cell")
        return f"{districts} {sizes.replace(str(high), size)} cannot have {format_count(cells, 'cell')} together"

    def decode(self, solution: Iterable[District | InDistrict]) -> tuple[tuple[str, ...], ...]:
        """Return the cells of each district, in the order of their first cells."""
        number_of: dict[str, int] = {}
        for number, one in enumerate(solution):
            if isinstance(one, District):
                number_of.update(dict.fromkeys(one.cells, number))
            else:
                number_of[one.cell] = one.district
        parts = group_cells({cell: number_of[cell] for cell in self._cells if cell in number_of})
        return tuple(map(tuple, parts.values()))

    def _name_districts(self, parts: Sequence[Sequence[str]]) -> list[str]:
        """Return the letter of each district: its own on the board, or another one; then numbers."""
        own = [next((self._letters[cell] for cell in part if cell in self._letters), "") for part in parts]
        free = (name for name in chain(_LETTERS, map(str, count(1))) if name not in self._letters.values())
        return [letter or next(free) for letter in own]

    def unparse(self, solution: Iterable[District | InDistrict]) -> str:
        """Return the board with a letter for each district, or a number if letters do not suffice."""
        symbols, parts = dict(self._rows.places), self.decode(solution)
        for letter, cells in zip(self._name_districts(parts), parts, strict=True):
            for row, column in map(place_of_point, cells):
                symbols[row + 1, column + 1] = letter
        return "\n".join(self._rows.write(symbols))

    def lay_out(self, generator: random.Random, stop: Stop | None = None) -> Districts:
        """Return the board with letters that determine random districts, none of which could be left out."""
        bare = self._write_letters({})
        parts = bare._grow_districts(generator) or bare.decode(find_solution(bare, generator, stop))
        letters = self.parse(bare.unparse(map(District, parts)))._rows.places

        def state(cells: Iterable[Place]) -> Districts:
            return self._write_letters({cell: letters[cell] for cell in cells})

        return state(drop_clues(self._rows.open, state, generator, stop))

    def _write_letters(self, letters: Mapping[Place, str]) -> Districts:
        """Return the board with other letters."""
        return self.parse("\n".join(self._rows.write(letters)))

    def _grow_districts(self, generator: random.Random) -> list[tuple[str, ...]] | None:
        """Return random districts, if sizes are so free that they are found at once."""
        places, (low, high) = self._rows.open, self._bounds
        for _ in range(_MOST_TRIES if self.impossible() is None else 0):
            areas = list_areas(grow_regions(places, generator.sample(places, self.districts), 1, generator))
            if sum(map(len, areas)) == len(places) and all(low <= len(area) <= high for area in areas):
                return [tuple(map(cell_name, area)) for area in areas]
        return None

    def describe_rules(self) -> str:
        low, high = self._bounds
        sizes = f"{low}" if low == high else f"{low} to {high}"
        cells = "" if self.sizes == "any" else f" of {sizes} cell{'s' * (high != 1)} each"
        letters = " Equal letters are in one district, different ones in different districts." * bool(self._letters)
        return f"Cut the board into {format_count(self.districts, 'connected district')}{cells}.{letters}"

    def draw(self, solution: Iterable[District | InDistrict]) -> Picture:
        """Return the board; districts have colors, and the letters of the board are shown."""
        cells: dict[Place, pictures.Cell] = {}
        for row, column in self._rows.cells:
            is_hole = (row, column) in self._rows.holes
            tint = pictures.BLOCKED if is_hole else pictures.PAPER
            cells[row - 1, column - 1] = pictures.Cell(row - 1, column - 1, HOLE if is_hole else "", tint)
        for part in self.decode(solution):
            for place in map(place_of_point, part):
                cells[place] = pictures.Cell(*place, part[0])
        texts = (pictures.Text(*place_of_point(cell), letter, strong=True) for cell, letter in self._letters.items())
        title = f"{format_count(self.districts, 'district')} on a board of {format_count(len(self._cells), 'cell')}"
        return Picture(title, (*cells.values(), *texts))


def list_connected_sets(neighbors: Mapping[V, Sequence[V]], size: int) -> Iterator[tuple[V, ...]]:
    """Yield the connected sets of at most so many vertices of a graph, each once.

    A set grows from its first vertex by one vertex at a time that it does not have as a neighbor yet, or leaves it out
    for good.

    References
    ----------
    D. H. Redelmeier: Counting polyominoes: yet another attack. Discrete Mathematics 36 (1981).

    Examples
    --------
    >>> sorted(list_connected_sets({1: [2], 2: [1, 3], 3: [2]}, 2))
    [(1,), (1, 2), (2,), (2, 3), (3,)]
    """
    passed: set[V] = set()
    for first in neighbors:
        passed.add(first)
        growing: list[tuple[tuple[V, ...], list[V], frozenset[V]]] = [((), [first], frozenset(passed))]
        while growing:
            part, waiting, seen = growing.pop()
            while waiting:
                last = waiting.pop()
                yield (*part, last)
                if len(part) + 1 < size:
                    new = [other for other in neighbors[last] if other not in seen]
                    growing.append(((*part, last), waiting + new, seen.union(new)))
