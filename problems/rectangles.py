"""Rectangles packed into a rectangle, a given number of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from exactcover import Encoder, Item, ParameterError, Picture
from problems.boards import Board, cell_name, parse_size
from problems.drawings import TilingDrawer
from problems.pieces import Shape, orientations
from problems.tiling import (
    Bounds,
    Copies,
    Placement,
    area_gap,
    bounds,
    counted,
    placements,
    symmetries,
)

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

    pieces: Mapping[str, Copies] = field(default_factory=lambda: {"1x2": 1, "2x2": 1})
    """How many of each rectangle ROWSxCOLUMNS: a number, all of which must be used, [at least, at most], or any."""

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
            often = bounds(number, ("pieces", name))
            if often is not None and often[0] > len(self._board.required):
                raise ParameterError(("pieces", name), f"{often[0]} pieces are more than the board has cells")
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

    def primary(self) -> list[str]:
        return [*map(cell_name, self._board.required), *self.multiplicity()]

    def multiplicity(self) -> dict[str, Bounds]:
        return counted(self._copies)

    @cached_property
    def _copies(self) -> dict[str, Bounds | None]:
        return {name: bounds(number, ("pieces", name)) for name, number in self.pieces.items()}

    def options(self) -> Iterator[tuple[Placement, list[str]]]:
        for name, shapes in self._shapes.items():
            if self._copies[name] == (0, 0):
                continue
            for placement in placements(name, shapes, self._board):
                yield placement, [*map(cell_name, placement.cells), *([] if self._copies[name] is None else [name])]

    def symmetries(self) -> Iterator[dict[Item, Item]]:
        return symmetries(self._board, self._shapes, self._copies)

    def impossible(self) -> str | None:
        sizes = [(rows * columns, self._copies[name]) for name, (rows, columns) in self._sides.items()]
        return area_gap(self._board, sizes)

    def draw(self, solution: Iterable[Placement]) -> Picture:
        return self._drawer.draw(f"Rectangles on a board of {self.board}", solution)

    @cached_property
    def _drawer(self) -> TilingDrawer:
        return TilingDrawer(self._board)
