"""Problems with published numbers of solutions, as plain items and options; for tests and benchmarks."""

from __future__ import annotations

import itertools

from exactcover import Problem


def langford(n: int) -> Problem:
    """Two copies of each of 1..n in a row, k numbers between the two k's."""
    return Problem(
        ((number, first), [f"n{number}", first, first + number + 1])
        for number in range(1, n + 1)
        for first in range(2 * n - number - 1)
    )


def matchings(n: int) -> Problem:
    """Perfect matchings of the complete graph with n vertices."""
    return Problem((pair, pair) for pair in itertools.combinations(range(n), 2))


def latin_squares(n: int) -> Problem:
    """Latin squares of order n."""
    return Problem(
        (triple, [("rc", row, column), ("rs", row, symbol), ("cs", column, symbol)])
        for triple in itertools.product(range(n), repeat=3)
        for row, column, symbol in [triple]
    )


def set_partitions(n: int) -> Problem:
    """Partitions of a set of n, all subsets as options."""
    return Problem((subset, subset) for size in range(1, n + 1) for subset in itertools.combinations(range(n), size))


def steiner_triples(n: int) -> Problem:
    """Labelled Steiner triple systems of order n."""
    return Problem((triple, list(itertools.combinations(triple, 2))) for triple in itertools.combinations(range(n), 3))


def one_factorizations(n: int) -> Problem:
    """1-factorizations of the complete graph with n vertices, vertex 0's edges in a fixed order."""
    return Problem(
        ((edge, color), [edge, *(f"{vertex} has {color}" for vertex in edge)])
        for edge in itertools.combinations(range(n), 2)
        for color in range(n - 1)
        if edge[0] != 0 or edge[1] == color + 1
    )
