"""Audit published pencil puzzles: solve each, prove that there is no other solution, and compare it.

A file KIND.json is ``{"data": {NAME: {"problem": TEXT, "solution": TEXT}}}``, as those of the public dataset
SmilingWayne/puzzlekit-dataset are. puzzlekit, if it is installed, finds a solution of each by CP-SAT on one thread, in
the same run; CP-SAT is asked for another one then. Problems are made from texts within the time of both.

    python benchmarks/pencil_puzzles.py FOLDER            # all kinds
    python benchmarks/pencil_puzzles.py FOLDER KenKen -n 40 --peer
"""

from __future__ import annotations

import argparse
import gc
import random
import statistics
import string
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))  # python -P leaves it out
from exactcover import ParameterError, StoppedError
from line_puzzles import read_texts
from problems.grid import Grid
from problems.squares import split_side

Rows = list[list[str]]
Params = dict[str, Any]
ONCE = {"once": "rows columns"}
KING = {"differ": "king"}
STARS = {"symbols": "*x", "empty": "x"}
BLANK = {"symbols": "none"}
LETTERS = string.ascii_letters + string.digits + "".join(map(chr, range(0x4E00, 0x5200)))
BLANKS = {"-", ".", "@", "#"}
WRONG = "another than stated"


class Text(NamedTuple):
    """The words of a puzzle: those of the first line, and the rows below it."""

    head: list[str]
    rows: Rows

    @property
    def size(self) -> str:
        """The numbers of rows and columns."""
        return f"{self.head[0]}x{self.head[1]}"

    def layer(self, number: int = 0, after: int = 0) -> Rows:
        """Return the rows of one of the boards that stand below each other, behind some rows of clues."""
        height = int(self.head[0])
        return self.rows[after + number * height : after + (number + 1) * height]


def cells(rows: Rows, change: Mapping[str, str] | None = None) -> tuple[tuple[str, ...], ...]:
    """Return the rows of a board, with other words for some."""
    change = {"-": ".", **(change or {})}
    return tuple(tuple(change.get(word, word) for word in row) for row in rows)


def name_areas(rows: Rows) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return a drawing with a letter for each area, and the letters by the words of the areas."""
    words = dict.fromkeys(word for row in rows for word in row if word not in BLANKS)
    letters = dict(zip(words, LETTERS, strict=False))
    return tuple("".join(letters.get(word, ".") for word in row) for row in rows), letters


def name_cells(rows: Rows, wanted: str) -> str:
    """Return the cells that hold a word."""
    return " ".join(f"r{r}c{c}" for r, row in enumerate(rows, 1) for c, word in enumerate(row, 1) if word == wanted)


def square(text: Text, *more: Mapping[str, Any]) -> Params:
    """Return a Sudoku with boxes, and further constraints."""
    boxes = {"once": f"rows columns {'x'.join(map(str, split_side(int(text.head[0]))))}"}
    return {"cells": cells(text.layer(), {"E": ".", "O": "."}), "constraints": (boxes, *more)}


def read_sides(rows: Rows) -> dict[str, tuple[str, ...]]:
    """Return the clues above, below, to the left and to the right."""
    return dict(zip(("top", "bottom", "left", "right"), map(tuple, rows), strict=False))


def read_cages(text: Text, *, repeat: bool) -> dict[str, Any]:
    """Return the cages of a board with totals and another one with areas."""
    drawing, letters = name_areas(text.layer(1))
    pairs = zip((w for row in text.layer() for w in row), (w for row in text.layer(1) for w in row), strict=True)
    totals = {
        letters[area]: f"{word}?" if repeat and word.isdigit() else word for word, area in pairs if word not in BLANKS
    }
    return {"cages": {"areas": drawing, "totals": totals, "repeat": repeat}}


def make_stars(text: Text) -> Params:
    count = {"count": {"where": "rows columns regions", "times": int(text.head[2])}}
    regions = name_areas(text.layer())[0]
    return {"cells": text.size, **STARS, "regions": regions, "constraints": (count, KING)}


def make_regions(text: Text, *constraints: Mapping[str, Any]) -> Params:
    """Return a board with regions, of which one of k cells holds 1 to k."""
    regions = name_areas(text.layer(1))[0]
    most = max("".join(regions).count(letter) for letter in "".join(regions))
    return {"cells": cells(text.layer()), "symbols": f"1-{most}", "regions": regions,
            "constraints": ({"number": "regions"}, *constraints)}  # fmt: skip


def make_kakurasu(text: Text) -> Params:
    columns, rows = (" ".join(line) for line in text.rows[:2])
    return {"cells": text.size, **STARS, "constraints": ({"positions": {"rows": rows, "columns": columns}},)}


def make_norinori(text: Text) -> Params:
    """Return a Norinori: two black cells in each region, and each beside one other."""
    pairs = {"count": {"where": "regions", "times": 2}}, {"beside": {"times": 1}}
    return {"cells": text.size, **STARS, "regions": name_areas(text.layer(1))[0], "constraints": pairs}


def make_skyscrapers(text: Text) -> Params:
    """Return skyscrapers, of which some may be missing in each line."""
    side, highest = int(text.head[0]), int(text.head[2])
    has_gaps = highest < side
    groups = "rows columns diagonals" if "D" in text.head else "rows columns"
    symbols = " ".join([*["x"] * has_gaps, *map(str, range(1, highest + 1))])
    return {"cells": cells(text.layer(after=4), {"0": "x"}), "symbols": symbols, "empty": "x" if has_gaps else "",
            "constraints": ({"once": groups}, {"visible": read_sides(text.rows)})}  # fmt: skip


def make_end_view(text: Text) -> Params:
    letters = string.ascii_lowercase[: string.ascii_lowercase.index(text.head[2]) + 1]
    has_gaps = len(letters) < int(text.head[0])
    return {"cells": cells(text.layer(after=4)) or text.size, "symbols": letters + "~x"[1:] * has_gaps,
            "empty": "x" if has_gaps else "", "constraints": (ONCE, {"first": read_sides(text.rows)})}  # fmt: skip


def make_kakuro(text: Text) -> Params:
    board = [["." if word == "0" else word if word.isdigit() else "#" for word in row] for row in text.layer()]
    sums = [["." if word.isdigit() else "#" if word == "-" else word for word in row] for row in text.layer()]
    sums = [[word.replace("-", "").replace(",", "\\") for word in row] for row in sums]
    return {"cells": cells(board), "symbols": "1-9", "constraints": ({"kakuro": {"sums": cells(sums)}},)}


def count_lines(text: Text, of: str) -> list[Params]:
    """Return how often symbols occur in each column and in each row, as the first two rows say."""
    return [{"count": {"where": where, "of": of, "times": tuple(row)}}
            for where, row in zip(("columns", "rows"), text.rows, strict=False)]  # fmt: skip


def make_ships(text: Text) -> Params:
    parts = dict(zip(("alone", "left", "right", "top", "bottom", "middle"), "owensm", strict=True))
    fleet = {length: int(times) for length, times in enumerate(text.head[2:], 1) if int(times)}
    return {"cells": cells(text.layer(after=2), {"x": "z"}), "symbols": "owensmz", "empty": "z",
            "constraints": ({"ships": {"fleet": fleet, "parts": parts}}, *count_lines(text, "owensm"))}  # fmt: skip


def make_tents(text: Text) -> Params:
    trees = {"tents": {"trees": cells(text.layer(after=2)), "of": "*"}}
    return {"cells": text.size, **STARS, "constraints": (trees, KING, *count_lines(text, "*"))}


def make_straights(text: Text) -> Params:
    """Return Str8ts: a black cell is a hole, or stands outside of all compartments if it has a number."""
    rows = text.layer()
    across = [[(r, c) for c in range(len(rows[0]))] for r in range(len(rows))]
    groups = []
    for line in [*across, *map(list, zip(*across, strict=True))]:
        names = ["" if "x" in rows[r][c] else f"r{r + 1}c{c + 1}" for r, c in line]
        groups += [own for own in " ".join(name or "/" for name in names).split("/") if len(own.split()) > 1]
    board = cells([["#" if word == "x" else word.removesuffix("x") for word in row] for row in rows])
    return {"cells": board, "symbols": f"1-{max(map(int, text.head[:2]))}",
            "constraints": (ONCE, {"renban": tuple(own.strip() for own in groups)})}  # fmt: skip


def make_around(text: Text, *, own: bool) -> Params:
    """Return a board of numbers that say how many cells around them are filled."""
    mines = [{"count": {"where": "board", "of": "*", "times": int(word)}} for word in text.head[2:3]]
    around = {"around": {"clues": cells(text.layer()), "of": "*", "own": own}}
    board = cells([["#" if word == "#" else "." for word in row] for row in text.layer()])
    return {"cells": board, **STARS, "constraints": (around, *mines)}


def make_blocks(text: Text) -> Params:
    numbers = [*map(str, range(1, int(text.head[2]) + 1))]
    counts = [{"count": {"where": "rows columns", "of": one, "times": 1 + (one == "x")}} for one in ("x", *numbers)]
    between = {"between": {"of": "x", "top": tuple(text.rows[0]), "left": tuple(text.rows[1])}}
    return {"cells": cells(text.layer(after=2)) or text.size, "symbols": " ".join(["x", *numbers]),
            "constraints": (*counts, between)}  # fmt: skip


def make_tenner(text: Text) -> Params:
    height = int(text.head[0]) - 1
    sums = {f"r1c{column}-r{height}c{column}": int(total) for column, total in enumerate(text.rows[height], 1)}
    constraints = {"once": "rows"}, KING, {"sums": sums}
    return {"cells": cells(text.rows[:height]), "symbols": "0-9", "constraints": constraints}


def make_nonogram(text: Text) -> Params:
    height, width = map(int, text.head[:2])
    runs = tuple(map(" ".join, text.rows))
    return {"cells": text.size, **STARS,
            "constraints": ({"runs": {"columns": runs[:width], "rows": runs[width : width + height]}},)}  # fmt: skip


def make_futoshiki(text: Text) -> Params:
    side = int(text.head[0])
    below = [list(row) for row in text.rows[2 * side : 3 * side - 1]]
    signs = [((r, c), (r, c + 1), word) for r, row in enumerate(text.layer(1), 1) for c, word in enumerate(row, 1)]
    signs += [((r, c), (r + 1, c), word) for r, row in enumerate(below, 1) for c, word in enumerate(row, 1)]
    less = [(one, other)[:: 1 if word == "<" else -1] for one, other, word in signs if word in "<>"]
    lines = tuple(" ".join(f"r{r}c{c}" for r, c in pair) for pair in less)
    return {"cells": cells(text.layer()), "constraints": (ONCE, {"less": lines})}


def make_fillomino(text: Text) -> Params:
    """Return a Fillomino; numbers up to the greatest one may be hidden."""
    words = {word for row in text.layer() for word in row if word.isdecimal()}
    numbers = {"fillomino": {"numbers": cells(text.layer())}}
    return {"cells": text.size, "symbols": f"1-{max(map(int, words))}", "constraints": (numbers,)}


def make_nurikabe(text: Text) -> Params:
    """Return a Nurikabe, whose sea is shaded."""
    islands = {"islands": {"numbers": cells(text.layer())}}
    return {"cells": text.size, **STARS, "constraints": (islands, {"together": "*"}, {"never": "**/**"})}


def make_hitori(text: Text) -> Params:
    """Return a Hitori: shaded cells do not touch, and the others hang together."""
    alike = {"hitori": {"numbers": cells(text.layer()), "of": "*"}}
    return {"cells": text.size, "symbols": "*o", "constraints": (alike, {"never": "**"}, {"together": "o"})}


def plain(constraint: Mapping[str, Any], *more: Mapping[str, Any], **params: Any) -> Callable[[Text], Params]:
    """Return the maker of boards that hold the givens alone."""
    return lambda text: {"cells": cells(text.layer()), "constraints": (constraint, *more), **params}


MAKERS: dict[str, Callable[[Text], Params]] = {
    "ABCEndView": make_end_view,
    "Battleship": make_ships,
    "Binairo": plain({"balance": "rows columns"}, {"never": "111 222"}, symbols="12"),
    "Dominos": lambda t: {"cells": t.size, **BLANK, "constraints": ({"dominoes": {"numbers": cells(t.layer())}},)},
    "DoppelBlock": make_blocks,
    "EvenOddSudoku": lambda t: square(t, *({word: name_cells(t.layer(), word[0].upper())} for word in ("even", "odd"))),
    "Fillomino": make_fillomino,
    "Futoshiki": make_futoshiki,
    "Hakyuu": lambda t: make_regions(t, {"ripple": "rows columns"}),
    "Hidoku": lambda t: plain({"path": "king"}, symbols=f"1-{sum(w != '#' for row in t.layer() for w in row)}")(t),
    "Hitori": make_hitori,
    "JigsawSudoku": lambda t: plain({"once": "rows columns regions"}, regions=name_areas(t.layer(1))[0])(t),
    "Kakurasu": make_kakurasu,
    "Kakuro": make_kakuro,
    "KenKen": lambda t: {"cells": t.size, "constraints": (ONCE, read_cages(t, repeat=True))},
    "KillerSudoku": lambda t: square(t, read_cages(t, repeat=False)) | {"cells": t.size},
    "Minesweeper": lambda t: make_around(t, own=False),
    "Mosaic": lambda t: make_around(t, own=True),
    "Nonogram": make_nonogram,
    "Norinori": make_norinori,
    "Nurikabe": make_nurikabe,
    "Queens": make_stars,
    "Renban": lambda t: plain(ONCE, {"renban": "regions"}, regions=name_areas(t.layer(1))[0])(t),
    "Shikaku": lambda t: {"cells": t.size, **BLANK, "constraints": ({"rectangles": cells(t.layer())},)},
    "Skyscraper": make_skyscrapers,
    "SkyscraperSudoku": lambda t: square(Text(t.head, t.rows[4:]), {"visible": read_sides(t.rows)}),
    "Starbattle": make_stars,
    "Str8t": make_straights,
    "Sudoku": square,
    "Suguru": lambda t: make_regions(t, KING),
    "TennerGrid": make_tenner,
    "Tent": make_tents,
}
"""How the puzzles of each kind are stated."""
PEERS = {"KenKen": "ken_ken", "KillerSudoku": "killer_sudoku", "JigsawSudoku": "jigsaw_sudoku", "Str8t": "str8t",
         "EvenOddSudoku": "even_odd_sudoku", "ABCEndView": "abc_end_view", "TennerGrid": "tenner_grid",
         "Queens": "starbattle"}  # fmt: skip
"""The names of kinds in puzzlekit, where they are not those here in lower case."""
ON_OFF = {"*": "x", "x": "-"}
SHADED = ("Kakurasu", "Minesweeper", "Mosaic", "Nonogram", "Norinori", "Nurikabe", "Queens", "Starbattle")
SPELLINGS = {"Battleship": {"z": "-"}, "Skyscraper": {"x": "0"}, "ABCEndView": {"x": "-"}, "Tent": {"*": "o", "x": "-"},
             "Hitori": {"*": "x", "o": "-"},
             **dict.fromkeys(SHADED, ON_OFF)}  # fmt: skip
"""The words of stated solutions for symbols."""
OTHERS = {"Battleship": {"x": "-"}, "Tent": {"x": "-"}}
"""Words of stated solutions for water and for trees."""


def agrees(kind: str, found: Mapping[tuple[int, int], str], stated: Rows) -> bool:
    """Return whether a solution is the stated one; what lies outside of its cells is not compared."""
    words, others = SPELLINGS.get(kind, {}), OTHERS.get(kind, {})
    places = {(row, column): word for row, line in enumerate(stated, 1) for column, word in enumerate(line, 1)}
    return all(others.get(places[cell], places[cell]) == words.get(own, own) for cell, own in found.items()
               if places.get(cell, "-" if kind == "Str8t" else "") not in ("-" * (kind == "Str8t"), ""))  # fmt: skip


class Audit(NamedTuple):
    """What came of one puzzle: the number of solutions up to two, None if not known; seconds; and agreement."""

    name: str
    solutions: int | None
    seconds: float
    agrees: bool


def audit(kind: str, name: str, problem: str, solution: str, limit: float) -> Audit:
    """Solve a puzzle, and look for a second solution."""
    head, *rows = [line.split() for line in problem.strip("\n").split("\n")]
    began = time.perf_counter()
    try:
        grid = Grid(**MAKERS[kind](Text(head, rows)))
        search = grid.solve(limit=2, timeout=limit)
        found = [grid.decode(solution) for solution in search]
        count = None if search.status.stopped and len(found) < 2 else len(found)
    except (ParameterError, StoppedError) as error:
        if isinstance(error, ParameterError) and "too many ways" not in str(error):
            raise
        found, count = [], None
    seconds = time.perf_counter() - began
    stated = [line.split() for line in solution.strip("\n").split("\n")[1:]]
    has_areas = kind in ("Dominos", "Shikaku")
    return Audit(name, count, seconds, not stated or has_areas or any(agrees(kind, one, stated) for one in found))


def time_peer(kind: str, problems: Iterable[str], limit: float) -> Iterator[tuple[float, float]]:
    """Yield the seconds in which puzzlekit finds a solution, and those until CP-SAT has also looked for another one.

    The first puzzle is taken twice, since it imports much.
    """
    import puzzlekit  # not installed with the toolkit

    options = {"num_workers": 1, "time_limit_sec": limit}
    for number, problem in enumerate(problems):
        for _ in range(1 + (number == 0)):
            began = time.perf_counter()
            found = puzzlekit.solve(problem, PEERS.get(kind, kind.lower()), solver_options=options)
            first = time.perf_counter() - began
            data = found.puzzle_data
            held: Any = next((data[name] for name in ("x", "grid_vars", "board_vars", "is_black") if name in data), {})
            rows = held.values() if isinstance(held, dict) else chain(*held)
            cells = [cell for cell in rows if hasattr(cell, "Index")]
            if cells and found.solution_data["status"] in ("Optimal", "Feasible"):
                data["model"].AddForbiddenAssignments(cells, [[data["solver"].Value(cell) for cell in cells]])
                data["solver"].Solve(data["model"])
        yield first, time.perf_counter() - began


def format_row(words: Sequence[object]) -> str:
    return f"| {' | '.join(map(str, words))} |"


def main() -> None:
    """Print a table of kinds, and the names of puzzles that do not have one solution."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("kinds", nargs="*")
    parser.add_argument("-n", "--most", type=int, help="puzzles of each kind, chosen at random")
    parser.add_argument("--limit", type=float, default=20, metavar="SECONDS")
    parser.add_argument("--peer", action="store_true", help="compare with puzzlekit")
    options = parser.parse_args()
    counted, timed = "one solution, several, none, stopped or refused", "median s, mean s, most s, mean s of puzzlekit"
    header = f"kind, puzzles, {counted}, {timed}, with the proof".split(", ")
    print(format_row(header), format_row(["---"] * len(header)), sep="\n")
    notes = []
    for kind in options.kinds or MAKERS:
        texts = [(name, *both) for name, both in read_texts(options.folder / f"{kind}.json").items()]
        if options.most is not None and options.most < len(texts):
            texts = random.Random(1).sample(texts, options.most)
        gc.freeze()  # the texts of all puzzles are no part of the work
        found = [audit(kind, *text, options.limit) for text in texts]
        seconds = [one.seconds for one in found]
        of = {count: [one.name for one in found if one.solutions == count] for count in (1, 2, 0, None)}
        wrong = [one.name for one in found if not one.agrees and one.solutions == 1]
        try:
            peers = [*time_peer(kind, (problem for _, problem, _ in texts), options.limit)] if options.peer else []
        except ValueError:
            peers = []  # it has no solver for this kind
        means = [f"{statistics.median(seconds):.3f}", f"{statistics.mean(seconds):.3f}", f"{max(seconds):.2f}"]
        means += [f"{statistics.mean(own):.3f}" for own in zip(*peers, strict=True)]
        counts = [len(of[count]) for count in (1, 2, 0, None)]
        print(format_row([kind, len(found), *counts, *means]), flush=True)
        remarks = {"several": of[2], "none": of[0], "stopped or refused": of[None], WRONG: wrong}
        notes += [(kind, word, names) for word, names in remarks.items() if names]
    for kind, word, names in notes:
        print(f"- {kind}, {word}: {', '.join(names)}")
    if any(word == WRONG for _, word, _ in notes):
        sys.exit("WRONG: a puzzle has another solution than the stated one")


if __name__ == "__main__":
    main()
