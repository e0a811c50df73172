"""Disciplines with symmetry: what `count` does by itself, numbers of classes, and published numbers."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial

from contest import Contestant, Row, race
from disciplines import chosen, load_modules, own_peak, programs, written
from exactcover import Problem, SearchOptions, StoppedError
from families import latin_squares, matchings, one_factorizations, solid_pentominoes, steiner_triples
from problems import Polyomino, Queens
from suite import CENTRE, SUITE


def _double_factorial(n: int) -> int:
    return 1 if n < 2 else n * _double_factorial(n - 2)


def _dominoes(n: int) -> Problem:
    return Polyomino(f"{n}x{n}", "dominoes", copies="any").problem()


PUBLISHED: dict[str, tuple[Callable[[], Problem], int]] = {
    "Latin squares of order 6": (lambda: latin_squares(6), 812851200),
    "Latin squares of order 7": (lambda: latin_squares(7), 61479419904000),
    "Steiner triple systems on 13 points": (lambda: steiner_triples(13), 1197504000),
    "1-factorizations of K10": (lambda: one_factorizations(10), 1225566720),
    "perfect matchings of K30": (lambda: matchings(30), _double_factorial(29)),
    "queens 16": (lambda: Queens(n=16).problem(), 14772512),
}
"""Numbers of solutions: OEIS A002860 (Latin squares), A001147 (matchings), A000170 (queens).

Steiner triple systems: Handbook of Combinatorial Designs. 1-factorizations: E. N. Gelling and R. E. Odeh 1974.
"""

CLASSES: dict[str, tuple[Callable[[], Problem], int]] = {
    "pentominoes 6x10": (lambda: Polyomino("6x10").problem(), 2339),
    "pentominoes 8x8 without centre": (lambda: Polyomino("8x8", holes=CENTRE).problem(), 65),
    "thirteen pieces 8x8": (lambda: Polyomino("8x8", ("pentominoes", "tetrominoes.O")).problem(), 16146),
    "solid pentominoes 2x5x6": (lambda: solid_pentominoes(2, 5, 6), 264),
    "solid pentominoes 3x4x5": (lambda: solid_pentominoes(3, 4, 5), 3940),
    "queens 13": (lambda: Queens(n=13).problem(), 9233),
    "queens 14": (lambda: Queens(n=14).problem(), 45752),
    "dominoes 8x8": (lambda: _dominoes(8), 1629189),
    "dominoes 12x12": (lambda: _dominoes(12), 6632560613086062),
    "dominoes 16x16": (lambda: _dominoes(16), 305611096281378760240051639364),
    "dominoes 20x20": (lambda: _dominoes(20), 158748001407029479280360099562172057138013219144),
}
"""Numbers of classes. Those of dominoes on 16x16 and 20x20 were computed by this program alone.

The others: C. B. and J. Haselgrove 1960 (pentominoes), D. Scott 1958 (8x8), Polyform Puzzler (thirteen pieces, solid
pentominoes), OEIS A002562 (queens), the lemma of Burnside by hand (dominoes 8x8).
"""


def counting(options: argparse.Namespace) -> list[Row]:
    """`Problem.count` as people call it, with symmetries, a sweep or a memo, against programs that visit every leaf."""
    rows = []
    load_modules()
    for name in chosen(SUITE, options):
        make, expected = SUITE[name]
        problem = make()
        with written(problem) as file:
            rows.append(race(name, {"exactcover": problem.count}, programs(options, file), expected, options.rounds))
    return rows


def published(options: argparse.Namespace) -> list[Row]:
    """Published numbers of solutions, with symmetry and without."""
    rows = []
    for name in chosen(PUBLISHED, options):
        make, expected = PUBLISHED[name]
        problem = make()
        ways: dict[str, Contestant] = {
            "exactcover": partial(_count, problem, options.timeout),
            "without symmetry": partial(_count, problem, options.timeout, SearchOptions(symmetry=False)),
        }
        rows.append(race(name, ways, {}, expected, 1))
    return rows


def classes(options: argparse.Namespace) -> list[Row]:
    """Numbers of solutions up to symmetry."""
    rows = []
    for name in chosen(CLASSES, options):
        make, expected = CLASSES[name]
        ours = {"exactcover": partial(_count, make(), options.timeout, SearchOptions(distinct=True))}
        rows.append(race(name, ours, {}, expected, options.rounds))
    return rows


def memory(options: argparse.Namespace) -> list[Row]:
    """Peak memory of counts with symmetry and without, in MB; without the interpreter and the imports."""
    rows = []
    base = own_peak("import suite; suite.SUITE['queens 10'][0]()") or 0
    for name in chosen(SUITE, options):
        peaks = {}
        for way, keyword in (("exactcover", ""), ("without symmetry", "options=SearchOptions(symmetry=False)")):
            script = "import suite; from exactcover import SearchOptions; "
            script += f"make, expected = suite.SUITE[{name!r}]; assert make().count({keyword}) == expected"
            found = own_peak(script, options.timeout)
            if found is not None:
                peaks[way] = max((found - base) / 1024, 0.1)
        rows.append(Row(name, SUITE[name][1], peaks))
    return rows


def _count(problem: Problem, timeout: float, options: SearchOptions | None = None) -> int | None:
    try:
        return problem.count(timeout=timeout, options=options)
    except StoppedError:
        return None
