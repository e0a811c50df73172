"""Published numbers of solutions, counted by diagrams, which do not visit each solution."""

import math
from collections.abc import Callable

import pytest

from classics import (
    KNOWN,
    dodecahedron,
    langford,
    latin_squares,
    matchings,
    one_factorizations,
    steiner_triples,
)
from exactcover import Problem
from problems import Costas, Polyomino, Queens, Rectangles, Sudoku

pytest.importorskip("exactcover._native")

# Sources: OEIS A000170, A004003, A008404, A001147, A014552, A002860, A000110, A030128, A000438.
QUEENS = [1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712]
DOMINOES = [2, 36, 6728, 12988816, 258584046368, 53060477521960000]
COSTAS = [2, 4, 12, 40, 116, 200, 444, 760]
PENTOMINOES = {"3x20": 8, "4x15": 1472}
CENTRE = ((4, 4), (4, 5), (5, 4), (5, 5))

Case = tuple[str, Callable[[], Problem], int]


def aztec_diamond(n: int) -> Problem:
    widths = [*range(1, n + 1), *range(n, 0, -1)]
    board = "\n".join(("_" * (n - width) + "." * 2 * width) for width in widths)
    return Polyomino(board, "dominoes", copies="any").problem()


CASES: list[Case] = [
    *KNOWN,
    *((f"queens {n}", lambda n=n: Queens(n=n).problem(), count) for n, count in enumerate(QUEENS, 1)),
    *(
        (f"dominoes {2 * n}", lambda n=n: Polyomino(f"{2 * n}x{2 * n}", "dominoes", copies="any").problem(), count)
        for n, count in enumerate(DOMINOES, 1)
    ),
    (
        "dominoes and trominoes 7x7",  # by DLX6 and by a broken profile
        lambda: Polyomino("7x7", ("dominoes", "trominoes"), copies="any").problem(),
        267855152858,
    ),
    *((f"pentominoes {size}", lambda size=size: Polyomino(size).problem(), n) for size, n in PENTOMINOES.items()),
    ("pentominoes 8x8 without centre", lambda: Polyomino("8x8", holes=CENTRE).problem(), 520),
    *((f"Aztec diamond {n}", lambda n=n: aztec_diamond(n), 2 ** (n * (n + 1) // 2)) for n in range(1, 9)),
    *((f"K{2 * n}", lambda n=n: matchings(2 * n), math.prod(range(1, 2 * n, 2))) for n in range(1, 11)),
    *((f"Langford {n}", lambda n=n: langford(n), count) for n, count in ((8, 300), (11, 35584), (12, 216288))),
    ("Latin squares 5", lambda: latin_squares(5), 161280),
    ("Steiner triples 9", lambda: steiner_triples(9), 840),
    ("1-factorizations of K8", lambda: one_factorizations(8), 6240),
    *((f"Costas arrays {n}", lambda n=n: Costas(n).problem(), count) for n, count in enumerate(COSTAS, 2)),
    ("dodecahedron", dodecahedron, 300),
    ("Y pentominoes 5x10", lambda: Polyomino("5x10", "pentominoes.Y", copies=10).problem(), 10),
    ("rectangle 3x2", lambda: Rectangles().problem(), 2),
    ("4x4 Sudoku grids", lambda: Sudoku(grid="." * 16, box="2x2").problem(), 288),
]


@pytest.mark.parametrize(("name", "make", "count"), CASES, ids=[name for name, _, _ in CASES])
def test_published_counts(name: str, make: Callable[[], Problem], count: int) -> None:
    assert make().count(engine="diagram") == count
