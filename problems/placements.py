"""Placements of pieces on a board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from problems.boards import Board, cell_name, group_cells
from problems.lattices import Place, Point, translate
from problems.pieces import Shape


class Placement(NamedTuple):
    """A piece on the cells that it covers; as text ``F r1c2 r1c3 r2c1 r2c2 r3c2``."""

    piece: str
    cells: tuple[Place, ...]

    def __str__(self) -> str:
        return " ".join([self.piece, *map(cell_name, self.cells)])


def list_placements(pieces: Mapping[str, Iterable[Shape]], board: Board) -> list[Placement]:
    """Return every placement of every piece on a board.

    Placements are sorted by the first cell that they cover, in the order of :meth:`Board.along_short_side`. Options
    that are close in this order cover cells that are close on the board, which keeps diagrams of solutions small.
    """
    rank = dict.fromkeys(board.optional, len(board.required))
    rank |= {cell: number for number, cell in enumerate(board.along_short_side())}
    return sorted(place_pieces(pieces, board), key=lambda one: min([rank[cell] for cell in one.cells]))


def place_pieces(pieces: Mapping[str, Iterable[Shape]], board: Board) -> Iterator[Placement]:
    """Yield the placements of pieces on a board, row by row for each orientation, each set of cells once."""
    cells = sorted(board.free)
    number_of = {cell: number for number, cell in enumerate(cells)}
    starts = group_cells({board.points[cell]: board.lattice.kind(board.points[cell]) for cell in cells})

    @cache
    def shift(kind: int, step: Point) -> list[int]:
        """Return the numbers of the cells that are a step away from all cells of a kind; -1 beside the board."""
        found = (board.at.get(board.wrap(translate(start, step))) for start in starts.get(kind, ()))
        return [-1 if cell is None else number_of[cell] for cell in found]

    for piece, shapes in pieces.items():
        seen: set[tuple[int, ...]] = set()
        for shape in shapes:
            kind = board.lattice.kind(shape[0])
            columns = [shift(kind, translate(cell, shape[0], -1)) for cell in shape]
            for numbers in map(sorted, zip(*columns, strict=True)):
                if numbers[0] < 0:
                    continue
                if board.periods:  # a piece may overlap itself, and shifts be equal
                    covered = tuple(numbers)
                    if len({*covered}) < len(covered) or covered in seen:
                        continue
                    seen.add(covered)
                yield Placement(piece, tuple([cells[number] for number in numbers]))
