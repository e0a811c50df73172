"""The problems of the discipline `finding`: one solution is wanted, or the proof that there is none."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Iterator
from functools import partial

import puzzles
from exactcover import Colored, Item, Problem
from families import costas_arrays, langford, macmahon_squares, mycielski, pigeons, quadruples
from problems import Coloring, Design, EdgeMatching, Langford, Latin, Polycube, Polyomino, Queens, Sudoku
from suite import dominoes

_SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_P, _L, _L3 = ("##", "##", "#_"), ("#_", "#_", "##"), ("#_", "##")


def reptile(shape: tuple[str, ...], scale: int, piece: str) -> Problem:
    """A piece, enlarged, covered with copies of itself."""
    board = tuple("".join(one.replace("#", ".") * scale for one in row) for row in shape for _ in range(scale))
    return Polyomino(board, piece, copies="any").problem()


def latin_square(n: int, share: float, seed: int) -> Problem:
    """A shuffled cyclic Latin square from which a share of the cells is removed."""
    chance = random.Random(seed)
    down, across, symbols = (chance.sample(range(n), n) for _ in range(3))
    rows = [[_SYMBOLS[symbols[(row + column) % n]] for column in across] for row in down]
    for place in chance.sample(range(n * n), round(share * n * n)):
        rows[place // n][place % n] = "."
    encoder = Latin(n, tuple(map("".join, rows)))
    return encoder.problem().residual(encoder.givens())


def mate_of_cyclic_square(n: int) -> Problem:
    """A Latin square orthogonal to a cyclic one; the first row is fixed."""
    symbols = _SYMBOLS[:n]
    encoder = Latin(n, (symbols, *["." * n] * (n - 1)), tuple(symbols[k:] + symbols[:k] for k in range(n)))
    return encoder.problem().residual(encoder.givens())


def edge_matching(side: int, colors: int, seed: int) -> Problem:
    """Square tiles cut from a board with random colors; only the border has its own color."""
    chance, inner = random.Random(seed), "abcdefghi"[:colors]
    lines = range(side + 1)
    above, left = (
        {(one, other): "-" if one in (0, side) else chance.choice(inner) for one in lines for other in range(side)}
        for _ in range(2)
    )  # by row and column, and by column and row
    tiles = [
        above[row, column] + left[column + 1, row] + above[row + 1, column] + left[column, row]
        for row, column in itertools.product(range(side), repeat=2)
    ]
    chance.shuffle(tiles)
    return EdgeMatching(f"{side}x{side}", tuple(tiles), border="-").problem()


def hidden_coloring(vertices: int, edges: int, colors: int, seed: int) -> Problem:
    """A random graph in which each edge joins two vertices of different color."""
    chance = random.Random(seed)
    color = [vertex % colors for vertex in range(vertices)]
    chance.shuffle(color)
    allowed = [pair for pair in itertools.combinations(range(vertices), 2) if color[pair[0]] != color[pair[1]]]
    return Coloring(tuple(sorted(chance.sample(allowed, edges))), colors).problem()


def queen_graph(n: int, colors: int) -> Problem:
    """Queens of several colors on all squares of a board; no two of one color attack each other."""
    edges = [
        (f"{a} {b}", f"{c} {d}")
        for (a, b), (c, d) in itertools.combinations(itertools.product(range(n), repeat=2), 2)
        if a == c or b == d or abs(a - c) == abs(b - d)
    ]
    return Coloring(tuple(edges), colors).problem()


def snark(stars: int) -> Problem:
    """The edges of a flower snark, which has no coloring with three colors if the number of stars is odd."""
    edges = []
    for k in range(stars):
        after = (k + 1) % stars
        edges += [(f"a{k}", f"{other}{k}") for other in "bcd"]
        crossed = {"b": "b", **({"c": "d", "d": "c"} if after == 0 else {"c": "c", "d": "d"})}
        edges += [(f"{one}{k}", f"{other}{after}") for one, other in crossed.items()]
    return Coloring(tuple(edges), 3, of="edges").problem()


def unequal_sides() -> Problem:
    """A perfect matching of 50 vertices with 47 others, along 2,000 of the edges."""
    pairs = list(itertools.product(range(50), [f"other {k}" for k in range(47)]))
    return Problem({pair: pair for pair in random.Random(1).sample(pairs, 2000)})


def hidden_partition(items: int, options: int, seed: int) -> Problem:
    """Random sets of three to five items; one partition is hidden among them."""
    chance = random.Random(seed)
    order: Iterable[int] = iter(chance.sample(range(items), items))
    sets = [list(itertools.islice(order, 4)) for _ in range(items // 4)]
    sets += [chance.sample(range(items), chance.randint(3, 5)) for _ in range(options - len(sets))]
    chance.shuffle(sets)
    return Problem(enumerate(sets), primary=range(items))


def nonogram(side: int, seed: int) -> Problem:
    """A random picture, 42 percent black: the options of a line are its fillings, and cells have colors."""

    def fill(runs: list[int], length: int) -> Iterator[str]:
        if not runs:
            yield "." * length
            return
        for gap in range(length - sum(runs) - len(runs) + 2):
            begun = "." * gap + "#" * runs[0]
            if len(runs) == 1:
                yield begun.ljust(length, ".")
            else:
                yield from (f"{begun}.{rest}" for rest in fill(runs[1:], length - len(begun) - 1))

    chance, lines = random.Random(seed), range(side)
    picture = ["".join(chance.choices(".#", (58, 42), k=side)) for _ in lines]
    options: dict[tuple[str, int, str], list[Item]] = {}
    for kind, drawn in (("row", picture), ("column", ["".join(column) for column in zip(*picture, strict=True)])):
        for line, cells in enumerate(drawn):
            for filling in fill([len(run) for run in cells.replace(".", " ").split()], side):
                places = [(line, k) if kind == "row" else (k, line) for k in lines]
                options[kind, line, filling] = [(kind, line), *map(Colored, places, filling)]
    return Problem(options, secondary=itertools.product(lines, lines))


def packing(side: int, copies: int) -> Problem:
    """Six pieces within 3x3, several copies of each, in a square that they do not fill."""
    shapes = "##./###/.##", "#.#/###/#.#", "###/.##/.#.", "##./.##/##.", "###/#.#/#..", "#../###/.##"
    return Polyomino(("?" * side,) * side, dict(zip("pqrstu", shapes, strict=True)), copies=copies).problem()


_WITHOUT_CORNERS = ("_" + "." * 19, *["." * 20] * 18, "." * 19 + "_")

_SOLVABLE: dict[str, Callable[[], Problem]] = {
    **{f"quadruple systems on {points} points": partial(quadruples, points) for points in (14, 16)},
    "Steiner triple systems on 33 points": Design(33, 3).problem,
    "S(2, 4, 25)": Design(25, 4).problem,
    "S(2, 4, 37)": Design(37, 4).problem,
    **{f"Langford {n}": Langford(n=n).problem for n in (40, 60, 80, 100)},
    **{f"Costas arrays of order {n}": partial(costas_arrays, n) for n in (13, 14, 15, 16)},
    "queens 60": Queens(n=60).problem,
    "MacMahon squares 4x6": macmahon_squares,
    "Y pentominoes 20x20": Polyomino("20x20", "pentominoes.Y", copies="any").problem,
    "Y pentominoes 25x25": Polyomino("25x25", "pentominoes.Y", copies="any").problem,
    "one-sided hexominoes 18x20": Polyomino("18x20", "one-sided hexominoes").problem,
    "pentominoes, ten of each, 20x30": Polyomino("20x30", "pentominoes", copies=10).problem,
    "hexominoes 19x11 and a cell": Polyomino(("_.", *["." * 11] * 19), "hexominoes").problem,
    **{
        f"25 {piece} pentominoes 5x5x5": Polycube("5x5x5", f"pentominoes.{piece}", copies="any").problem
        for piece in "YN"
    },
    "L tromino of side 12": partial(reptile, _L3, 12, "trominoes.V"),
    "L tetromino of side 9": partial(reptile, _L, 9, "tetrominoes.L"),
    "P pentomino of side 12": partial(reptile, _P, 12, "pentominoes.P"),
    "Sudoku 25x25, seed 1": partial(puzzles.with_blanks, 5, 5, 0.55, 1),
    "Sudoku 25x25, seed 2": partial(puzzles.with_blanks, 5, 5, 0.55, 2),
    "Sudoku 36x36": partial(puzzles.with_blanks, 6, 6, 0.55, 1),
    **{f"Latin squares of order {n}, 42 percent open": partial(latin_square, n, 0.42, 1) for n in (30, 33, 35)},
    **{
        f"edge matching {side}x{side}, {colors} colors": partial(edge_matching, side, colors, 1)
        for side, colors in ((6, 4), (7, 5), (8, 5), (8, 7), (10, 9))
    },
    "3 colors, 200 vertices": partial(hidden_coloring, 200, 460, 3, 1),
    "5 colors, 120 vertices": partial(hidden_coloring, 120, 680, 5, 1),
    "queen graph 11x11, 12 colors": partial(queen_graph, 11, 12),
    "queen graph 8x8, 9 colors": partial(queen_graph, 8, 9),
    "partition of 80 items": partial(hidden_partition, 80, 800, 1),
    "partition of 120 items": partial(hidden_partition, 120, 1000, 1),
    "nonogram 15x15": partial(nonogram, 15, 1),
    "nonogram 20x20, seed 1": partial(nonogram, 20, 1),
    "nonogram 20x20, seed 2": partial(nonogram, 20, 2),
    "packing 24x24 with gaps": partial(packing, 24, 13),
    "packing 40x40 with gaps": partial(packing, 40, 36),
    **{f"dominoes {side}x{side}": partial(dominoes, side) for side in (66, 100, 150)},
    **{f"blank Sudoku {rows * columns}x{rows * columns}": Sudoku(box=f"{rows}x{columns}").problem
       for rows, columns in ((5, 5), (6, 6), (6, 7), (7, 7))},
}  # fmt: skip
"""Those with a hidden solution, or known to have one.

Quadruple and Steiner systems: C. J. Colbourn and J. H. Dinitz, Handbook of Combinatorial Designs. Langford pairs: R. O.
Davies 1959. Costas arrays: OEIS A008404. Y pentominoes in a cube: C. J. Bouwkamp and D. A. Klarner 1970. Boards for Y
pentominoes can be divided into rectangles 5x10 and 15x15, and enlarged pieces into smaller ones of sides 2 and 3.
"""

_UNSOLVABLE: dict[str, Callable[[], Problem]] = {
    "hexominoes 14x15": Polyomino("14x15", "hexominoes").problem,
    "heptominoes 28x27": Polyomino("28x27", "heptominoes").problem,
    "L tetrominoes 10x10": Polyomino("10x10", "tetrominoes.L", copies="any").problem,
    "L tetrominoes 10x14": Polyomino("10x14", "tetrominoes.L", copies="any").problem,
    "T tetrominoes 14x14": Polyomino("14x14", "tetrominoes.T", copies="any").problem,
    "I tetrominoes 10x10": Polyomino("10x10", "tetrominoes.I", copies="any").problem,
    "dominoes 20x20 without two corners": Polyomino(_WITHOUT_CORNERS, "dominoes", copies="any").problem,
    "bricks 1x2x4 in 6x6x6": Polycube("6x6x6", {"brick": "####/####"}, copies="any").problem,
    "2,000 edges between 50 and 47 vertices": unequal_sides,
    "11 pigeons in 10 holes": partial(pigeons, 11),
    "quadruple systems on 12 points": partial(quadruples, 12),
    "Langford 13": partial(langford, 13),
    "mate of the cyclic square of order 8": partial(mate_of_cyclic_square, 8),
    "flower snark of 21 stars, 3 colors": partial(snark, 21),
    "Mycielski graph of 23 vertices, 4 colors": Coloring(tuple(mycielski(3)), 4).problem,
}
"""Those without a solution.

Hexominoes and L and T tetrominoes cannot have the right number of black cells on a checkerboard or in stripes, and bars
and bricks not those of each color (N. G. de Bruijn 1969). A heptomino has a hole. There are too few vertices, or holes
for pigeons; 55 pairs of further points cannot be divided by three; numbers of places contradict each other (Langford
pairs), or of symbols (L. Euler 1782). See R. Isaacs 1975 for snarks, and J. Mycielski 1955.
"""

FINDING = {name: (make, True) for name, make in _SOLVABLE.items()} | {
    name: (make, False) for name, make in _UNSOLVABLE.items()
}
"""For each name, the function that makes the problem, and whether it has a solution."""
