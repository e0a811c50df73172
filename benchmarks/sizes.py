"""Measure the time of a node of the search, for problems of five kinds and sizes from 16 to 200.

    python benchmarks/sizes.py
    python benchmarks/sizes.py --only queens --most 50

A search begins anew until it has taken long enough, and ends each time at its first solution, or after as many nodes as
there are items to cover: about one descent, because the many small nodes at the bottom would hide the others. What a
choice touches is the number of entries of options that an average choice removes, taken from the problem alone. From
one size to the next, the time of a node may grow three times as much as what a choice touches, and fall to a third; the
exit status is 1 if it changes by more.
"""

from __future__ import annotations

import argparse
import itertools
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # python -P leaves it out
import exactcover._native as native
from exactcover import Problem
from exactcover.control.stop import Stop
from exactcover.engines.native import NativeEngine
from exactcover.model.matrix import Matrix
from families import binary_matrices
from problems import Queens, Sudoku
from suite import dominoes

BOXES = {16: "4x4", 20: "4x5", 25: "5x5", 30: "5x6", 36: "6x6", 42: "6x7", 49: "7x7"}
SIZES = (16, 20, 25, 32, 40, 50, 64, 66, 80, 90, 100, 130, 160, 200)
MOST_STEP = 3.0  # from one size to the next, beyond the growth of what a choice touches
WORK = 16  # between two looks at the nodes, each of which takes as long as the path is deep
SECONDS = 0.1  # of a round
ROUNDS = 3  # the quickest one counts


def trominoes_with_gaps(side: int) -> Problem:
    """Bent trominoes on a square board, where every second cell may stay empty."""
    cells = list(itertools.product(range(side), repeat=2))
    squares = [list(itertools.product((row, row + 1), (column, column + 1))) for row, column in cells]
    options = [
        [cell for cell in square if cell != left_out]
        for square in squares
        if max(square[-1]) < side
        for left_out in square
    ]
    return Problem(enumerate(options), secondary=[cell for cell in cells if sum(cell) % 2])


FAMILIES: dict[str, Callable[[int], Problem]] = {
    "dominoes": dominoes,
    "blank Sudoku": lambda side: Sudoku(box=BOXES[side]).problem(),
    "queens": lambda side: Queens(n=side).problem(),
    "trominoes with gaps": trominoes_with_gaps,
    "binary matrices, three ones per line": lambda side: binary_matrices(side, 3),
}


def main() -> int:
    options = _arguments()
    names = [name for name in FAMILIES if re.search(options.only, name)]
    if not names:
        print(f"no family has a name that matches {options.only!r}", file=sys.stderr)
        return 1
    cliffs = 0
    for name in names:
        print(f"| {name} | options | touched by a choice | microseconds a node | step |\n|---|---|---|---|---|")
        before: tuple[float, float] | None = None
        for size in BOXES if name == "blank Sudoku" else SIZES:
            if size > options.most:
                break
            matrix = FAMILIES[name](size).matrix
            touched, spent = _count_touched(matrix), _time_node(matrix)
            step = 1.0 if before is None else spent / before[1]
            growth = 1.0 if before is None else max(1.0, touched / before[0])
            wrong = not 1 / MOST_STEP <= step <= MOST_STEP * growth
            cliffs += wrong
            print(
                f"| {size}x{size} | {len(matrix):,} | {touched:,.0f} | {spent * 1e6:.2f} |"
                f" {step:.1f}{', a cliff' if wrong else ''} |",
                flush=True,
            )
            before = touched, spent
        print()
    print(f"{cliffs} cliffs", file=sys.stderr)
    return 1 if cliffs else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="REGEX", default="", help="measure only the families whose names match")
    parser.add_argument("--most", type=int, default=max(SIZES), metavar="SIZE", help="the largest size (%(default)s)")
    return parser.parse_args()


def _count_touched(matrix: Matrix) -> float:
    """Return how many entries an average choice removes: those of all options that share an item with it.

    An item that may be covered again removes nothing.
    """
    uses = Counter(matrix.entries)
    _, highs = matrix.capped_bounds()
    again = {item for item, high in enumerate(highs) if high > 1}
    removed = sum(number if item in again else number**2 for item, number in uses.items())
    return removed / len(matrix) * len(matrix.entries) / len(matrix)


def _time_node(matrix: Matrix) -> float:
    """Return seconds of processor time."""
    engine = NativeEngine()
    search = engine.search(engine.problem(matrix, Stop()), Stop())
    return min(_time_round(search, matrix.primary) for _ in range(ROUNDS))


def _time_round(search: native.Search, most: int) -> float:
    nodes, began = 0, time.process_time()
    while (spent := time.process_time() - began) < SECONDS or not nodes:
        search.begin(())
        first = search.counters().nodes
        while search.advance(WORK, 1, True) and search.counters().nodes - first < most:
            if search.take():
                break
        nodes += search.counters().nodes - first
    return spent / nodes


if __name__ == "__main__":
    sys.exit(main())
