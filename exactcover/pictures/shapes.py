"""What a picture is made of: cells, tiles, borders, labels and discs. No puzzle, no color, no file."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any, ClassVar, TypeAlias, TypeVar

__all__ = [
    "BLOCKED",
    "PAPER",
    "SHADED",
    "Cell",
    "Corner",
    "Disc",
    "Edge",
    "Picture",
    "Shape",
    "Text",
    "Tile",
    "checkered",
    "polygon",
    "tell_apart",
]

_Node = TypeVar("_Node", bound=Hashable)

Corner: TypeAlias = tuple[float, float]
"""A point of a picture: to the right and down, in sides of a cell."""


@dataclass(frozen=True)
class Cell:
    """A unit square; rows and columns count from 0.

    Borders are drawn between cells of different regions, and around the outside. `tint` is a number
    that stands for a color; None lets the picture choose one for the region, so that neighbors
    differ; a negative one is plain paper: -1 light, -2 shaded, -3 blocked. `strength` says how much of the
    color there is, from 0 to 1; the rest is paper.
    """

    row: int
    column: int
    region: Hashable = ""
    tint: int | None = None
    strength: float = 1.0


@dataclass(frozen=True)
class Tile:
    """A polygon anywhere; its region, tint and strength are as those of a cell.

    `outline` names its corners; borders are drawn along sides that it does not share with a tile of its region,
    and none if the region is None. `row` and `column` are the place where only text can be shown, and for labels;
    without them it is shown nowhere else. `text` stands in its middle.
    """

    outline: tuple[Corner, ...]
    region: Hashable = ""
    tint: int | None = None
    strength: float = 1.0
    row: int | None = None
    column: int | None = None
    text: str = ""

    @property
    def middle(self) -> Corner:
        """The mean of the corners."""
        across, down = (sum(corner[k] for corner in self.outline) / len(self.outline) for k in (0, 1))
        return across, down

    @property
    def room(self) -> float:
        """How high and wide it is at least."""
        return min(
            max(corner[k] for corner in self.outline) - min(corner[k] for corner in self.outline) for k in (0, 1)
        )


@dataclass(frozen=True)
class Text:
    """A short text in the middle of a cell or tile; a strong one stands for what was given."""

    row: int
    column: int
    text: str
    strong: bool = False


@dataclass(frozen=True)
class Disc:
    """A round piece in the middle of a cell; `text` is the character it becomes where only text can be shown."""

    row: int
    column: int
    text: str = "●"


@dataclass(frozen=True)
class Edge:
    """A piece of border on the lattice: from corner (row, column) one unit down or to the right.

    Borders of regions need not be named. `strength` says how much ink there is, from 0 to 1.
    """

    row: int
    column: int
    down: bool
    strength: float = 1.0


_Shape = TypeVar("_Shape", Cell, Tile, Text, Disc, Edge)
Shape: TypeAlias = Cell | Tile | Text | Disc | Edge

PAPER, SHADED, BLOCKED = -1, -2, -3
"""Tints that are not the color of a piece."""


@dataclass(frozen=True)
class Picture:
    """Shapes and a title that describes them in words.

    Attributes
    ----------
    title
        For people who cannot see the picture.
    shapes
        Any order; at most one cell at each place.
    grid
        Whether thin lines separate the cells inside a region.
    caption
        What stands below it.
    """

    title: str
    shapes: tuple[Shape, ...]
    grid: bool = False
    caption: str = ""

    @cached_property
    def cells(self) -> dict[tuple[int, int], Cell]:
        """The cells by (row, column)."""
        return {(cell.row, cell.column): cell for cell in self._of_kind(Cell)}

    @cached_property
    def tiles(self) -> list[Tile]:
        """The tiles."""
        return self._of_kind(Tile)

    @cached_property
    def placed(self) -> dict[tuple[int, int], Cell | Tile]:
        """The cells, and the tiles that have a place, by (row, column)."""
        tiles = {
            (tile.row, tile.column): tile for tile in self.tiles if tile.row is not None and tile.column is not None
        }
        return {**tiles, **self.cells}

    @cached_property
    def marks(self) -> dict[tuple[int, int], Text | Disc]:
        """The labels and discs by (row, column); a label hides a disc."""
        marks: list[Text | Disc] = [*self._of_kind(Disc), *self._of_kind(Text)]
        return {(mark.row, mark.column): mark for mark in marks}

    @cached_property
    def rows(self) -> int:
        """Height in cells."""
        lowest = max((row + 1 for row, _ in self.cells), default=0)
        return max(lowest, *(math.ceil(y - 0.01) for tile in self.tiles for _, y in tile.outline), 0)

    @cached_property
    def columns(self) -> int:
        """Width in cells."""
        last = max((column + 1 for _, column in self.cells), default=0)
        return max(last, *(math.ceil(x - 0.01) for tile in self.tiles for x, _ in tile.outline), 0)

    @cached_property
    def rows_of_cells(self) -> list[list[Cell | None]]:
        """The cells row by row, all rows of the same length; None where there is none."""
        rows, width = (1 + max([place[k] for place in self.cells], default=-1) for k in (0, 1))
        lines: list[list[Cell | None]] = [[None] * width for _ in range(rows)]
        for (row, column), cell in self.cells.items():
            lines[row][column] = cell
        return lines

    def borders(self) -> tuple[list[list[bool]], list[list[bool]]]:
        """Return whether borders of regions run from each corner of the cells one unit to the right, and one down."""
        outside = object()  # is no region
        cells = self.rows_of_cells
        width = len(cells[0]) if cells else 0
        regions = [[outside if cell is None else cell.region for cell in line] for line in cells]
        nothing = [outside] * width
        right, down = [], []
        for above, here in zip([nothing, *regions], [*regions, nothing], strict=True):
            right.append([one is not other and one != other for one, other in zip(above, here, strict=True)] + [False])
            beside = zip([outside, *here], [*here, outside], strict=True)
            down.append([one is not other and one != other for one, other in beside])
        return right, down

    def edges(self) -> Iterator[Edge]:
        """Yield every unit of border of cells: those of regions row by row, then those that are named."""
        for row, lines in enumerate(zip(*self.borders(), strict=True)):
            for column, (right, down) in enumerate(zip(*lines, strict=True)):
                if right:
                    yield Edge(row, column, down=False)
                if down:
                    yield Edge(row, column, down=True)
        yield from self.named_edges

    @cached_property
    def named_edges(self) -> list[Edge]:
        """The pieces of border that are named, not found between regions."""
        return self._of_kind(Edge)

    def _of_kind(self, kind: type[_Shape]) -> list[_Shape]:
        return [shape for own, shapes in self._by_type.items() if issubclass(own, kind) for shape in shapes]

    @cached_property
    def _by_type(self) -> dict[type, list[Any]]:
        found: dict[type, list[Any]] = defaultdict(list)
        for shape in self.shapes:
            found[type(shape)].append(shape)
        return found

    def sides(self) -> Iterator[tuple[Corner, Corner]]:
        """Yield the borders of tiles: every side that no other tile of the same region has."""
        owners: Counter[tuple[Hashable, frozenset[Corner]]] = Counter()
        sides = []
        for tile in self.tiles:
            corners = [(round(x, 3), round(y, 3)) for x, y in tile.outline]
            for one, other in zip(corners, [*corners[1:], corners[0]], strict=True):
                owners[tile.region, frozenset((one, other))] += 1
                sides.append((tile.region, one, other))
        for region, one, other in sides:
            if region is not None and owners[region, frozenset((one, other))] == 1:
                yield one, other

    @cached_property
    def tints(self) -> Mapping[tuple[int, int], int]:
        """The tint of every cell; as :meth:`tint` gives it."""
        return {place: self.tint(cell) for place, cell in self.cells.items()}

    def tint(self, shape: Cell | Tile) -> int:
        """Return the tint of a cell or tile; regions without one get the fewest colors that tell neighbors apart."""
        return self._chosen[shape.region] if shape.tint is None else shape.tint

    @cached_property
    def _chosen(self) -> dict[Hashable, int]:
        neighbors: dict[Hashable, set[Hashable]] = {}
        for place, cell in self.placed.items():
            if cell.tint is None:
                own = neighbors.setdefault(cell.region, set())
                for other in self._near(place):
                    if other.region is not cell.region and other.tint is None and other.region != cell.region:
                        own.add(other.region)
                        neighbors.setdefault(other.region, set()).add(cell.region)
        return tell_apart(neighbors)

    def _near(self, place: tuple[int, int]) -> Iterator[Cell | Tile]:
        """Yield what lies around a place, half of it; tiles reach twice as far."""
        row, column = place
        reach = 2 if isinstance(self.placed[place], Tile) else 1
        for down in range(reach + 1):
            for right in range(-reach if down else 1, reach + 1):
                other = self.placed.get((row + down, column + right))
                if other is not None:
                    yield other

    to_svg: ClassVar[Callable[[Picture], str]]
    """How notebooks show a picture; :mod:`exactcover.pictures` sets it, so that shapes need not know of SVG."""

    def _repr_svg_(self) -> str:
        return type(self).to_svg(self)


def tell_apart(neighbors: Mapping[_Node, Collection[_Node]]) -> dict[_Node, int]:
    """Return a number from 0 for each, other than those of its neighbors; few in all, by the greedy method.

    Those with many neighbors choose first, of several with as many the first.

    Examples
    --------
    >>> tell_apart({"a": {"b"}, "b": {"a", "c"}, "c": {"b"}})
    {'b': 0, 'a': 1, 'c': 1}
    """
    chosen: dict[_Node, int] = {}
    for one in sorted(neighbors, key=lambda one: -len(neighbors[one])):
        taken = {chosen.get(other) for other in neighbors[one]}
        chosen[one] = next(number for number in count() if number not in taken)
    return chosen


def polygon(center: Corner, radius: float, corners: int, turn: float = 0.0) -> tuple[Corner, ...]:
    """Return the corners of a regular polygon, the first at the top, or so much of a full turn to the right of it."""
    angles = (2 * math.pi * (number / corners + turn) for number in range(corners))
    return tuple((center[0] + radius * math.sin(angle), center[1] - radius * math.cos(angle)) for angle in angles)


def checkered(rows: int, columns: int) -> Iterable[Cell]:
    """Yield the cells of an empty board in two shades, one region."""
    for row in range(rows):
        for column in range(columns):
            yield Cell(row, column, tint=SHADED if (row + column) % 2 else PAPER)
