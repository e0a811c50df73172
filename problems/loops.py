"""Cycles and paths of a graph or along the lines of a board: simple ones, or those that visit every vertex."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Literal

from exactcover import Item, ParameterError, Picture, pictures
from exactcover.rules import Loop, Paths
from problems.boards import parse_size
from problems.graphs import GraphText, draw_graph, edges_of, locate_vertices, read_graph
from problems.lines import (
    LineEncoder,
    LinesAt,
    Network,
    Place,
    draw_points,
    frame_points,
    make_grid,
    place_of_point,
    trace,
)

if TYPE_CHECKING:
    import networkx as nx  # slow to import

_TINT = 3
_MOST_EDGES = 1_000  # at a vertex


@dataclass(frozen=True)
class Loops(LineEncoder):
    """Draw one cycle, or one path, along the lines of a board or the edges of a graph.

    The edges are secondary items, with a color for those of the cycle. The options of a vertex say which two of its
    edges are, or that none is.

    References
    ----------
    OEIS A140517 (simple cycles of n x n cells) and A003763 (Hamiltonian cycles of 2n x 2n points).

    Examples
    --------
    >>> Loops(board="2x2").count(), Loops(board="3x3", visit="all").count()
    (13, 6)
    >>> Loops(graph="petersen", visit="all", of="paths").count()
    120
    """

    board: str = ""
    """ROWSxCOLUMNS of cells, along whose lines it runs from point to point; 3x3 without a graph."""

    graph: GraphText = ""
    """In place of a board, a named graph, with its sizes if it has any (complete 6, grid 4 4, hypercube 3, ...), a file
    in GraphML or with one edge per line, relative to the YAML file, or a list of edges [vertex, vertex]."""

    visit: Literal["some", "all"] = "some"
    """Whether it must visit all vertices, as a Hamiltonian cycle or path does, or may visit some of them."""

    of: Literal["cycles", "paths"] = "cycles"
    """What is drawn: a closed cycle, or a path of at least one edge, whose two directions are the same path."""

    ends: tuple[str | int, str | int] | None = None
    """The two ends of paths, which may be anywhere without it. The points of a board are called r1c1, r1c2, and so on,
    from the upper left corner."""

    def __post_init__(self) -> None:
        if self.board and self.graph:
            raise ParameterError("graph", "expected a board or a graph, not both")
        self._network, self._ends  # noqa: B018 - reports mistakes now

    @cached_property
    def _size(self) -> Place:
        return parse_size(self.board or "3x3", "board")

    @cached_property
    def _graph(self) -> nx.Graph[str]:
        return read_graph(self.graph)

    @cached_property
    def _network(self) -> Network:
        if not self.graph:
            rows, columns = self._size
            return make_grid(rows + 1, columns + 1)
        crowded = next((vertex for vertex, degree in self._graph.degree if degree > _MOST_EDGES), None)
        if crowded is not None:
            raise ParameterError("graph", f"{crowded} has more than {_MOST_EDGES:,} edges")
        neighbors: dict[str, dict[str, str]] = {vertex: {} for vertex in self._graph}
        for one, other in edges_of(self._graph):
            neighbors[one][other], neighbors[other][one] = other, one
        return Network(neighbors)

    @cached_property
    def _ends(self) -> list[str]:
        """The stated ends; none if they may be anywhere."""
        if self.ends is None:
            return []
        if self.of != "paths":
            raise ParameterError("ends", "cycles have no ends; state of: paths, or leave them out")
        ends = list(map(str, self.ends))
        for position, end in enumerate(ends):
            if not self._network.neighbors.get(end):
                last = list(self._network.neighbors)[-1]
                known = f"a vertex with an edge, such as {last}" if self.graph else f"a point from r1c1 to {last}"
                raise ParameterError(("ends", position), f"{end!r} is not {known}")
        if ends[0] == ends[1]:
            raise ParameterError(("ends", 1), f"the ends must differ; both are {ends[0]!r}")
        return ends

    def primary(self) -> Iterator[str]:
        return iter(self._network.neighbors)

    def secondary(self) -> Iterator[str]:
        return iter(self._network.edges.values())

    def options(self) -> Iterator[tuple[LinesAt, list[Item]]]:
        unvisited = (0,) if self.visit == "some" else ()
        usual = (*unvisited, 1, 2) if self.of == "paths" and not self._ends else (*unvisited, 2)
        for vertex in self._network.neighbors:
            yield from self._network.pass_through(vertex, (1,) if vertex in self._ends else usual)

    def rules(self) -> list[Loop | Paths]:
        lit = self._network.lit
        if not lit:
            return []
        if self.of == "cycles":
            return [Loop(lit)]
        return [Paths(lit, [(self._ends[0], self._ends[1]) if self._ends else (None, None)])]

    def impossible(self) -> str | None:
        return None if self._network.edges else "the graph has no edges"

    def decode(self, solution: Iterable[LinesAt]) -> tuple[str, ...]:
        """Return the vertices in order, from one end or from the first vertex of a cycle."""
        return next(iter(trace(self._network.find_lines(solution))), ())

    def unparse(self, solution: Iterable[LinesAt]) -> str:
        """Return a board in signs, or the edges of a graph."""
        if self.graph:
            return ", ".join(f"{one} - {other}" for one, other in self._network.find_lines(solution))
        rows, columns = self._size
        return frame_points([" " * columns] * rows, self._network.locate_lines(solution))

    def describe_rules(self) -> str:
        line = "one closed loop" if self.of == "cycles" else "one path"
        where = "the edges of the graph" if self.graph else "the lines of the grid"
        ends = f" from {self._ends[0]} to {self._ends[1]}" if self._ends else ""
        rest = (
            f"visits every {'vertex' if self.graph else 'crossing'} once"
            if self.visit == "all"
            else "never meets itself"
        )
        return f"Draw {line} along {where}{ends}, which {rest}."

    def draw(self, solution: Iterable[LinesAt]) -> Picture:
        kind = "cycle" if self.of == "cycles" else "path"
        kind = f"a Hamiltonian {kind}" if self.visit == "all" else f"a {kind}"
        if self.graph:
            lines = dict.fromkeys(self._network.find_lines(solution), _TINT)
            ends = dict.fromkeys(self._ends, _TINT)
            return Picture(f"{kind} of a graph", tuple(draw_graph(self._graph, self._places, lines, ends)))
        rows, columns = self._size
        marks = (pictures.Tile(pictures.polygon(place_of_point(end)[::-1], 0.2, 24), None, _TINT) for end in self._ends)
        shapes = chain(draw_points(self._size, self._network.locate_lines(solution)), marks)
        return Picture(f"{kind} along the lines of {rows} x {columns} cells", tuple(shapes))

    @cached_property
    def _places(self) -> dict[str, pictures.Corner]:
        return locate_vertices(self._graph)
