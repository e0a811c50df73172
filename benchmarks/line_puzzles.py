"""Published puzzles whose solutions are lines: files of Slitherlink, Masyu and Numberlink, and their rules in Python.

A file is JSON: ``{"data": {NAME: {"problem": TEXT, "solution": TEXT}}}``. A text states the numbers of rows and
columns, then the cells row by row, with spaces between them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path

from problems.lines import WAYS, Place, trace

Line = tuple[Place, Place]
"""Two places beside each other, the upper or left one first. They count from 0; in Slitherlink, they are corners."""
Lines = frozenset[Line]

SLITHERLINK, MASYU, NUMBERLINK = KINDS = ("Slitherlink", "Masyu", "NumberLink")
"""The kinds of puzzles, named like their files."""

BLANK = "-"
_SPELLINGS = {".": BLANK, "1": "w", "2": "b"}
"""Other spellings: blanks, and in Masyu numbers for pearls."""
_WAYS = {way[0]: step for way, step in zip(("north", "west", "east", "south"), WAYS.values(), strict=True)}
_INSIDE = "x"


@dataclass(frozen=True)
class Puzzle:
    """A published puzzle: the symbols of its cells, and its solution, or a remark that says why that cannot be read."""

    kind: str
    name: str
    cells: tuple[tuple[str, ...], ...]
    published: Lines | None = None
    remark: str = ""

    @property
    def size(self) -> Place:
        """The numbers of rows and columns."""
        return len(self.cells), len(self.cells[0])

    @cached_property
    def symbols(self) -> dict[Place, str]:
        """The symbols that are not blank, by cell."""
        return {(row, column): symbol for row, cells in enumerate(self.cells)
                for column, symbol in enumerate(cells) if symbol != BLANK}  # fmt: skip

    @cached_property
    def places(self) -> list[Place]:
        """The places where lines meet."""
        rows, columns = self.size
        more = self.kind == SLITHERLINK
        return [*product(range(rows + more), range(columns + more))]

    @cached_property
    def lines(self) -> list[Line]:
        """All lines that may be drawn."""
        there = set(self.places)
        pairs = (
            (place, (place[0] + down, place[1] + right)) for place in self.places for down, right in ((0, 1), (1, 0))
        )
        return [(one, other) for one, other in pairs if other in there]

    @cached_property
    def must_fill(self) -> bool:
        """Whether every cell of a Numberlink must be on a path: unless its published solution leaves some out."""
        return self.published is None or {place for line in self.published for place in line} == {*self.places}

    def is_solved_by(self, lines: Lines) -> bool:
        """Return whether lines obey all rules."""
        if not lines.issubset(self.lines):
            return False
        ends = Counter(place for line in lines for place in line)
        ways = trace(sorted(lines))
        if self.kind == NUMBERLINK:
            counts = {2} if self.must_fill else {0, 2}
            fits = all(ends[place] == 1 if place in self.symbols else ends[place] in counts for place in self.places)
            return fits and all(self._joins(way[0], way[-1]) for way in ways)
        if len(ways) != 1 or set(ends.values()) != {2}:
            return False
        if self.kind == SLITHERLINK:
            return all(len(lines.intersection(sides(cell))) == int(count) for cell, count in self.symbols.items())
        neighbors: dict[Place, list[Place]] = {place: [] for place in self.places}
        for one, other in lines:
            neighbors[one].append(other)
            neighbors[other].append(one)
        return all(_has_way(neighbors, cell, pearl) for cell, pearl in self.symbols.items())

    def _joins(self, one: Place, other: Place) -> bool:
        return one in self.symbols and self.symbols[one] == self.symbols.get(other)


def sides(cell: Place) -> list[Line]:
    """Return the lines around a cell of a Slitherlink."""
    row, column = cell
    corners = (row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)
    return [(corners[one], corners[other]) for one, other in ((0, 1), (0, 2), (1, 3), (2, 3))]


def _has_way(neighbors: dict[Place, list[Place]], cell: Place, pearl: str) -> bool:
    """Return whether a loop passes a pearl as it must."""

    def turns(place: Place) -> bool:
        (row, column), (other_row, other_column) = neighbors[place]
        return row != other_row and column != other_column

    if not neighbors[cell]:
        return False
    beside = any(turns(other) for other in neighbors[cell])
    return turns(cell) and not beside if pearl == "b" else not turns(cell) and beside


def read_texts(file: Path) -> dict[str, tuple[str, str]]:
    """Return the puzzles of a file and their published solutions as texts, by name."""
    try:
        data = json.loads(file.read_text("utf-8"))["data"]
        return {name: (entry["problem"], entry.get("solution") or "") for name, entry in sorted(data.items())}
    except (ValueError, KeyError, TypeError, AttributeError):
        wanted = '{"data": {NAME: {"problem": TEXT, "solution": TEXT}}}'
        raise ValueError(f"{file}: expected JSON like {wanted}") from None


def read_puzzle(kind: str, name: str, problem: str, solution: str = "") -> Puzzle:
    """Return a puzzle; a solution that cannot be read is only remarked on."""
    wanted = {SLITHERLINK: "01234", MASYU: "wb"}.get(kind)
    spellings = {".": BLANK} if kind != MASYU else _SPELLINGS
    cells = tuple(tuple(spellings.get(cell, cell) for cell in row) for row in _read_cells(problem))
    strange = next((cell for row in cells for cell in row if wanted and cell not in (*wanted, BLANK)), None)
    if strange is not None:
        raise ValueError(f"got the cell {strange!r}; expected {', '.join(wanted or '')} or {BLANK}")
    if not solution.strip():
        return Puzzle(kind, name, cells)
    find = _find_border if kind == SLITHERLINK else _find_ways
    try:
        shown = _read_cells(solution)
        if [len(row) for row in shown] != [len(row) for row in cells]:
            raise ValueError("it has another size than the problem")
        return Puzzle(kind, name, cells, frozenset(find(shown)))
    except ValueError as error:
        return Puzzle(kind, name, cells, remark=f"the published solution cannot be read: {error}")


def _read_cells(text: str) -> list[list[str]]:
    """Return the cells of a board; some texts go on with remarks, which are not read."""
    lines = [line.split() for line in text.splitlines()]
    head = lines[0] if lines else []
    if len(head) < 2 or not all(part.isdecimal() and int(part) for part in head[:2]):
        raise ValueError("expected the numbers of rows and columns first")
    rows, columns = int(head[0]), int(head[1])
    cells = lines[1 : rows + 1]
    if len(cells) != rows or any(len(row) != columns for row in cells):
        raise ValueError(f"expected {rows} rows of {columns} cells")
    return cells


def _find_border(shown: list[list[str]]) -> Iterator[Line]:
    """Yield the lines between cells inside and outside."""
    inside = {(row, column) for row, cells in enumerate(shown) for column, cell in enumerate(cells) if cell == _INSIDE}
    around = Counter(line for cell in inside for line in sides(cell))
    return (line for line, count in around.items() if count == 1)


def _find_ways(shown: list[list[str]]) -> Iterator[Line]:
    """Yield the lines of cells that state points of the compass; each cell states its own ends."""
    for row, cells in enumerate(shown):
        for column, cell in enumerate(cells):
            for way in cell.strip(BLANK):
                if way not in _WAYS:
                    raise ValueError(f"got the cell {cell!r}; expected n, s, e and w, or {BLANK}")
                down, right = _WAYS[way]
                one, other = sorted(((row, column), (row + down, column + right)))
                yield one, other
