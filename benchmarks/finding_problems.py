"""The problems of the discipline `finding`: one solution is wanted, or the proof that there is none."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Iterator

import puzzles
from exactcover import Colored, Item, Problem
from families import costas_arrays, langford, macmahon_squares, pigeons, quadruples
from problems import Coloring, Design, EdgeMatching, Langford, Latin, Polycube, Polyomino, Queens, Sudoku
from problems.tiling import Copies
from suite import dominoes

_SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_P, _L, _L3 = ("##", "##", "#_"), ("#_", "#_", "##"), ("#_", "##")


def polyominoes(board: str | tuple[str, ...], pieces: str, copies: Copies = 1) -> Callable[[], Problem]:
    return lambda: Polyomino(board, pieces, copies=copies).problem()


def design(points: int, block: int) -> Callable[[], Problem]:
    return lambda: Design(points, block).problem()


def reptile(shape: tuple[str, ...], scale: int, piece: str) -> Callable[[], Problem]:
    """A piece, enlarged, covered with copies of itself."""
    board = tuple("".join(one.replace("#", ".") * scale for one in row) for row in shape for _ in range(scale))
    return polyominoes(board, piece, "any")


def cube(piece: str) -> Callable[[], Problem]:
    return lambda: Polycube("5x5x5", f"pentominoes.{piece}", copies="any").problem()


def bricks() -> Problem:
    """Bricks 1x2x4 in a cube of side 6."""
    return Polycube("6x6x6", {"brick": "####/####"}, copies="any").problem()


def sudoku(rows: int, columns: int, seed: int) -> Callable[[], Problem]:
    """A Sudoku with 55 percent of its cells open; it may have many solutions."""

    def make() -> Problem:
        encoder = puzzles.with_blanks(rows, columns, 0.55, seed)
        return encoder.problem().residual(encoder.givens())

    return make


def latin_square(n: int, share: float, seed: int) -> Callable[[], Problem]:
    """A shuffled cyclic Latin square from which a share of the cells is removed."""

    def make() -> Problem:
        chance = random.Random(seed)
        down, across, symbols = (chance.sample(range(n), n) for _ in range(3))
        rows = [[_SYMBOLS[symbols[(row + column) % n]] for column in across] for row in down]
        for place in chance.sample(range(n * n), round(share * n * n)):
            rows[place // n][place % n] = "."
        encoder = Latin(n, tuple(map("".join, rows)))
        return encoder.problem().residual(encoder.givens())

    return make


def mate_of_cyclic_square(n: int) -> Callable[[], Problem]:
    """A Latin square orthogonal to a cyclic one; the first row is fixed."""

    def make() -> Problem:
        symbols = _SYMBOLS[:n]
        encoder = Latin(n, (symbols, *["." * n] * (n - 1)), tuple(symbols[k:] + symbols[:k] for k in range(n)))
        return encoder.problem().residual(encoder.givens())

    return make


def edge_matching(side: int, colors: int, seed: int) -> Callable[[], Problem]:
    """Square tiles cut from a board with random colors; only the border has its own color."""

    def make() -> Problem:
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

    return make


def hidden_coloring(vertices: int, edges: int, colors: int, seed: int) -> Callable[[], Problem]:
    """A random graph in which each edge joins two vertices of different color."""

    def make() -> Problem:
        chance = random.Random(seed)
        color = [vertex % colors for vertex in range(vertices)]
        chance.shuffle(color)
        allowed = [pair for pair in itertools.combinations(range(vertices), 2) if color[pair[0]] != color[pair[1]]]
        return Coloring(tuple(sorted(chance.sample(allowed, edges))), colors).problem()

    return make


def queen_graph(n: int, colors: int) -> Callable[[], Problem]:
    """Queens of several colors on all squares of a board; no two of one color attack each other."""

    def edges() -> Iterator[tuple[str, str]]:
        for (a, b), (c, d) in itertools.combinations(itertools.product(range(n), repeat=2), 2):
            if a == c or b == d or abs(a - c) == abs(b - d):
                yield f"{a} {b}", f"{c} {d}"

    return lambda: Coloring(tuple(edges()), colors).problem()


def snark(stars: int) -> Callable[[], Problem]:
    """The edges of a flower snark, which has no coloring with three colors if the number of stars is odd."""

    def edges() -> Iterator[tuple[str, str]]:
        for k in range(stars):
            after = (k + 1) % stars
            yield from ((f"a{k}", f"{other}{k}") for other in "bcd")
            yield f"b{k}", f"b{after}"
            crossed = {"c": "d", "d": "c"} if after == 0 else {"c": "c", "d": "d"}
            yield from ((f"{one}{k}", f"{other}{after}") for one, other in crossed.items())

    return lambda: Coloring(tuple(edges()), 3, of="edges").problem()


def mycielski(steps: int, colors: int) -> Callable[[], Problem]:
    """A graph without triangles that needs 2 + `steps` colors."""

    def make() -> Problem:
        edges, vertices = [(0, 1)], 2
        for _ in range(steps):
            copies = [(one + vertices, other) for pair in edges for one, other in (pair, pair[::-1])]
            edges += [*copies, *((vertex, 2 * vertices) for vertex in range(vertices, 2 * vertices))]
            vertices = 2 * vertices + 1
        return Coloring(tuple(edges), colors).problem()

    return make


def unequal_sides() -> Problem:
    """A perfect matching of 50 vertices with 47 others, along 2,000 of the edges."""
    pairs = list(itertools.product(range(50), [f"other {k}" for k in range(47)]))
    return Problem({pair: pair for pair in random.Random(1).sample(pairs, 2000)})


def hidden_partition(items: int, options: int, seed: int) -> Callable[[], Problem]:
    """Random sets of three to five items; one partition is hidden among them."""

    def make() -> Problem:
        chance = random.Random(seed)
        order: Iterable[int] = iter(chance.sample(range(items), items))
        sets = [list(itertools.islice(order, 4)) for _ in range(items // 4)]
        sets += [chance.sample(range(items), chance.randint(3, 5)) for _ in range(options - len(sets))]
        chance.shuffle(sets)
        return Problem(enumerate(sets), primary=range(items))

    return make


def nonogram(side: int, seed: int) -> Callable[[], Problem]:
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

    def make() -> Problem:
        chance, lines = random.Random(seed), range(side)
        picture = ["".join(chance.choices(".#", (58, 42), k=side)) for _ in lines]
        options: dict[tuple[str, int, str], list[Item]] = {}
        for kind, drawn in (("row", picture), ("column", ["".join(column) for column in zip(*picture, strict=True)])):
            for line, cells in enumerate(drawn):
                for filling in fill([len(run) for run in cells.replace(".", " ").split()], side):
                    places = [(line, k) if kind == "row" else (k, line) for k in lines]
                    options[kind, line, filling] = [(kind, line), *map(Colored, places, filling)]
        return Problem(options, secondary=itertools.product(lines, lines))

    return make


def packing(side: int, copies: int) -> Callable[[], Problem]:
    """Six pieces within 3x3, several copies of each, in a square that they do not fill."""
    shapes = "##./###/.##", "#.#/###/#.#", "###/.##/.#.", "##./.##/##.", "###/#.#/#..", "#../###/.##"
    pieces = dict(zip("pqrstu", shapes, strict=True))
    return lambda: Polyomino(("?" * side,) * side, pieces, copies=copies).problem()


def blank_sudoku(box: str) -> Callable[[], Problem]:
    return lambda: Sudoku(box=box).problem()


def without_corners(side: int) -> tuple[str, ...]:
    return ("_" + "." * (side - 1), *["." * side] * (side - 2), "." * (side - 1) + "_")


FINDING: dict[str, tuple[Callable[[], Problem], bool]] = {
    "quadruple systems on 14 points": (lambda: quadruples(14), True),
    "quadruple systems on 16 points": (lambda: quadruples(16), True),
    "Steiner triple systems on 33 points": (design(33, 3), True),
    "S(2, 4, 25)": (design(25, 4), True),
    "S(2, 4, 37)": (design(37, 4), True),
    "Langford 40": (lambda: Langford(n=40).problem(), True),
    "Langford 60": (lambda: Langford(n=60).problem(), True),
    "Langford 80": (lambda: Langford(n=80).problem(), True),
    "Langford 100": (lambda: Langford(n=100).problem(), True),
    "Costas arrays of order 13": (lambda: costas_arrays(13), True),
    "Costas arrays of order 14": (lambda: costas_arrays(14), True),
    "Costas arrays of order 15": (lambda: costas_arrays(15), True),
    "Costas arrays of order 16": (lambda: costas_arrays(16), True),
    "queens 60": (lambda: Queens(n=60).problem(), True),
    "MacMahon squares 4x6": (macmahon_squares, True),
    "Y pentominoes 20x20": (polyominoes("20x20", "pentominoes.Y", "any"), True),
    "Y pentominoes 25x25": (polyominoes("25x25", "pentominoes.Y", "any"), True),
    "one-sided hexominoes 18x20": (polyominoes("18x20", "one-sided hexominoes"), True),
    "pentominoes, ten of each, 20x30": (polyominoes("20x30", "pentominoes", 10), True),
    "hexominoes 19x11 and a cell": (polyominoes(("_.", *["." * 11] * 19), "hexominoes"), True),
    "25 Y pentominoes 5x5x5": (cube("Y"), True),
    "25 N pentominoes 5x5x5": (cube("N"), True),
    "L tromino of side 12": (reptile(_L3, 12, "trominoes.V"), True),
    "L tetromino of side 9": (reptile(_L, 9, "tetrominoes.L"), True),
    "P pentomino of side 12": (reptile(_P, 12, "pentominoes.P"), True),
    "Sudoku 25x25, seed 1": (sudoku(5, 5, 1), True),
    "Sudoku 25x25, seed 2": (sudoku(5, 5, 2), True),
    "Sudoku 36x36": (sudoku(6, 6, 1), True),
    "Latin squares of order 30, 42 percent open": (latin_square(30, 0.42, 1), True),
    "Latin squares of order 33, 42 percent open": (latin_square(33, 0.42, 1), True),
    "Latin squares of order 35, 42 percent open": (latin_square(35, 0.42, 1), True),
    "edge matching 6x6, 4 colors": (edge_matching(6, 4, 1), True),
    "edge matching 7x7, 5 colors": (edge_matching(7, 5, 1), True),
    "edge matching 8x8, 5 colors": (edge_matching(8, 5, 1), True),
    "edge matching 8x8, 7 colors": (edge_matching(8, 7, 1), True),
    "edge matching 10x10, 9 colors": (edge_matching(10, 9, 1), True),
    "3 colors, 200 vertices": (hidden_coloring(200, 460, 3, 1), True),
    "5 colors, 120 vertices": (hidden_coloring(120, 680, 5, 1), True),
    "queen graph 11x11, 12 colors": (queen_graph(11, 12), True),
    "queen graph 8x8, 9 colors": (queen_graph(8, 9), True),
    "partition of 80 items": (hidden_partition(80, 800, 1), True),
    "partition of 120 items": (hidden_partition(120, 1000, 1), True),
    "nonogram 15x15": (nonogram(15, 1), True),
    "nonogram 20x20, seed 1": (nonogram(20, 1), True),
    "nonogram 20x20, seed 2": (nonogram(20, 2), True),
    "packing 24x24 with gaps": (packing(24, 13), True),
    "packing 40x40 with gaps": (packing(40, 36), True),
    "dominoes 66x66": (lambda: dominoes(66), True),
    "dominoes 100x100": (lambda: dominoes(100), True),
    "dominoes 150x150": (lambda: dominoes(150), True),
    "blank Sudoku 25x25": (blank_sudoku("5x5"), True),
    "blank Sudoku 36x36": (blank_sudoku("6x6"), True),
    "blank Sudoku 42x42": (blank_sudoku("6x7"), True),
    "blank Sudoku 49x49": (blank_sudoku("7x7"), True),
    "hexominoes 14x15": (polyominoes("14x15", "hexominoes"), False),
    "heptominoes 28x27": (polyominoes("28x27", "heptominoes"), False),
    "L tetrominoes 10x10": (polyominoes("10x10", "tetrominoes.L", "any"), False),
    "L tetrominoes 10x14": (polyominoes("10x14", "tetrominoes.L", "any"), False),
    "T tetrominoes 14x14": (polyominoes("14x14", "tetrominoes.T", "any"), False),
    "I tetrominoes 10x10": (polyominoes("10x10", "tetrominoes.I", "any"), False),
    "dominoes 20x20 without two corners": (polyominoes(without_corners(20), "dominoes", "any"), False),
    "bricks 1x2x4 in 6x6x6": (bricks, False),
    "2,000 edges between 50 and 47 vertices": (unequal_sides, False),
    "11 pigeons in 10 holes": (lambda: pigeons(11), False),
    "quadruple systems on 12 points": (lambda: quadruples(12), False),
    "Langford 13": (lambda: langford(13), False),
    "mate of the cyclic square of order 8": (mate_of_cyclic_square(8), False),
    "flower snark of 21 stars, 3 colors": (snark(21), False),
    "Mycielski graph of 23 vertices, 4 colors": (mycielski(3, 4), False),
}
"""For each name, the function that makes the problem, and whether it has a solution.

The solvable ones have a hidden solution, or are known to have one: quadruple and Steiner systems (C. J. Colbourn and
J. H. Dinitz, Handbook of Combinatorial Designs), Langford pairs (R. O. Davies 1959), Costas arrays (OEIS A008404), Y
pentominoes in a cube (C. J. Bouwkamp and D. A. Klarner 1970). Boards for Y pentominoes can be divided into rectangles
5x10 and 15x15, and enlarged pieces into smaller ones of sides 2 and 3.

The others have none. Hexominoes and L and T tetrominoes cannot have the right number of black cells on a checkerboard
or in stripes, and bars and bricks not those of each color (N. G. de Bruijn 1969). A heptomino has a hole. There are too
few vertices, or holes for pigeons; 55 pairs of further points cannot be divided by three; numbers of places contradict
each other (Langford pairs), or of symbols (L. Euler 1782). See R. Isaacs 1975 for snarks, and J. Mycielski 1955.
"""
