"""Tilings of a rectangle by smaller rectangles, with a given number of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from exactcover import Encoder, Item, ParameterError, Picture, Symmetry, pictures
from problems.boards import Board, cell_name, parse_size
from problems.drawings import TilingDrawer
from problems.pieces import Shape, orientations
from problems.placements import Placement, place_pieces
from problems.tiling import (
    Bounds,
    Copies,
    area_proof,
    bounded_copies,
    copy_bounds,
    tiling_symmetries,
)


@dataclass(frozen=True)
class Rectangles(Encoder):
    """Cover a rectangle with smaller rectangles.

    By default, the board has 2 rows and 3 columns, and the pieces are one 1x2 and one 2x2 rectangle.

    Examples
    --------
    >>> for solution in sorted(Rectangles().problem().solve()):
    ...     print(", ".join(map(str, solution)))
    1x2 r1c1 r2c1, 2x2 r1c2 r1c3 r2c2 r2c3
    1x2 r1c3 r2c3, 2x2 r1c1 r1c2 r2c1 r2c2
    """

    symmetries_complete: ClassVar[bool] = True

    board: str = "2x3"
    """ROWSxCOLUMNS."""

    pieces: Mapping[str, Copies] = field(default_factory=lambda: {"1x2": 1, "2x2": 1})
    """A mapping from rectangles, ROWSxCOLUMNS, to the number of copies: a number, [low, high] or 2-3, or any."""

    rotate: bool = True
    """Whether pieces may be rotated."""

    def __post_init__(self) -> None:
        self._board, self._sides  # noqa: B018 - a wrong parameter is reported now, not later

    @cached_property
    def _board(self) -> Board:
        parse_size(self.board, "board")
        return Board.parse(self.board)

    @cached_property
    def _sides(self) -> dict[str, tuple[int, int]]:
        """The rows and columns of every kind of piece."""
        sides: dict[str, tuple[int, int]] = {}
        for name, number in self.pieces.items():
            try:
                rows, columns = parse_size(name, "pieces")
            except ParameterError as error:
                raise ParameterError(("pieces", name), error.message) from None
            if (rows, columns) in sides.values() or (self.rotate and (columns, rows) in sides.values()):
                raise ParameterError(("pieces", name), f"the rectangle {name} is listed twice")
            bounds = copy_bounds(number, ("pieces", name))
            area = len(self._board.required)
            if bounds is not None and bounds[0] > area:
                raise ParameterError(
                    ("pieces", name),
                    f"{bounds[0]} pieces are too many for a board of {pictures.format_count(area, 'cell')}",
                )
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
        return bounded_copies(self._copies)

    def open_weights(self) -> dict[str, int]:
        """Return that only open cells count, and not pieces that are left."""
        return dict.fromkeys(self.multiplicity(), 0)

    @cached_property
    def _copies(self) -> dict[str, Bounds | None]:
        return {name: copy_bounds(number, ("pieces", name)) for name, number in self.pieces.items()}

    def options(self) -> Iterator[tuple[Placement, list[str]]]:
        used = {name: shapes for name, shapes in self._shapes.items() if self._copies[name] != (0, 0)}
        for one in place_pieces(used, self._board):
            yield one, [*map(cell_name, one.cells), *([] if self._copies[one.piece] is None else [one.piece])]

    def symmetries(self, *, mirrors: bool = True) -> Iterator[Symmetry]:
        options = [placement for placement, _ in self.options()]
        return tiling_symmetries(self._board, self._shapes, self._copies, options, mirrors=mirrors)

    def rotations(self) -> Iterator[Symmetry]:
        return self.symmetries(mirrors=False)

    def impossible(self) -> str | None:
        sizes = [(rows * columns, self._copies[name]) for name, (rows, columns) in self._sides.items()]
        return area_proof(self._board, sizes)

    def place_of(self, item: Item) -> tuple[int, int] | None:
        return self._drawer.place_of(item)

    def draw(self, solution: Iterable[Placement]) -> Picture:
        return self._drawer.draw(f"Rectangles on a board of {self.board}", solution)

    @cached_property
    def _drawer(self) -> TilingDrawer:
        return TilingDrawer(self._board, {name: self._copies[name] != (1, 1) for name in self._sides}, labels=False)
