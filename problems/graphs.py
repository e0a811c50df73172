"""Graphs as parameters, and pictures of them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from exactcover import ParameterError, pictures, read_data
from exactcover.errors import nearest

if TYPE_CHECKING:
    import networkx as nx  # slow to import

GraphText: TypeAlias = str | tuple[tuple[str | int, str | int], ...]
"""A name with numbers (``complete 6``), a file (.graphml, or one edge per line), or a list of edges."""
Edge: TypeAlias = tuple[str, str]
Corner: TypeAlias = pictures.Corner

_NAMED_GRAPHS: dict[str, tuple[str, int]] = {
    "bipartite": ("complete_bipartite_graph", 2), "complete": ("complete_graph", 1), "cube": ("cubical_graph", 0),
    "cycle": ("cycle_graph", 1), "desargues": ("desargues_graph", 0), "dodecahedron": ("dodecahedral_graph", 0),
    "grid": ("grid_2d_graph", 2), "heawood": ("heawood_graph", 0), "hypercube": ("hypercube_graph", 1),
    "icosahedron": ("icosahedral_graph", 0), "ladder": ("ladder_graph", 1),
    "moebius_kantor": ("moebius_kantor_graph", 0),
    "octahedron": ("octahedral_graph", 0), "pappus": ("pappus_graph", 0), "path": ("path_graph", 1),
    "petersen": ("petersen_graph", 0), "tetrahedron": ("tetrahedral_graph", 0), "tutte": ("tutte_graph", 0),
    "wheel": ("wheel_graph", 1),
}  # fmt: skip
"""For each name, the function of networkx and the number of its parameters."""

_MAX_VERTICES = 5_000

_FAINT = 10  # tint of edges without one


def read_graph(graph: GraphText, parameter: str = "graph") -> nx.Graph[str]:
    """Return a graph whose vertices are strings; loops and repeated edges are refused."""
    import networkx as nx

    if isinstance(graph, str) and ("." in graph or "/" in graph):
        text = read_data(graph, parameter)
        is_graphml = graph.lower().endswith(".graphml")
        found = _from_graphml(text, graph, parameter) if is_graphml else _from_lines(text, parameter)
    elif isinstance(graph, str):
        found = _make_named_graph(graph, parameter)
    else:
        found = nx.Graph()
        for position, (one, other) in enumerate(graph):
            _add_edge(found, str(one), str(other), (parameter, position))
    if not found:
        raise ParameterError(parameter, "the graph has no vertices; expected at least one edge")
    return found


def _make_named_graph(text: str, parameter: str) -> nx.Graph[str]:
    import networkx as nx

    name, *numbers = text.split() or [""]
    if name not in _NAMED_GRAPHS:
        known = f"{nearest(name, _NAMED_GRAPHS)} (the names are {', '.join(_NAMED_GRAPHS)})"
        raise ParameterError(parameter, f"there is no graph called {name!r}{known}")
    function, arity = _NAMED_GRAPHS[name]
    if len(numbers) != arity or not all(re.fullmatch(r"\d{1,9}", number, re.ASCII) for number in numbers):
        expected = " ".join([name, *["NUMBER"] * arity])
        raise ParameterError(parameter, f"{text!r} is not a valid graph; expected {expected}")
    sizes = [int(number) for number in numbers]
    least = 1 << min(sizes[0], 30) if name == "hypercube" else math.prod(sizes) if name == "grid" else sum(sizes)
    if max([least, *sizes]) > _MAX_VERTICES:
        raise ParameterError(parameter, f"{text} has more than {_MAX_VERTICES:,} vertices")
    make: Callable[..., nx.Graph[Any]] = getattr(nx, function)
    try:
        found = nx.relabel_nodes(make(*sizes), _node_name)
    except nx.NetworkXError as error:
        raise ParameterError(parameter, f"{text}: {error}") from None
    if len(found) > _MAX_VERTICES:
        raise ParameterError(parameter, f"{text} has more than {_MAX_VERTICES:,} vertices")
    if loop := next(nx.selfloop_edges(found), None):
        raise ParameterError(parameter, f"{text}: the edge {' - '.join(loop)} is a loop")
    return found


def _node_name(node: object) -> str:
    if not isinstance(node, tuple):
        return str(node)
    return "".join(map(str, node)) if len(node) > 2 else ",".join(map(str, node))  # bits, or row and column


def _from_graphml(text: str, name: str, parameter: str) -> nx.Graph[str]:
    from xml.etree import ElementTree

    import networkx as nx

    try:
        parsed, root = nx.parse_graphml(text), ElementTree.fromstring(text)
    except Exception as error:  # the XML parser raises many kinds of errors
        raise ParameterError(parameter, f"{name} is not a valid GraphML file: {error}") from None
    if len(root.findall(".//{*}graph")) > 1:
        raise ParameterError(parameter, f"{name} contains several graphs; expected one")
    if None in parsed:
        raise ParameterError(parameter, f"{name}: a node has no id, or an edge no ends")
    declared = {node.get("id") for node in root.findall(".//{*}node")}
    unknown = next((node for node in parsed if node not in declared), None)
    if unknown is not None:
        raise ParameterError(parameter, f"{name}: an edge leads to {unknown!r}, which is no node of the graph")
    found: nx.Graph[str] = nx.Graph()
    found.add_nodes_from((str(node), data) for node, data in parsed.nodes(data=True))
    for one, other in parsed.edges():
        _add_edge(found, str(one), str(other), parameter)
    return found


def _from_lines(text: str, parameter: str) -> nx.Graph[str]:
    import networkx as nx

    found: nx.Graph[str] = nx.Graph()
    for number, line in enumerate(text.splitlines(), 1):
        ends = line.partition("#")[0].replace(",", " ").split()
        if len(ends) == 1 or len(ends) > 2:
            raise ParameterError(parameter, f"line {number}: {line.strip()!r} is not an edge; expected two vertices")
        if ends:
            _add_edge(found, ends[0], ends[1], parameter, f"line {number}: ")
    return found


def _add_edge(
    graph: nx.Graph[str], one: str, other: str, parameter: str | tuple[str | int, ...], where: str = ""
) -> None:
    if one == other or graph.has_edge(one, other):
        fault = "a loop; the two vertices of an edge must differ" if one == other else "listed twice"
        raise ParameterError(parameter, f"{where}the edge {one} - {other} is {fault}")
    graph.add_edge(one, other)


def edges_of(graph: nx.Graph[str]) -> list[Edge]:
    """Return the edges, sorted by the order of the vertices, with the earlier vertex of each edge first."""
    position = {vertex: number for number, vertex in enumerate(graph)}
    edges = [(one, other) if position[one] < position[other] else (other, one) for one, other in graph.edges]
    return sorted(edges, key=lambda edge: (position[edge[0]], position[edge[1]]))


def draw_graph(
    graph: nx.Graph[str],
    places: Mapping[str, Corner],
    edges: Mapping[Edge, int | None],
    vertices: Mapping[str, int] | None = None,
) -> Iterator[pictures.Tile]:
    """Yield the tiles of a picture of a graph, whose vertices are at places from :func:`locate_vertices`.

    Edges and vertices have tints; an edge without one is thin and faint, and a vertex has the color of paper.
    """
    for edge in edges_of(graph):
        tint = edges.get(edge)
        half_width = 0.04 if tint is None else 0.1
        (x, y), (u, v) = places[edge[0]], places[edge[1]]
        length = math.hypot(u - x, v - y) or 1.0
        across, down = half_width * (v - y) / length, -half_width * (u - x) / length
        outline = ((x + across, y + down), (u + across, v + down), (u - across, v - down), (x - across, y - down))
        yield pictures.Tile(outline, None, *((_FAINT, 0.5) if tint is None else (tint, 1.0)))
    for vertex, (x, y) in places.items():
        circle = pictures.polygon((x, y), 0.33, 24)
        tint = (vertices or {}).get(vertex, pictures.PAPER)
        yield pictures.Tile(circle, ("vertex", vertex), tint, text=vertex)


def locate_vertices(graph: nx.Graph[str]) -> dict[str, Corner]:
    """Return the positions of the vertices: from coordinates, without crossings, on two rings, or on a circle.

    The first of these layouts that applies to the graph is used.
    """
    size = max(3.0, 0.55 * len(graph) ** 0.75 + 1.5)
    found = _grid_layout(graph) or _tutte_layout(graph, 0.8 / size) or _two_rings(graph) or _ring(list(graph))
    low, high = ([pick(place[k] for place in found.values()) for k in (0, 1)] for pick in (min, max))
    widest = max(high[0] - low[0], high[1] - low[1]) or 1.0
    scale = 2 * size / widest if not _grid_layout(graph) else 1.5
    return {vertex: (0.5 + (x - low[0]) * scale, 0.5 + (y - low[1]) * scale) for vertex, (x, y) in found.items()}


def _grid_layout(graph: nx.Graph[str]) -> dict[str, Corner]:
    """Return positions if all vertices have names of the form ``row,column``, else nothing."""
    pairs = {vertex: vertex.split(",") for vertex in graph}
    if not all(len(pair) == 2 and all(part.isdecimal() for part in pair) for pair in pairs.values()):
        return {}
    return {vertex: (float(column), float(row)) for vertex, (row, column) in pairs.items()}


def _ring(vertices: Sequence[str], radius: float = 1.0) -> dict[str, Corner]:
    return dict(zip(vertices, pictures.polygon((0.0, 0.0), radius, len(vertices)), strict=True))


def _two_rings(graph: nx.Graph[str]) -> dict[str, Corner]:
    """Return positions on two rings, if the first half of the vertices is a cycle and is matched to the second half."""
    vertices, half = list(graph), len(graph) // 2
    outer, inner = vertices[:half], vertices[half:]
    ring = all(graph.has_edge(one, outer[(k + 1) % half]) for k, one in enumerate(outer))
    if half < 3 or not ring or not all(graph.has_edge(one, other) for one, other in zip(outer, inner, strict=False)):
        return {}
    return _ring(outer) | _ring(inner, 0.5) if len(outer) == len(inner) else {}


def _tutte_layout(graph: nx.Graph[str], least: float) -> dict[str, Corner]:
    """Return positions without crossings for a planar graph: each inner vertex is at the mean of its neighbors.

    The result is empty if two vertices would be closer than `least`, or one would lie on an edge of others.

    References
    ----------
    W. T. Tutte, "How to draw a graph", Proceedings of the London Mathematical Society 13 (1963).
    """
    import networkx as nx

    planar, found = nx.check_planarity(graph)
    embedding = cast("nx.PlanarEmbedding[str]", found)
    if not planar or not nx.is_connected(graph) or len(graph) > 200:
        return {}
    faces: list[list[str]] = []
    seen: set[Edge] = set()
    for one, other in embedding.edges:
        if (one, other) not in seen:
            faces.append(embedding.traverse_face(one, other, mark_half_edges=seen))
    outer = max((face for face in faces if len(set(face)) == len(face)), key=len, default=[])
    if len(outer) < 3:
        return {}
    places = dict.fromkeys(graph, (0.0, 0.0)) | _ring(outer)
    inner = [vertex for vertex in graph if vertex not in set(outer)]
    for _ in range(500):
        for vertex in inner:
            neighbors = [places[other] for other in graph[vertex]]
            x, y = (sum(place[k] for place in neighbors) / len(neighbors) for k in (0, 1))
            places[vertex] = (x, y)
    crowded = any(math.dist(one, other) <= least for one, other in combinations(places.values(), 2))
    crossed = any(
        _distance_to_segment(places[vertex], places[one], places[other]) < least / 3
        for one, other in graph.edges
        for vertex in graph
        if vertex not in (one, other)
    )
    return {} if crowded or crossed else places


def _distance_to_segment(point: Corner, start: Corner, end: Corner) -> float:
    """Return the distance of a point from a line segment."""
    across, down = end[0] - start[0], end[1] - start[1]
    along = ((point[0] - start[0]) * across + (point[1] - start[1]) * down) / (across**2 + down**2 or 1.0)
    along = min(max(along, 0.0), 1.0)
    return math.dist(point, (start[0] + along * across, start[1] + along * down))
