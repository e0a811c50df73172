"""The problems on which engines are compared, with their numbers of solutions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import families
from exactcover import Problem
from problems import Polyomino, Queens


def dominoes(side: int) -> Problem:
    """A square board covered by dominoes."""
    return Polyomino(f"{side}x{side}", "dominoes", copies="any").problem()


CENTRE = ((4, 4), (4, 5), (5, 4), (5, 5))

SUITE: dict[str, tuple[Callable[[], Problem], int]] = {
    "pentominoes 3x20": (lambda: Polyomino("3x20").problem(), 8),
    "pentominoes 4x15": (lambda: Polyomino("4x15").problem(), 1472),
    "pentominoes 5x12": (lambda: Polyomino("5x12").problem(), 4040),
    "pentominoes 6x10": (lambda: Polyomino("6x10").problem(), 9356),
    "pentominoes 8x8 without centre": (lambda: Polyomino("8x8", holes=CENTRE).problem(), 520),
    "thirteen pieces": (lambda: Polyomino("8x8", ("pentominoes", "tetrominoes.O")).problem(), 129168),
    "Soma cube": (families.soma, 11520),
    "queens 10": (lambda: Queens(n=10).problem(), 724),
    "queens 12": (lambda: Queens(n=12).problem(), 14200),
    "queens 13": (lambda: Queens(n=13).problem(), 73712),
    "queens 14": (lambda: Queens(n=14).problem(), 365596),
    "dominoes 6x6": (lambda: dominoes(6), 6728),
    "dominoes 8x8": (lambda: dominoes(8), 12988816),
    "Langford 8": (lambda: families.langford(8), 300),
    "Langford 11": (lambda: families.langford(11), 35584),
    "Langford 12": (lambda: families.langford(12), 216288),
    "perfect matchings of K14": (lambda: families.matchings(14), 135135),
    "perfect matchings of K16": (lambda: families.matchings(16), 2027025),
    "1-factorizations of K8": (lambda: families.one_factorizations(8), 6240),
    "Latin squares of order 5": (lambda: families.latin_squares(5), 161280),
    "MacMahon squares 4x6": (families.macmahon_squares, 106624),
}
"""For each name, the function that makes the problem, and its number of solutions.

All numbers are published except the last, which was computed with DLX2 and SSXCC.
"""

SETS: dict[str, tuple[Callable[[], Problem], int]] = {
    "dominoes 10x10": (lambda: dominoes(10), 258584046368),
    "dominoes 12x12": (lambda: dominoes(12), 53060477521960000),
    "dominoes 14x14": (lambda: dominoes(14), 112202208776036178000000),
    "dominoes 16x16": (lambda: dominoes(16), 2444888770250892795802079170816),
    "dominoes and trominoes 7x7": (
        lambda: Polyomino("7x7", ("dominoes", "trominoes"), copies="any").problem(), 267855152858),
    "perfect matchings of K16": SUITE["perfect matchings of K16"],
    "perfect matchings of K18": (lambda: families.matchings(18), 34459425),
    "perfect matchings of K20": (lambda: families.matchings(20), 654729075),
    "1-factorizations of K8": SUITE["1-factorizations of K8"],
    "Latin squares of order 5": SUITE["Latin squares of order 5"],
    "Latin squares of order 6": (lambda: families.latin_squares(6), 812851200),
}  # fmt: skip
"""Problems with too many solutions to visit, with published numbers (OEIS A004003, A001147, A000438, A002860).

The number with trominoes was computed with DLX6 and by broken-profile dynamic programming.
"""

PRICED: dict[str, Callable[[], Problem]] = {
    "set partitioning 30 x 900": lambda: families.set_partitioning(30, 900),
    "set partitioning 36 x 1000": lambda: families.set_partitioning(36, 1000),
    "set partitioning 40 x 1500": lambda: families.set_partitioning(40, 1500),
    "pentominoes 4x15, priced": lambda: families.priced(Polyomino("4x15").problem()),
    "pentominoes 6x10, priced": lambda: families.priced(Polyomino("6x10").problem()),
    "queens 14, priced": lambda: families.priced(Queens(n=14).problem()),
}
"""Problems with random costs whose cheapest solution is sought."""

DUTIES: dict[str, Callable[[], Problem]] = {
    f"crews {trips} x {duties}": partial(families.crews, trips, duties, seed)
    for seed, (trips, duties) in enumerate(
        [(50, 2000), (50, 5000), (80, 5000), (100, 10_000), (120, 5000), (150, 20_000), (200, 20_000), (300, 30_000),
         (400, 50_000), (500, 100_000)]
    )
}  # fmt: skip
"""Large set partitioning problems, for which the peers are solvers of integer programs."""

COVERED: dict[str, Callable[[], Problem]] = {
    **{
        f"cover {items} x {sets}, at most {most}": partial(families.set_cover, items, sets, most, seed)
        for seed, (items, sets, most) in enumerate(
            [(40, 150, 2), (40, 150, 150), (50, 250, 250), (60, 400, 3), (80, 600, 600), (100, 1000, 4),
             (150, 1000, 1000), (200, 2000, 2000), (200, 1000, 2), (300, 3000, 3000)]
        )
    },
    **{
        f"{guests} guests, {tables} tables": partial(families.guests_at_tables, guests, tables, seed)
        for seed, (guests, tables) in enumerate(
            [(14, 4), (14, 5), (15, 4), (15, 6), (16, 4), (16, 5), (17, 5), (17, 6), (18, 5), (18, 6)]
        )
    },
    **{
        f"ward of {size}{' in fair shares' * is_fair}, seed {seed}": partial(families.ward, size, seed, is_fair=is_fair)
        for seed, (size, is_fair) in enumerate(
            [(8, False), (8, True), (10, False), (10, True), (12, False), (12, True), (16, False), (16, True),
             (20, False), (20, True)]
        )
    },
}  # fmt: skip
"""Problems with ranges and soft items, for which the peers are solvers of integer programs."""

FIRST: dict[str, tuple[Callable[[], Problem], int]] = {
    f"queens {n}": (Queens(n=n).problem, 1) for n in (50, 100, 200, 500)
}
"""Problems of which one solution is wanted; programs report that they found one."""

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
"""Problems whose solutions are listed in Python, by libraries too; few enough for the slow libraries to finish."""

TRAY = """____???____\n__???????__\n_?????????_\n_?????????_\n???????????\n_?????????_\n???????????
_?????????_\n_?????????_\n__???????__\n____???____"""

COUNTED: dict[str, tuple[Callable[[], Problem], int]] = {
    "fourteen bars on a tray": (lambda: Polyomino(TRAY, "pentominoes.I", copies=14).problem(), 196),
    "six P and six L pentominoes 6x10": (
        lambda: Polyomino("6x10", ("pentominoes.P", "pentominoes.L"), copies=6).problem(), 55052),
    "cubic graphs, 10 vertices": (lambda: families.regular_graphs(10, 3), 11180820),
    "binary 6x6, three ones per line": (lambda: families.binary_matrices(6, 3), 297200),
    "covering design (8, 4, 2), 6 blocks": (lambda: families.covering_designs(8, 4, 6), 4725),
    "queens by twos 8x8": (lambda: families.queens_by_twos(8), 477136),
    "five queens dominate 8x8": (lambda: families.queen_domination(8, 5), 4860),
}  # fmt: skip
"""Problems with multiplicities.

The published numbers are OEIS A002829, A001501 and A002564 (4860, queen domination); the others were computed with
DLX3 and SSMCC.
"""

PUBLISHED: dict[str, tuple[Callable[[], Problem], int]] = {
    "Latin squares of order 6": (lambda: families.latin_squares(6), 812851200),
    "Latin squares of order 7": (lambda: families.latin_squares(7), 61479419904000),
    "Steiner triple systems on 13 points": (lambda: families.steiner_triples(13), 1197504000),
    "1-factorizations of K10": (lambda: families.one_factorizations(10), 1225566720),
    "perfect matchings of K30": (lambda: families.matchings(30), 6190283353629375),
    "queens 16": (lambda: Queens(n=16).problem(), 14772512),
}
"""Numbers of solutions: OEIS A002860 (Latin squares), A001147 (matchings), A000170 (queens).

Steiner triple systems: Handbook of Combinatorial Designs. 1-factorizations: E. N. Gelling and R. E. Odeh 1974.
"""

CLASSES: dict[str, tuple[Callable[[], Problem], int]] = {
    "pentominoes 6x10": (lambda: Polyomino("6x10").problem(), 2339),
    "pentominoes 8x8 without centre": (lambda: Polyomino("8x8", holes=CENTRE).problem(), 65),
    "thirteen pieces 8x8": (lambda: Polyomino("8x8", ("pentominoes", "tetrominoes.O")).problem(), 16146),
    "solid pentominoes 2x5x6": (lambda: families.solid_pentominoes(2, 5, 6), 264),
    "solid pentominoes 3x4x5": (lambda: families.solid_pentominoes(3, 4, 5), 3940),
    "queens 13": (lambda: Queens(n=13).problem(), 9233),
    "queens 14": (lambda: Queens(n=14).problem(), 45752),
    "dominoes 8x8": (lambda: dominoes(8), 1629189),
    "dominoes 12x12": (lambda: dominoes(12), 6632560613086062),
    "dominoes 16x16": (lambda: dominoes(16), 305611096281378760240051639364),
    "dominoes 20x20": (lambda: dominoes(20), 158748001407029479280360099562172057138013219144),
}
"""Numbers of classes. Those of dominoes on 16x16 and 20x20 were computed by this program alone.

The others: C. B. and J. Haselgrove 1960 (pentominoes), D. Scott 1958 (8x8), Polyform Puzzler (thirteen pieces, solid
pentominoes), OEIS A002562 (queens), the lemma of Burnside by hand (dominoes 8x8).
"""
