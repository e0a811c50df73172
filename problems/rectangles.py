"""Rectangles packed into a rectangle, a given number of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Literal

from annotated_types import Ge

from exactcover import Encoder, ParameterError, Picture
from problems.boards import Board, cell_name, parse_size
from problems.tiling import Placement, Shape, area_gap, draw_tiling, orientations, placements

__all__ = ["Rectangles"]


@dataclass(frozen=True)
class Rectangles(Encoder):
    """Cover a rectangle with smaller ones.

    The default is the textbook example: a board of 2 rows and 3 columns, one 1x2 and one 2x2.

    Examples
    --------
    >>> for solution in sorted(Rectangles().problem().solve()):
    ...     print(", ".join(map(str, solution)))
    1x2 r1c1 r2c1, 2x2 r1c2 r1c3 r2c2 r2c3
    1x2 r1c3 r2c3, 2x2 r1c1 r1c2 r2c1 r2c2
    """

    board: str = "2x3"
    """ROWSxCOLUMNS."""

    pieces: Mapping[str, Annotated[int, Ge(0)] | Literal["any"]] = field(default_factory=lambda: {"1x2": 1, "2x2": 1})
    """How many of each rectangle ROWSxCOLUMNS: a number, all of which must be used, or any."""

    rotate: bool = True
    """Whether pieces may be turned."""

    def __post_init__(self) -> None:
        self._board, self._sides  # noqa: B018 - a wrong parameter is reported now, not later

    @cached_property
    def _board(self) -> Board:
        parse_size(self.board, "board")
        return Board.parse(self.board)

    @cached_property
    def _sides(self) -> dict[str, tuple[int, int]]:
        """Rows and columns of every kind of piece."""
        sides: dict[str, tuple[int, int]] = {}
        for name, number in self.pieces.items():
            try:
                rows, columns = parse_size(name, "pieces")
            except ParameterError as error:
                raise ParameterError(("pieces", name), str(error)) from None
            if (rows, columns) in sides.values() or (self.rotate and (columns, rows) in sides.values()):
                raise ParameterError(("pieces", name), f"the rectangle {name} is there twice")
            if number != "any" and number > len(self._board.required):
                raise ParameterError(("pieces", name), f"{number} pieces are more than the board has cells")
            sides[name] = rows, columns
        return sides

    @cached_property
    def _shapes(self) -> dict[str, list[Shape]]:
        """The orientations of every kind of piece that is not larger than the board."""
        return {
            name: orientations(
                tuple((row, column) for row in range(rows) for column in range(columns)), rotate=self.rotate
            )
            for name, (rows, columns) in self._sides.items()
            if rows * columns <= len(self._board.required)
        }

    @cached_property
    def _implied(self) -> str | None:
        """The kind whose number the areas of all others leave no choice for: its pieces need no names."""
        numbers = [number for number in self.pieces.values() if number != "any"]
        if len(numbers) < len(self.pieces) or max(numbers, default=0) < 2:
            return None
        return max(self.pieces, key=lambda name: int(self.pieces[name]))

    def primary(self) -> list[str]:
        cells = map(cell_name, self._board.required)
        return [*cells, *(copy for name in self.pieces for copy in self._copies(name) if copy != "any")]

    def _copies(self, name: str) -> list[str]:
        """Return the names of the copies: one is called as its kind, several are numbered."""
        number = self.pieces[name]
        if number == "any" or name == self._implied:
            return ["any"]
        return [name] if number == 1 else [f"{name} #{copy}" for copy in range(1, number + 1)]

    def secondary(self) -> list[str]:
        """Return the marks that put equal pieces in order; see :func:`_marks`."""
        marks: dict[str, None] = {}
        for _, items in self._all_options():
            marks.update(dict.fromkeys(item for item in items if item.startswith("order ")))
        return list(marks)

    def options(self) -> Iterator[tuple[Placement, list[str]]]:
        return self._all_options()

    def _all_options(self) -> Iterator[tuple[Placement, list[str]]]:
        for name, shapes in self._shapes.items():
            places = list(placements(name, shapes, self._board))
            copies = self._copies(name)
            for copy, copy_name in enumerate(copies, 1):
                for place, (_, cells) in enumerate(places):
                    items = list(map(cell_name, cells))
                    if copy_name != "any":
                        items += [copy_name, *_marks(name, copy, len(copies), place, len(places))]
                    yield Placement(name if copy_name == "any" else copy_name.replace(" ", ""), cells), items

    def impossible(self) -> str | None:
        sizes = [
            (rows * columns, None if self.pieces[name] == "any" else int(self.pieces[name]))
            for name, (rows, columns) in self._sides.items()
        ]
        return area_gap(self._board, sizes)

    def draw(self, solution: Iterable[Placement]) -> Picture:
        return draw_tiling(f"Rectangles on a board of {self.board}", self._board, tuple(solution))


def _marks(name: str, copy: int, copies: int, place: int, places: int) -> Iterator[str]:
    """Yield secondary items that let equal pieces lie in ascending order of places only.

    Halve the range of places again and again. Copy k marks every half it lies to the right of, copy
    k + 1 every half it lies to the left of; so the two share a mark exactly where k lies behind k + 1.
    Each packing then comes once, instead of once for every way to number equal pieces.
    """
    low, high = 0, places
    while high - low > 1:
        middle = (low + high) // 2
        right = place >= middle
        if right and copy < copies:
            yield f"order {name} {copy}: {low}-{high}"
        if not right and copy > 1:
            yield f"order {name} {copy - 1}: {low}-{high}"
        low, high = (middle, high) if right else (low, middle)
