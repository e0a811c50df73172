"""Independent ways to the right answer. Nothing here uses an engine, or each other's code."""

import itertools
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator

import networkx as nx

from exactcover import Colored, Label, Problem

Solutions = set[frozenset[Hashable]]


def brute_force(problem: Problem) -> Solutions:
    """Try every subset of options against the definition of a solution."""
    options = [(label, [_parts(entry) for entry in entries]) for label, entries in problem.options.items()]
    assert len(options) <= 14, "too many subsets"
    bounds = {item: problem.multiplicity.get(item, (1, 1)) for item in problem.primary}
    return {
        frozenset(label for label, _ in subset)
        for size in range(len(options) + 1)
        for subset in itertools.combinations(options, size)
        if _is_solution([part for _, parts in subset for part in parts], bounds)
    }


def brute_force_instance(problem: Problem) -> Solutions:
    """The solutions with the givens of a problem, and without what it excludes."""
    given, excluded = set(problem.givens), set(problem.excluded)
    return {one for one in brute_force(problem) if given <= one and excluded.isdisjoint(one)}


def can_cover(problem: Problem, wanted: set[Hashable]) -> bool:
    """Whether these items can be covered if the other primary ones need not be."""
    bounds = {item: problem.multiplicity.get(item, (1, 1)) for item in problem.primary}
    eased = {item: (low if item in wanted else 0, high) for item, (low, high) in bounds.items()}
    return bool(brute_force(problem.derive(problem.options.items(), multiplicity=eased)))


def latin_squares(n: int) -> list[tuple[str, ...]]:
    """All Latin squares of the symbols from 1, as their rows, by trying all rows."""
    rows = ["".join(row) for row in itertools.permutations("123456789"[:n])]
    squares = itertools.product(rows, repeat=n)
    return [square for square in squares if all(len(set(column)) == n for column in zip(*square, strict=True))]


def assert_each_once(found: Iterable[Iterable[Hashable]], expected: Iterable[Iterable[Hashable]]) -> None:
    """Assert that these are the solutions, in any order, and each of them once."""
    listed = [frozenset(solution) for solution in found]
    assert len(listed) == len(set(listed))
    assert set(listed) == set(map(frozenset, expected))


def _parts(entry: object) -> tuple[Hashable, Hashable]:
    return (entry.item, entry.color) if isinstance(entry, Colored) else (entry, None)


def _is_solution(parts: list[tuple[Hashable, Hashable]], bounds: dict[Hashable, tuple[int, int]]) -> bool:
    """Whether options with these items and colors, one after another, are a solution."""
    times = Counter(item for item, _ in parts)
    if any(not low <= times[item] <= high for item, (low, high) in bounds.items()):
        return False
    shared = {item for item, number in times.items() if number > 1 and item not in bounds}
    colors: dict[Hashable, set[Hashable]] = {}
    for item, color in parts:
        colors.setdefault(item, set()).add(color)
    return all(len(colors[item]) == 1 and None not in colors[item] for item in shared)


def cp_sat(problem: Problem) -> Solutions:
    """Enumerate with OR-Tools CP-SAT: one variable an option, one constraint an item."""
    from ortools.sat.python import cp_model  # which does not run on every emulated processor

    class Collector(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            found.add(frozenset(label for label, variable in variables.items() if self.value(variable)))

    found: Solutions = set()
    model = cp_model.CpModel()
    variables = {label: model.new_bool_var(str(position)) for position, label in enumerate(problem.labels)}
    takers: dict[Hashable, list[tuple[Hashable, Hashable]]] = {item: [] for item in problem.items}
    for label, entries in problem.options.items():
        for entry in entries:
            item, color = (entry.item, entry.color) if isinstance(entry, Colored) else (entry, None)
            takers[item].append((label, color))
    for item in problem.primary:
        low, high = problem.multiplicity.get(item, (1, 1))
        model.add_linear_constraint(sum(variables[label] for label, _ in takers[item]), low, high)
    for item in problem.secondary:
        for (one, color), (other, other_color) in itertools.combinations(takers[item], 2):
            if color is None or color != other_color:
                model.add_at_most_one([variables[one], variables[other]])
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.solve(model, Collector())
    return found


def automorphisms(problem: Problem, given: Iterable[Label] = (), without: Iterable[Label] = ()) -> Iterator[list[int]]:
    """Yield every automorphism of the graph of items, options and colors by networkx, as a permutation of the options."""
    given, without = set(given), set(without)
    costs, bounds = problem.costs, problem.multiplicity
    graph: nx.Graph[Hashable] = nx.Graph()
    for item in problem.items:
        kind = ("item", item in problem.primary, bounds.get(item, (1, 1)))
        graph.add_node(("item", item), kind=kind)
    for place, (label, entries) in enumerate(problem.options.items()):
        graph.add_node(("option", place), kind=("option", costs.get(label, 0), label in given, label in without))
        for entry in entries:
            if isinstance(entry, Colored):
                color = ("color", entry.item, entry.color)
                graph.add_node(color, kind="color")
                graph.add_edges_from([(("option", place), color), (color, ("item", entry.item))])
            else:
                graph.add_edge(("option", place), ("item", entry))
    matcher = nx.isomorphism.GraphMatcher(graph, graph, node_match=lambda one, other: one["kind"] == other["kind"])
    for image in matcher.isomorphisms_iter():
        yield [image["option", place][1] for place in range(len(problem.labels))]
