"""Rules about graphs: what must hold of a solution beside its items.

A rule names a graph, and a *switch* for each of its elements, which are edges or vertices: a :class:`Colored` item, the
label of an option, or a list of such. An element is *on* in a solution if an option that is chosen gives the item that
color, or has that label. A cover is a solution only if the elements that are on obey each rule:

- :class:`Loop`: the edges form one closed loop;
- :class:`Paths`: the edges form one path between each pair of ends, and nothing else;
- :class:`Connected`: the vertices hang together;
- :class:`Regions`: the vertices of each color hang together.

This page defines them. :meth:`Rule.find_faults` also tells, of a search that is not over, what can no longer be mended.

>>> from exactcover import Colored
>>> square = {"ab": Colored("ab", 1), "bc": Colored("bc", 1), "cd": Colored("cd", 1), "da": Colored("da", 1)}
>>> rule = Loop({tuple(edge): switch for edge, switch in square.items()})
>>> [fault.text for fault in rule.find_faults([("a", "b"), ("b", "c"), ("c", "d")])]
['one edge alone is on at a', 'one edge alone is on at d']
>>> rule.find_faults(rule.edges)
[]
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, combinations
from types import NoneType
from typing import Any, TypeAlias

from exactcover.algorithm_x import Colored, Label
from exactcover.control.arguments import check_instance
from exactcover.errors import ProblemError, nearest

__all__ = ["Connected", "Fault", "Loop", "MatrixRule", "NumberedRule", "Paths", "Regions", "Rule"]

Vertex: TypeAlias = Any
Edge: TypeAlias = tuple[Any, Any]
Element: TypeAlias = Any
"""An edge as it was stated, a vertex, or a pair of a vertex and the color of its region."""
Switch: TypeAlias = Colored | Label
Ends: TypeAlias = tuple[Vertex | None, Vertex | None]

_MAX_SIZE = 1 << 30  # of a region
_MOST_PARTS = 100  # that are named, each of which takes a look at the graph
_MAX_ELEMENTS = 1 << 20  # of regions: vertices times colors
_MAX_DEGREE = 8  # of a vertex; with more edges, too many of them have three


@dataclass(frozen=True)
class Fault:
    """A reason why elements break a rule: all of `because` are on, and none of `missing`.

    Attributes
    ----------
    form
        The fault in words, with ``{}`` in place of each of `names`.
    because, missing
        Elements of the rule. Whatever else is on, the rule does not hold as long as all of `because` are on, and none
        of `missing`.
    names
        The vertices, elements and colors that the words name.
    """

    form: str
    because: tuple[Element, ...] = ()
    missing: tuple[Element, ...] = ()
    names: tuple[Any, ...] = ()

    @property
    def text(self) -> str:
        """The fault in words."""
        return self.describe(str)

    def describe(self, name: Callable[[Any], str]) -> str:
        """Return the fault in words; a function names vertices, elements and colors."""
        return self.form.format(*map(name, self.names))


@dataclass(frozen=True)
class NumberedRule:
    """A rule without names.

    Attributes
    ----------
    kind
        ``loop``, ``paths`` or ``regions``, of which what must be connected is one.
    vertices
        The number of vertices.
    elements
        The edges as pairs of vertices; or pairs of a vertex and a color, which is 0 for what must be connected.
    neighbors, sizes, weights
        Of regions: pairs of vertices, the least and the greatest size of each color, and the weight of each vertex.
    ends
        Of paths: the pairs of ends.
    or_none
        Whether a loop may be missing.
    """

    kind: str
    vertices: int
    elements: Sequence[tuple[int, int]]
    neighbors: Sequence[tuple[int, int]] = ()
    sizes: Sequence[tuple[int, int | None]] = ()
    weights: Sequence[int] = ()
    ends: Sequence[tuple[int | None, int | None]] = ()
    or_none: bool = False


class Rule(ABC):
    """A rule about the elements of a graph that are on."""

    def __post_init__(self) -> None:
        try:
            self._read_arguments()
        except (TypeError, ValueError) as error:
            raise ProblemError(str(error), place=type(self).__name__) from None

    @abstractmethod
    def _read_arguments(self) -> None:
        """Check the arguments, and keep copies of them that nobody else can change."""

    @property
    @abstractmethod
    def switches(self) -> Mapping[Element, Any]:
        """The switch of each element, in order."""

    def list_faults(self) -> Iterator[Fault]:
        """Yield faults that are simple enough to be stated before a search, such as three edges at a vertex."""
        yield from ()

    @property
    def labels(self) -> Mapping[Vertex, int]:
        """Labels of some vertices: both vertices of an edge that is on have the same one."""
        return {}

    @property
    @abstractmethod
    def places(self) -> Collection[Vertex]:
        """The vertices of the graph, in order."""

    @abstractmethod
    def number_vertices(self) -> NumberedRule:
        """Return the rule about vertices that are numbers."""

    def _number(self, pairs: Iterable[Edge]) -> tuple[Mapping[Vertex, int], list[tuple[int, int]]]:
        """Return the number of each vertex, and pairs of vertices by these numbers."""
        number = {place: k for k, place in enumerate(self.places)}
        return number, [(number[a], number[b]) for a, b in pairs if a in number and b in number]

    @abstractmethod
    def find_faults(self, on: Iterable[Element], possible: Iterable[Element] | None = None) -> list[Fault]:
        """Return what breaks the rule, whatever else will be on.

        Parameters
        ----------
        on
            The elements that are on.
        possible
            Those that are on or may still be; None for no others, as in a solution. Then the rule holds if and only if
            there is no fault. Otherwise each fault is true, but some may be missing.

        Notes
        -----
        It takes time linear in the graph, for each of the colors of regions, apart from the faults. If many parts are
        not connected, the smallest ones are named.
        """

    def _read(self, on: Iterable[Element], possible: Iterable[Element] | None) -> tuple[list[Element], list[Element]]:
        """Return the elements in the order of the rule, so that faults do not depend on hashes."""
        lit = set(on)
        open_ = lit if possible is None else lit | set(possible)
        return [e for e in self.switches if e in lit], [e for e in self.switches if e in open_]


def to_switches(switch: Any) -> list[Switch]:
    """Return the switches of an element, of which each turns it on."""
    return switch if isinstance(switch, list) else [switch]


def _check_hashable(where: str, names: Iterable[object]) -> None:
    """Check names of vertices or colors."""
    for name in names:
        try:
            hash(name)
        except TypeError:
            raise ValueError(f"{where} must name hashable values; got {name!r}") from None


def _read_tuples(where: str, entries: Iterable[Any], expected: str, lengths: Collection[int]) -> list[tuple[Any, ...]]:
    """Return tuples of vertices."""
    found: list[tuple[Any, ...]] = []
    for entry in entries:
        names = () if isinstance(entry, str) or not isinstance(entry, Iterable) else tuple(entry)
        if len(names) not in lengths:
            raise ValueError(f"{where} must be {expected}; got {entry!r}")
        _check_hashable(where, names)
        found.append(names)
    return found


def _find_parts(vertices: Iterable[Vertex], neighbors: Mapping[Vertex, Iterable[Vertex]]) -> list[dict[Vertex, None]]:
    """Return the connected parts of a graph that contain these vertices, each in the order in which it is reached."""
    parts: list[dict[Vertex, None]] = []
    seen: set[Vertex] = set()
    for begin in vertices:
        if begin in seen:
            continue
        reached, waiting = {begin: None}, [begin]
        while waiting:
            for vertex in neighbors.get(waiting.pop(), ()):
                if vertex not in reached:
                    reached[vertex] = None
                    waiting.append(vertex)
        parts.append(reached)
        seen.update(reached)
    return parts


@dataclass(frozen=True)
class _EdgeRule(Rule):
    """A rule about edges: each vertex has none, or two, that are on, unless it is an end of a path."""

    edges: Mapping[Edge, Switch]

    def _read_arguments(self) -> None:
        check_instance("edges", self.edges, Mapping, "a mapping from pairs of vertices to switches")
        object.__setattr__(self, "edges", dict(self.edges))
        _check_hashable("edges", (one for switch in self.edges.values() for one in to_switches(switch)))
        seen = dict[frozenset[Vertex], Edge]()
        for edge in self.edges:
            if not isinstance(edge, tuple) or len(edge) != 2 or edge[0] == edge[1]:
                raise ValueError(f"edges must be pairs of two vertices; got {edge!r}")
            if (other := seen.setdefault(frozenset(edge), edge)) is not edge:
                raise ValueError(f"edges must be different; got {other!r} and {edge!r}")

    @property
    def switches(self) -> Mapping[Element, Any]:
        return self.edges

    @property
    def places(self) -> Collection[Vertex]:
        return dict.fromkeys(vertex for edge in self.edges for vertex in edge)

    def _incident(self, edges: Iterable[Edge]) -> dict[Vertex, list[Edge]]:
        incident: dict[Vertex, list[Edge]] = {}
        for edge in edges:
            for vertex in edge:
                incident.setdefault(vertex, []).append(edge)
        return incident

    def _cut(self, part: Collection[Vertex]) -> tuple[Edge, ...]:
        """Return the edges that leave a part of the graph."""
        return tuple(edge for edge in self.edges if (edge[0] in part) != (edge[1] in part))

    def _bounds(self, vertex: Vertex) -> tuple[int, int]:
        """Return how many edges must be on at a vertex if one is, and how many may be."""
        return 2, 2

    def list_faults(self) -> Iterator[Fault]:
        for vertex, edges in self._incident(self.edges).items():
            low, high = self._bounds(vertex)
            if len(edges) > _MAX_DEGREE:
                continue
            for some in combinations(edges, high + 1):
                yield Fault(f"{len(some)} edges are on at {{}}", some, (), (vertex,))
            for edge in edges if low == 2 else ():
                others = tuple(one for one in edges if one != edge)
                yield Fault("one edge alone is on at {}", (edge,), others, (vertex,))

    def _find_wrong_degrees(self, lit: Iterable[Edge], open_: Iterable[Edge]) -> Iterator[Fault]:
        incident, left = self._incident(lit), self._incident(open_)
        for vertex, edges in incident.items():
            low, high = self._bounds(vertex)
            if len(edges) > high:
                yield Fault(f"{len(edges)} edges are on at {{}}", tuple(edges[: high + 1]), (), (vertex,))
            elif len(left[vertex]) < low:
                missing = tuple(edge for edge in self.edges if vertex in edge and edge not in edges)
                yield Fault("one edge alone is on at {}", tuple(edges), missing, (vertex,))


def _neighbors(edges: Iterable[Edge]) -> dict[Vertex, list[Vertex]]:
    """Return the vertices next to each vertex."""
    neighbors: dict[Vertex, list[Vertex]] = {}
    for a, b in edges:
        neighbors.setdefault(a, []).append(b)
        neighbors.setdefault(b, []).append(a)
    return neighbors


@dataclass(frozen=True)
class Loop(_EdgeRule):
    """The edges that are on form exactly one closed loop.

    Parameters
    ----------
    edges
        The switch of each edge, by its pair of vertices.
    or_none
        Whether no edge at all may be on, too.

    Raises
    ------
    ProblemError
        If an edge is not a pair of two vertices, or two edges have the same ones.

    Examples
    --------
    >>> from exactcover import Colored, Problem
    >>> from exactcover.rules import Loop
    >>> from itertools import combinations
    >>> edges = list(combinations("abcde", 2))
    >>> taken = {(edge, color): [str(edge), Colored(edge, color)] for edge in edges for color in (0, 1)}
    >>> problem = Problem(taken, secondary=edges, rules=[Loop({edge: Colored(edge, 1) for edge in edges})])
    >>> problem.count()  # the cycles of five points: 10 triangles, 15 squares, 12 pentagons
    37
    """

    or_none: bool = False

    def _read_arguments(self) -> None:
        super()._read_arguments()
        check_instance("or_none", self.or_none, bool, "True or False")

    def number_vertices(self) -> NumberedRule:
        number, edges = self._number(self.edges)
        return NumberedRule("loop", len(number), edges, or_none=self.or_none)

    def find_faults(self, on: Iterable[Element], possible: Iterable[Element] | None = None) -> list[Fault]:
        lit, open_ = self._read(on, possible)
        faults = [*self._find_wrong_degrees(lit, open_)]
        if not open_ and not self.or_none:
            faults.append(Fault(f"no edge {'is' if possible is None else 'can be'} on", (), tuple(self.edges)))
        *parts, largest = sorted(_find_parts((edge[0] for edge in lit), _neighbors(open_)), key=len) or [{}]
        for part in parts[:_MOST_PARTS]:
            one, other = (next(edge for edge in lit if edge[0] in some) for some in (part, largest))
            missing = min(self._cut(part), self._cut(largest), key=len)
            faults.append(Fault("{} and {} cannot be on one loop", (one, other), missing, (one, other)))
        if possible is not None and not faults:
            faults.extend(self._find_early_loop(lit))
        return faults

    def _find_early_loop(self, lit: Sequence[Edge]) -> Iterator[Fault]:
        """Yield the closed loop that leaves out an edge that is on."""
        incident = self._incident(lit)
        parts = _find_parts(incident, _neighbors(lit))
        for part in parts if len(parts) > 1 else ():
            if all(len(incident[vertex]) == 2 for vertex in part):
                loop = tuple(edge for edge in lit if edge[0] in part)
                other = next(edge for edge in lit if edge[0] not in part)
                yield Fault("the loop through {} closes without {}", (*loop, other), (), (loop[0], other))


@dataclass(frozen=True)
class Paths(_EdgeRule):
    """The edges that are on form one path between the ends of each pair, and nothing else; no two paths meet.

    Parameters
    ----------
    edges
        The switch of each edge, by its pair of vertices.
    ends
        Pairs of vertices, all different. None in place of a vertex stands for any vertex that is not named as an end.

    Raises
    ------
    ProblemError
        If an edge is not a pair of two vertices, two edges have the same ones, an end is not a vertex of an edge, or is
        named twice, or there is no pair.

    Examples
    --------
    >>> from exactcover import Colored, Problem
    >>> from exactcover.rules import Paths
    >>> edges = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("a", "c")]
    >>> taken = {(edge, color): [str(edge), Colored(edge, color)] for edge in edges for color in (0, 1)}
    >>> on = {edge: Colored(edge, 1) for edge in edges}
    >>> [Problem(taken, secondary=edges, rules=[Paths(on, [ends])]).count()
    ...  for ends in [("a", "b"), ("a", None), (None, None)]]
    [3, 9, 19]
    """

    ends: Sequence[Ends]

    def _read_arguments(self) -> None:
        super()._read_arguments()
        expected = "pairs of vertices, at least one"
        check_instance("ends", self.ends, Sequence, expected)
        pairs = _read_tuples("ends", self.ends, expected, [2])
        object.__setattr__(self, "ends", tuple(pairs))
        if not pairs:
            raise ValueError(f"ends must be {expected}; got {self.ends!r}")
        places, named = self.places, Counter(vertex for pair in pairs for vertex in pair if vertex is not None)
        for vertex, times in named.items():
            if vertex not in places:
                raise ValueError(f"ends must be vertices of edges; got {vertex!r}{nearest(vertex, places)}")
            if times > 1:
                raise ValueError(f"ends must be different; got {vertex!r} twice")

    @property
    def labels(self) -> Mapping[Vertex, int]:
        return {end: number for number, pair in enumerate(self.ends) for end in pair if end is not None}

    @cached_property
    def partners(self) -> Mapping[Vertex, Vertex | None]:
        """The other end of the path of each end, by vertex; None for any."""
        return {a: b for pair in self.ends for a, b in (pair, pair[::-1]) if a is not None}

    def number_vertices(self) -> NumberedRule:
        number, edges = self._number(self.edges)
        ends = [(None if a is None else number[a], None if b is None else number[b]) for a, b in self.ends]
        return NumberedRule("paths", len(number), edges, ends=ends)

    def list_faults(self) -> Iterator[Fault]:
        yield from super().list_faults()
        for end in self.partners:
            yield Fault("no edge is on at {}", (), tuple(edge for edge in self.edges if end in edge), (end,))
        for loop in self.list_short_loops():
            yield Fault("the edges with {} form a loop", loop, (), (loop[0],))

    def list_short_loops(self) -> Iterator[tuple[Edge, ...]]:
        """Yield the loops of three and four edges through vertices that have not too many."""
        near = {vertex: others for vertex, others in _neighbors(self.edges).items() if len(others) <= _MAX_DEGREE}
        edge_of = {pair: edge for edge in self.edges for pair in (edge, edge[::-1])}
        while near:
            first = next(iter(near))
            for one, other in combinations([vertex for vertex in near.pop(first) if vertex in near], 2):
                for last in near[one]:
                    if last == other:
                        yield edge_of[first, one], edge_of[one, other], edge_of[other, first]
                    elif last in near and last in near[other]:
                        yield edge_of[first, one], edge_of[one, last], edge_of[last, other], edge_of[other, first]

    @property
    def free_ends(self) -> int:
        """The number of ends that may be any vertex."""
        return sum(pair.count(None) for pair in self.ends)

    def _bounds(self, vertex: Vertex) -> tuple[int, int]:
        return (1, 1) if vertex in self.partners else (1 if self.free_ends else 2, 2)

    def find_faults(self, on: Iterable[Element], possible: Iterable[Element] | None = None) -> list[Fault]:
        lit, open_ = self._read(on, possible)
        faults = [*self._find_wrong_degrees(lit, open_)]
        faults.extend(self._find_parts_without_end(lit, open_))
        if not faults:
            faults.extend(self._find_wrong_parts(lit, is_over=len(lit) == len(open_)))
        return faults

    def _find_parts_without_end(self, lit: Sequence[Edge], open_: Iterable[Edge]) -> Iterator[Fault]:
        """Yield ends that cannot reach their partners any more, and edges that reach no end."""
        neighbors, partners = _neighbors(open_), self.partners
        for part in _find_parts([*partners, *(edge[0] for edge in lit)], neighbors):
            inside = [vertex for vertex in part if vertex in partners]
            lost = next((end for end in inside if partners[end] is not None and partners[end] not in part), None)
            alone = next((end for end in inside if end not in neighbors), None)
            if lost is not None:
                yield Fault("{} cannot be joined to {}", (), self._cut(part), (lost, partners[lost]))
            elif alone is not None:
                yield Fault("no edge is on at {}", (), self._cut(part), (alone,))
            elif not inside and (None, None) not in self.ends:
                edge = next(edge for edge in lit if edge[0] in part)
                yield Fault("{} is not on the way to an end", (edge,), self._cut(part), (edge,))

    def _find_wrong_parts(self, lit: Sequence[Edge], *, is_over: bool) -> Iterator[Fault]:
        """Yield closed loops, paths between ends that do not belong together, and too many paths."""
        incident, free = self._incident(lit), 0
        for part in _find_parts(incident, _neighbors(lit)):
            edges = tuple(edge for edge in lit if edge[0] in part)
            tips = [vertex for vertex in part if len(incident[vertex]) == 1]
            ends = [vertex for vertex in tips if vertex in self.partners]
            if not tips:
                yield Fault("the edges with {} form a loop", edges, (), (edges[0],))
            elif len(ends) == 2 and self.partners[ends[0]] != ends[1]:
                yield Fault("a path joins {} to {}", edges, (), tuple(ends))
            elif is_over and len(ends) == 1 and self.partners[ends[0]] is not None:
                yield Fault("a path ends between {} and {}", edges, self._cut(part), (ends[0], self.partners[ends[0]]))
            free += not ends
        if is_over and free != self.ends.count((None, None)):
            on = set(lit)
            off = tuple(edge for edge in self.edges if edge not in on)
            yield Fault(f"{free} paths have two free ends", tuple(lit), off)


@dataclass(frozen=True)
class _VertexRule(Rule):
    """A rule about vertices. `graph` holds pairs of vertices, or has them as ``edges``, as graphs of networkx do."""

    graph: Any
    neighbors: Mapping[Vertex, Sequence[Vertex]] = field(init=False, repr=False)

    def _read_arguments(self) -> None:
        is_graph = hasattr(self.graph, "edges")
        stated: Any = [edge[:2] for edge in self.graph.edges] if is_graph else self.graph
        expected = "pairs of vertices, and (vertex,) for one without neighbors; or a graph of networkx"
        check_instance("graph", stated, Iterable, expected)
        if isinstance(stated, str | Mapping):
            raise ValueError(f"graph must be {expected}; got {stated!r}")
        entries = _read_tuples("graph", stated, expected, [1, 2])
        neighbors = _neighbors(dict.fromkeys(entry for entry in entries if len(entry) == 2))
        entries += [(vertex,) for vertex in getattr(self.graph, "nodes", ()) if vertex not in neighbors]
        neighbors |= {entry[0]: [] for entry in entries if entry[0] not in neighbors}
        object.__setattr__(self, "graph", tuple(entries))
        object.__setattr__(self, "neighbors", neighbors)

    def _check_vertices(self, where: str) -> None:
        for vertex in self.places:
            if vertex not in self.neighbors:
                near = nearest(vertex, self.neighbors)
                raise ValueError(f"{where} must name vertices of the graph; got {vertex!r}{near}")

    @property
    def pairs(self) -> list[tuple[Vertex, Vertex]]:
        """The pairs of neighbors."""
        return [entry for entry in self.graph if len(entry) == 2]

    def _border(self, part: Collection[Vertex]) -> list[Vertex]:
        """Return the vertices next to a part of the graph."""
        return [
            *dict.fromkeys(other for vertex in part for other in self.neighbors.get(vertex, ()) if other not in part)
        ]

    def _restrict(self, vertices: Iterable[Vertex]) -> dict[Vertex, list[Vertex]]:
        """Return the neighbors of these vertices among themselves."""
        among = dict.fromkeys(vertices)
        return {vertex: [other for other in self.neighbors.get(vertex, ()) if other in among] for vertex in among}


@dataclass(frozen=True)
class Connected(_VertexRule):
    """The vertices that are on hang together.

    Parameters
    ----------
    graph
        Pairs of vertices that are next to each other, and ``(vertex,)`` for one without neighbors; or a graph of
        networkx.
    on
        The switch of each vertex; vertices of the graph without one are never on.
    or_none
        Whether no vertex at all may be on, too.

    Raises
    ------
    ProblemError
        If `graph` does not hold pairs, or `on` names another vertex.

    Examples
    --------
    >>> from exactcover import Colored, Problem
    >>> from exactcover.rules import Connected
    >>> cells = "abcd"  # in a row
    >>> taken = {(cell, color): [cell, Colored(f"{cell}?", color)] for cell in cells for color in (0, 1)}
    >>> rule = Connected([("a", "b"), ("b", "c"), ("c", "d")], {cell: Colored(f"{cell}?", 1) for cell in cells})
    >>> Problem(taken, secondary=[f"{cell}?" for cell in cells], rules=[rule]).count()  # the intervals
    10
    """

    on: Mapping[Vertex, Switch]
    or_none: bool = False

    def _read_arguments(self) -> None:
        super()._read_arguments()
        check_instance("on", self.on, Mapping, "a mapping from vertices to switches")
        check_instance("or_none", self.or_none, bool, "True or False")
        object.__setattr__(self, "on", dict(self.on))
        _check_hashable("on", (one for switch in self.on.values() for one in to_switches(switch)))
        self._check_vertices("on")

    @property
    def switches(self) -> Mapping[Element, Any]:
        return self.on

    @property
    def places(self) -> Collection[Vertex]:
        return self.on.keys()

    def number_vertices(self) -> NumberedRule:
        number, near = self._number(self.pairs)
        elements, sizes = [(number[vertex], 0) for vertex in self.on], [(0 if self.or_none else 1, None)]
        return NumberedRule("regions", len(number), elements, near, sizes, [1] * len(number))

    def find_faults(self, on: Iterable[Element], possible: Iterable[Element] | None = None) -> list[Fault]:
        lit, open_ = self._read(on, possible)
        if not open_ and not self.or_none:
            return [Fault(f"no vertex {'is' if possible is None else 'can be'} on", (), tuple(self.on))]
        *parts, largest = sorted(_find_parts(lit, self._restrict(open_)), key=len) or [{}]
        faults: list[Fault] = []
        for part in parts[:_MOST_PARTS]:
            one, other = (next(vertex for vertex in lit if vertex in some) for some in (part, largest))
            missing = tuple(vertex for vertex in self._border(part) if vertex in self.on)
            faults.append(Fault("{} and {} do not hang together", (one, other), missing, (one, other)))
        return faults


@dataclass(frozen=True)
class Regions(_VertexRule):
    """The vertices of each color hang together.

    Parameters
    ----------
    graph
        Pairs of vertices that are next to each other, and ``(vertex,)`` for one without neighbors; or a graph of
        networkx.
    of
        The secondary item of each vertex, whose color is that of its region. A vertex without one, or whose item is not
        covered, is in no region.
    colors
        The colors that are regions.
    sizes
        The least and the greatest size of a region, or such a pair by color. A color that no vertex has is a region of
        size 0.
    weights
        What vertices count towards sizes, if not 1: whole numbers of at least 0.

    Raises
    ------
    ProblemError
        If `graph` does not hold pairs, `of` names another vertex, or sizes or weights are not as above.

    Examples
    --------
    >>> from exactcover import Colored, Problem
    >>> from exactcover.rules import Regions
    >>> cells, colors = "abcd", "xy"  # in a row, into two halves
    >>> taken = {(cell, color): [cell, Colored(f"{cell}?", color)] for cell in cells for color in colors}
    >>> rule = Regions([("a", "b"), ("b", "c"), ("c", "d")], {cell: f"{cell}?" for cell in cells}, colors, sizes=(2, 2))
    >>> Problem(taken, secondary=[f"{cell}?" for cell in cells], rules=[rule]).count()
    2
    """

    of: Mapping[Vertex, Any]
    colors: Sequence[Hashable]
    sizes: tuple[int, int] | Mapping[Any, tuple[int, int]] | None = None
    weights: Mapping[Vertex, int] | None = None

    def _read_arguments(self) -> None:
        super()._read_arguments()
        check_instance("of", self.of, Mapping, "a mapping from vertices to items")
        check_instance("colors", self.colors, Iterable, "a list of colors")
        object.__setattr__(self, "of", dict(self.of))
        self._check_vertices("of")
        _check_hashable("of", self.of.values())
        colors = list(self.colors)
        _check_hashable("colors", colors)
        object.__setattr__(self, "colors", tuple(dict.fromkeys(colors)))
        if len(self.of) * len(self.colors) > _MAX_ELEMENTS:
            raise ValueError(f"colors and vertices must have at most {_MAX_ELEMENTS:,} pairs")
        self._read_sizes()
        self._check_weights()

    def _read_sizes(self) -> None:
        if self.sizes is None or self.sizes == {}:
            object.__setattr__(self, "sizes", None)
            return
        by_color = isinstance(self.sizes, Mapping)
        bounds: Mapping[Any, Any] = self.sizes if isinstance(self.sizes, Mapping) else {None: self.sizes}
        for color, pair in bounds.items():
            if by_color and color not in self.colors:
                raise ValueError(f"sizes must name colors of regions; got {color!r}{nearest(color, self.colors)}")
            are_numbers = isinstance(pair, tuple | list) and len(pair) == 2 and all(type(size) is int for size in pair)
            if not are_numbers or not 0 <= pair[0] <= pair[1] <= _MAX_SIZE:
                expected = f"two whole numbers, the least and the greatest, up to {_MAX_SIZE:,}"
                raise ValueError(f"sizes must be {expected}; or a mapping from colors to such; got {pair!r}")
        read = {color: tuple(pair) for color, pair in bounds.items()}
        object.__setattr__(self, "sizes", read if by_color else read[None])

    def _check_weights(self) -> None:
        check_instance("weights", self.weights, (Mapping, NoneType), "a mapping from vertices to numbers")
        for vertex, weight in (self.weights or {}).items():
            if vertex not in self.of:
                raise ValueError(f"weights must name vertices with an item; got {vertex!r}{nearest(vertex, self.of)}")
            if type(weight) is not int or weight < 0:
                raise ValueError(f"weights must be whole numbers of at least 0; got {weight!r} for {vertex!r}")
        if self.weigh(self.of) > _MAX_SIZE:
            raise ValueError(f"weights must add up to at most {_MAX_SIZE:,}; got {self.weigh(self.of):,}")

    @cached_property
    def switches(self) -> Mapping[Element, Any]:
        return {(vertex, color): Colored(item, color) for vertex, item in self.of.items() for color in self.colors}

    @property
    def places(self) -> Collection[Vertex]:
        return self.of.keys()

    def bounds(self, color: Hashable) -> tuple[int, int] | None:
        """Return the least and the greatest size of the region of a color; None for any."""
        return self.sizes.get(color) if isinstance(self.sizes, Mapping) else self.sizes

    def weigh(self, vertices: Iterable[Vertex]) -> int:
        """Return the size of a set of vertices."""
        weights = self.weights or {}
        return sum(weights.get(vertex, 1) for vertex in vertices)

    def number_vertices(self) -> NumberedRule:
        (number, near), colors = self._number(self.pairs), {color: k for k, color in enumerate(self.colors)}
        elements = [(number[vertex], colors[color]) for vertex, color in self.switches]
        sizes = [self.bounds(color) or (0, None) for color in self.colors]
        return NumberedRule("regions", len(number), elements, near, sizes, [self.weigh([vertex]) for vertex in number])

    def find_faults(self, on: Iterable[Element], possible: Iterable[Element] | None = None) -> list[Fault]:
        lit, open_ = self._read(on, possible)
        faults: list[Fault] = []
        for color in self.colors:
            mine, left = ([vertex for vertex, other in some if other == color] for some in (lit, open_))
            faults.extend(self._find_faults_of_color(color, mine, left))
        return faults

    def _find_faults_of_color(self, color: Hashable, lit: Sequence[Vertex], open_: Sequence[Vertex]) -> Iterator[Fault]:
        neighbors = self._restrict(open_)
        *parts, largest = sorted(_find_parts(lit, neighbors), key=len) or [{}]

        def leave(part: Collection[Vertex]) -> tuple[Element, ...]:
            return tuple((vertex, color) for vertex in self._border(part) if vertex in self.of)

        for part in parts[:_MOST_PARTS]:
            one, other = (next(vertex for vertex in lit if vertex in some) for some in (part, largest))
            yield Fault("{} and {} do not hang together", ((one, color), (other, color)), leave(part), (one, other))
        low, high = self.bounds(color) or (0, None)
        if high is not None and self.weigh(lit) > high:
            yield Fault(f"the region {{}} is larger than {high}", self._take(lit, color, high), (), (color,))
        if lit and not parts and self.weigh(largest) < low:
            yield Fault(f"the region {{}} has no room for {low}", ((lit[0], color),), leave(largest), (color,))
        elif not lit and all(self.weigh(part) < low for part in _find_parts(open_, neighbors) or [{}]):
            closed = tuple((vertex, color) for vertex in self.of if vertex not in neighbors)
            yield Fault(f"the region {{}} has no room for {low}", (), closed, (color,))

    def _take(self, lit: Sequence[Vertex], color: Hashable, high: int) -> tuple[Element, ...]:
        """Return the first of these vertices that weigh too much together."""
        sizes = accumulate(self.weigh([vertex]) for vertex in lit)  # which ascend, as weights are never negative
        number = 1 + sum(size <= high for size in sizes)
        return tuple((vertex, color) for vertex in lit[:number])


@dataclass(frozen=True)
class MatrixRule:
    """A rule, with the options that turn on its elements.

    Attributes
    ----------
    rule
        The rule.
    switches
        For each element of the rule, in order, the options that turn it on, ascending.
    lit
        The elements, by number, that are on whatever is chosen.
    """

    rule: Rule
    switches: tuple[tuple[int, ...], ...]
    lit: frozenset[int] = frozenset()

    def renumber(self, number: Mapping[int, int], chosen: Set[int] = frozenset()) -> MatrixRule:
        """Return the rule for other options.

        Parameters
        ----------
        number
            The new number of each option, by its old number; other options can no longer be chosen.
        chosen
            Those among the other options that are chosen for good.
        """
        lit = (k for k, options in enumerate(self.switches) if not chosen.isdisjoint(options)) if chosen else ()
        switches = (tuple(sorted(number[k] for k in options if k in number)) for options in self.switches)
        return MatrixRule(self.rule, tuple(switches), self.lit.union(lit))

    def find_lit(self, options: Iterable[int]) -> list[Element]:
        """Return the elements that are on if these options are chosen."""
        chosen = set(options)
        elements = zip(self.rule.switches, self.switches, strict=True)
        return [e for k, (e, switch) in enumerate(elements) if k in self.lit or not chosen.isdisjoint(switch)]

    def find_faults(self, options: Iterable[int], possible: Iterable[int] | None = None) -> list[Fault]:
        """Return what breaks the rule if these options are chosen, and others may be; see :meth:`Rule.find_faults`."""
        return self.rule.find_faults(self.find_lit(options), None if possible is None else self.find_lit(possible))

    def is_broken_by(self, fault: Fault, options: Iterable[int], possible: Iterable[int]) -> bool:
        """Return whether what a fault names breaks the rule by itself, and holds if these options are chosen.

        `possible` are the options that are chosen or may be.
        """
        others = (element for element in self.rule.switches if element not in fault.missing)
        if not self.rule.find_faults(fault.because, others):
            return False
        return {*fault.because} <= {*self.find_lit(options)} and not {*fault.missing} & {*self.find_lit(possible)}
