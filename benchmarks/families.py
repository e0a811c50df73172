"""Problems with published numbers of solutions, written as plain items and options; for tests and benchmarks."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping, Sequence
from typing import Any, cast

import networkx as nx

from exactcover import Colored, Item, Problem
from problems.pieces import named_pieces


def langford(n: int) -> Problem:
    """Two copies of each number from 1 to n in a row, with k numbers between the two copies of k."""
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
    """Partitions of a set with n elements; every non-empty subset is an option."""
    return Problem((subset, subset) for size in range(1, n + 1) for subset in itertools.combinations(range(n), size))


def steiner_triples(n: int) -> Problem:
    """Labelled Steiner triple systems of order n."""
    return Problem((triple, list(itertools.combinations(triple, 2))) for triple in itertools.combinations(range(n), 3))


def one_factorizations(n: int) -> Problem:
    """1-factorizations of the complete graph with n vertices; the colors of the edges at vertex 0 are fixed."""
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
    return _solid(pieces, (3, 3, 3), [around, across | swapped], swapped)


def solid_pentominoes(*sides: int) -> Problem:
    """The twelve pentominoes, one cube thick, in a box of three different sides."""
    shapes = {name: shape for name, (shape, _) in named_pieces("pentominoes").items()}
    return _solid({name: [(row, column, 0) for row, column in shape] for name, shape in shapes.items()}, sides, [], {})


def _solid(
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
            if _parity(axes) * signs[0] * signs[1] * signs[2] != 1:
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


def _parity(axes: tuple[int, ...]) -> int:
    return -1 if sum(a > b for a, b in itertools.combinations(axes, 2)) % 2 else 1


def macmahon_squares(rows: int = 4, columns: int = 6) -> Problem:
    """MacMahon's 24 three-colored squares on a board: touching edges agree, and the whole border has one color."""
    squares = sorted({min(_turns(edges)) for edges in itertools.product("abc", repeat=4)})
    options: dict[tuple[str, int, int], list[object]] = {}
    edges_of_board: dict[tuple[str, int, int], None] = {}
    for row, column, square in itertools.product(range(rows), range(columns), squares):
        places = [("h", row, column), ("v", row, column + 1), ("h", row + 1, column), ("v", row, column)]
        edges_of_board.update(dict.fromkeys(places))
        border = [row == 0, column == columns - 1, row == rows - 1, column == 0]
        for edges in sorted(set(_turns(square))):
            if all(edge == "a" for edge, outside in zip(edges, border, strict=True) if outside):
                colored = [Colored(place, edge) for place, edge in zip(places, edges, strict=True)]
                options["".join(edges), row, column] = ["".join(square), (row, column), *colored]
    return Problem(options, secondary=edges_of_board)


def _turns(edges: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [edges[turn:] + edges[:turn] for turn in range(4)]


def regular_graphs(n: int, degree: int) -> Problem:
    """Labelled regular graphs with n vertices: each edge is an option, each vertex has the degree as multiplicity."""
    edges = list(itertools.combinations(range(n), 2))
    return Problem(zip(edges, edges, strict=True), multiplicity=dict.fromkeys(range(n), degree))


def binary_matrices(n: int, ones: int) -> Problem:
    """Matrices of zeros and ones with n rows and n columns, and a given number of ones in each of them."""
    lines = [(kind, line) for kind in ("row", "column") for line in range(n)]
    return Problem(
        (((row, column), [("row", row), ("column", column)]) for row, column in itertools.product(range(n), repeat=2)),
        primary=lines,
        multiplicity=dict.fromkeys(lines, ones),
    )


def covering_designs(points: int, size: int, blocks: int) -> Problem:
    """Sets of blocks of a given number and size, such that every two points lie in at least one block."""
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
    """Two queens in each row and column of an n x n board, at most two in each diagonal."""
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
    """Placements of a given number of queens on an n x n board such that each square is attacked or occupied."""
    board = list(itertools.product(range(n), repeat=2))

    def reached(row: int, column: int) -> list[tuple[int, int]]:
        return [(r, c) for r, c in board if r == row or c == column or abs(r - row) == abs(c - column)]

    return Problem(
        ((square, ["queen", *reached(*square)]) for square in board),
        primary=["queen", *board],
        multiplicity={"queen": queens, **dict.fromkeys(board, (1, queens))},
    )


def set_partitioning(items: int, options: int, seed: int = 1) -> Problem:
    """Random sets of three to six items, each with a cost; at least one partition is hidden among them."""
    chance = random.Random(seed)
    order = chance.sample(range(items), items)
    sets = [order[start : start + 4] for start in range(0, items, 4)]
    sets += [chance.sample(range(items), chance.randint(3, 6)) for _ in range(options - len(sets))]
    chance.shuffle(sets)
    costs = {number: sum(chance.randint(1, 40) for _ in one) for number, one in enumerate(sets)}
    return Problem(enumerate(sets), primary=range(items), costs=costs)


def priced(problem: Problem, seed: int = 1) -> Problem:
    """The same problem with a random cost on each option."""
    chance = random.Random(seed)
    costs = {label: chance.randint(1, 99) for label in problem.labels}
    return Problem(problem.options, primary=problem.primary, secondary=problem.secondary, costs=costs)


def costas_arrays(n: int) -> Problem:
    """Costas arrays: all differences between columns at the same distance are distinct; rows are colors."""
    pairs = list(itertools.combinations(range(n), 2))
    options = {
        (one, other, low, high): [
            ("pair", one, other),
            Colored(("row of", one), low),
            Colored(("row of", other), high),
            ("differ", other - one, high - low),
        ]
        for one, other in pairs
        for low, high in itertools.permutations(range(n), 2)
    }
    primary = [("pair", *pair) for pair in pairs]
    return Problem(
        options,
        primary=primary,
        secondary=[
            *(("row of", column) for column in range(n)),
            *(("differ", apart, by) for apart in range(1, n) for by in range(1 - n, n) if by),
        ],
    )


def dodecahedron() -> Problem:
    """Twelve pentagonal tiles on a dodecahedron, not turned over, such that touching sides look the same.

    The corners of a tile have two colors, each on consecutive corners. One of the sides between corners of the same
    color has a band in the other color. There are twelve such tiles.
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
