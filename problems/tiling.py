"""What all tilings of a board by pieces share: placements, pictures, and a look at the areas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Literal, NamedTuple, TypeAlias

from annotated_types import Ge

from exactcover import Item, ParameterError, Picture, pictures
from problems.boards import Board, Cell, cell_name

__all__ = [
    "Bounds",
    "Copies",
    "Placement",
    "Shape",
    "area_gap",
    "bounds",
    "counted",
    "draw_tiling",
    "normalized",
    "orientations",
    "placements",
]

Shape: TypeAlias = tuple[Cell, ...]
"""Cells in ascending order; the least row and the least column are 0."""
Bounds: TypeAlias = tuple[int, int]
Copies: TypeAlias = Annotated[int, Ge(0)] | tuple[Annotated[int, Ge(0)], Annotated[int, Ge(1)]] | Literal["any"]
"""How many copies of a piece: a number, [at least, at most], or any number."""


class Placement(NamedTuple):
    """A piece on the cells it takes; as text ``F r1c2 r1c3 r2c1 r2c2 r3c2``."""

    piece: str
    cells: tuple[Cell, ...]

    def __str__(self) -> str:
        return " ".join([self.piece, *map(cell_name, self.cells)])


def normalized(cells: Iterable[Cell]) -> Shape:
    """Return the cells moved to the corner and sorted."""
    cells = list(cells)
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return tuple(sorted((row - top, column - left) for row, column in cells))


def orientations(shape: Shape, *, rotate: bool = True, reflect: bool = True) -> list[Shape]:
    """Return every distinct way the shape can lie, the given one first.

    Examples
    --------
    >>> len(orientations(((0, 0), (0, 1), (1, 0))))
    4
    """
    found: dict[Shape, None] = {}
    for mirrored in (False, True) if reflect else (False,):
        turned = normalized((row, -column) for row, column in shape) if mirrored else normalized(shape)
        for _ in range(4 if rotate else 1):
            found[turned] = None
            turned = normalized((column, -row) for row, column in turned)
    return list(found)


def all_placements(pieces: Mapping[str, Iterable[Shape]], board: Board) -> list[Placement]:
    """Return every piece in every orientation at every place of the board.

    They come by the first cell that they take, along the short side of the board; so options near each other are about
    cells near each other, which keeps diagrams of solutions small.
    """
    rank = {cell: position for position, cell in enumerate(board.along_short_side())}
    found = [placement for name, shapes in pieces.items() for placement in placements(name, shapes, board)]
    return sorted(found, key=lambda placement: min(rank.get(cell, len(rank)) for cell in placement.cells))


def placements(piece: str, shapes: Iterable[Shape], board: Board) -> Iterator[Placement]:
    """Yield the piece in every orientation at every place of the board, row by row."""
    free = {*board.required, *board.optional}
    rows = max(row for row, _ in free)
    columns = max(column for _, column in free)
    for shape in shapes:
        height, width = max(row for row, _ in shape), max(column for _, column in shape)
        for top in range(1, rows - height + 1):
            for left in range(1, columns - width + 1):
                cells = tuple((top + row, left + column) for row, column in shape)
                if free.issuperset(cells):
                    yield Placement(piece, cells)


def symmetries(
    board: Board, shapes: Mapping[str, Sequence[Shape]], copies: Mapping[str, Bounds | None]
) -> Iterator[dict[Item, Item]]:
    """Yield what leaves a tiling problem as it is: ways to lay the board on itself, and swaps of equal pieces."""
    kinds: dict[str, tuple[frozenset[Shape], Bounds | None]] = {
        name: (frozenset(own), copies[name]) for name, own in shapes.items()
    }
    for mirrored in (False, True):
        for quarters in range(4):
            move = partial(_moved, mirrored=mirrored, quarters=quarters)
            cells = _onto_itself(board, move)
            pieces = _renamed(kinds, move)
            if (mirrored or quarters) and cells is not None and pieces is not None:
                yield {cell_name(cell): cell_name(image) for cell, image in cells.items()} | pieces
    firsts: dict[object, str] = {}
    for name, kind in kinds.items():
        first = firsts.setdefault(kind, name)
        if first != name:
            yield {first: name, name: first}


def _moved(cell: Cell, *, mirrored: bool, quarters: int) -> Cell:
    row, column = cell
    if mirrored:
        column = -column
    for _ in range(quarters):
        row, column = column, -row
    return row, column


def _onto_itself(board: Board, move: Callable[[Cell], Cell]) -> dict[Cell, Cell] | None:
    """Return where each cell goes if the board is moved and laid on itself; None if that does not fit."""
    cells = [*board.required, *board.optional]
    images = [move(cell) for cell in cells]
    down, right = (min(cell[k] for cell in cells) - min(image[k] for image in images) for k in (0, 1))
    laid = {cell: (row + down, column + right) for cell, (row, column) in zip(cells, images, strict=True)}
    fits = all({laid[cell] for cell in part} == set(part) for part in (board.required, board.optional))
    return laid if fits else None


def _renamed(
    kinds: Mapping[str, tuple[frozenset[Shape], Bounds | None]], move: Callable[[Cell], Cell]
) -> dict[Item, Item] | None:
    """Return which piece each becomes by a move; None if one becomes what is no piece."""
    free = dict(kinds)
    renamed: dict[Item, Item] = {}
    for name, (shapes, often) in kinds.items():
        wanted = (frozenset(normalized(map(move, shape)) for shape in shapes), often)
        image = name if free.get(name) == wanted else next((one for one in free if free[one] == wanted), None)
        if image is None:
            return None
        del free[image]
        renamed[name] = image
    return renamed


def bounds(copies: Copies, parameter: str | tuple[str, ...]) -> Bounds | None:
    """Return how many copies there must and may be at least and at most; None for any number."""
    if copies == "any":
        return None
    low, high = (copies, copies) if isinstance(copies, int) else copies
    if not 0 <= low <= high:
        raise ParameterError(parameter, f"expected at least no more than at most, got {low} and {high}")
    return low, high


def counted(copies: Mapping[str, Bounds | None]) -> dict[str, Bounds]:
    """Return the pieces that are used, but not in any number."""
    return {name: often for name, often in copies.items() if often is not None and often != (0, 0)}


def area_gap(board: Board, sizes: Sequence[tuple[int, Bounds | None]]) -> str | None:
    """Return a proof by areas that the pieces cannot cover the board, or None if areas allow it.

    Parameters
    ----------
    board
        Its connected parts are looked at one by one.
    sizes
        For each kind of piece its number of cells, and how many copies there must and may be; None for any number.
    """
    least, most = len(board.required), len(board.required) + len(board.optional)
    lows = sum(size * copies[0] for size, copies in sizes if copies is not None)
    highs = sum(size * copies[1] for size, copies in sizes if copies is not None)
    if lows > most or (highs < least and all(copies is not None for _, copies in sizes)):
        some = (
            f"{lows} cells" if lows == highs else f"at least {lows} cells" if lows > most else f"at most {highs} cells"
        )
        wanted = f"{least} cells" if least == most else f"{least} to {most} cells"
        return f"the pieces cover {some}, but the board has {wanted} to cover"
    reachable = _sums(sizes, most)
    for required, optional in board.components():
        window = range(len(required), len(required) + len(optional) + 1)
        if not any(reachable >> area & 1 for area in window):
            where = cell_name((required or optional)[0])
            return (
                f"the part of the board at {where} has {len(required)} cells to cover, "
                f"and no choice of pieces adds up to that (sizes {_describe(sizes)})"
            )
    return None


def _sums(sizes: Iterable[tuple[int, Bounds | None]], most: int) -> int:
    """Return the areas that some of the pieces add up to, as bits."""
    reachable, mask = 1, (1 << most + 1) - 1
    for size, copies in sizes:
        for _ in range(most // size if copies is None else min(copies[1], most // size)):
            more = (reachable | reachable << size) & mask
            if more == reachable:
                break
            reachable = more
    return reachable


def _describe(sizes: Iterable[tuple[int, Bounds | None]]) -> str:
    return ", ".join(str(size) for size in sorted({size for size, copies in sizes if copies != (0, 0)}))


def draw_tiling(
    title: str, board: Board, solution: Iterable[Placement], tints: Mapping[str, int] | None = None
) -> Picture:
    """Return a picture of the tiling; `tints` by piece, None to let neighbors choose different ones."""
    shapes: list[pictures.Shape] = [
        pictures.Cell(row - 1, column - 1, region="#", tint=pictures.BLOCKED) for row, column in board.blocked
    ]
    shapes += [pictures.Cell(row - 1, column - 1, "?", pictures.PAPER) for row, column in _uncovered(board, solution)]
    for placement in solution:
        tint = None if tints is None else tints[placement.piece]
        shapes += [pictures.Cell(row - 1, column - 1, placement, tint) for row, column in placement.cells]
        if tints is not None:
            row, column = _middle(placement.cells)
            shapes.append(pictures.Label(row - 1, column - 1, placement.piece))
    return Picture(title, tuple(shapes))


def _uncovered(board: Board, solution: Iterable[Placement]) -> list[Cell]:
    taken = {cell for placement in solution for cell in placement.cells}
    return [cell for cell in [*board.required, *board.optional] if cell not in taken]


def _middle(cells: Sequence[Cell]) -> Cell:
    """Return the cell nearest to the center of gravity, the first of several."""
    row = sum(row for row, _ in cells) / len(cells)
    column = sum(column for _, column in cells) / len(cells)
    return min(cells, key=lambda cell: ((cell[0] - row) ** 2 + (cell[1] - column) ** 2, cell))
