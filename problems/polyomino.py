"""Polyomino tilings: pieces of unit squares on a board of unit squares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from exactcover import Encoder, ParameterError, Picture
from exactcover.errors import nearest
from problems.boards import Board, Cell, cell_name, parse_cell
from problems.pieces import named_pieces, shape_of
from problems.tiling import Placement, Shape, area_gap, draw_tiling, orientations, placements

__all__ = ["Polyomino"]


@dataclass(frozen=True)
class Polyomino(Encoder):
    """Cover a board with polyominoes, each turned and reflected as allowed.

    Examples
    --------
    >>> tiling = Polyomino(board="3x20")
    >>> tiling.problem()
    <Problem: 72 items, 1236 options>
    """

    board: str = "6x10"
    """ROWSxCOLUMNS, or a drawing: . a cell to cover, ? one that may stay free, # blocked, space or _ none."""

    pieces: str | tuple[str, ...] | Mapping[str, str] = "pentominoes"
    """A set (monominoes to hexominoes, also "one-sided pentominoes"), one piece of a set (tetrominoes.O), a list of
    these, or a mapping from names of your own to drawings with # (rows end with a line break or /) or to pieces."""

    copies: Literal[1, "any"] = 1
    """1: each piece exactly once; any: as many of each as it takes, none included."""

    holes: tuple[Cell, ...] = ()
    """Cells that are blocked, as [row, column] from 1."""

    rotate: bool = True
    """Whether pieces may be turned."""

    reflect: bool = True
    """Whether pieces may be turned over; one-sided pieces never are."""

    placed: tuple[str, ...] = ()
    """Pieces that lie already, written as solutions are: "X r1c2 r2c1 r2c2 r2c3 r3c2"."""

    def __post_init__(self) -> None:
        if self.copies not in (1, "any"):
            raise ParameterError("copies", f"expected 1 or any, got {self.copies!r}")
        self._board, self._shapes, self._placed  # noqa: B018 - a wrong parameter is reported now, not later

    @cached_property
    def _board(self) -> Board:
        return Board.parse(self.board, self.holes)

    @cached_property
    def _shapes(self) -> dict[str, list[Shape]]:
        """The orientations of every piece by name."""
        return {
            name: orientations(shape, rotate=self.rotate, reflect=self.reflect and two_sided)
            for name, (shape, two_sided) in self._named().items()
        }

    def _named(self) -> dict[str, tuple[Shape, bool]]:
        if not self.pieces:
            raise ParameterError("pieces", "there are no pieces")
        if isinstance(self.pieces, Mapping):
            return {name: _own_piece(name, drawing) for name, drawing in self.pieces.items()}
        named: dict[str, tuple[Shape, bool]] = {}
        for position, reference in enumerate([self.pieces] if isinstance(self.pieces, str) else self.pieces):
            for name, piece in named_pieces(reference, ("pieces", position)).items():
                full_name = f"{reference.partition('.')[0]}.{name}"
                free_name = next((free for free in (name, full_name) if free not in named), None)
                if free_name is None:
                    raise ParameterError(("pieces", position), f"piece {full_name} is named twice")
                named[free_name] = piece
        return named

    @cached_property
    def _placed(self) -> tuple[Placement, ...]:
        return tuple(self._read_placed(position, text) for position, text in enumerate(self.placed))

    def _read_placed(self, position: int, text: str) -> Placement:
        name, *names = text.split() or [""]
        cells = [parse_cell(cell) for cell in names]
        if name not in self._shapes:
            raise ParameterError(("placed", position), f"there is no piece {name!r}{nearest(name, self._shapes)}")
        if not cells or None in cells:
            raise ParameterError(("placed", position), f"{text!r} is no placement; expected {name} r1c1 r1c2 ...")
        placement = Placement(name, tuple(sorted(cell for cell in cells if cell is not None)))
        if placement not in set(placements(name, self._shapes[name], self._board)):
            raise ParameterError(("placed", position), f"piece {name} cannot lie on {' '.join(names)}")
        return placement

    def primary(self) -> list[str]:
        pieces = list(self._shapes) if self.copies == 1 else []
        return [*pieces, *map(cell_name, self._board.along_short_side())]

    def secondary(self) -> Iterator[str]:
        return map(cell_name, self._board.optional)

    def options(self) -> Iterator[tuple[Placement, list[str]]]:
        required = set(self._board.required)
        for name, shapes in self._shapes.items():
            piece = [name] if self.copies == 1 else []
            for placement in placements(name, shapes, self._board):
                if piece or not required.isdisjoint(placement.cells):
                    yield placement, [*piece, *map(cell_name, placement.cells)]

    def givens(self) -> tuple[Placement, ...]:
        return self._placed

    def impossible(self) -> str | None:
        copies = 1 if self.copies == 1 else None
        return area_gap(self._board, [(len(shapes[0]), copies) for shapes in self._shapes.values()])

    def draw(self, solution: Iterable[Placement]) -> Picture:
        tints = {name: tint for tint, name in enumerate(self._shapes)} if self.copies == 1 else None
        solution = tuple(solution)
        cells = len(self._board.required)
        return draw_tiling(f"{len(solution)} pieces on a board of {cells} cells", self._board, solution, tints)


def _own_piece(name: str, drawing: str) -> tuple[Shape, bool]:
    """Read a piece that is drawn, or named by its set."""
    place = ("pieces", name)
    if not name or name.split() != [name]:
        raise ParameterError(place, f"{name!r} is no name for a piece; it must be one word")
    if "#" not in drawing:
        found = named_pieces(drawing, place)
        if len(found) != 1:
            raise ParameterError(place, f"{drawing!r} is a whole set; expected one piece, like tetrominoes.O")
        return next(iter(found.values()))
    shape = shape_of(drawing)
    if not _connected(shape):
        raise ParameterError(place, f"piece {name} is not connected: its squares do not all touch by their sides")
    return shape, True


def _connected(shape: Shape) -> bool:
    import networkx as nx  # slow to import

    graph: nx.Graph[Cell] = nx.Graph()
    graph.add_nodes_from(shape)
    graph.add_edges_from(
        ((row, column), neighbor)
        for row, column in shape
        for neighbor in ((row + 1, column), (row, column + 1))
        if neighbor in shape
    )
    return nx.is_connected(graph)
