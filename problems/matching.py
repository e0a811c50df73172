"""Perfect matchings of a graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from exactcover import Encoder, Picture, pictures
from problems.graphs import GraphText, draw_graph, edges_of, locate_vertices, read_graph

if TYPE_CHECKING:
    import networkx as nx  # slow to import


class Match(NamedTuple):
    """Two matched vertices; as text ``a - b``."""

    one: str
    other: str

    def __str__(self) -> str:
        return f"{self.one} - {self.other}"


@dataclass(frozen=True)
class Matching(Encoder):
    """Choose edges of a graph so that every vertex is an end of exactly one of them.

    Examples
    --------
    >>> Matching(graph="petersen").problem().count()
    6
    """

    graph: GraphText = "dodecahedron"
    """A named graph, with its sizes if it has any (complete 6, grid 4 4, hypercube 3, petersen, ...), a file in GraphML
    or with one edge per line, relative to the YAML file, or a list of edges [vertex, vertex]."""

    def __post_init__(self) -> None:
        self._graph  # noqa: B018 - reports mistakes now

    @cached_property
    def _graph(self) -> nx.Graph[str]:
        return read_graph(self.graph)

    @cached_property
    def _places(self) -> dict[str, pictures.Corner]:
        return locate_vertices(self._graph)

    def primary(self) -> Iterator[str]:
        return iter(self._graph)

    def options(self) -> Iterator[tuple[Match, list[str]]]:
        for edge in edges_of(self._graph):
            yield Match(*edge), list(edge)

    def impossible(self) -> str | None:
        import networkx as nx

        odd = next((part for part in nx.connected_components(self._graph) if len(part) % 2), None)
        if odd is None:
            return None
        vertex = next(vertex for vertex in self._graph if vertex in odd)
        return f"the component of the graph that contains {vertex} has an odd number of vertices, {len(odd)}"

    def draw(self, solution: Iterable[Match]) -> Picture:
        chosen = {(match.one, match.other): 3 for match in solution}
        edges = "1 edge that matches" if len(chosen) == 1 else f"{len(chosen)} edges that match"
        return Picture(f"{edges} {len(self._graph)} vertices", tuple(draw_graph(self._graph, self._places, chosen)))
