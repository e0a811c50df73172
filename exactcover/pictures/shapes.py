"""The parts of a picture: cells, tiles, borders, texts and discs. They know no puzzle, color or file format."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any, TypeAlias, TypeVar

from exactcover.control.arguments import check_arguments, read_fields

_Node = TypeVar("_Node", bound=Hashable)

Corner: TypeAlias = tuple[float, float]
"""A point of a picture: its distances to the right and down from the upper left corner, in sides of a cell."""

PAPER, SHADED, BLOCKED, PAGE = -1, -2, -3, -4
"""Tints of paper: light, shaded, blocked, and that of the page around the picture."""
_HALF_WIDTH = 0.08  # of lines


@dataclass(frozen=True)
class Cell:
    """A unit square; rows and columns count from 0.

    Borders are drawn between cells of different regions, and around the outside; a region of None is like the outside,
    so that such cells have no lines of their own. `tint` is the number of a color. If it
    is None, the picture chooses one for the region, different from those of its neighbors. Negative tints are paper: -1
    light, -2 shaded, -3 blocked, -4 that of the page. From 1,000,000, colors are deep, as on heat maps. `strength` is
    the share of the color, from 0 to 1; the rest is paper. If it is None, regions with the same tint that touch get
    different strengths.
    """

    row: int
    column: int
    region: Hashable = ""
    tint: int | None = None
    strength: float | None = 1.0


@dataclass(frozen=True)
class Tile:
    """A polygon anywhere; its region, tint and strength are like those of a cell.

    `outline` is the sequence of its corners. Borders are drawn along the sides that it does not share with another tile
    of its region; a region of None has no borders. `row` and `column` are its place in text output and for marks;
    without them it appears only in SVG. `text` is written in the middle. `sign` is what stands for one without a place
    in text: before what its cell holds, or, a single character, on the side of a cell.
    """

    outline: tuple[Corner, ...]
    region: Hashable = ""
    tint: int | None = None
    strength: float | None = 1.0
    row: int | None = None
    column: int | None = None
    text: str = ""
    sign: str = ""

    @property
    def middle(self) -> Corner:
        """The mean of the corners."""
        across, down = (sum(corner[k] for corner in self.outline) / len(self.outline) for k in (0, 1))
        return across, down

    @property
    def room(self) -> tuple[float, float]:
        """The width and height, in sides of a cell."""
        across, down = (
            max(corner[k] for corner in self.outline) - min(corner[k] for corner in self.outline) for k in (0, 1)
        )
        return across, down


@dataclass(frozen=True)
class Text:
    """A short text in the middle of a cell or tile; a strong one marks a given."""

    row: int
    column: int
    text: str
    strong: bool = False


@dataclass(frozen=True)
class Disc:
    """A round piece in the middle of a cell, or a ring; `text` is the character for it in text output."""

    row: int
    column: int
    text: str = "●"
    hollow: bool = False


@dataclass(frozen=True)
class Line:
    """Lines from the middle of a cell to the middles of some of its sides; at most one per cell."""

    row: int
    column: int
    up: bool = False
    down: bool = False
    left: bool = False
    right: bool = False
    tint: int = BLOCKED

    @property
    def tile(self) -> Tile:
        """The drawing where lines can have any place."""
        thin, half = _HALF_WIDTH, 0.5
        corners: list[Corner] = [(-thin, -thin)]
        corners += [(-thin, -half), (thin, -half)] * self.up + [(thin, -thin)]
        corners += [(half, -thin), (half, thin)] * self.right + [(thin, thin)]
        corners += [(thin, half), (-thin, half)] * self.down + [(-thin, thin)]
        corners += [(-half, thin), (-half, -thin)] * self.left
        across, down = self.column + half, self.row + half
        return Tile(tuple((across + x, down + y) for x, y in corners), None, self.tint)


@dataclass(frozen=True)
class Edge:
    """A unit of border on the lattice, from the corner (row, column) one unit down or to the right.

    Borders of regions are drawn without it. `strength` is the opacity of the ink, from 0 to 1. One with a `tint` is
    thick, and has this color. A `sign`, a single character, is what stands in text for a line that is not drawn yet.
    """

    row: int
    column: int
    down: bool
    strength: float = 1.0
    tint: int | None = None
    sign: str = ""

    @property
    def tile(self) -> Tile:
        """The drawing of a thick one."""
        left, top = self.column - _HALF_WIDTH, self.row - _HALF_WIDTH
        right, bottom = self.column + (not self.down) + _HALF_WIDTH, self.row + self.down + _HALF_WIDTH
        return Tile(((left, top), (right, top), (right, bottom), (left, bottom)), None, self.tint)


@dataclass(frozen=True)
class Dashes:
    """Dashed lines, each from one point to another, such as a side of a cage; in text, the nearest side of a cell."""

    sides: tuple[tuple[Corner, Corner], ...]


_Shape = TypeVar("_Shape", Cell, Tile, Text, Disc, Line, Edge, Dashes)
Shape: TypeAlias = Cell | Tile | Text | Disc | Line | Edge | Dashes
STRENGTHS = (1.0, 0.68, 0.46, 0.28, 0.84, 0.57)
"""The strengths of copies of one piece."""


@dataclass(frozen=True)
class Picture:
    """Shapes and a title that describes them in words.

    Attributes
    ----------
    title
        A description for people who cannot see the picture.
    shapes
        The shapes in any order; at most one cell per place.
    grid
        Whether thin lines separate the cells inside a region.
    caption
        The text below the picture.
    """

    title: str
    shapes: tuple[Shape, ...]
    grid: bool = False
    caption: str = ""

    def __post_init__(self) -> None:
        read_fields(self)

    @cached_property
    def cells(self) -> dict[tuple[int, int], Cell]:
        """The cells by (row, column)."""
        return {(cell.row, cell.column): cell for cell in self._shapes_of_type(Cell)}

    @cached_property
    def tiles(self) -> list[Tile]:
        """The tiles, and what is drawn of lines and of thick edges."""
        thick = [edge.tile for edge in self.named_edges if edge.tint is not None]
        return [*self._shapes_of_type(Tile), *(line.tile for line in self.lines), *thick]

    @cached_property
    def lines(self) -> list[Line]:
        """The lines through cells."""
        return self._shapes_of_type(Line)

    @cached_property
    def placed(self) -> dict[tuple[int, int], Cell | Tile]:
        """The cells, and the tiles that have a place, by (row, column)."""
        tiles = {
            (tile.row, tile.column): tile for tile in self.tiles if tile.row is not None and tile.column is not None
        }
        return {**tiles, **self.cells}

    @cached_property
    def marks(self) -> dict[tuple[int, int], Text | Disc]:
        """The texts and discs by (row, column); a text hides a disc."""
        marks: list[Text | Disc] = [*self._shapes_of_type(Disc), *self._shapes_of_type(Text)]
        return {(mark.row, mark.column): mark for mark in marks}

    @cached_property
    def rows(self) -> int:
        """The height in cells, without the half of a thick edge that lies outside of them."""
        lowest = max((row + 1 for row, _ in self.cells), default=0)
        tiles = self._shapes_of_type(Tile)
        return max(lowest, *(math.ceil(y - 0.01) for tile in tiles for _, y in tile.outline), 0)

    @cached_property
    def columns(self) -> int:
        """The width in cells."""
        last = max((column + 1 for _, column in self.cells), default=0)
        tiles = self._shapes_of_type(Tile)
        return max(last, *(math.ceil(x - 0.01) for tile in tiles for x, _ in tile.outline), 0)

    @cached_property
    def rows_of_cells(self) -> list[list[Cell | None]]:
        """The cells row by row, None for missing ones; all rows have the same length."""
        rows, width = (1 + max([place[k] for place in self.cells], default=-1) for k in (0, 1))
        lines: list[list[Cell | None]] = [[None] * width for _ in range(rows)]
        for (row, column), cell in self.cells.items():
            lines[row][column] = cell
        return lines

    def borders(self) -> tuple[list[list[bool]], list[list[bool]]]:
        """Return for each corner of the cells whether a border of regions runs from it to the right, and down.

        Both tables have one row and one column more than the table of cells.
        """
        outside = object()  # differs from every region
        cells = self.rows_of_cells
        width = len(cells[0]) if cells else 0
        regions = [[outside if cell is None or cell.region is None else cell.region for cell in line] for line in cells]
        nothing = [outside] * width
        right, down = [], []
        for above, here in zip([nothing, *regions], [*regions, nothing], strict=True):
            right.append([one is not other and one != other for one, other in zip(above, here, strict=True)] + [False])
            beside = zip([outside, *here], [*here, outside], strict=True)
            down.append([one is not other and one != other for one, other in beside])
        return right, down

    @cached_property
    def named_edges(self) -> list[Edge]:
        """The edges among the shapes; borders of regions are not included."""
        return self._shapes_of_type(Edge)

    @cached_property
    def dashes(self) -> list[Dashes]:
        """The dashed lines among the shapes."""
        return self._shapes_of_type(Dashes)

    def _shapes_of_type(self, kind: type[_Shape]) -> list[_Shape]:
        return [shape for own, shapes in self._shapes_by_type.items() if issubclass(own, kind) for shape in shapes]

    @cached_property
    def _shapes_by_type(self) -> dict[type, list[Any]]:
        found: dict[type, list[Any]] = defaultdict(list)
        for shape in self.shapes:
            read_fields(shape)  # here, since pages make far more shapes than they draw
            found[type(shape)].append(shape)
        return found

    def tint(self, shape: Cell | Tile) -> int:
        """Return the tint of a cell or tile; a region without one gets a tint different from its neighbors."""
        return self._chosen_tints.get(shape.region, 0) if shape.tint is None else shape.tint

    def strength(self, shape: Cell | Tile) -> float:
        """Return the strength of a cell or tile; a region without one differs from neighbors of the same tint."""
        return STRENGTHS[self.copy(shape) % len(STRENGTHS)] if shape.strength is None else shape.strength

    def copy(self, shape: Cell | Tile) -> int:
        """Return a number for the region of a cell or tile, different for regions of the same tint that touch."""
        return self._chosen_copies.get(shape.region, 0)

    @cached_property
    def _chosen_tints(self) -> dict[Hashable, int]:
        return tell_apart(self._find_neighbors(lambda shape: shape.tint is None))

    @cached_property
    def _chosen_copies(self) -> dict[Hashable, int]:
        return tell_apart(self._find_neighbors(lambda shape: shape.strength is None))

    def _find_neighbors(self, belongs: Callable[[Cell | Tile], bool]) -> dict[Hashable, set[Hashable]]:
        """Return which regions of the same tint touch, among those of the shapes that belong."""
        neighbors: dict[Hashable, set[Hashable]] = {}
        for place, cell in self.placed.items():
            if belongs(cell):
                own = neighbors.setdefault(cell.region, set())
                for other in self._list_nearby(place):
                    if other.tint == cell.tint and belongs(other) and other.region != cell.region:
                        own.add(other.region)
                        neighbors.setdefault(other.region, set()).add(cell.region)
        return neighbors

    def _list_nearby(self, place: tuple[int, int]) -> Iterator[Cell | Tile]:
        """Yield the cells and tiles near a place, to the right and below only; tiles reach twice as far."""
        row, column = place
        reach = 2 if isinstance(self.placed[place], Tile) else 1
        for down in range(reach + 1):
            for right in range(-reach if down else 1, reach + 1):
                other = self.placed.get((row + down, column + right))
                if other is not None:
                    yield other

    def to_svg(self) -> str:
        """Return the picture as SVG, for notebooks."""
        from exactcover import pictures  # the face of this folder: the shapes know nothing of SVG

        return pictures.contact_sheet([self])

    def _repr_svg_(self) -> str:
        return self.to_svg()


@check_arguments
def tell_apart(neighbors: Mapping[_Node, Collection[_Node]]) -> dict[_Node, int]:
    """Return a coloring of a graph: numbers from 0, different for neighbors, as few as the greedy method finds.

    Nodes with the most neighbors are colored first; ties go to the first.

    Examples
    --------
    >>> tell_apart({"a": {"b"}, "b": {"a", "c"}, "c": {"b"}})
    {'b': 0, 'a': 1, 'c': 1}
    """
    chosen: dict[_Node, int] = {}
    for node in sorted(neighbors, key=lambda node: -len(neighbors[node])):
        taken = {chosen.get(other) for other in neighbors[node]}
        chosen[node] = next(number for number in count() if number not in taken)
    return chosen


@check_arguments
def polygon(center: Corner, radius: float, corners: int, turn: float = 0.0) -> tuple[Corner, ...]:
    """Return the corners of a regular polygon, clockwise from the top; `turn` rotates it, in full turns clockwise."""
    angles = (2 * math.pi * (number / corners + turn) for number in range(corners))
    return tuple((center[0] + radius * math.sin(angle), center[1] - radius * math.cos(angle)) for angle in angles)


@check_arguments
def checkered(rows: int, columns: int) -> Iterable[Cell]:
    """Yield the cells of an empty board in two shades, as one region."""
    for row in range(rows):
        for column in range(columns):
            yield Cell(row, column, tint=SHADED if (row + column) % 2 else PAPER)


Fill = tuple[int, float]
"""The color of a place: its tint, and the strength of the tint."""


def fill(picture: Picture, shape: Cell | Tile) -> Fill:
    """Return the tint and strength of a cell or tile."""
    return picture.tint(shape), picture.strength(shape)
