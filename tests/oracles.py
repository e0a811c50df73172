"""Independent ways to the right answer. Nothing here uses an engine, or each other's code."""

import itertools
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import chain, combinations
from typing import Any

import networkx as nx

from exactcover import Colored, Label, Problem, Weighted
from exactcover.algorithm_x import Cover, item_of
from exactcover.model.matrix import Matrix
from exactcover.problem import Cost

Solutions = set[frozenset[Hashable]]


def brute_force(problem: Problem) -> Solutions:
    """Try every subset of options against the definition of a solution."""
    return set(try_all(problem, {}))


def try_all(problem: Problem, soft: Mapping[Any, Any] | None = None) -> dict[frozenset[Label], Cost]:
    """The cost and price of every choice that is allowed, from the definition, maybe with other soft items."""
    options = [(label, list(map(_parts, entries))) for label, entries in problem.options.items()]
    assert len(options) <= 14, "too many subsets"
    bounds = {item: problem.multiplicity.get(item, (1, 1)) for item in problem.primary}
    soft, costs = problem.soft if soft is None else soft, problem.costs
    found: dict[frozenset[Label], Cost] = {}
    for chosen in chain.from_iterable(combinations(options, size) for size in range(len(options) + 1)):
        price = _find_price([part for _, parts in chosen for part in parts], bounds, soft)
        if price is not None:
            found[frozenset(label for label, _ in chosen)] = price + sum(costs.get(label, 0) for label, _ in chosen)
    return found


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


def _parts(entry: object) -> tuple[Hashable, Hashable, int]:
    """The item that an option covers, its color, and how often it is covered."""
    color = entry.color if isinstance(entry, Colored) else None
    return item_of(entry), color, entry.times if isinstance(entry, Weighted) else 1


def _find_price(
    parts: list[tuple[Hashable, Hashable, int]], bounds: dict[Hashable, tuple[int, int]], soft: Mapping[Any, Any]
) -> Any:
    """The price of what stays open, or is covered too often, by options with these parts; None if that is not allowed."""
    times, colors, price = Counter[Hashable](), dict[Hashable, list[Hashable]](), 0
    for item, color, often in parts:
        times[item] += often
        if item not in bounds:
            colors.setdefault(item, []).append(color)
    for item, (low, high) in bounds.items():
        for times_off, each in zip((low - times[item], times[item] - high), soft.get(item, (None, None)), strict=True):
            if times_off > 0:
                if each is None:
                    return None
                price += each * times_off
    agrees = all(len(some) == 1 or (len({*some}) == 1 and None not in some) for some in colors.values())
    return price if agrees else None


def solve_matrix(matrix: Matrix) -> list[tuple[int, ...]]:
    """All solutions of a matrix, as the core finds them."""
    rows = list(map(matrix.row, range(len(matrix))))
    return list(Cover(rows, range(matrix.primary), matrix.multiplicity))


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
            item, color, _ = _parts(entry)
            takers[item].append((label, color))
    for item in problem.primary:
        low, high = problem.multiplicity.get(item, (1, 1))
        model.add_linear_constraint(sum(variables[label] for label, _ in takers[item]), low, high)
    for item in problem.secondary:
        for (one, color), (other, other_color) in combinations(takers[item], 2):
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
