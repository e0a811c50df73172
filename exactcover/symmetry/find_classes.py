"""Finding the classes of solutions of a problem under the symmetries that are wanted.

Every class has a member that covers a chosen item by the first option of one of the orbits of its options, so the
search leaves out all its other options. From each solution that it finds, generators make all others of its class; they
are stored, so that no class is found twice.

Symmetries that were not stated are automorphisms of the graph of items and options. The vertices of the graph are
colored as finely as their neighborhoods distinguish them. While several vertices have the same color (they form a
cell), one of them gets a color of its own, and the coloring is refined again. The vertices chosen in this way are the
base. Then every other vertex of each such cell is tried in place of the base vertex. If the refinements go the same
way, both final colorings together define a map of the vertices, which is checked edge by edge.

References
----------
B. D. McKay, "Practical graph isomorphism", Congressus Numerantium 30 (1981).
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import factorial, prod
from typing import Any, TypeAlias

from exactcover.control.memory import half_of_free_memory
from exactcover.control.options import Distinct
from exactcover.control.stop import Stop
from exactcover.errors import ProblemError
from exactcover.model.matrix import ONCE, Matrix, native
from exactcover.model.model import Model
from exactcover.rules import MatrixRule
from exactcover.steps.step import extend
from exactcover.symmetry.classes import SymmetryClasses
from exactcover.symmetry.listed_classes import ListedClasses
from exactcover.symmetry.permutations import MAX_LISTED, PermutationGroup, rotations, stated_permutations, trace_orbit
from exactcover.symmetry.quotients import describe_items
from exactcover.symmetry.remainders import find_symmetries, make_remainder

_Coloring: TypeAlias = list[int]
_Trace: TypeAlias = list[Hashable]  # hashes of the rounds of a refinement; they do not depend on the names of vertices


def find_automorphisms(
    matrix: Matrix, given: Collection[int] = (), without: Collection[int] = (), stop: Stop | None = None
) -> PermutationGroup:
    """Return the group of the symmetries of a matrix, as permutations of its options.

    They keep its bounds, colors, costs and each of its rules about graphs. Each maps the set `given` to itself, and the
    set `without`.

    Examples
    --------
    >>> from exactcover import Problem
    >>> find_automorphisms(Problem({"A": [1], "B": [2], "C": [1, 2]}).matrix).generators
    [(1, 0, 2)]
    """
    stop, size = stop or Stop(), len(matrix)
    chosen, excluded = set(given), set(without)
    kinds: list[tuple[Any, ...]] = [
        ("", matrix.costs[k] if matrix.costs else 0, k in chosen, k in excluded) for k in range(size)
    ]
    for number, stated in enumerate(matrix.rules):
        matrix, more = _add_rule(matrix, stated)
        kinds += [(kind, number, *numbers) for kind, *numbers in more]
    place_of = {kind: place for place, kind in enumerate(sorted(set(kinds)))}
    places = [place_of[kind] for kind in kinds]
    if native is None:
        return PermutationGroup((image[:size] for image in _find_in_python(matrix, places, stop)), size)
    found = find_symmetries(make_remainder(matrix, stop), stop, places)
    generators = [tuple(image[:size]) for image, _ in found.generators()]
    if matrix.rules:  # there may be some that only rename what the rules are about
        return PermutationGroup(generators, size, stop=stop)
    trivial = prod(map(factorial, Counter(describe_items(matrix)).values()))  # they exchange items with equal options
    return PermutationGroup(generators, size, found.order // trivial)


def _add_rule(matrix: Matrix, stated: MatrixRule) -> tuple[Matrix, list[tuple[str, int, int]]]:
    """Return a matrix whose symmetries keep a rule, and the kinds of its further options.

    Further items stand for elements of the rule, vertices and colors. Options contain the elements that they turn on.
    Further options join each element to its vertices or its color, and state what the rule says of these.
    """
    rule = stated.rule.number_vertices()
    elements, colors = len(rule.elements), len(rule.elements) + rule.vertices
    added: dict[int, dict[int, int]] = {}
    further: list[tuple[tuple[str, int, int], list[int]]] = []
    for element, ((one, other), switch) in enumerate(zip(rule.elements, stated.switches, strict=True)):
        for option in switch:
            added.setdefault(option, {})[element] = 0
        is_lit = element in stated.lit
        if switch or is_lit:  # others are never on
            end = colors + other if rule.kind == "regions" else elements + other
            further.append((("element", is_lit, 0), [element, elements + one, end]))
    further += [(("neighbors", 0, 0), [elements + one, elements + other]) for one, other in rule.neighbors]
    further += [(("weight", weight, 0), [elements + vertex]) for vertex, weight in enumerate(rule.weights)]
    for color, (low, high) in enumerate(rule.sizes):
        further.append((("size", low, -1 if high is None else high), [colors + color]))
    further += [(("ends", 0, 0), [elements + end for end in pair if end is not None]) for pair in rule.ends]
    joined = extend(matrix, added, colors + len(rule.sizes))
    starts, entries = joined.starts[:], joined.entries[:]
    for _, items in further:
        entries.extend(matrix.items + item for item in items)
        starts.append(len(entries))
    colored = joined.colors + array("i", [0]) * (len(entries) - len(joined.colors))
    larger = replace(joined, starts=starts, entries=entries, colors=colored, costs=())
    return larger, [kind for kind, _ in further]


def _find_in_python(matrix: Matrix, kinds: Sequence[int], stop: Stop) -> Iterator[tuple[int, ...]]:
    graph, coloring = _build_graph(matrix, kinds)
    options = range(matrix.items, matrix.items + len(matrix))
    for automorphism in _AutomorphismSearch(graph, coloring, stop).find_generators():
        yield tuple(automorphism[option] - matrix.items for option in options)


def _build_graph(matrix: Matrix, kinds_of_options: Sequence[int]) -> tuple[list[list[int]], _Coloring]:
    """Return the neighbors of each vertex, and a coloring by the kinds of vertices.

    The vertices are the items, then the options, then the pairs of an item and a color.
    """
    edges: list[tuple[int, int]] = []
    kinds: list[Hashable] = [(0, item < matrix.primary, matrix.bounds(item)) for item in range(matrix.items)]
    kinds += [(1, kind, (0, 0)) for kind in kinds_of_options]
    colors: dict[tuple[int, int], int] = {}
    for option in range(len(matrix)):
        for item, color in matrix.option(option):
            vertex = item
            if color:
                vertex = colors.setdefault((item, color), matrix.items + len(matrix) + len(colors))
            edges.append((matrix.items + option, vertex))
    edges += [(vertex, item) for (item, _), vertex in colors.items()]
    kinds += [(2, 0, (0, 0))] * len(colors)
    graph: list[list[int]] = [[] for _ in kinds]
    for one, other in edges:
        graph[one].append(other)
        graph[other].append(one)
    number = {kind: place for place, kind in enumerate(sorted(set(kinds)))}  # type: ignore[type-var]  # all alike
    return graph, [number[kind] for kind in kinds]


class _AutomorphismSearch:
    """A search for generators of the automorphisms of a colored graph."""

    def __init__(self, graph: Sequence[Sequence[int]], coloring: _Coloring, stop: Stop) -> None:
        self._graph, self._stop = graph, stop
        self._edges = [frozenset(near) for near in graph]
        self._base: list[int] = []  # the vertex that got a color of its own at each level
        self._path = [self._refine(coloring)]  # the coloring before each level, and the trace of its refinement
        while (cell := self._find_cell(self._path[-1][0])) is not None:
            self._base.append(cell[0])
            self._path.append(self._refine(_individualize(self._path[-1][0], cell[0])))
        self._vertex_of_color = {color: vertex for vertex, color in enumerate(self._path[-1][0])}

    def find_generators(self) -> list[list[int]]:
        """Return automorphisms, beginning with those that fix most of the base."""
        found: list[list[int]] = []
        for level in reversed(range(len(self._base))):
            here = self._base[level]
            coloring = self._path[level][0]
            reached = trace_orbit(here, found)  # all of them fix the base up to this level
            for other, color in enumerate(coloring):
                if color != coloring[here] or other in reached:
                    continue
                automorphism = self._find_automorphism(coloring, level, other)
                if automorphism is not None:
                    found.append(automorphism)
                    reached = trace_orbit(here, found)
        return found

    def _find_automorphism(self, coloring: _Coloring, level: int, choice: int) -> list[int] | None:
        """Return an automorphism that maps the base vertex of a level to the vertex `choice`, or None."""
        refined, trace = self._refine(_individualize(coloring, choice))
        if trace != self._path[level + 1][1]:
            return None
        if level + 1 == len(self._base):
            image = [0] * len(refined)
            for vertex, color in enumerate(refined):
                image[self._vertex_of_color[color]] = vertex
            return image if self._keeps_edges(image) else None
        following = self._base[level + 1]
        color = self._path[level + 1][0][following]
        for candidate in (vertex for vertex, own in enumerate(refined) if own == color):
            automorphism = self._find_automorphism(refined, level + 1, candidate)
            if automorphism is not None:
                return automorphism
        return None

    def _keeps_edges(self, image: Sequence[int]) -> bool:
        return all(
            frozenset([image[other] for other in near]) == self._edges[image[vertex]]
            for vertex, near in enumerate(self._graph)
        )

    def _refine(self, coloring: _Coloring) -> tuple[_Coloring, _Trace]:
        """Return the coarsest refinement in which vertices of the same color have neighbors of the same colors."""
        trace: _Trace = []
        count = len(set(coloring))
        while True:
            self._stop.poll()
            signatures = [
                (color, *sorted([coloring[other] for other in near]))
                for color, near in zip(coloring, self._graph, strict=True)
            ]
            sizes = Counter(signatures)
            kinds = sorted(sizes)
            trace.append(hash(tuple((kind, sizes[kind]) for kind in kinds)))
            number = {kind: place for place, kind in enumerate(kinds)}
            coloring = [number[signature] for signature in signatures]
            if len(kinds) == count:
                return coloring, trace
            count = len(kinds)

    @staticmethod
    def _find_cell(coloring: _Coloring) -> list[int] | None:
        """Return the vertices of a smallest cell with several vertices, or None; ties go to the first color."""
        cells: dict[int, list[int]] = defaultdict(list)
        for vertex, color in enumerate(coloring):
            cells[color].append(vertex)
        several = [(len(cell), color) for color, cell in cells.items() if len(cell) > 1]
        return cells[min(several)[1]] if several else None


def _individualize(coloring: _Coloring, vertex: int) -> _Coloring:
    """Return the coloring in which one vertex has a color of its own."""
    return [2 * color + (place == vertex) for place, color in enumerate(coloring)]


_MAX_NUMBERS = 1 << 24  # in all permutations of a group that is listed


class LargeClasses(SymmetryClasses):
    """The classes of solutions under a group of any order; all solutions of the classes found are stored.

    They may take half of the free memory; a search that needs more ends with the status ``MEMORY``.
    """

    def __init__(self, matrix: Matrix, group: PermutationGroup, stop: Stop) -> None:
        super().__init__()
        self._order = group.order
        most = half_of_free_memory()
        self._orbits = native.SolutionOrbits(len(matrix), group.generators, most, stop.poll)
        self.left_out = _find_options_to_leave_out(matrix, group)

    @property
    def order(self) -> int:
        return self._order

    def accept(self, solution: Sequence[int]) -> bool:
        size = self._orbits.add(solution)
        self.total += size
        if size and self.symmetric is not None:
            self.symmetric += size < self.order
        return size > 0


def _find_options_to_leave_out(matrix: Matrix, group: PermutationGroup) -> list[int]:
    """Return the options of an item, without the first of each orbit; choose the item that leaves out the most."""
    number = {option: place for place, orbit in enumerate(group.orbits()) for option in orbit}
    best: list[int] = []
    share = 1.0
    for item, holders in enumerate(matrix.holders()[: matrix.primary]):
        if matrix.bounds(item) != ONCE or not holders:
            continue
        first: dict[int, int] = {}
        for option, _ in holders:
            first.setdefault(number[option], option)
        if len(first) / len(holders) < share:
            share, chosen = len(first) / len(holders), set(first.values())
            best = [option for option, _ in holders if option not in chosen]
    return best


def find_classes(
    problem: Model, distinct: Distinct, given: Collection[int], without: Collection[int], stop: Stop
) -> SymmetryClasses:
    """Return the classes of solutions of a problem under its rotations only, or all its symmetries.

    Every solution must contain the positions `given`, and none of `without`.

    Raise ``ProblemError`` if an option covers an item several times; a stated symmetry is not an automorphism; there
    are more than 10,000 symmetries, and there is no native module or some do not map `given` and `without` to
    themselves; or rotations are requested and the problem does not say which symmetries are rotations.
    """
    problem.refuse_weights("a search for one solution of each class")
    if problem.symmetries_complete or distinct == "rotations":
        problem.refuse_rules("a search with symmetries that are stated")
    if distinct == "rotations":
        group = PermutationGroup(rotations(problem), len(problem.labels), stop=stop)
    else:
        group = PermutationGroup(stated_permutations(problem), len(problem.labels), stop=stop)
        if not problem.symmetries_complete:
            group = find_automorphisms(problem.matrix, given, without, stop)
    if native is None or not group.exceeds(min(MAX_LISTED, _MAX_NUMBERS // max(1, group.size))):
        find_rotations = None if problem.stated_rotations is None else partial(rotations, problem)
        return ListedClasses(problem.matrix, group.generators, given, without, find_rotations, stop)
    for options in (set(given), set(without)):
        if any({generator[option] for option in options} != options for generator in group.generators):
            raise ProblemError(
                f"the problem states {group.order:,} symmetries, too many to find those that keep the given and "
                "excluded options; without these options, one solution of each class can be found"
            )
    return LargeClasses(problem.matrix, group, stop)
