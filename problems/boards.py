"""Boards as text, and the names of their cells. Rows, columns and layers are numbered from 1."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from exactcover import Encoder, Item, ParameterError
from exactcover.errors import nearest
from exactcover.pictures import format_count
from problems.lattices import SQUARES, STICKS, Lattice, Place, Point, translate

if TYPE_CHECKING:
    import networkx as nx  # slow to import

C = TypeVar("C", bound=tuple[int, ...])
H = TypeVar("H", bound=Hashable)
K = TypeVar("K", bound=Hashable)

Joined: TypeAlias = Literal["", "columns", "rows", "both"]
"""The opposite edges of a board that are joined: columns or rows for a cylinder, both for a torus."""

_MAX_SIDE = 10_000
_MAX_CELLS = 25_000_000
_STICK_CHARACTERS = {"-": ".", "|": ".", "+": " "}


@lru_cache(1 << 14)  # each name stands in many labels
def cell_name(cell: Place) -> str:
    """Return the name of a cell.

    >>> cell_name((2, 10)), cell_name((3, 2, 1))
    ('r2c10', 'z3r2c1')
    """
    *layer, row, column = cell
    return f"r{row}c{column}" if not layer else f"z{layer[0]}r{row}c{column}"


def parse_cell(name: str) -> Place | None:
    """Return the cell with this name, or None if the text is not the name of a cell.

    >>> parse_cell("r2c10"), parse_cell("z3r2c1")
    ((2, 10), (3, 2, 1))
    """
    match = re.fullmatch(r"(?:z(\d{1,9}))?r(\d{1,9})c(\d{1,9})", name, re.ASCII)
    return tuple(int(part) for part in match.groups() if part is not None) if match else None


def place_of_cell(item: Item) -> tuple[int, int] | None:
    """Return the place in pictures of an item that is named like a cell of a square; None for other items."""
    cell = parse_cell(item) if isinstance(item, str) else None
    return (cell[0] - 1, cell[1] - 1) if cell is not None and len(cell) == 2 else None


class CellEncoder(Encoder):
    """A family whose items are named like the cells of a square that they stand for."""

    def place_of(self, item: Item) -> tuple[int, int] | None:
        return place_of_cell(item)


def parse_size(text: str, parameter: str | tuple[str | int, ...]) -> tuple[int, int]:
    """Return (rows, columns) for a text like ``6x10``, each from 1 to 10,000."""
    rows, columns = _parse_sides(text, parameter)
    return rows, columns


def _parse_sides(text: str, parameter: str | tuple[str | int, ...], layered: bool = False) -> tuple[int, ...]:
    sides = re.split(r"\s*[xX×]\s*", text.strip())
    if len(sides) != 2 + layered or not all(re.fullmatch(r"\d{1,9}", side, re.ASCII) for side in sides):
        wanted = "LAYERSxROWSxCOLUMNS, like 3x3x3" if layered else "ROWSxCOLUMNS, like 6x10"
        raise ParameterError(parameter, f"{text!r} is not a valid size; expected {wanted}")
    return _check_sides(text, map(int, sides), parameter)


def _check_sides(text: str, sides: Iterable[int], parameter: str | tuple[str | int, ...]) -> tuple[int, ...]:
    found = tuple(sides)
    if not all(1 <= side <= _MAX_SIDE for side in found):
        message = f"the size {text.strip()} is out of range; each side must be from 1 to {_MAX_SIDE:,}"
        raise ParameterError(parameter, message)
    return found


def check_lines(drawing: str, parameter: str | tuple[str | int, ...]) -> None:
    """Refuse a drawing whose rows stand on one line, as YAML joins the lines of a text without ``|``.

    So they do if there are several words on the only line, and one of them has several characters.
    """
    words = drawing.split()
    if len(words) > 1 and max(map(len, words)) > 1 and not set(drawing.strip()) & set("\r\n/"):
        message = (
            f"the rows stand on one line; did you forget `|` behind `{parameter}:`? Rows end with a line break or /"
        )
        raise ParameterError(parameter, message)


def read_drawing(text: str, lattice: Lattice) -> dict[Place, str]:
    """Return the character at each place of a drawing that is not blank.

    Rows end with a line break or ``/``. If the lattice has layers, a blank line between rows starts a new layer.
    """
    rows = text.replace("/", "\n").strip("\r\n").split("\n")
    if lattice is STICKS:
        rows = ["".join(_STICK_CHARACTERS.get(one, one) for one in row) for row in rows]
    if not lattice.layered:
        characters: dict[Place, str] = {
            (number, column): one for number, row in enumerate(rows, 1) for column, one in enumerate(row, 1)
        }
    else:
        characters, layer, above = {}, 1, 0
        for number, row in enumerate(rows):
            if not row.strip():
                layer, above = layer + (number > above), number + 1
            characters |= {(layer, number - above + 1, column): one for column, one in enumerate(row, 1)}
    return {place: one for place, one in characters.items() if one not in " _\r"}


def split_rows(drawing: str | Sequence[str]) -> Sequence[str]:
    """Return the rows of a drawing without holes, which may be a text with white space or / between them."""
    return drawing.replace("/", " ").split() if isinstance(drawing, str) else [row.strip() for row in drawing]


def read_letters(
    drawing: str | Sequence[str], size: tuple[int, int], path: tuple[str | int, ...]
) -> dict[tuple[int, int], str]:
    """Return the character of each cell of a drawing without holes; its size must be that of a board.

    The path is that of the drawing, for a ``ParameterError`` about a wrong size.
    """
    rows = split_rows(drawing)
    if len(rows) != size[0]:
        raise ParameterError(path, f"expected {format_count(size[0], 'row')}, got {len(rows)}")
    for number, row in enumerate(rows, 1):
        if len(row) != size[1]:
            place = path if isinstance(drawing, str) else (*path, number - 1)
            raise ParameterError(place, f"row {number}: expected {format_count(size[1], 'cell')}, got {len(row)}")
    return {(row, column): one for row, line in enumerate(rows, 1) for column, one in enumerate(line, 1)}


def list_cells(size: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the cells of a board with so many rows and columns, row by row."""
    rows, columns = size
    return [*product(range(1, rows + 1), range(1, columns + 1))]


def group_cells(values: Mapping[H, K]) -> dict[K, list[H]]:
    """Return the cells with each value, in the order of their first cells."""
    found: dict[K, list[H]] = {}
    for cell, value in values.items():
        found.setdefault(value, []).append(cell)
    return found


def draw_letters(letters: Mapping[tuple[int, int], str], size: tuple[int, int], blank: str = ".") -> list[str]:
    """Return the rows of a drawing with the letters of cells."""
    rows, columns = (range(1, side + 1) for side in size)
    return ["".join([letters.get((row, column), blank) for column in columns]) for row in rows]


def drawing_of(graph: nx.Graph[tuple[int, int]]) -> str:
    """Return the drawing of a board of squares given as a graph; its nodes are (row, column), numbered from 0.

    Raises
    ------
    ValueError
        If a node is not a pair of non-negative integers, or an edge joins two squares that do not touch.

    Examples
    --------
    >>> import networkx as nx
    >>> drawing_of(nx.grid_2d_graph(2, 3))
    '...\\n...'
    """
    for node in graph:
        if not (
            isinstance(node, tuple) and len(node) == 2 and all(isinstance(part, int) and part >= 0 for part in node)
        ):
            raise ValueError(f"node {node!r} is not a pair (row, column) of non-negative integers")
    for one, other in graph.edges:
        if other not in SQUARES.neighbors(one):
            raise ValueError(f"the graph has an edge between {one} and {other}, but these squares do not touch")
    rows, columns = (1 + max((node[k] for node in graph), default=-1) for k in (0, 1))
    return "\n".join(
        "".join("." if (row, column) in graph else "_" for column in range(columns)) for row in range(rows)
    )


@dataclass(frozen=True)
class Board:
    """Cells that must be covered, cells that may stay free, and blocked cells; all other places are outside the board.

    `points` has the point of every cell; `periods` are the vectors after which the board repeats, if opposite edges are
    joined.
    """

    required: tuple[Place, ...]
    optional: tuple[Place, ...] = ()
    blocked: tuple[Place, ...] = ()
    lattice: Lattice = SQUARES
    points: dict[Place, Point] = field(default_factory=dict, compare=False)
    periods: tuple[Point, ...] = ()

    @classmethod
    def parse(
        cls,
        board: str | Sequence[str],
        holes: Iterable[Place] = (),
        lattice: Lattice = SQUARES,
        joined: Joined = "",
        parameter: str = "board",
    ) -> Board:
        """Read a size (``6x10``), a form with a size (``triangle 10``), a drawing, or a list of rows or layers.

        In a drawing, ``.`` is a cell to cover, ``?`` is a cell that may stay free, ``#`` is a blocked cell, and a space
        or ``_`` is outside the board. Cells listed in `holes` are blocked too. Only a board with a size can be
        `joined`.

        >>> Board.parse("..#\\n.?.").optional
        ((2, 2),)
        """
        text, periods = _to_drawing(board, lattice, joined, parameter)
        kinds = read_drawing(text, lattice)
        strange = next((cell for cell, one in kinds.items() if one not in ".?#"), None)
        if strange is not None:
            allowed = "- | for sticks, + for corners, ? #" if lattice is STICKS else ". ? #"
            message = f"{kinds[strange]!r} is not allowed in a drawing; use {allowed}, and space or _"
            rows = [] if isinstance(board, str) else board[strange[0] - 1 : strange[0]]
            row, given = ((strange[0] - 1,), rows[0]) if rows else ((), text)
            path = (parameter, *row, *([given.index(kinds[strange])] if kinds[strange] in given else ()))
            raise ParameterError(path, f"{_describe_cell(strange)}: {message}")
        for position, hole in enumerate(dict.fromkeys(holes)):
            if len(hole) != 2 + lattice.layered:
                wanted = "[layer, row, column]" if lattice.layered else "[row, column]"
                raise ParameterError(("holes", position), f"expected {wanted}, got {list(hole)}")
            if kinds.get(hole, "#") == "#":
                raise ParameterError(("holes", position), f"{_describe_cell(hole)} is not a cell of the board")
            kinds[hole] = "#"
        required, optional, blocked = (tuple(cell for cell in kinds if kinds[cell] == kind) for kind in ".?#")
        if not required and not optional:
            raise ParameterError(parameter, "the board has no cell to cover")
        try:
            points = lattice.points(list(kinds))
        except ValueError as error:
            message = f"{_describe_cell(error.args[0])} cannot hold a {lattice.cell}; check the spacing of the drawing"
            raise ParameterError(parameter, message) from None
        return cls(required, optional, blocked, lattice, points, periods)

    @property
    def free(self) -> tuple[Place, ...]:
        """The cells that pieces may cover, required ones first."""
        return (*self.required, *self.optional)

    @cached_property
    def at(self) -> dict[Point, Place]:
        """The free cell at each point; look up points that :meth:`wrap` has returned."""
        return {self.wrap(self.points[cell]): cell for cell in self.free}

    def wrap(self, point: Point) -> Point:
        """Return the representative of all points that coincide because edges of the board are joined."""
        for period in self.periods:
            leading = next(k for k, part in enumerate(period) if part)
            point = translate(point, period, -(point[leading] // period[leading]))
        return point

    def neighbors(self, cell: Place) -> Iterator[Place]:
        """Yield the free cells that touch a cell."""
        for place in map(self.wrap, self.lattice.neighbors(self.points[cell])):
            if place in self.at:
                yield self.at[place]

    def components(self) -> Iterator[tuple[list[Place], list[Place]]]:
        """Yield the connected components of the board, each as its required and its optional cells."""
        optional = set(self.optional)
        for part in find_components(self.free, self.neighbors):
            yield sorted(part - optional), sorted(part & optional)

    def along_short_side(self) -> list[Place]:
        """Return the required cells in lines across the board, so that consecutive cells run along its short side.

        A search that breaks ties in this order fills the board from one end, and the border of that part stays short.
        """
        if not self.required:
            return []
        extents = [max(line) for line in zip(*self.required, strict=True)]
        axes = sorted(range(len(extents)), key=lambda axis: -extents[axis])
        return sorted(self.required, key=lambda cell: [cell[axis] for axis in axes])


def find_components(cells: Iterable[C], neighbors: Callable[[C], Iterable[C]]) -> Iterator[set[C]]:
    """Yield the sets of cells that are connected, in the order of their first cells."""
    remaining = dict.fromkeys(cells)
    while remaining:
        first = next(iter(remaining))
        del remaining[first]
        found, border = {first}, [first]
        while border:
            reached = [cell for cell in dict.fromkeys(neighbors(border.pop())) if cell in remaining]
            for cell in reached:
                del remaining[cell]
            found.update(reached)
            border += reached
        yield found


def _describe_cell(cell: Place) -> str:
    *layer, row, column = cell
    return f"{f'layer {layer[0]}, ' if layer else ''}row {row}, column {column}"


def _to_drawing(
    board: str | Sequence[str], lattice: Lattice, joined: Joined, parameter: str
) -> tuple[str, tuple[Point, ...]]:
    """Return the drawing of a board, and its periods."""
    if isinstance(board, str) and not _is_drawing(board):
        return _sketch(board, lattice, joined, parameter)
    if joined:
        raise ParameterError("joined", "only a board given by its size can have joined edges")
    if isinstance(board, str):
        check_lines(board, parameter)
        return board, ()
    if not lattice.layered:
        return "\n".join(board), ()
    layers = [one if _is_drawing(one) else _sketch(one, SQUARES, "", parameter)[0] for one in board]
    return "\n\n".join(layer.strip("\r\n") for layer in layers), ()


def _is_drawing(text: str) -> bool:
    return len(text.strip("\r\n").splitlines()) > 1 or bool(set(text) & set(".?#_+-|/")) or not text.strip()


def _sketch(text: str, lattice: Lattice, joined: Joined, parameter: str) -> tuple[str, tuple[Point, ...]]:
    """Return the drawing of a board given by its size, or by a form and a size, and its periods."""
    word, *rest = text.split(maxsplit=1)
    if not word.isalpha():
        sides = _parse_sides(text, parameter, lattice.layered)
        _check_area(text, math.prod(sides), parameter)
        periods = lattice.periods(sides)
        names = {"": (), "both": ("rows", "columns")}.get(joined, (joined,))
        return lattice.sketch("", sides, joined), tuple(periods[name] for name in names)
    if word not in lattice.forms:
        size = "LAYERSxROWSxCOLUMNS" if lattice.layered else "ROWSxCOLUMNS"
        shapes = f", a drawing, or one of these shapes with a size: {', '.join(lattice.forms)}"
        board = f"a board is {size}{shapes if lattice.forms else ' or a drawing'}"
        raise ParameterError(parameter, f"there is no shape {word!r}{nearest(word, lattice.forms)} ({board})")
    if joined:
        raise ParameterError("joined", "only a board given by its size can have joined edges")
    if not rest or not re.fullmatch(r"\d{1,9}", rest[0].strip(), re.ASCII):
        raise ParameterError(parameter, f"{text!r} is not a valid board; expected {word} and a number, like {word} 5")
    (side,) = _check_sides(text, [int(rest[0])], parameter)
    _check_area(text, side ** (2 + lattice.layered), parameter)
    return lattice.sketch(word, [side]), ()


def _check_area(text: str, cells: int, parameter: str) -> None:
    if cells > _MAX_CELLS:
        message = f"the board {text.strip()} is too large; a board has at most {_MAX_CELLS:,} cells"
        raise ParameterError(parameter, message)
