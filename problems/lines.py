"""Lines along the edges of a graph: the options at each vertex, and lines in order and in pictures.

Each edge is a secondary item whose color is that of what is drawn on it: a line, or nothing. Each vertex is a primary
item; its options state all edges that meet there, so that every one of them allows what its neighbors see.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Any, NamedTuple, TypeVar

from exactcover import Colored, Encoder, Item, pictures
from problems.boards import cell_name, list_cells, place_of_cell
from problems.row_text import write_frame

V = TypeVar("V", bound=Hashable)

Place = tuple[int, int]
"""A row and a column, from 1."""
WAYS: Mapping[str, Place] = {"up": (-1, 0), "left": (0, -1), "right": (0, 1), "down": (1, 0)}

_LINE, _NOTHING = "line", "nothing"  # the colors of edges
_FAINT = 0.15  # the strength of lines that may be drawn
_TINT = 3


class LinesAt(NamedTuple):
    """The lines at a place, by where they lead, perhaps with a note on each; as text ``r1c2: left and down``."""

    place: str
    ways: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        ways = [*self.ways]
        for number, note in enumerate(self.notes):
            ways[number] += f" ({note})"
        return f"{self.place}: {' and '.join(ways) or 'no line'}"


class LineEncoder(Encoder):
    """A family whose options are lines at places, which are named like cells or points.

    >>> encoder = LineEncoder()
    >>> encoder.describe(("point r1c2", "point r1c3")), encoder.describe("r1c2 in")
    ('the line from point r1c2 to point r1c3', 'r1c2 (in)')
    >>> encoder.describe_option(LinesAt("r1c2", ("left", "down"))), encoder.describe_option(LinesAt("r3c3", ()))
    ('a line left and down from r1c2', 'no line at r3c3')
    """

    def describe(self, item: Any) -> str:
        ends = item if isinstance(item, tuple) else str(item).split(" - ")
        if len(ends) == 2:
            return f"the line from {self.describe(ends[0])} to {self.describe(ends[1])}"
        return re.sub(" (in|out)$", r" (\1)", str(item))

    def describe_option(self, label: Any) -> str:
        if not isinstance(label, LinesAt):
            return str(label)
        return (
            f"a line {str(label).partition(': ')[2]} from {label.place}" if label.ways else f"no line at {label.place}"
        )


Drawn = tuple[str, str]
"""An edge, the vertex that comes first in the graph first."""


@dataclass(frozen=True)
class Network:
    """A graph on whose edges lines are drawn: the vertex that each way leads to, by vertex."""

    neighbors: Mapping[str, Mapping[str, str]]

    @cached_property
    def edges(self) -> dict[Drawn, str]:
        """The item of each edge."""
        position = {vertex: number for number, vertex in enumerate(self.neighbors)}
        pairs = ((one, other) for one, others in self.neighbors.items() for other in others.values())
        return {(one, other): f"{one} - {other}" for one, other in pairs if position[one] < position[other]}

    @cached_property
    def lit(self) -> dict[Drawn, Colored]:
        """What stands for a line on each edge."""
        return {edge: Colored(item, _LINE) for edge, item in self.edges.items()}

    def edge(self, vertex: str, way: str) -> Drawn:
        """Return the edge that leads from a vertex."""
        other = self.neighbors[vertex][way]
        return (vertex, other) if (vertex, other) in self.edges else (other, vertex)

    def color(self, edges: Mapping[str, Drawn], drawn: Collection[str], color: str = _LINE) -> list[Item]:
        """Return the items of some edges, by names, if there are lines on those with some of the names."""
        return [Colored(self.edges[edge], color if name in drawn else _NOTHING) for name, edge in edges.items()]

    def pass_through(
        self, vertex: str, counts: Iterable[int], color: str = _LINE
    ) -> Iterator[tuple[LinesAt, list[Item]]]:
        """Yield the options of a vertex with some numbers of lines of a color."""
        edges = {way: self.edge(vertex, way) for way in self.neighbors[vertex]}
        for count in counts:
            for ways in combinations(edges, count):
                yield LinesAt(vertex, ways), [vertex, *self.color(edges, ways, color)]

    def locate_lines(self, solution: Iterable[object]) -> list[tuple[Place, Place]]:
        """Return the ends of each line, as rows and columns from 0, if vertices are named like cells."""
        return [(place_of_point(one), place_of_point(other)) for one, other in self.find_lines(solution)]

    def find_lines(self, solution: Iterable[object]) -> list[Drawn]:
        """Return the edges with lines, in the order of the graph."""
        found = {self.edge(one.place, way) for one in solution
                 if isinstance(one, LinesAt) and one.place in self.neighbors for way in one.ways}  # fmt: skip
        return [edge for edge in self.edges if edge in found]


def make_grid(rows: int, columns: int, prefix: str = "", *, without: Collection[Place] = ()) -> Network:
    """Return the lattice of some points, which are named like cells, after a prefix; `without` some of them."""
    names = {point: f"{prefix}{cell_name(point)}" for point in list_cells((rows, columns)) if point not in without}
    return Network(
        {
            name: {
                way: names[row + down, column + right]
                for way, (down, right) in WAYS.items()
                if (row + down, column + right) in names
            }
            for (row, column), name in names.items()
        }
    )


def place_of_point(name: str) -> Place:
    """Return the row and the column from 0 of a point of a grid by its name."""
    place = place_of_cell(name.rpartition(" ")[2])
    if place is None:
        raise ValueError(f"{name!r} is not a point of a grid")
    return place


def trace(edges: Sequence[tuple[V, V]]) -> list[tuple[V, ...]]:
    """Return paths, and closed loops without the return to their first vertex, as vertices in order.

    >>> trace([("a", "b"), ("b", "c"), ("d", "e"), ("d", "f"), ("e", "f")])
    [('a', 'b', 'c'), ('d', 'e', 'f')]
    """
    neighbors: dict[V, list[V]] = {}
    for one, other in edges:
        neighbors.setdefault(one, []).append(other)
        neighbors.setdefault(other, []).append(one)
    found: list[tuple[V, ...]] = []
    passed: set[V] = set()
    for first in sorted(neighbors, key=lambda vertex: len(neighbors[vertex]) != 1):
        if first not in passed:
            way = [first]
            while way[-1] not in passed:
                passed.add(way[-1])
                following = next((other for other in neighbors[way[-1]] if other not in passed), None)
                way += [] if following is None else [following]
            found.append(tuple(way))
    return found


def frame_points(rows: Sequence[str], lines: Iterable[tuple[Place, Place]]) -> str:
    """Return cells in a frame whose signs are the points, with lines between them; points count from 0."""
    lines = list(lines)
    across = {one: "-" for one, other in lines if one[0] == other[0]}
    return write_frame(rows, across, {one: "|" for one, other in lines if one[1] == other[1]})


def frame_cells(rows: Sequence[Sequence[str]], lines: Iterable[tuple[Place, Place]]) -> str:
    """Return cells in a frame, with lines between them; cells count from 0."""
    lines = list(lines)
    above = {other: "|" for one, other in lines if one[1] == other[1]}
    return write_frame(rows, above, {other: "-" for one, other in lines if one[0] == other[0]})


def draw_cells(
    size: Place,
    solution: Iterable[LinesAt],
    cells: Mapping[Place, pictures.Cell] | None = None,
    tints: Mapping[str, int] | None = None,
) -> Iterator[pictures.Shape]:
    """Yield cells, and the lines through them.

    Some `cells` are as they are stated, by row and column from 0. `tints` are those of lines by their places.
    """
    for place in product(range(size[0]), range(size[1])):
        yield (cells or {}).get(place) or pictures.Cell(*place, "", pictures.PAPER)
    for one in solution:
        if one.ways:
            tint = (tints or {}).get(one.place, _TINT)
            yield pictures.Line(*place_of_point(one.place), **dict.fromkeys(one.ways, True), tint=tint)


def draw_points(size: Place, lines: Iterable[tuple[Place, Place]]) -> Iterator[pictures.Shape]:
    """Yield a picture of points, joined by faint lines, and of lines between them by row and column from 0.

    `size` is the number of rows and columns of cells between the points.
    """
    rows, columns = size
    yield from (pictures.Cell(*place, None, pictures.PAPER) for place in product(range(rows), range(columns)))
    for row, column in product(range(rows + 1), range(columns + 1)):
        yield from [pictures.Edge(row, column, down=False, strength=_FAINT)] * (column < columns)
        yield from [pictures.Edge(row, column, down=True, strength=_FAINT)] * (row < rows)
    for (row, column), (low, _) in lines:
        yield pictures.Edge(row, column, down=low > row, tint=_TINT)
