"""Colorings of the vertices or edges of a graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, NamedTuple

from annotated_types import Ge

from exactcover import Encoder, Item, Picture, pictures
from problems.graphs import GraphText, draw_graph, edges_of, locate_vertices, read_graph

if TYPE_CHECKING:
    import networkx as nx  # slow to import


class ColorChoice(NamedTuple):
    """A vertex or edge with its color, numbered from 1; as text ``a: 2``."""

    element: str
    color: int

    def __str__(self) -> str:
        return f"{self.element}: {self.color}"


@dataclass(frozen=True)
class Coloring(Encoder):
    """Color the vertices of a graph so that neighbors differ, or its edges so that edges at a vertex differ.

    The symmetries are permutations of the colors; automorphisms of the graph do not count.

    Examples
    --------
    >>> Coloring(graph="petersen", colors=3).problem().count()
    120
    >>> Coloring(graph="petersen", colors=3, of="edges").problem().count()
    0
    """

    symmetries_complete: ClassVar[bool] = True

    graph: GraphText = "petersen"
    """A named graph, with its sizes if it has any (complete 6, grid 4 4, hypercube 3, petersen, ...), a file in GraphML
    or with one edge per line, relative to the YAML file, or a list of edges [vertex, vertex]."""

    colors: Annotated[int, Ge(1)] = 3
    """The number of colors."""

    of: Literal["vertices", "edges"] = "vertices"
    """The elements to color: the vertices or the edges."""

    def __post_init__(self) -> None:
        self._graph  # noqa: B018 - reports mistakes now

    @cached_property
    def _graph(self) -> nx.Graph[str]:
        return read_graph(self.graph)

    @cached_property
    def _places(self) -> dict[str, pictures.Corner]:
        return locate_vertices(self._graph)

    @cached_property
    def _conflicts(self) -> dict[str, list[str]]:
        """The elements whose colors must differ: the edges at each vertex, or the ends of each edge."""
        edges = {edge: f"{edge[0]} - {edge[1]}" for edge in edges_of(self._graph)}
        if self.of == "edges":
            return {name: list(edge) for edge, name in edges.items()}
        meeting: dict[str, list[str]] = {vertex: [] for vertex in self._graph}
        for edge, name in edges.items():
            for vertex in dict.fromkeys(edge):
                meeting[vertex].append(name)
        return meeting

    def primary(self) -> Iterator[str]:
        return (f"color of {element}" for element in self._conflicts)

    def secondary(self) -> Iterator[str]:
        unique = dict.fromkeys(place for places in self._conflicts.values() for place in places)
        return (f"{color} at {place}" for place in unique for color in range(1, self.colors + 1))

    def options(self) -> Iterator[tuple[ColorChoice, list[str]]]:
        for element, places in self._conflicts.items():
            for color in range(1, self.colors + 1):
                yield ColorChoice(element, color), [f"color of {element}", *(f"{color} at {place}" for place in places)]

    def symmetries(self) -> Iterator[dict[Item, Item]]:
        """Yield the swaps of neighboring colors, which generate all permutations of the colors."""
        places = dict.fromkeys(place for places in self._conflicts.values() for place in places)
        for color in range(1, self.colors):
            swap: dict[Item, Item] = {f"{color} at {place}": f"{color + 1} at {place}" for place in places}
            yield {**swap, **{image: item for item, image in swap.items()}}

    def decode(self, solution: Iterable[ColorChoice]) -> dict[str, int]:
        """Return the color of each vertex, or of each edge."""
        return dict(solution)

    def draw(self, solution: Iterable[ColorChoice]) -> Picture:
        tints = {element: color - 1 for element, color in solution}
        if self.of == "vertices":
            tiles = draw_graph(self._graph, self._places, {}, tints)
        else:
            edges = {edge: tints.get(f"{edge[0]} - {edge[1]}") for edge in edges_of(self._graph)}
            tiles = draw_graph(self._graph, self._places, edges)
        return Picture(f"{self.of} of a graph in {pictures.format_count(self.colors, 'color')}", tuple(tiles))
