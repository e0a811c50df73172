"""Symmetries that nobody has named: automorphisms of the graph of items and options.

Vertices are colored as finely as their neighborhoods tell them apart. Where several look alike one is made different,
and so on until all are; the same is tried with every other vertex of each such cell in place of the one that was
chosen. What comes out alike is compared edge by edge.

References
----------
B. D. McKay, "Practical graph isomorphism", Congressus Numerantium 30 (1981).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterator, Sequence
from typing import TypeAlias

from exactcover.control.stop import Stop
from exactcover.model.matrix import Matrix

__all__ = ["automorphisms"]

_Coloring: TypeAlias = list[int]
_Trace: TypeAlias = list[Hashable]  # what a refinement saw, whatever the vertices' names


def automorphisms(
    matrix: Matrix, given: Collection[int] = (), without: Collection[int] = (), stop: Stop | None = None
) -> list[tuple[int, ...]]:
    """Return symmetries of a matrix that generate all others, as what becomes of each option.

    Parameters
    ----------
    matrix
    given, without
        Sets of options that each symmetry must leave as they are.
    stop
        Polled on the way.

    Raises
    ------
    Stopped
        If `stop` says so.

    Examples
    --------
    >>> from exactcover import Problem
    >>> automorphisms(Problem({"A": [1], "B": [2], "C": [1, 2]}).matrix)
    [(1, 0, 2)]
    """
    graph, coloring = _graph(matrix, set(given), set(without))
    found = _Automorphisms(graph, coloring, stop or Stop()).generators()
    options = range(matrix.items, matrix.items + len(matrix))
    images = (tuple(one[option] - matrix.items for option in options) for one in found)
    return [image for image in dict.fromkeys(images) if image != tuple(range(len(matrix)))]


def _graph(matrix: Matrix, given: set[int], without: set[int]) -> tuple[list[list[int]], _Coloring]:
    """Return the neighbors of each vertex (items, then options, then colors of items), and what tells them apart."""
    edges: list[tuple[int, int]] = []
    kinds: list[Hashable] = [(0, item < matrix.primary, matrix.bounds(item), False) for item in range(matrix.items)]
    kinds += [
        (1, matrix.costs[option] if matrix.costs else 0, (option in given, 0), option in without)
        for option in range(len(matrix))
    ]
    colors: dict[tuple[int, int], int] = {}
    for option in range(len(matrix)):
        for item, color in matrix.option(option):
            vertex = item
            if color:
                vertex = colors.setdefault((item, color), matrix.items + len(matrix) + len(colors))
            edges.append((matrix.items + option, vertex))
    edges += [(vertex, item) for (item, _), vertex in colors.items()]
    kinds += [(2, 0, (0, 0), False)] * len(colors)
    graph: list[list[int]] = [[] for _ in kinds]
    for one, other in edges:
        graph[one].append(other)
        graph[other].append(one)
    number = {kind: place for place, kind in enumerate(sorted(set(kinds)))}  # type: ignore[type-var]  # all alike
    return graph, [number[kind] for kind in kinds]


class _Automorphisms:
    """One search for generators."""

    def __init__(self, graph: Sequence[Sequence[int]], coloring: _Coloring, stop: Stop) -> None:
        self._graph, self._stop = graph, stop
        self._edges = [frozenset(near) for near in graph]
        self._base: list[int] = []  # which vertex was made different at each level
        self._path = [self._refined(coloring)]  # the coloring before, and what was seen
        while (cell := self._cell(self._path[-1][0])) is not None:
            self._base.append(cell[0])
            self._path.append(self._refined(_apart(self._path[-1][0], cell[0])))
        self._place = {color: vertex for vertex, color in enumerate(self._path[-1][0])}

    def generators(self) -> list[list[int]]:
        """Return automorphisms, those first that leave most of the base in place."""
        found: list[list[int]] = []
        for level in reversed(range(len(self._base))):
            here = self._base[level]
            coloring = self._path[level][0]
            reached = _orbit(here, found)  # all of them leave the base before this level in place
            for other in _alike(coloring, here):
                if other in reached:
                    continue
                automorphism = self._extended(coloring, level, other)
                if automorphism is not None:
                    found.append(automorphism)
                    reached = _orbit(here, found)
        return found

    def _extended(self, coloring: _Coloring, level: int, choice: int) -> list[int] | None:
        """Return an automorphism under which the base vertex of a level becomes another vertex, or None."""
        refined, trace = self._refined(_apart(coloring, choice))
        if trace != self._path[level + 1][1]:
            return None
        if level + 1 == len(self._base):
            image = [0] * len(refined)
            for vertex, color in enumerate(refined):
                image[self._place[color]] = vertex
            return image if self._keeps_edges(image) else None
        following = self._base[level + 1]
        color = self._path[level + 1][0][following]
        for candidate in (vertex for vertex, own in enumerate(refined) if own == color):
            automorphism = self._extended(refined, level + 1, candidate)
            if automorphism is not None:
                return automorphism
        return None

    def _keeps_edges(self, image: Sequence[int]) -> bool:
        return all(
            frozenset([image[other] for other in near]) == self._edges[image[vertex]]
            for vertex, near in enumerate(self._graph)
        )

    def _refined(self, coloring: _Coloring) -> tuple[_Coloring, _Trace]:
        """Return the coarsest finer coloring in which vertices of one color have neighbors of the same colors."""
        trace: _Trace = []
        count = len(set(coloring))
        while True:
            self._stop.poll()
            seen = [
                (color, *sorted([coloring[other] for other in near]))
                for color, near in zip(coloring, self._graph, strict=True)
            ]
            sizes = Counter(seen)
            kinds = sorted(sizes)
            trace.append(hash(tuple((kind, sizes[kind]) for kind in kinds)))
            number = {kind: place for place, kind in enumerate(kinds)}
            coloring = [number[kind] for kind in seen]
            if len(kinds) == count:
                return coloring, trace
            count = len(kinds)

    @staticmethod
    def _cell(coloring: _Coloring) -> list[int] | None:
        """Return the vertices of the first of the smallest colors that several have, or None."""
        cells: dict[int, list[int]] = defaultdict(list)
        for vertex, color in enumerate(coloring):
            cells[color].append(vertex)
        several = [(len(cell), color) for color, cell in cells.items() if len(cell) > 1]
        return cells[min(several)[1]] if several else None


def _apart(coloring: _Coloring, vertex: int) -> _Coloring:
    """Return the coloring with a color of its own for one vertex."""
    return [2 * color + (place == vertex) for place, color in enumerate(coloring)]


def _alike(coloring: _Coloring, vertex: int) -> Iterator[int]:
    return (other for other, color in enumerate(coloring) if color == coloring[vertex] and other != vertex)


def _orbit(vertex: int, generators: Sequence[Sequence[int]]) -> set[int]:
    """Return what some permutations make of a vertex."""
    orbit, waiting = {vertex}, [vertex]
    for one in waiting:
        for generator in generators:
            if generator[one] not in orbit:
                orbit.add(generator[one])
                waiting.append(generator[one])
    return orbit
