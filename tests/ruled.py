"""Random rules about graphs for hypothesis, with what they mean by networkx."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Any

import networkx as nx
from hypothesis import strategies as st

from exactcover import Colored, Problem
from exactcover.rules import Connected, Element, Loop, Paths, Regions, Rule
from oracles import brute_force_instance
from strategies import instances, problems

Holds = Callable[[frozenset[Any]], bool]


def subsets(elements: Iterable[Any]) -> list[frozenset[Any]]:
    listed = list(elements)
    return [frozenset(some) for size in range(len(listed) + 1) for some in combinations(listed, size)]


def is_loop(on: frozenset[Any], *, or_none: bool) -> bool:
    if not on:
        return or_none
    graph: nx.Graph[Any] = nx.Graph(list(on))
    return nx.is_connected(graph) and all(degree == 2 for _, degree in graph.degree)


def are_paths(on: frozenset[Any], ends: list[tuple[Any, Any]]) -> bool:
    """Return whether the edges are paths whose ends can be given to the pairs."""
    graph: nx.Graph[Any] = nx.Graph(list(on))
    wanted = list(ends)
    for part in nx.connected_components(graph):
        path = graph.subgraph(part)
        tips = {v for v in path if path.degree[v] == 1}
        if len(tips) != 2 or any(path.degree[v] > 2 for v in path):
            return False
        named = {v for pair in ends for v in pair if v is not None}
        if any(v in named and v not in tips for v in path):
            return False
        shown = {v if v in named else None for v in tips} if tips & named else {None}
        found = next((pair for pair in wanted if {*pair} == shown and (None in pair) == (None in shown)), None)
        if found is None:
            return False
        wanted.remove(found)
    return not wanted


def hang_together(vertices: Iterable[Any], edges: list[tuple[Any, Any]]) -> bool:
    graph: nx.Graph[Any] = nx.Graph()
    graph.add_nodes_from(vertices)
    graph.add_edges_from(pair for pair in edges if pair[0] in graph and pair[1] in graph)
    return len(graph) == 0 or nx.is_connected(graph)


GRAPHS = st.integers(2, 5).flatmap(
    lambda n: st.lists(st.sampled_from(list(combinations(range(n), 2))), min_size=1, max_size=7, unique=True)
)


@st.composite
def rules(
    draw: st.DrawFn,
    switches: st.SearchStrategy[Any] | None = None,
    items: st.SearchStrategy[Any] | None = None,
    colors: str | list[str] = "xy",
) -> tuple[Rule, Holds]:
    """A rule, and whether it holds by networkx.

    Parameters
    ----------
    switches
        What the elements of the rule are switched on by; None for elements that are options of their own.
    items
        The items of regions.
    colors
        The colors of regions.
    """

    def name(elements: Iterable[Any]) -> dict[Any, Any]:
        return {element: element if switches is None else draw(switches) for element in elements}

    edges = draw(GRAPHS)
    vertices = sorted({v for edge in edges for v in edge})
    kind, or_none = (
        draw(
            st.sampled_from(
                ["loop", "paths", "connected", "regions"][: 3 if switches is not None and items is None else 4]
            )
        ),
        draw(st.booleans()),
    )
    if kind == "loop":
        return Loop(name(edges), or_none), lambda on: is_loop(on, or_none=or_none)
    if kind == "paths":
        named = draw(st.lists(st.sampled_from(vertices), max_size=4, unique=True))
        slots: list[Any] = [*named, *[None] * (2 - len(named) if len(named) < 2 else len(named) % 2)]
        ends = list(zip(slots[::2], slots[1::2], strict=True))
        return Paths(name(edges), ends), lambda on: are_paths(on, ends)
    if kind == "connected":
        some = draw(st.lists(st.sampled_from(vertices), min_size=1, unique=True))
        return Connected(edges, name(some), or_none), lambda on: (or_none or bool(on)) and hang_together(on, edges)
    low = draw(st.integers(0, 2))
    sizes = draw(st.sampled_from([None, (low, draw(st.integers(low, 3)))]))
    weights = draw(st.sampled_from([None, dict.fromkeys(vertices[:2], 2)]))
    of = {v: f"item {v}" if items is None else draw(items) for v in vertices}
    rule = Regions(edges, of, colors, sizes, weights)

    def holds(on: frozenset[Any]) -> bool:
        for color in colors:
            mine = [v for v, other in on if other == color]
            size = sum((weights or {}).get(v, 1) for v in mine)
            if not hang_together(mine, edges) or (sizes is not None and not sizes[0] <= size <= sizes[1]):
                return False
        return True

    return rule, holds


Ruled = tuple[Problem, list[tuple[Rule, Holds]]]


@st.composite
def ruled_problems(draw: st.DrawFn, most_options: int = 10) -> Ruled:
    """Problems with one or two rules, whose elements are items of certain colors, options, or lists of options."""
    plain = draw(instances(problems(most_options, most_often=3)))
    switches: list[st.SearchStrategy[Any]] = [
        st.builds(Colored, st.sampled_from(plain.secondary), st.sampled_from(["red", "green"]))
    ] * bool(plain.secondary)
    if plain.labels:
        switches += [st.sampled_from(plain.labels), st.lists(st.sampled_from(plain.labels), max_size=2)]
    items = st.sampled_from(plain.secondary) if plain.secondary else None
    if not switches:
        return plain, []
    drawn = draw(st.lists(rules(st.one_of(switches), items, ["red", "green"]), min_size=1, max_size=2))
    problem = plain.derive(plain.options.items(), rules=[rule for rule, _ in drawn], givens=plain.givens).instance(
        without=plain.excluded
    )
    return problem, drawn


def find_lit(problem: Problem, rule: Rule, solution: Iterable[Any]) -> frozenset[Element]:
    """The elements of a rule that a solution turns on."""
    chosen = set(solution)
    parts = {(entry.item, entry.color) for k in chosen for entry in problem.options[k] if isinstance(entry, Colored)}

    def is_on(switch: Any) -> bool:
        if isinstance(switch, Colored):
            return (switch.item, switch.color) in parts
        return not chosen.isdisjoint(switch if isinstance(switch, list) else [switch])

    return frozenset(element for element, switch in rule.switches.items() if is_on(switch))


def solve_by_definition(ruled: Ruled) -> set[frozenset[Any]]:
    """All solutions, by trying every subset of options, and networkx."""
    problem, drawn = ruled
    covers = brute_force_instance(problem)
    return {one for one in covers if all(holds(find_lit(problem, rule, one)) for rule, holds in drawn)}


def clashes(problem: Problem, labels: Iterable[Any]) -> bool:
    """Whether options share a secondary item without one color for all."""
    given: dict[Any, list[Any]] = {}
    for label in labels:
        for entry in problem.options[label]:
            item, color = (entry.item, entry.color) if isinstance(entry, Colored) else (entry, None)
            given.setdefault(item, []).append(color)
    shared = [colors for item, colors in given.items() if item in problem.secondary and len(colors) > 1]
    return any(None in colors or len({*colors}) > 1 for colors in shared)
