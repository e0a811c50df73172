"""Polyomino tilings: pieces of unit squares on a board of unit squares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from exactcover import Encoder, Item, ParameterError, Picture
from exactcover.errors import nearest
from problems.boards import Board, Cell, cell_name, parse_cell
from problems.pieces import named_pieces, shape_of
from problems.tiling import (
    Bounds,
    Copies,
    Placement,
    Shape,
    all_placements,
    area_gap,
    bounds,
    counted,
    draw_tiling,
    orientations,
    placements,
    symmetries,
)

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

    copies: Copies | Mapping[str, Copies] = 1
    """How many of each piece: a number, [at least, at most], or any; or a mapping from pieces to these, for pieces
    that are not in it 1. Equal pieces are not told apart."""

    holes: tuple[Cell, ...] = ()
    """Cells that are blocked, as [row, column] from 1."""

    rotate: bool = True
    """Whether pieces may be turned."""

    reflect: bool = True
    """Whether pieces may be turned over; one-sided pieces never are."""

    placed: tuple[str, ...] = ()
    """Pieces that lie already, written as solutions are: "X r1c2 r2c1 r2c2 r2c3 r3c2"."""

    def __post_init__(self) -> None:
        self._board, self._copies, self._placed  # noqa: B018 - a wrong parameter is reported now, not later

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

    @cached_property
    def _copies(self) -> dict[str, Bounds | None]:
        """How many of each piece there must and may be; None for any number."""
        if not isinstance(self.copies, Mapping):
            copies: dict[str, Copies] = dict.fromkeys(self._shapes, self.copies)
        else:
            unknown = next((name for name in self.copies if name not in self._shapes), None)
            if unknown is not None:
                message = f"there is no piece {unknown!r}{nearest(unknown, self._shapes)}"
                raise ParameterError(("copies", unknown), message)
            copies = {name: self.copies.get(name, 1) for name in self._shapes}
        single = isinstance(self.copies, Mapping)
        return {name: bounds(number, ("copies", name) if single else "copies") for name, number in copies.items()}

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
        return [*self.multiplicity(), *map(cell_name, self._board.along_short_side())]

    def multiplicity(self) -> dict[str, Bounds]:
        return counted(self._copies)

    def secondary(self) -> Iterator[str]:
        return map(cell_name, self._board.optional)

    def options(self) -> Iterator[tuple[Placement, list[str]]]:
        required = set(self._board.required)
        used = {name: shapes for name, shapes in self._shapes.items() if self._copies[name] != (0, 0)}
        for placement in all_placements(used, self._board):
            piece = [] if self._copies[placement.piece] is None else [placement.piece]
            if piece or not required.isdisjoint(placement.cells):
                yield placement, [*piece, *map(cell_name, placement.cells)]

    def givens(self) -> tuple[Placement, ...]:
        return self._placed

    def symmetries(self) -> Iterator[dict[Item, Item]]:
        return symmetries(self._board, self._shapes, self._copies)

    def impossible(self) -> str | None:
        return area_gap(self._board, [(len(shapes[0]), self._copies[name]) for name, shapes in self._shapes.items()])

    def draw(self, solution: Iterable[Placement]) -> Picture:
        once = all(often == (1, 1) for often in self._copies.values())
        tints = {name: tint for tint, name in enumerate(self._shapes)} if once else None
        solution = tuple(solution)
        cells = len(self._board.required) + len(self._board.optional)
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
