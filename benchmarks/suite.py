"""The problems that engines are compared on, with their numbers of solutions."""

from __future__ import annotations

from collections.abc import Callable

from exactcover import Problem
from families import langford, latin_squares, macmahon_squares, matchings, one_factorizations, soma
from problems import Polyomino, Queens

CENTRE = ((4, 4), (4, 5), (5, 4), (5, 5))

SUITE: dict[str, tuple[Callable[[], Problem], int]] = {
    "pentominoes 3x20": (lambda: Polyomino("3x20").problem(), 8),
    "pentominoes 4x15": (lambda: Polyomino("4x15").problem(), 1472),
    "pentominoes 5x12": (lambda: Polyomino("5x12").problem(), 4040),
    "pentominoes 6x10": (lambda: Polyomino("6x10").problem(), 9356),
    "pentominoes 8x8 without centre": (lambda: Polyomino("8x8", holes=CENTRE).problem(), 520),
    "thirteen pieces": (lambda: Polyomino("8x8", ("pentominoes", "tetrominoes.O")).problem(), 129168),
    "Soma cube": (soma, 11520),
    "queens 10": (lambda: Queens(n=10).problem(), 724),
    "queens 12": (lambda: Queens(n=12).problem(), 14200),
    "queens 13": (lambda: Queens(n=13).problem(), 73712),
    "queens 14": (lambda: Queens(n=14).problem(), 365596),
    "dominoes 6x6": (lambda: Polyomino("6x6", "dominoes", copies="any").problem(), 6728),
    "dominoes 8x8": (lambda: Polyomino("8x8", "dominoes", copies="any").problem(), 12988816),
    "Langford 8": (lambda: langford(8), 300),
    "Langford 11": (lambda: langford(11), 35584),
    "Langford 12": (lambda: langford(12), 216288),
    "perfect matchings of K14": (lambda: matchings(14), 135135),
    "perfect matchings of K16": (lambda: matchings(16), 2027025),
    "1-factorizations of K8": (lambda: one_factorizations(8), 6240),
    "Latin squares of order 5": (lambda: latin_squares(5), 161280),
    "MacMahon squares 4x6": (macmahon_squares, 106624),
}
"""By name: what makes the problem, and its number of solutions. All are published but the last, which was
computed with DLX2 and SSXCC."""

LISTED = [
    "pentominoes 6x10",
    "pentominoes 8x8 without centre",
    "Soma cube",
    "queens 10",
    "queens 12",
    "dominoes 6x6",
    "Langford 8",
    "Langford 11",
    "perfect matchings of K14",
    "1-factorizations of K8",
    "Latin squares of order 5",
]
"""Those whose solutions are listed into Python, by libraries too; few enough that the slow ones come to an end."""
