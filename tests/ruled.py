"""Random rules about graphs for hypothesis, with what they mean by networkx."""

import random
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


def pair_up(ends: list[Any]) -> list[tuple[Any, Any]]:
    """Pairs of these ends, at least one, and None for those that are missing."""
    slots = [*ends, *[None] * (2 - len(ends) if len(ends) < 2 else len(ends) % 2)]
    return list(zip(slots[::2], slots[1::2], strict=True))


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
    """A rule, and whether it holds by networkx; without switches, its elements are options of their own."""

    def name(elements: Iterable[Any]) -> dict[Any, Any]:
        return {element: element if switches is None else draw(switches) for element in elements}

    edges = draw(GRAPHS)
    vertices = sorted({v for edge in edges for v in edge})
    kinds = ["loop", "paths", "connected", *["regions"] * (switches is None or items is not None)]
    kind, or_none = draw(st.sampled_from(kinds)), draw(st.booleans())
    if kind == "loop":
        return Loop(name(edges), or_none), lambda on: is_loop(on, or_none=or_none)
    if kind == "paths":
        named = draw(st.lists(st.sampled_from(vertices), max_size=4, unique=True))
        ends = pair_up(named)
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
        st.builds(Colored, st.sampled_from(plain.secondary), st.sampled_from(plain.colors))
    ] * bool(plain.colors)
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
        return any(map(is_on, switch)) if isinstance(switch, list) else switch in chosen

    return frozenset(element for element, switch in rule.switches.items() if is_on(switch))


def solve_by_definition(ruled: Ruled) -> set[frozenset[Any]]:
    """All solutions, by trying every subset of options, and networkx."""
    problem, drawn = ruled
    covers = brute_force_instance(problem)
    return {one for one in covers if all(holds(find_lit(problem, rule, one)) for rule, holds in drawn)}


def color_cells(cells: Iterable[Any], *rules: Rule, colors: Iterable[Any] = (0, 1), **more: Any) -> Problem:
    """Each cell has one of the colors, which the item named like the cell and ? tells."""
    names = {cell: f"{cell}?" for cell in cells}
    taken = {(cell, color): [cell, Colored(name, color)] for cell, name in names.items() for color in colors}
    return Problem(taken, secondary=names.values(), rules=rules, **more)


def random_ruled_problem(seed: int) -> Problem:
    """A small problem with one to three rules, colors, multiplicities, costs, givens and excluded options."""
    chance = random.Random(seed)
    primary = [f"p{k}" for k in range(chance.randint(1, 5))]
    secondary = [f"s{k}" for k in range(chance.randint(1, 6))]
    colors: list[Any] = ["red", "green"]

    def draw_row() -> list[Any]:
        shared = chance.sample(secondary, min(len(secondary), chance.randint(0, 4)))
        colored = [Colored(item, chance.choice(colors)) if chance.random() < 0.9 else item for item in shared]
        return [*chance.sample(primary, min(len(primary), chance.randint(1, 2))), *colored]

    options = {f"o{k}": draw_row() for k in range(chance.randint(1, 12))}
    used = sorted({str(entry.color) for row in options.values() for entry in row if isinstance(entry, Colored)})
    bounds = {item: sorted([chance.randint(0, 2), chance.randint(1, 3)]) for item in primary if chance.random() < 0.4}

    def draw_switch() -> Any:
        kind = chance.random()
        if kind < 0.7 and used:
            return Colored(chance.choice(secondary), chance.choice(used))
        label = chance.choice(list(options))
        return label if kind < 0.9 or not used else [label, Colored(chance.choice(secondary), chance.choice(used))]

    def draw_rule() -> Rule:
        size = chance.randint(2, 6)
        edges = chance.sample(pairs := list(combinations(range(size), 2)), min(len(pairs), chance.randint(1, 8)))
        vertices = sorted({vertex for edge in edges for vertex in edge})
        kind, or_none = chance.randrange(4), chance.random() < 0.5
        if kind == 0:
            return Loop({edge: draw_switch() for edge in edges}, or_none)
        if kind == 1:
            ends = chance.sample(vertices, min(len(vertices), chance.choice([0, 1, 2, 2, 4])))
            return Paths({edge: draw_switch() for edge in edges}, pair_up(ends))
        if kind == 2:
            return Connected(edges, {vertex: draw_switch() for vertex in vertices}, or_none)
        low = chance.randint(0, 2)
        sizes: Any = chance.choice([None, (low, low + chance.randint(0, 3)), {"red": (low, 4)}])
        weights = {vertex: chance.randint(0, 2) for vertex in vertices} if chance.random() < 0.3 else None
        return Regions(edges, {vertex: chance.choice(secondary) for vertex in vertices}, colors, sizes, weights)

    problem = Problem(
        options,
        primary=primary,
        secondary=secondary,
        multiplicity={item: (low, high) for item, (low, high) in bounds.items()},
        costs={label: chance.randint(0, 9) for label in options} if chance.random() < 0.5 else {},
        rules=[draw_rule() for _ in range(chance.choice([1, 1, 1, 2, 3]))],
    )
    given = [label for label in problem.labels if chance.random() < 0.05]
    return problem.instance(given, [label for label in problem.labels if chance.random() < 0.05])
