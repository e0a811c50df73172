"""Placements of pieces on a board."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, compress, repeat
from typing import NamedTuple, TypeAlias

from problems.boards import Board, cell_name
from problems.lattices import Place, Point, translate
from problems.pieces import Shape

_Numbers: TypeAlias = Sequence[int]
"""The number of a piece, then those of its cells, in ascending order."""


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
    grid, names = _Grid(board, len(pieces)), list(pieces)
    found: list[list[_Numbers]] = [[] for _ in range(len(board.required) + 2)]  # by the rank of the first cell
    for piece, shapes in enumerate(pieces.values()):
        for ranks, rows in grid.place(piece, shapes):
            for rank, numbers in zip(ranks, rows, strict=True):
                found[rank].append(numbers)
    return [
        Placement(names[piece], tuple([grid.cells[number - len(names)] for number in numbers]))
        for piece, *numbers in chain.from_iterable(found[1:])
    ]


class _Grid:
    """The cells of a board by numbers: pieces first, then cells in order, so that sorted numbers begin with the piece.

    The rank of a cell is its place in the order of :meth:`Board.along_short_side`, from 1; cells that may stay free
    come last, and places outside the board have the rank 0.
    """

    def __init__(self, board: Board, pieces: int) -> None:
        self._board, self.cells = board, sorted(board.free)
        self._number = {cell: number for number, cell in enumerate(self.cells, pieces)}
        self._rank = [0] * pieces + [len(board.required) + 1] * len(self.cells) + [0]  # the last one is of number -1
        for rank, cell in enumerate(board.along_short_side(), 1):
            self._rank[self._number[cell]] = rank
        self._by_code = {} if board.periods else {code: self._number[cell] for code, cell in board.by_code.items()}
        self._columns: dict[tuple[int, int], tuple[list[int], list[int]]] = {}

    def place(self, piece: int, shapes: Iterable[Shape]) -> Iterator[tuple[Iterable[int], Iterable[_Numbers]]]:
        """Yield the ranks of the first cells of placements, and their numbers; with rank 0, they are off the board."""
        if self._board.periods:
            rows = list(self._place_around(piece, shapes))
            yield [min([self._rank[number] for number in row[1:]]) for row in rows], rows
            return
        code, kind = self._board.code, self._board.lattice.kind
        for shape in shapes:
            codes = [code(translate(cell, shape[0], -1)) for cell in shape]
            if self._board.keeps_order:
                codes.sort()
            ranks, numbers = zip(*(self._list_column(kind(shape[0]), one) for one in codes), strict=True)
            placed = zip(repeat(piece), *numbers, strict=False)
            yield (
                map(min, *ranks) if len(ranks) > 1 else ranks[0],
                placed if self._board.keeps_order else map(sorted, placed),
            )

    def _list_column(self, kind: int, code: int) -> tuple[list[int], list[int]]:
        """Return rank and number of the cell that is shifted by a code, for all cells of a kind."""
        column = self._columns.get((kind, code))
        if column is None:
            shifted = map(code.__add__, self._board.start_codes.get(kind, []))
            numbers = list(map(self._by_code.get, shifted, repeat(-1)))
            column = self._columns[kind, code] = list(map(self._rank.__getitem__, numbers)), numbers
        return column

    def _place_around(self, piece: int, shapes: Iterable[Shape]) -> Iterator[_Numbers]:
        """Yield the placements on a board with joined edges; pieces may overlap themselves, and shifts be equal."""
        board, starts = self._board, defaultdict[int, list[Point]](list)
        for cell in self.cells:
            point = board.points[cell]
            starts[board.lattice.kind(point)].append(point)
        seen: set[tuple[int, ...]] = set()
        for shape in shapes:
            steps = [translate(cell, shape[0], -1) for cell in shape]
            for start in starts[board.lattice.kind(shape[0])]:
                cells = [board.at.get(board.wrap(translate(start, step))) for step in steps]
                numbers = (piece, *sorted([self._number[cell] for cell in cells if cell is not None]))
                if len(set(numbers)) == 1 + len(shape) and numbers not in seen:
                    seen.add(numbers)
                    yield numbers


def placements(piece: str, shapes: Iterable[Shape], board: Board) -> Iterator[Placement]:
    """Yield the placements of a piece on the board, row by row for each orientation, each set of cells once."""
    grid = _Grid(board, 1)
    for ranks, rows in grid.place(0, shapes):
        for numbers in compress(rows, ranks):
            yield Placement(piece, tuple([grid.cells[number - 1] for number in numbers[1:]]))
