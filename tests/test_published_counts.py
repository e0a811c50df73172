"""Published numbers of solutions, counted without visiting each: by whichever way gets there first."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from exactcover import Problem
from families import (
    costas_arrays,
    dodecahedron,
    langford,
    latin_squares,
    matchings,
    one_factorizations,
    set_partitions,
    steiner_triples,
)
from problems import Polyomino, Queens, Rectangles, Sudoku
from suite import SETS, SUITE

pytest.importorskip("exactcover._native")

SLOW = ("MacMahon squares 4x6", "thirteen pieces", "Latin squares of order 6")  # benchmarks
QUEENS = [1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512]
DOMINOES = [2, 36, 6728, 12988816, 258584046368, 53060477521960000]

COSTAS = [1, 2, 4, 12, 40, 116, 200, 444, 760, 2160]

Case = tuple[str, Callable[[], Problem], int]


def aztec_diamond(n: int) -> Problem:
    widths = [*range(1, n + 1), *range(n, 0, -1)]
    board = "\n".join(("_" * (n - width) + "." * 2 * width) for width in widths)
    return Polyomino(board, "dominoes", copies="any").problem()


def double_factorial(n: int) -> int:
    return n * double_factorial(n - 2) if n > 1 else 1


CASES: list[Case] = [
    *((name, make, count) for name, (make, count) in (SUITE | SETS).items() if name not in SLOW),
    *((f"queens {n}", lambda n=n: Queens(n=n).problem(), count) for n, count in enumerate(QUEENS, 1)),
    *(
        (f"dominoes {2 * n}", lambda n=n: Polyomino(f"{2 * n}x{2 * n}", "dominoes", copies="any").problem(), count)
        for n, count in enumerate(DOMINOES, 1)
    ),
    *((f"Aztec diamond {n}", lambda n=n: aztec_diamond(n), 2 ** (n * (n + 1) // 2)) for n in range(1, 11)),
    *((f"K{2 * n}", lambda n=n: matchings(2 * n), double_factorial(2 * n - 1)) for n in range(1, 11)),
    *((f"Langford {n}", lambda n=n: langford(n), 2 * count) for n, count in {3: 1, 4: 1, 7: 26, 8: 150}.items()),
    *((f"Latin squares {n}", lambda n=n: latin_squares(n), count) for n, count in enumerate([1, 2, 12, 576], 1)),
    *((f"partitions {n}", lambda n=n: set_partitions(n), b) for n, b in enumerate([1, 2, 5, 15, 52, 203, 877], 1)),
    ("Steiner triples 7", lambda: steiner_triples(7), 30),
    ("Steiner triples 9", lambda: steiner_triples(9), 840),
    ("1-factorizations of K6", lambda: one_factorizations(6), 6),
    *((f"Costas arrays {n}", lambda n=n: costas_arrays(n), count) for n, count in enumerate(COSTAS, 1)),
    ("dodecahedron", dodecahedron, 300),  # A. Windsor's, in the tests of xcover
    ("Y pentominoes 5x10", lambda: Polyomino("5x10", "pentominoes.Y", copies=10).problem(), 10),
    ("rectangle 3x2", lambda: Rectangles().problem(), 2),
    ("4x4 Sudoku grids", lambda: Sudoku(grid="." * 16, box="2x2").problem(), 288),
]


@pytest.mark.parametrize(("name", "make", "count"), CASES, ids=[name for name, _, _ in CASES])
def test_published_counts(name: str, make: Callable[[], Problem], count: int) -> None:
    assert make().count(engine="diagram") == count
