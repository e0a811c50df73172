"""Slitherlink: one loop along the sides of cells, of which numbers say how many it takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import ClassVar, TypeAlias

from exactcover import Colored, Item, Picture, pictures
from exactcover.rules import Loop
from problems.boards import cell_name, place_of_cell
from problems.lines import (
    Drawn,
    LineEncoder,
    LinesAt,
    Network,
    Place,
    draw_points,
    frame_points,
    make_grid,
    place_of_point,
    trace,
)
from problems.row_text import BLANK, BoardEncoder, Rows, SymbolRows, read_rows
from problems.squares import Entry

_COUNTS = "01234"
_POINT, _NUMBER, _LEFT_OUT = "point ", "number in ", "cells left out"
_CORNERS = {"top": ((0, 0), (0, 1)), "right": ((0, 1), (1, 1)), "bottom": ((1, 0), (1, 1)), "left": ((0, 0), (1, 0))}
"""The ends of each side of a cell, as the steps from its upper left corner."""

Label: TypeAlias = LinesAt | Entry


def _read_clue(text: str) -> str | None:
    return BLANK if text in ("?", "*") else text if text in _COUNTS else None


@dataclass(frozen=True)
class Slitherlink(LineEncoder, BoardEncoder):
    """Draw one closed loop along the lines of a grid so that each number is that of the sides of its cell in the loop.

    The lines between two points are secondary items, with a color for those of the loop. The options of a point have
    two lines or none, and those of a cell with a number say which of its sides are in the loop. A board without any
    number has such options for every cell, so that its solutions show all numbers.

    Examples
    --------
    >>> puzzle = Slitherlink("..2/.3./3.3")
    >>> for solution in puzzle.solve():
    ...     print(puzzle.unparse(solution))
    +-+-+-+
    |. . 2|
    + +-+ +
    |.|3|.|
    + + + +
    |3|.|3|
    +-+ +-+
    """

    board_parameter: ClassVar[str] = "clues"

    clues: Rows = "5x5"
    """The numbers, row by row: a text, a list of rows, or the name of a file. Each is from 0 to 4; blanks are . - _ or
    ?. ROWSxCOLUMNS for a board without numbers. Generated puzzles have their numbers in the same cells."""

    def __post_init__(self) -> None:
        self._cells  # noqa: B018 - reports mistakes now

    @cached_property
    def _cells(self) -> SymbolRows:
        return read_rows(self.clues, "clues", _read_clue, "a number from 0 to 4, or . for a blank")

    @cached_property
    def _points(self) -> Network:
        rows, columns = self._cells.size
        return make_grid(rows + 1, columns + 1, _POINT)

    @cached_property
    def _sides(self) -> dict[str, dict[str, Drawn]]:
        """The sides of each cell that may have a number."""
        found = {}
        for row, column in self._cells.places or self._cells.cells:
            ends = {side: tuple(f"{_POINT}{cell_name((row + down, column + right))}" for down, right in corners)
                    for side, corners in _CORNERS.items()}  # fmt: skip
            found[cell_name((row, column))] = {side: (one, other) for side, (one, other) in ends.items()}
        return found

    def primary(self) -> Iterator[str]:
        items = (*self._points.neighbors, *self._sides, *(f"{_NUMBER}{cell}" for cell in self._sides))
        yield from sorted(items, key=place_of_point)  # a sweep has few states in this order

    def secondary(self) -> Iterator[str]:
        yield from self._points.edges.values()
        yield from (f"sides of {cell}" for cell in self._sides)

    def options(self) -> Iterator[tuple[Label, list[Item]]]:
        for cell, sides in self._sides.items():
            for count in range(len(_COUNTS)):
                for chosen in combinations(sides, count):
                    items = [cell, Colored(f"sides of {cell}", str(count)), *self._points.color(sides, chosen)]
                    yield LinesAt(cell, chosen), items
        for point in self._points.neighbors:
            yield from self._points.pass_through(point, (0, 2))
        for row, column in self._cells.places or self._cells.cells:
            cell = cell_name((row, column))
            for number in _COUNTS:
                yield Entry(row, column, number), [f"{_NUMBER}{cell}", Colored(f"sides of {cell}", number)]

    def rules(self) -> list[Loop]:
        return [Loop(self._points.lit)]

    def givens(self) -> list[Entry]:
        return [Entry(*cell, number) for cell, number in self._cells.places.items()]

    def boards(self) -> Slitherlink:
        """Return the encoder of long loops, which make good puzzles."""
        return self if self._cells.places or len(self._sides) == 1 else _LongLoop(self.clues)

    def unparse(self, solution: Iterable[Label]) -> str:
        """Return the numbers in rows; in a frame with the loop, once all of it is known."""
        solution = tuple(solution)
        numbers = {(one.row, one.column): one.symbol for one in solution if isinstance(one, Entry)}
        rows = self._cells.write(numbers)
        known = {one.place for one in solution if isinstance(one, LinesAt)}
        return (
            frame_points(rows, self._find_lines(solution))
            if known.issuperset(self._points.neighbors)
            else "\n".join(rows)
        )

    def _find_lines(self, solution: Iterable[Label]) -> list[tuple[Place, Place]]:
        """Return the ends of each line, as rows and columns from 0."""
        chosen = [one for one in solution if isinstance(one, LinesAt)]
        drawn = {self._sides[one.place][side] for one in chosen if one.place in self._sides for side in one.ways}
        drawn.update(self._points.find_lines(chosen))
        return [
            (place_of_point(one), place_of_point(other)) for one, other in self._points.edges if (one, other) in drawn
        ]

    def decode(self, solution: Iterable[Label]) -> tuple[Place, ...]:
        """Return the points of the loop in order, as rows and columns from 0."""
        return next(iter(trace(self._find_lines(solution))), ())

    def describe_rules(self) -> str:
        rule = "Draw one closed loop along the lines of the grid, which never meets itself."
        return f"{rule} A number says how many sides of its cell are in the loop."

    def describe_option(self, label: Label) -> str:
        if isinstance(label, Entry) or label.place not in self._sides:
            return super().describe_option(label)
        where = f"at the {' and '.join(label.ways)} of" if label.ways else "around"
        return f"{'a' if label.ways else 'no'} line {where} {label.place}"

    def place_of(self, item: Item) -> Place | None:
        return place_of_cell(str(item).removeprefix(_NUMBER))

    def draw(self, solution: Iterable[Label]) -> Picture:
        solution, (rows, columns) = tuple(solution), self._cells.size
        given = self._cells.places
        numbers = [one for one in solution if isinstance(one, Entry)]
        texts = (pictures.Text(row - 1, column - 1, number, (row, column) in given) for row, column, number in numbers)
        title = f"a loop around some of {rows} x {columns} cells, {pictures.format_count(len(given), 'number')} given"
        return Picture(title, (*draw_points((rows, columns), self._find_lines(solution)), *texts))


class _LongLoop(Slitherlink):
    """A board without numbers whose loop touches most cells, and is not around one cell."""

    def primary(self) -> Iterator[str]:
        yield from (*super().primary(), _LEFT_OUT)

    def multiplicity(self) -> dict[str, tuple[int, int]]:
        return {_LEFT_OUT: (0, len(self._sides) // 4)}

    def options(self) -> Iterator[tuple[Label, list[Item]]]:
        for label, items in super().options():
            if not isinstance(label, Entry):
                yield label, items
            elif label.symbol != "4":
                yield label, [*items, *[_LEFT_OUT] * (label.symbol == "0")]
