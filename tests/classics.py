"""Classic problems with published numbers of solutions, as plain items and options.

They do not use the encoders of ``problems``, so the engines are tested without them, and the encoders against them.
"""

import itertools
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import networkx as nx

from exactcover import Colored, Item, Problem


def langford(n: int) -> Problem:
    """Place two copies of each number 1..n in a row, with k numbers between the two k's."""
    return Problem(
        ((number, first), [f"n{number}", first, first + number + 1])
        for number in range(1, n + 1)
        for first in range(2 * n - number - 1)
    )


def dominoes(size: int, *holes: tuple[int, int]) -> Problem:
    """Cover a board without holes by dominoes."""
    cells = {(row, column) for row in range(size) for column in range(size)}.difference(holes)
    pairs = [((r, c), other) for r, c in sorted(cells) for other in ((r + 1, c), (r, c + 1)) if other in cells]
    return Problem({pair: pair for pair in pairs})


def matchings(n: int) -> Problem:
    """Perfect matchings of the complete graph with n vertices."""
    return Problem((pair, pair) for pair in itertools.combinations(range(n), 2))


def rings(number: int, length: int) -> Problem:
    """Perfect matchings of disjoint rings of even length, beside a board of 2 x 6; each ring has two, the board 13."""
    graph = nx.disjoint_union_all([nx.grid_2d_graph(2, 6), *[nx.cycle_graph(length) for _ in range(number)]])
    return Problem((edge, edge) for edge in graph.edges)


def latin_squares(n: int) -> Problem:
    """Latin squares of order n."""
    return Problem(
        (triple, [("rc", row, column), ("rs", row, symbol), ("cs", column, symbol)])
        for triple in itertools.product(range(n), repeat=3)
        for row, column, symbol in [triple]
    )


def set_partitions(n: int) -> Problem:
    """Partitions of a set of n elements; every non-empty subset is an option."""
    return Problem((subset, subset) for size in range(1, n + 1) for subset in itertools.combinations(range(n), size))


def steiner_triples(n: int) -> Problem:
    """Labelled Steiner triple systems of order n."""
    return Problem((triple, list(itertools.combinations(triple, 2))) for triple in itertools.combinations(range(n), 3))


def quadruples(points: int) -> Problem:
    """Blocks of four points, so that each three points are in one of them."""
    return Problem({block: [*itertools.combinations(block, 3)] for block in itertools.combinations(range(points), 4)})


def pigeons(number: int) -> Problem:
    """Pigeons in holes, one hole fewer than there are pigeons, which takes clauses a time that grows exponentially."""
    places = list(itertools.product(range(number), [f"hole {k}" for k in range(number - 1)]))
    return Problem({place: place for place in places}, secondary=dict.fromkeys(hole for _, hole in places))


def one_factorizations(n: int) -> Problem:
    """1-factorizations of the complete graph with n vertices; the edges of vertex 0 have fixed colors."""
    return Problem(
        ((edge, color), [edge, *(f"{vertex} has {color}" for vertex in edge)])
        for edge in itertools.combinations(range(n), 2)
        for color in range(n - 1)
        if edge[0] != 0 or edge[1] == color + 1
    )


def soma() -> Problem:
    """The seven Soma pieces in a cube of side 3; rotated solutions count separately."""
    pieces = {
        "V": [(0, 0, 0), (1, 0, 0), (0, 1, 0)],
        "L": [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0)],
        "T": [(0, 0, 0), (1, 0, 0), (2, 0, 0), (1, 1, 0)],
        "Z": [(0, 0, 0), (1, 0, 0), (1, 1, 0), (2, 1, 0)],
        "A": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 1, 1)],
        "B": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 0, 1)],
        "P": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)],
    }
    swapped = {"A": "B", "B": "A"}  # by a reflection
    around: dict[Any, Any] = {(x, y, z): (y, z, x) for x, y, z in itertools.product(range(3), repeat=3)}
    across: dict[Any, Any] = {(x, y, z): (y, x, z) for x, y, z in around}
    return solid(pieces, (3, 3, 3), [around, across | swapped], swapped)


def solid(
    pieces: Mapping[str, Sequence[tuple[int, ...]]],
    sides: Sequence[int],
    symmetries: list[dict[Any, Any]],
    mirror_images: Mapping[str, str],
) -> Problem:
    """Pieces of unit cubes in a box; its symmetries are the reflections along each side, and those given."""
    box = list(itertools.product(*map(range, sides)))
    placements: dict[tuple[str, frozenset[tuple[int, ...]]], None] = {}
    for name, cubes in pieces.items():
        for axes, signs in itertools.product(itertools.permutations(range(3)), itertools.product((1, -1), repeat=3)):
            if parity(axes) * signs[0] * signs[1] * signs[2] != 1:
                continue  # a reflection
            for shift in itertools.product(*(range(-4, side + 4) for side in sides)):
                placed = frozenset(tuple(signs[k] * at[axes[k]] + shift[k] for k in range(3)) for at in cubes)
                if all(0 <= at[k] < sides[k] for at in placed for k in range(3)):
                    placements[name, placed] = None
    mirrors: list[dict[Any, Any]] = [
        {at: (*at[:k], sides[k] - 1 - at[k], *at[k + 1 :]) for at in box} | dict(mirror_images) for k in range(3)
    ]
    return Problem(
        (((name, *sorted(placed)), [name, *sorted(placed)]) for name, placed in placements),
        symmetries=[*symmetries, *mirrors],
    )


def parity(axes: tuple[int, ...]) -> int:
    """Return 1 for an even permutation of the axes, -1 for an odd one."""
    return -1 if sum(a > b for a, b in itertools.combinations(axes, 2)) % 2 else 1


def regular_graphs(n: int, degree: int) -> Problem:
    """Labelled regular graphs: each edge is an option, and each vertex is covered ``degree`` times."""
    edges = list(itertools.combinations(range(n), 2))
    return Problem(zip(edges, edges, strict=True), multiplicity=dict.fromkeys(range(n), degree))


def binary_matrices(n: int, ones: int) -> Problem:
    """Binary n x n matrices with the same number of ones in every row and column."""
    lines = [(kind, line) for kind in ("row", "column") for line in range(n)]
    return Problem(
        (((row, column), [("row", row), ("column", column)]) for row, column in itertools.product(range(n), repeat=2)),
        primary=lines,
        multiplicity=dict.fromkeys(lines, ones),
    )


def covering_designs(points: int, size: int, blocks: int) -> Problem:
    """Sets of ``blocks`` blocks of one size such that every two points are together in at least one of them."""
    pairs = list(itertools.combinations(range(points), 2))
    return Problem(
        (
            (block, ["block", *itertools.combinations(block, 2)])
            for block in itertools.combinations(range(points), size)
        ),
        primary=["block", *pairs],
        multiplicity={"block": blocks, **dict.fromkeys(pairs, (1, blocks))},
    )


def queens_by_twos(n: int) -> Problem:
    """Two queens in each row and column of an n x n board, and at most two on each diagonal."""
    lines = [(kind, line) for kind in ("row", "column") for line in range(n)]
    squares = {
        (row, column): [("row", row), ("column", column), ("up", row + column), ("down", row - column)]
        for row, column in itertools.product(range(n), repeat=2)
    }
    diagonals = dict.fromkeys(line for items in squares.values() for line in items[2:])
    return Problem(
        squares, primary=[*lines, *diagonals], multiplicity=dict.fromkeys(lines, 2) | dict.fromkeys(diagonals, (0, 2))
    )


def queen_domination(n: int, queens: int) -> Problem:
    """Place ``queens`` queens on an n x n board so that every square is attacked or occupied."""
    board = list(itertools.product(range(n), repeat=2))

    def reached(row: int, column: int) -> list[tuple[int, int]]:
        return [(r, c) for r, c in board if r == row or c == column or abs(r - row) == abs(c - column)]

    return Problem(
        ((square, ["queen", *reached(*square)]) for square in board),
        primary=["queen", *board],
        multiplicity={"queen": queens, **dict.fromkeys(board, (1, queens))},
    )


def dodecahedron() -> Problem:
    """Place twelve pentagons on a dodecahedron so that touching sides look the same (A. Windsor).

    A pentagon's corners have two colors, each color in one stretch. One side between corners of the same color has a
    band in the other color. There are twelve such pentagons. They cannot be turned over.
    """
    embedding = cast("nx.PlanarEmbedding[int]", nx.check_planarity(nx.dodecahedral_graph())[1])
    seen: set[tuple[int, int]] = set()
    faces = [embedding.traverse_face(*edge, mark_half_edges=seen) for edge in embedding.edges if edge not in seen]
    stretches = ["y" * length + "b" * (5 - length) for length in range(1, 5)]
    tiles = [(corners, band) for corners in stretches for band in range(4) if corners[band] == corners[band + 1]]
    options: dict[tuple[int, int, int], list[Item]] = {}
    for (number, face), (tile, (corners, band)), turn in itertools.product(
        enumerate(faces), enumerate(tiles), range(5)
    ):
        sides: list[Item] = []
        for k in range(5):
            start, end = face[(turn + k) % 5], face[(turn + k + 1) % 5]
            one, other = corners[k], corners[(k + 1) % 5]
            look = (one, k == band, other) if start < end else (other, k == band, one)
            sides.append(Colored(("side", min(start, end), max(start, end)), look))
        options[number, tile, turn] = [("face", number), ("tile", tile), *sides]
    edges = [("side", min(edge), max(edge)) for edge in nx.dodecahedral_graph().edges]
    return Problem(options, secondary=edges)


def mycielski(steps: int) -> list[tuple[int, int]]:
    """The edges of a graph without triangles that needs 2 + `steps` colors; it has 3 * 2 ** `steps` - 1 vertices."""
    edges, vertices = [(0, 1)], 2
    for _ in range(steps):
        copies = [(one + vertices, other) for pair in edges for one, other in (pair, pair[::-1])]
        edges += [*copies, *((vertex, 2 * vertices) for vertex in range(vertices, 2 * vertices))]
        vertices = 2 * vertices + 1
    return edges


def set_cover(items: int, sets: int, most: int, seed: int) -> Problem:
    """Random sets of two to four items, each of which is in one to `most` of the sets that are taken."""
    chance = random.Random(seed)
    parts = dict(enumerate(chance.sample(range(items), chance.randint(2, 4)) for _ in range(sets)))
    bounds = dict.fromkeys(range(items), (1, most))
    return Problem(parts, primary=range(items), multiplicity=bounds, costs={k: chance.randint(1, 60) for k in parts})


def partitioning(items: int, options: int, seed: int) -> Problem:
    """Random sets of two to five items, and a partition into sets of three."""
    chance = random.Random(seed)
    parts = [chance.sample(range(items), chance.randint(2, 5)) for _ in range(options)]
    order = chance.sample(range(items), items)
    parts += [order[place : place + 3] for place in range(0, items, 3)]
    costs = {k: chance.randint(1, 99) * len(part) for k, part in enumerate(parts)}
    return Problem(enumerate(parts), costs=costs)


def seating(ages: Sequence[int], tables: int) -> Problem:
    """Guests, whose ages ascend, at a few tables of at most four; a table costs its spread of ages."""
    sets = [one for size in range(1, 5) for one in itertools.combinations(range(len(ages)), size)]
    costs = {one: ages[one[-1]] - ages[one[0]] for one in sets}
    return Problem({one: [*one, "tables"] for one in sets}, multiplicity={"tables": (0, tables)}, costs=costs)


def put_together(*several: Problem) -> Problem:
    """Several problems as one."""

    def rename(place: int, item: Any) -> Any:
        return Colored((place, item.item), item.color) if isinstance(item, Colored) else (place, item)

    numbered = list(enumerate(several))
    return Problem(
        {
            (k, label): [rename(k, item) for item in items]
            for k, one in numbered
            for label, items in one.options.items()
        },
        primary=[(k, item) for k, one in numbered for item in one.primary],
        secondary=[(k, item) for k, one in numbered for item in one.secondary],
        multiplicity={(k, item): pair for k, one in numbered for item, pair in one.multiplicity.items()},
    )


# Sources: OEIS A000170, A000110, A002860, A001147, A000438; Miller, "Langford's problem".
KNOWN: list[tuple[str, Callable[[], Problem], int]] = [
    ("langford 3", lambda: langford(3), 2),
    ("langford 4", lambda: langford(4), 2),
    ("langford 5", lambda: langford(5), 0),
    ("langford 7", lambda: langford(7), 52),
    ("matchings 8", lambda: matchings(8), 105),
    ("matchings 10", lambda: matchings(10), 945),
    *((f"latin squares {n}", lambda n=n: latin_squares(n), count) for n, count in enumerate([1, 2, 12, 576], 1)),
    *((f"partitions {n}", lambda n=n: set_partitions(n), b) for n, b in enumerate([1, 2, 5, 15, 52, 203, 877], 1)),
    ("steiner triples 7", lambda: steiner_triples(7), 30),
    ("1-factorizations of K6", lambda: one_factorizations(6), 6),
]
