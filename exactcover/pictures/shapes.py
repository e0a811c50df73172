"""What a picture is made of: cells on a square grid, their borders, labels and discs. No puzzle, no color, no file."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

__all__ = ["Cell", "Disc", "Edge", "Label", "Picture", "Shape"]


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
class Label:
    """A short text in the middle of a cell; a strong one stands for what was given."""

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


Shape: TypeAlias = Cell | Label | Disc | Edge

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
        return {(shape.row, shape.column): shape for shape in self.shapes if isinstance(shape, Cell)}

    @cached_property
    def marks(self) -> dict[tuple[int, int], Label | Disc]:
        """The labels and discs by (row, column); a label hides a disc."""
        marks = [shape for shape in self.shapes if isinstance(shape, Label | Disc)]
        return {(mark.row, mark.column): mark for mark in sorted(marks, key=lambda mark: isinstance(mark, Label))}

    @cached_property
    def rows(self) -> int:
        """Height in cells."""
        return 1 + max((row for row, _ in self.cells), default=-1)

    @cached_property
    def columns(self) -> int:
        """Width in cells."""
        return 1 + max((column for _, column in self.cells), default=-1)

    def border(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        """Whether a border runs between two neighboring places."""
        first, second = self.cells.get(one), self.cells.get(other)
        if first is None or second is None:
            return (first is None) != (second is None)
        return first.region != second.region

    def edges(self) -> Iterator[Edge]:
        """Yield every unit of border: those of regions row by row, then those that are named."""
        for row in range(self.rows + 1):
            for column in range(self.columns + 1):
                if self.border((row - 1, column), (row, column)):
                    yield Edge(row, column, down=False)
                if self.border((row, column - 1), (row, column)):
                    yield Edge(row, column, down=True)
        yield from (shape for shape in self.shapes if isinstance(shape, Edge))

    @cached_property
    def tints(self) -> Mapping[tuple[int, int], int]:
        """The tint of every cell; regions without one get the fewest colors that tell neighbors apart."""
        import networkx as nx  # slow to import

        graph: nx.Graph[Hashable] = nx.Graph()
        for (row, column), cell in self.cells.items():
            if cell.tint is None:
                graph.add_node((cell.region,))  # wrapped, for networkx has no node None
                for place in ((row + 1, column), (row, column + 1), (row + 1, column + 1), (row + 1, column - 1)):
                    other = self.cells.get(place)
                    if other is not None and other.tint is None and other.region != cell.region:
                        graph.add_edge((cell.region,), (other.region,))
        chosen = nx.greedy_color(graph, strategy="largest_first")
        return {place: chosen[cell.region,] if cell.tint is None else cell.tint for place, cell in self.cells.items()}

    def _repr_svg_(self) -> str:
        from exactcover.pictures.svg import contact_sheet

        return contact_sheet([self])


def checkered(rows: int, columns: int) -> Iterable[Cell]:
    """Yield the cells of an empty board in two shades, one region."""
    for row in range(rows):
        for column in range(columns):
            yield Cell(row, column, tint=SHADED if (row + column) % 2 else PAPER)
